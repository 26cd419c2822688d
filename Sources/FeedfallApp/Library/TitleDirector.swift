import FeedfallFeeds

/// Requests better titles of visible videos on YouTube once scrolling has stopped, two at a time. One answer has the
/// titles of many videos; none is requested twice.
struct TitleDirector: Equatable, Sendable {
  private struct Request: Equatable, Sendable {
    var ticket: Ticket
    var prefix: String
  }

  private static let restTime = Duration.milliseconds(300)
  private static let maximumRequestCount = 2
  private static let maximumTitleCount = 20_000
  /// In seconds, after the first failure and after many.
  private static let (shortestBackoff, longestBackoff) = (60, 3_600)

  private var visible: [CardSlot] = []
  private var pause = Pause()
  private var isLookDue = false
  private var requests: [Request] = []
  /// The starts of the hashes of the videos whose titles are known, or have none.
  private var answered: Set<String> = []
  /// By the IDs of videos.
  private(set) var titles: [String: String] = [:]
  /// Since the last answer.
  private var failureCount = 0
  private var hasReportedFailure = false

  /// Whether visible videos may lack a title.
  var isDue: Bool { isLookDue && !pause.isRunning }

  mutating func look(at slots: [CardSlot], _ tickets: inout TicketOffice) -> [AppEffect] {
    guard slots != visible else { return [] }
    (visible, isLookDue) = (slots, true)
    return failureCount > 0 && pause.isRunning ? [] : pause.begin(Self.restTime, &tickets, Wait.titles)
  }

  /// Requests the titles of these videos, as far as there is room. The end of a request makes others due.
  mutating func request(_ videos: [String], _ tickets: inout TicketOffice) -> [AppEffect] {
    isLookDue = false
    var effects: [AppEffect] = []
    for video in videos where requests.count < Self.maximumRequestCount {
      let prefix = SponsorBlock.hashPrefix(of: video)
      guard !answered.contains(prefix), !requests.contains(where: { $0.prefix == prefix }) else { continue }
      let ticket = tickets.next()
      requests.append(Request(ticket: ticket, prefix: prefix))
      effects.append(.requestTitles(hashPrefix: prefix, ticket))
    }
    return effects
  }

  mutating func insert(_ new: [String: String], for ticket: Ticket) {
    guard let request = finish(ticket) else { return }
    failureCount = 0
    if titles.count + new.count > Self.maximumTitleCount { (titles, answered) = ([:], []) }
    answered.insert(request.prefix)
    titles.merge(new) { $1 }
  }

  /// Waits before the next request. `isFirst`: whether no failure was reported before.
  mutating func fail(_ ticket: Ticket, _ tickets: inout TicketOffice) -> (isFirst: Bool, effects: [AppEffect]) {
    guard finish(ticket) != nil else { return (false, []) }
    let seconds = min(Self.shortestBackoff << min(failureCount, 6), Self.longestBackoff)
    failureCount += 1
    defer { hasReportedFailure = true }
    return (!hasReportedFailure, pause.begin(.seconds(seconds), &tickets, Wait.titles))
  }

  private mutating func finish(_ ticket: Ticket) -> Request? {
    isLookDue = true
    return requests.firstIndex { $0.ticket == ticket }.map { requests.remove(at: $0) }
  }

  mutating func waitElapsed(_ ticket: Ticket) { pause.end(ticket) }
}

extension AppState {
  /// Shows the known titles of visible cards, before their sizes are adopted.
  mutating func showTitles() {
    guard titles.isDue, !titles.titles.isEmpty else { return }
    for slot in titledSlots {
      guard let title = titledID(of: slot).flatMap({ titles.titles[$0] }) else { continue }
      browsing.show(title: title, of: slot)
    }
  }

  mutating func requestTitles() -> [AppEffect] {
    guard browsing.settings.requestsTitles else { return [] }
    let pause = titles.look(at: titledSlots, &tickets)
    guard titles.isDue else { return pause }
    return pause + titles.request(titledSlots.compactMap(titledID), &tickets)
  }

  /// No server is asked about the files of this machine before they are played.
  private func titledID(of slot: CardSlot) -> String? {
    let video = library.store[slot].video
    return video.playbackURL?.file == nil ? video.youTubeID : nil
  }

  /// The selected card may be shown only in the details.
  private var titledSlots: [CardSlot] {
    let cards = tabs.selected.cards
    return cards.visibleCards.map { cards.cards[$0] } + [cards.selectedSlot].compactMap(\.self)
  }
}

extension Browsing {
  fileprivate mutating func show(title: String, of slot: CardSlot) {
    guard library.store.setTitle(title, of: slot) else { return }
    let card = library.store[slot]
    tabs.updateCard(card.id, in: library)
    tabs.coverSizeArrived(slot, of: card.source, in: library)
  }
}
