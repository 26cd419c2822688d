import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct YtDlpListTests {
  private func list(_ text: String) throws -> YtDlpList {
    try #require(FeedDecoder.decodeYtDlp(Array(text.utf8)))
  }

  @Test func `a playlist has its address, its counts and the sizes of its covers`() throws {
    let list = try list(
      """
      {"_type": "playlist", "id": "PL1", "webpage_url": "https://v.example/list", "playlist_count": 70, "entries": [
        {"_type": "url", "id": "a1", "url": "https://v.example/a1",
         "thumbnails": [{"url": "https://p.example/1.jpg", "width": 168, "height": 94}]}, null]}
      """)
    #expect(list.total == 70 && list.entryCount == 2 && list.skippedCount == 1)
    #expect(list.address?.text == "https://v.example/list")
    let one = try #require(list.videos.first)
    #expect(one.covers.map(\.width) == [168])
    #expect(one.playback == .page(try #require(WebAddress("https://v.example/a1"))))
  }

  @Test func `a single video is a whole list`() throws {
    let text = #"{"id": "x", "title": "T", "webpage_url": "https://v.example/x", "extractor": "vids"}"#
    let list = try list(text)
    #expect(list.isWhole && list.videos.map(\.playbackURL?.text) == ["https://v.example/x"])
    #expect(try decode(text).kind == .ytDlp)
  }

  @Test func `channels and playlists among the entries are cards, which have no address to play`() throws {
    let list = try list(
      """
      {"_type": "playlist", "title": "cats", "entries": [
        {"_type": "url", "ie_key": "YoutubeTab", "id": "UC1", "url": "https://ann:secret@www.youtube.com/channel/UC1",
         "title": "Cats", "playlist_count": 120, "channel_follower_count": 3400, "description": "All cats",
         "thumbnails": [{"url": "https://p.example/1.jpg"}]},
        {"_type": "url", "ie_key": "YoutubeTab", "id": "PL1", "url": "https://www.youtube.com/playlist?list=PL1",
         "title": "\(String(repeating: "x", count: 10_000))", "playlist_count": -1, "channel": "Ann"},
        {"_type": "url", "ie_key": "SoundcloudUser", "url": "https://soundcloud.example/ann"},
        {"_type": "playlist", "title": "Tab", "entries": [
          {"_type": "playlist", "title": "Inner", "webpage_url": "https://v.example/inner", "entries": []}]},
        {"_type": "url", "ie_key": "Youtube", "id": "aaaaaaaaaaa", "url": "https://www.youtube.com/watch?v=aaaaaaaaaaa"}
      ]}
      """)
    let cards = list.videos.compactMap(\.list)
    #expect(cards.map(\.kind) == [.channel, .playlist, .channel] && list.videos.count == 4)
    #expect(cards[0].address.text == "https://www.youtube.com/channel/UC1")
    #expect(cards[0].videoCount == 120 && cards[0].subscriberCount == 3400 && cards[1].videoCount == nil)
    #expect(list.videos[0].title == "Cats" && list.videos[0].summary == "All cats" && list.videos[0].covers.count == 1)
    #expect(list.videos[0].playbackURL == nil && !list.videos[0].canBeCompleted)
    #expect(list.videos[1].title.count <= 501 && list.videos[1].channel == "Ann")
    #expect(list.lists.first?.videos.first?.list?.address.text == "https://v.example/inner")
    #expect(list.videos[3].list == nil)
  }

  @Test func `the tabs of a channel are lists in a list, and deeper lists without an address are skipped`() throws {
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
    "", "null", "[]", "{", "{}", "garbage", "\u{0}\u{1}", #"{"_type": "video"}"#,
    #"{"ie_key": "Vids", "url": "dQw4w9_-XcQ"}"#, #"{"ie_key": "Youtube", "url": "--exec=true"}"#,
  ])
  func `other output is nil`(text: String) {
    #expect(FeedDecoder.decodeYtDlp(Array(text.utf8)) == nil)
  }
}
