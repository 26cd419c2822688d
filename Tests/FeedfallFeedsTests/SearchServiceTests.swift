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
    ("cats since:3y", "EgIQAQ%3D%3D"),
  ])
  func `YouTube gets the conditions that it knows`(text: String, parameter: String) {
    let address = SearchService.youtube.address(of: SearchRequest.parse(text).request)
    #expect(address == "https://www.youtube.com/results?search_query=cats&sp=" + parameter)
  }

  @Test func `each service has an address for words with signs`() {
    for service in SearchService.allCases {
      let address = service.address(of: SearchRequest.parse("a&b #c é").request)
      if YtDlpSearch(address) == nil {
        #expect(address.hasPrefix("https://") && address.contains("a%26b%20%23c%20%C3%A9"), "\(address)")
      } else {
        #expect(address.hasSuffix(":a&b #c é") && service.needsYtDlp)
      }
    }
  }

  @Test func `searches of yt-dlp are read in pages of all results`() {
    #expect(YtDlpSearch("ytsearch5:cats")?.input == "ytsearchall:cats")
    #expect(YtDlpSearch("scsearchall: piano solo ")?.input == "scsearchall:piano solo")
    #expect(YtDlpSearch("NicoSearchDate20:a:b")?.input == "nicosearchdateall:a:b")
    #expect(YtDlpSearch("bilisearch:x")?.site.host == "www.bilibili.com")
    for text in ["ytsearch:", "ytsearch", "search:x", "https://a.example/", "gvsearch:x", ":x"] {
      #expect(YtDlpSearch(text) == nil, "\(text)")
    }
  }
}
