import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// Answers of servers on disk, the pauses that servers asked for, and the authorizations for covers, of all sources.
public final class AnswerCache: Equatable, Sendable {
  /// Nil disables the cache on disk.
  package let folder: String?
  private let file: Mutex<CacheFile<AnswerStore>>
  /// The ends of pauses by server, in milliseconds since 1970, also if the cache on disk is disabled.
  private let pauses = Mutex<[String: Int]>([:])
  private let authorizations = Mutex<[WebAddress: @Sendable (WebAddress) -> Authorization?]>([:])

  /// The default limit on the total size of the answers, in bytes.
  public static let usualByteCount = 256 << 20
  /// In seconds.
  private static let longestPause = 86_400
  private static let maximumCoverCount = 200_000
  private static let maximumPauseCount = 4_096

  /// Disables the cache on disk.
  public init() {
    folder = nil
    file = Mutex(CacheFile())
  }

  /// Stores answers in a folder, which is created if it is missing. Nil disables the cache on disk, with a notice.
  public init(folder: String?, maximumByteCount: Int = AnswerCache.usualByteCount) {
    self.folder = folder
    file = Mutex(CacheFile(folder: folder, maximumByteCount: maximumByteCount))
  }

  /// Does not access the disk before the first request.
  package static func ofUser(_ environment: Environment = .process) -> AnswerCache {
    AnswerCache(folder: environment.cacheFolder.map { $0 + "/feedfall" })
  }

  private func use<Value: Sendable>(_ work: @Sendable (AnswerStore) throws(DatabaseError) -> Value) -> Value? {
    file.withLock { file in file.use(work) }
  }

  package func dequeueNotice() -> String? { file.withLock { $0.dequeueNotice() } }

  /// Each message is shown once.
  package func notify(_ text: String) { file.withLock { $0.notify(text) } }

  // MARK: - Answers

  package func answer(to request: WebAddress) -> CachedAnswer? {
    find(request) { store throws(DatabaseError) in try store.answer(to: request) }
  }

  package func document(of request: WebAddress) -> CachedAnswer? {
    find(request) { store throws(DatabaseError) in try store.document(of: request) }
  }

  /// Returns the address of the document to which the user's address has led; nil for itself.
  package func lead(of request: WebAddress) -> WebAddress? {
    find(request) { store throws(DatabaseError) in try store.lead(of: request) }
  }

  /// Nothing is stored about an address that contains a secret.
  private func find<Value: Sendable>(
    _ request: WebAddress, _ work: @Sendable (AnswerStore) throws(DatabaseError) -> Value?
  ) -> Value? {
    request.hasSecret ? nil : use(work) ?? nil
  }

  /// Marks the answer as used; nil if it was evicted.
  func body(of answer: CachedAnswer) -> [UInt8]? {
    let body = use { store throws(DatabaseError) in try store.body(of: answer) } ?? nil
    if body != nil { recordUse(of: answer) }
    return body
  }

  package func bytes(of answer: CachedAnswer, at offset: Int) -> ArraySlice<UInt8>? {
    if offset == 0 { recordUse(of: answer) }
    return use { store throws(DatabaseError) in try store.bytes(of: answer.id, at: offset) } ?? nil
  }

  /// Except those of addresses that contain a secret.
  func apply(_ changes: [Change], at now: UnixTime = .now) {
    let changes = changes.filter { !$0.hasSecret }
    guard !changes.isEmpty else { return }
    _ = use { store throws(DatabaseError) in try store.apply(changes, at: now) }
  }

  func extend(_ answer: CachedAnswer, until time: UnixTime) {
    _ = use { store throws(DatabaseError) in try store.extend(answer.id, until: time) }
  }

  private func recordUse(of answer: CachedAnswer) {
    _ = use { store throws(DatabaseError) in try store.recordUse(of: answer.id, at: .now) }
  }

  // MARK: - Authorizations

