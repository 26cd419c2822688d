import FeedfallText

/// Parses a filter by recursive descent: `|` joins alternatives, blanks join conditions, `-` negates one.
struct FilterParser {
  private let characters: [Character]
  /// The characters, with full-width forms and dashes replaced by ASCII.
  private let signs: [Character]
  private var position = 0
  private var depth = 0
  private var termCount = 0
  /// The number of negations and parentheses around the current term.
  private var nesting = 0
  private(set) var order: VideoOrder?
  private var orderPlace: Range<Int>?
  private(set) var foreignOperator: FilterQuery.ForeignOperator?

  private static let maximumDepth = 50
  private static let maximumTermCount = 1_000
  /// Lists cannot be marked as watched.
  private static let unwatched = Filter.Condition.all([.not(.test(.state(.watched))), .not(.test(.state(.list)))])
  /// The words of conditions, with what they mean. A word may contain a colon, like a field with a value.
  static let words: [(word: String, meaning: String, condition: Filter.Condition)] =
    VideoStates.all.flatMap { state, row in
      row.word.map { [($0, row.meaning, .test(.state(state)))] } ?? []
    } + [
      ("unwatched", "not watched", unwatched),
      ("type:video", "films", .not(.test(.state(.list)))),
    ]

  struct Field: Sendable {
    let name: String
    let example: String
    let meaning: String
    /// Parses the value of the field, which begins at a place; nil for an order.
    fileprivate let parse: @Sendable (inout FilterParser, Field, _ start: Int) throws(FilterError) -> Filter.Condition?

    var text: String { "\(name):\(example)" }
  }

  static let fields: [Field] = [
    textField(.title, "spring"), textField(.channel, "blender"), textField(.author, "anna"),
    textField(.description, "talk"),
    Field(name: "source", example: "talks", meaning: meaning(ofSource: "name")) {
      parser, field, _ throws(FilterError) in
      let (isWhole, start) = (parser.consume("="), parser.position)
      let name = try parser.needle(try parser.value(of: field), at: start)
      return .test(isWhole ? .sourceNamed(name) : .source(name))
    },
    Field(name: "tag", example: "news", meaning: meaning(ofSource: "tags")) {
      parser, field, _ throws(FilterError) in
      let (isWhole, start) = (parser.consume("="), parser.position)
      return .test(.tag(try parser.needle(try parser.value(of: field), at: start), isWhole: isWhole))
    },
    Field(name: "lang", example: "de", meaning: "with audio in this language") { parser, field, _ throws(FilterError) in
      let start = parser.position
      let code = try parser.value(of: field)
      guard let language = Filter.Language(code) else {
        throw parser.fault(at: start, "“\(code)” is not a language", "Write a code such as “\(field.text)”.")
      }
      return .test(.language(language))
    },
    Field(name: "length", example: "20m..90m", meaning: "with a length in this range") {
      parser, field, _ throws(FilterError) in .test(.length(try parser.lengthRange(such: field.text)))
    },
    Field(name: "since", example: "2w", meaning: "since a date or an age in h, d, w, m or y") {
      parser, field, _ throws(FilterError) in .test(.since(try parser.date(such: field.text)))
    },
    Field(name: "before", example: "2024-05", meaning: "before a date or an age") {
      parser, field, _ throws(FilterError) in .test(.before(try parser.date(such: field.text)))
    },
    Field(name: "sort", example: "longest", meaning: "in this order; sort: lists all orders") {
      parser, field, start throws(FilterError) in
      try parser.sort(field, at: start)
      return nil
    },
  ]

  private static func meaning(ofSource field: String) -> String { "of sources with this text in their \(field)" }

  private static func textField(_ text: VideoFacts.TextField, _ example: String) -> Field {
    Field(name: text.rawValue, example: example, meaning: "with this text in the \(text.rawValue)") {
      parser, field, _ throws(FilterError) in .test(try parser.text(in: text, field))
    }
  }

