import FeedfallFeeds
import FeedfallFilters

enum CardOrder: Hashable, Sendable {
  case feed
  /// By date; videos without one come last.
  case newest
  /// The first video of each source, then the second of each, and so on.
  case rank
  case column(Column, isDescending: Bool)
  case other(VideoOrder)

  /// Whether sources deliver their videos about in this order. If not, each page orders the whole tab anew.
  var isDelivered: Bool { self == .feed || hasKey }

  var column: Column? { if case .column(let column, _) = self { column } else { nil } }

  /// Without any key, the order is that of the source.
  var hasKey: Bool { self == .newest || self == .rank }

  /// Whether cards wait for sources that may still deliver one before them.
  var holdsBack: Bool { self == .newest }

  /// Larger keys come first.
  func key(of slot: CardSlot, in store: CardStore) -> Int? {
    switch self {
    case .newest: store[slot].video.published?.seconds
    case .rank: store.rank(of: slot).map { -$0 }
    case .feed, .column, .other: nil
    }
  }

  enum Column: CaseIterable, Sendable {
    case title
    case channel
    case length, age

    var isNumeric: Bool { self == .length || self == .age }
  }

  /// The order after a click on a column: ascending, then descending, then nil for the tab's own order.
  func next(for column: Column) -> CardOrder? {
    switch self {
    case .column(column, isDescending: false): .column(column, isDescending: true)
    case .column(column, isDescending: true): nil
    case .feed, .newest, .rank, .column, .other: .column(column, isDescending: false)
    }
  }

  /// The own order of a view. Sources do not deliver videos that have left their feeds.
  init(of query: FilterQuery) {
    let delivered: CardOrder = query.order == .feed ? .feed : .newest
    let own = query.filter.requiredField == nil ? delivered : .column(.age, isDescending: false)
    self = CardOrder(query.order) ?? own
  }

  /// The lowest age is the newest video.
  private static let named: [(name: VideoOrder, order: CardOrder)] = [
    (.title, .column(.title, isDescending: false)), (.shortest, .column(.length, isDescending: false)),
    (.longest, .column(.length, isDescending: true)), (.newest, .column(.age, isDescending: false)),
    (.oldest, .column(.age, isDescending: true)),
  ]

  /// The order that the user calls `name`; nil for the tab's own.
  init?(_ name: VideoOrder?) {
    guard let name, name != .feed else { return nil }
    self = Self.named.first { $0.name == name }?.order ?? .other(name)
  }

  /// The order that the user calls by a name; nil for one that only a click on a column chooses.
  var videoOrder: VideoOrder? {
    switch self {
    case .feed, .rank: .feed
    case .newest: .newest
    case .column: Self.named.first { $0.order == self }?.name
    case .other(let order): order
    }
  }

  func name(isSource: Bool) -> String {
    if let videoOrder { return videoOrder.rawValue }
    return column.map { "\($0.name(isSource: isSource).lowercased()) \(sign)" } ?? ""
  }

  /// Cards without a value come last; equal ones keep their order. O(n log n).
  func sorted(_ slots: [CardSlot], _ content: TabContent, in library: Library) -> [CardSlot] {
    guard !isDelivered else { return slots }
    let keys = keys(of: slots, content, in: library)
    return keys.sortedIndices(isDescending: isDescending).map { slots[$0] }
  }

  private var isDescending: Bool { if case .column(_, isDescending: true) = self { true } else { false } }

  private func keys(of slots: [CardSlot], _ content: TabContent, in library: Library) -> SortKeys {
    // In the other direction the keys are the same.
    let order = column.map { .column($0, isDescending: false) } ?? self
    var keys = SortKeys(seed: library.shuffleSeed)
    guard let order = order.videoOrder else {
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

  var dependsOnRecord: Bool { if case .other(let order) = self { order.dependsOnRecord } else { false } }

  var sign: String { column == nil ? "" : isDescending ? "▼" : "▲" }

  private static let choices = VideoOrder.allCases.filter { $0 != .feed && !$0.dependsOnRecord }

  /// `own` is the tab's own order, which is part of the cycle.
  func next(own: CardOrder) -> (order: CardOrder, name: String) {
    var all = Self.choices.compactMap { order in CardOrder(order).map { (order: $0, name: order.rawValue) } }
    switch own {
    case .feed, .rank: all.insert((own, Words.feedOrder), at: 0)
    case .newest: all[0].order = own
    case .column, .other:
      if !all.contains(where: { $0.order == own }) { all.insert((own, Words.configuredOrder), at: 0) }
    }
    let index = all.firstIndex { $0.order == self } ?? all.count - 1
    return all[(index + 1) % all.count]
  }
}

extension Library {
  fileprivate func channel(of slot: CardSlot, isSource: Bool) -> String? {
    let name = isSource ? self[store.brief(of: slot).source].name : ""
    return name.isEmpty ? store[slot].video.channel ?? store[slot].video.author : name
  }
}
