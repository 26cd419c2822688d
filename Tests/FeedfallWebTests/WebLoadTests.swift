import FeedfallText
import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct WebLoadTests {
  private func answer(_ status: Int, retryAfter: Int? = nil) throws -> Result<HTTPAnswer, WebFailure> {
    let address = try #require(WebAddress("http://a.example/"))
    return .success(HTTPAnswer(status: status, body: [], contentType: "", address: address, retryAfter: retryAfter))
  }

  @Test func `a 500, 502 or 504 and a closed connection are retried once after a short pause`() throws {
    for result in try [500, 502, 504].map({ try answer($0) }) + [.failure(.cut)] {
      let pause = try #require(result.retryPause)
      #expect((Duration.milliseconds(200)...(.milliseconds(600))).contains(pause))
    }
  }

  @Test(arguments: [200, 304, 400, 401, 404, 429, 501, 503]) func `other answers stand`(status: Int) throws {
    #expect(try answer(status).retryPause == nil && answer(status, retryAfter: 3).retryPause == nil)
  }

  @Test(arguments: [
    WebFailure.cancelled, .notCached, .timedOut(seconds: 10), .nameNotFound(host: "a"), .tooLarge(limit: 1),
    .unreachable(.refused, host: "a"), .paused(host: "a", seconds: 1),
  ])
  func `other failures stand`(failure: WebFailure) {
    #expect(Result<HTTPAnswer, WebFailure>.failure(failure).retryPause == nil)
  }
}
