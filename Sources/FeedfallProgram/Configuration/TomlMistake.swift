import FeedfallText

/// The mistake at the place where toml++ found a fault, and what to do.
struct TomlMistake: Equatable {
  let reason: String
  let advice: String

  static let encoding = Self(reason: "it is not text in UTF-8", advice: "Save the file as UTF-8 in an editor.")
  static let controlCharacter = Self(reason: "the line contains a control character", advice: "Remove the character.")
  static let header = Self(
    reason: "the header is not valid", advice: "Write \(Configuration.Table.headers) on a line of its own.")
  static let keyMissing = Self(reason: "the key before \"=\" is missing", advice: "Write a line such as mouse = false.")
  static let key = Self(
    reason: "the key is not valid", advice: "Write letters without accents, digits, - and _ before \"=\".")
  static let equalsSign = Self(reason: "\"=\" is missing after the key", advice: "Write a line such as mouse = false.")
  static let valueMissing = Self(
    reason: "the value is missing", advice: "Write a text in quotation marks, a number, true or false.")
  static let value = Self(
    reason: "the value is not valid", advice: "Write a text in quotation marks, a number, true or false.")
  static let curlyQuotes = Self(reason: "the text is in curly quotation marks", advice: "Write straight ones: \"…\".")
  static let openText = Self(
    reason: "a text contains a line break or a control character", advice: "Close its quotation marks on the same line."
  )
  static let escape = Self(
    reason: "\"\\\" does not begin an escape sequence here", advice: "Write \\\\, or use single quotation marks.")
  static let notClosed = Self(
    reason: "the value that begins here is not closed", advice: "Close its quotation marks or brackets.")
  static let list = Self(reason: "the list is not valid", advice: "Write a list such as [\"a\", \"b\"].")
  static let inlineTable = Self(
    reason: "the table in braces is not valid", advice: "Write each key once, such as {a = 1, b = 2}.")
  static let rest = Self(reason: "more text follows the value", advice: "Write it on a line of its own.")
}

extension TomlMistake {
  /// - Complexity: O(number of bytes).
  init(in statement: [UInt8], at place: TextPlace) {
    guard String(validating: statement, as: UTF8.self) != nil else {
      self = .encoding
      return
    }
    var scan = Scan(statement, target: Self.offset(of: place, in: statement))
    self = scan.mistake
  }

  /// The index of the byte at a place, or of the end of its line.
  private static func offset(of place: TextPlace, in bytes: [UInt8]) -> Int {
    var (line, column, offset) = (1, 1, 0)
    while offset < bytes.count {
      let isStart = bytes[offset] & 0xC0 != 0x80
      if line == place.line, isStart, column >= place.column || bytes[offset] == 0x0A { return offset }
      if bytes[offset] == 0x0A { (line, column) = (line + 1, 1) } else if isStart { column += 1 }
      offset += 1
    }
    return offset
  }

  /// Each step consumes a text, a word, a mark or blanks.
  private struct Scan {
    private enum Expected { case key, equalsSign, value, end }

    private let bytes: [UInt8]
    private let target: Int
    private var index = 0
    private var expected = Expected.key
    private var open: [UInt8] = []

    init(_ bytes: [UInt8], target: Int) { (self.bytes, self.target) = (bytes, target) }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    var mistake: TomlMistake {
      mutating get {
        let isControl =
          target < bytes.count && (bytes[target] < 0x20 || bytes[target] == 0x7F) && !isBlank(bytes[target])
        skipBlanks()
        if byte == UInt8(ascii: "["), !isControl { return .header }
        while index < target {
          if let mistake = step() { return mistake }
        }
        return isControl ? .controlCharacter : mistakeAtIndex
      }
    }

