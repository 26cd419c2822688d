import FeedfallScreen

enum PromptCommand: Equatable, Sendable {
  case deleteBackward, clear, accept, cancel

  static let keymap = Keymap<PromptCommand>(
    title: "Search and filter",
    rows: [
      .init("prompt.delete-backward", .backspace, command: .deleteBackward, help: "delete a character"),
      .init("prompt.clear", .control("u"), command: .clear, help: "clear the text"),
      .init("prompt.accept", .enter, command: .accept, help: "apply the search or the filter"),
      .init("prompt.cancel", .escape, command: .cancel, help: "cancel the search, restore the filter"),
    ])
}

/// The line in which the user types a title to search for, or a filter.
struct Prompt: Equatable, Sendable {
  enum Outcome: Equatable { case changed, accepted, cancelled }
  static let maximumLength = 200

  /// The card that was selected when the search began.
  var origin: Int
  private(set) var needle: String
  /// Whether Enter accepts an empty text rather than canceling.
  private let acceptsEmptyText: Bool

  init(origin: Int, needle: String = "", acceptsEmptyText: Bool = false) {
    (self.origin, self.needle, self.acceptsEmptyText) = (origin, needle, acceptsEmptyText)
  }

  /// Returns nil for a key that is neither text nor bound.
  mutating func handle(_ key: Key) -> Outcome? {
    if let command = PromptCommand.keymap.command(for: key) { return perform(command) }
    guard case .character(let character) = key else { return nil }
    insert(String(character))
    return .changed
  }

  private mutating func perform(_ command: PromptCommand) -> Outcome {
    switch command {
    case .deleteBackward:
      if needle.isEmpty { return .cancelled }
      needle.removeLast()
      return .changed
    case .clear:
      needle = ""
      return .changed
    case .accept: return needle.isEmpty && !acceptsEmptyText ? .cancelled : .accepted
    case .cancel: return .cancelled
    }
  }

  /// Appends the first line of typed or pasted text without control characters, up to `maximumLength`.
  mutating func insert(_ text: String) {
    let line = text.prefix { !$0.isNewline }.filter {
      $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
    needle += line.prefix(max(0, Self.maximumLength - needle.count))
  }
}
