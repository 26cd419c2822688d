import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct DirectoriesTests {
  private func meaning(_ answer: String, at address: String) throws -> PageMeaning? {
    KnownSite.meaning(ofDirectory: Array(answer.utf8), at: try #require(WebAddress(address)))
  }

  // MARK: - WebFinger

  private static let webFinger = "https://films.example/.well-known/webfinger?resource=acct:ann@films.example"

  private func links(_ links: String...) -> String {
    #"{"subject":"acct:ann@films.example","links":[\#(links.joined(separator: ","))]}"#
  }

  private func link(_ relation: String, _ address: String) -> String { #"{"rel":"\#(relation)","href":"\#(address)"}"# }

  @Test(arguments: [
    ("https://video.example/accounts/ann", "https://video.example/api/v1/accounts/ann/videos"),
    ("https://video.example/video-channels/ann.films", "https://video.example/api/v1/video-channels/ann.films/videos"),
    ("https://social.example/users/ann", "https://social.example/@ann.rss"),
    ("https://social.example/@ann", "https://social.example/@ann.rss"),
    ("https://video.example/accounts/a%2Fb", "https://video.example/api/v1/accounts/a%2Fb/videos"),
  ])
  func `the actor of a user leads to the videos`(actor: String, list: String) throws {
    #expect(try meaning(links(link("self", actor)), at: Self.webFinger) == .list(try #require(WebAddress(list))))
  }

  @Test func `a profile and a named feed lead to the feed`() throws {
    let profile = link("http://webfinger.net/rel/profile-page", "https://social.example/@ann")
    let actor = link("self", "https://social.example/ap/users/1")
    let feed = WebAddress("https://social.example/@ann.rss").map(PageMeaning.list)
    #expect(try meaning(links(actor, profile), at: Self.webFinger) == feed)
    let named = link("http://schemas.google.com/g/2010#updates-from", "https://social.example/ann.atom")
    let atom = WebAddress("https://social.example/ann.atom").map(PageMeaning.list)
    #expect(try meaning(links(profile, named, actor), at: Self.webFinger) == atom)
  }

  @Test(arguments: [
    "", "{}", "[]", "null", "<!doctype html>", #"{"links":"x"}"#, #"{"links":[1,null,{}]}"#,
    #"{"links":[{"rel":"self","href":"file:///etc/passwd"}]}"#, #"{"links":[{"rel":"self","href":"/accounts/ann"}]}"#,
    #"{"links":[{"rel":"self","href":"https://a.example/accounts/"}]}"#,
    #"{"links":[{"rel":"self","href":"https://a.example/@"}]}"#, #"{"links":[{"rel":"self","href":3}]}"#,
  ])
  func `an answer without a feed is refused`(answer: String) throws {
    guard case .refused? = try meaning(answer, at: Self.webFinger) else { throw TestFailure("not refused") }
  }

  @Test func `only the first hundred links and four megabytes count`() throws {
    let other = (0..<100).map { link("other", "https://a.example/\($0)") }
    let answer = #"{"links":[\#((other + [link("self", "https://a.example/@ann")]).joined(separator: ","))]}"#
    guard case .refused? = try meaning(answer, at: Self.webFinger) else { throw TestFailure("not refused") }
    let long = links(link("self", "https://a.example/@ann")) + String(repeating: " ", count: 4 << 20)
    guard case .refused? = try meaning(long, at: Self.webFinger) else { throw TestFailure("not refused") }
  }

  @Test func `the answer of another server names no feed`() throws {
    let answer = links(link("self", "https://a.example/@ann"))
    #expect(try meaning(answer, at: "https://films.example/webfinger") == nil)
    #expect(try meaning(answer, at: "https://films.example/lookup") == nil)
  }

  // MARK: - Apple Podcasts

  @Test(arguments: [
    ("podcasts.apple.com/us/podcast/the-films/id123", "id=123&country=us&entity=podcast"),
    ("podcasts.apple.com/de/podcast/id123", "id=123&country=de&entity=podcast"),
    ("podcasts.apple.com/podcast/id123?uo=4", "id=123&entity=podcast"),
    ("itunes.apple.com/us/podcast/the-films/id123?mt=2", "id=123&country=us&entity=podcast"),
    (
      "podcasts.apple.com/us/podcast/a-film/id123?i=456",
      "id=123&country=us&entity=podcastEpisode&limit=200&i=456"
    ),
    ("podcasts.apple.com/us/podcast/a-film/id123?i=x", "id=123&country=us&entity=podcast"),
  ])
  func `a page of Apple Podcasts maps to a lookup`(page: String, query: String) throws {
    let page = try #require(WebAddress("https://" + page))
    #expect(KnownSite.request(for: page)?.text == "https://itunes.apple.com/lookup?" + query)
  }

  @Test(arguments: [
    "podcasts.apple.com/us/podcast/films/idx", "podcasts.apple.com/us/charts", "music.apple.com/us/podcast/id1",
  ])
  func `another page of Apple has no lookup`(page: String) throws {
    #expect(KnownSite.request(for: try #require(WebAddress("https://" + page))) == nil)
  }

  /// Written by hand after Apple's documentation of the search API; no recorded answer was at hand.
  private static let podcast = #"""
    {"wrapperType":"track","kind":"podcast","collectionId":123,"trackId":123,"collectionName":"Films",
    "feedUrl":"https://films.example/rss","artworkUrl600":"https://films.example/600.jpg"}
    """#
  /// Written by hand, too.
  private static let episode = #"""
    {"wrapperType":"podcastEpisode","kind":"podcast-episode","collectionId":123,"trackId":456,"trackName":"A film",
    "collectionName":"Films","episodeUrl":"https://films.example/1.mp3?x=1","episodeContentType":"audio",
    "episodeFileExtension":"mp3","episodeGuid":"film-1","trackTimeMillis":90500,"releaseDate":"2026-01-31T08:00:00Z",
    "feedUrl":"https://films.example/rss","artworkUrl600":"https://films.example/600.jpg",
    "trackViewUrl":"https://podcasts.apple.com/us/podcast/a-film/id123?i=456","description":"About <b>a</b> film"}
    """#

  private func results(_ results: String...) -> String {
    #"{"resultCount":\#(results.count),"results":[\#(results.joined(separator: ","))]}"#
  }

  private static let lookup = "https://itunes.apple.com/lookup?id=123"

  @Test func `a lookup leads to the feed of the podcast`() throws {
    let feed = WebAddress("https://films.example/rss").map(PageMeaning.list)
    #expect(try meaning(results(Self.podcast), at: Self.lookup) == feed)
    #expect(try meaning(results(Self.podcast, Self.episode), at: Self.lookup + "&i=7") == feed)
    #expect(try meaning(results(Self.podcast, Self.episode), at: Self.lookup + "&i=456") == nil)
  }

  @Test(arguments: [
    "", "{}", #"{"resultCount":0,"results":[]}"#, #"{"results":[{"wrapperType":"track","feedUrl":"file:///a"}]}"#,
    #"{"results":[{"feedUrl":7}]}"#, #"{"results":7}"#,
  ])
  func `a lookup without a feed is refused`(answer: String) throws {
    guard case .refused? = try meaning(answer, at: Self.lookup) else { throw TestFailure("not refused") }
  }

  @Test func `the wanted episode of a lookup is one video`() throws {
    let other = Self.episode.replacing("456", with: "789").replacing("film-1", with: "film-2")
    let body = Array(results(Self.podcast, other, Self.episode).utf8)
    let document = try FeedDecoder.decode(body, from: WebAddress(Self.lookup + "&i=456"))
    #expect(document.kind == .applePodcasts && document.skippedCount == 0)
    let video = try #require(document.videos.first)
    #expect(document.videos.count == 1 && video.id == "film-1" && video.title == "A film")
    #expect(video.playbackURL?.text == "https://films.example/1.mp3?x=1" && video.duration?.seconds == 91)
    #expect(video.channel == "Films" && video.channelURL?.text == "https://films.example/rss")
    #expect(video.published == UnixTime(rfc3339: "2026-01-31T08:00:00Z") && video.summary == "About a film")
    #expect(video.pageURL?.text == "https://podcasts.apple.com/us/podcast/a-film/id123?i=456")
    #expect(try FeedDecoder.decode(body, from: WebAddress(Self.lookup)).videos.count == 2)
  }

  @Test(arguments: ["", #","episodeUrl":"file:///a.mp3""#, #","episodeUrl":7"#])
  func `an episode without a web address is skipped`(member: String) throws {
    let episode = #"{"wrapperType":"podcastEpisode","collectionId":1,"trackId":2,"trackName":"x"\#(member)}"#
    let document = try? FeedDecoder.decode(Array(results(episode).utf8), from: WebAddress(Self.lookup))
    #expect(document?.videos.isEmpty != false)
  }

  // MARK: - Invidious and Piped

  @Test(arguments: [
    ("yewtu.be/@ann", "yewtu.be/api/v1/resolveurl?url=https://www.youtube.com/@ann"),
    ("yewtu.be/@b%C3%BCro/videos", "yewtu.be/api/v1/resolveurl?url=https://www.youtube.com/@b%C3%BCro"),
    ("yewtu.be/@ann/playlists", "yewtu.be/api/v1/resolveurl?url=https://www.youtube.com/@ann#playlists"),
    ("yewtu.be/c/ann", "yewtu.be/api/v1/resolveurl?url=https://www.youtube.com/c/ann"),
    ("piped.video/@ann", "pipedapi.kavin.rocks/@/ann"), ("piped.video/user/ann", "pipedapi.kavin.rocks/user/ann"),
  ])
  func `the page of a name maps to the API`(page: String, request: String) throws {
    let page = try #require(WebAddress("https://" + page))
    #expect(KnownSite.request(for: page)?.text == "https://" + request)
  }

  @Test(arguments: [
    ("", "videos"), ("#shorts", "shorts"), ("#streams", "streams"), ("#playlists", "playlists"), ("#../x", "videos"),
  ])
  func `a resolved name leads to a list of the channel`(mark: String, name: String) throws {
    let request = "https://yewtu.be/api/v1/resolveurl?url=x\(mark)"
    let id = "UCX6OQ3DkcsbYNE6H8uQQuVA"
    let list = WebAddress("https://yewtu.be/api/v1/channels/\(id)/\(name)").map(PageMeaning.list)
    #expect(try meaning(#"{"ucid":"\#(id)","pageType":"WEB_PAGE_TYPE_CHANNEL"}"#, at: request) == list)
    for answer in ["{}", #"{"ucid":"../x"}"#, #"{"ucid":7}"#, "x"] {
      guard case .refused? = try meaning(answer, at: request) else { throw TestFailure("not refused") }
    }
  }
}