    /// The mistake if a part begins at the faulty byte, or the statement ends before it.
    private var mistakeAtIndex: TomlMistake {
      if open.last == UInt8(ascii: "{") { return .inlineTable }
      let isWord = byte.map { isWordByte($0) } ?? false
      if open.last == UInt8(ascii: "[") {
        if bytes[index...].isBlank { return .notClosed }
        return expected == .value && isWord ? word(at: index) : .list
      }
      return switch expected {
      case .key: byte == UInt8(ascii: "=") ? .keyMissing : .key
      case .equalsSign: isWord && rest.contains(UInt8(ascii: "=")) ? .key : .equalsSign
      case .value: isWord ? word(at: index) : .valueMissing
      // A number or a date is only known to be faulty at its end.
      case .end: rest.isBlank ? .value : .rest
      }
    }

    private var rest: ArraySlice<UInt8> { bytes[index...].prefix { $0 != 0x0A } }

    /// Consumes a part. Returns the mistake if the faulty byte is in it.
    private mutating func step() -> TomlMistake? {
      switch bytes[index] {
      case UInt8(ascii: "#"): return skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): return skipText(bytes[index])
      case UInt8(ascii: "="): expected = .value
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        open.append(bytes[index])
        expected = bytes[index] == UInt8(ascii: "{") ? .key : .value
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        _ = open.popLast()
        expected = .end
      case UInt8(ascii: ","): expected = open.last == UInt8(ascii: "{") ? .key : .value
      case let byte where isWordByte(byte): return skipWord()
      default: break
      }
      index += 1
      return nil
    }

    private mutating func skipBlanks() { while let byte, isBlank(byte) { index += 1 } }

    private func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private func isWordByte(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0x7F && !"=,[]{}#\"'".utf8.contains(byte) }

    private mutating func skipComment() -> TomlMistake? {
      index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
      return index > target ? .controlCharacter : nil
    }

    private mutating func skipWord() -> TomlMistake? {
      let start = index
      while let byte, isWordByte(byte) { index += 1 }
      defer { finishPart() }
      guard index > target else { return nil }
      if open.last == UInt8(ascii: "{") { return .inlineTable }
      return switch expected {
      case .key: bytes[target] == UInt8(ascii: ":") ? .equalsSign : .key
      case .equalsSign: .equalsSign
      case .value: word(at: start)
      case .end: .rest
      }
    }

    private mutating func finishPart() { expected = expected == .key ? .equalsSign : .end }

    private func word(at start: Int) -> TomlMistake {
      let word = String(decoding: bytes[start...].prefix(4), as: UTF8.self)
      return word.first.map { "“”„‟‘’‚‛«»".contains($0) } == true ? .curlyQuotes : .value
    }

    private mutating func skipText(_ quote: UInt8) -> TomlMistake? {
      let delimiter = [UInt8](repeating: quote, count: bytes[index...].starts(with: [quote, quote, quote]) ? 3 : 1)
      var end = index + delimiter.count
      while end < bytes.count, !bytes[end...].starts(with: delimiter) {
        if bytes[end] == 0x0A, delimiter.count == 1 { return .openText }
        end += bytes[end] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
      }
      guard end < bytes.count else { return delimiter.count == 1 ? .openText : .notClosed }
      index = end + delimiter.count
      // Up to two quotation marks before the end of a text of several lines belong to it.
      if delimiter.count == 3 { for _ in 0..<2 where byte == quote { index += 1 } }
      finishPart()
      guard index > target else { return nil }
      return quote == UInt8(ascii: "\"") && bytes[target] >= 0x20 && bytes[target] != 0x7F ? .escape : .openText
    }
  }
}

extension ConfigurationFault {
  init(_ fault: TomlValue.Fault) {
    switch fault {
    case .limit(let fault): self = fault
    case .syntax(let place):
      self.init(at: place, "this is not valid TOML", advice: "Correct the line or remove it.")
    }
  }

  /// - Parameter isThemeOption: whether the key is the header of a theme, and the earlier line an option.
  static func alreadyDefined(_ key: String, isThemeOption: Bool, at place: TextPlace) -> ConfigurationFault {
    guard !isThemeOption else {
      return ConfigurationFault(
        at: place, "\"theme\" is both an option and a table",
        advice: "Remove theme = \"…\" and write inherit = \"…\" below [theme].")
    }
    return ConfigurationFault(at: place, "\"\(key)\" is already defined", advice: "Remove one of them.")
  }
}
