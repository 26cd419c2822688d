import FeedfallText

extension AppState {
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

    /// A cover has arrived from a server. From then on, covers that fail are newer evidence than the last page; before,
    /// their server may be at fault.
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
