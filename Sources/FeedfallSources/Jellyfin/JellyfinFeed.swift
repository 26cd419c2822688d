import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// The libraries of a Jellyfin server, each as a group, after the videos to continue and the next episodes.
final class JellyfinFeed: Sendable {
  private let server: JellyfinServer
  private let client: HTTPClient
  private let access: SourceAccess?
  /// Whose positions are read and written; nil for the user of the key.
  private let userName: String?
  private let count: Int
  private let now: @Sendable () -> UnixTime
  private let state = Mutex(State())

  private struct State {
    var user: User?
    /// In seconds. The times of positions are those of the server's clock.
    var serverClockLead = 0
    var queues = PageQueues<[Part]>()
  }

  private struct User {
    var id: JellyfinID
    /// Whether the key is that of an administrator, without a user: its sessions store no positions.
    var isNamed: Bool
    var key: Authorization?
  }

  private struct Part {
    enum List {
      case resumable, nextUp
      case library(JellyfinID)
    }
    var list: List
    var title: String
    var start = 0
    var lastFirstID: String?
    var emptyAnswerCount = 0
  }

  private static let defaultCount = 30
  private static let maximumCount = 200
  /// The maximum count of answers for one page, and of those without a video for one library.
  private static let (maximumAnswerCount, maximumEmptyAnswerCount) = (20, 10)
  /// In seconds. Reports are sent in order, so a slow one delays the next.
  private static let reportTimeout = 5.0

  init(
    _ server: JellyfinServer, options: SourceOptions, client: HTTPClient, _ access: SourceAccess?,
    now: @escaping @Sendable () -> UnixTime = { .now }
  ) {
    (self.server, self.now, self.client, self.access) = (server, now, client, access)
    userName = options.login?.user
    count = min(max(options.pageSize ?? Self.defaultCount, 1), Self.maximumCount)
  }

  static func source(
    at address: WebAddress, named name: String, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    guard let server = JellyfinServer(address) else { throw .noAddress(address.text) }
    let access = options.login.map { login in
      SourceAccess(to: server.base, login) { key throws(FeedFailure) in try Self.authorization(key) }
    }
    let client = access?.applied(to: client) ?? client
    let feed = JellyfinFeed(server, options: options, client: client, access)
    var source = PageSource(name: name, isLocal: false, page: feed.page).withMarks(feed.marks)
    source.report = feed.report
    return access?.applied(to: source, client.cache) ?? source
  }

