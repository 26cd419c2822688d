import FeedfallScreen

enum PromptCommand: Equatable, Sendable {
  case moveLeft, moveRight, moveToStart, moveToEnd
  case previousText, nextText
  case deleteBackward, deleteForward, deleteWord, deleteToStart, deleteToEnd
  case complete, completeBackward
  case accept, cancel

  static let keymap = Keymap<PromptCommand>(
    title: "Prompts",
    rows: [
      .init("prompt.move-left", .left, .control("b"), command: .moveLeft, help: "a character to the left"),
      .init("prompt.move-right", .right, .control("f"), command: .moveRight, help: "a character to the right"),
      .init("prompt.start", .home, .control("a"), command: .moveToStart, help: "start of the text"),
      .init("prompt.end", .end, .control("e"), command: .moveToEnd, help: "end of the text"),
      .init("prompt.previous", .up, .control("p"), command: .previousText, help: "previous text"),
      .init("prompt.next", .down, .control("n"), command: .nextText, help: "next text"),
      .init("prompt.delete-backward", .backspace, command: .deleteBackward, help: "delete a character"),
      .init(
        "prompt.delete-forward", .delete, .control("d"), command: .deleteForward, help: "delete the next character"),
      .init("prompt.delete-word", .control("w"), command: .deleteWord, help: "delete a word"),
      .init("prompt.delete-to-start", .control("u"), command: .deleteToStart, help: "delete to the start"),
      .init("prompt.delete-to-end", .control("k"), command: .deleteToEnd, help: "delete to the end"),
      .init("prompt.complete", .tab, command: .complete, help: "complete the command"),
      .init("prompt.complete-backward", .backTab, command: .completeBackward, help: "previous completion"),
      .init("prompt.accept", .enter, command: .accept, help: "apply the text, or run the command"),
      .init("prompt.cancel", .escape, command: .cancel, help: "cancel the search, restore the filter"),
    ])
}

/// The texts that the user has applied in one kind of prompt since the program started, the last one at the end.
struct PromptHistory: Equatable, Sendable {
  private(set) var texts: [String] = []
  let maximumCount: Int

  init(maximumCount: Int = 100) { self.maximumCount = maximumCount }

  /// Adds a text; one that was applied before moves to the end.
  mutating func add(_ text: String) {
    guard !text.isEmpty else { return }
    texts.removeAll { $0 == text }
    texts.append(text)
    texts.removeFirst(max(0, texts.count - maximumCount))
  }
}

/// The line in which the user types a title to search for, a filter or a command.
struct Prompt: Equatable, Sendable {
  enum Outcome: Equatable { case changed, accepted, cancelled }
  /// In characters.
  private let maximumLength: Int

  private var characters: [Character]
  /// The number of characters before the cursor.
  private var cursor: Int
  /// Earlier texts, and last the one that is being typed.
  private var texts: [String]
  private var textIndex: Int
  /// Whether Enter accepts an empty text rather than canceling.
  private let acceptsEmptyText: Bool

  init(
    needle: String = "", history: PromptHistory = PromptHistory(), acceptsEmptyText: Bool = false,
    maximumLength: Int = 200
  ) {
    (self.acceptsEmptyText, self.maximumLength) = (acceptsEmptyText, maximumLength)
    characters = Array(needle)
    cursor = characters.count
    texts = history.texts.filter { $0 != needle } + [needle]
    textIndex = texts.count - 1
  }

  var needle: String { String(characters) }
  var textBeforeCursor: String { String(characters[..<cursor]) }
  var textAfterCursor: String { String(characters[cursor...]) }
  var isCursorAtEnd: Bool { cursor == characters.count }

  /// Returns nil for a key that changes nothing but the cursor.
  mutating func handle(_ key: Key) -> Outcome? {
    if let command = PromptCommand.keymap.command(for: key) { return perform(command) }
    guard case .character(let character) = key else { return nil }
    insert(String(character))
    return .changed
  }

  private mutating func perform(_ command: PromptCommand) -> Outcome? {
    switch command {
    case .moveLeft: return moveCursor(to: cursor - 1)
    case .moveRight: return moveCursor(to: cursor + 1)
    case .moveToStart: return moveCursor(to: 0)
    case .moveToEnd: return moveCursor(to: characters.count)
    case .previousText: return showText(at: textIndex - 1)
    case .nextText: return showText(at: textIndex + 1)
    case .deleteBackward: return characters.isEmpty ? .cancelled : delete(from: cursor - 1, to: cursor)
    case .deleteForward: return delete(from: cursor, to: cursor + 1)
    case .deleteWord: return delete(from: wordStart, to: cursor)
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
    let range = max(start, 0)..<min(end, characters.count)
    characters.removeSubrange(range)
    cursor = range.lowerBound
    return .changed
  }

  /// The start of the word that ends at the cursor or before blanks in front of it.
  private var wordStart: Int {
    let words = characters[..<cursor].lastIndex { !$0.isWhitespace } ?? 0
    return characters[..<words].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
  }

  private mutating func showText(at index: Int) -> Outcome? {
    guard texts.indices.contains(index) else { return nil }
    texts[textIndex] = needle
    textIndex = index
    characters = Array(texts[index])
    cursor = characters.count
    return .changed
  }

  /// Replaces the whole text, with the cursor at its end.
  mutating func replaceText(_ text: String) {
    characters = Array(text.prefix(maximumLength))
    cursor = characters.count
  }

  /// Inserts the first line of typed or pasted text at the cursor, without control characters, up to the maximum length.
  mutating func insert(_ text: String) {
    let line = text.prefix { !$0.isNewline }.filter {
      $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
    let inserted = line.prefix(max(0, maximumLength - characters.count))
    characters.insert(contentsOf: inserted, at: cursor)
    cursor += inserted.count
  }
}
