import FeedfallText
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

/// Feeds whose servers have changed since they were cached.
@Suite(.hangLimit, .serialized) struct WebSourceTests {
  private static func page(naming feed: String) -> String {
    "<!doctype html><title>Films</title><link rel=alternate type=application/rss+xml href=\(feed)>"
  }

  private static let freshForLong = ["Cache-Control": "max-age=900"]

  /// A feed larger than one read.
  private static func large(_ numbers: Range<Int>) -> String {
    let padding = String(repeating: "x", count: 400)
    let items = numbers.map {
      "{\"title\": \"Film \($0)\", \"flv\": \"https://v.example/\($0).mp4\", \"summary\": \"\(padding)\"}"
    }
    return "{\"data\": {\"info_list\": [\(items.joined(separator: ","))], \"end\": 0}}"
  }

  @Test(arguments: [404, 200])
  func `a web page that names another feed now leads to it in spite of the cache`(oldStatus: Int) async throws {
    let isNew = Mutex(false)
    try await withCacheWorld { request in
      switch (request.path, isNew.withLock { $0 }) {
      case ("/", false): .answer(.html(Self.page(naming: "/old.xml")))
      case ("/", true): .answer(.html(Self.page(naming: "/new.xml")))
      case ("/old.xml", true): .answer(TestAnswer(films(0..<1), status: oldStatus))
      case ("/old.xml", false): .answer(TestAnswer(films(0..<1)))
      case ("/new.xml", _): .answer(TestAnswer(films(1..<3)))
      default: .answer(TestAnswer("", status: 404))
      }
    } _: { world in
      #expect(try await world.source("/").page(.start).titles == ["Film 0"])
      isNew.withLock { $0 = true }
      let source = try world.source("/")
      #expect(await source.page(.start, .onlyIfCached).titles == ["Film 0"])
      #expect(await source.page(.start, .whileFresh).titles == ["Film 1", "Film 2"])
    }
  }

  @Test func `a web page that arrives after a refresh does not bring back the old feed`() async throws {
    let isNew = Mutex(false)
    let gate = Gate()
    try await withCacheWorld { request in
      switch (request.target, isNew.withLock { $0 }) {
      case ("/", let isNew): return .answer(.html(Self.page(naming: isNew ? "/new.xml" : "/old.xml")))
      case ("/old.xml", false): return .answer(TestAnswer(films(0..<1, next: "/old.xml?p=2")))
      case ("/old.xml?p=2", _):
        gate.pass()
        return .answer(TestAnswer(films(1..<2)))
      case ("/new.xml", true): return .answer(TestAnswer(films(2..<4)))
      default: return .answer(TestAnswer("", status: 404))
      }
    } _: { world in
      let source = try world.source("/")
      let next = try #require(await source.page(.start).next)
      let late = Task { await source.page(next) }
      try await eventually("the request for the second page") { world.server.requests.last?.target == "/old.xml?p=2" }
      isNew.withLock { $0 = true }
      #expect(await source.page(.start).titles == ["Film 2", "Film 3"])
      gate.open()
      #expect(await late.value.titles == ["Film 1"])
      let count = world.server.requests.count
      #expect(await source.page(.start).titles == ["Film 2", "Film 3"])
      #expect(world.server.requests.dropFirst(count).map(\.target) == ["/new.xml"])
    }
  }

  @Test func `if the feed named by a web page is gone, the web page is requested once more`() async throws {
    let isNew = Mutex(false)
    try await withCacheWorld { request in
      switch (request.path, isNew.withLock { $0 }) {
      case ("/", let isNew): .answer(.html(Self.page(naming: isNew ? "/new.xml" : "/old.xml")))
      case ("/old.xml", false): .answer(TestAnswer(films(0..<1)))
      case ("/new.xml", true): .answer(TestAnswer(films(1..<3)))
      default: .answer(TestAnswer("", status: 404))
      }
    } _: { world in
      let source = try world.source("/")
      #expect(await source.page(.start).titles == ["Film 0"])
      isNew.withLock { $0 = true }
      #expect(await source.page(.start).titles == ["Film 1", "Film 2"])
    }
  }

  @Test func `an address that once led to a feed and now is one is cached as one`() async throws {
    let isFeed = Mutex(false)
    try await withCacheWorld { request in
      switch (request.path, isFeed.withLock { $0 }) {
      case ("/", false): .answer(.html(Self.page(naming: "/feed.json")))
      case ("/feed.json", _): .answer(TestAnswer(Self.large(0..<1000)))
      case ("/", true): .answer(TestAnswer(films(5000..<5003)))
      default: .answer(TestAnswer("", status: 404))
      }
    } _: { world in
      let first = try await world.source("/").page(.start).get()
      #expect(first.videos.count == 1000)
      isFeed.withLock { $0 = true }
      #expect(try await world.source("/").page(.start).titles?.count == 3)
      #expect(try await world.source("/").page(.start, .onlyIfCached).titles?.count == 3)
    }
  }

