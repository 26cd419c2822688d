import FeedfallRecords
import FeedfallText

/// The unfinished downloads in their order, with the reasons why they wait. Times are seconds of any monotonic clock.
/// A failure of a server blocks it for all downloads, one of the network or the disk blocks all. When the pause is
/// over, one download probes whether the block has ended; each failed probe doubles the pause.
struct DownloadQueue: Sendable {
  private enum Phase: Equatable {
    /// May run from this time on; the failure is that of its last run.
    case waiting(from: Int, DownloadFailure?)
    case running
    /// Running, and being removed; the request has arrived since.
    case ending(DownloadRequest?)
  }

  private struct Item {
    var entry: DownloadEntry
    var phase: Phase
    var failureCount = 0
    var reported: DownloadState = .waiting

    var hosts: Set<String> { Set(entry.request.addresses.map(\.address.host)) }
  }

  private enum Scope: Hashable {
    case machine
    case host(String)
  }

  private struct Block {
    var until: Int
    var failureCount: Int
    var failure: DownloadFailure
    var probe: VideoKey?
  }

  struct Start: Equatable {
    var entry: DownloadEntry
    var isProbe: Bool
  }

  private var items: [Item] = []
  private var blocks: [Scope: Block] = [:]

  static let maximumRunningCount = 2
  /// In seconds.
  static let longestPause = 600
  /// In seconds, between attempts to acquire a lock that another program holds.
  private static let lockPause = 60

  private static func pause(after count: Int) -> Int { min(longestPause, 1 << min(max(count, 0), 10)) }

  private static func time(_ now: Int, plus seconds: Int) -> Int {
    let (sum, isTooLarge) = now.addingReportingOverflow(max(0, seconds))
    return isTooLarge ? .max : sum
  }

  var unfinished: [DownloadEntry] {
    items.compactMap { if case .ending = $0.phase { nil } else { $0.entry } }
  }

  private func index(of key: VideoKey) -> Int? { items.firstIndex { $0.entry.key == key } }

  // MARK: - Requests

  /// Whether a download runs. One that is being removed runs too, and a request for it is kept.
  mutating func isRunning(_ request: DownloadRequest) -> Bool {
    guard let index = index(of: request.key) else { return false }
    switch items[index].phase {
    case .waiting: return false
    case .running: return true
    case .ending:
      items[index].phase = .ending(request)
      return true
    }
  }

  /// If it is waiting already, its pause ends, because the user has requested it.
  mutating func add(_ entry: DownloadEntry) {
    guard let index = index(of: entry.key) else {
      items.append(Item(entry: entry, phase: .waiting(from: .min, nil)))
      return
    }
    guard case .waiting = items[index].phase else { return }
    items[index] = Item(entry: entry, phase: .waiting(from: .min, nil), reported: items[index].reported)
    unblock(scopes(of: items[index]))
  }

  /// Removes a download that waits, until a request with its addresses arrives.
  mutating func suspend(_ key: VideoKey) {
    if let index = index(of: key), case .waiting = items[index].phase { drop(index) }
  }

  /// Returns whether it runs; it is then removed when its run has ended.
  mutating func remove(_ key: VideoKey) -> Bool {
    guard let index = index(of: key) else { return false }
    if case .waiting = items[index].phase {
      drop(index)
      return false
    }
    items[index].phase = .ending(nil)
    return true
  }

  func isBeingRemoved(_ key: VideoKey) -> Bool {
    items.contains { if case .ending = $0.phase { $0.entry.key == key } else { false } }
  }

  // MARK: - Runs

  mutating func start(at now: Int) -> [Start] {
    var starts: [Start] = []
    for index in items.indices where runningCount < Self.maximumRunningCount {
      guard startTime(of: items[index]).map({ $0 <= now }) == true else { continue }
      let blocked = blockedScopes(of: items[index])
      for scope in blocked where blocks[scope]?.probe == nil { blocks[scope]?.probe = items[index].entry.key }
      items[index].phase = .running
      starts.append(Start(entry: items[index].entry, isProbe: !blocked.isEmpty))
    }
    return starts
  }

  /// Handles received bytes, which show that the server and the network work. If `isLarge`, its pauses are reset.
  mutating func progressed(_ key: VideoKey, isLarge: Bool) {
    guard let index = index(of: key) else { return }
    if isLarge { items[index].failureCount = 0 }
    unblock(workingScopes(of: items[index]))
  }

  /// Handles a file, or a failure of the address. Returns a request that has arrived during the removal.
  mutating func ended(_ key: VideoKey) -> DownloadRequest? {
    guard let index = index(of: key) else { return nil }
    unblock(workingScopes(of: items[index]))
    defer { drop(index) }
    if case .ending(let request) = items[index].phase { return request }
    return nil
  }

