extension UInt8 {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let slash = UInt8(ascii: "/")
  static let percent = UInt8(ascii: "%")
  static let space = UInt8(ascii: " ")

  var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
  var isASCIIUpper: Bool { self >= 0x41 && self <= 0x5A }
  var isASCIILetter: Bool { lowercased >= 0x61 && lowercased <= 0x7A }
  var lowercased: UInt8 { isASCIIUpper ? self | 0x20 : self }

  /// The four characters that JSON allows between its marks (RFC 8259, 2).
  var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  var hexDigitValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
