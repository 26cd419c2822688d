import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct InvidiousTests {
  private static let item = #"{"type":"video","title":"A","videoId":"aaaaaaaaaaa","author":"Ann","lengthSeconds":61}"#

  @Test(arguments: [
    ("channel/UCabc", "channels/UCabc/videos"),
    ("channel/UCabc/videos?sort_by=oldest&x=y", "channels/UCabc/videos?sort_by=oldest"),
    ("channel/UCabc/streams", "channels/UCabc/streams"), ("channel/UCabc/about", "channels/UCabc/videos"),
    ("channel/UCabc/shorts?sort_by=popular", "channels/UCabc/shorts?sort_by=popular"),
    ("channel/UCabc/playlists?sort_by=last", "channels/UCabc/playlists?sort_by=last"),
    ("channel/UCabc/podcasts", "channels/UCabc/podcasts"), ("channel/UCabc/channels", "channels/UCabc/channels"),
    ("channel/UCabc/search?q=a+b", "channels/UCabc/search?q=a%20b"), ("channel/UCabc/live", nil),
    ("playlist?list=PL1-_", "playlists/PL1-_"), ("playlist?list=PL1&page=3", "playlists/PL1?page=3"),
    ("playlist?list=RDaaaaaaaaaaa", "mixes/RDaaaaaaaaaaa"), ("mix?v=x&list=RDaaaaaaaaaaa", "mixes/RDaaaaaaaaaaa"),
    ("watch?v=aaaaaaaaaaa&list=PL1", "videos/aaaaaaaaaaa"), ("shorts/aaaaaaaaaaa", "videos/aaaaaaaaaaa"),
    ("embed/aaaaaaaaaaa?t=3", "videos/aaaaaaaaaaa"), ("watch/aaaaaaaaaaa", "videos/aaaaaaaaaaa"),
    ("search?q=a+b%26c", "search?type=video&q=a%20b%26c"),
    (
      "search?q=cats&page=3&date=today&type=all&duration=long&sort=views&features=hd&features=4k&x=y&region=",
      "search?type=all&q=cats&date=today&duration=long&features=hd&features=4k&sort=views&page=3"
    ),
    ("search?q=cats&type=movie", "search?type=movie&q=cats"),
    ("search?q=x&type=Channel", "search?type=channel&q=x"), ("search?q=x&type=playlist", "search?type=playlist&q=x"),
    ("search?q=x&type=hashtag", "search?type=video&q=x"),
    ("results?search_query=cats&sp=EgIQAQ%3D%3D&date=today", "search?type=video&q=cats&sp=EgIQAQ%3D%3D"),
    ("hashtag/a%20b?page=2", "hashtag/a%20b?page=2"), ("", "popular"), ("feed/popular", "popular"),
    ("feed/trending?type=music&region=DE", "trending?type=music&region=DE"),
    ("channel/..%2Fx", nil), ("playlist", nil), ("watch?v=x", nil), ("hashtag", nil), ("shorts/x", nil),
    ("search", nil), ("feed/subscriptions", nil), ("login", nil), ("api/v1/popular", nil),
  ])
  func `a page of Invidious leads to its interface, on known hosts and by its own mark`(
    page: String, request: String?
  ) throws {
    let known = try #require(WebAddress("https://yewtu.be/" + page))
    #expect(KnownSite.request(for: known)?.text == request.map { "https://yewtu.be/api/v1/" + $0 })
    let own = try #require(WebAddress("https://inv.example:3000/" + page))
    #expect(KnownSite.request(for: own) == nil)
    let html = "<!doctype html><head><title>x</title>LINK</head><body><a href='/'>Invidious</a>"
    let link =
      "<link title=\"Invidious\" type=\"application/opensearchdescription+xml\" rel=\"search\" href=\"/o.xml\">"
    let marked = Array(html.replacing("LINK", with: link).utf8)
    #expect(
      KnownSite.meaning(ofPage: marked, at: own)?.list?.text
        == request.map { "https://inv.example:3000/api/v1/" + $0 })
    #expect(KnownSite.meaning(ofPage: Array(html.utf8), at: own) == nil)
  }

  @Test(arguments: [
    ("channel/UC1/community", "posts"), ("channel/UC1/posts", "posts"),
  ])
  func `a refused page of Invidious names the items that it lists`(page: String, items: String) throws {
    let known = try #require(WebAddress("https://yewtu.be/" + page))
    #expect(KnownSite.request(for: known) == nil)
    #expect(KnownSite.refusal(of: known)?.reason == "the page is a list of \(items), not of videos")
    #expect(KnownSite.refusal(of: known)?.advice != nil)
    let other = try #require(WebAddress("https://inv.example/" + page))
    #expect(KnownSite.refusal(of: other) == nil)
    let marked = Array("<!doctype html><link rel=search title=Invidious href=/o.xml>".utf8)
    #expect(KnownSite.meaning(ofPage: marked, at: other)?.refusal == KnownSite.refusal(of: known))
  }

  @Test(arguments: [
    ("channels/UC1/videos", "channel/UC1"), ("playlists/PL1", "playlist/PL1"), ("search?q=x", nil), ("popular", nil),
    ("channels/..%2F/videos", nil), ("channels/UC1/streams", nil), ("playlists/PL1?page=2", nil),
    ("channels/UC1/videos?continuation=x", nil), ("mixes/RD1", nil), ("channels/UC1/videos?sort_by=popular", nil),
    ("channels/UC1/videos?sort_by=newest", "channel/UC1"),
  ])
  func `an interface that refuses a request has RSS of channels and playlists`(request: String, feed: String?) throws {
    let address = try #require(WebAddress("https://inv.example/api/v1/" + request))
    #expect(KnownSite.alternative(to: address)?.text == feed.map { "https://inv.example/feed/" + $0 })
  }

  @Test(arguments: [
    ("channel/UCabc", "channel/UCabc"), ("channel/UCabc/videos", "channel/UCabc"),
    ("playlist?list=PL1", "playlists/PL1"), ("watch?v=aaaaaaaaaaa", "streams/aaaaaaaaaaa"),
    ("shorts/aaaaaaaaaaa", "streams/aaaaaaaaaaa"),
    ("results?search_query=a+b", "search?q=a%20b&filter=videos"),
    ("results?search_query=a&filter=music_songs", "search?q=a&filter=music_songs"),
    ("results?search_query=a&filter=channels", "search?q=a&filter=channels"),
    ("results?search_query=a&filter=playlists", "search?q=a&filter=playlists"),
    ("results?search_query=a&filter=music_artists", nil), ("channel/UCabc/shorts", nil), ("trending", nil),
    ("channel", nil), ("results", nil),
  ])
  func `a page of Piped leads to its interface`(page: String, request: String?) throws {
    let known = try #require(WebAddress("https://piped.video/" + page))
    #expect(KnownSite.request(for: known)?.text == request.map { "https://pipedapi.kavin.rocks/" + $0 })
  }

  @Test(arguments: [
    ("api/v1/search?q=x", "[ITEM]", "api/v1/search?q=x&page=2"),
    ("api/v1/search?q=x&page=2", "[ITEM]", "api/v1/search?q=x&page=3"), ("api/v1/search?q=x&page=9", "[]", nil),
    ("api/v1/playlists/PL1", #"{"title":"T","videos":[ITEM]}"#, "api/v1/playlists/PL1?page=2"),
    ("api/v1/popular", "[ITEM]", nil), ("api/v1/search?q=x&page=1000", "[ITEM]", nil),
    ("api/v1/hashtag/x", #"{"results":[ITEM]}"#, "api/v1/hashtag/x?page=2"),
    ("api/v1/channels/UC1/search?q=x", "[ITEM]", "api/v1/channels/UC1/search?q=x&page=2"),
    (
      "api/v1/channels/UC1/videos", #"{"videos":[ITEM],"continuation":"a b+/="}"#,
      "api/v1/channels/UC1/videos?continuation=a%20b%2B/%3D"
    ), ("api/v1/channels/UC1/videos?continuation=x", #"{"videos":[ITEM]}"#, nil),
  ])
  func `an answer of Invidious names the next page`(path: String, body: String, next: String?) throws {
    let document = try decode(body.replacing("ITEM", with: Self.item), from: "https://inv.example/" + path)
    #expect(document.nextAddress?.text == next.map { "https://inv.example/" + $0 })
  }

  @Test(arguments: [
    (
      "channel/UC1", #"{"relatedStreams":[ITEM],"nextpage":"{\"a\":1}"}"#,
      "nextpage/channel/UC1?nextpage=%7B%22a%22:1%7D"
    ),
    (
      "nextpage/channel/UC1?nextpage=x", #"{"relatedStreams":[ITEM],"nextpage":"y"}"#, "nextpage/channel/UC1?nextpage=y"
    ),
    ("nextpage/playlists/PL1?nextpage=x", #"{"relatedStreams":[ITEM],"nextpage":null}"#, nil),
    ("search?q=x&filter=all", #"{"items":[ITEM],"nextpage":"y"}"#, "nextpage/search?q=x&filter=all&nextpage=y"),
  ])
  func `an answer of Piped names the next page`(path: String, body: String, next: String?) throws {
    let item = #"{"url":"/watch?v=aaaaaaaaaaa","type":"stream","title":"A","uploaderName":"Ann","duration":61}"#
    let document = try decode(body.replacing("ITEM", with: item), from: "https://p.example/" + path)
    #expect(document.nextAddress?.text == next.map { "https://p.example/" + $0 })
  }

  @Test func `the token of a next page that does not fit into an address is ignored`() throws {
    let token = String(repeating: "x", count: 20_000)
    let document = try decode(
      #"{"videos":[\#(Self.item)],"continuation":"\#(token)"}"#, from: "https://inv.example/api/v1/channels/UC1/videos")
    #expect(document.videos.count == 1 && document.nextAddress == nil)
  }
}
