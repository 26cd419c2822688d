import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct SearchServiceTests {
  @Test(
    arguments: [
      ("cats", nil, "cats", ""), ("youtube cats", .youtube, "cats", ""),
      ("YouTube cats and dogs", .youtube, "cats and dogs", ""),
      ("\"youtube\" cats", nil, "\"youtube\" cats", ""), ("youtube", nil, "youtube", ""),
      ("archive rain >20m sort:views since:1m", .archive, "rain", ">20m sort:views since:1m"),
      ("a:b 1>0 <3 > x", nil, "a:b 1>0 > x", "<3"), ("", nil, "", ""),
      ("  ccc   \"open  source\" ", .ccc, "\"open  source\"", ""),
    ] as [(String, SearchService?, String, String)])
  func `a service, words and conditions are told apart`(
    text: String, service: SearchService?, words: String, filter: String
  ) {
    let parsed = SearchRequest.parse(text)
    #expect(parsed.service == service && parsed.request.words == words)
    #expect(parsed.request.filter == filter)
  }

  /// The parameters of links that YouTube's own filters lead to.
  @Test(arguments: [
    ("cats", "EgIQAQ%3D%3D"), ("cats sort:views", "CAMSAhAB"), ("cats since:1h", "EgQIARAB"),
    ("cats since:1d", "EgQIAhAB"),
    ("cats since:1w", "EgQIAxAB"), ("cats since:1m", "EgQIBBAB"), ("cats since:1y", "EgQIBRAB"),
    ("cats <4m", "EgQQARgB"),
    ("cats >20m", "EgQQARgC"), ("cats since:2w >30m sort:views", "CAMSBggEEAEYAg%3D%3D"),
    ("cats since:3y", "EgIQAQ%3D%3D"), ("cats type:channel", "EgIQAg%3D%3D"), ("cats type:playlist", "EgIQAw%3D%3D"),
    ("cats type:video type:", "EgIQAQ%3D%3D"),
  ])
  func `YouTube gets the conditions that it knows`(text: String, parameter: String) {
    let address = SearchService.youtube.address(of: SearchRequest.parse(text).request)
    #expect(address == "https://www.youtube.com/results?search_query=cats&sp=" + parameter)
  }

  @Test(arguments: [
    ("a >20m", "videos?search=a&durationMin=1200"), ("a type:channel >20m", "video-channels?search=a"),
    ("a type:playlist sort:views", "video-playlists?search=a"), ("a type:video", "videos?search=a"),
    ("a type:podcast", "videos?search=a"),
  ])
  func `PeerTube has a search for each type`(text: String, path: String) {
    let request = SearchRequest.parse(text).request
    #expect(SearchService.peertube.address(of: request) == "https://sepiasearch.org/api/v1/search/" + path)
    #expect(request.filter == String(text.dropFirst(2)))
  }

  @Test(arguments: [
    "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789012345678901",
    "https://m.youtube.com/channel/UC0123456789012345678901/videos",
    "https://www.youtube.com/channel/UC0123456789012345678901/search?query=a",
  ])
  func `a channel of YouTube has lists of its own and a search`(address: String) throws {
    let address = try #require(WebAddress(address))
    let base = "https://www.youtube.com/channel/UC0123456789012345678901"
    let lists = ChannelList.allCases.map { KnownSite.address(of: $0, ofChannel: address)?.text }
    #expect(lists == ["/videos", "/shorts", "/streams", "/playlists"].map { base + $0 })
    #expect(KnownSite.search(for: "a b", onServerOf: address, videos: [])?.text == base + "/search?query=a%20b")
  }

  @Test(arguments: [
    "yewtu.be/channel/UC0123456789012345678901/about",
    "yewtu.be/api/v1/channels/UC0123456789012345678901/videos?sort_by=oldest",
  ])
  func `a channel of Invidious has the same lists`(page: String) throws {
    let address = try #require(WebAddress("https://" + page))
    let lists = ChannelList.allCases.map { KnownSite.address(of: $0, ofChannel: address)?.text }
    let base = "https://yewtu.be/channel/UC0123456789012345678901"
    #expect(lists == ["/videos", "/shorts", "/streams", "/playlists"].map { base + $0 })
  }

  @Test(arguments: [
    ("video-channels/talks", "video-channels/talks"), ("c/talks@o.example/videos", "video-channels/talks@o.example"),
    ("api/v1/accounts/ada/videos", "accounts/ada"),
  ])
  func `a channel of PeerTube has all lists but Shorts`(page: String, owner: String) throws {
    let address = try #require(WebAddress("https://v.example/" + page))
    let lists = ChannelList.allCases.map { KnownSite.address(of: $0, ofChannel: address)?.text }
    let base = "https://v.example/" + owner
    #expect(lists == [base + "/videos", nil, base + "/videos?live=true", base + "/video-playlists"])
  }

  @Test(arguments: [
    "https://www.youtube.com/watch?v=a", "https://www.youtube.com/feeds/videos.xml?playlist_id=PL1",
    "https://www.youtube.com/results?search_query=a", "https://a.example/@b", "https://media.ccc.de/c/38c3",
    "https://piped.video/channel/UC0123456789012345678901", "https://inv.example/channel/UC1",
    "https://v.example/c/%2E%2E",
  ])
  func `other addresses have no lists of a channel`(address: String) throws {
    let address = try #require(WebAddress(address))
    #expect(KnownSite.address(of: .videos, ofChannel: address) == nil)
  }

  @Test func `each service has an address for words with signs`() {
    let request = SearchRequest.parse("a&b #c é").request
    for (service, address) in SearchService.everywhere.searches(for: request, hasYtDlp: true) {
      if YtDlpSearch(address) == nil {
        #expect(address.hasPrefix("https://") && address.contains("a%26b%20%23c%20%C3%A9"), "\(address)")
      } else {
        #expect(address.hasSuffix(":a&b #c é") && service.needsYtDlp)
      }
    }
  }

  @Test func `everywhere searches all services that can be searched`() {
    let request = SearchRequest.parse("cats").request
    func services(_ service: SearchService, hasYtDlp: Bool) -> [SearchService] {
      service.searches(for: request, hasYtDlp: hasYtDlp).map { $0.service }
    }
    #expect(services(.everywhere, hasYtDlp: true) == SearchService.allCases.filter { $0 != .everywhere })
    #expect(
      services(.everywhere, hasYtDlp: false) == [.peertube, .archive, .ccc, .commons, .dailymotion, .podcasts])
    #expect(services(.youtube, hasYtDlp: false) == [.youtube])
    #expect(SearchRequest.parse("everywhere cats").service == .everywhere)
  }

  @Test func `Apple's directory gets the number of podcasts, within its limits`() {
    for (page, limit) in [("", "50"), ("&limit=5", "5"), ("&limit=999", "200"), ("&limit=-1", "1")] {
      let address = WebAddress("https://itunes.apple.com/search?media=podcast&term=rain" + page)
      #expect(address.flatMap { KnownSite.request(for: $0) }?.queryValue("limit") == limit)
    }
    for page in ["?media=music&term=rain", "?media=podcast", "?term=rain"] {
      let address = WebAddress("https://itunes.apple.com/search" + page)
      #expect(address.flatMap { KnownSite.request(for: $0) } == nil)
    }
  }

  @Test func `searches of yt-dlp are read in pages of all results`() {
    #expect(YtDlpSearch("ytsearch5:cats")?.input == "ytsearchall:cats")
    #expect(YtDlpSearch("scsearchall: piano solo ")?.input == "scsearchall:piano solo")
    #expect(YtDlpSearch("NicoSearchDate20:a:b")?.input == "nicosearchdateall:a:b")
    #expect(YtDlpSearch("bilisearch:x")?.site.host == "www.bilibili.com")
    #expect(YtDlpSearch(":ytrec")?.input == ":ytrec" && YtDlpSearch(":ytrec")?.title == "YouTube: recommended")
    #expect(YtDlpSearch.isOwnList(":ythis") && YtDlpSearch.isOwnList("yt-dlp::ytwatchlater"))
    #expect(!YtDlpSearch.isOwnList("ytsearch:cats") && !YtDlpSearch.isOwnList("https://a.example/"))
    for text in [
      ":ytall", "ytrec", ":ytrec --exec", "ytsearch:", "ytsearch", "search:x", "https://a.example/", "gvsearch:x", ":x",
    ] {
      #expect(YtDlpSearch(text) == nil, "\(text)")
    }
  }
}
