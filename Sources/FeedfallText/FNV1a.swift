/// The 64-bit FNV-1a hash, which is the same in every run.
package enum FNV1a {
  private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  package static func hash(_ text: String) -> UInt64 { text.utf8.reduce(start, mixed) }

  package static func hash(_ numbers: [UInt64]) -> UInt64 {
    numbers.reduce(start) { hash, number in withUnsafeBytes(of: number.littleEndian) { $0.reduce(hash, mixed) } }
  }

  private static func mixed(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
