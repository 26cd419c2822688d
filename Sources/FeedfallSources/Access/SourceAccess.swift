import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// The access of one source to its server. Only the scheme, host and port of that server receive the authorization.
final class SourceAccess: Sendable {
  private let server: WebAddress
  private let provide: @Sendable () async throws(FeedFailure) -> Authorization
  private let refuse: @Sendable (Authorization) -> Void
  private let known = ObtainedValues<Authorization>()
  /// Distinguishes accesses with the same authorization.
  let account = SourceAccess.accounts.wrappingAdd(1, ordering: .relaxed).newValue

  private static let accounts = Atomic(0)
  /// The key of its only authorization.
  private static let only = ""

  /// - Parameter provide: is called until it succeeds, by one task at a time.
  init(
    to server: WebAddress, provide: @escaping @Sendable () async throws(FeedFailure) -> Authorization,
    refuse: @escaping @Sendable (Authorization) -> Void = { _ in }
  ) {
    (self.server, self.provide, self.refuse) = (server, provide, refuse)
  }

  convenience init(
    to server: WebAddress, _ login: SourceLogin,
    authorization: @escaping @Sendable (_ password: String) throws(FeedFailure) -> Authorization
  ) {
    self.init(
      to: server,
      provide: { () async throws(FeedFailure) in
        let password = try await login.password()
        do throws(FeedFailure) { return try authorization(password) } catch {
          login.forgetPassword { $0 == password }
          throw error
        }
      },
      refuse: { refused in login.forgetPassword { (try? authorization($0)) == refused } })
  }

  convenience init(to server: WebAddress, _ login: SourceLogin) {
    self.init(to: server, login) { .basic(user: login.user ?? "", password: $0) }
  }

  /// Nil for another server, and before `prepare` has succeeded.
  @Sendable func authorization(for address: WebAddress) -> Authorization? {
    address.hasSameOrigin(as: server) ? known[Self.only] : nil
  }

  /// Once for the whole run unless the server refuses the authorization.
  func prepare() async throws(FeedFailure) {
    if known[Self.only] == nil { _ = try await known.value(of: Self.only, by: provide) }
  }

  func applied(to client: HTTPClient) -> HTTPClient {
    var authorized = client
    authorized.authorization = authorization
    authorized.handleFailure = { answer in
      if answer.status == 401, answer.login == .sent, let refused = self.known.forget(Self.only) {
        self.refuse(refused)
      }
      client.handleFailure(answer)
    }
    return authorized
  }

  /// Obtains the authorization before the first request. Videos are played and covers requested with it.
  func applied(to source: PageSource, _ cache: AnswerCache) -> PageSource {
    var authorized = source.replacing(
      page: { cursor, use throws(FeedFailure) in
        // A cached answer would be from before the login was configured.
        guard use != .onlyIfCached else { throw .notCached }
        try await self.prepare()
        var page = try await source.loadPage(cursor, use)
        for index in page.videos.indices { self.authorize(&page.videos[index], cache) }
        return page
      },
      details: { video throws(FeedFailure) in
        try await self.prepare()
        var video = try await source.loadDetails(video)
        self.authorize(&video, cache)
        return video
      })
    authorized.authorization = { address in
      do { try await self.prepare() } catch { return nil }
      return self.authorization(for: address)
    }
    return authorized
  }

  private func authorize(_ video: inout Video, _ cache: AnswerCache) {
    cache.share(authorization, for: video.covers.compactMap(\.url.web).filter(server.hasSameOrigin))
    guard case .direct(let files) = video.playback else { return }
    video.playback = .direct(
      files.map { file in
        guard let authorization = file.url.web.flatMap(authorization) else { return file }
        var file = file
        file.headers = RequestHeaders(file.headers, authorization: authorization, account: account)
        return file
      })
  }
}

/// Values that are obtained once for all tasks, and again after a server has refused them.
final class ObtainedValues<Value: Equatable & Sendable>: Sendable {
  private let known = Mutex<[String: Value]>([:])
  private let requests = SharedRequests<String, Result<Value, FeedFailure>>()

  subscript(key: String) -> Value? { known.withLock { $0[key] } }

  func value(of key: String, by ask: () async throws(FeedFailure) -> Value) async throws(FeedFailure) -> Value {
    let result = await requests.answer(for: key) {
      if let value = self[key] { return .success(value) }
      let result = await Result(ask)
      if case .success(let value) = result { known.withLock { $0[key] = value } }
      return result == .failure(.cancelled) ? nil : result
    }
    guard let result else { throw .cancelled }
    return try result.get()
  }

  @discardableResult func forget(_ key: String, where isRefused: (Value) -> Bool = { _ in true }) -> Value? {
    known.withLock { known in
      guard let value = known[key], isRefused(value) else { return nil }
      return known.removeValue(forKey: key)
    }
  }
}
