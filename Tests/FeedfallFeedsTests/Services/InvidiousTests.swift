import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct InvidiousTests {
  private static let item = #"""
    {"type":"video","title":"A","videoId":"aaaaaaaaaaa","author":"Ann","lengthSeconds":61,"viewCount":7,
     "published":1538391166,"videoThumbnails":[{"quality":"maxres","url":"/vi/a/maxres.jpg","width":1280,"height":720},
     {"quality":"medium","url":"https://i.example/m.jpg","width":320,"height":180}]}
    """#

  private static let lists = [
    "[\(item),{\"type\":\"channel\",\"author\":\"Ann\",\"title\":\"Ann\",\"videoId\":\"\",\"lengthSeconds\":0}]",
    #"{"videos":[\#(item)],"continuation":"x"}"#, #"{"title":"Mine","playlistId":"PL1","videos":[\#(item)]}"#,
  ]

  @Test(arguments: lists) func `a list of Invidious becomes videos`(body: String) throws {
    let document = try decode(body, from: "https://inv.example/api/v1/search?q=x")
    #expect(document.kind == .youTubeProxy && document.skippedCount == 0)
    let video = try #require(document.videos.first)
    #expect(document.videos.count == 1 && video.title == "A" && video.channel == "Ann" && video.views == 7)
    #expect(video.duration == .seconds(61) && video.published?.seconds == 1_538_391_166)
    #expect(video.detailsURL?.text == "https://inv.example/api/v1/videos/aaaaaaaaaaa")
    #expect(video.pageURL?.text == "https://www.youtube.com/watch?v=aaaaaaaaaaa")
    #expect(video.covers.map(\.url.text) == ["https://i.example/m.jpg", "https://inv.example/vi/a/maxres.jpg"])
  }

  @Test func `details name the files`() throws {
    let address = try #require(WebAddress("https://inv.example/api/v1/videos/aaaaaaaaaaa"))
    let files = #""formatStreams":[{"url":"/latest?itag=18","type":"video/mp4; codecs=\"avc1\"","size":"640x360"}]"#
    let body = #"{"title":"A","videoId":"aaaaaaaaaaa","lengthSeconds":61,\#(files),"recommendedVideos":[]}"#
    let listed = try #require(try decode("[\(Self.item)]", from: "https://inv.example/").videos.first)
    let video = try FeedDecoder.decodeDetails(Array(body.utf8), completing: listed, from: address)
    #expect(addresses(video) == ["https://inv.example/latest?itag=18"])
    #expect(video.pictureSize == PixelSize(width: 640, height: 360))
  }

  @Test(arguments: ["[ITEM]", #"{"items":[ITEM],"nextpage":"x"}"#, #"{"name":"Mine","relatedStreams":[ITEM]}"#])
  func `a list of Piped becomes videos`(body: String) throws {
    let items = #"""
      {"url":"/watch?v=aaaaaaaaaaa","type":"stream","title":"A","thumbnail":"https://p.example/a.jpg","uploaderName":"Ann",
       "uploaderUrl":"/channel/UC1","uploaded":1538391166000,"duration":61,"views":7},
      {"url":"/channel/UC1","type":"channel","name":"Ann","thumbnail":"https://p.example/c.jpg"}
      """#
    let document = try decode(body.replacing("ITEM", with: items), from: "https://p.example/search?q=x")
    #expect(document.kind == .youTubeProxy && document.skippedCount == 0)
    let video = try #require(document.videos.first)
    #expect(
      document.videos.count == 1 && video.title == "A" && video.channel == "Ann" && video.duration == .seconds(61))
    #expect(video.playbackURL?.text == "https://www.youtube.com/watch?v=aaaaaaaaaaa")
    #expect(video.published?.seconds == 1_538_391_166)
  }

  @Test func `an invalid id is refused`() throws {
    let other = Self.item.replacing("aaaaaaaaaaa", with: "../../../ab")
    #expect(throws: FeedFailure.self) { try decode("[\(other)]") }
  }
}
