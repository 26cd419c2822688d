/// The encoding of old web pages, in which every byte is a character (WHATWG Encoding, 9).
package enum Windows1252 {
  /// The characters of 0x80 to 0x9F.
  static let upper = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  package static func utf8Bytes(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes { append(byte, to: &result) }
    return result
  }

  static func append(_ byte: UInt8, to result: inout [UInt8]) {
    if byte < 0x80 {
      result.append(byte)
    } else {
      let scalar = byte < 0xA0 ? upper[Int(byte - 0x80)] : Unicode.Scalar(byte)
      result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}
