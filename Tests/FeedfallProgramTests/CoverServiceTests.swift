import FeedfallRuntime
import FeedfallSources
import FeedfallText
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallCore
@testable import feedfall

/// The cover service with a server.
@Suite(.hangLimit) struct CoverServiceTests {
  private func failure(_ answer: TestAnswer) async throws -> FeedFailure? {
    try await withServer { _ in
      .answer(answer)
    } _: { server in
      let services = Services(RunningSources([], configured: [], options: SourceOptions())).withCovers(SourceOptions())
      return await services.cover(try request(for: server.origin + "/a.jpg")).failure
    }
  }

  private func request(for address: String) throws -> CoverRequest {
    CoverRequest(
      addresses: [.web(try #require(WebAddress(address)))], size: Size(width: 8, height: 4),
      cellSize: Size(width: 8, height: 16), glyphs: .halves, wantsPixels: false)
  }

  @Test(arguments: [
    (
      TestAnswer("", status: 403),
      FeedFailure(.permanent, "the server answered 403 Forbidden", advice: "check whether you have access")
    ),
    (TestAnswer("", status: 500), FeedFailure(.temporary, "the server answered 500 Internal Server Error")),
    (TestAnswer.html("<p>Log in</p>"), FeedFailure(.permanent, "the cover is not a JPEG, PNG, WebP or GIF picture")),
  ])
  func `a failure reaches the core with its reason and advice`(answer: TestAnswer, expected: FeedFailure) async throws {
    #expect(try await failure(answer) == expected)
  }
}
