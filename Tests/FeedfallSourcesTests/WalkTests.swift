import FeedfallFeeds
import FeedfallText
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources
@testable import FeedfallWeb

/// The walk from an address to its videos, for any answers.
@Suite(.hangLimit) struct WalkTests {
  private typealias Answer = Result<HTTPAnswer, WebFailure>

  private static func address(_ path: String) throws -> WebAddress {
    try #require(WebAddress("http://a.example/" + path))
  }

  @Test func `candidates are requested once, in their order`() throws {
    var walk = Walk()
    let places = try (0..<4).map { try Self.address("\($0)") }
    walk.offer(.page, places[0])
    walk.offer(.address, places[1])
    walk.offer(.address, places[2])
    #expect(walk.next()?.address == places[1])
    walk.offer(.rss, places[3])
    walk.offer(.pageFeed, places[1])
    #expect(walk.next()?.address == places[3])
    #expect(walk.next()?.address == places[0])
    #expect(walk.next() == nil && walk.current == nil)
  }

  @Test func `a server that does not answer has no further candidates`() throws {
    var walk = Walk()
    walk.offer(.address, try Self.address(""))
    walk.offer(.page, try Self.address("page"))
    walk.offer(.pageFeed, try #require(WebAddress("http://b.example/feed")))
    _ = walk.next()
    walk.dropServer()
    #expect(walk.next()?.kind == .pageFeed)
    #expect(walk.next() == nil)
  }

  @Test func `a failure has the reason of each candidate, and each reason once`() throws {
    var walk = Walk()
    walk.offer(.address, try Self.address("1"))
    walk.offer(.page, try Self.address("3"))
    _ = walk.next()
    walk.leave(FeedFailure(.status(403, retryAfter: nil)))
    walk.offer(.rss, try Self.address("2"))
    _ = walk.next()
    walk.leave(FeedFailure(.status(500, retryAfter: nil)))
    _ = walk.next()
    walk.leave(FeedFailure(.status(403, retryAfter: nil)))
    let failure = walk.failure()
    #expect(
      failure.reason == "the server answered 403 Forbidden; its RSS: the server answered 500 Internal Server Error")
    #expect(failure.kind == .temporary)
  }

  @Test func `a walk requests at most one candidate of each kind, whatever servers answer`() throws {
    var random = SeededGenerator(seed: 1)
    let places = try (0..<6).map { number in
      try #require(WebAddress("http://\("abc".randomElement(using: &random) ?? "a").example/\(number)"))
    }
    for _ in 0..<100_000 {
      var (walk, seen) = (Walk(), [] as Set<WebAddress>)
      func offer() throws {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let kind = try #require(Walk.Kind.allCases.randomElement(using: &random))
          walk.offer(kind, try #require(places.randomElement(using: &random)))
        }
      }
      try offer()
      var count = 0
      while let candidate = walk.next() {
        count += 1
        let isNew = candidate.kind == .ytDlp || seen.insert(candidate.address).inserted
        guard count <= Walk.maximumCount, isNew else { throw TestFailure("\(candidate) after \(count)") }
        if random.chance(1, in: 3) { walk.leave(.noSuchPage) }
        if random.chance(1, in: 8) { walk.dropServer() }
        try offer()
      }
    }
  }

  // MARK: - Advice

  /// One failure of each kind.
  private static let allFailures: [WebFailure] =
    failures + statuses.filter { $0 >= 400 }.map { .status($0, retryAfter: nil) } + [
      .status(503, retryAfter: 5), .loginRefused, .loginWithheld(origin: "http://b.example"),
      .transient(status: 404, host: "a"), .noLibrary, .tooManyOpenFiles(inSystem: false),
      .unreachable(.noRoute, host: "a"), .unreachable(.other, host: "a"), .notEncrypted(host: "a", detail: ""),
      .invalidAddress, .certificate(.unreadableFile, host: "a"), .redirect(.withForm(origin: "http://b.example")),
    ]

