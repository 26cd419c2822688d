struct TitleSearch: Equatable, Sendable {
  private let characters: [String]
  /// The needle's bytes if all are ASCII: finding them is many times as fast as finding characters.
  private let bytes: [UInt8]?

  init?(_ needle: String) {
    guard !needle.isEmpty else { return nil }
    characters = needle.map { $0.lowercased() }
    let bytes = characters.flatMap(\.utf8)
    self.bytes = bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
  }

  func match(in text: String, from position: String.Index? = nil) -> Range<String.Index>? {
    var start = position ?? text.startIndex
    if let bytes { return match(of: bytes, in: text, from: start) }
    if text.utf8Span.isKnownASCII { return nil }
    while start < text.endIndex {
      if let end = end(in: text, from: start) { return start..<end }
      start = text.index(after: start)
    }
    return nil
  }

  private func end(in text: String, from start: String.Index) -> String.Index? {
    var position = start
    for character in characters {
      guard position < text.endIndex, text[position].lowercased() == character else { return nil }
      position = text.index(after: position)
    }
    return position
  }

  private func match(of wanted: [UInt8], in text: String, from position: String.Index) -> Range<String.Index>? {
    let span = text.utf8Span.span
    let first = text.utf8.distance(from: text.startIndex, to: position)
    guard span.count - first >= wanted.count else { return nil }
    for start in first...span.count - wanted.count
    where wanted.indices.allSatisfy({ Self.lowercased(span[start + $0]) == wanted[$0] }) {
      let lower = text.utf8.index(text.startIndex, offsetBy: start)
      // A combining accent after the last letter would make it another character.
      if let upper = end(in: text, from: lower) { return lower..<upper }
    }
    return nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension CardsScreen {
  struct Search: Equatable, Sendable {
    private(set) var prompt: Prompt?
    /// Selected again if the search is canceled.
    private(set) var origin: CardSlot?
    private(set) var needle = ""
    /// Indices in ascending order.
    private var matches: [Int] = []
    private var (matchedNeedle, matchedRevision) = ("", 0)

    /// The card to select, or the reason why there is none.
    typealias Result = (card: Int?, message: String?)

    mutating func begin(at origin: CardSlot?, _ history: Prompt.History) {
      (prompt, self.origin) = (Prompt(history: history), origin)
    }

    mutating func clear() { needle = "" }

    mutating func handle(_ input: Prompt.Input, in cards: CardList, revision: Int, _ store: CardStore) -> Result {
      switch prompt?.handle(input) {
      case nil: return (nil, nil)
      case .changed: return (follow(in: cards, revision: revision, store), nil)
      case .accepted:
        (prompt, origin) = (nil, nil)
        return (nil, match(from: 0, forward: true, in: cards, store) == nil ? Words.noMatch(for: needle) : nil)
      case .cancelled:
        let card = origin.flatMap(cards.index)
        self = Search()
        return (card, nil)
      }
    }

    mutating func paste(_ text: String, in cards: CardList, revision: Int, _ store: CardStore) -> Int? {
      prompt?.paste(text)
      return follow(in: cards, revision: revision, store)
    }

    private mutating func follow(in cards: CardList, revision: Int, _ store: CardStore) -> Int? {
      guard let prompt else { return nil }
      needle = prompt.needle
      update(cards, revision: revision, store)
      let start = origin.flatMap(cards.index) ?? 0
      return matches.first { $0 >= start } ?? matches.first
    }

    /// O(cards) if the text or the cards have changed; O(matches) for a text that begins with the last one.
    mutating func update(_ cards: CardList, revision: Int, _ store: CardStore) {
      guard prompt != nil || !needle.isEmpty, needle != matchedNeedle || revision != matchedRevision else { return }
      let isNarrower = revision == matchedRevision && !matchedNeedle.isEmpty && needle.hasPrefix(matchedNeedle)
      (matchedNeedle, matchedRevision) = (needle, revision)
      let cardsToSearch = isNarrower ? matches : Array(0..<cards.count)
      matches =
        TitleSearch(needle).map { search in
          cardsToSearch.filter { search.match(in: store[cards[$0]].title) != nil }
        } ?? []
    }

    /// Such as `2 of 14` at a match, elsewhere `14 matches`; nil without a text.
    func result(at card: Int?) -> String? {
      guard !needle.isEmpty else { return nil }
      guard !matches.isEmpty else { return Words.noMatch }
      let index = card.map { card in matches.lastIndex(inOrder: { $0 <= card }) }
      if let index, matches[index] == card { return Words.position(index + 1, of: matches.count) }
      return Words.matches(matches.count)
    }

    func match(beside card: Int, forward: Bool, in cards: CardList, _ store: CardStore) -> Result {
      let match = match(from: card + (forward ? 1 : -1), forward: forward, in: cards, store)
      return (match, match == nil ? Words.noMatch(for: needle) : nil)
    }

    private func match(from start: Int, forward: Bool, in cards: CardList, _ store: CardStore) -> Int? {
      let count = cards.count
      guard count > 0, let search = TitleSearch(needle) else { return nil }
      for step in 0..<count {
        let card = ((start + (forward ? step : -step)) % count + count) % count
        if search.match(in: store[cards[card]].title) != nil { return card }
      }
      return nil
    }
  }
}
