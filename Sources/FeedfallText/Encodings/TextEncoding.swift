import CFeedfallEncoding

/// How the bytes of a document stand for characters.
package enum TextEncoding: Equatable {
  case utf8
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  case windows1252
  /// By its name, as the system knows it.
  case named(String)

  /// Reads a name as in `charset=` or an XML declaration; nil for what is no name.
  package init?(name: String) {
    let name = name.utf8.map(\.lowercased)
    let isName = name.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.:".utf8.contains($0) }
    guard (1...40).contains(name.count), isName else { return nil }
    switch String(decoding: name, as: UTF8.self) {
    case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
    // Whoever says one of these has written windows-1252 (WHATWG Encoding, 4.2).
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1", "latin-1", "l1", "us-ascii", "ascii",
      "windows-1252", "cp1252", "x-cp1252", "ansi":
      self = .windows1252
    case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j": self = .named("CP932")
    case "gb2312", "gbk", "x-gbk", "gb_2312-80": self = .named("GB18030")
    case "ks_c_5601-1987", "euc-kr", "korean": self = .named("CP949")
    case "iso-8859-9", "latin5": self = .named("CP1254")
    case "iso-8859-11", "tis-620": self = .named("CP874")
    case "big5", "big5-hkscs", "x-x-big5": self = .named("BIG5-HKSCS")
    case "x-mac-roman", "macintosh", "mac": self = .named("MACINTOSH")
    case "iso-8859-8-i": self = .named("ISO-8859-8")
    // What these are shows in the bytes; where it doesn't, the name is wrong.
    case "utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32le", "utf-32be", "ucs-2", "ucs-4", "iso-10646-ucs-2",
      "iso-10646-ucs-4", "unicode", "utf-7", "x-user-defined":
      return nil
    case let other: self = .named(other)
    }
  }

  /// Whether text in it looks like ASCII whatever it says, so that being valid UTF-8 proves nothing.
  package var isSevenBit: Bool {
    guard case .named(let name) = self else { return false }
    return name.hasPrefix("iso-2022") || name.hasPrefix("hz")
  }

  /// What a byte order mark says, or the zeros round the first character, which is ASCII in all that is read here.
  package static func ofStart(_ bytes: [UInt8]) -> (encoding: TextEncoding, markLength: Int)? {
    switch bytes.prefix(4).map({ Int($0) }) {
    case [0xFF, 0xFE, 0, 0]: return (.utf32(isBigEndian: false), 4)
    case [0, 0, 0xFE, 0xFF]: return (.utf32(isBigEndian: true), 4)
    case let start where start.starts(with: [0xFF, 0xFE]): return (.utf16(isBigEndian: false), 2)
    case let start where start.starts(with: [0xFE, 0xFF]): return (.utf16(isBigEndian: true), 2)
    case let start where start.starts(with: [0xEF, 0xBB, 0xBF]): return (.utf8, 3)
    case let start where start.count == 4:
      switch start.map({ $0 == 0 }) {
      case [false, true, true, true]: return (.utf32(isBigEndian: false), 0)
      case [true, true, true, false]: return (.utf32(isBigEndian: true), 0)
      case [false, true, false, true]: return (.utf16(isBigEndian: false), 0)
      case [true, false, true, false]: return (.utf16(isBigEndian: true), 0)
      default: return nil
      }
    default: return nil
    }
  }

  /// The text in UTF-8; what means nothing becomes U+FFFD. Nil where the system doesn't know the encoding.
  package func utf8Bytes(of bytes: ArraySlice<UInt8>) -> [UInt8]? {
    switch self {
    case .utf8: UTF8Repair.repaired(bytes)
    case .windows1252: Windows1252.utf8Bytes(of: bytes)
    case .utf16(let isBigEndian):
      Array(String(decoding: Self.units(bytes, of: UInt16.self, isBigEndian), as: UTF16.self).utf8)
    case .utf32(let isBigEndian):
      Array(String(decoding: Self.units(bytes, of: UInt32.self, isBigEndian), as: UTF32.self).utf8)
    case .named(let name): Self.converted(bytes, from: name)
    }
  }

  private static func units<Unit: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, of type: Unit.Type, _ isBigEndian: Bool
  ) -> [Unit] {
    let width = Unit.bitWidth / 8
    return (0..<(bytes.count / width)).map { index in
      let start = bytes.startIndex + index * width
      let unit = bytes[start..<(start + width)].reduce(Unit(0)) { $0 << 8 | Unit($1) }
      return isBigEndian ? unit : unit.byteSwapped
    }
  }

  private static func converted(_ bytes: ArraySlice<UInt8>, from name: String) -> [UInt8]? {
    let capacity = bytes.count * 3 + 16
    var isKnown = false
    let result = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let written = bytes.withUnsafeBufferPointer {
        encoding_to_utf8(name, $0.baseAddress, $0.count, buffer.baseAddress, capacity)
      }
      isKnown = written >= 0
      count = max(0, written)
    }
    // Some converters pass on what UTF-8 may not hold.
    return isKnown ? UTF8Repair.repaired(result[...]) : nil
  }
}