  /// The header with an API key or the token of a user (`AuthorizationContext` in jellyfin/jellyfin). Commas would
  /// separate headers for mpv.
  private static func authorization(_ key: String) throws(FeedFailure) -> Authorization {
    let isValid = key.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"\\,".utf8.contains($0) }
    guard isValid, let value = HeaderValue("MediaBrowser Token=\"\(key)\"") else {
      throw .unreadablePassword
    }
    return .other(value)
  }

  // MARK: - Pages

  func page(_ cursor: FeedCursor, _ use: CacheUse) async throws(FeedFailure) -> FeedPage {
    guard use != .onlyIfCached else { throw .notCached }
    var load = client.load(nil)
    let parts: [Part]
    switch cursor {
    case .start: parts = try await self.parts(&load)
    case .page(let number): parts = try state.withLock { $0.queues }.rest(at: number)
    case .offset, .address, .archive, .item: throw .noSuchPage
    }
    let (found, rest) = try await self.page(of: parts, &load)
    var page = found
    if cursor == .start { state.withLock { $0.queues.startList() } }
    if !rest.isEmpty { page.next = state.withLock { $0.queues.store(rest) } }
    return page
  }

  /// A server may list any number of items that are no videos, so the count of answers is limited.
  private func page(
    of parts: [Part], _ load: inout WebLoad
  ) async throws(FeedFailure) -> (page: FeedPage, rest: [Part]) {
    var queue = parts[...]
    var page = FeedPage(videos: [])
    for _ in 0..<Self.maximumAnswerCount where page.videos.count < count {
      guard let part = queue.popFirst() else { break }
      let (items, rest) = try await items(of: part, &load)
      page.videos += items.videos.inGroup(part.title)
      page.marks += items.marks
      page.skippedCount += items.count - items.videos.count
      guard let rest else { continue }
      if rest.emptyAnswerCount < Self.maximumEmptyAnswerCount {
        queue.insert(rest, at: queue.startIndex)
      } else {
        page.notice = "Left out the rest of \(part.title): \(Self.maximumEmptyAnswerCount) responses had no videos."
      }
    }
    return (page, Array(queue))
  }

  private func items(
    of part: Part, _ load: inout WebLoad
  ) async throws(FeedFailure) -> (JellyfinAnswer.Items, rest: Part?) {
    let user = try await user(&load).id
    let scope = server.scope(ofUser: user)
    let request =
      switch part.list {
      case .resumable: server.resumable(of: user, count: count)
      case .nextUp: server.nextUp(of: user, count: count)
      case .library(let library): server.items(in: library, of: user, start: part.start, count: count)
      }
    let answer = try await load.answer(to: request).checked()
    guard var items = JellyfinAnswer.items(answer.body, from: server, in: scope) else { throw .notJellyfin(server) }
    let lead = adoptClock(of: answer)
    for index in items.videos.indices {
      items.videos[index].resumeTime = items.videos[index].resumeTime?.advanced(by: -lead)
    }
    var rest = part
    rest.start += items.count
    rest.emptyAnswerCount = items.videos.isEmpty ? part.emptyAnswerCount + 1 : 0
    rest.lastFirstID = items.firstID
    guard case .library = part.list, part.start == 0 || items.firstID != part.lastFirstID else { return (items, nil) }
    // Totals are unreliable, so they only continue a list whose page has fewer items than requested.
    let isFull = items.count >= count
    return (items, items.count > 0 && (isFull || rest.start < items.total) ? rest : nil)
  }

  /// Returns the lead of the server's clock in seconds, by which its times are converted to those of this machine.
  private func adoptClock(of answer: HTTPAnswer) -> Int {
    let now = now()
    return state.withLock { state in
      if let date = answer.date { state.serverClockLead = date.seconds - now.seconds }
      return state.serverClockLead
    }
  }

  private func parts(_ load: inout WebLoad) async throws(FeedFailure) -> [Part] {
    let user = try await user(&load).id
    let answer = try await load.answer(to: server.libraries(of: user)).checked()
    guard let libraries = JellyfinAnswer.libraries(answer.body) else { throw .notJellyfin(server) }
    return [Part(list: .resumable, title: "Continue watching"), Part(list: .nextUp, title: "Next up")]
      + libraries.map { Part(list: .library($0.id), title: $0.name) }
  }

  /// That of the present key: the password command may print another one after the server has refused one.
  private var knownUser: User? { state.withLock { $0.user?.key == key ? $0.user : nil } }

  private var key: Authorization? { access?.authorization(for: server.base) }

  /// Nil while the user is unknown.
  @Sendable private func marks() -> MarkServer? {
    knownUser.map { user in
      MarkServer(scope: server.scope(ofUser: user.id), batchCount: 1) { await self.send($0, of: user.id) }
    }
  }

  private func send(_ change: MarkChange, of user: JellyfinID) async -> MarkResult {
    guard let item = change.ids.first.flatMap({ JellyfinID($0) }), let body = JellyfinServer.userDataBody(change) else {
      return .failed(FeedFailure(.permanent, "the server has no such mark"))
    }
    do throws(FeedFailure) {
      var reading = self.client.load(nil)
      guard try await self.user(&reading).id == user else {
        return .failed(FeedFailure(.permanent, "the login is that of another user now"))
      }
      var client = client
      client.method = .post(json: body)
      var load = client.load(nil)
      let answer = try await load.answer(to: server.userData(of: item, user))
      if let failure = answer.feedFailure { return MarkResult(failure, status: answer.status) }
      return JellyfinAnswer.confirms(answer.body, change) ? .sent : .failed(.notJellyfin(server))
    } catch {
      return .failed(error)
    }
  }

  /// An API key has no user and can read for all users.
  private func user(_ load: inout WebLoad) async throws(FeedFailure) -> User {
    if let user = knownUser { return user }
    let user = try await requestedUser(&load)
    state.withLock { $0.user = user }
    return user
  }

  private func requestedUser(_ load: inout WebLoad) async throws(FeedFailure) -> User {
    let key = key
    let answer = try await load.answer(to: server.currentUser)
    if let failure = answer.feedFailure {
      guard [400, 403, 404].contains(answer.status) else { throw failure }
    } else {
      guard let user = JellyfinAnswer.user(answer.body) else { throw .notJellyfin(server) }
      return User(id: user.id, isNamed: false, key: key)
    }
    let list = try await load.answer(to: server.users).checked()
    guard let users = JellyfinAnswer.users(list.body) else { throw .notJellyfin(server) }
    let chosen = userName.map { name in users.filter { $0.name.lowercased() == name.lowercased() } } ?? users
    guard chosen.count == 1 else { throw .noUser(userName, count: users.count) }
    return User(id: chosen[0].id, isNamed: true, key: key)
  }

  // MARK: - Reports

  /// Sends a report to the server, if the video is from this source: another one may have another user. A failure is
  /// ignored: the next report replaces it, and the position is stored on this machine as well.
  @Sendable func report(_ report: PlaybackReport) async {
    guard report.headers?.account == access?.account, let address = report.address.web,
      address.hasSameOrigin(as: server.base),
      let version = server.version(playedFrom: address), let user = knownUser
    else { return }
    await send(JellyfinServer.sessionBody(report, of: version), to: server.reports(report.moment))
    let time = now().advanced(by: state.withLock { $0.serverClockLead })
    if user.isNamed, let data = JellyfinServer.userDataBody(report, at: time) {
      await send(data, to: server.userData(of: version.item, user.id))
    }
  }

  private func send(_ json: String, to address: WebAddress) async {
    var client = client
    client.method = .post(json: json)
    client.timeoutSeconds = Self.reportTimeout
    var load = client.load(nil)
    _ = try? await load.get(address, accept: "application/json")
  }
}

extension UnixTime {
  fileprivate func advanced(by seconds: Int) -> UnixTime { UnixTime(seconds: self.seconds + seconds) }
}

extension FeedFailure {
  fileprivate static func notJellyfin(_ server: JellyfinServer) -> FeedFailure {
    FeedFailure(
      .permanent, "\(server.base) is not a Jellyfin server of version 10.9 or newer", advice: "check the address")
  }

  fileprivate static func noUser(_ name: String?, count: Int) -> FeedFailure {
    let reason = name.map { "the server has no user \(cleanedLine($0, limit: 80))" } ?? "the server has \(count) users"
    return FeedFailure(.permanent, reason, advice: "set user of this source in config.toml")
  }
}
