import FeedfallFeeds
import FeedfallScreen
import FeedfallText

typealias FeedLoader = Loader<FeedCursor, FeedFailure>

struct SourceState: Equatable, Sendable {
  let id: SourceID
  var settings: SourceSettings
  private(set) var isClosed = false
  /// The text of its scope, which stored facts name; nil for a source without an address, such as a search.
  let scope: String?
  /// The source's list: its cards in the order of the source.
  var slots: [CardSlot] = []
  var loader: FeedLoader
  var details = DetailsRequests()
  var cached = CachedPages()
  /// Prevents the next refresh until its wait has elapsed.
  var refreshPause: Ticket?
  /// The wait before the next refresh by time.
  var schedule: Ticket?
  let origin: PageQuota.Origin
  /// The mean time between the videos of the last first page in seconds.
  private(set) var publishInterval: Int?
  /// The number of videos that the feed states.
  private(set) var total: Int?
  /// The number of items that could not be decoded.
  private(set) var skippedCount = 0
  /// The time of the last first page.
  private(set) var updatedAt: UnixTime?
  /// Whether a first page has arrived that is not from the cache.
  private(set) var hasAnswered = false
  /// The time of the first of the empty first pages since one with videos.
  private var emptySince: UnixTime?
  /// Increases with each page, which may change the list and its new cards, and with each mark of its videos.
  private(set) var revision = 0
  /// The cards that the last first page has added to a list.
  private(set) var newCards: Set<CardSlot> = []
  var distinction: String?
  private var title: String?
  private var summary: String?
  private var cover: WebAddress?

  init(id: SourceID, settings: SourceSettings) {
    self.id = id
    self.settings = settings
    origin = PageQuota.Origin(isLocal: settings.isLocal, address: settings.address)
    scope = settings.address.isEmpty ? nil : FeedScope(source: settings.address).text
    loader = Loader(firstCursor: .start, debounce: settings.debounce, tickets: TicketOffice(number: id.number))
  }

  /// Stands for a source that the user has closed.
  init(closed id: SourceID) {
    self.init(id: id, settings: SourceSettings(name: "", isLocal: true))
    isClosed = true
  }

  func collectionHeader(withPicture hasPicture: Bool, _ widths: TextWidths) -> CollectionHeader? {
    summary.map {
      CollectionHeader(
        title: ownName, summary: $0, picture: hasPicture ? cover.map { Card(picture: $0, of: id) } : nil,
        widths: widths)
    }
  }

  /// The name, which other sources may have as well.
  var ownName: String { settings.givenName ?? (keepsName ? nil : title) ?? settings.name }
  private var keepsName: Bool { settings.isGrouped || settings.isSearch }
  var name: String { distinction.map { "\(ownName) (\($0))" } ?? ownName }

  /// Whether the records remember it, so that its videos do not count as new ones of a new source.
  var isKnowable: Bool { settings.isSubscription && !settings.isLocal && settings.list == nil }

  var isPageRequested: Bool { if case .loading = loader.phase { true } else { false } }
  var isLoading: Bool { isPageRequested || details.isPending }

  /// Whether it has neither a page nor a failure.
  var isUntried: Bool { loader.position == .nothingLoaded && loader.phase == .resting }

  var isRefreshing: Bool { loader.headerState == .refreshing }
  var hasFailed: Bool { if case .failed = loader.phase { true } else { false } }

  var isAtEnd: Bool { if case .end = loader.position { true } else { false } }
  var hasMore: Bool { if case .next = loader.position { true } else { false } }

  /// Whether pages without new videos have interrupted loading.
  var isPaused: Bool { if case .paused = loader.position { true } else { false } }

  var isExhausted: Bool { loader.phase == .resting && isAtEnd }

  /// In seconds.
  private static let emptyPause = 86_400

  /// Whether an empty first page leaves the list as it is: a server in maintenance may answer it.
  func keepsList(at now: UnixTime) -> Bool {
    guard !slots.isEmpty else { return false }
    guard let emptySince else { return true }
    let (seconds, overflow) = now.seconds.subtractingReportingOverflow(emptySince.seconds)
    return overflow || seconds < Self.emptyPause
  }

  mutating func marksChanged() { revision += 1 }

