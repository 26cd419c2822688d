import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// The entries of all subscriptions of an account, the newest first.
///
/// The contents of an entry are requested once. After that, only its marks are, by lists of IDs. The secret of the login
/// is in memory only.
final class GoogleReaderFeed: Sendable {
  private let server: GoogleReaderServer
  private let client: HTTPClient
  private let access: SourceAccess
  private let scope: FeedScope
  private let count: Int
  private let state = Mutex(State())

  private struct State {
    var entries: [GoogleReaderID: GoogleReaderAnswer.Entry] = [:]
    var subscriptions: [String: String] = [:]
    /// The list that the last first page began.
    var list = Rest(ids: [], continuation: nil)
    var queues = PageQueues<Rest>()
  }

  private struct Rest {
    var ids: ArraySlice<GoogleReaderID>
    /// Names the IDs that are not loaded; nil at the end.
    var continuation: String?

    var isAtEnd: Bool { ids.isEmpty && continuation == nil }
  }

  private static let defaultCount = 40
  private static let noticeOfLostMedia =
    "The server lists media without a usable address. Their pages are played instead."
  /// Beyond this count, a refresh starts over.
  private static let maximumEntryCount = 2_000
  private static let maximumAnswerCount = 10
  /// In seconds. Servers compare the limit with different times of an entry.
  private static let margin = 86_400

  private init(
    _ server: GoogleReaderServer, user: String, _ login: SourceLogin, _ client: HTTPClient, pageSize: Int?
  ) {
    self.server = server
    scope = server.scope(ofUser: user)
    count = min(max(pageSize ?? Self.defaultCount, 1), GoogleReaderServer.batchCount)
    access = SourceAccess(to: server.base) { () async throws(FeedFailure) in
      let password = try await login.password()
      do throws(FeedFailure) { return try await Self.logIn(to: server, user: user, password, client) } catch {
        if error == FeedFailure(.loginRefused) { login.forgetPassword { $0 == password } }
        throw error
      }
    }
    self.client = access.applied(to: client)
  }

  static func source(
    at address: WebAddress, named name: String, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    guard let server = GoogleReaderServer(address) else { throw .noAddress(address.text) }
    guard let login = options.login, let user = login.user else {
      throw FeedFailure(
        .permanent, "the server requires a user and a password",
        advice: "set user and password-command of this source in config.toml")
    }
    let feed = GoogleReaderFeed(server, user: user, login, client, pageSize: options.pageSize)
    let marks = MarkServer(scope: feed.scope, send: feed.send)
    return PageSource(name: name, isLocal: false, page: feed.page).withMarks { marks }
  }

  // MARK: - Pages

  @Sendable private func page(_ cursor: FeedCursor, _ use: CacheUse) async throws(FeedFailure) -> FeedPage {
    // Answers for one user are not cached.
    guard use != .onlyIfCached else { throw .notCached }
    var load = client.load(nil)
    switch cursor {
    case .start:
      var marks: [MarkedVideo] = []
      let list = try await list(&load, &marks)
      var page = try await page(of: list, &load)
      page.marks += marks
      return page
    case .page(let number):
      return try await page(of: try state.withLock { $0.queues }.rest(at: number), &load)
    case .offset, .address, .archive, .item: throw .noSuchPage
    }
  }

  /// Has at least one video unless the list ends.
  private func page(of list: Rest, _ load: inout WebLoad) async throws(FeedFailure) -> FeedPage {
    var rest = list
    var page = FeedPage(videos: [])
    for _ in 0..<Self.maximumAnswerCount where page.videos.isEmpty && !rest.isAtEnd {
      if rest.ids.isEmpty {
        rest = try await ids(GoogleReaderServer.Query(continuation: rest.continuation), &load)
      }
      let ids = rest.ids.prefix(count)
      rest.ids = rest.ids.dropFirst(count)
      page.marks += try await loadEntries(ids, &load)
      let entries = state.withLock { state in ids.compactMap { state.entries[$0] } }
      page.videos += entries.compactMap(\.video)
      if entries.contains(where: \.lacksAddress) { page.notice = Self.noticeOfLostMedia }
      page.skippedCount += ids.count - page.videos.count
    }
    if !rest.isAtEnd { page.next = state.withLock { [rest] in $0.queues.store(rest) } }
    return page
  }

