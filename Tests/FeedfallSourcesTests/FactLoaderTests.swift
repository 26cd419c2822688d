import FeedfallFeeds
import FeedfallSources
import FeedfallText
import FeedfallWeb
import Synchronization
import TestServer
import TestSupport
import Testing

@Suite(.hangLimit) struct FactLoaderTests {
  private let id = "dQw4w9WgXcQ"
  private let answer =
    #"[{"videoID":"dQw4w9WgXcQ","segments":[{"segment":[1.5,20],"category":"sponsor","actionType":"skip"}]}]"#

  private func loader(_ server: TestServer, timeout: Double = hangLimitSeconds) throws -> FactLoader<[VideoSegment]> {
    var service = SponsorBlock()
    service.server = try #require(WebAddress("http://127.0.0.1:\(server.port)"))
    var options = SourceOptions()
    options.timeoutSeconds = timeout
    return FactLoader(service.segments, options: options)
  }

  @Test func `the server receives only the start of the hash, once per video`() async throws {
    let paths = Mutex<[String]>([])
    try await withServer { request in
      paths.withLock { $0.append(request.target) }
      return .answer(TestAnswer(answer))
    } _: { server in
      let loader = try loader(server)
      for _ in 0..<2 {
        #expect(try await loader.facts(of: id).get() == [VideoSegment(.sponsor, from: 1.5, to: 20)])
      }
    }
    #expect(paths.withLock { $0 } == ["/api/skipSegments/5f6b?categories=%5B%22sponsor%22%5D"])
  }

  @Test func `a 404 means that the video has no segments`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("Not Found", status: 404))
    } _: { server in
      let segments = try await loader(server).facts(of: id).get()
      #expect(segments == [])
    }
  }

  @Test func `failures are reported and not remembered`() async throws {
    let answers = Mutex([TestAnswer("", status: 500), TestAnswer("<html></html>"), TestAnswer(answer)])
    try await withServer { _ in
      .answer(answers.withLock { $0.removeFirst() })
    } _: { server in
      let loader = try loader(server)
      #expect(await loader.facts(of: id).failure?.reason == "the server answered 500 Internal Server Error")
      #expect(await loader.facts(of: id).failure?.reason == "the answer has no segments")
      #expect(try await loader.facts(of: id).get().count == 1)
    }
  }

  @Test func `an endless answer is cut off`() async throws {
    let endless = TestAnswer([UInt8](repeating: UInt8(ascii: "["), count: 3 << 20))
    try await withServer { _ in
      .answer(endless)
    } _: { server in
      let failure = try await loader(server).facts(of: id).failure
      #expect(failure?.reason.contains("2 MB") == true)
    }
  }

  @Test func `a silent server ends in a failure`() async throws {
    try await withServer { _ in
      .silence
    } _: { server in
      let failure = try await loader(server, timeout: 0.1).facts(of: id).failure
      #expect(failure?.kind == .temporary)
    }
  }

  // MARK: - Titles

  private let titles = #"{"dQw4w9WgXcQ":{"titles":[{"title":"A song","votes":1}]}}"#

  private func titleLoader(_ server: TestServer, folder: String? = nil) throws -> FactLoader<[String: String]> {
    var service = SponsorBlock()
    service.server = try #require(WebAddress("http://127.0.0.1:\(server.port)"))
    var options = SourceOptions(cache: AnswerCache(folder: folder))
    options.timeoutSeconds = hangLimitSeconds
    return FactLoader(service.titles, options: options)
  }

  @Test func `titles are cached, also for the next program`() async throws {
    try await withFolder { folder in
      try await withServer { _ in
        .answer(TestAnswer(titles))
      } _: { server in
        for _ in 0..<2 {
          let known = try await titleLoader(server, folder: folder).facts(of: "5f6b").get()
          #expect(known == ["dQw4w9WgXcQ": "A song"])
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
      let loader = try titleLoader(server)
      #expect(try await loader.facts(of: "0000").get() == [:])
      #expect(
        await loader.facts(of: "0001").failure?.reason == "the server answered 500 Internal Server Error")
      #expect(await loader.facts(of: "0002").failure?.reason == "the answer has no titles")
    }
  }
}
