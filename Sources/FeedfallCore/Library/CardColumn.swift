import FeedfallFeeds

/// A column of the list, by which cards can be sorted.
enum CardColumn: CaseIterable, Sendable {
  case title
  /// The source in a tab of several.
  case channel
  case length, age

  /// Whether the values end at the column's right edge.
  var isNumeric: Bool { self == .length || self == .age }

  /// `isSource`: whether the tab has several sources.
  func name(isSource: Bool) -> String {
    switch self {
    case .title: "Title"
    case .channel: isSource ? "Source" : "Channel"
    case .length: "Length"
    case .age: "Age"
    }
  }

  private enum Value: Comparable {
    case number(Int)
    case text(String)
  }

  /// A text whose order disregards case and follows the values of numbers: each is preceded by its count of digits.
  private static func sortKey(_ text: String) -> String {
    var key = String.UnicodeScalarView()
    var rest = Substring(text.lowercased()).unicodeScalars
    while let first = rest.first {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      guard !digits.isEmpty else {
        key.append(first)
        rest = rest.dropFirst()
        continue
      }
      let number = digits.drop { $0 == "0" }
      key.append("0")
      Unicode.Scalar(UInt32(min(number.count, Self.maximumDigits))).map { key.append($0) }
      key.append(contentsOf: number)
      rest = rest[digits.endIndex...]
    }
    return String(key)
  }

  /// Longer numbers are ordered as text.
  private static let maximumDigits = 100

  /// The value of a card in ascending order.
  private func value(of card: Card, _ content: TabContent, in library: Library) -> Value? {
    let video = card.video
    return switch self {
    case .title: .text(Self.sortKey(video.title))
    case .channel where content == .all: .text(Self.sortKey(library[card.source].name))
    case .channel: (video.channel ?? video.author).map { .text(Self.sortKey($0)) }
    case .length: video.duration?.seconds.map(Value.number)
    // The youngest has the least age.
    case .age: video.published.map { .number(-$0.seconds) }
    }
  }

  /// Sorts cards; those without a value come last, and equal ones keep their order.
  /// - Complexity: O(n log n).
  func sorted(
    _ slots: [CardSlot], isDescending: Bool, _ content: TabContent, in library: Library
  ) -> [CardSlot] {
    var known: [(value: Value, index: Int)] = []
    var unknown: [CardSlot] = []
    for (index, slot) in slots.enumerated() {
      if let value = value(of: library.store[slot], content, in: library) {
        known.append((value, index))
      } else {
        unknown.append(slot)
      }
    }
    known.sort { one, other in
      one.value == other.value ? one.index < other.index : (one.value < other.value) != isDescending
    }
    return known.map { slots[$0.index] } + unknown
  }
}

extension CardOrder {
  /// The order after a click on a column: ascending, then descending, then nil for the tab's own order.
  func next(for column: CardColumn) -> CardOrder? {
    switch self {
    case .column(column, isDescending: false): .column(column, isDescending: true)
    case .column(column, isDescending: true): nil
    case .feed, .newest, .column: .column(column, isDescending: false)
    }
  }

  /// The sign of the direction; empty for an order that has none.
  var sign: String {
    switch self {
    case .column(_, isDescending: false): "▲"
    case .column(_, isDescending: true): "▼"
    case .feed, .newest: ""
    }
  }
}