  /// Returns the keywords and orders that begin with a term; for a field without a value an example.
  static func completions(of term: String) -> [String] {
    if term.hasPrefix("sort:") {
      return VideoOrder.allCases.map { "sort:\($0.rawValue)" }.filter { begins($0, with: term) }
    }
    if let field = fields.first(where: { "\($0.name):" == term }) { return [field.text] }
    return (fields.map { "\($0.name):" } + words.map(\.word)).filter { begins($0, with: term) }.sorted()
  }

  private static func begins(_ word: String, with start: String) -> Bool { word != start && word.hasPrefix(start) }

  func text(orderedBy order: VideoOrder) -> String? {
    orderPlace.map { String(characters[..<$0.lowerBound]) + order.rawValue + String(characters[$0.upperBound...]) }
  }

  var textWithoutOrder: String {
    guard let orderPlace else { return trimmedText }
    let start = signs[..<orderPlace.lowerBound].lastIndex { $0.isWhitespace || $0 == "(" || $0 == "|" }
    let rest = String(characters[..<(start.map { $0 + 1 } ?? 0)]) + String(characters[orderPlace.upperBound...])
    let isSeparator = { (character: Character) in character.isWhitespace || Self.bars.contains(character) }
    return String(rest.drop(while: isSeparator).reversed().drop(while: isSeparator).reversed())
  }

  init(_ text: String) {
    characters = Array(text)
    signs = characters.indices.map { [characters] in Self.sign(at: $0, of: characters) }
  }

  var trimmedText: String {
    let start = characters.firstIndex { !$0.isWhitespace } ?? characters.endIndex
    let end = characters.lastIndex { !$0.isWhitespace }.map { $0 + 1 } ?? start
    return String(characters[start..<end])
  }

  mutating func parsed() throws(FilterError) -> [Filter.Condition] {
    skipBlanks()
    guard current != nil else { return [] }
    let alternatives = try alternatives()
    guard current == nil else {
      throw fault("there is no “(” for this “)”", "Remove it, or write it in quotation marks.")
    }
    // An alternative that only sorts would include everything.
    let conditions = alternatives.filter { !$0.isEmpty }
    return conditions.count > 1 ? [.any(conditions.map(Self.joined))] : conditions.first ?? []
  }

