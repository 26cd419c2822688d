import FeedfallFeeds
import FeedfallText

extension AppState {
  /// The number of the selected tab's sources with a pending page from this machine.
  public var awaitedPageCount: Int { browsing.shownSources.count { $0.isAboutToShow } }

  /// Handles events in their order and returns the effects to carry out. First pages of different sources, failures and
  /// times to refresh that follow each other share their passes; the result is the same as if each were handled alone.
  /// `now` is in milliseconds since 1970.
  public mutating func handle(_ events: [AppEvent], at now: Int? = nil) -> [AppEffect] {
    var effects: [AppEffect] = []
    var together: Set<SourceID> = []
    for (index, event) in events.enumerated() {
      var anotherWaits = false
      if index + 1 < events.count, let batched = batched(event), let next = self.batched(events[index + 1]) {
        if case .firstPage(let source) = batched { together.insert(source) }
        // The second page of a source depends on the cards of the first.
        anotherWaits = if case .firstPage(let source) = next { !together.contains(source) } else { true }
      }
      let new = handle(event, anotherWaits: anotherWaits, at: now)
      if effects.isEmpty { effects = new } else { effects += new }
      if !anotherWaits { together = [] }
    }
    return effects
  }

  /// An event that can share its passes with others.
  private enum Batched {
    case firstPage(SourceID)
    /// It changes no cards.
    case other
  }

  /// Nil for a first page if the user has scrolled down: each one is then inserted above the visible cards.
  private func batched(_ event: AppEvent) -> Batched? {
    if case .waitElapsed(.schedule) = event { return .other }
    if case .pageFailed(let ticket, _) = event { return library.sourceOfFirstPage(for: ticket).map { _ in .other } }
    guard case .pageArrived(let ticket, _, _) = event, tabs.selected.cards.isAtTop, !tabs.selected.isCardRead else {
      return nil
    }
    return library.sourceOfFirstPage(for: ticket).map { .firstPage($0) }
  }

  /// The time for which ages are shown moves once a minute, because each change renders the ages of all cards again. An
  /// event with a time of its own sets it.
  struct SessionClock: Equatable, Sendable {
    /// In milliseconds since 1970.
    private(set) var now = 0
    private(set) var shown: UnixTime?

    /// In seconds.
    private static let step = 60

    mutating func update(with event: AppEvent, at now: Int?) {
      self.now = now ?? self.now
      let seconds = self.now / 1_000
      if let time = event.time {
        shown = time
      } else if self.now > 0, shown.map({ seconds - $0.seconds >= Self.step }) ?? true {
        shown = UnixTime(seconds: seconds)
      }
    }
  }

  mutating func detailsArrived(_ video: Video, for ticket: Ticket) -> [AppEffect] {
    if let card = lengths.finish(ticket, hasLength: video.duration?.seconds != nil, in: library.store) {
      browsing.learnSize(video.pictureSize, of: card, isFilm: true)
      return browsing.updateDuration(of: card, seconds: video.duration?.seconds.map(Double.init), at: now)
    }
    guard let (card, purposes, requests) = browsing.complete(video, for: ticket) else { return [] }
    network.serverAnswered()
    playback.update(card, in: browsing)
    let effects = browsing.storeFacts(of: card.id, fromDetails: true, at: now)
    return requests + effects + purposes.flatMap { perform($0, with: card) } + browsing.completeDetails()
  }

  private mutating func perform(_ purpose: DetailsRequest.Purpose, with card: Card) -> [AppEffect] {
    switch purpose {
    case .show, .prepare: []
    case .play: start(card)
    case .copy: browsing.copy(card.video.playbackURL, .playback)
    case .download(let quality): browsing.startDownload(of: card, quality)
    case .links: resume(on: card) { $0.openLinks() }
    case .related: resume(on: card) { $0.perform(.browse(.openRelated)) }
    }
  }

  /// Whether the network is missing, judging by the last requests.
  struct NetworkState: Equatable, Sendable {
    enum Outage: Equatable, Sendable {
      /// The page requests of all sources on servers.
      case servers
      /// Cover requests, while no page from a server has arrived since the last cover.
      case covers
    }

    private enum Evidence { case none, offline, online }

    private var (page, cover) = (Evidence.none, Evidence.none)
    /// Whether the state does not reflect a request yet.
    private(set) var isDue = false
    private(set) var outage: Outage?
    private var start: UnixTime?

    mutating func serverAnswered() { (page, isDue) = (.online, true) }

    mutating func pageFailed(_ failure: FeedFailure) {
      if failure.isOffline { page = .offline }
      isDue = true
    }

    /// From then on, covers that fail are newer evidence than the last page; before, their server may be at fault.
    mutating func coverArrived() { (page, cover, isDue) = (.none, .online, true) }

    /// Data of a film or of a download has arrived from a server, which happens several times a second.
    mutating func mediaArrived() {
      guard outage != nil || page == .offline || cover == .offline else { return }
      (cover, isDue) = (.online, true)
      if page == .offline { page = .none }
    }

    mutating func coverFailed(_ failure: FeedFailure) {
      if cover != .online, failure.isOffline { cover = .offline }
      isDue = true
    }

    mutating func update(at now: UnixTime?, lacksServers: Bool, areCoversLoading: Bool) {
      isDue = false
      switch page {
      case .offline: set(lacksServers ? .servers : nil, at: now)
      case .online:
        set(nil, at: now)
        if !areCoversLoading { cover = .none }
      case .none:
        if cover == .online { set(nil, at: now) }
        if areCoversLoading { break }
        if cover == .offline { set(.covers, at: now) }
        // The next covers start without evidence.
        cover = .none
      }
    }

    private mutating func set(_ new: Outage?, at now: UnixTime?) {
      if (outage == nil) != (new == nil) { start = new == nil ? nil : now }
      outage = new
    }

    /// In seconds; nil if it is unknown. A clock that was set back counts as no time.
    func duration(at now: UnixTime?) -> Int? {
      guard let start, let now else { return nil }
      let (distance, overflow) = now.seconds.subtractingReportingOverflow(start.seconds)
      return overflow ? nil : max(0, distance)
    }
  }
}
