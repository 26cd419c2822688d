import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// The access of one source to its server. Only the scheme, host and port of that server receive the authorization.
final class SourceAccess: Sendable {
  private let server: WebAddress
  private let provide: @Sendable () async throws(FeedFailure) -> Authorization
  private let refuse: @Sendable (Authorization) -> Void
  private let known = Mutex<Authorization?>(nil)
  /// Distinguishes accesses with the same authorization.
  let account = SourceAccess.accounts.wrappingAdd(1, ordering: .relaxed).newValue
  private let requests = SharedRequests<Int, Result<Authorization, FeedFailure>>()

  private static let accounts = Atomic(0)

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
    address.hasSameOrigin(as: server) ? known.withLock { $0 } : nil
  }

  /// Forgets an authorization that the server has refused, so that `prepare` obtains it again.
  private func forget() {
    let refused = known.withLock { known in
      defer { known = nil }
      return known
    }
    if let refused { refuse(refused) }
  }

  /// Once for the whole run unless the server refuses the authorization.
  func prepare() async throws(FeedFailure) {
    guard known.withLock({ $0 }) == nil else { return }
    let result = await requests.answer(for: 0) {
      if let authorization = known.withLock({ $0 }) { return .success(authorization) }
      let result = await Result(provide)
      if case .success(let authorization) = result { known.withLock { $0 = authorization } }
      return result == .failure(.cancelled) ? nil : result
    }
    guard let result else { throw .cancelled }
    _ = try result.get()
  }
}

extension SourceAccess {
  func applied(to client: HTTPClient) -> HTTPClient {
    var authorized = client
    authorized.authorization = authorization
    authorized.handleFailure = { answer in
      if answer.status == 401, answer.login == .sent { self.forget() }
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
