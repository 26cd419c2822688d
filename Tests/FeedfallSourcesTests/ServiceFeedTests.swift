import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

/// Lists of sites with an API, requested page by page.
@Suite(.hangLimit, .serialized) struct ServiceFeedTests {
  // MARK: - media.ccc.de

  private static func talks(_ names: some Sequence<String>, title: String? = nil) -> String {
    let items = names.map { #"{"guid":"\#($0)","title":"Talk \#($0)","frontend_link":"https://t.example/v/\#($0)"}"# }
    let head = title.map { #""title":"\#($0)","# } ?? ""
    return #"{\#(head)"events":[\#(items.joined(separator: ","))]}"#
  }

  @Test func `the Link header names the next page`() async throws {
    try await withServer { request in
      let page = Int(request.query["page"] ?? "1") ?? 0
      let link = page < 3 ? #"</list?page=3>; rel="last", </list?q=x&page=\#(page + 1)>; rel="next""# : "</>; rel=first"
      return .answer(TestAnswer(Self.talks(["\(page)a", "\(page)b"]), headers: ["Link": link]))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/list?q=x"))
      #expect(pages.map { $0.videos.map(\.id) } == [["1a", "1b"], ["2a", "2b"], ["3a", "3b"]])
      #expect(server.requests.map(\.target) == ["/list?q=x", "/list?q=x&page=2", "/list?q=x&page=3"])
    }
  }

  private static let conferences = #"""
    {"conferences":[
    {"slug":"a","url":"/conferences/a","event_last_released_at":"2020-01-01T00:00:00Z"},
    {"slug":"b","url":"/conferences/b","event_last_released_at":"2024-01-01T00:00:00Z"},
    {"slug":"c","url":"/conferences/c","event_last_released_at":"2022-01-01T00:00:00Z"}]}
    """#

  private static func answerConferences(_ request: TestRequest) -> TestBehaviour {
    switch request.path {
    case "/conferences": .answer(TestAnswer(conferences))
    case "/conferences/b": .answer(TestAnswer(talks(["b1", "b2"], title: "Conference B")))
    case "/conferences/c": .answer(TestAnswer(talks([], title: "Conference C")))
    case "/conferences/a": .answer(TestAnswer(talks(["a1"], title: "Conference A")))
    default: .answer(TestAnswer("", status: 404))
    }
  }

  @Test func `a list of conferences returns the talks of each one under its name`() async throws {
    try await withServer(Self.answerConferences) { server in
      let pages = try await allPages(of: open(server.origin + "/conferences"))
      #expect(pages.map { $0.videos.map(\.id) } == [["b1", "b2"], ["a1"]])
      #expect(pages.flatMap(\.videos).map(\.group) == ["Conference B", "Conference B", "Conference A"])
      #expect(
        server.requests.map(\.path) == ["/conferences", "/conferences/b", "/conferences/c", "/conferences/a"])
    }
  }

  @Test func `a missing conference does not prevent the others`() async throws {
    try await withServer { request in
      request.path == "/conferences/c" ? .answer(TestAnswer("", status: 404)) : Self.answerConferences(request)
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/conferences"))
      #expect(pages.map { $0.videos.map(\.id) } == [["b1", "b2"], ["a1"]])
      #expect(pages.map(\.skippedCount) == [0, 1])
    }
  }

  @Test func `a fragment is not sent to the server`() async throws {
    try await withServer(Self.answerConferences) { server in
      let pages = try await allPages(of: open(server.origin + "/conferences#a"))
      #expect(pages.map { $0.videos.map(\.id) } == [["a1"]])
      #expect(server.requests.map(\.target) == ["/conferences", "/conferences/a"])
    }
  }

  @Test func `a later conference is found without loading the first page`() async throws {
    try await withServer(Self.answerConferences) { server in
      let address = try #require(WebAddress(server.origin + "/conferences"))
      #expect(try await page(.page(3), at: address).get().videos.map(\.id) == ["a1"])
      #expect(await page(.page(4), at: address).failure?.reason == "this feed has no such page")
    }
  }

  @Test func `a web page instead of a known site's answer is not followed`() async throws {
    try await withServer { _ in
      .answer(.html("<!doctype html><title>Oops</title><link rel=alternate type=application/rss+xml href=/feed>"))
    } _: { server in
      let failure = await page(.start, at: try #require(WebAddress(server.origin + "/search"))).failure
      #expect(failure?.reason == "the answer is a web page (Oops), not a feed")
      #expect(server.requests.count == 1)
    }
  }

  private func page(_ cursor: FeedCursor, at address: WebAddress) async -> Result<FeedPage, FeedFailure> {
    await Result.of { () throws(FeedFailure) in
      var request = WebPageRequest(cursor, of: WebFeed(first: address, pages: nil, pageSize: nil))
      var load = HTTPClient(timeoutSeconds: 600, userAgent: "test").load(.revalidated)
      return try await request.run(&load)
    }
  }

  // MARK: - Commons

  /// A category in which each answer has one picture and this number of videos, up to page `last`.
  private static func commons(_ request: TestRequest, films: Int, last: Int) -> TestAnswer {
    let page = Int(request.query["gcmcontinue"]?.split(separator: "%").first ?? "0") ?? -1
    let pages = (0..<films).map { film in
      #"{"pageid":\#(page * 100 + film),"title":"File:\#(page)-\#(film).webm","videoinfo":[{"duration":5,"url":"https://u.example/\#(film).webm"}]}"#
    }
    let picture =
      #"{"pageid":\#(page * 100 + 99),"title":"File:P.jpg","videoinfo":[{"url":"https://u.example/p.jpg"}]}"#
    let next = page < last ? #""continue":{"gcmcontinue":"\#(page + 1)|x","continue":"gcmcontinue||"},"# : ""
    return TestAnswer(#"{\#(next)"query":{"pages":[\#((pages + [picture]).joined(separator: ","))]}}"#)
  }

  private static func titles(_ pages: [FeedPage]) -> [[String]] { pages.map { $0.videos.map(\.title) } }

  @Test func `a page with few videos sends further requests, five at most`() async throws {
    try await withServer { request in
      .answer(Self.commons(request, films: 1, last: 6))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/w/api.php?action=query"))
      #expect(Self.titles(pages) == [(0...4).map { "\($0)-0" }, ["5-0", "6-0"]])
      #expect(pages.allSatisfy { $0.skippedCount == 0 })
      #expect(server.requests.last?.target.contains("gcmcontinue=6%7Cx") == true)
      #expect(server.requests.count == 7)
    }
  }

  @Test func `a page with enough videos sends no further request`() async throws {
    try await withServer { request in
      .answer(Self.commons(request, films: 10, last: 1))
    } _: { server in
      let page = try await open(server.origin + "/w/api.php?action=query").page(.start).get()
      #expect(page.videos.count == 10 && page.next != nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `videos before a failure are shown, and the next page continues from there`() async throws {
    try await withServer { request in
      request.query["gcmcontinue"]?.hasPrefix("2") == true
        ? .answer(TestAnswer("", status: 429, headers: ["Retry-After": "9"]))
        : .answer(Self.commons(request, films: 2, last: 9))
    } _: { server in
      let source = try open(server.origin + "/w/api.php?action=query")
      let page = try await source.page(.start).get()
      #expect(page.videos.count == 4)
      // The server asked to wait: it is not requested again before that.
      #expect(await source.page(try #require(page.next)).failure?.kind == .wait(seconds: 9))
      #expect(server.requests.count == 3)
    }
  }

  // MARK: - Internet Archive

  private static func answerArchive(_ request: TestRequest) -> TestBehaviour {
    switch request.path {
    case "/metadata/films":
      return .answer(
        TestAnswer(#"{"files":[],"metadata":{"identifier":"films","title":"Films","mediatype":"collection"}}"#))
    case "/metadata/f1":
      return .answer(
        TestAnswer(
          #"{"files":[{"name":"f 1.mp4","format":"h.264"}],"metadata":{"identifier":"f1","title":"F","mediatype":"movies"}}"#
        ))
    case "/advancedsearch.php":
      let (page, rows) = (Int(request.query["page"] ?? "") ?? 0, Int(request.query["rows"] ?? "") ?? 0)
      let start = (page - 1) * rows
      let items = (start..<min(start + rows, 45)).map { #"{"identifier":"f\#($0)","title":"F","mediatype":"movies"}"# }
      return .answer(
        TestAnswer(#"{"response":{"numFound":45,"start":\#(start),"docs":[\#(items.joined(separator: ","))]}}"#))
    default: return .answer(TestAnswer("{}"))
    }
  }

  @Test func `a collection returns its videos page by page`() async throws {
    try await withServer(Self.answerArchive) { server in
      let source = try open(server.origin + "/metadata/films")
      let pages = try await allPages(of: source)
      #expect(pages.map(\.videos.count) == [30, 15])
      #expect(pages.first?.title == "Films" && pages.first?.total == 45)
      #expect(server.requests.map(\.path) == ["/metadata/films", "/advancedsearch.php", "/advancedsearch.php"])
      let video = try #require(pages.first?.videos[1])
      let completed = try await source.details(video).get()
      #expect(completed.playbackURL?.text == server.origin + "/download/f1/f%201.mp4")
    }
  }

  @Test func `an item is one video, and a missing one is reported`() async throws {
    try await withServer(Self.answerArchive) { server in
      let page = try await open(server.origin + "/metadata/f1").page(.start).get()
      #expect(page.videos.map(\.id) == ["f1"] && page.next == nil)
      let failure = try await open(server.origin + "/metadata/nothing").page(.start).failure
      #expect(failure?.reason == "the Internet Archive has no such item")
    }
  }

  @Test func `a page whose list the API does not have is refused without a request`() async throws {
    let source = try open("https://yewtu.be/channel/UCaaaaaaaaaaaaaaaaaaaaaa/community")
    let failure = await source.page(.start).failure
    #expect(failure?.reason == "the page is a list of posts, not of videos" && failure?.kind == .permanent)
  }

  @Test func `a page of Invidious that lists no videos is refused, and neither its feed nor yt-dlp replaces it`()
    async throws
  {
    try await withServer { _ in
      .answer(
        .html(
          #"""
          <!doctype html><head><link rel="search" title="Invidious" href="/o.xml">
          <link rel="alternate" type="application/rss+xml" href="/feed/channel/UC1"></head>
          """#))
    } _: { server in
      let failure = try await open(server.origin + "/channel/UC1/community").page(.start).failure
      #expect(failure?.reason == "the page is a list of posts, not of videos")
      #expect(server.requests.map(\.path) == ["/channel/UC1/community"])
    }
  }

  @Test func `the playlists of a channel on Invidious end at a token that repeats`() async throws {
    let path = "/api/v1/channels/UCaaaaaaaaaaaaaaaaaaaaaa/playlists"
    try await withServer { request in
      guard request.path == path else { return .answer(TestAnswer("", status: 404)) }
      let id = request.query["continuation"] == nil ? "PL1" : "PL2"
      return .answer(
        TestAnswer(
          #"{"playlists":[{"type":"playlist","title":"A","playlistId":"\#(id)","videos":[]}],"continuation":"x"}"#))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + path))
      #expect(pages.flatMap(\.videos).map(\.list?.kind) == [.playlist, .playlist])
      #expect(pages.flatMap(\.videos).map(\.id) == ["PL1", "PL2"])
      #expect(server.requests.count { $0.query["continuation"] == "x" } == 1)
    }
  }
}
