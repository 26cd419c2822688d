import FeedfallFeeds
import FeedfallText
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources
@testable import FeedfallWeb

/// Users, podcasts and channels by their names, of which a directory knows the feed.
@Suite(.hangLimit, .serialized) struct DirectoryFeedTests {
  private static func webFinger(_ actor: String) -> TestBehaviour {
    .answer(
      TestAnswer(
        #"{"subject":"acct:ann@a.example","links":[{"rel":"self","href":"\#(actor)"}]}"#,
        headers: ["Content-Type": "application/jrd+json"]))
  }

  private static func user(_ server: TestServer) -> String { "@ann@" + server.origin.dropFirst("http://".count) }

  @Test func `a user of PeerTube is paged as a list of videos`() async throws {
    try await withServer { request in
      guard request.path != "/.well-known/webfinger" else {
        return Self.webFinger("http://\(request.headers["host"] ?? "")/accounts/ann")
      }
      let start = Int(request.query["start"] ?? "") ?? 0
      return .answer(TestAnswer(peerTubeList(start..<min(start + 20, 30), total: 30)))
    } _: { server in
      let source = try open(Self.user(server))
      let pages = try await allPages(of: source)
      #expect(pages.map(\.videos.count) == [20, 10])
      #expect(try await source.page(.start).get().videos.count == 20)
      let list = "/api/v1/accounts/ann/videos"
      #expect(server.requests.map(\.path) == ["/.well-known/webfinger", list, list, list])
      #expect(server.requests[0].query["resource"] == "acct:" + Self.user(server).dropFirst())
    }
  }

  @Test func `a user of Mastodon is a feed`() async throws {
    try await withServer { request in
      switch request.path {
      case "/.well-known/webfinger": Self.webFinger("http://\(request.headers["host"] ?? "")/users/ann")
      case "/@ann.rss": .answer(TestAnswer(films(0..<2)))
      default: .answer(TestAnswer("", status: 404))
      }
    } _: { server in
      let page = try await open(Self.user(server)).page(.start)
      #expect(page.titles == ["Film 0", "Film 1"])
      #expect(server.requests.map(\.path) == ["/.well-known/webfinger", "/@ann.rss"])
      let feed = try await open(server.origin + "/@ann.rss").page(.start).get()
      #expect(try page.get().videos.map(\.scope) == feed.videos.map(\.scope) && feed.videos[0].scope != nil)
    }
  }

  @Test func `a user without a feed is refused after one request`() async throws {
    try await withServer { _ in
      Self.webFinger("https://a.example/actor")
    } _: { server in
      let failure = try await open(Self.user(server)).page(.start).failure
      #expect(failure?.reason == "the server names no feed for this user" && failure?.advice != nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `an unknown user is refused after one request`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("", status: 404))
    } _: { server in
      let failure = try await open(Self.user(server)).page(.start).failure
      #expect(failure?.reason.contains("404") == true)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a directory that leads to itself is requested once`() async throws {
    try await withServer { request in
      .answer(
        TestAnswer(
          #"{"links":[{"rel":"http://schemas.google.com/g/2010#updates-from","href":"http://\#(request.headers["host"] ?? "")\#(request.target)"}]}"#
        ))
    } _: { server in
      let failure = try await open(Self.user(server)).page(.start).failure
      #expect(failure != nil)
      #expect(server.requests.count == 1)
    }
  }

  // MARK: - Without a server

  private static func answer(_ body: String, at address: WebAddress) -> Result<HTTPAnswer, WebFailure> {
    .success(HTTPAnswer(status: 200, body: Array(body.utf8), contentType: "", address: address))
  }

  private static func request(_ address: WebAddress) -> WebPageRequest {
    WebPageRequest(.start, of: WebFeed(first: address, pages: nil, pageSize: nil))
  }

  @Test func `a directory does not lead from https to http`() throws {
    let address = try #require(WebAddress("https://a.example/.well-known/webfinger?resource=acct:a@a.example"))
    var request = Self.request(address)
    _ = request.start()
    let step = request.handle(
      Self.answer(#"{"links":[{"rel":"self","href":"http://127.0.0.1/accounts/ann"}]}"#, at: address))
    guard case .failed(let failure) = step else { throw TestFailure("no failure but \(step)") }
    #expect(failure.reason.contains("http://127.0.0.1, which is not encrypted"))
  }

  @Test func `a podcast of Apple leads to its feed, an episode is a video by itself`() throws {
    let episode = #"""
      {"wrapperType":"podcastEpisode","collectionId":1,"trackId":2,"trackName":"A film","episodeUrl":"https://a.example/1.mp3"}
      """#
    let podcast = #"{"wrapperType":"track","kind":"podcast","collectionId":1,"feedUrl":"https://a.example/rss"}"#
    let answer = #"{"resultCount":2,"results":[\#(podcast),\#(episode)]}"#
    let (wanted, feed) = ("https://itunes.apple.com/lookup?id=1&i=2", "https://itunes.apple.com/lookup?id=1")
    let episodes = try #require(WebAddress(wanted))
    var request = Self.request(episodes)
    #expect(request.start() == .fetch(episodes))
    let step = request.handle(Self.answer(answer, at: episodes))
    guard case .page(let page) = step else { throw TestFailure("no page but \(step)") }
    #expect(page.videos.map(\.title) == ["A film"] && page.next == nil && page.skippedCount == 0)
    let all = try #require(WebAddress(feed))
    var other = Self.request(all)
    _ = other.start()
    let rss = try #require(WebAddress("https://a.example/rss"))
    #expect(other.handle(Self.answer(#"{"results":[\#(podcast)]}"#, at: all)) == .fetch(rss))
    guard case .page(let films) = other.handle(Self.answer(films(0..<2), at: rss)) else { throw TestFailure("no page") }
    #expect(films.videos.count == 2)
  }
}