  mutating func updateFacts(from arrival: PageArrival, _ change: PageArrival.Change?, at now: UnixTime) {
    let page = arrival.page
    revision += 1
    if case .kept = change {
      emptySince = emptySince ?? now
      return
    }
    if case .replace = arrival.purpose, !page.videos.isEmpty { emptySince = nil }
    if arrival.purpose != .append, arrival.purpose != .lastAgain { updatedAt = page.savedAt ?? now }
    switch arrival.purpose {
    case .replace: (newCards, hasAnswered) = (Set(change?.addedToList ?? []), true)
    case .lastAgain: newCards.formUnion(change?.addedToList ?? [])
    case .cached, .append: break
    }
    publishInterval = Self.publishInterval(of: page.videos) ?? publishInterval
    title = page.title ?? title
    summary = page.summary ?? summary
    cover = page.cover ?? cover
    switch (arrival.purpose, change) {
    case (.cached, _), (.append, _), (.lastAgain, _):
      skippedCount += page.skippedCount
      total = page.total ?? total
    case (.replace, .joined(_, let added)), (.replace, .merged(_, let added)):
      total = page.total ?? total.map { $0 + min(added.count, Int.max - $0) }
    case (.replace, .repeated(_, replacesList: false)): total = page.total ?? total
    case (.replace(let isFirst), _):
      skippedCount = page.skippedCount + (isFirst ? 0 : skippedCount)
      total = page.total
    }
  }
}

extension SourceState {
  private static func publishInterval(of videos: [Video]) -> Int? {
    let times = videos.compactMap { $0.published?.seconds }
    guard times.count > 1, let first = times.min(), let last = times.max() else { return nil }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    return overflow ? nil : span / (times.count - 1)
  }

  /// The ticket is the loader's, so that it names the source.
  mutating func requestCachedPage(at cursor: FeedCursor) -> [AppEffect] {
    cached.request(cursor, of: id) { loader.issueTicket() }
  }

  func cacheUse(for ticket: Ticket) -> CacheUse {
    loader.request(of: ticket)?.purpose == .replace || isAtEnd ? .revalidated : .whileFresh
  }
}

extension SourceState {
  struct CachedPages: Equatable, Sendable {
    private(set) var ticket: Ticket?
    /// The start of the page requested last.
    private(set) var cursor: FeedCursor?
    /// The cursors requested since the last page from the source itself: cached pages may form a cycle.
    private var requested: Set<FeedCursor> = []
    /// The age of the shown pages in seconds; nil if the source itself has answered.
    private(set) var age: Int?

    var isPending: Bool { ticket != nil }

    mutating func request(_ cursor: FeedCursor, of source: SourceID, ticket: () -> Ticket) -> [AppEffect] {
      guard !isPending, requested.insert(cursor).inserted else { return [] }
      let ticket = ticket()
      (self.ticket, self.cursor) = (ticket, cursor)
      return [.requestPage(source, cursor, .onlyIfCached, ticket)]
    }

    mutating func pageArrived(_ page: FeedPage, at now: UnixTime) {
      ticket = nil
      age = page.savedAt.map { max(0, now.seconds - $0.seconds) }
    }

    mutating func pageFailed() { ticket = nil }

    mutating func reset() -> [AppEffect] {
      defer { self = CachedPages() }
      return ticket.map { [.cancel($0)] } ?? []
    }
  }
}

struct PageArrival: Sendable {
  enum Purpose: Equatable, Sendable {
    /// A cached page, shown until the source answers.
    case cached
    case append
    /// The last page, requested once more.
    case lastAgain
    /// The first page, or its successor if the first one is empty.
    case replace(isFirst: Bool)

    var isRefresh: Bool { if case .replace = self { true } else { false } }
  }

  var source: SourceID
  var ticket: Ticket
  var purpose: Purpose
  var page: FeedPage
}

extension PageArrival {
  enum KeptPlace: Equatable, Sendable {
    /// The start of the tab; the cards may change.
    case start
    case card(CardID?)
  }

  enum Change: Sendable {
    case appended([CardSlot])
    /// The list has grown by these cards since its end was reached.
    case grown([CardSlot])
    /// The first page is empty; the list stays.
    case kept
    /// A first page has replaced the list. `added` are the cards that were not in it; nil if it was empty.
    case replaced([CardSlot], added: [CardSlot]?)
    /// The list begins with a first page, and goes on with the cards that are not in it. `added` are new.
    case merged([CardSlot], added: [CardSlot])
    /// The new cards of a first page have gone above the list, whose order stays.
    case joined([CardSlot], added: [CardSlot])
    /// A first page has replaced the list or gone above it, without a change of the list or of a card.
    case repeated([CardSlot], replacesList: Bool)

    /// The cards that a first page has added to a list with cards.
    var addedToList: [CardSlot]? {
      switch self {
      case .appended, .kept: nil
      case .repeated: []
      case .grown(let added): added
      case .replaced(_, let added): added
      case .merged(_, let added), .joined(_, let added): added
      }
    }

    var replacesList: Bool {
      switch self {
      case .replaced: true
      case .repeated(_, let replacesList): replacesList
      case .appended, .grown, .kept, .merged, .joined: false
      }
    }
  }
}