  private func loadEntries(
    _ ids: ArraySlice<GoogleReaderID>, _ load: inout WebLoad
  ) async throws(FeedFailure) -> [MarkedVideo] {
    let (missing, subscriptions) = state.withLock { state in
      (ids.filter { state.entries[$0] == nil }, state.subscriptions)
    }
    guard !missing.isEmpty else { return [] }
    let body = try await body(of: server.contents, &load) { _ in GoogleReaderServer.contentsForm(missing) }
    guard let answer = GoogleReaderAnswer.entries(body, from: server, in: scope, subscriptions) else {
      throw .notGoogleReader(server)
    }
    let requested = Set(missing)
    let entries = answer.filter { requested.contains($0.id) }
    state.withLock { state in
      for entry in entries { state.entries[entry.id] = entry }
    }
    return entries.compactMap(\.marked)
  }

  // MARK: - Lists

  /// After the first time, also loads the marks of the loaded entries.
  private func list(_ load: inout WebLoad, _ marks: inout [MarkedVideo]) async throws(FeedFailure) -> Rest {
    let body = try await body(of: server.subscriptions, &load)
    guard let subscriptions = GoogleReaderAnswer.subscriptions(body) else { throw .notGoogleReader(server) }
    state.withLock { $0.subscriptions = subscriptions }
    let list: Rest
    if let since = startOfLoaded, let recent = try await recentIDs(since: since, &load, &marks) {
      list = Rest(ids: recent + olderIDs(than: recent), continuation: state.withLock { $0.list.continuation })
    } else {
      list = try await ids(GoogleReaderServer.Query(), &load)
      state.withLock { $0.entries = [:] }
    }
    state.withLock { state in
      state.list = list
      state.queues.startList()
    }
    return list
  }

  /// A time before all loaded entries; nil if there are none or too many.
  private var startOfLoaded: UnixTime? {
    state.withLock { state in
      guard state.entries.count <= Self.maximumEntryCount else { return nil }
      return state.entries.values.compactMap(\.time?.seconds).min().map { UnixTime(seconds: max(0, $0 - Self.margin)) }
    }
  }

  /// Nil if there are too many.
  /// An entry that is missing in the list of unread ones is read only if it is in the list of all, because a server may
  /// have deleted it, and times differ between servers.
  private func recentIDs(
    since: UnixTime, _ load: inout WebLoad, _ marks: inout [MarkedVideo]
  ) async throws(FeedFailure) -> ArraySlice<GoogleReaderID>? {
    guard let all = try await allIDs(GoogleReaderServer.Query(since: since), &load),
      let unread = try await allIDs(GoogleReaderServer.Query(excludesRead: true, since: since), &load)
    else { return nil }
    var marked: [Mark: Set<GoogleReaderID>] = [.watched: Set(all).subtracting(unread)]
    for mark in Mark.exchanged where mark != .watched {
      guard let ids = try await allIDs(GoogleReaderServer.Query(mark, since: since), &load) else { return nil }
      marked[mark] = Set(ids)
    }
    marks = state.withLock { state in
      all.compactMap { id in
        guard var entry = state.entries[id] else { return nil }
        entry.marks = Set(Mark.exchanged.filter { marked[$0]?.contains(id) == true })
        state.entries[id] = entry
        return entry.marked
      }
    }
    return all
  }

  /// The IDs of the last list that were not loaded. A loaded entry that is not recent was deleted.
  private func olderIDs(than recent: ArraySlice<GoogleReaderID>) -> ArraySlice<GoogleReaderID> {
    let known = Set(recent)
    return state.withLock { state in
      ArraySlice(state.list.ids.filter { !known.contains($0) && state.entries[$0] == nil })
    }
  }

