import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct ServerSearchTests {
  private func search(_ source: String, videos: [Video] = []) throws -> String? {
    let address = try #require(WebAddress(typed: source))
    return KnownSite.search(for: "rain & town", onServerOf: address, videos: videos)?.text
  }

  private static let id = "9c9de5e8-0a1e-484a-b099-e80766180a6d"

  private func video(details: String) throws -> Video {
    Video(id: "a", title: "", playback: .details(try #require(WebAddress(details)), page: nil))
  }

  @Test(arguments: [
    ("https://sepiasearch.org/", "https://sepiasearch.org/search?search=rain%20%26%20town"),
    ("commons.wikimedia.org/wiki/Category:Rain", "https://commons.wikimedia.org/w/index.php?search=rain%20%26%20town"),
    ("archive.org/details/films", "https://archive.org/search?query=rain%20%26%20town"),
    ("media.ccc.de/c/38c3", "https://media.ccc.de/search?q=rain%20%26%20town"),
    ("https://video.example/videos/trending", "https://video.example/api/v1/search/videos?search=rain%20%26%20town"),
    ("yewtu.be", "https://yewtu.be/search?q=rain%20%26%20town"),
  ])
  func `a server with a search has an address for words, which can be searched again`(
    source: String, address: String
  ) throws {
    #expect(try search(source) == address)
    #expect(try search(address) == address)
    let found = try #require(WebAddress(address))
    #expect(KnownSite.request(for: found) != nil || PeerTubeEndpoint(address: found)?.isCertain == true)
  }

  @Test(arguments: [
    ("https://video.example/videos/trending", "https://video.example/api/v1/search/video-@s?search=a"),
    ("https://sepiasearch.org/", "https://sepiasearch.org/api/v1/search/video-@s?search=a"),
    ("https://yewtu.be/", "https://yewtu.be/search?q=a&type=@"),
    ("https://piped.video/", "https://pipedapi.kavin.rocks/search?q=a&filter=@s"),
    ("https://media.ccc.de/c/38c3", "https://media.ccc.de/search?q=a"),
  ])
  func `a search for channels or playlists reaches the servers that have it`(source: String, address: String) throws {
    let source = try #require(WebAddress(source))
    for kind in [ListLink.Kind.channel, .playlist] {
      let found = try #require(KnownSite.search(for: "a", kind, onServerOf: source, videos: []))
      #expect(found.text == address.replacing("@", with: kind.rawValue))
      #expect(KnownSite.refusal(of: found) == nil)
    }
  }

  @Test func `a channel of Invidious is searched by itself`() throws {
    let page = "https://yewtu.be/channel/UC0123456789012345678901"
    #expect(try search(page + "/shorts") == page + "/search?q=rain%20%26%20town")
    let own = "https://inv.example/channel/UC0123456789012345678901"
    let video = try video(details: "https://inv.example/api/v1/videos/aqz-KE-bpKQ")
    #expect(try search(own, videos: [video]) == own + "/search?q=rain%20%26%20town")
    #expect(try search(own) == nil)
  }

  @Test func `a video of YouTube identifies a server of Piped`() throws {
    var video = Video(id: "a", title: "", playback: .unknown)
    video.pageURL = WebAddress("https://www.youtube.com/watch?v=aaaaaaaaaaa")
    let list = "https://piped.example/playlists/PL1"
    #expect(try search(list, videos: [video]) == "https://piped.example/search?q=rain%20%26%20town&filter=videos")
    #expect(try search(list) == nil)
  }

  @Test func `videos identify servers of PeerTube and Invidious`() throws {
    let peerTube = try video(details: "https://video.example/api/v1/videos/\(Self.id)")
    let invidious = try video(details: "https://video.example/api/v1/videos/aqz-KE-bpKQ")
    let number = try video(details: "https://video.example/api/v1/videos/1234567")
    #expect(
      try search("video.example", videos: [number, peerTube])
        == "https://video.example/api/v1/search/videos?search=rain%20%26%20town")
    #expect(
      try search("video.example", videos: [invidious])
        == "https://video.example/api/v1/search?type=video&q=rain%20%26%20town")
    #expect(try search("other.example", videos: [peerTube, invidious]) == nil)
    #expect(try search("video.example", videos: [number]) == nil)
    #expect(try search("video.example") == nil)
    var page = Video(id: "a", title: "", playback: .unknown)
    page.pageURL = WebAddress("https://video.example/w/\(Self.id)")
    #expect(try search("https://video.example/feeds/videos.xml", videos: [page]) != nil)
  }
}