  /// Covers of other sources are requested without it. Neither it nor these covers are ever on disk.
  package func share(_ authorization: @escaping @Sendable (WebAddress) -> Authorization?, for covers: [WebAddress]) {
    authorizations.withLock { authorizations in
      for cover in covers {
        if authorizations.count >= Self.maximumCoverCount { authorizations = [:] }
        authorizations[cover] = authorization
      }
    }
  }

  /// As a function of the address of a request; nil for a source without a login.
  package func authorization(forCover cover: WebAddress) -> (@Sendable (WebAddress) -> Authorization?)? {
    authorizations.withLock { $0[cover] }
  }

  // MARK: - Moves and pauses

  /// Of a permanent redirect that has answered in the last 30 days.
  func target(of request: WebAddress) -> WebAddress? {
    find(request) { store throws(DatabaseError) in try store.target(of: request, at: .now) }
  }

  func removeMove(of request: WebAddress) {
    _ = use { store throws(DatabaseError) in try store.removeMove(of: request) }
  }

  /// Pauses the requests to a server; nil seconds are a `Backoff`. Returns the seconds.
  @discardableResult
  func pauseRequests(to server: String, seconds: Int?) -> Int {
    let now = SystemClock.milliseconds
    guard let seconds else { return backOff(from: server, at: now) }
    let pause = min(max(seconds, 1), Self.longestPause)
    pauseRequests(to: server, until: now + pause * 1000, now)
    return pause
  }

  private func backOff(from server: String, at now: Int) -> Int {
    // No server has a name with a blank. Both ends are stored, because the next program doubles the pause too.
    let backoffs = server + " backoff"
    let ends = [server, backoffs].map { key in
      pauses.withLock { $0[key] } ?? (use { store throws(DatabaseError) in try store.endOfPause(of: key) } ?? nil)
    }
    let last = ends[0].flatMap { end in ends[1].map { Backoff(end: end, doublesUntil: $0) } }
    let next = Backoff(after: last, at: now)
    pauseRequests(to: backoffs, until: next.doublesUntil, now)
    pauseRequests(to: server, until: next.end, now)
    return (next.end - now) / 1000
  }

  private func pauseRequests(to server: String, until end: Int, _ now: Int) {
    pauses.withLock { pauses in
      // Those on disk remain.
      if pauses.count >= Self.maximumPauseCount { pauses = [:] }
      pauses[server] = end
    }
    _ = use { store throws(DatabaseError) in try store.pauseRequests(to: server, until: end, now: now) }
  }

  func secondsToWait(for server: String) -> Int? {
    let known = pauses.withLock { $0[server] }
    let stored = use { store throws(DatabaseError) in try store.endOfPause(of: server) } ?? nil
    guard let end = [known, stored].compactMap({ $0 }).max() else { return nil }
    let left = (end - SystemClock.milliseconds + 999) / 1000
    // Setting the clock back does not extend a pause.
    return (1...Self.longestPause).contains(left) ? left : nil
  }

  enum Change: Equatable, Sendable {
    case answered(request: WebAddress, HTTPAnswer, CacheHeaders)
    case confirmed(CachedAnswer, CacheHeaders)
    case notStorable(request: WebAddress)
    case moved(request: WebAddress, target: WebAddress)
    /// The address that the user gave leads to a document at another address.
    case leads(request: WebAddress, document: WebAddress)

    fileprivate var hasSecret: Bool {
      switch self {
      // Redirects to signed addresses are usual; the answer is stored without the signature.
      case .answered(let request, let answer, _): request.hasSecret || answer.address.namesUser
      case .confirmed: false
      case .notStorable(let request): request.hasSecret
      case .moved(let request, let target): request.hasSecret || target.hasSecret
      case .leads(let request, let document): request.hasSecret || document.hasSecret
      }
    }
  }

  public static func == (left: AnswerCache, right: AnswerCache) -> Bool { left === right }
}

extension UnixTime {
  package static var now: UnixTime { UnixTime(seconds: time(nil)) }
}

extension WebAddress {
  /// The host, with the port if it is explicit.
  package var server: String { port.map { "\(host):\($0)" } ?? host }
}