  /// Nil if there are too many.
  private func allIDs(
    _ query: GoogleReaderServer.Query, _ load: inout WebLoad
  ) async throws(FeedFailure) -> ArraySlice<GoogleReaderID>? {
    var query = query
    var ids: [GoogleReaderID] = []
    var known: Set<GoogleReaderID> = []
    for _ in 0..<Self.maximumAnswerCount {
      let part = try await self.ids(query, &load)
      ids += part.ids.filter { known.insert($0).inserted }
      query.continuation = part.continuation
      guard part.continuation != nil else { return ids[...] }
    }
    return nil
  }

  private func ids(_ query: GoogleReaderServer.Query, _ load: inout WebLoad) async throws(FeedFailure) -> Rest {
    let body = try await body(of: server.ids(query), &load)
    guard let list = GoogleReaderAnswer.ids(body) else { throw .notGoogleReader(server) }
    return Rest(ids: list.ids[...], continuation: list.continuation == query.continuation ? nil : list.continuation)
  }

  // MARK: - Requests

  private static let types = "application/json, text/plain;q=0.9"

  private static func logIn(
    to server: GoogleReaderServer, user: String, _ password: String, _ client: HTTPClient
  ) async throws(FeedFailure) -> Authorization {
    var load = client.load(nil)
    let form = GoogleReaderServer.loginForm(user: user, password: password)
    let answer = try await load.answer(to: server.login, form: form, accept: Self.types)
    if [401, 403].contains(answer.status) || GoogleReaderAnswer.refusesLogin(answer.body) {
      throw FeedFailure(.loginRefused)
    }
    // The server's own words may repeat the password.
    if let failure = answer.failure { throw FeedFailure(failure) }
    guard let authorization = GoogleReaderAnswer.authorization(answer.body) else { throw .notGoogleReader(server) }
    return authorization
  }

  /// If the server has refused the authorization, which expires, a new one is obtained once.
  ///
  /// - Parameter form: may depend on the authorization; nil for a GET request.
  private func body(
    of address: WebAddress, _ load: inout WebLoad, form: FormSource? = nil
  ) async throws(FeedFailure) -> [UInt8] {
    try await renewedAnswer(to: address, &load, form).checked().body
  }

  private func renewedAnswer(
    to address: WebAddress, _ load: inout WebLoad, _ form: FormSource?
  ) async throws(FeedFailure) -> HTTPAnswer {
    let first = try await answer(to: address, &load, form)
    guard first.status == 401, first.login == .sent else { return first }
    return try await answer(to: address, &load, form)
  }

  private typealias FormSource = (inout WebLoad) async throws(FeedFailure) -> String

  private func answer(
    to address: WebAddress, _ load: inout WebLoad, _ form: FormSource?
  ) async throws(FeedFailure) -> HTTPAnswer {
    try await access.prepare()
    return try await load.answer(to: address, form: try await form?(&load), accept: Self.types)
  }

  @Sendable private func send(_ change: MarkChange) async -> MarkResult {
    var load = client.load(nil)
    do throws(FeedFailure) {
      let answer = try await renewedAnswer(to: server.tagEditing, &load) { [self] load async throws(FeedFailure) in
        GoogleReaderServer.editForm(change, token: try await token(&load))
      }
      guard let failure = answer.feedFailure else {
        return GoogleReaderAnswer.isConfirmation(answer.body) ? .sent : .failed(.notGoogleReader(server))
      }
      return MarkResult(failure, status: answer.status)
    } catch {
      return .failed(error)
    }
  }

  private func token(_ load: inout WebLoad) async throws(FeedFailure) -> String {
    guard let token = GoogleReaderAnswer.token(try await body(of: server.token, &load)) else {
      throw .notGoogleReader(server)
    }
    return token
  }
}

extension FeedFailure {
  static func notGoogleReader(_ server: GoogleReaderServer) -> FeedFailure {
    FeedFailure(
      .permanent, "\(server.base) is not a server of the Google Reader API", advice: "check the address")
  }
}
