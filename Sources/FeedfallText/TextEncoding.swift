import CFeedfallEncoding

package enum TextEncoding: Equatable, Sendable {
  case utf8
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  case windows1252
  /// An encoding of the C library, by name.
  case named(String)

  /// Parses a name from `charset=` or an XML declaration; nil for an invalid one, and for a Unicode
  /// encoding other than UTF-8, which is detected by its bytes.
  package init?(name: String) {
    let name = name.utf8.map(\.lowercased)
    let isName = name.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.:".utf8.contains($0) }
    guard (1...40).contains(name.count), isName else { return nil }
    let label = String(decoding: name, as: UTF8.self)
    if Self.otherUnicode.contains(label) { return nil }
    switch Self.name(ofLabel: label) {
    case "UTF-8": self = .utf8
    case "windows-1252": self = .windows1252
    case let name: self = .named(name)
    }
  }

  /// Encodings that are detected from the bytes. If they are not, the label is wrong.
  private static let otherUnicode: Set<String> = [
    "utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32le", "utf-32be", "ucs-2", "ucs-4", "iso-10646-ucs-2",
    "iso-10646-ucs-4", "csunicode", "unicode", "unicodefeff", "unicodefffe", "utf-7", "x-user-defined",
  ]

  /// Whether all text in it looks like ASCII, so that being valid UTF-8 proves nothing.
  package var isSevenBit: Bool {
    guard case .named(let name) = self else { return false }
    return name.contains("2022") || name.hasPrefix("hz")
  }

  /// Detects a Unicode encoding by the byte order mark, or by the zeros around the first character, which is ASCII in
  /// all supported formats.
  package static func detected(in bytes: [UInt8]) -> (encoding: TextEncoding, markLength: Int)? {
    if let row = marks.first(where: { bytes.starts(with: $0.mark) }) { return (row.encoding, row.mark.count) }
    switch bytes.prefix(4).map({ $0 == 0 }) {
    case [false, true, true, true]: return (.utf32(isBigEndian: false), 0)
    case [true, true, true, false]: return (.utf32(isBigEndian: true), 0)
    case [false, true, false, true]: return (.utf16(isBigEndian: false), 0)
    case [true, false, true, false]: return (.utf16(isBigEndian: true), 0)
    default: return nil
    }
  }

  private static let marks: [(mark: [UInt8], encoding: TextEncoding)] = [
    ([0xFF, 0xFE, 0, 0], .utf32(isBigEndian: false)), ([0, 0, 0xFE, 0xFF], .utf32(isBigEndian: true)),
    ([0xFF, 0xFE], .utf16(isBigEndian: false)), ([0xFE, 0xFF], .utf16(isBigEndian: true)), ([0xEF, 0xBB, 0xBF], .utf8),
  ]

  /// Converts text to UTF-8, invalid parts to U+FFFD; nil if the C library does not know the encoding.
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
    // Some converters emit code points that are invalid in UTF-8.
    return isKnown ? UTF8Repair.repaired(result[...]) : nil
  }

  /// Finds and repairs invalid UTF-8 (Unicode 16, table 3-7).
  package enum UTF8Repair {
    /// Counts the well-formed characters beyond ASCII, and the bytes that belong to no character.
    package static func census(_ bytes: ArraySlice<UInt8>) -> (characters: Int, strays: Int) {
      var (characters, strays) = (0, 0)
      var index = bytes.startIndex
      while index < bytes.endIndex {
        index = endOfASCII(bytes, from: index)
        guard index < bytes.endIndex else { break }
        let length = sequenceLength(bytes, at: index)
        if length > 1 { characters += 1 } else if length == 0 { strays += 1 }
        index += max(1, length)
      }
      return (characters, strays)
    }

    /// The index of the next byte that is not ASCII; eight bytes are compared at a time.
    @inline(__always)
    private static func endOfASCII(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
      bytes.withUnsafeBytes { raw in
        var index = start - bytes.startIndex
        while index + 8 <= raw.count,
          raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { index += 8 }
        while index < raw.count, raw[index] < 0x80 { index += 1 }
        return bytes.startIndex + index
      }
    }

    /// Returns the text with each stray byte read as windows-1252, because most such texts are a mixture of both.
    package static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var index = bytes.startIndex
      var copied = index
      while index < bytes.endIndex {
        let length = sequenceLength(bytes, at: index)
        if length == 0 {
          result += bytes[copied..<index]
          Windows1252.append(bytes[index], to: &result)
          copied = index + 1
        }
        index += max(1, length)
      }
      return result + bytes[copied...]
    }

    /// The length of the character at this index; 0 if it is invalid.
    @inline(__always)
    static func sequenceLength(_ bytes: ArraySlice<UInt8>, at index: Int) -> Int {
      let first = bytes[index]
      if first < 0x80 { return 1 }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: length = 2
      case 0xE0...0xEF:
        length = 3
        if first == 0xE0 { second = 0xA0...0xBF } else if first == 0xED { second = 0x80...0x9F }
      case 0xF0...0xF4:
        length = 4
        if first == 0xF0 { second = 0x90...0xBF } else if first == 0xF4 { second = 0x80...0x8F }
      default: return 0
      }
      guard index + length <= bytes.endIndex, second.contains(bytes[index + 1]) else { return 0 }
      for place in (index + 2)..<(index + max(2, length)) where bytes[place] & 0xC0 != 0x80 { return 0 }
      return length
    }
  }

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
}

/// The labels of encodings on the web (WHATWG Encoding, 4.2) that are no names of the same encoding in glibc.
extension TextEncoding {
  static func name(ofLabel label: String) -> String {
    if let row = labelRows.first(where: { $0.labels.split(separator: " ").contains { $0 == label } }) {
      return row.encoding
    }
    // `cp-1251`, `win-1251`, `windows_1251`, `x-cp1251`
    let bare = label.dropFirst(label.hasPrefix("x-cp12") ? 2 : 0).filter { $0 != "-" && $0 != "_" }
    let page = pagePrefixes.firstNonNil { bare.hasPrefix($0) ? bare.dropFirst($0.count) : nil }
    return page.flatMap { pages.contains($0) ? "CP\($0)" : nil } ?? label
  }

  private static let pagePrefixes = ["windows", "win", "cp"]
  private static let pages: Set<Substring> = [
    "866", "874", "932", "949", "1250", "1251", "1253", "1254", "1255", "1256", "1257", "1258",
  ]

  static let labelRows: [(encoding: String, labels: String)] = [
    ("UTF-8", "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"),
    ("ISO-8859-6", "csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i"),
    ("ISO-8859-7", "sun_eu_greek"),
    ("ISO-8859-8", "csiso88598e csiso88598i iso-8859-8-e iso-8859-8-i logical visual"),
    ("ISO-8859-15", "csisolatin9 l9"),
    ("KOI8-R", "koi koi8 koi8_r"),
    ("KOI8-U", "koi8-ru"),
    ("MACINTOSH", "x-mac-roman"),
    ("CP874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"),
    ("windows-1252", "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591"),
    ("windows-1252", "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 ansi latin-1"),
    ("CP1254", "csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5"),
    ("MAC-UK", "x-mac-cyrillic x-mac-ukrainian"),
    ("GB18030", "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"),
    ("BIG5-HKSCS", "big5 cn-big5 csbig5 x-x-big5"),
    ("EUC-JP", "x-euc-jp"),
    ("CP932", "csshiftjis ms_kanji shift-jis shift_jis sjis x-sjis"),
    ("CP949", "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601"),
  ]
}
