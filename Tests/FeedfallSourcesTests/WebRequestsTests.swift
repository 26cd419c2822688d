import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallSources
@testable import FeedfallWeb

@Suite(.hangLimit) struct WebRequestsTests {
  private func failure(
    _ status: Int, _ body: String = "", retryAfter: Int? = nil
  ) throws -> FeedFailure? {
    HTTPAnswer(
      status: status, body: Array(body.utf8), contentType: "",
      address: try #require(WebAddress("http://a.example/")),
      retryAfter: retryAfter
    ).feedFailure
  }

  @Test func `a success is not a failure`() throws {
    #expect(try failure(200) == nil)
    #expect(try failure(204) == nil)
  }

  @Test(arguments: [
    (404, "the server answered 404 Not Found"), (403, "the server answered 403 Forbidden"),
    (401, "the server answered 401 Unauthorized"), (410, "the server answered 410 Gone"),
    (499, "the server answered 499"), (304, "the server answered 304 Not Modified"),
    (305, "the server answered 305"),
  ])
  func `a client error is permanent`(status: Int, reason: String) throws {
    #expect(try failure(status)?.kind == .permanent)
    #expect(try failure(status)?.reason == reason)
  }

  @Test func `a server error is temporary`() throws {
    #expect(try failure(500) == FeedFailure(.temporary, "the server answered 500 Internal Server Error"))
    #expect(try failure(503)?.kind == .temporary)
    #expect(try failure(599)?.kind == .temporary)
  }

  @Test func `the server's error message is quoted`() throws {
    let body = #"{"status": 400, "detail": "Incorrect request parameters: sort"}"#
    #expect(
      try failure(400, body)?.reason
        == "the server answered 400 Bad Request: Incorrect request parameters: sort")
  }

  @Test func `a 429 waits as long as Retry-After, by default half a minute`() throws {
    #expect(try failure(429, retryAfter: 7)?.kind == .wait(seconds: 7))
    #expect(try failure(429, "<html>slow down</html>")?.kind == .wait(seconds: 30))
  }

  @Test func `a 503 with Retry-After waits as long`() throws {
    #expect(try failure(503, retryAfter: 30)?.kind == .wait(seconds: 30))
  }

  @Test func `a redirect without a target is reported`() throws {
    #expect(try failure(302)?.reason == "the server answered 302 Found without a Location header")
  }
}
