import FeedfallFeeds
import FeedfallText
import WaterfallEngine

/// Requests the missing lengths of visible local videos, one at a time, once scrolling has stopped. If a filter or an
/// order depends on them, those of all other videos follow.
struct LengthReader: Equatable, Sendable {
  struct Sight: Equatable, Sendable {
    var tab: Int
    var kind: LayoutKind
    var offset: Int
    var viewport: Size
    var revision: Int
    /// The number of covers that could not be loaded: the frames among them bring no length.
    var failedCovers: Int
    /// The loaded videos if all their lengths matter; else nil.
    var lists: Library.ListVersion?

    init(tab: Int, cards: CardsScreen, failedCovers: Int, lists: Library.ListVersion?) {
      (self.tab, kind, offset, viewport) = (tab, cards.kind, cards.offset, cards.viewport)
      (revision, self.failedCovers, self.lists) = (cards.revision, failedCovers, lists)
    }
  }

  private enum Phase: Equatable {
    /// No visible video lacks a length that can be read.
    case idle
    case waiting(Ticket)
    /// Scrolling has stopped, or a length has been read: the next one is due.
    case due
    case reading(Ticket, CardID)
  }

  private static let restTime = Duration.milliseconds(100)
  private static let maximumFailures = 10_000

  private var sight: Sight?
  private var phase = Phase.idle
  private var failed: Set<CardID> = []
  private var unknown: Set<CardSlot> = []
  /// The next one to read is at the end.
  private var queue: [CardSlot] = []
  private var collected: Collected?

  private struct Collected: Equatable {
    var tab: Int
    var lists: Library.ListVersion?
    var lengthRevision: Int
  }

  func unknownCount(ofTab tab: Int) -> Int { collected?.tab == tab ? unknown.count : 0 }

  func hasQueue(ofTab tab: Int) -> Bool { collected?.tab == tab && !queue.isEmpty }

  func isDue(_ new: Sight) -> Bool {
    switch phase {
    case .reading: false
    case .due: true
    case .idle, .waiting: new != sight
    }
  }

  /// The closures are called only when a length may be due.
  mutating func update(
    _ new: Sight, in store: CardStore, _ tickets: inout TicketOffice, all: () -> [CardSlot],
    visible: (_ failed: Set<CardID>) -> Card?
  ) -> [AppEffect] {
    collect(new, in: store, all)
    func next() -> Card? { visible(failed) ?? queue.last.map { store[$0] } }
    switch phase {
    case .reading: return []
    case .due:
      sight = new
      guard let card = next() else {
        phase = .idle
        return []
      }
      let ticket = tickets.next()
      phase = .reading(ticket, card.id)
      return [.requestDetails(card.source, card.video, ticket)]
    case .idle, .waiting:
      guard new != sight else { return [] }
      sight = new
      let canceled: [AppEffect] = if case .waiting(let ticket) = phase { [.cancel(ticket)] } else { [] }
      guard next() != nil else {
        phase = .idle
        return canceled
      }
      let ticket = tickets.next()
      phase = .waiting(ticket)
      return canceled + [.wait(Self.restTime, .lengths(ticket))]
    }
  }

  /// Collects the videos without a length again unless only lengths that were read have changed.
  private mutating func collect(_ new: Sight, in store: CardStore, _ all: () -> [CardSlot]) {
    let wanted = Collected(tab: new.tab, lists: new.lists, lengthRevision: store.lengthRevision)
    if collected != wanted {
      queue = new.lists == nil ? [] : all().reversed()
      unknown = Set(queue)
      collected = wanted
    }
    trimQueue(store)
  }

  private mutating func trimQueue(_ store: CardStore) {
    while let last = queue.last, !unknown.contains(last) || failed.contains(store[last].id) { queue.removeLast() }
  }

  mutating func waitElapsed(_ ticket: Ticket) { if phase == .waiting(ticket) { phase = .due } }

  mutating func finish(_ ticket: Ticket, hasLength: Bool, in store: CardStore) -> CardID? {
    guard case .reading(ticket, let card) = phase else { return nil }
    phase = .due
    if hasLength {
      store.slot(of: card).map { _ = unknown.remove($0) }
      // The length becomes known now.
      collected?.lengthRevision += 1
    } else {
      if failed.count >= Self.maximumFailures { failed = [] }
      failed.insert(card)
    }
    trimQueue(store)
    return card
  }

  mutating func retryFailures() {
    failed = []
    (sight, collected) = (nil, nil)
  }
}

extension CardsScreen {
  /// `hasFrame`: whether the cover of a card, which is a frame of its video, may bring the length.
  func cardWithoutLength(
    except failed: Set<CardID>, in store: CardStore, hasFrame: (CardID) -> Bool
  ) -> Card? {
    let areFramesShown = !layout.traits.isTable
    for index in visibleCards {
      let slot = cards[index]
      guard store[slot].lacksLength, !failed.contains(store[slot].id) else { continue }
      if areFramesShown, store[slot].video.covers.first?.url.frame != nil, hasFrame(store[slot].id) { continue }
      return store[slot]
    }
    return nil
  }
}

extension Card {
  /// Whether a program on this machine may find the length.
  var lacksLength: Bool {
    video.duration == nil && video.isPartial && video.live == nil && video.playbackURL?.file != nil
  }
}