  @Test(arguments: [true, false]) func `only a lasting failure advises to install yt-dlp`(hasYtDlp: Bool) throws {
    for failure in Self.allFailures {
      for feed in try Self.feeds() {
        var request = WebPageRequest(.start, of: feed, hasYtDlp: hasYtDlp)
        var step = request.start()
        for _ in 0..<WebPageRequest.maximumStepCount {
          switch step {
          case .fetch: step = request.handle(.failure(failure))
          case .listByYtDlp:
            step = request.handle(ytDlp: .failure(.timedOut(.ytDlp, seconds: 9)))
          case .page, .failed: break
          }
        }
        guard case .failed(let result) = step else { throw TestFailure("no failure after \(failure)") }
        let advice = result.advice ?? ""
        if hasYtDlp || failure.retry != .permanent { #expect(!advice.contains("yt-dlp"), "\(failure)") }
        if failure.retry == .permanent { #expect(result.kind == .permanent || hasYtDlp, "\(failure)") }
        if !hasYtDlp { #expect((result.kind == .permanent) == (failure.retry == .permanent), "\(failure)") }
      }
    }
  }

  @Test func `the advice is that of the failure that decides whether a retry helps`() throws {
    func failure(_ failures: [WebFailure], lacksYtDlp: Bool) throws -> FeedFailure {
      var walk = Walk()
      for (kind, failure) in zip([Walk.Kind.address, .page], failures) {
        walk.offer(kind, try Self.address("\(kind)"))
        _ = walk.next()
        walk.leave(FeedFailure(failure))
      }
      return walk.failure(lacksYtDlp: lacksYtDlp)
    }
    let (missing, busy) = (WebFailure.status(404, retryAfter: nil), WebFailure.status(500, retryAfter: nil))
    #expect(try failure([missing, busy], lacksYtDlp: true).advice == nil)
    #expect(try failure([busy, missing], lacksYtDlp: true).advice == nil)
    #expect(try failure([missing, missing], lacksYtDlp: true).advice?.contains("install yt-dlp") == true)
    #expect(try failure([missing, missing], lacksYtDlp: false).advice == "check the address")
  }

  // MARK: - Pages

  @Test func `the feeds of a page are tried if the other form of its address has no videos`() throws {
    let page = "<!doctype html><link rel=alternate type=application/rss+xml href=https://b.example/feed>"
    let plain = try Self.address("v.json")
    let feedAddress = try #require(WebAddress("https://b.example/feed"))
    func answer(_ body: String, at address: WebAddress) -> Answer {
      .success(HTTPAnswer(status: 200, body: Array(body.utf8), contentType: "", address: address))
    }
    let answers: [Answer] =
      [404, 403, 500].map { .failure(.status($0, retryAfter: nil)) } + [
        .failure(.timedOut(seconds: 4)), .failure(.redirect(.tooMany)), .failure(.cut), answer("garbage", at: plain),
        answer("<!doctype html><title>Other</title>", at: plain),
      ]
    for other in answers {
      let feed = WebFeed(
        first: try Self.address("v.json?page=0&size=20"), pages: PageAddresses(typed: plain.text), pageSize: nil)
      var request = WebPageRequest(.start, of: feed)
      var (step, fetched) = (request.start(), [] as [WebAddress])
      while case .fetch(let address) = step {
        fetched.append(address)
        switch fetched.count {
        case 1: step = request.handle(answer(page, at: address))
        case 2: step = request.handle(other)
        default: step = request.handle(.failure(.status(404, retryAfter: nil)))
        }
      }
      let isExpected = fetched.first != plain && fetched.count > 2 && fetched[1] == plain && fetched.last == feedAddress
      #expect(isExpected, "\(other) \(fetched)")
    }
  }

  // MARK: - Requests

  private static let origin = "http://yewtu.be"
  private static let bodies = [
    "", "{}", "[]", "garbage", articles(0..<1), films(0..<1), films(0..<1, next: "http://yewtu.be/feed"),
    films(0..<1, next: "http://yewtu.be/x"), peerTubeConfig, peerTubeList(0..<1, total: 99),
    peerTubeList(0..<0, total: 99),
    #"{"data": {"info_list": [], "end": 0}}"#, #"{"videos":[],"continuation":"x"}"#,
    "<!doctype html><title>Wait</title>",
    "<!doctype html><link rel=alternate type=application/rss+xml href=/channel/UCabc>",
    "<!doctype html><link rel=alternate type=application/rss+xml href=/feed>",
    "<!doctype html><link rel=alternate type=application/rss+xml href=https://b.example/feed>",
    "<!doctype html><head><link title=Invidious type=application/opensearchdescription+xml rel=search href=/o></head>",
  ].map { Array($0.utf8) }
  private static let statuses = [200, 200, 200, 204, 302, 400, 401, 403, 404, 410, 429, 500, 503]
  private static let failures: [WebFailure] = [
    .timedOut(seconds: 4), .tooSlow(seconds: 24), .cut, .redirect(.tooMany), .redirect(.circle), .cancelled,
    .unreachable(.refused, host: "a"), .nameNotFound(host: "a"), .paused(host: "a", seconds: 9), .tooLarge(limit: 1),
    .unreadable(host: "a", detail: ""), .notCached, .certificate(.expired, host: "a"), .other(detail: "x"),
  ]

  private static func answer(to request: WebAddress, _ random: inout SeededGenerator) -> Answer {
    if random.chance(1, in: 8) { return .failure(failures.randomElement(using: &random) ?? .cut) }
    var answer = HTTPAnswer(
      status: statuses.randomElement(using: &random) ?? 200, body: bodies.randomElement(using: &random) ?? [],
      contentType: "", address: random.chance(1, in: 6) ? WebAddress(origin + "/") ?? request : request)
    if random.chance(1, in: 2) { answer.retryAfter = 5 }
    return .success(answer)
  }

  private static func feeds() throws -> [WebFeed] {
    func feed(_ first: String, written: String? = nil, pages: String? = nil) throws -> WebFeed {
      WebFeed(
        first: try #require(WebAddress(first)), written: written.flatMap { WebAddress($0) },
        pages: pages.flatMap { PageAddresses(typed: $0) }, pageSize: nil)
    }
    let page = origin + "/channel/UCabc"
    return [
      try feed(page, pages: page), try feed(origin + "/", pages: origin),
      try feed(origin + "/@ann", pages: origin + "/@ann"),
      try feed(origin + "/v.json?page=0&size=20", pages: origin + "/v.json"),
      try feed(origin + "/api/v1/channels/UCabc/videos", written: page),
      try feed(origin + "/api/v1/playlists/PLabc", written: origin + "/playlist?list=PLabc"),
      try feed(origin + "/api/v1/videos", pages: origin + "/api/v1/videos"),
      try feed(origin + "/c/{page}", pages: origin + "/c/{page}"),
      WebFeed(folder: try #require(WebAddress(origin + "/dav/")), pageSize: nil),
    ]
  }

  /// Loads until the end, and returns the steps before the first part of the page.
  private static func load(
    _ request: inout WebPageRequest, _ random: inout SeededGenerator
  ) throws -> (walked: [WebAddress], ytDlpCount: Int) {
    var (walked, ytDlpCount, count, hasPart) = ([] as [WebAddress], 0, 0, false)
    var step = request.start()
    while true {
      count += 1
      guard count <= WebPageRequest.maximumStepCount + 1 else { throw TestFailure("no end after \(walked)") }
      switch step {
      case .fetch(let address):
        if !hasPart { walked.append(address) }
        step = request.handle(answer(to: address, &random))
        hasPart = hasPart || request.completesPart
      case .listByYtDlp:
        ytDlpCount += 1
        let failure = FeedFailure(random.chance(1, in: 2) ? .permanent : .temporary, "yt-dlp failed")
        step = request.handle(ytDlp: random.chance(1, in: 2) ? .failure(failure) : .success(FeedPage(videos: [])))
      case .page, .failed: return (walked, ytDlpCount)
      }
    }
  }

  @Test func `any answers end the loads of any feed, without a request twice on the walk`() throws {
    var random = SeededGenerator(seed: 2)
    let feeds = try Self.feeds()
    for _ in 0..<4_000 {
      var feed = try #require(feeds.randomElement(using: &random))
      // Later loads begin where the earlier ones have found videos.
      for _ in 0..<3 {
        var request = WebPageRequest(.start, of: feed, hasYtDlp: random.chance(1, in: 2))
        let (walked, ytDlpCount) = try Self.load(&request, &random)
        guard Set(walked).count == walked.count, ytDlpCount <= 1 else { throw TestFailure("\(walked) \(ytDlpCount)") }
        feed.adopt(request.feed)
      }
      let cursor = [FeedCursor.page(1), .offset(20), .item(3), .address(try Self.address("next"))].randomElement(
        using: &random)
      var later = WebPageRequest(try #require(cursor), of: feed, hasYtDlp: true)
      _ = try Self.load(&later, &random)
    }
  }

  @Test(arguments: [(403, "/feed/channel/UCabc"), (500, "/api/v1/channels/UCabc/videos")])
  func `the next load begins at the RSS of an API that is refused, not of one that fails`(
    status: Int, first: String
  ) throws {
    var request = WebPageRequest(.start, of: try Self.feeds()[4])
    guard case .fetch(let api) = request.start() else { throw TestFailure("no request") }
    let refusal = HTTPAnswer(status: status, body: [], contentType: "", address: api)
    guard case .fetch(let rss) = request.handle(.success(refusal)) else { throw TestFailure("no RSS") }
    let feed = HTTPAnswer(status: 200, body: Array(films(0..<2).utf8), contentType: "", address: rss)
    guard case .page = request.handle(.success(feed)) else { throw TestFailure("no page") }
    var next = WebPageRequest(.start, of: request.feed)
    #expect(next.start() == .fetch(try #require(WebAddress(Self.origin + first))))
  }

  @Test func `a list of PeerTube that fails for now is not replaced by the feed of its page`() throws {
    let place = try #require(WebAddress(Self.origin + "/c/ann"))
    let page = "<!doctype html><title>Films</title><link rel=alternate type=application/rss+xml href=/feed.xml>"
    func answer(_ body: String, status: Int = 200) -> Answer {
      .success(HTTPAnswer(status: status, body: Array(body.utf8), contentType: "", address: place))
    }
    let feed = WebFeed(first: place, pages: PageAddresses(typed: place.text), pageSize: nil)
    var request = WebPageRequest(.start, of: feed, hasYtDlp: true)
    _ = request.start()
    _ = request.handle(answer(page))
    guard case .fetch(let list) = request.handle(answer(peerTubeConfig)) else { throw TestFailure("no list") }
    #expect(list.path == "/api/v1/video-channels/ann/videos")
    #expect(request.handle(answer("", status: 503)) == .failed(FeedFailure(.status(503, retryAfter: nil))))
  }

  @Test(arguments: [401, 403, 404, 410, 500, 503])
  func `a refused API is followed by the RSS, the page and yt-dlp`(status: Int) throws {
    var request = WebPageRequest(.start, of: try Self.feeds()[4], hasYtDlp: true)
    func refuse(_ path: String) throws -> WebPageRequest.Step {
      let address = try #require(WebAddress(Self.origin + path))
      return request.handle(.success(HTTPAnswer(status: status, body: [], contentType: "", address: address)))
    }
    let paths = ["/api/v1/channels/UCabc/videos", "/feed/channel/UCabc", "/channel/UCabc"]
    var step = request.start()
    for path in paths {
      #expect(step == .fetch(try #require(WebAddress(Self.origin + path))))
      step = try refuse(path)
    }
    #expect(step == .listByYtDlp)
    guard case .failed(let failure) = request.handle(ytDlp: .failure(FeedFailure(.permanent, "yt-dlp failed"))) else {
      throw TestFailure("no end")
    }
    #expect(failure.reason.contains("\(status)") && failure.reason.hasSuffix("; yt-dlp failed"))
  }

  @Test func `a channel of BitChute whose feed is missing is listed by yt-dlp`() throws {
    let written = try #require(WebAddress("https://www.bitchute.com/channel/FQUbf1NDEe1M/"))
    let request = try #require(KnownSite.request(for: written))
    var walk = WebFeed(first: request, written: written, pages: nil, pageSize: nil).walk
    var kinds: [Walk.Kind] = []
    while let candidate = walk.next() { kinds.append(candidate.kind) }
    #expect(kinds == [.address, .page, .ytDlp])
  }
}
