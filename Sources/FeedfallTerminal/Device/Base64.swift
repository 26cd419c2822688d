/// Base64 of RFC 4648, with padding.
enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Complexity: O(number of bytes), fast enough for pictures of a few hundred kilobytes.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
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
