import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct PeerTubeEndpointTests {
  private static let uuid = "9c9de5e8-0a1e-484a-b099-e80766180a6d"

  @Test(arguments: [
    ("https://h", "videos?sort=-publishedAt", false),
    ("https://h:8080/", "videos?sort=-publishedAt", false),
    ("https://h/videos/trending", "videos?sort=-trending", true),
    ("https://h/videos/recently-added", "videos?sort=-publishedAt", true),
    ("https://h/videos/local", "videos?sort=-publishedAt&isLocal=true", true),
    ("https://h/videos/browse?scope=local&sort=-views&x=y", "videos?sort=-views&isLocal=true", true),
    ("https://h/videos/browse", "videos?sort=-publishedAt", true),
    ("https://h/videos/browse?live=false&search=a+b", "videos?search=a%20b&isLive=false&sort=-publishedAt", true),
    ("https://h/c/name", "video-channels/name/videos", false),
    (
      "https://h/c/name/videos?sort=-views&languageOneOf=de&languageOneOf=en&live=true&x=y",
      "video-channels/name/videos?sort=-views&languageOneOf=de&languageOneOf=en&isLive=true", false
    ),
    ("https://h/a/name/videos?sort=-views&scope=local", "accounts/name/videos?sort=-views&isLocal=true", false),
    ("https://h/@name/videos?search=x", "accounts/name/videos?search=x", false),
    ("https://h/c/name@other.example/videos", "video-channels/name@other.example/videos", false),
    ("https://h/video-channels/name/videos", "video-channels/name/videos", true),
    ("https://h/a/name", "accounts/name/videos", false),
    ("https://h/a/name/video-channels", "accounts/name/video-channels", true),
    ("https://h/accounts/name@o.example/video-playlists?x=y", "accounts/name@o.example/video-playlists", true),
    ("https://h/@name/video-channels", "accounts/name/video-channels", false),
    ("https://h/api/v1/video-channels?sort=-createdAt", "video-channels?sort=-createdAt", true),
    ("https://h/api/v1/video-playlists", "video-playlists", true),
    ("https://h/c/name/video-playlists", "video-channels/name/video-playlists", true),
    ("https://h/api/v1/search/video-channels?search=x", "search/video-channels?search=x", true),
    ("https://sepiasearch.org/api/v1/search/video-playlists?search=x", "search/video-playlists?search=x", true),
    ("https://h/api/v1/accounts/name/video-channels", "accounts/name/video-channels", true),
    ("https://h/accounts/name@o.example", "accounts/name@o.example/videos", false),
    ("https://h/w/p/kkGMgK9ZtnKfYAgnEtQxbv", "video-playlists/kkGMgK9ZtnKfYAgnEtQxbv/videos", true),
    ("https://h/video-playlists/embed/\(uuid)", "video-playlists/\(uuid)/videos", true),
    ("https://h/@name", "accounts/name/videos", false),
    ("https://h/@name@o.example/videos", "accounts/name@o.example/videos", false),
    ("https://h/videos/watch/playlist/\(uuid)", "video-playlists/\(uuid)/videos", true),
    ("https://h/search?search=free%20films", "search/videos?search=free%20films", false),
    ("https://sepiasearch.org/search?search=x", "search/videos?search=x", true),
    (
      "https://sepiasearch.org/search?search=a+b&nsfw=false&categoryOneOf[]=1&languageOneOf%5B%5D=de&x=y&host=",
      "search/videos?search=a%20b&nsfw=false&categoryOneOf=1&languageOneOf=de", true
    ),
    ("https://sepiasearch.org/search?tagsOneOf=cats", "search/videos?tagsOneOf=cats", true),
    ("https://sepiasearch.org/", "search/videos?sort=-publishedAt", true),
    ("https://h/api/v1/videos?sort=-views&start=5&count=3", "videos?sort=-views&start=5&count=3", true),
    ("https://h/api/v1/video-channels/n/videos", "video-channels/n/videos", true),
    ("https://h/api/v1/search/videos?search=a+b", "search/videos?search=a+b", true),
  ])
  func `the address of a list maps to its endpoint`(pasted: String, path: String, isCertain: Bool)
    throws
  {
    let address = try #require(WebAddress(pasted))
    let endpoint = try #require(PeerTubeEndpoint(address: address))
    let expected = try #require(WebAddress("\(address.origin)/api/v1/\(path)"))
    #expect(
      endpoint.address(start: 30, count: 15)
        == expected.setting(query: "start", to: "30").setting(query: "count", to: "15"))
    #expect(endpoint.isCertain == isCertain)
    #expect(!endpoint.isSingleVideo)
  }

  @Test(arguments: [
    ("https://h/w/kkGMgK9ZtnKfYAgnEtQxbv", "kkGMgK9ZtnKfYAgnEtQxbv"),
    ("https://h/w/kkGMgK9ZtnKfYAgnEtQxbv?start=1m", "kkGMgK9ZtnKfYAgnEtQxbv"),
    ("https://h/videos/watch/\(uuid)", uuid),
    ("https://h/videos/embed/\(uuid)", uuid),
    ("https://h/api/v1/videos/\(uuid)", uuid),
  ])
  func `the address of a video maps to its details`(pasted: String, id: String) throws {
    let endpoint = try #require(WebAddress(pasted).flatMap { PeerTubeEndpoint(address: $0) })
    #expect(endpoint.isSingleVideo)
    #expect(endpoint.isCertain)
    #expect(endpoint.address(start: 15, count: 15).text == "https://h/api/v1/videos/\(id)")
  }

  @Test(arguments: [
    "https://h/feed.json", "https://h/w/short", "https://h/videos/watch/nothing", "https://h/videos/1/2",
    "https://h/search",
    "https://h/api/v1/config", "https://h/api/v2/videos", "https://h/c/a%2Fb", "https://h/c/%20",
    "https://h/accounts/a/x", "https://h/@name/video-playlists", "https://h/a/%2E%2E/video-channels", "https://h/c/%2E",
    "https://h/api/v1/videos/a%2Fb", "https://h/@", "https://h/@name/x", "https://h/about/instance",
  ])
  func `other addresses have no endpoint`(text: String) throws {
    #expect(PeerTubeEndpoint(address: try #require(WebAddress(text))) == nil)
  }

  @Test func `the alternative of a name is the channel`() throws {
    let endpoint = try #require(WebAddress("https://h/@name").flatMap { PeerTubeEndpoint(address: $0) })
    let alternative = try #require(endpoint.alternative)
    #expect(
      alternative.address(start: 0, count: 5).text == "https://h/api/v1/video-channels/name/videos?start=0&count=5")
    #expect(alternative.alternative == nil)
  }

  @Test func `any address can be an instance`() throws {
    let endpoint = PeerTubeEndpoint(instanceOf: try #require(WebAddress("https://h:81/about/x?y#z")))
    #expect(endpoint.configAddress.text == "https://h:81/api/v1/config")
    #expect(
      endpoint.address(start: 0, count: 15).text
        == "https://h:81/api/v1/videos?sort=-publishedAt&start=0&count=15")
  }

  @Test func `a page has between one and a hundred videos`() throws {
    let endpoint = try #require(WebAddress("https://h/").flatMap { PeerTubeEndpoint(address: $0) })
    #expect(endpoint.address(start: -5, count: 0).query == "sort=-publishedAt&start=0&count=1")
    #expect(endpoint.address(start: 0, count: 1_000).query == "sort=-publishedAt&start=0&count=100")
  }
}
