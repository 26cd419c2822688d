import FeedfallFeeds
import FeedfallText
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources
@testable import FeedfallWeb

@Suite(.hangLimit, .serialized) struct OfflineTests {
  /// A kind of pagination: the user's address and the server's answers.
  struct Pagination: CustomTestStringConvertible, Sendable {
    var name: String
    var path: String
    var answering: TestServer.Answering
    var testDescription: String { name }
  }

  private static func number(_ text: String?) -> Int { Int(text ?? "") ?? 0 }

  static let paginations = [
    Pagination(name: "articles by page", path: "/feed") { request in
      let page = number(request.query["page"])
      return .answer(TestAnswer(articles(page * 2..<page * 2 + 2, end: page == 3)))
    },
    Pagination(name: "articles that count from one", path: "/feed") { request in
      let page = max(1, number(request.query["page"]))
      return .answer(TestAnswer(articles(page * 2 - 2..<page * 2, end: page == 3)))
    },
    Pagination(name: "articles by template", path: "/feed/{page}/{size}") { request in
      let page = number(request.path.split(separator: "/").dropFirst().first.map(String.init))
      return .answer(TestAnswer(articles(page * 2..<page * 2 + 2, end: page == 2)))
    },
    Pagination(name: "a PeerTube behind a web page", path: "/") { request in
      let start = number(request.query["start"])
      return switch request.path {
      case "/api/v1/config": .answer(TestAnswer(peerTubeConfig))
      case "/api/v1/videos": .answer(TestAnswer(peerTubeList(start..<min(start + 20, 45), total: 45)))
      default: .answer(.html("<!doctype html><title>Films</title>"))
      }
    },
    Pagination(name: "a list of PeerTube", path: "/api/v1/videos?sort=-views") { request in
      let start = number(request.query["start"])
      return .answer(TestAnswer(peerTubeList(start..<min(start + 20, 45), total: 45)))
    },
    Pagination(name: "a feed that a web page names", path: "/") { request in
      switch request.target {
      case "/":
        .answer(
          .html("<!doctype html><title>Films</title><link rel=alternate type=application/rss+xml href=/feed.xml>"))
      case "/feed.xml": .answer(TestAnswer(films(0..<2, next: "/feed.xml?p=2")))
      case "/feed.xml?p=2": .answer(TestAnswer(films(2..<4)))
      default: .answer(TestAnswer("", status: 404))
      }
    },
    Pagination(name: "a feed behind redirects", path: "/old") { request in
      switch request.path {
      case "/old": .answer(.redirect(to: "/between", status: 302))
      case "/between": .answer(.redirect(to: "/feed.xml", status: 301))
      default: .answer(TestAnswer(films(0..<2)))
      }
    },
    Pagination(name: "JSON Feed", path: "/feed.json") { request in
      let next = request.path == "/feed.json" ? #""next_url": "/feed2.json","# : ""
      let item = "{\"id\": \"\(request.path)\", \"title\": \"Film\", \"url\": \"https://a.example/1\"}"
      return .answer(TestAnswer(#"{"version": "https://jsonfeed.org/version/1.1", \#(next) "items": [\#(item)]}"#))
    },
    Pagination(name: "a playlist", path: "/list.m3u") { _ in
      .answer(TestAnswer("#EXTM3U\n#EXTINF:60,Film\nhttps://a.example/1.mp4\n"))
    },
  ]

  @Test(arguments: paginations)
  func `every visited page of a feed is available offline`(pagination: Pagination) async throws {
    try await withCacheWorld(pagination.answering) { world in
      let pages = try await allPages(of: world.source(pagination.path), .revalidated)
      let count = world.server.requests.count
      #expect(try await allPages(of: world.source(pagination.path), .onlyIfCached) == pages)
      #expect(world.server.requests.count == count)
      #expect(try await world.source(pagination.path).page(.start, .onlyIfCached).get().savedAt != nil)
    }
  }

  @Test func `a page that was never loaded is not cached, however the feed continues`() async throws {
    try await withCacheWorld { request in
      .answer(TestAnswer(articles(request.query["page"] == nil ? 0..<2 : 2..<4)))
    } _: { world in
      #expect(try await world.source("/feed").page(.start, .onlyIfCached).failure == .notCached)
      _ = try await world.source("/feed").page(.start).get()
      let source = try world.source("/feed")
      let next = try #require(await source.page(.start, .onlyIfCached).next)
      #expect(await source.page(next, .onlyIfCached).failure == .notCached)
      #expect(world.server.requests.count == 1)
    }
  }

  @Test func `a feed named by a web page is cached even if the web page must not be stored`() async throws {
    let head = "<!doctype html><title>Films</title><link rel=alternate type=application/rss+xml href=/feed.xml>"
    try await withCacheWorld { request in
      switch request.path {
      case "/": .answer(TestAnswer(head, headers: ["Cache-Control": "no-store"]))
      case "/feed.xml": .answer(TestAnswer(films(0..<3)))
      default: .answer(TestAnswer("", status: 404))
      }
    } _: { world in
      _ = try await world.source("/").page(.start).get()
      #expect(try await world.source("/").page(.start, .onlyIfCached).titles?.count == 3)
    }
  }

  @Test func `a local source has no cached pages`() async throws {
    let source = try FeedSources.open(nil, options: SourceOptions())
    #expect(await source.page(.start, .onlyIfCached).failure == .notCached)
    #expect(await source.page(.start, .whileFresh).failure == nil)
  }

  @Test func `the details of a video are available offline`() async throws {
    let list = peerTubeList(0..<1, total: 1)
    let details = String(list.dropFirst(#"{"total": 1, "data": ["#.count).dropLast(2))
    try await withCacheWorld { request in
      request.path == "/api/v1/videos" ? .answer(TestAnswer(list)) : .answer(TestAnswer(details))
    } _: { world in
      let source = try world.source("/api/v1/videos")
      let video = try #require(await source.page(.start).get().videos.first)
      let completed = try await source.details(video).get()
      world.server.stop()
      while await source.page(.start).failure == nil {}
      #expect(try await world.source("/api/v1/videos").details(video).get() == completed)
      var unknown = video
      unknown.playback = .details(try #require(WebAddress(world.server.origin + "/unknown")), page: nil)
      #expect(try await world.source("/api/v1/videos").details(unknown).failure?.kind == .temporary)
    }
  }

  @Test(arguments: [nil, "/proc/self/feedfall", "/dev/null/feedfall", "/" + String(repeating: "x", count: 300)])
  func `without a cache folder pages load, with one notice`(folder: String?) async throws {
    try await withServer { _ in
      .answer(TestAnswer(articles(0..<3), headers: ["ETag": "1"]))
    } _: { server in
      let source = try FeedSources.open(
        server.origin + "/feed", options: SourceOptions(cache: AnswerCache(folder: folder)))
      let first = try await source.page(.start).get()
      let notice = try #require(first.notice)
      #expect(notice.hasPrefix("Could not open the cache: ") && !notice.contains("\n"))
      let second = try await source.page(.start).get()
      #expect(second.notice == nil && second.videos == first.videos)
    }
  }

  @Test func `addresses with a password are not stored`() async throws {
    try await withCacheWorld { request in
      switch request.path {
      case "/to-secret": .answer(.redirect(to: "http://ann:geheim@\(request.headers["host"] ?? "")/feed", status: 301))
      default: .answer(TestAnswer(articles(0..<3)))
      }
    } _: { world in
      let cache = AnswerCache(folder: world.folder)
      let secret = world.server.origin.replacing("http://", with: "http://ann:geheim@") + "/feed"
      for address in [secret, world.server.origin + "/to-secret"] {
        let source = try world.source(at: address, in: cache)
        #expect(await source.page(.start).titles?.count == 3)
        #expect(await source.page(.start, .onlyIfCached).failure == .notCached)
      }
      for name in ["pages.sqlite", "pages.sqlite-wal"] {
        let bytes = try fileBytes(of: world.folder + "/" + name)
        #expect(bytes.firstRange(of: Array("geheim".utf8)) == nil)
      }
    }
  }
}

/// Large documents, read only as far as their videos are requested.
@Suite(.hangLimit, .serialized) struct LargeDocumentTests {
  private static func document(_ form: String, _ count: Int) -> String {
    let numbers = 0..<count
    let padding = String(repeating: "x", count: 200)
    switch form {
    case "articles":
      let items = numbers.map {
        "{\"title\": \"Film \($0)\", \"flv\": \"https://v.example/\($0).mp4\", \"summary\": \"\(padding)\"}"
      }
      return "{\"data\": {\"info_list\": [\(items.joined(separator: ","))], \"end\": 0}}"
    default:
      return films(0..<count, next: "/second").replacing("<title>Films", with: "<title>\(padding)")
    }
  }

  @Test(arguments: ["articles", "rss"])
  func `a large document comes in pages, followed by the next document`(form: String) async throws {
    try await withCacheWorld { request in
      switch request.target {
      case "/feed": .answer(TestAnswer(Self.document(form, 3000), headers: ["Cache-Control": "max-age=900"]))
      default: .answer(TestAnswer(form == "rss" ? films(3000..<3002) : articles(3000..<3002, end: true)))
      }
    } _: { world in
      let pages = try await allPages(of: world.source("/feed"), .revalidated)
      #expect(pages.map(\.videos.count) == [3000, 2])
      let recalled = try await allPages(of: world.source("/feed"), .onlyIfCached)
      #expect(recalled.flatMap(\.videos) == pages.flatMap(\.videos))
      #expect(recalled.map(\.videos.count) == [60] + Array(repeating: 500, count: 5) + [440, 2])
      // While it is fresh, the cached document is paged in the same pagination.
      let fresh = try await world.source("/feed").page(.start, .whileFresh).get()
      #expect(fresh.videos.count == 60 && fresh.savedAt != nil)
      #expect(world.server.requests.count == 2)
    }
  }

  @Test func `a document deleted while being read fails, and the next read starts over`()
    async throws
  {
    try await withCacheWorld { _ in
      .answer(TestAnswer(Self.document("articles", 8000)))
    } _: { world in
      let cache = AnswerCache(folder: world.folder)
      let source = try world.source(at: world.server.origin + "/feed", in: cache)
      _ = try await source.page(.start).get()
      let next = try #require(await source.page(.start, .onlyIfCached).next)
      cache.apply([.notStorable(request: WebAddress(world.server.origin + "/feed")!)])
      var failure: FeedFailure?
      var cursor: FeedCursor? = next
      while failure == nil, let place = cursor {
        let result = await source.page(place, .onlyIfCached)
        failure = result.failure
        cursor = result.next
      }
      #expect(failure != nil)
      #expect(await source.page(.start).titles?.count == 8000)
    }
  }
}