  private static func joined(_ conditions: [Filter.Condition]) -> Filter.Condition {
    conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  // MARK: - Characters

  private var current: Character? { position < signs.count ? signs[position] : nil }

  private var next: Character? { position + 1 < signs.count ? signs[position + 1] : nil }

  private func fault(_ reason: String, _ advice: String) -> FilterError { fault(at: position, reason, advice) }

  private func fault(at offset: Int, _ reason: String, _ advice: String) -> FilterError {
    FilterError(at: offset + 1, reason, advice: advice)
  }

  private mutating func skipBlanks() { while current?.isWhitespace == true { position += 1 } }

  private mutating func consume(_ character: Character) -> Bool {
    guard current == character else { return false }
    position += 1
    return true
  }

  // MARK: - Structure

  private mutating func alternatives() throws(FilterError) -> [[Filter.Condition]] {
    var alternatives = [try conjunction()]
    while consume("|") { alternatives.append(try conjunction()) }
    return alternatives
  }

  private mutating func conjunction() throws(FilterError) -> [Filter.Condition] {
    var conditions: [Filter.Condition] = []
    var isEmpty = true
    skipBlanks()
    while let character = current, character != "|", character != ")" {
      isEmpty = false
      if let condition = try item() { conditions.append(condition) }
      skipBlanks()
    }
    guard !isEmpty else { throw fault("expected a condition", "Write a word, such as “blender”.") }
    return conditions
  }

  /// Returns nil for `sort:`.
  private mutating func item() throws(FilterError) -> Filter.Condition? {
    var isNegated = false
    let start = position
    while consume("-") { isNegated.toggle() }
    if position > start { nesting += 1 }
    defer { if signs[start] == "-" { nesting -= 1 } }
    guard let character = current, !character.isWhitespace, character != "|", character != ")" else {
      throw fault("expected a condition after “-”", "Write “-word”, or “\"-\"” for the sign.")
    }
    let condition = character == "(" ? try group() : try term()
    return isNegated ? condition.map { .not($0) } : condition
  }

  private mutating func group() throws(FilterError) -> Filter.Condition {
    let start = position
    position += 1
    depth += 1
    nesting += 1
    guard depth <= Self.maximumDepth else {
      throw fault(at: start, "more than \(Self.maximumDepth) nested parentheses", "Remove some.")
    }
    let alternatives = try alternatives()
    depth -= 1
    nesting -= 1
    guard consume(")") else { throw fault(at: start, "this “(” is not closed", "Write “)” at its end.") }
    return alternatives.count == 1 ? Self.joined(alternatives[0]) : .any(alternatives.map(Self.joined))
  }

  // MARK: - Terms

  private mutating func term() throws(FilterError) -> Filter.Condition? {
    termCount += 1
    guard termCount <= Self.maximumTermCount else {
      throw fault("more than \(Self.maximumTermCount) conditions", "Remove some.")
    }
    switch current {
    case let quote? where Self.isQuote(quote) || isAtEscapedQuote:
      let start = position
      return .test(.text(.any, try needle(try phrase(), at: start)))
    case "/": return .test(.pattern(.any, try pattern()))
    case ">", "<", "≥", "≤": return .test(.length(try comparedLength()))
    default: break
    }
    let start = position
    let word = bareWord { _ in false }
    if let known = Self.words.first(where: { $0.word == word }) { return known.condition }
    let end = position
    position = start
    let name = bareWord { $0 == ":" || Self.isQuote($0) }
    if current == ":", !name.isEmpty { return try field(name, at: start) }
    position = end
    return try wordCondition(word, at: start)
  }

  private mutating func wordCondition(_ word: String, at start: Int) throws(FilterError) -> Filter.Condition {
    foreignOperator =
      foreignOperator
      ?? FilterQuery.ForeignOperator(word) { name in
        Self.fields.contains { $0.name == name }
      }
    return .test(.text(.any, try needle(word, at: start)))
  }

  /// Returns the folded text to search for. It is not empty, because every text contains the empty one.
  private func needle(_ text: String, at start: Int) throws(FilterError) -> [UInt8] {
    let bytes = folded(text)
    guard bytes.contains(where: { $0 != UInt8(ascii: " ") }) else {
      throw fault(at: start, "expected text", "Write a word, such as “blender”.")
    }
    return bytes
  }

  private mutating func bareWord(until isEnd: (Character) -> Bool) -> String {
    let start = position
    while let character = current, !character.isWhitespace, !"|()".contains(character), !isEnd(character) {
      position += 1
    }
    return String(signs[start..<position])
  }

  private var isAtEscapedQuote: Bool { current == "\\" && next.map(Self.isQuote) ?? false }

  /// Reads a text between quotation marks, in which `\"` is a quotation mark and `\\` a backslash. A text that begins with
  /// `\"` also ends with it, and its other backslashes stay.
  private mutating func phrase() throws(FilterError) -> String {
    let start = position
    let isEscaped = isAtEscapedQuote
    position += isEscaped ? 2 : 1
    let isTypographic = signs[position - 1] != "\""
    var text: [Character] = []
    while let character = current {
      let endsEscaped = isAtEscapedQuote
      if endsEscaped || !isEscaped && character == "\\" && next == "\\" { position += 1 }
      position += 1
      let ends = endsEscaped ? isEscaped : character == "\"" || isTypographic && Self.isQuote(character)
      if ends { return String(text) }
      text.append(characters[position - 1])
    }
    throw fault(at: start, "the quotation mark is not closed", "Write “\"” at the end.")
  }

  private mutating func pattern() throws(FilterError) -> Pattern {
    let start = position
    position += 1
    while let character = current, character != "/" { position += character == "\\" ? 2 : 1 }
    position = min(position, characters.count)
    let source = String(characters[start + 1..<position])
    guard consume("/") else { throw fault(at: start, "the regular expression is not closed", "Write “/” at its end.") }
    guard !source.isEmpty else { throw fault(at: start, "expected a regular expression", "Write “/^part/”.") }
    let flags = bareWord { _ in false }
    guard flags.isEmpty || flags == "i" else {
      throw fault(at: position - flags.count, "“\(flags)” is not an option", "Write “/i” to ignore case, or nothing.")
    }
    do { return try Pattern(source, ignoresCase: flags == "i") } catch {
      throw fault(at: start + 1 + error.offset, error.reason, "Correct the regular expression.")
    }
  }

  // MARK: - Fields

  private mutating func field(_ name: String, at start: Int) throws(FilterError) -> Filter.Condition? {
    guard let field = Self.fields.first(where: { $0.name == name }) else {
      let known = Self.fields.map(\.name)
      throw FilterError.unknown(
        name, "field", at: start + 1, known: known,
        otherwise: "Write one of \(known.joined(separator: ", ")), or the text in quotation marks.")
    }
    position += 1
    return try field.parse(&self, field, start)
  }

  private mutating func text(in text: VideoFacts.TextField, _ field: Field) throws(FilterError) -> Filter.Test {
    if current == "/" { return .pattern(text, try pattern()) }
    let start = position
    return .text(text, try needle(try value(of: field), at: start))
  }

  private mutating func value(of field: Field) throws(FilterError) -> String {
    let start = position
    let isQuoted = current.map(Self.isQuote) == true || isAtEscapedQuote
    let value = isQuoted ? try phrase() : bareWord { _ in false }
    guard !value.isEmpty else { throw fault(at: start, "expected a value", "Try “\(field.text)”.") }
    return value
  }

  private mutating func sort(_ field: Field, at start: Int) throws(FilterError) {
    let valueStart = position
    let name = try value(of: field)
    guard let order = VideoOrder(rawValue: name) else {
      let known = VideoOrder.allCases.map(\.rawValue)
      throw FilterError.unknown(
        name, "order", at: valueStart + 1, known: known,
        otherwise: "Write one of \(known.joined(separator: ", ")).")
    }
    guard nesting == 0 else {
      throw fault(at: start, "“sort:” cannot be negated or in parentheses", "Write it at the end.")
    }
    guard self.order == nil else { throw fault(at: start, "there are two orders", "Remove one.") }
    self.order = order
    orderPlace = valueStart..<position
  }

  // MARK: - Values

  private mutating func comparedLength() throws(FilterError) -> ClosedRange<Int> {
    let isGreater = current == ">" || current == "≥"
    let hasOwnSign = current == "≥" || current == "≤"
    position += 1
    let includesLimit = consume("=") || hasOwnSign
    skipBlanks()
    let seconds = try length(such: isGreater ? ">10m" : "<1h")
    return isGreater
      ? (includesLimit ? seconds : seconds + 1)...Int.max
      : 0...max(0, includesLimit ? seconds : seconds - 1)
  }

  private mutating func length(such example: String) throws(FilterError) -> Int {
    let start = position
    var scanner = LengthScanner(signs, at: start)
    guard let seconds = scanner.length()?.seconds(in: nil), isEnd(scanner.position) else {
      throw fault(at: start, "expected a duration", "Try “\(example)”.")
    }
    position = scanner.position
    return seconds
  }

  private func isEnd(_ place: Int) -> Bool {
    place >= signs.count || signs[place].isWhitespace || "|()".contains(signs[place])
  }

  private mutating func lengthRange(such example: String) throws(FilterError) -> ClosedRange<Int> {
    if let current, "<>≤≥".contains(current) { return try comparedLength() }
    let start = position
    var scanner = LengthScanner(signs, at: start)
    let first = scanner.length()
    guard let signLength = scanner.rangeSignLength(isAtStart: first == nil) else {
      throw fault(at: start, "expected a range of durations", "Try “\(example)”.")
    }
    scanner.position += signLength
    let secondStart = scanner.position
    let second = isEnd(secondStart) ? .seconds(.max) : scanner.length()
    guard first != nil || second != .seconds(.max) else {
      throw fault(at: start, "expected a range of durations", "Try “\(example)”.")
    }
    guard let high = second?.seconds(in: nil), isEnd(scanner.position) else {
      throw fault(at: secondStart, "expected a duration", "Try “\(example)”.")
    }
    guard let low = (first ?? .seconds(0)).seconds(in: scanner.unit) else {
      throw fault(at: start, "expected a duration", "Try “\(example)”.")
    }
    guard low <= high else {
      throw fault(at: start, "the range begins after its end", "Write the shorter duration first.")
    }
    position = scanner.position
    return low...high
  }

  private mutating func date(such example: String) throws(FilterError) -> Filter.DateLimit {
    let start = position
    let text = bareWord { _ in false }
    guard let date = Filter.DateLimit(text) else {
      throw fault(at: start, "expected a date or an age", "Try “\(example)”, “2w” or “2024-05-31”.")
    }
    return date
  }

  private static let fullWidth: ClosedRange<UInt32> = 0xFF01...0xFF5E
  private static let dashes: Set<Character> = ["‐", "‑", "–", "—", "−"]
  private static let quotes: Set<Character> = ["\"", "“", "”", "„", "‟", "«", "»"]

  /// The signs between alternatives.
  static let bars: Set<Character> = ["|", "｜"]

  /// The text as a phrase, which the parser reads as it is.
  static func phrase(_ text: String) -> String {
    let characters = Array(text)
    let escaped = characters.indices.map { index in
      let sign = sign(at: index, of: characters)
      return (sign == "\"" || sign == "\\" ? "\\" : "") + String(characters[index])
    }
    return "\"\(escaped.joined())\""
  }

  private static func isQuote(_ character: Character) -> Bool { quotes.contains(character) }

  /// Returns the character at an index, or its ASCII form, because keyboards produce several forms of a sign. A dash
  /// before a blank is a punctuation mark.
  private static func sign(at index: Int, of characters: [Character]) -> Character {
    let character = characters[index]
    guard !character.isASCII, character.unicodeScalars.count == 1, let scalar = character.unicodeScalars.first else {
      return character
    }
    if fullWidth.contains(scalar.value) { return Character(Unicode.Scalar(UInt8(scalar.value - 0xFEE0))) }
    guard dashes.contains(character), index + 1 < characters.count, !characters[index + 1].isWhitespace else {
      return character
    }
    return "-"
  }
}

// MARK: - Signs

/// A fault in a filter, with its place and a message for the user.
public struct FilterError: Error, Equatable, Sendable {
  /// The place of the fault in characters, from 1.
  public let column: Int
  /// The reason, as a part of a sentence.
  public let reason: String
  /// Advice for the user, as a sentence.
  public let advice: String

  init(at column: Int, _ reason: String, advice: String) {
    self.column = column
    self.reason = cleanedLine(reason, limit: 200)
    self.advice = cleanedLine(advice, limit: 200)
  }

  /// The fault in one line: `column 3: “chanel” is not a known field. Did you mean “channel”?`.
  public var text: String { "column \(column): \(reason). \(advice)" }

  static func unknown(
    _ name: String, _ kind: String, at column: Int, known: [String], otherwise: String
  ) -> FilterError {
    let advice = similarName(to: name, among: known).map { "Did you mean “\($0)”?" } ?? otherwise
    return FilterError(at: column, "“\(name)” is not a known \(kind)", advice: advice)
  }
}
