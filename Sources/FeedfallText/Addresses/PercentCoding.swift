/// Percent-encoding (RFC 3986, 2.1).
package enum PercentCoding {
  package static func decode(_ bytes: some Sequence<UInt8>, plusIsBlank: Bool) -> String {
    String(decoding: decodedBytes(bytes, plusIsBlank: plusIsBlank), as: UTF8.self)
  }

  package static func decodedBytes(_ bytes: some Sequence<UInt8>, plusIsBlank: Bool) -> [UInt8] {
    let bytes = Array(bytes)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == .percent, index + 2 < bytes.count, let high = bytes[index + 1].hexDigitValue,
        let low = bytes[index + 2].hexDigitValue
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(plusIsBlank && bytes[index] == UInt8(ascii: "+") ? .space : bytes[index])
        index += 1
      }
    }
    return decoded
  }

  static func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.indices.allSatisfy { bytes[$0] != .percent || isEscape(at: $0, in: bytes) }
  }

  static func isEscape(at index: Int, in bytes: [UInt8]) -> Bool {
    bytes[safe: index + 1]?.hexDigitValue != nil && bytes[safe: index + 2]?.hexDigitValue != nil
  }

  /// Encodes all but letters, digits and `-._~@:/`, which are allowed in a query.
  package static func encode(_ text: String) -> String { encode(text.utf8, except: "-._~@:/") }

  /// Encodes all but letters, digits and these marks.
  package static func encode(_ bytes: some Sequence<UInt8>, except marks: String) -> String {
    let encoded = encode(bytes) { !($0.isASCIILetter || $0.isASCIIDigit || marks.utf8.contains($0)) }
    return String(decoding: encoded, as: UTF8.self)
  }

  static func encode(_ bytes: some Sequence<UInt8>, where isEncoded: (UInt8) -> Bool) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.underestimatedCount + 16)
    for byte in bytes {
      if isEncoded(byte) { append(byte, to: &encoded) } else { encoded.append(byte) }
    }
    return encoded
  }

  package static func encodeSegment(_ text: String) -> String {
    let encoded = encode(text.utf8, except: "-._~@:")
    // These two segments would refer to other paths (RFC 3986, 5.2.4).
    return encoded == "." ? "%2E" : encoded == ".." ? "%2E%2E" : encoded
  }

  static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value + 0x37 }
    bytes += [.percent, digit(byte >> 4), digit(byte & 0x0F)]
  }
}