  /// Handles a failure other than one of the address. Returns false if the download is being removed.
  @discardableResult
  mutating func stalled(
    _ key: VideoKey, _ failure: DownloadFailure, _ obstacle: DownloadFailure.Obstacle, at now: Int
  ) -> Bool {
    guard let index = index(of: key), items[index].phase == .running else { return false }
    var item = items.remove(at: index)
    item.failureCount += 1
    let pause = max(Self.pause(after: item.failureCount), failure.pause ?? 0)
    var time = Self.time(now, plus: pause)
    switch obstacle {
    case .machine: time = max(time, block(.machine, failure, by: key, at: now))
    case .host(let host):
      time = max(time, block(.host(host), failure, by: key, at: now))
      unblock([.machine])
    case .lock: time = Self.time(now, plus: Self.lockPause)
    case .own: time = Self.time(now, plus: Self.longestPause)
    }
    for scope in blocks.keys where blocks[scope]?.probe == key { blocks[scope]?.probe = nil }
    item.phase = .waiting(from: time, failure)
    // Others probe next, in case the failure is one of this download.
    items.append(item)
    return true
  }

  mutating func released(_ key: VideoKey, at now: Int) {
    guard let index = index(of: key), case .waiting(let time, .busy) = items[index].phase else { return }
    let count = items[index].failureCount
    let next = count == 1 ? now : Self.time(now, plus: Self.pause(after: count))
    items[index].phase = .waiting(from: min(time, next), .busy)
  }

  /// The time from which a download may run; nil if no time starts one.
  func nextStart() -> Int? { runningCount < Self.maximumRunningCount ? items.compactMap(startTime).min() : nil }

  func isActive(within seconds: Int, at now: Int) -> Bool {
    runningCount > 0 || nextStart().map { $0 <= Self.time(now, plus: seconds) } == true
  }

  mutating func changes() -> [(VideoKey, DownloadState)] {
    items.indices.compactMap { index in
      guard case .waiting(_, let failure) = items[index].phase else {
        items[index].reported = .running(DownloadProgress(byteCount: 0))
        return nil
      }
      let reason = blockedScopes(of: items[index]).compactMap { blocks[$0]?.failure }.first ?? failure
      let state = reason.map { .stalled(FeedFailure($0)) } ?? DownloadState.waiting
      guard state != items[index].reported else { return nil }
      items[index].reported = state
      return (items[index].entry.key, state)
    }
  }

  // MARK: - Blocks

  private var runningCount: Int { items.count { if case .waiting = $0.phase { false } else { true } } }

  private func scopes(of item: Item) -> [Scope] { [.machine] + item.hosts.sorted().map(Scope.host) }

  /// The blocks for which an item waits. One working server is enough.
  private func blockedScopes(of item: Item) -> [Scope] {
    let blocked = scopes(of: item).filter { blocks[$0] != nil }
    let hosts = blocked.filter { $0 != .machine }
    return hosts.count < item.hosts.count ? blocked.filter { $0 == .machine } : blocked
  }

  /// The scopes that work because an item has received data. With several servers, only those that it probed count.
  private func workingScopes(of item: Item) -> [Scope] {
    item.hosts.count == 1
      ? scopes(of: item) : scopes(of: item).filter { blocks[$0]?.probe == item.entry.key } + [.machine]
  }

  private func startTime(of item: Item) -> Int? {
    guard case .waiting(var time, _) = item.phase else { return nil }
    let blocked = blockedScopes(of: item)
    if let block = blocks[.machine] {
      if block.probe != nil { return nil }
      time = max(time, block.until)
    }
    let hosts = blocked.filter { $0 != .machine }.compactMap { blocks[$0] }
    guard !hosts.isEmpty else { return time }
    return hosts.filter { $0.probe == nil }.map(\.until).min().map { max(time, $0) }
  }

  /// Returns the end of the pause. A run that began before the block does not extend it.
  private mutating func block(_ scope: Scope, _ failure: DownloadFailure, by key: VideoKey, at now: Int) -> Int {
    if let block = blocks[scope], block.probe != key, block.probe != nil || block.until > now { return block.until }
    let count = (blocks[scope]?.failureCount ?? 0) + 1
    let until = Self.time(now, plus: max(Self.pause(after: count), failure.pause ?? 0))
    blocks[scope] = Block(until: until, failureCount: count, failure: failure)
    return until
  }

  private mutating func unblock(_ scopes: [Scope]) {
    for scope in scopes { blocks[scope] = nil }
  }

  private mutating func drop(_ index: Int) {
    let key = items.remove(at: index).entry.key
    for scope in blocks.keys where blocks[scope]?.probe == key { blocks[scope]?.probe = nil }
    let used = Set(items.flatMap(scopes))
    blocks = blocks.filter { used.contains($0.key) }
  }
}
