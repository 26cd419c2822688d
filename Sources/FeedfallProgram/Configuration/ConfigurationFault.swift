import FeedfallText

struct ConfigurationFault: Error, Equatable, Sendable {
  var place: TextPlace?
  /// A part of a sentence.
  var reason: String
  /// A sentence.
  var advice: String
  /// The keys of the faulty line, if they are known. There are several where a line break is missing.
  var keys: [String]
  var hidesRest = false
  /// The line of the header of the table with the faulty line; nil above the first one, or if it is not known.
  var tableLine: Int?
  var isInSource = false
  /// Whether the faulty lines may have been a source, which is missing.
  var hidesSource: Bool

  init(at place: TextPlace?, _ reason: String, advice: String, keys: [String] = [], hidesSource: Bool = false) {
    (self.place, self.reason, self.advice) = (place, cleanedLine(reason), cleanedLine(advice))
    (self.keys, self.hidesSource) = (keys, hidesSource)
  }

  fileprivate var text: String { "\(placeText): \(reason)" + (advice.isEmpty ? "" : ". \(advice)") }

  private var placeText: String { place.map { ":\($0.line):\($0.column)" } ?? "" }

  /// The failure of a source that this fault prevents from being loaded.
  func failure(in file: String) -> FeedFailure {
    let question = "Did you mean "
    let remedy = advice.hasPrefix(question) ? "write " + advice.dropFirst(question.count) : advice
    return FeedFailure(
      .permanent, "\(file)\(placeText): \(reason)",
      advice: remedy.isEmpty ? nil : remedy.prefix(1).lowercased() + remedy.dropFirst().withoutLastMark)
  }

  var mayHideSource: Bool { hidesSource || hidesRest }

  /// Whether a setting may be faulty or missing: its key is in the line, maybe misspelled, or in the rest of the file.
  func concerns(_ settings: [String]) -> Bool {
    hidesRest || keys.contains { !$0.isEmpty && (settings.contains($0) || similarName(to: $0, among: settings) != nil) }
  }

  static func unknown(_ key: String, at place: TextPlace, known: [String]) -> ConfigurationFault {
    let advice =
      similarName(to: key, among: known).map { "Did you mean \"\($0)\"?" }
      ?? "Write one of \(known.joined(separator: ", "))."
    return ConfigurationFault(at: place, "\"\(key)\" is not known", advice: advice)
  }

  static func unknown(
    _ entry: TomlValue.Entry, known: [String], below table: String, _ isOption: (String) -> Bool
  ) -> ConfigurationFault {
    guard isOption(entry.key) else { return unknown(entry.key, at: entry.keyPlace, known: known) }
    let reason = "\"\(entry.key)\" is an option, which must be above \(table)"
    return ConfigurationFault(at: entry.keyPlace, reason, advice: "Move the line up.", keys: [entry.key])
  }

  /// Nil for a value that is neither a table nor a list with the name of one.
  static func misspelledTable(_ entry: TomlValue.Entry) -> ConfigurationFault? {
    let name = similarName(to: entry.key.lowercased(), among: Configuration.Table.allCases.map(\.rawValue))
    let advice: String
    switch (entry.item.value, name.flatMap { Configuration.Table(rawValue: $0)?.header }) {
    case (.table, let table?), (.array, let table?): advice = "Did you mean \(table)?"
    case (.table, nil): advice = "Write \(Configuration.Table.headers) or an option such as layout = \"grid\"."
    case (.array, nil), (.string, _), (.integer, _), (.number, _), (.boolean, _), (.moment, _): return nil
    }
    let reason = "\"\(entry.key)\" is not known"
    return ConfigurationFault(at: entry.keyPlace, reason, advice: advice, hidesSource: mayBeSource(entry.key))
  }

  static func mayBeSource(_ name: String) -> Bool { similarName(to: name.lowercased(), among: ["source"]) != nil }

  /// Any except one that resembles "view": one called "channel" or "feed" probably has sources.
  static func mayBeSources(_ name: String) -> Bool { similarName(to: name.lowercased(), among: ["view"]) == nil }

  static let firstList = "the first [[…]]"

  static func secondFilter(_ entry: TomlValue.Entry) -> ConfigurationFault {
    ConfigurationFault(at: entry.keyPlace, "the filter is already defined", advice: "Remove one of them.")
  }

  static let notUTF8 = ConfigurationFault(at: nil, "it is not text in UTF-8", advice: "Save it as UTF-8 in an editor.")

  static func tooManyFaults(after place: TextPlace) -> ConfigurationFault {
    ConfigurationFault(
      at: TextPlace(line: place.line + 1, column: 1), "there are too many faults to read the rest",
      advice: "Correct the ones above first.")
  }

