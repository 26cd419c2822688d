import FeedfallFeeds
import FeedfallLoading
import FeedfallText
import WaterfallEngine

/// Requests the missing lengths of visible local videos, one at a time, once scrolling has stopped. If a filter or an
/// order depends on them, those of all other videos follow.
struct LengthReader: Sendable {
  /// The facts that determine the visible cards.
  struct Sight: Equatable, Sendable {
    var tab: Int
    var kind: LayoutKind
    var offset: Int
    var viewport: Size
    var revision: Int
    /// The number of loaded videos if all their lengths matter; else 0.
    var count: Int

    init(tab: Int, cards: CardsScreen, count: Int) {
      (self.tab, kind, offset, viewport) = (tab, cards.kind, cards.offset, cards.viewport)
      (revision, self.count) = (cards.revision, count)
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
  /// The videos whose length could not be read.
  private var failed: Set<CardID> = []

  /// Whether `update` may have something to do.
  func isDue(_ new: Sight) -> Bool {
    switch phase {
    case .reading: false
    case .due: true
    case .idle, .waiting: new != sight
    }
  }

  /// Waits after a movement, or requests the next length. `next` is called only when one of them may be due.
  mutating func update(
    _ new: Sight, _ tickets: inout TicketOffice, next: (_ failed: Set<CardID>) -> Card?
  ) -> [AppEffect] {
    switch phase {
    case .reading: return []
    case .due: return request(new, &tickets, next: next)
    case .idle, .waiting:
      guard new != sight else { return [] }
      sight = new
      let canceled: [AppEffect] = if case .waiting(let ticket) = phase { [.cancel(ticket)] } else { [] }
      guard next(failed) != nil else {
        phase = .idle
        return canceled
      }
      let ticket = tickets.next()
      phase = .waiting(ticket)
      return canceled + [.wait(Self.restTime, .lengths(ticket))]
    }
  }

  private mutating func request(
    _ new: Sight, _ tickets: inout TicketOffice, next: (_ failed: Set<CardID>) -> Card?
  ) -> [AppEffect] {
    sight = new
    guard let card = next(failed) else {
      phase = .idle
      return []
    }
    let ticket = tickets.next()
    phase = .reading(ticket, card.id)
    return [.requestDetails(card.source, card.video, ticket)]
  }

  mutating func waitElapsed(_ ticket: Ticket) {
    if phase == .waiting(ticket) { phase = .due }
  }

  /// Returns the card of a finished request; nil for another ticket. `hasLength`: whether the answer has one.
  mutating func finish(_ ticket: Ticket, hasLength: Bool) -> CardID? {
    guard case .reading(ticket, let card) = phase else { return nil }
    phase = .due
    if !hasLength {
      if failed.count >= Self.maximumFailures { failed = [] }
      failed.insert(card)
    }
    return card
  }

  mutating func retryFailures() {
    failed = []
    sight = nil
  }
}

extension CardsScreen {
  /// The first visible local video without a length, apart from those in `failed`. `hasFrames`: whether the covers that
  /// are frames of videos bring the lengths.
  func cardWithoutLength(except failed: Set<CardID>, hasFrames: Bool, in store: CardStore) -> Card? {
    let areFramesShown = hasFrames && !layout.traits.isTable
    for index in visibleCards {
      let slot = cards[index]
      guard store[slot].lacksLength, !failed.contains(store[slot].id) else { continue }
      if areFramesShown, store[slot].video.covers.first?.url.frame != nil { continue }
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
