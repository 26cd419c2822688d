import FeedfallRecords

extension CardStore {
  /// The cards of each video in the lists of several sources, so that a tab of several sources shows it once.
  struct Twins: Equatable, Sendable {
    private var first: [VideoKey: CardSlot] = [:]
    /// The cards of each video that has several.
    private var groups: [VideoKey: [CardSlot]] = [:]

    var isEmpty: Bool { groups.isEmpty }

    mutating func reserveCapacity(_ count: Int) { first.reserveCapacity(count) }

    /// The cards of a video; none if it has only one.
    subscript(key: VideoKey) -> [CardSlot] { groups[key] ?? [] }

    func all(of key: VideoKey) -> [CardSlot] { groups[key] ?? first[key].map { [$0] } ?? [] }

    mutating func insert(_ slot: CardSlot, _ key: VideoKey) {
      if let first = first[key] { groups[key, default: [first]].append(slot) } else { first[key] = slot }
    }

    mutating func remove(_ slot: CardSlot, _ key: VideoKey) {
      let others = groups[key]?.filter { $0 != slot } ?? []
      groups[key] = others.count > 1 ? others : nil
      first[key] = others.first
    }
  }
}

extension Library {
  /// The cards of a card's video that come before it in a tab of several sources: the first source shows the video.
  func precedingTwins(of slot: CardSlot) -> [CardSlot] {
    let place = place(of: slot)
    return shownTwins(of: slot).filter { self.place(of: $0) < place }
  }

  func shownTwins(of slot: CardSlot) -> [CardSlot] {
    store.listedTwins(of: slot).filter { joined.contains(store.brief(of: $0).source) }
  }

  private func place(of slot: CardSlot) -> (Int, Int) { (store.brief(of: slot).source.number, slot.index) }
}

extension CardsScreen {
  func sourceNames(of slot: CardSlot, _ store: CardStore) -> String? {
    let source = store.brief(of: slot).source
    guard store.hasTwins else { return sourceName(of: source) }
    let others = Set(store.listedTwins(of: slot).map { store.brief(of: $0).source.number }).subtracting([source.number])
    return sourceName(of: source).map { name in
      ([name] + others.sorted().compactMap { sourceName(of: SourceID($0)) }).joined(separator: ", ")
    }
  }
}
