import FeedfallStorage
import FeedfallText
import Glibc
import Synchronization

/// The answers of servers that are kept on disk, and the servers that want to be left alone for a while; what all
/// sources of a program share.
public final class AnswerCache: Sendable {
  /// Where all is kept; nil where nothing is kept on disk.
  package let folder: String?
  private let file: Mutex<CacheFile<AnswerStore>>
  /// Until when servers want to be left alone, in milliseconds since 1970; there even where nothing is kept on disk.
  private let holds = Mutex<[String: Int]>([:])

  /// What all kept answers may take, in bytes.
  public static let usualByteCount = 256 << 20
  /// The longest wait that is believed, in seconds.
  private static let longestHold = 86_400

  /// Keeps nothing on disk.
  public init() {
    folder = nil
    file = Mutex(CacheFile())
  }

  /// Keeps answers in a folder, which is made where it is missing; nil is a person who has no folder for them.
  public init(folder: String?, maximumByteCount: Int = AnswerCache.usualByteCount) {
    self.folder = folder
    file = Mutex(CacheFile(folder: folder, maximumByteCount: maximumByteCount))
  }

  /// Keeps answers where the environment says that caches belong: `$XDG_CACHE_HOME`, else `~/.cache`.
  ///
  /// Touches no disk before the first request.
  public static func ofPerson(
    environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
  ) -> AnswerCache {
    AnswerCache(folder: CacheFolder.path(environment: environment))
  }

  private func use<Value: Sendable>(_ work: @Sendable (AnswerStore) throws(DatabaseError) -> Value) -> Value? {
    file.withLock { file in file.use(work) }
  }

  /// What a person should know of the cache and has not been told yet, once.
  func takeNotice() -> String? { file.withLock { $0.takeNotice() } }

  /// Has a person told something that another file of the folder met, once.
  package func tell(_ notice: String) { file.withLock { $0.say(notice) } }

  // MARK: answers

  func answer(to request: WebAddress) -> KeptAnswer? {
    guard !request.namesUser else { return nil }
    return use { store throws(DatabaseError) in try store.answer(to: request) } ?? nil
  }

  func document(of request: WebAddress) -> KeptAnswer? {
    guard !request.namesUser else { return nil }
    return use { store throws(DatabaseError) in try store.document(of: request) } ?? nil
  }

  /// The whole body of an answer, which counts as a use of it; nil where it has gone meanwhile.
  func body(of answer: KeptAnswer) -> [UInt8]? {
    let body = use { store throws(DatabaseError) in try store.body(of: answer) } ?? nil
    if body != nil { noteUse(of: answer) }
    return body
  }

  func bytes(of answer: KeptAnswer, at offset: Int) -> ArraySlice<UInt8>? {
    if offset == 0 { noteUse(of: answer) }
    return use { store throws(DatabaseError) in try store.bytes(of: answer.id, at: offset) } ?? nil
  }

  /// Takes over what a load has brought; nothing with a name or a password in an address is written.
  func take(_ news: [CacheNews], at now: UnixTime = .now) {
    let news = news.filter { !$0.namesUser }
    guard !news.isEmpty else { return }
    _ = use { store throws(DatabaseError) in try store.take(news, at: now) }
  }

  /// Lets an answer stand for new ones until a time.
  func trust(_ answer: KeptAnswer, until time: UnixTime) {
    _ = use { store throws(DatabaseError) in try store.trust(answer.id, until: time) }
  }

  private func noteUse(of answer: KeptAnswer) {
    _ = use { store throws(DatabaseError) in try store.noteUse(of: answer.id, at: .now) }
  }

  // MARK: where to ask, and when

  /// The address that has taken a request's place for good.
  func target(of request: WebAddress) -> WebAddress? {
    guard !request.namesUser else { return nil }
    return use { store throws(DatabaseError) in try store.target(of: request) } ?? nil
  }

  func forgetMove(of request: WebAddress) {
    _ = use { store throws(DatabaseError) in try store.forgetMove(of: request) }
  }

  /// Leaves a server alone from now on, for so many seconds.
  func hold(_ server: String, seconds: Int) {
    let now = milliseconds()
    let end = now + min(max(seconds, 1), Self.longestHold) * 1000
    holds.withLock { $0[server] = end }
    _ = use { store throws(DatabaseError) in try store.hold(server, until: end, now: now) }
  }

  /// For how many seconds more a server wants to be left alone; nil where it may be asked.
  func secondsToWait(for server: String) -> Int? {
    let known = holds.withLock { $0[server] }
    let kept = use { store throws(DatabaseError) in try store.holdEnd(of: server) } ?? nil
    guard let end = [known, kept].compactMap({ $0 }).max() else { return nil }
    let left = (end - milliseconds() + 999) / 1000
    // A clock that was set back makes no wait longer.
    return (1...Self.longestHold).contains(left) ? left : nil
  }

  private func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}

extension AnswerCache: Equatable {
  /// Whether both are the same one.
  public static func == (left: AnswerCache, right: AnswerCache) -> Bool { left === right }
}

extension CacheNews {
  fileprivate var namesUser: Bool {
    switch self {
    case .answered(let request, let answer, _): request.namesUser || answer.address.namesUser
    case .confirmed: false
    case .notToKeep(let request): request.namesUser
    case .moved(let request, let target): request.namesUser || target.namesUser
    case .leads(let request, let document): request.namesUser || document.namesUser
    }
  }
}

extension UnixTime {
  package static var now: UnixTime { UnixTime(seconds: time(nil)) }
}

extension WebAddress {
  /// What is one server in matters of politeness: the host, and the port where one is written.
  package var server: String { port.map { "\(host):\($0)" } ?? host }
}
