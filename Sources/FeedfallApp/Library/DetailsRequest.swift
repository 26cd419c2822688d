import FeedfallFeeds
import FeedfallRecords
import FeedfallText

extension DetailsRequest {
  enum Purpose: Equatable, Sendable {
    /// The open pane shows them.
    case show
    /// The video plays soon.
    case prepare
    case play, copy
    /// In the quality that the user has chosen; nil for the usual one.
    case download(DownloadQuality?)
    /// The links in the description, the related videos.
    case links, related

    var isAwaited: Bool {
      switch self {
      case .show, .prepare: false
      case .play, .copy, .download, .links, .related: true
      }
    }

    var needsAddress: Bool {
      switch self {
      case .play, .copy, .download: true
      case .show, .prepare, .links, .related: false
      }
    }

    fileprivate var isExclusive: Bool {
      switch self {
      case .show, .prepare, .play, .links, .related: true
      case .copy, .download: false
      }
    }

    /// The command that requests the address again.
    var command: BrowseCommand {
      switch self {
      case .play, .prepare: .play
      case .show, .copy: .copyPlaybackAddress
      case .download: .download
      case .links: .openLinks
      case .related: .openRelated
      }
    }

    var isDownload: Bool { if case .download = self { true } else { false } }

    func isLike(_ other: DetailsRequest.Purpose) -> Bool { self == other || isDownload && other.isDownload }
  }

  struct FailedAddress: Equatable, Sendable {
    var card: Card
    var purpose: DetailsRequest.Purpose
    var failure: FeedFailure
  }
}

struct DetailsRequest: Equatable, Sendable {
  /// As the source lists the video.
  let card: Card
  /// In the order in which they arose; never empty.
  fileprivate(set) var purposes: [DetailsRequest.Purpose]
  /// Nil while the request waits for its turn.
  fileprivate var ticket: Ticket?
  /// How often the server asked to wait.
  fileprivate var holdCount = 0

  fileprivate var isUrgent: Bool { purposes.contains { $0.isExclusive } }

  var awaitedPurposes: [DetailsRequest.Purpose] { purposes.filter(\.isAwaited) }
}

/// Requests each video once, in the order of the user's commands. An awaited purpose stays until it is answered, fails
/// or is withdrawn. Another video replaces only the purposes `show` and `prepare`.
struct DetailsRequests: Equatable, Sendable {
  private struct Failed: Equatable, Sendable {
    var card: CardID
    var purposes: [DetailsRequest.Purpose]
    var failure: FeedFailure
  }

  private var requests: [DetailsRequest] = []
  /// Those of the last requests, each card once.
  private var failures: [Failed] = []
  /// The server asked to wait this long before a request for any video.
  private(set) var hold: Duration?
  private var holdTicket: Ticket?

  /// The pending requests for copies and downloads.
  private static let maximumPendingCount = 2
  /// All pending requests.
  private static let maximumTotalCount = 4
  /// The limit of requests to a server that asks to wait after each one.
  private static let maximumHoldCount = 5
  private static let maximumFailureCount = 20

  // MARK: - State

  var isPending: Bool { requests.contains { $0.ticket != nil } }

  func isPending(for card: CardID) -> Bool { requests.contains { $0.card.id == card } }

  var downloads: [(card: Card, quality: DownloadQuality?)] {
    requests.flatMap { request in
      request.purposes.compactMap { if case .download(let quality) = $0 { (request.card, quality) } else { nil } }
    }
  }

  func failure(of card: CardID) -> FeedFailure? { failed(card)?.failure }

  func failedPurpose(of card: CardID) -> DetailsRequest.Purpose? { failed(card)?.purposes.last { $0.isAwaited } }

  private func failed(_ card: CardID) -> Failed? { failures.first { $0.card == card } }

  // MARK: - Purposes

  /// A download replaces one in another quality.
  mutating func add(_ purpose: DetailsRequest.Purpose, _ card: Card) {
    guard card.listed.canBeCompleted else { return }
    failures.removeAll { $0.card == card.id || purpose == .show && $0.purposes == [.show] }
    guard let index = requests.firstIndex(where: { $0.card.id == card.id }) else {
      return requests.append(DetailsRequest(card: card, purposes: [purpose]))
    }
    if let place = requests[index].purposes.firstIndex(where: purpose.isLike) {
      requests[index].purposes[place] = purpose
    } else {
      requests[index].purposes.append(purpose)
    }
  }

  /// Removes a download in any quality.
  mutating func withdraw(_ purpose: DetailsRequest.Purpose, where isMeant: (Card) -> Bool = { _ in true })
    -> [AppEffect]
  {
    for index in requests.indices where isMeant(requests[index].card) {
      requests[index].purposes.removeAll(where: purpose.isLike)
    }
    return removeUnneeded()
  }

  mutating func cancel() -> [AppEffect] {
    for index in requests.indices { requests[index].purposes = [] }
    return removeUnneeded()
  }

