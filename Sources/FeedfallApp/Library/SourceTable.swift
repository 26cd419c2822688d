import FeedfallFeeds
import FeedfallText

/// The facts of a source that each event reads, possibly of thousands of sources; a few bytes, unlike `SourceState`.
struct SourceStatus: Equatable, Sendable {
  let id: SourceID
  let isLocal: Bool
  /// Whether the source has a filter of its own, and whether that compares lengths or dates.
  let (hasFilter, dependsOnLength, dependsOnTime): (Bool, Bool, Bool)
  let isUntried: Bool
  let (isLoading, isPageRequested): (Bool, Bool)
  /// Whether a request or a wait for one is pending.
  let isBusy: Bool
  let isRefreshing: Bool
  let isCachedPending: Bool
  let hasFailed: Bool
  let hasShownFailure: Bool
  /// Whether the last request has failed for want of a network.
  let lacksServer: Bool
  /// Whether the server asked to wait, and whether that followed a failure.
  let (isHeld, hasHold): (Bool, Bool)
  let hasMore: Bool
  /// Whether pages without new videos have interrupted loading.
  let isPaused: Bool
  let isExhausted: Bool
  let skippedCount: Int32
  /// In seconds; nil unless cached pages are shown.
  let cachedAge: Int32?
  fileprivate let (headerRank, footerRank): (UInt8, UInt8)
  let loadedCount: Int32
  let revision: Int
  let updatedAt: UnixTime?

  fileprivate init(_ source: SourceState) {
    let (loader, filter) = (source.loader, source.settings.query.filter)
    id = source.id
    isLocal = source.settings.isLocal
    (hasFilter, dependsOnLength, dependsOnTime) = (!filter.isEmpty, filter.dependsOnLength, filter.dependsOnTime)
    isUntried = source.isUntried
    (isLoading, isPageRequested) = (source.isLoading, source.isPageRequested)
    isBusy = loader.isBusy || source.details.isPending || source.cached.isPending
    isRefreshing = source.isRefreshing
    isCachedPending = source.cached.isPending
    hasFailed = source.hasFailed
    hasShownFailure = loader.shownFailure != nil
    lacksServer = if case .failed(_, let failure, _, _) = loader.phase { failure.isOffline } else { false }
    (isHeld, hasHold) = (loader.wait != nil, loader.hold != nil)
    (hasMore, isPaused) = (source.hasMore, source.isPaused)
    isExhausted = source.isExhausted
    skippedCount = Int32(clamping: source.skippedCount)
    cachedAge = source.cached.age.map { Int32(clamping: $0) }
    (headerRank, footerRank) = (loader.headerState.rank, loader.footerState.rank)
    loadedCount = Int32(clamping: source.slots.count)
    (updatedAt, revision) = (source.updatedAt, source.revision)
  }

  /// Whether a further page is due after a wait.
  var isDebouncing: Bool { footerRank == RefreshState.willRefresh.rank }

  /// Whether a page from this machine is pending.
  var isAboutToShow: Bool { isCachedPending || (isLocal && isRefreshing) }
}

/// The sources and their statuses. Each change of a source passes through its subscript, which updates the status.
struct SourceTable: Equatable, Sendable, RandomAccessCollection {
  private var sources: [SourceState]
  private(set) var statuses: [SourceStatus]
  private var numbers: [Int]
  /// Increases with each change of a source's revision, and with the number of sources.
  private(set) var revision = 0

  init(_ sources: [SourceState]) {
    self.sources = sources
    statuses = sources.map(SourceStatus.init)
    numbers = Array(sources.indices)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { sources.count }

  subscript(number: Int) -> SourceState {
    _read { yield sources[number] }
    _modify {
      defer {
        let status = SourceStatus(sources[number])
        if status.revision != statuses[number].revision { revision += 1 }
        statuses[number] = status
      }
      yield &sources[number]
    }
  }

  mutating func append(_ new: [SourceState]) {
    sources += new
    statuses += new.map(SourceStatus.init)
    numbers = Array(sources.indices)
    revision += 1
  }

  func only(_ source: SourceID) -> SourceStatuses {
    SourceStatuses(of: self, numbers: numbers[source.number...source.number])
  }
}

/// The statuses of some sources.
struct SourceStatuses: RandomAccessCollection {
  private let table: SourceTable
  private let numbers: ArraySlice<Int>

  init(of table: SourceTable, numbers: ArraySlice<Int>) { (self.table, self.numbers) = (table, numbers) }

  var startIndex: Int { numbers.startIndex }
  var endIndex: Int { numbers.endIndex }

  subscript(index: Int) -> SourceStatus { table.statuses[numbers[index]] }

  /// The source itself, which is too large to be read for each one in each event.
  subscript(source index: Int) -> SourceState { _read { yield table[numbers[index]] } }

  func ids(where isMatch: (SourceStatus) -> Bool = { _ in true }) -> [SourceID] { filter(isMatch).map(\.id) }

  var loadedCount: Int { reduce(0) { $0 + Int($1.loadedCount) } }

  var headerState: RefreshState {
    indices.min { self[$0].headerRank < self[$1].headerRank }.map { self[source: $0].loader.headerState } ?? .idle
  }

  var footerState: RefreshState {
    indices.min { self[$0].footerRank < self[$1].footerRank }.map { self[source: $0].loader.footerState } ?? .idle
  }

  /// The time of the oldest update; nil if a source was never updated.
  var updatedAt: UnixTime? {
    var oldest: UnixTime?
    for status in self {
      guard let time = status.updatedAt else { return nil }
      if oldest.map({ time.seconds < $0.seconds }) ?? true { oldest = time }
    }
    return oldest
  }
}

extension RefreshState {
  /// The state of several sources is that of the least rank.
  fileprivate var rank: UInt8 {
    switch self {
    case .refreshing: 0
    case .willRefresh: 1
    case .holding: 2
    case .failed: 3
    case .pulling: 4
    case .idle: 5
    case .paused: 6
    case .noMoreData: 7
    }
  }
}
