import FeedfallFeeds
import FeedfallText
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources
@testable import FeedfallWeb

/// The requests for a page, answered without a server.
@Suite(.hangLimit) struct WebPageRequestTests {
  typealias Answer = Result<HTTPAnswer, WebFailure>

  private static let origin = "https://a.example"
  private static let webPage =
    "<!doctype html><title>Films</title><link rel=alternate type=application/rss+xml href=/feed.xml>"

  private static func address(_ path: String) throws -> WebAddress { try #require(WebAddress(origin + path)) }

  private static func answer(_ body: String, at path: String = "/", status: Int = 200) throws -> Answer {
    .success(HTTPAnswer(status: status, body: Array(body.utf8), contentType: "", address: try address(path)))
  }

  private static func feed(_ path: String = "/") throws -> WebFeed {
    WebFeed(first: try address(path), pages: PageAddresses(typed: origin + path), pageSize: nil)
  }

  /// The feed of a catalogue, whose pages are counted until its server refuses that.
  private static func countedFeed() throws -> WebFeed {
    WebFeed(first: try address(counted), pages: PageAddresses(typed: origin + catalogue), pageSize: nil)
  }

  /// The feed after its first page.
  private static func feed(after answers: Answer...) throws -> WebFeed {
    var request = WebPageRequest(.start, of: try feed())
    _ = request.start()
    for answer in answers { _ = request.handle(answer) }
    return request.feed
  }

  @Test func `a feed is one request`() throws {
    var request = WebPageRequest(.start, of: try Self.feed("/feed"))
    #expect(request.start() == .fetch(try Self.address("/feed")))
    let step = request.handle(try Self.answer(films(0..<2), at: "/feed"))
    guard case .page(let page) = step else { throw TestFailure("no page but \(step)") }
    #expect(page.videos.map(\.title) == ["Film 0", "Film 1"] && page.next == nil)
    #expect(request.completesPart)
  }

  @Test func `a web page leads to the feed that it names, unless its server is a PeerTube`() throws {
    var request = WebPageRequest(.start, of: try Self.feed())
    #expect(request.start() == .fetch(try Self.address("/")))
    #expect(request.handle(try Self.answer(Self.webPage)) == .fetch(try Self.address("/api/v1/config")))
    #expect(!request.completesPart)
    var other = request
    #expect(request.handle(try Self.answer("", status: 500)) == .fetch(try Self.address("/feed.xml")))
    let list = try Self.address("/api/v1/videos?sort=-publishedAt&start=0&count=20")
    #expect(other.handle(try Self.answer(peerTubeConfig)) == .fetch(list))
  }

  @Test(arguments: [true, false])
  func `a page of YouTube leads to the feed of its channel, with or without Shorts`(includesShorts: Bool) throws {
    let page = try #require(WebAddress("https://www.youtube.com/@ann"))
    let start = "https://www.youtube.com/feeds/videos.xml?"
    var request = WebPageRequest(
      .start,
      of: WebFeed(
        first: page, pages: PageAddresses(typed: page.text), pageSize: nil, includesShorts: includesShorts))
    _ = request.start()
    let link = "<link rel=alternate type=application/rss+xml href='\(start)channel_id=UCabc'>"
    _ = request.handle(
      .success(
        HTTPAnswer(
          status: 200, body: Array("<!doctype html><head>\(link)".utf8), contentType: "text/html", address: page)))
    let feed = try #require(WebAddress(start + (includesShorts ? "channel_id=UCabc" : "playlist_id=UULFabc")))
    #expect(request.handle(try Self.answer("", status: 404)) == .fetch(feed))
  }

  @Test func `a page of Invidious leads to the API of its server`() throws {
    let link = "<link title=Invidious type=application/opensearchdescription+xml rel=search href=/o.xml>"
    var request = WebPageRequest(.start, of: try Self.feed("/channel/UCabc"))
    #expect(request.start() == .fetch(try Self.address("/channel/UCabc")))
    let page = try Self.answer("<!doctype html><head>\(link)</head>", at: "/channel/UCabc")
    let list = "/api/v1/channels/UCabc/videos"
    #expect(request.handle(page) == .fetch(try Self.address(list)))
    // The API may be disabled, or answer with a web page, to keep programs away.
    let rss = try Self.address("/feed/channel/UCabc")
    for answer in [try Self.answer("", at: list, status: 403), try Self.answer("<!doctype html><head>", at: list)] {
      var refused = request
      #expect(refused.handle(answer) == .fetch(rss))
      guard case .page = refused.handle(try Self.answer(films(0..<2), at: "/feed/channel/UCabc")) else {
        throw TestFailure("no page")
      }
    }
    let item = #"{"videoId":"aaaaaaaaaaa","title":"A","lengthSeconds":61,"type":"video"}"#
    let step = request.handle(try Self.answer(#"{"videos":[\#(item)],"continuation":"x"}"#, at: list))
    guard case .page(let first) = step else { throw TestFailure("no page but \(step)") }
    let next = try Self.address(list + "?continuation=x")
    #expect(first.videos.map(\.title) == ["A"] && first.next == .address(next))
    var later = WebPageRequest(.address(next), of: request.feed)
    #expect(later.start() == .fetch(next))
  }

  @Test func `if it is unknown whether a server is a PeerTube, the page fails`() throws {
    var request = WebPageRequest(.start, of: try Self.feed())
    _ = request.start()
    _ = request.handle(try Self.answer(Self.webPage))
    #expect(request.handle(.failure(.timedOut(seconds: 10))) == .failed(FeedFailure(.timedOut(seconds: 10))))
  }

  @Test(arguments: [true, false])
  func `a web page without a feed is listed by yt-dlp, or reported as one without it`(hasYtDlp: Bool) throws {
    var request = WebPageRequest(.start, of: try Self.feed(), hasYtDlp: hasYtDlp)
    _ = request.start()
    _ = request.handle(try Self.answer("<!doctype html><title>Films</title>"))
    let step = request.handle(.failure(.invalidAddress))
    guard !hasYtDlp else { return #expect(step == .listByYtDlp) }
    guard case .failed(let failure) = step else { throw TestFailure("\(step)") }
    #expect(failure.reason == "the answer is a web page (Films), not a feed")
    #expect(failure.advice == "use the address of a feed, or install yt-dlp, which may find videos on the page")
  }

  @Test func `a missing feed is looked up once more on the web page that named it`() throws {
    let feed = try Self.feed(
      after: Self.answer(Self.webPage), Self.answer("", status: 404), Self.answer(films(0..<2), at: "/feed.xml"))
    var request = WebPageRequest(.start, of: feed)
    #expect(request.start() == .fetch(try Self.address("/feed.xml")))
    #expect(request.handle(try Self.answer("", at: "/feed.xml", status: 404)) == .fetch(try Self.address("/")))
  }

  @Test func `a PeerTube that refuses page numbers is also asked for the channel`() throws {
    let typed = "https://a.example/@ann.json"
    let pages = try #require(PageAddresses(typed: typed))
    let first = try #require(pages.address(of: 0))
    var request = WebPageRequest(.start, of: WebFeed(first: first, pages: pages, pageSize: nil))
    #expect(request.start() == .fetch(first))
    #expect(request.handle(try Self.answer("", status: 404)) == .fetch(try Self.address("/@ann.json")))
    _ = request.handle(try Self.answer(Self.webPage, at: "/@ann.json"))
    let accounts = try Self.address("/api/v1/accounts/ann.json/videos?start=0&count=20")
    #expect(request.handle(try Self.answer(peerTubeConfig)) == .fetch(accounts))
    let channels = try Self.address("/api/v1/video-channels/ann.json/videos?start=0&count=20")
    #expect(request.handle(try Self.answer("", status: 404)) == .fetch(channels))
  }

  /// The films of the first pages of a template, as the server sends them.
  private func templatePages(_ answer: @escaping @Sendable (Int) -> TestAnswer) async throws -> [[String]] {
    try await withServer { request in
      .answer(answer(Int(request.path.dropFirst("/feed/".count)) ?? 0))
    } _: { server in
      try await allPages(of: open(server.origin + "/feed/{page}", firstPage: 1), limit: 9).map {
        $0.videos.map(\.title)
      }
    }
  }

  @Test func `RSS with a page number in its address ends at an empty page`() async throws {
    let pages = try await templatePages { TestAnswer(films($0 < 3 ? $0..<$0 + 1 : 0..<0)) }
    #expect(pages == [["Film 1"], ["Film 2"], []])
  }

  @Test func `RSS with a page number in its address ends at a missing page`() async throws {
    let pages = try await templatePages { $0 < 3 ? TestAnswer(films($0..<$0 + 1)) : TestAnswer("", status: 404) }
    #expect(pages == [["Film 1"], ["Film 2"], []])
  }

  @Test func `RSS with a page number in its address ends if the server ignores the number`() async throws {
    let pages = try await templatePages { number in
      TestAnswer(films(0..<2).replacing("<title>Films", with: "<title>At \(number)"))
    }
    #expect(pages == [["Film 0", "Film 1"], []])
  }

  @Test(arguments: [401, 403, 404, 410])
  func `a PeerTube that refuses its list is asked once and quoted`(status: Int) throws {
    var request = WebPageRequest(.start, of: try Self.feed())
    _ = request.start()
    _ = request.handle(try Self.answer(Self.webPage))
    _ = request.handle(try Self.answer(peerTubeConfig))
    let refusal = try Self.answer("", at: "/api/v1/videos", status: status)
    #expect(request.handle(refusal) == .fetch(try Self.address("/feed.xml")))
    guard case .failed(let failure) = request.handle(.failure(.invalidAddress)) else { throw TestFailure("no end") }
    #expect(failure.reason.hasPrefix("the server answered \(status)"))
    #expect(failure.reason.hasSuffix("; the feed of its page: the address is invalid"))
  }

  @Test func `a failure after some videos returns these videos`() throws {
    let feed = try Self.feed(after: Self.answer(articles(0..<2)))
    var request = WebPageRequest(.page(1), of: feed)
    #expect(request.start() == .fetch(try Self.address("/?page=1")))
    // The first page again, as sent by a server that counts from one.
    #expect(request.handle(try Self.answer(articles(0..<2))) == .fetch(try Self.address("/?page=2")))
    #expect(request.completesPart)
    #expect(request.handle(.failure(.cut)) == .failed(FeedFailure(.cut)))
    #expect(!request.completesPart)
  }

  @Test func `a next page without encryption on another server is refused when it is requested`() throws {
    var request = WebPageRequest(.start, of: try Self.feed())
    _ = request.start()
    let first = try Self.answer(films(0..<2, next: "http://b.example/2"))
    guard case .page(let page) = request.handle(first), let next = page.next else { throw TestFailure("no next page") }
    #expect(page.videos.count == 2)
    var later = WebPageRequest(next, of: request.feed)
    #expect(later.start() == .failed(.notEncrypted(host: "b.example")))
    // The same with a feed whose first page is not known in this run.
    var unknown = WebPageRequest(next, of: try Self.feed())
    #expect(unknown.start() == .failed(.notEncrypted(host: "b.example")))
  }

  @Test(arguments: [("http://a.example/2", "/2"), ("http://a.example:80/2?x=1", "/2?x=1")])
  func `a next page without encryption on the same server is requested with it`(next: String, path: String) throws {
    var request = WebPageRequest(.start, of: try Self.feed())
    _ = request.start()
    guard case .page(let page) = request.handle(try Self.answer(films(0..<2, next: next))), let next = page.next else {
      throw TestFailure("no next page")
    }
    var later = WebPageRequest(next, of: request.feed)
    #expect(later.start() == .fetch(try Self.address(path)))
  }

  @Test func `a page that names only feeds without encryption is a failure`() throws {
    func link(_ address: String) -> String { "<link rel=alternate type=application/rss+xml href=\(address)>" }
    let page = "<!doctype html><title>Films</title>" + link("http://b.example/feed")
    func step(_ page: String) throws -> WebPageRequest.Step {
      var request = WebPageRequest(.start, of: try Self.feed())
      _ = request.start()
      _ = request.handle(try Self.answer(page))
      return request.handle(try Self.answer("", status: 404))
    }
    #expect(try step(page) == .failed(.notEncrypted(host: "b.example")))
    #expect(try step(page + link("https://c.example/feed")) == .fetch(#require(WebAddress("https://c.example/feed"))))
    #expect(try step(page + link("http://a.example/feed")) == .fetch(Self.address("/feed")))
  }

  @Test func `a feed without encryption may lead anywhere`() throws {
    let address = try #require(WebAddress("http://a.example/"))
    var request = WebPageRequest(.start, of: WebFeed(first: address, pages: nil, pageSize: nil))
    _ = request.start()
    let body = Array(films(0..<2, next: "http://b.example/2").utf8)
    _ = request.handle(.success(HTTPAnswer(status: 200, body: body, contentType: "", address: address)))
    let next = try #require(WebAddress("http://b.example/2"))
    var later = WebPageRequest(.address(next), of: request.feed)
    #expect(later.start() == .fetch(next))
  }

  @Test func `any sequence of answers ends after a limited number of requests`() throws {
    let answers = [
      try Self.answer(articles(0..<1)), try Self.answer("[]"), try Self.answer(Self.webPage),
      try Self.answer(peerTubeConfig), try Self.answer(peerTubeList(0..<1, total: 99)),
      try Self.answer("", status: 404), try Self.answer("", status: 500), .failure(.timedOut(seconds: 10)),
      .failure(.notCached),
    ]
    let known = try Self.feed(after: Self.answer(Self.webPage), Self.answer(peerTubeConfig))
    for feed in [try Self.feed(), known] {
      for cursor in [FeedCursor.start, .page(1), .offset(20), .item(3)] {
        var request = WebPageRequest(cursor, of: feed)
        guard case .fetch = request.start() else { throw TestFailure("no request for \(cursor)") }
        try Self.expectEnd(of: request, answers, mostRequests: 10)
      }
    }
  }

  private static func expectEnd(of request: WebPageRequest, _ answers: [Answer], mostRequests: Int) throws {
    for answer in answers {
      var next = request
      guard case .fetch = next.handle(answer) else { continue }
      guard mostRequests > 1 else { throw TestFailure("still not at its end: \(next)") }
      try expectEnd(of: next, answers, mostRequests: mostRequests - 1)
    }
  }

  private static let catalogue = "/videos.json"
  private static let counted = catalogue + "?page=0&size=20"

  @Test(arguments: [400, 401, 403, 404, 405, 406, 410, 414, 422, 451, 500, 501, 502, 504])
  func `any refusal of page numbers is followed by a request without them`(status: Int) throws {
    var request = WebPageRequest(.start, of: try Self.countedFeed())
    #expect(request.start() == .fetch(try Self.address(Self.counted)))
    #expect(request.handle(try Self.answer("", status: status)) == .fetch(try Self.address(Self.catalogue)))
    guard case .page = request.handle(try Self.answer(articles(0..<2), at: Self.catalogue)) else {
      throw TestFailure("no page after \(status)")
    }
    var next = WebPageRequest(.start, of: request.feed)
    #expect(next.start() == .fetch(try Self.address(Self.catalogue)))
    // The server may have changed its mind.
    #expect(next.handle(try Self.answer("", status: status)) == .fetch(try Self.address(Self.counted)))
    guard case .failed = next.handle(try Self.answer("", status: status)) else { throw TestFailure("a third request") }
  }

  @Test(arguments: [429, 503])
  func `a busy server gets no request without page numbers`(status: Int) throws {
    var request = WebPageRequest(.start, of: try Self.countedFeed())
    _ = request.start()
    guard case .failed = request.handle(try Self.answer("", status: status)) else {
      throw TestFailure("a second request")
    }
  }

  @Test func `a web page or a redirect that cannot be followed is a refusal of page numbers too`() throws {
    let answers: [Answer] = [
      try Self.answer(Self.webPage), .failure(.redirect(.tooMany)), .failure(.redirect(.notWeb)),
    ]
    for answer in answers {
      var request = WebPageRequest(.start, of: try Self.countedFeed())
      _ = request.start()
      #expect(request.handle(answer) == .fetch(try Self.address(Self.catalogue)))
    }
  }

  @Test func `if both forms are refused, the first one stays`() throws {
    var request = WebPageRequest(.start, of: try Self.countedFeed())
    _ = request.start()
    _ = request.handle(try Self.answer("", status: 403))
    guard case .failed = request.handle(try Self.answer("", status: 403)) else { throw TestFailure("no failure") }
    var next = WebPageRequest(.start, of: request.feed)
    #expect(next.start() == .fetch(try Self.address(Self.counted)))
  }

  @Test(arguments: ["token=abc", "X-Amz-Signature=abc&X-Amz-Date=1", "sig=1", "api_key=1"])
  func `an address with a signature is first requested as typed`(query: String) throws {
    let path = Self.catalogue + "?" + query
    let pages = try #require(PageAddresses(typed: Self.origin + path))
    #expect(pages.address(of: pages.first) == (try Self.address(path)))
  }

  @Test(arguments: [400, 403, 404, 500])
  func `any refusal of PeerTube's counts is followed by a request without them`(status: Int) throws {
    let path = "/api/v1/videos?sort=-views"
    var request = WebPageRequest(.start, of: try Self.feed(path))
    #expect(request.start() == .fetch(try Self.address(path + "&start=0&count=20")))
    #expect(request.handle(try Self.answer("", status: status)) == .fetch(try Self.address(path)))
  }

  @Test(arguments: [500, 503, 404]) func `a feed that fails may be named elsewhere by its web page now`(status: Int)
    throws
  {
    let feed = try Self.feed(
      after: Self.answer(Self.webPage), Self.answer("", status: 404), Self.answer(films(0..<2), at: "/feed.xml"))
    var request = WebPageRequest(.start, of: feed)
    _ = request.start()
    #expect(request.handle(try Self.answer("", at: "/feed.xml", status: status)) == .fetch(try Self.address("/")))
  }

  @Test func `the page that another program has read is one request, until it changes`() throws {
    let page = try Self.answer("<!doctype html><title>Films</title>")
    var read = WebPageRequest(.start, of: try Self.feed(), hasYtDlp: true)
    _ = read.start()
    _ = read.handle(page)
    #expect(read.handle(.failure(.invalidAddress)) == .listByYtDlp)
    let list = FeedPage(videos: [])
    #expect(read.handle(ytDlp: .success(list)) == .page(list) && read.isByYtDlp)
    let feed = read.feed
    var request = WebPageRequest(.start, of: feed)
    _ = request.start()
    guard case .failed = request.handle(page) else { throw TestFailure("a second request") }
    var changed = WebPageRequest(.start, of: feed)
    _ = changed.start()
    #expect(
      changed.handle(try Self.answer("<!doctype html><title>New</title>"))
        == .fetch(try Self.address("/api/v1/config")))
  }
}
