import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct JSONFeedTests {
  @Test func `an item becomes a video`() throws {
    let document = try decode(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "Mine", "icon": "icon.png", "next_url": "/feed?page=2", "items": [
        {"id": 7, "title": "One", "url": "/1", "image": "one.jpg", "banner_image": "wide.jpg",
         "date_published": "2026-01-02T03:04:05+01:00", "authors": [{"name": "Ann"}], "content_text": "Words",
         "_vfeed": {"width": 640, "height": 360},
         "attachments": [{"url": "one.mp3", "mime_type": "audio/mpeg"},
           {"url": "one.mp4", "mime_type": "video/mp4", "duration_in_seconds": 61.5}]},
        {"id": "b", "url": "/b", "content_html": "<p>no title</p><img src='in.jpg'>", "author": {"name": "Bee"}},
        {"odd": true}, null
      ]}
      """)
    #expect(document.kind == .jsonFeed)
    #expect(document.title == "Mine")
    #expect(document.cover?.text == "https://feed.example/icon.png")
    #expect(document.nextAddress?.text == "https://feed.example/feed?page=2")
    #expect(document.skippedCount == 2)
    let video = try #require(document.videos.first)
    #expect(video.id == "7")
    #expect(addresses(video) == ["https://feed.example/one.mp4", "https://feed.example/one.mp3"])
    #expect(video.duration == .seconds(61))
    #expect(video.covers.map(\.url.text) == ["https://feed.example/one.jpg", "https://feed.example/wide.jpg"])
    #expect(video.published?.description == "2026-01-02T02:04:05Z")
    #expect(video.author == "Ann")
    #expect(video.pictureSize == PixelSize(width: 640, height: 360))
    #expect(document.videos.last?.covers.map(\.url.text) == ["https://feed.example/in.jpg"])
    #expect(document.videos.last?.author == "Bee")
    #expect(document.videos.last?.title == "no title")
  }

  @Test func `a feed without items is empty`() throws {
    let document = try decode(#"{"version":"https://jsonfeed.org/version/1","title":"T","items":[]}"#)
    #expect(document.kind == .jsonFeed)
    #expect(document.videos.isEmpty)
  }

  @Test(arguments: ["", #""id": "","#, #""id": "\u200b","#])
  func `items without an id have distinct ids`(id: String) throws {
    let document = try decode(
      #"{"version": "https://jsonfeed.org/version/1.1", "items": [{\#(id)"url": "/1"}, {\#(id)"external_url": "https://a.example/2", "title": "T"},"#
        + #"{\#(id)"attachments": [{"url": "3.mp4"}]}]}"#)
    #expect(
      document.videos.map(\.id) == ["https://feed.example/1", "https://a.example/2", "https://feed.example/3.mp4"])
  }
}
