/// Small compressed files that unpack to a large number of equal bytes.
public enum GzipBomb {
  /// A gzip file of blanks (RFC 1952) without a checksum, which unpacks to about 258 bytes for every 13 bits.
  public static func bytes(unpackingTo count: Int) -> [UInt8] {
    let length = 1 + 258 * (count / 258 + 1)
    return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255] + run(of: 0x20, count: count) + [0, 0, 0, 0]
      + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
  }

  /// A zlib stream of zeros (RFC 1950) with a wrong checksum.
  public static func zeros(_ count: Int) -> [UInt8] {
    [0x78, 0x9C] + run(of: 0, count: count) + [0, 0, 0, 0]
  }

  /// At least `count` bytes equal to `byte`, which must be below 144, in the deflate format (RFC 1951).
  private static func run(of byte: UInt8, count: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(0b1, count: 1)  // the last block
    bits.write(0b01, count: 2)  // with the fixed codes
    bits.writeCode(0x30 + Int(byte), count: 8)
    for _ in 0..<(count / 258 + 1) {
      bits.writeCode(0b1100_0101, count: 8)  // length 258
      bits.writeCode(0, count: 5)  // distance 1
    }
    bits.writeCode(0, count: 7)  // end of block
    return bits.bytes
  }

  private struct BitWriter {
    var bytes: [UInt8] = []
    private var used = 8

    mutating func write(_ value: Int, count: Int) {
      for bit in 0..<count { append(value >> bit & 1) }
    }

    /// Huffman codes start with their most significant bit.
    mutating func writeCode(_ code: Int, count: Int) {
      for bit in (0..<count).reversed() { append(code >> bit & 1) }
    }

    private mutating func append(_ bit: Int) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(bit << used)
      used += 1
    }
  }
}
