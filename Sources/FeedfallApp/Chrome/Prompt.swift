import FeedfallScreen

struct Prompt: Equatable, Sendable {
  enum Command: Equatable, Sendable {
    case moveLeft, moveRight, moveWordLeft, moveWordRight, moveToStart, moveToEnd
    case previousText, nextText
    case deleteBackward, deleteForward, deleteWord, deleteWordBackward, deleteWordForward, deleteToStart, deleteToEnd
    case complete, completeBackward
    case accept, cancel
  }

  enum Input: Equatable, Sendable {
    case command(Command)
    case character(Character)
    /// A key without a meaning.
    case none

    init(_ key: Key, _ keys: Keymaps) {
      if case .prompt(let command)? = keys[.prompt].command(for: key) {
        self = .command(command)
      } else {
        self = key.typed.map(Input.character) ?? .none
      }
    }
  }

  /// Since the program started, the last one at the end.
  struct History: Equatable, Sendable {
    private(set) var texts: [String] = []
    var maximumCount = 100

    /// A text that was applied before moves to the end.
    mutating func add(_ text: String) {
      guard !text.isEmpty else { return }
      texts.removeAll { $0 == text }
      texts.append(text)
      texts.removeFirst(max(0, texts.count - maximumCount))
    }
  }

  enum Outcome: Equatable { case changed, accepted, cancelled }
  /// In characters.
  static let maximumLength = 8_192

  private var characters: [Character]
  private var cursor: Int
  /// Earlier texts, and last the one that is being typed.
  private var texts: [String]
  private var textIndex: Int
  /// Whether Enter accepts an empty text rather than canceling.
  private let acceptsEmptyText: Bool
  /// Whether the last text did not fit completely.
  private(set) var isFull = false

  init(needle: String = "", history: History = History(), acceptsEmptyText: Bool = false) {
    self.acceptsEmptyText = acceptsEmptyText
    characters = Array(needle)
    cursor = characters.count
    texts = history.texts.filter { $0 != needle } + [needle]
    textIndex = texts.count - 1
  }

  var needle: String { String(characters) }
  var textBeforeCursor: String { String(characters[..<cursor]) }
  var textAfterCursor: String { String(characters[cursor...]) }
  var isCursorAtEnd: Bool { cursor == characters.count }

  /// Returns nil for an input that changes nothing but the cursor.
  mutating func handle(_ input: Input) -> Outcome? {
    switch input {
    case .command(let command): return perform(command)
    case .character(let character):
      insert(String(character))
      return .changed
    case .none: return nil
    }
  }

  mutating func paste(_ text: String) { insert(Self.line(of: text, after: textBeforeCursor)) }

  private mutating func perform(_ command: Command) -> Outcome? {
    switch command {
    case .moveLeft: return moveCursor(to: cursor - 1)
    case .moveRight: return moveCursor(to: cursor + 1)
    case .moveWordLeft: return moveCursor(to: previousWord)
    case .moveWordRight: return moveCursor(to: nextWord)
    case .moveToStart: return moveCursor(to: 0)
    case .moveToEnd: return moveCursor(to: characters.count)
    case .previousText: return showText(at: textIndex - 1)
    case .nextText: return showText(at: textIndex + 1)
    case .deleteBackward: return characters.isEmpty ? .cancelled : delete(from: cursor - 1, to: cursor)
    case .deleteForward: return delete(from: cursor, to: cursor + 1)
    case .deleteWord: return delete(from: wordStart, to: cursor)
    case .deleteWordBackward: return delete(from: previousWord, to: cursor)
    case .deleteWordForward: return delete(from: cursor, to: nextWord)
    case .deleteToStart: return delete(from: 0, to: cursor)
    case .deleteToEnd: return delete(from: cursor, to: characters.count)
    case .complete, .completeBackward: return nil
    case .accept: return characters.isEmpty && !acceptsEmptyText ? .cancelled : .accepted
    case .cancel: return .cancelled
    }
  }

