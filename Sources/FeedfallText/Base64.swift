/// Base64 (RFC 4648, 4).
package enum Base64 {
  /// White space is ignored; nil if the text is invalid.
  package static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    var paddingCount = 0
    for byte in text.utf8 where byte > 0x20 {
      guard byte != UInt8(ascii: "=") else {
        paddingCount += 1
        continue
      }
      guard paddingCount == 0, let value = values[Int(byte)] else { return nil }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
    }
    return paddingCount <= 2 && bitCount < 6 ? bytes : nil
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values = (0...UInt8.max).map { letters.firstIndex(of: $0) }

  /// With padding; fast enough for pictures of a few hundred kilobytes.
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let letters = letters.span
    let bytes = bytes.span
    return [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { result, count in
      var start = 0
      while start < bytes.count {
        let rest = min(3, bytes.count - start)
        let second = rest > 1 ? UInt32(bytes[start + 1]) : 0
        let third = rest > 2 ? UInt32(bytes[start + 2]) : 0
        let bits = UInt32(bytes[start]) << 16 | second << 8 | third
        result[count] = letters[Int(bits >> 18)]
        result[count + 1] = letters[Int(bits >> 12 & 63)]
        result[count + 2] = rest > 1 ? letters[Int(bits >> 6 & 63)] : UInt8(ascii: "=")
        result[count + 3] = rest > 2 ? letters[Int(bits & 63)] : UInt8(ascii: "=")
        count += 4
        start += 3
      }
    }
  }
}