  func hidingRest(belowTable line: Int? = nil) -> ConfigurationFault {
    var fault = self
    (fault.hidesRest, fault.tableLine) = (true, line)
    return fault
  }

  static func singleTable(named name: String, at place: TextPlace) -> ConfigurationFault {
    ConfigurationFault(
      at: place, "\"\(name)\" is not a list of tables", advice: "Write [[\(name)]] with double brackets.",
      hidesSource: name == "source")
  }

  static func wrong(_ key: String, _ item: TomlValue.Item, needed: String) -> ConfigurationFault {
    wrong(key, item, value: item.value.kindName, needed: needed)
  }

  static func wrong(_ key: String, _ item: TomlValue.Item, value: String, needed: String) -> ConfigurationFault {
    ConfigurationFault(at: item.place, "\"\(key)\" cannot be \(value)", advice: "Write \(needed).")
  }

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

struct ConfigurationError: Error, Equatable, Sendable {
  /// At least one fault, in the order of the document.
  let faults: [ConfigurationFault]

  private static let maximumMessageCount = 10

  init(_ faults: [ConfigurationFault]) {
    self.faults = faults.sorted { ($0.place ?? .start) < ($1.place ?? .start) }
  }

  init(_ fault: ConfigurationFault) { faults = [fault] }

  init?(ifAny faults: [ConfigurationFault]) {
    if faults.isEmpty { return nil }
    self.init(faults)
  }

  /// At most 11: `Could not read ~/.config/feedfall/config.toml:7:3: "naem" is not known. Did you mean "name"?`.
  func messages(_ failure: String, _ path: String) -> [String] {
    let lines = faults.prefix(Self.maximumMessageCount).map { "\(failure) \(path)\($0.text)" }
    let rest = faults.count - lines.count
    return rest == 0 ? lines : lines + ["\(path) has \(rest) more faults. Correct the ones above first."]
  }

  var hidesSources: Bool { faults.contains(where: \.mayHideSource) }

  func notice(_ path: String) -> String {
    let fault = faults.first(where: \.mayHideSource) ?? faults[0]
    let first = ConfigurationError(fault).messages("Could not read", path)[0]
    return faults.count == 1 ? first : "\(first) \(faults.count - 1) more: feedfall doctor lists all."
  }

  /// Whether a faulty line, or one that was not read, may set an option, maybe misspelled.
  func concerns(option: String, isOption: (String) -> Bool) -> Bool {
    faults.contains { fault in
      // Options stand above all tables.
      if fault.hidesRest { return fault.tableLine == nil }
      if fault.isInSource, Configuration.Source.keys.contains(option) { return false }
      return fault.keys.contains { $0 == option || !isOption($0) && similarName(to: $0, among: [option]) != nil }
    }
  }

  /// One line per fault, without the file.
  var lines: [String] { faults.map { String($0.text.drop { ": ".contains($0) }) } }
}

extension Substring {
  fileprivate var withoutLastMark: Substring { hasSuffix(".") || hasSuffix("?") ? dropLast() : self }
}

/// The mistake at the place where toml++ found a fault, and what to do.
struct TomlMistake: Equatable {
  let reason: String
  let advice: String

  private init(_ reason: String, _ advice: String) { (self.reason, self.advice) = (reason, advice) }

  static let encoding = Self("it is not text in UTF-8", "Save the file as UTF-8 in an editor.")
  static let controlCharacter = Self("the line contains a control character", "Remove the character.")
  static let header = Self("the header is not valid", "Write \(Configuration.Table.headers) on a line of its own.")
  static let keyMissing = Self("the key before \"=\" is missing", "Write a line such as mouse = false.")
  static let key = Self("the key is not valid", "Write letters without accents, digits, - and _ before \"=\".")
  static let equalsSign = Self("\"=\" is missing after the key", "Write a line such as mouse = false.")
  static let valueMissing = Self("the value is missing", "Write a text in quotation marks, a number, true or false.")
  static let value = Self("the value is not valid", "Write a text in quotation marks, a number, true or false.")
  static let curlyQuotes = Self("the text is in curly quotation marks", "Write straight ones: \"…\".")
  static let openText = Self(
    "a text contains a line break or a control character", "Close its quotation marks on the same line.")
  static let escape = Self(
    "\"\\\" does not begin an escape sequence here", "Write \\\\, or use single quotation marks.")
  static let notClosed = Self("the value that begins here is not closed", "Close its quotation marks or brackets.")
  static let list = Self("the list is not valid", "Write a list such as [\"a\", \"b\"].")
  static let inlineTable = Self("the table in braces is not valid", "Write each key once, such as {a = 1, b = 2}.")
  static let rest = Self("more text follows the value", "Write it on a line of its own.")
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