  @Test(arguments: ["replaced", "replaced by another program", "not to be stored", "gone for another program"])
  func `a large feed continues after a new answer has replaced it`(how: String) async throws {
    let isNew = Mutex(false)
    try await withCacheWorld { _ in
      guard isNew.withLock({ $0 }) else {
        return .answer(TestAnswer(Self.large(0..<3000), headers: Self.freshForLong))
      }
      return .answer(
        TestAnswer(
          Self.large(0..<3001), headers: how.hasPrefix("replaced") ? Self.freshForLong : ["Cache-Control": "no-store"])
      )
    } _: { world in
      _ = try await world.source("/feed").page(.start, .whileFresh).get()
      let source = try world.source("/feed")
      var page = try await source.page(.start, .whileFresh).get()
      var titles = Set(page.videos.map(\.title))
      #expect(titles.count == 60)
      // Refreshes, then continues at the old position.
      isNew.withLock { $0 = true }
      let asking = how.hasSuffix("program") ? try world.source("/feed") : source
      #expect(await asking.page(.start, .revalidated).titles?.count == 3001)
      while let next = page.next, titles.count < 3001 {
        page = try await source.page(next, .whileFresh).get()
        titles.formUnion(page.videos.map(\.title))
      }
      #expect(titles.count == 3001)
    }
  }

  @Test func `the lists of a list are cached under their names, however long the first one is`() async throws {
    @Sendable func talks(_ numbers: Range<Int>, _ title: String) -> String {
      let padding = String(repeating: "x", count: 400)
      let items = numbers.map {
        "{\"guid\":\"\($0)\",\"title\":\"Talk \($0)\",\"frontend_link\":\"https://t.example/v/\($0)\","
          + "\"description\":\"\(padding)\"}"
      }
      return "{\"title\":\"\(title)\",\"events\":[\(items.joined(separator: ","))]}"
    }
    let conferences = #"""
      {"conferences":[
      {"slug":"a","url":"/conferences/a","event_last_released_at":"2024-01-01T00:00:00Z"},
      {"slug":"b","url":"/conferences/b","event_last_released_at":"2020-01-01T00:00:00Z"}]}
      """#
    try await withCacheWorld { request in
      switch request.path {
      case "/conferences": .answer(TestAnswer(conferences, headers: Self.freshForLong))
      case "/conferences/a": .answer(TestAnswer(talks(0..<1000, "A"), headers: Self.freshForLong))
      default: .answer(TestAnswer(talks(1000..<1002, "B"), headers: Self.freshForLong))
      }
    } _: { world in
      let loaded = try await allPages(of: world.source("/conferences"), .revalidated).flatMap(\.videos)
      for use in [CacheUse.onlyIfCached, .whileFresh] {
        let cached = try await allPages(of: world.source("/conferences"), use).flatMap(\.videos)
        #expect(cached.map(\.group) == loaded.map(\.group) && cached.map(\.id) == loaded.map(\.id))
      }
    }
  }

  @Test func `a cancelled request for a page without a feed is a cancellation`() async throws {
    let isSilent = Mutex(false)
    try await withCacheWorld { _ in
      isSilent.withLock { $0 } ? .silence : .answer(.html("<!doctype html><title>Films</title>"))
    } _: { world in
      let source = try world.source("/")
      #expect(await source.page(.start).titles == nil)
      isSilent.withLock { $0 = true }
      let count = world.server.requests.count
      let page = Task { await source.page(.start) }
      try await eventually("the second request") { world.server.requests.count > count }
      page.cancel()
      #expect(await page.value == .failure(.cancelled))
    }
  }

  @Test func `an answer that is no page does not replace a cached one`() async throws {
    @Sendable func commons(_ request: TestRequest) -> TestAnswer {
      let page = Int(request.query["gcmcontinue"]?.split(separator: "%").first ?? "0") ?? -1
      let film =
        #"{"pageid":\#(page),"title":"File:\#(page).webm","videoinfo":[{"duration":5,"url":"https://u.example/\#(page).webm"}]}"#
      return TestAnswer(
        #"{"continue":{"gcmcontinue":"\#(page + 1)|x","continue":"gcmcontinue||"},"query":{"pages":[\#(film)]}}"#)
    }
    let isBroken = Mutex(false)
    try await withCacheWorld { request in
      let isLater = request.query["gcmcontinue"] != nil
      if isLater, isBroken.withLock({ $0 }) { return .answer(TestAnswer(#"{"error":{"code":"maxlag"}}"#)) }
      return .answer(commons(request))
    } _: { world in
      let path = "/w/api.php?action=query"
      let whole = try await world.source(path).page(.start).get()
      #expect(whole.videos.count == 5)
      isBroken.withLock { $0 = true }
      #expect(try await world.source(path).page(.start).titles?.count == 1)
      #expect(try await world.source(path).page(.start, .onlyIfCached).titles?.count == 5)
    }
  }

  @Test func `the form of the first request that worked is remembered by the next program`() async throws {
    try await withCacheWorld { request in
      .answer(request.query.isEmpty ? TestAnswer(articles(0..<3)) : TestAnswer("", status: 422))
    } _: { world in
      for _ in 0..<3 {
        let page1 = try await world.source("/videos.json").page(.start).get()
        #expect(page1.videos.count == 3)
      }
      let plain = "/videos.json"
      #expect(world.server.requests.map(\.target) == ["\(plain)?page=0&size=20", plain, plain, plain])
    }
  }
}
