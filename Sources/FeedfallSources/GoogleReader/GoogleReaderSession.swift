import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// The authorized requests of an account. The secret of the login is in memory only.
final class GoogleReaderSession: Sendable {
  private let server: GoogleReaderServer
  private let client: HTTPClient
  private let access: SourceAccess

  init(_ server: GoogleReaderServer, user: String, _ login: SourceLogin, _ client: HTTPClient) {
    self.server = server
    access = SourceAccess(to: server.base) { () async throws(FeedFailure) in
      let password = try await login.password()
      do throws(FeedFailure) { return try await Self.logIn(to: server, user: user, password, client) } catch {
        if error == FeedFailure(.loginRefused) { login.forgetPassword { $0 == password } }
        throw error
      }
    }
    self.client = access.applied(to: client)
  }

  private static let types = "application/json, text/plain;q=0.9"

  func load() -> WebLoad { client.load(nil) }

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
  func body(
    of address: WebAddress, _ load: inout WebLoad, form: FormSource? = nil
  ) async throws(FeedFailure) -> [UInt8] {
    let answer = try await renewedAnswer(to: address, &load, form)
    if let failure = answer.feedFailure { throw failure }
    return answer.body
  }

  private func renewedAnswer(
    to address: WebAddress, _ load: inout WebLoad, _ form: FormSource?
  ) async throws(FeedFailure) -> HTTPAnswer {
    let first = try await answer(to: address, &load, form)
    guard first.status == 401, first.login == .sent else { return first }
    return try await answer(to: address, &load, form)
  }

  typealias FormSource = (inout WebLoad) async throws(FeedFailure) -> String

  private func answer(
    to address: WebAddress, _ load: inout WebLoad, _ form: FormSource?
  ) async throws(FeedFailure) -> HTTPAnswer {
    try await access.prepare()
    return try await load.answer(to: address, form: try await form?(&load), accept: Self.types)
  }

  @Sendable func send(_ change: MarkChange) async -> MarkResult {
    var load = load()
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
