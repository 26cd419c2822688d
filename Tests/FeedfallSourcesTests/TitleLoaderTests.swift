import FeedfallFeeds
import FeedfallSources
import FeedfallText
import FeedfallWeb
import TestServer
import TestSupport
import Testing

@Suite(.hangLimit) struct TitleLoaderTests {
  private let answer = #"{"dQw4w9WgXcQ":{"titles":[{"title":"A song","votes":1}]}}"#

  private func loader(_ server: TestServer, folder: String? = nil) throws -> TitleLoader {
    var service = SponsorBlock()
    service.server = try #require(WebAddress("http://127.0.0.1:\(server.port)"))
    var options = SourceOptions(cache: AnswerCache(folder: folder))
    options.timeoutSeconds = hangLimitSeconds
    return TitleLoader(service, options: options)
  }

  @Test func `an answer is cached, also for the next program`() async throws {
    try await withFolder { folder in
      try await withServer { _ in
        .answer(TestAnswer(answer))
      } _: { server in
        for _ in 0..<2 {
          let titles = try await loader(server, folder: folder).titles(hashPrefix: "5f6b").get()
          #expect(titles == ["dQw4w9WgXcQ": "A song"])
        }
        #expect(server.requests.map(\.target) == ["/api/branding/5f6b"])
      }
    }
  }

  @Test func `a 404 means that no video has a title, and other answers are failures`() async throws {
    try await withServer { request in
      request.path.hasSuffix("0000")
        ? .answer(TestAnswer("{}", status: 404))
        : .answer(request.path.hasSuffix("0001") ? TestAnswer("", status: 500) : TestAnswer("<html></html>"))
    } _: { server in
      let loader = try loader(server)
      #expect(try await loader.titles(hashPrefix: "0000").get() == [:])
      #expect(
        await loader.titles(hashPrefix: "0001").failure?.reason == "the server answered 500 Internal Server Error")
      #expect(await loader.titles(hashPrefix: "0002").failure?.reason == "the answer has no titles")
    }
  }
}
