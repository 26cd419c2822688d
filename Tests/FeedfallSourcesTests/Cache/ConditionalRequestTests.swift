import FeedfallText
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources
@testable import FeedfallWeb

/// Requests for cached answers.
@Suite(.hangLimit, .serialized) struct ConditionalRequestTests {
  private static let validators = ["ETag": "W/\"1 odd, tag\"", "Last-Modified": "yesterday, or so"]

  @Test func `validators are sent back unchanged, and a 304 keeps the page`() async throws {
    try await withCacheWorld { request in
      request.headers["if-none-match"] == nil
        ? .answer(TestAnswer(articles(0..<3), headers: Self.validators)) : .answer(TestAnswer("", status: 304))
    } _: { world in
      let first = try await world.source("/feed").page(.start).get()
      let second = try await world.source("/feed").page(.start).get()
      #expect(second.videos == first.videos && second.videos.count == 3)
      #expect(!first.isConfirmed && second.isConfirmed)
      let sent = world.server.requests.map { [$0.headers["if-none-match"], $0.headers["if-modified-since"]] }
      #expect(sent == [[nil, nil], ["W/\"1 odd, tag\"", "yesterday, or so"]])
    }
  }

  @Test func `a page with a new part is not confirmed, even if its last part is`() async throws {
    let version = Mutex("1")
    try await withCacheWorld { request in
      let page = Int(request.query["gcmcontinue"]?.split(separator: "%").first ?? "0") ?? -1
      let tag = page == 0 ? version.withLock { $0 } : "1"
      if request.headers["if-none-match"] == tag { return .answer(TestAnswer("", status: 304)) }
      let file = #"{"duration":5,"url":"https://u.example/\#(page).webm"}"#
      let film = #"{"pageid":\#(page),"title":"File:\#(page).webm","videoinfo":[\#(file)]}"#
      let more = #"{"gcmcontinue":"\#(page + 1)|x","continue":"gcmcontinue||"}"#
      return .answer(TestAnswer(#"{"continue":\#(more),"query":{"pages":[\#(film)]}}"#, headers: ["ETag": tag]))
    } _: { world in
      func isConfirmed() async throws -> Bool {
        let page = try await world.source("/w/api.php?action=query").page(.start).get()
        #expect(page.videos.count == 5)
        return page.isConfirmed
      }
      var answers = [try await isConfirmed(), try await isConfirmed()]
      version.withLock { $0 = "2" }
      answers += [try await isConfirmed(), try await isConfirmed()]
      #expect(answers == [false, true, false, true])
    }
  }

  @Test func `a changed feed replaces the cached one, including its name`() async throws {
    let count = Mutex(0)
    try await withCacheWorld { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .answer(TestAnswer(articles(0..<number), headers: ["ETag": "\"\(number)\""]))
    } _: { world in
      for expected in 1...3 {
        let titles = try await world.source("/feed").page(.start).titles
        #expect(titles?.count == expected)
      }
      #expect(world.server.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\"", "\"2\""])
      #expect(try await world.source("/feed").page(.start, .onlyIfCached).titles?.count == 3)
    }
  }

  @Test func `a 304 to an unconditional request is an error`() async throws {
    try await withCacheWorld { _ in
      .answer(TestAnswer("", status: 304))
    } _: { world in
      let failure = try await world.source("/feed").page(.start).failure
      #expect(failure?.reason == "the server answered 304 Not Modified")
    }
  }

  @Test func `a fresh answer needs no request, unless the user refreshes`() async throws {
    try await withCacheWorld { _ in
      .answer(TestAnswer(articles(0..<3), headers: ["Cache-Control": "public, max-age=900"]))
    } _: { world in
      let first = try await world.source("/feed").page(.start, .whileFresh).get()
      #expect(first.savedAt == nil)
      let second = try await world.source("/feed").page(.start, .whileFresh).get()
      #expect(second.videos == first.videos && second.savedAt != nil)
      #expect(world.server.requests.count == 1)
      #expect(try await world.source("/feed").page(.start, .revalidated).get().savedAt == nil)
      #expect(world.server.requests.count == 2)
    }
  }

  @Test func `a 304 makes an answer fresh again`() async throws {
    try await withCacheWorld { request in
      request.headers["if-none-match"] == nil
        ? .answer(TestAnswer(articles(0..<3), headers: ["ETag": "1"]))
        : .answer(TestAnswer("", status: 304, headers: ["Cache-Control": "max-age=900"]))
    } _: { world in
      for _ in 0..<3 { _ = try await world.source("/feed").page(.start, .whileFresh).get() }
      #expect(world.server.requests.count == 2)
    }
  }

  @Test func `a page older than the first one is not fresh`() async throws {
    try await withCacheWorld { request in
      .answer(
        TestAnswer(articles(request.query["page"] == "1" ? 2..<4 : 0..<2), headers: ["Cache-Control": "max-age=900"]))
    } _: { world in
      let cache = AnswerCache(folder: world.folder)
      let source = try world.source(at: world.server.origin + "/feed", in: cache)
      _ = try await allPages(of: source, .whileFresh, limit: 2)
      _ = try await allPages(of: source, .whileFresh, limit: 2)
      #expect(world.server.requests.count == 2)
      // Ages the second page by a day; the first one stays new.
      let second = try #require(WebAddress(world.server.origin + "/feed?page=1"))
      let kept = try #require(cache.answer(to: second))
      var headers = CacheHeaders(HTTPHeaders(lines: ""), at: UnixTime(seconds: 0))
      headers.freshSeconds = 100_000
      cache.apply([.confirmed(kept, headers)], at: UnixTime(seconds: UnixTime.now.seconds - 90_000))
      _ = try await allPages(of: source, .whileFresh, limit: 2)
      #expect(world.server.requests.map(\.target) == ["/feed", "/feed?page=1", "/feed?page=1"])
    }
  }

  @Test(arguments: [
    TestAnswer.html("<!doctype html><title>Sign in to the network</title>"), TestAnswer("{}"),
    TestAnswer(String(articles(0..<4).dropLast(100))), TestAnswer(articles(5..<9), status: 500),
    TestAnswer(articles(5..<9), status: 404),
  ])
  func `an answer that is not a feed does not replace the cached one`(other: TestAnswer) async throws {
    let isBroken = Mutex(false)
    try await withCacheWorld { request in
      isBroken.withLock { $0 } ? .answer(other) : .answer(TestAnswer(articles(0..<3), headers: ["ETag": "1"]))
    } _: { world in
      let good = try await world.source("/feed").page(.start).get()
      isBroken.withLock { $0 = true }
      #expect(try await world.source("/feed").page(.start).failure != nil)
      #expect(try await world.source("/feed").page(.start, .onlyIfCached).get().videos == good.videos)
    }
  }

  @Test func `an answer with no-store is not stored`() async throws {
    try await withCacheWorld { _ in
      .answer(TestAnswer(articles(0..<3), headers: ["Cache-Control": "private, No-Store", "ETag": "1"]))
    } _: { world in
      _ = try await world.source("/feed").page(.start).get()
      #expect(try await world.source("/feed").page(.start, .onlyIfCached).failure == .notCached)
      _ = try await world.source("/feed").page(.start).get()
      #expect(world.server.requests.allSatisfy { $0.headers["if-none-match"] == nil })
    }
  }

  @Test(arguments: [301, 308])
  func `after a permanent redirect the new address is requested`(status: Int) async throws {
    try await withCacheWorld { request in
      request.path == "/old" ? .answer(.redirect(to: "/new", status: status)) : .answer(TestAnswer(films(0..<2)))
    } _: { world in
      for _ in 0..<2 {
        let page = try await world.source("/old").page(.start).get()
        #expect(page.videos.count == 2)
      }
      #expect(world.server.requests.map(\.path) == ["/old", "/new", "/new"])
    }
  }

  @Test(arguments: [403, 302])
  func `the target of a permanent redirect that needs its cookie is not requested without it`(status: Int) async throws
  {
    try await withCacheWorld { request in
      var redirect = TestAnswer.redirect(to: "/new", status: 301)
      redirect.headers["Set-Cookie"] = "seen=1"
      if request.path == "/old" { return .answer(redirect) }
      if request.headers["cookie"] == "seen=1" { return .answer(TestAnswer(films(0..<2))) }
      return .answer(status == 302 ? .redirect(to: "/old", status: 302) : TestAnswer("", status: status))
    } _: { world in
      for _ in 0..<3 {
        let page = try await world.source("/old").page(.start).get()
        #expect(page.videos.count == 2)
      }
      #expect(world.server.requests.map(\.path) == ["/old", "/new", "/old", "/new", "/old", "/new"])
    }
  }

  @Test func `after a temporary redirect the original address is requested again`() async throws {
    try await withCacheWorld { request in
      switch request.path {
      case "/old": .answer(.redirect(to: "/between", status: 301))
      case "/between": .answer(.redirect(to: "/new", status: 307))
      default: .answer(TestAnswer(films(0..<2), headers: ["ETag": "1"]))
      }
    } _: { world in
      for _ in 0..<2 {
        let page = try await world.source("/old").page(.start).get()
        #expect(page.videos.count == 2)
      }
      #expect(world.server.requests.map(\.path) == ["/old", "/between", "/new", "/old", "/between", "/new"])
      #expect(world.server.requests.map { $0.headers["if-none-match"] } == [nil, nil, nil, nil, nil, "1"])
    }
  }

  @Test func `if the target of a permanent redirect is gone, the original address is requested again`() async throws {
    let isBack = Mutex(false)
    try await withCacheWorld { request in
      switch (request.path, isBack.withLock { $0 }) {
      case ("/old", false): .answer(.redirect(to: "/new", status: 301))
      case ("/new", true): .answer(TestAnswer("", status: 410))
      default: .answer(TestAnswer(films(0..<2)))
      }
    } _: { world in
      #expect(try await world.source("/old").page(.start).titles?.count == 2)
      isBack.withLock { $0 = true }
      for _ in 0..<2 {
        let page = try await world.source("/old").page(.start).get()
        #expect(page.videos.count == 2)
      }
      #expect(world.server.requests.map(\.path) == ["/old", "/new", "/new", "/old", "/old"])
    }
  }

  /// The state of the target of a permanent redirect.
  enum Target: CaseIterable {
    case unauthorized, forbidden, missing, gone, failing, busy, cut, parked, looping, goneElsewhere

    fileprivate func answer(to path: String) -> TestBehaviour {
      switch self {
      case .unauthorized: .answer(TestAnswer("", status: 401))
      case .forbidden: .answer(TestAnswer("", status: 403))
      case .missing: .answer(TestAnswer("", status: 404))
      case .gone: .answer(TestAnswer("", status: 410))
      case .failing: .answer(TestAnswer("", status: 500))
      case .busy: .answer(TestAnswer("", status: 503))
      case .cut: .cut(TestAnswer(films(0..<2)), after: 0)
      case .parked: .answer(.html("<!doctype html><title>For sale</title>"))
      case .looping: .answer(.redirect(to: path, status: 302))
      case .goneElsewhere:
        path == "/new" ? .answer(.redirect(to: "/elsewhere", status: 302)) : .answer(TestAnswer("", status: 410))
      }
    }
  }

  @Test(arguments: Target.allCases)
  func `if the target of a permanent redirect fails in any way, the original address is requested`(
    target: Target
  ) async throws {
    let isBack = Mutex(false)
    try await withCacheWorld { request in
      switch (request.path, isBack.withLock { $0 }) {
      case ("/old", false): .answer(.redirect(to: "/new", status: 301))
      case ("/new", false), ("/old", true): .answer(TestAnswer(films(0..<2)))
      case ("/api/v1/config", _): .answer(TestAnswer("", status: 404))
      case (let path, _): target.answer(to: path)
      }
    } _: { world in
      let page1 = try await world.source("/old").page(.start).get()
      #expect(page1.videos.count == 2)
      isBack.withLock { $0 = true }
      let page2 = try await world.source("/old").page(.start).get()
      #expect(page2.videos.count == 2)
      let count = world.server.requests.count
      let page3 = try await world.source("/old").page(.start).get()
      #expect(page3.videos.count == 2)
      #expect(world.server.requests.dropFirst(count).map(\.path) == ["/old"])
    }
  }

  @Test(arguments: 0..<8)
  func `a feed is found wherever it is, whatever was believed about its address`(seed: Int) async throws {
    let random = Mutex(SeededGenerator(seed: UInt64(seed)))
    /// Where the feed is, and the answer of the other places.
    let place = Mutex((feed: "/old", other: Target.gone, redirect: 301))
    try await withCacheWorld { request in
      let (feed, other, redirect) = place.withLock { $0 }
      if request.path == feed { return .answer(TestAnswer(films(0..<2), headers: ["ETag": feed])) }
      if request.path == "/old" { return .answer(.redirect(to: feed, status: redirect)) }
      return request.path == "/api/v1/config" ? .answer(TestAnswer("", status: 404)) : other.answer(to: request.path)
    } _: { world in
      for _ in 0..<12 {
        random.withLock { random in
          let feed = ["/old", "/new", "/newer"].randomElement(using: &random) ?? "/old"
          let targets = Target.allCases.filter { ![.looping, .goneElsewhere].contains($0) }
          let other = targets.randomElement(using: &random) ?? .gone
          place.withLock { $0 = (feed, other, [301, 302, 308].randomElement(using: &random) ?? 301) }
        }
        let page4 = try await world.source("/old").page(.start).get()
        #expect(page4.videos.count == 2)
      }
    }
  }
}
