import FeedfallText
import Foundation
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

/// PeerTube lists, and the web pages that lead to them.
@Suite(.hangLimit, .serialized) struct PeerTubeFeedTests {
  @Test func `PeerTube pages continue after the requested count, up to the total`() async throws {
    try await withServer { request in
      let start = Int(request.query["start"] ?? "") ?? -1
      // The second page hides one video.
      return .answer(TestAnswer(peerTubeList((start..<min(start + 20, 45)).filter { $0 != 25 }, total: 45)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/api/v1/videos?sort=-views"))
      #expect(pages.map(\.videos.count) == [20, 19, 5])
      #expect(pages.map(\.total) == [45, 45, 45])
      #expect(server.requests.compactMap { $0.query["start"] } == ["0", "20", "40"])
      #expect(server.requests.allSatisfy { $0.query["count"] == "20" && $0.query["sort"] == "-views" })
    }
  }

  /// The totals of a list of 45 videos, the last of which may be deleted while it is paged.
  @Test(
    arguments: [
      { _ in 20 }, { _ in 0 }, { start in 45 - start }, { start in start }, { _ in 2_000_000_000 },
    ] as [@Sendable (Int) -> Int])
  func `PeerTube lists end at a page that is not full, whatever their total is`(
    total: @escaping @Sendable (Int) -> Int
  ) async throws {
    try await withServer { request in
      let start = Int(request.query["start"] ?? "") ?? -1
      return .answer(TestAnswer(peerTubeList(start..<max(start, min(start + 20, 45)), total: total(start))))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/api/v1/videos?sort=-views"), limit: 10)
      #expect(pages.flatMap(\.videos).count == 45)
      #expect(server.requests.count <= 4)
    }
  }

  @Test func `a file with the list of an instance is requested once`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(peerTubeList(0..<3, total: 3)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/list"), limit: 10)
      #expect(pages.map(\.videos.count) == [3] && server.requests.count == 1)
    }
  }

  @Test func `at most a hundred videos are requested of PeerTube at a time`() async throws {
    try await withServer { request in
      let start = Int(request.query["start"] ?? "") ?? 0
      return .answer(TestAnswer(peerTubeList(start..<min(start + 100, 250), total: 250)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/api/v1/videos", pageSize: 500))
      #expect(pages.map(\.videos.count) == [100, 100, 50])
      #expect(server.requests.allSatisfy { $0.query["count"] == "100" })
    }
  }

  @Test(arguments: ["/feeds/subscriptions.xml", "/feeds/subscriptions.atom"])
  func `the subscriptions of an account are a feed whose token is neither shown nor cached`(path: String) async throws {
    let target = path + "?accountId=5&token=0d1c-secret"
    try await withCacheWorld { request in
      .answer(
        [path, "/plain.xml"].contains(request.path)
          ? TestAnswer(films(1..<4), headers: ["Content-Type": "application/rss+xml", "Cache-Control": "max-age=600"])
          : TestAnswer("", status: 404))
    } _: { world in
      let source = try world.source(target)
      for _ in 0..<2 {
        let page = try await source.page(.start).get()
        #expect(page.videos.map(\.title) == ["Film 1", "Film 2", "Film 3"] && page.next == nil)
        #expect(page.videos.allSatisfy { $0.scope?.text.contains("secret") == false })
      }
      #expect(world.server.requests.map(\.target) == [target, target])
      #expect(source.name.hasSuffix(path) && !source.name.contains("secret"))
      #expect(await source.page(.start, .onlyIfCached).failure?.kind == .permanent)
      _ = try await world.source("/plain.xml").page(.start).get()
      let files = try FileManager.default.contentsOfDirectory(atPath: world.folder).map {
        try Data(contentsOf: URL(filePath: "\(world.folder)/\($0)"))
      }
      #expect(files.contains { $0.range(of: Data("/plain.xml".utf8)) != nil })
      #expect(files.allSatisfy { $0.range(of: Data("secret".utf8)) == nil })
      let failure = try await world.source("/feeds/subscriptions.xml2?token=secret").page(.start).failure
      #expect(failure?.reason.contains("secret") == false)
    }
  }

  @Test func `an empty answer ends a list in spite of a larger total`() async throws {
    try await withServer { request in
      .answer(TestAnswer(peerTubeList(request.query["start"] == "0" ? 0..<20 : 0..<0, total: 1000)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/api/v1/videos"))
      #expect(pages.map(\.videos.count) == [20, 0])
    }
  }

  @Test func `a web page of PeerTube leads to its list`() async throws {
    try await withServer { request in
      switch request.path {
      case "/api/v1/config": .answer(TestAnswer(peerTubeConfig))
      case "/api/v1/videos": .answer(TestAnswer(peerTubeList(0..<3, total: 3)))
      default: .answer(.html("<!doctype html><title>Films</title>"))
      }
    } _: { server in
      let source = try open(server.origin + "/")
      #expect(await source.page(.start).titles == ["Film 0", "Film 1", "Film 2"])
      #expect(await source.page(.start).titles?.count == 3)
      #expect(server.requests.map(\.path) == ["/", "/api/v1/config", "/api/v1/videos", "/api/v1/videos"])
    }
  }

  @Test func `a name leads to the account, or else to the channel`() async throws {
    try await withServer { request in
      switch request.path {
      case "/api/v1/config": .answer(TestAnswer(peerTubeConfig))
      case "/api/v1/video-channels/films/videos": .answer(TestAnswer(peerTubeList(0..<3, total: 3)))
      case let path where path.hasPrefix("/api/"): .answer(TestAnswer("{}", status: 404))
      default: .answer(.html("<!doctype html><title>Films</title>"))
      }
    } _: { server in
      #expect(try await open(server.origin + "/@films/videos").page(.start).titles?.count == 3)
      let failure = try await open(server.origin + "/@other").page(.start).failure
      #expect(failure?.reason.contains("404") == true)
    }
  }

  @Test func `a page of a PeerTube without a list is refused by name`() async throws {
    try await withServer { request in
      request.path == "/api/v1/config"
        ? .answer(TestAnswer(peerTubeConfig)) : .answer(.html("<!doctype html><title>Films</title>"))
    } _: { server in
      let failure = try await open(server.origin + "/about/instance").page(.start).failure
      #expect(failure?.reason == "/about/instance is not a list of videos on this PeerTube instance")
      #expect(server.requests.map(\.path) == ["/about/instance", "/api/v1/config"])
    }
  }

  @Test func `each request for a page has its own time limit`() async throws {
    try await withServer { request in
      switch request.path {
      case "/api/v1/config": .drip(TestAnswer(peerTubeConfig), everyMilliseconds: 10)
      case "/api/v1/videos": .answer(TestAnswer(peerTubeList(0..<3, total: 3)))
      default: .drip(.html("<!doctype html><title>Films</title>"), everyMilliseconds: 10)
      }
    } _: { server in
      let source = try open(server.origin + "/", timeout: 0.5)
      #expect(await source.page(.start).titles?.count == 3)
    }
  }

  @Test(arguments: [
    (TestBehaviour.silence, FeedFailure(.temporary, "no answer in 0.3 s")),
    (.raw([]), FeedFailure(.temporary, "the connection closed before the end of the answer")),
    (
      .answer(TestAnswer("", status: 429, headers: ["Retry-After": "7"])),
      FeedFailure(.wait(seconds: 7), "the server answered 429 Too Many Requests")
    ),
  ])
  func `while it is unknown whether a server is a PeerTube, its web page is not reported as one without a feed`(
    config: TestBehaviour, failure: FeedFailure
  ) async throws {
    try await withServer { request in
      request.path == "/api/v1/config" ? config : .answer(.html("<!doctype html><title>Films</title>"))
    } _: { server in
      // Only the missing answer may exceed the time-out, however busy the machine is.
      let source = try open(server.origin + "/", timeout: config == .silence ? 0.3 : 600)
      #expect(await source.page(.start).failure == failure)
    }
  }

  @Test(arguments: ["", peerTubeConfig])
  func `a web page of another server is not a feed, even with error pages like a PeerTube`(error: String) async throws {
    try await withServer { request in
      request.path == "/"
        ? .answer(.html("<!doctype html><title>Films</title>")) : .answer(TestAnswer(error, status: 404))
    } _: { server in
      let failure = try await open(server.origin + "/").page(.start).failure
      #expect(failure?.reason == "the answer is a web page (Films), not a feed")
      #expect(failure?.advice != nil)
      #expect(failure?.kind == .permanent)
    }
  }

  @Test func `a PeerTube list at another address is paged by start and count`() async throws {
    try await withServer { request in
      let start = Int(request.query["start"] ?? "") ?? 0
      let count = Int(request.query["count"] ?? "") ?? 15
      return .answer(TestAnswer(peerTubeList(start..<min(start + count, 40), total: 40)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/list"))
      #expect(pages.map(\.videos.count) == [15, 20, 5])
    }
  }
}
