import FeedfallText
import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct RetryPolicyTests {
  private func pause(
    after result: Result<HTTPAnswer, WebFailure>, random: @escaping @Sendable () -> Double = { 0.5 }
  ) -> Duration? {
    RetryPolicy(random: random).pause(after: result)
  }

  private func answer(_ status: Int, retryAfter: Int? = nil) throws -> Result<HTTPAnswer, WebFailure> {
    let address = try #require(WebAddress("http://a.example/"))
    return .success(HTTPAnswer(status: status, body: [], contentType: "", address: address, retryAfter: retryAfter))
  }

  @Test(arguments: [500, 502, 504]) func `a failure of a busy server is worth a second request`(status: Int) throws {
    #expect(pause(after: try answer(status)) != nil)
  }

  @Test func `a closed connection is worth a second request`() {
    #expect(pause(after: .failure(.cut)) != nil)
  }

  @Test(arguments: [200, 304, 400, 401, 404, 429, 501, 503]) func `other answers stand`(status: Int) throws {
    #expect(pause(after: try answer(status)) == nil)
    #expect(pause(after: try answer(status, retryAfter: 3)) == nil)
  }

  @Test(arguments: [
    WebFailure.cancelled, .notCached, .timedOut(seconds: 10), .nameNotFound(host: "a"), .tooLarge(limit: 1),
    .unreachable(.refused, host: "a"), .paused(host: "a", seconds: 1),
  ])
  func `other failures stand`(failure: WebFailure) {
    #expect(pause(after: .failure(failure)) == nil)
  }

  @Test func `the pause depends on the random number alone`() throws {
    let failed = try answer(500)
    #expect(pause(after: failed) { 0 } == .milliseconds(200))
    #expect(pause(after: failed) { 0.5 } == .milliseconds(400))
    #expect(pause(after: failed) { 0.999 }.map { $0 < .milliseconds(600) } == true)
  }
}
