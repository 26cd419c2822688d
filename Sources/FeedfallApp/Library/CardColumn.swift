import FeedfallFeeds
import FeedfallFilters

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

  /// The order of the column when it ascends; nil for the channel.
  fileprivate var order: VideoOrder? {
    switch self {
    case .title: .title
    case .channel: nil
    case .length: .shortest
    // The youngest has the least age.
    case .age: .newest
    }
  }
}

extension CardOrder {
  /// The order after a click on a column: ascending, then descending, then nil for the tab's own order.
  func next(for column: CardColumn) -> CardOrder? {
    switch self {
    case .column(column, isDescending: false): .column(column, isDescending: true)
    case .column(column, isDescending: true): nil
    case .feed, .newest, .column, .other: .column(column, isDescending: false)
    }
  }

  /// The order that the user calls `order`; nil for the tab's own.
  init?(_ order: VideoOrder?) {
    guard let order else { return nil }
    switch order {
    case .feed: return nil
    case .newest: self = .column(.age, isDescending: false)
    case .oldest: self = .column(.age, isDescending: true)
    case .shortest: self = .column(.length, isDescending: false)
    case .longest: self = .column(.length, isDescending: true)
    case .title: self = .column(.title, isDescending: false)
    case .views, .watched, .queue, .downloaded, .random: self = .other(order)
    }
  }

  /// The order that the user calls by a name; nil for one that only a click on a column chooses.
  var videoOrder: VideoOrder? {
    switch self {
    case .feed: .feed
    case .newest, .column(.age, isDescending: false): .newest
    case .column(.age, isDescending: true): .oldest
    case .column(.length, isDescending: false): .shortest
    case .column(.length, isDescending: true): .longest
    case .column(.title, isDescending: false): .title
    case .column(.title, isDescending: true), .column(.channel, _): nil
    case .other(let order): order
    }
  }

  /// The name in the status line. `isSource`: whether the channel is a source.
  func name(isSource: Bool) -> String {
    if let videoOrder { return videoOrder.rawValue }
    return column.map { "\($0.name(isSource: isSource).lowercased()) \(sign)" } ?? ""
  }

  /// Sorts cards; those without a value come last, and equal ones keep their order.
  /// - Complexity: O(n log n).
  func sorted(_ slots: [CardSlot], _ content: TabContent, in library: Library) -> [CardSlot] {
    guard !isDelivered else { return slots }
    let keys = keys(of: slots, content, in: library)
    return keys.sortedIndices(isDescending: isDescending).map { slots[$0] }
  }

  private var isDescending: Bool {
    if case .column(_, let isDescending) = self { isDescending } else { false }
  }

  private func keys(of slots: [CardSlot], _ content: TabContent, in library: Library) -> SortKeys {
    let order = if case .other(let order) = self { order } else { column?.order }
    var keys = SortKeys()
    guard let order else {
      let isSource = library.sources(of: content).count > 1
      for slot in slots { keys.append(text: library.channel(of: slot, isSource: isSource)) }
      return keys
    }
    if order.dependsOnRecord {
      for slot in slots { keys.append(library.store[slot].video, library.store.record(of: slot), by: order) }
    } else {
      for slot in slots { keys.append(library.store[slot].video, by: order) }
    }
    return keys
  }

  var dependsOnRecord: Bool {
    if case .other(let order) = self { order.dependsOnRecord } else { false }
  }

  /// The sign of the direction; empty for an order that has none.
  var sign: String {
    switch self {
    case .column(_, isDescending: false): "▲"
    case .column(_, isDescending: true): "▼"
    case .feed, .newest, .other: ""
    }
  }
}

extension Library {
  /// The text in the column of the channels; with `isSource` the name of the source, if it has one.
  fileprivate func channel(of slot: CardSlot, isSource: Bool) -> String? {
    let name = isSource ? self[store.brief(of: slot).source].name : ""
    return name.isEmpty ? store[slot].video.channel ?? store[slot].video.author : name
  }
}

/// An order that the user can choose by a key, with its name.
struct OrderChoice: Equatable, Sendable {
  var order: CardOrder
  var name: String

  private static let chosen: [VideoOrder] = [.newest, .oldest, .shortest, .longest, .title, .views, .random]

  static func all(own: CardOrder) -> [OrderChoice] {
    let others = chosen.compactMap { order in
      CardOrder(order).map { OrderChoice(order: $0, name: order.rawValue) }
    }
    switch own {
    case .feed: return [OrderChoice(order: own, name: "as in the feed")] + others
    case .newest: return [OrderChoice(order: own, name: VideoOrder.newest.rawValue)] + others.dropFirst()
    case .column, .other:
      return others.contains { $0.order == own } ? others : [OrderChoice(order: own, name: "as configured")] + others
    }
  }
}
