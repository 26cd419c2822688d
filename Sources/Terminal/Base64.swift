/// Bytes as letters (RFC 4648, with padding).
enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        let isPadding = index > group.count
        result.append(isPadding ? UInt8(ascii: "=") : letters[Int(bits >> UInt32(18 - 6 * index)) & 63])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
