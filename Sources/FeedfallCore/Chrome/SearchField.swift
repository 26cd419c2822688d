import FeedfallScreen

/// The line in which a person types what to search for.
struct SearchField: Equatable, Sendable {
  enum Outcome: Equatable { case changed, unchanged, accepted, cancelled }
  static let maximumLength = 200

  /// The card that was selected when the search began.
  var origin: Int
  private(set) var needle = ""

  init(origin: Int) { self.origin = origin }

  mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .character(let character):
      insert(String(character))
      return .changed
    case .backspace:
      if needle.isEmpty { return .cancelled }
      needle.removeLast()
      return .changed
    case .control("u"):
      needle = ""
      return .changed
    case .enter: return needle.isEmpty ? .cancelled : .accepted
    case .escape: return .cancelled
    case .control, .up, .down, .left, .right, .shiftLeft, .shiftRight, .pageUp, .pageDown, .home, .end, .tab,
      .backTab, .delete, .function:
      return .unchanged
    }
  }

  /// Adds typed or pasted text, its first line, up to the length that fits; titles hold no control characters.
  mutating func insert(_ text: String) {
    let line = text.prefix { !$0.isNewline }.filter {
      $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
    needle += line.prefix(max(0, Self.maximumLength - needle.count))
  }
}