  private mutating func moveCursor(to position: Int) -> Outcome? {
    cursor = min(max(position, 0), characters.count)
    return nil
  }

  private mutating func delete(from start: Int, to end: Int) -> Outcome {
    setText(characters[..<max(start, 0)], characters[min(end, characters.count)...])
    return .changed
  }

  /// Of the word that ends at the cursor or before blanks in front of it.
  private var wordStart: Int {
    let words = characters[..<cursor].lastIndex { !$0.isWhitespace } ?? 0
    return characters[..<words].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
  }

  private var previousWord: Int {
    let end = characters[..<cursor].lastIndex(where: \.isInWord) ?? 0
    return characters[..<end].lastIndex { !$0.isInWord }.map { $0 + 1 } ?? 0
  }

  private var nextWord: Int {
    let start = characters[cursor...].firstIndex(where: \.isInWord) ?? characters.count
    return characters[start...].firstIndex { !$0.isInWord } ?? characters.count
  }

  private mutating func showText(at index: Int) -> Outcome? {
    guard texts.indices.contains(index) else { return nil }
    texts[textIndex] = needle
    textIndex = index
    replaceText(texts[index])
    return .changed
  }

  mutating func replaceText(_ text: String) {
    (characters, cursor) = ([], 0)
    insert(text)
  }

  /// `text` has no control characters. Inserts as much as fits.
  private mutating func insert(_ text: String) {
    let inserted = text.prefix(max(0, Self.maximumLength - characters.count))
    if inserted.utf8.count == 1, let character = inserted.first, isASCIIAroundCursor {
      characters.insert(character, at: cursor)
      cursor += 1
    } else {
      setText(characters[..<cursor] + inserted, characters[cursor...])
    }
    isFull = inserted.endIndex < text.endIndex
  }

  /// A letter between ASCII characters joins none of them, so the whole text need not be split again in O(n).
  private var isASCIIAroundCursor: Bool {
    characters[max(0, cursor - 1)..<min(cursor + 1, characters.count)].allSatisfy(\.isASCII)
  }

  /// Characters beside the cursor may join: marks and emoji arrive in pieces.
  private mutating func setText(_ before: some Sequence<Character>, _ after: some Sequence<Character>) {
    let before = String(before)
    characters = Array(before + String(after))
    cursor = 0
    var rest = before.utf8.count
    while rest > 0 {
      rest -= characters[cursor].utf8.count
      cursor += 1
    }
    isFull = false
  }

  /// Line breaks become blanks, but rows of one address are joined. Leading and trailing blank rows are dropped. An
  /// address may begin in `before`, the text before the cursor.
  static func line(of pasted: String, after before: String = "") -> String {
    let rows = pasted.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(cleaned)
    guard rows.count > 1 else { return rows.first ?? "" }
    let start = before.lastIndex(where: \.isWhitespace).map { String(before[$0...].dropFirst()) } ?? before
    let trimmed = rows.map(\.trimmed)
    let end = trimmed.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    let filled = Array(trimmed[..<end].drop(while: \.isEmpty))
    return isAddress(filled, after: start) ? filled.joined() : filled.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func cleaned(_ row: Substring) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in row.unicodeScalars where scalar.isHarmless { scalars.append(scalar == "\t" ? " " : scalar) }
    return String(scalars)
  }

  private static func isAddress(_ rows: [String], after start: String) -> Bool {
    guard rows.count > 1, rows.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isWhitespace) }) else { return false }
    return isStart(start + rows[0]) && !rows.dropFirst().contains(where: isStart)
  }

  /// Whether a word begins with a scheme, perhaps after the name of a kind of source.
  private static func isStart(_ word: String) -> Bool {
    let scheme = word.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.:".contains($0)) }
    return scheme.count > 1 && scheme.last == ":" && word.dropFirst(scheme.count).hasPrefix("//")
  }
}

extension Character {
  fileprivate var isInWord: Bool { isLetter || isNumber }
}

extension String {
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex))
  }
}
