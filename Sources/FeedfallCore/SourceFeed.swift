import FeedfallLoading
import FeedfallText

/// What belongs to one source: how far it is loaded, and what it told of itself.
struct SourceFeed: Sendable {
  let id: SourceID
  let settings: SourceSettings
  var loader: AppState.FeedLoader
  var details = DetailsRequest()
  var recall = Recall()
  /// Whether a kept answer may stand for a new first page.
  var refreshUse = CacheUse.whileFresh
  /// How many videos the feed says it has.
  var total: Int?
  /// How many items of the pages so far could not be understood.
  var skippedCount = 0
  var title: String?

  init(id: SourceID, settings: SourceSettings) {
    self.id = id
    self.settings = settings
    loader = Loader(firstCursor: .start, policy: settings.policy, tickets: TicketOffice(number: id.number))
  }

  var name: String { settings.givenName ?? title ?? settings.name }

  /// Whether an answer is on its way.
  var isLoading: Bool {
    if case .loading = loader.phase { return true }
    return details.isUnderWay
  }

  /// Whether something is under way that would change the screen by itself.
  var isBusy: Bool { loader.isBusy || details.isUnderWay || recall.isUnderWay }

  /// Whether something that is on this machine already is on its way.
  var isAboutToShow: Bool { recall.isUnderWay || (settings.isLocal && isRefreshing) }

  /// Whether the first page is being asked for, at the start or anew.
  var isRefreshing: Bool { loader.headerState == .refreshing }

  var hasFailed: Bool {
    if case .failed = loader.phase { true } else { false }
  }

  var isAtEnd: Bool {
    if case .end = loader.position { true } else { false }
  }

  /// Whether it goes on behind what is loaded, as far as is known.
  var hasMore: Bool {
    if case .next = loader.position { true } else { false }
  }

  /// Whether all of it is there, and nothing is under way.
  var isExhausted: Bool { loader.phase == .resting && isAtEnd }
}