  private mutating func removeUnneeded() -> [AppEffect] {
    let canceled = requests.filter(\.purposes.isEmpty).compactMap(\.ticket)
    requests.removeAll(where: \.purposes.isEmpty)
    return canceled.map(AppEffect.cancel)
  }

  // MARK: - Requests

  /// Requests for the pane and the playback come first.
  mutating func start(_ nextTicket: () -> Ticket) -> [AppEffect] {
    guard hold == nil else { return [] }
    var effects: [AppEffect] = []
    for isUrgent in [true, false] {
      for index in requests.indices where requests[index].ticket == nil && requests[index].isUrgent == isUrgent {
        guard hasRoom(isUrgent: isUrgent) else { break }
        let ticket = nextTicket()
        requests[index].ticket = ticket
        effects.append(.requestDetails(requests[index].card.source, requests[index].card.listed, ticket))
      }
    }
    return effects
  }

  private func hasRoom(isUrgent: Bool) -> Bool {
    let pending = requests.filter { $0.ticket != nil }
    return pending.count < Self.maximumTotalCount
      && (isUrgent || pending.count { !$0.isUrgent } < Self.maximumPendingCount)
  }

  mutating func finish(_ ticket: Ticket) -> DetailsRequest? {
    requests.firstIndex { $0.ticket == ticket }.map { requests.remove(at: $0) }
  }

  enum Ending: Equatable, Sendable {
    case failed(DetailsRequest)
    /// The server asked to wait this long; the request is repeated then.
    case delayed(DetailsRequest, Duration)
  }

  mutating func fail(
    _ ticket: Ticket, _ failure: FeedFailure, _ nextTicket: () -> Ticket
  ) -> (ending: Ending, effects: [AppEffect])? {
    guard let index = requests.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    let effects = hold(after: failure, nextTicket)
    if let hold, !effects.isEmpty, requests[index].holdCount < Self.maximumHoldCount {
      requests[index].ticket = nil
      requests[index].holdCount += 1
      // The playback prepares its next video again by itself.
      requests[index].purposes.removeAll { $0 == .prepare }
      let delayed = requests[index]
      return (.delayed(delayed, hold), effects + removeUnneeded())
    }
    let request = requests.remove(at: index)
    failures.append(Failed(card: request.card.id, purposes: request.purposes, failure: failure))
    failures.removeFirst(max(0, failures.count - Self.maximumFailureCount))
    return (.failed(request), effects)
  }

  private mutating func hold(after failure: FeedFailure, _ nextTicket: () -> Ticket) -> [AppEffect] {
    guard case .wait(let seconds) = failure.kind else { return [] }
    let canceled: [AppEffect] = holdTicket.map { [.cancel($0)] } ?? []
    let (ticket, time) = (nextTicket(), Duration.seconds(seconds))
    (holdTicket, hold) = (ticket, time)
    return canceled + [.wait(time, .details(ticket))]
  }

  mutating func waitElapsed(_ ticket: Ticket) -> Bool {
    guard ticket == holdTicket else { return false }
    (holdTicket, hold) = (nil, nil)
    return true
  }
}

extension Library {
  /// A purpose that only one video has leaves the others.
  mutating func requestDetails(of card: Card, _ purpose: DetailsRequest.Purpose) -> [AppEffect] {
    guard sources.indices.contains(card.source.number), card.listed.canBeCompleted else { return [] }
    let canceled = purpose.isExclusive ? withdrawDetails(purpose) { $0.id != card.id } : []
    changeDetails(of: card.source) { $0.add(purpose, card) }
    return canceled + startDetails(of: card.source)
  }

  mutating func withdrawDetails(_ purpose: DetailsRequest.Purpose, where isMeant: (Card) -> Bool = { _ in true })
    -> [AppEffect]
  {
    sources.map(\.id).flatMap { source in
      let canceled = changeDetails(of: source) { $0.withdraw(purpose, where: isMeant) }
      return canceled + (canceled.isEmpty ? [] : startDetails(of: source))
    }
  }

  mutating func detailsArrived(for ticket: Ticket) -> (request: DetailsRequest, effects: [AppEffect])? {
    for source in sources.map(\.id) {
      guard let request = changeDetails(of: source, { $0.finish(ticket) }) else { continue }
      return (request, startDetails(of: source))
    }
    return nil
  }

  mutating func detailsFailed(
    _ failure: FeedFailure, for ticket: Ticket
  ) -> (ending: DetailsRequests.Ending, effects: [AppEffect])? {
    for source in sources.map(\.id) {
      guard let (ending, effects) = failDetails(of: source, ticket, failure) else { continue }
      return (ending, effects + startDetails(of: source))
    }
    return nil
  }

  mutating func detailsWaitElapsed(_ ticket: Ticket) -> [AppEffect]? {
    guard let source = sources.map(\.id).first(where: { changeDetails(of: $0) { $0.waitElapsed(ticket) } }) else {
      return nil
    }
    return startDetails(of: source)
  }
}
