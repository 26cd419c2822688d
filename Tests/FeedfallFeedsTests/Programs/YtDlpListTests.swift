import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct YtDlpListTests {
  @Test func `the output of yt-dlp is a feed document`() throws {
    let entry =
      #"{"_type":"url","id":"a","ie_key":"Youtube","url":"https://www.youtube.com/watch?v=a","title":"A","duration":61.5}"#
    let tab = #"{"_type":"playlist","id":"t","title":"Shorts","entries":[\#(entry)]}"#
    let document = try decode(
      #"{"id":"x","title":"Talks","_type":"playlist","entries":[\#(entry),null,\#(tab)],"webpage_url":"https://a.example/"}"#
    )
    #expect(document.kind == .ytDlp && document.title == "Talks" && document.skippedCount == 1)
    #expect(document.videos.map(\.title) == ["A", "A"])
    #expect(document.videos.map(\.group) == [nil, "Shorts"])
    #expect(document.videos.first?.duration == .seconds(61))
    let single =
      #"{"id":"a","title":"A","extractor":"x","webpage_url":"https://a.example/a","formats":[{"url":"https://a.example/f"}]}"#
    let video = try #require(try decode(single).videos.first)
    #expect(video.playback == .page(try #require(WebAddress("https://a.example/a"))))
  }

  private func list(_ text: String) throws -> YtDlpList {
    try #require(FeedDecoder.decodeYtDlp(Array(text.utf8)))
  }

  private func video(_ members: String) throws -> Video {
    try #require(try list("{\(members)}").videos.first)
  }

  @Test func `a playlist becomes its entries`() throws {
    let list = try list(
      """
      {"_type": "playlist", "id": "PL1", "title": "Talks\\u001b[31m", "webpage_url": "https://v.example/list",
       "playlist_count": 70, "entries": [
        {"_type": "url", "ie_key": "Vids", "id": "a1", "url": "https://v.example/a1", "title": "One",
         "duration": 61.7, "view_count": 5, "timestamp": null, "channel": "C", "uploader": "U",
         "thumbnails": [{"url": "https://p.example/1.jpg", "width": 168, "height": 94}, {"url": "data:x"},
                        {"url": "https://p.example/2.jpg", "height": null}]},
        null,
        {"_type": "url", "id": "a2", "url": "https://v.example/a2", "title": null, "duration": null}
      ]}
      """)
    #expect(list.title == "Talks[31m")
    #expect(list.total == 70)
    #expect(list.entryCount == 3)
    #expect(list.skippedCount == 1)
    #expect(list.address?.text == "https://v.example/list")
    let one = try #require(list.videos.first)
    #expect(one.id == "Vids a1")
    #expect(one.title == "One")
    #expect(one.duration == .seconds(61))
    #expect(one.views == 5)
    #expect(one.published == nil)
    #expect(one.channel == "C")
    #expect(one.author == "U")
    #expect(one.covers.map(\.url.text) == ["https://p.example/1.jpg", "https://p.example/2.jpg"])
    #expect(one.covers.first?.width == 168)
    #expect(one.playback == .page(try #require(WebAddress("https://v.example/a1"))))
    #expect(list.videos.last?.title == "a2")
    #expect(list.videos.last?.duration == nil)
  }

  @Test func `a single video is a list of one, played by its page and not by its file`() throws {
    let list = try list(
      """
      {"id": "x", "title": "T", "webpage_url": "https://v.example/x", "url": "https://cdn.example/x.mp4?expires=1",
       "extractor_key": "Vids", "width": 1920, "height": 1080, "upload_date": "20260131", "license": "CC BY",
       "description": "One.\\n\\nTwo."}
      """)
    #expect(list.isWhole)
    let video = try #require(list.videos.first)
    #expect(video.playbackURL?.text == "https://v.example/x")
    #expect(video.pictureSize == PixelSize(width: 1920, height: 1080))
    #expect(video.published?.description == "2026-01-31T00:00:00Z")
    #expect(video.licence == "CC BY")
    #expect(video.summary == "One.\n\nTwo.")
  }

  @Test func `the tabs of a channel are lists in a list, and deeper lists are ignored`() throws {
    let list = try list(
      """
      {"_type": "playlist", "title": "Channel", "entries": [
        {"_type": "playlist", "title": "Videos", "webpage_url": "https://v.example/c/videos",
         "entries": [{"id": "1", "url": "https://v.example/1"},
                     {"_type": "playlist", "entries": [{"id": "3", "url": "https://v.example/3"}]}]},
        {"_type": "multi_video", "title": "Shorts", "entries": [{"id": "2", "url": "https://v.example/2"}]}
      ]}
      """)
    #expect(list.videos.isEmpty)
    #expect(list.lists.map(\.title) == ["Videos", "Shorts"])
    #expect(list.lists.map { $0.videos.map(\.id) } == [["1"], ["2"]])
    #expect(list.lists.map(\.skippedCount) == [1, 0])
    #expect(list.lists.first?.address?.text == "https://v.example/c/videos")
  }

  @Test(arguments: [
    ("is_live", LiveState.live), ("is_upcoming", .upcoming(nil)), ("was_live", .ended), ("post_live", .ended),
    ("not_live", nil),
  ])
  func `live states are decoded`(status: String, state: LiveState?) throws {
    #expect(try video(#""url": "https://v.example/1", "live_status": "\#(status)""#).live == state)
  }

  @Test func `the summary names the audience of a restricted video`() throws {
    let members = try video(
      #""url": "https://v.example/1", "availability": "subscriber_only", "description": "D""#)
    #expect(members.summary == "Only members of the channel can watch it.\n\nD")
    #expect(try video(#""url": "https://v.example/1", "availability": "public""#).summary == nil)
  }

  @Test(arguments: ["file:///etc/passwd", "ytsearch:x", "javascript:alert(1)", "-o/x", "a1"])
  func `an entry without a web address is skipped`(address: String) throws {
    let list = try list(#"{"_type": "playlist", "entries": [{"id": "1", "url": "\#(address)"}]}"#)
    #expect(list.videos.isEmpty)
    #expect(list.skippedCount == 1)
    #expect(list.entryCount == 1)
  }

  @Test(arguments: ["", "null", "[]", "{", "{}", "garbage", "\u{0}\u{1}", #"{"_type": "video"}"#])
  func `other output is nil`(text: String) {
    #expect(FeedDecoder.decodeYtDlp(Array(text.utf8)) == nil)
  }

  @Test func `members of the wrong type are ignored`() throws {
    let video = try video(
      """
      "url": "https://v.example/1", "id": {"a": 1}, "title": 7, "duration": "x", "thumbnails": "none",
      "view_count": -1, "width": "wide", "height": 1e400, "upload_date": "20261399"
      """)
    #expect(video.id == "https://v.example/1")
    #expect(video.title == "7")
    #expect(video.duration == nil)
    #expect(video.views == nil)
    #expect(video.published == nil)
  }

  @Test func `a YouTube video may have only an id`() throws {
    let named = try video(#""_type": "url", "ie_key": "Youtube", "url": "dQw4w9_-XcQ", "id": null"#)
    #expect(named.playbackURL?.text == "https://www.youtube.com/watch?v=dQw4w9_-XcQ")
    for other in [#""ie_key": "Vids", "url": "dQw4w9_-XcQ""#, #""ie_key": "Youtube", "url": "--exec=true""#] {
      #expect(FeedDecoder.decodeYtDlp(Array("{\(other)}".utf8)) == nil)
    }
  }
}
