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

  @Test func `channels and playlists among the results of a search are lists`() throws {
    let list = try list(
      """
      {"_type": "playlist", "webpage_url": "https://www.youtube.com/results?search_query=rain", "entries": [
        {"_type": "url", "ie_key": "YoutubeTab", "id": "UC0123456789012345678901", "title": "Rain",
         "url": "https://www.youtube.com/channel/UC0123456789012345678901", "channel_follower_count": 3400},
        {"_type": "url", "ie_key": "YoutubeTab", "id": "PL1", "title": "Best rain", "playlist_count": 12,
         "url": "https://www.youtube.com/playlist?list=PL1"},
        {"_type": "url", "ie_key": "SoundcloudSet", "id": "7", "url": "https://v.example/sets/7", "playlist_count": -3},
        {"_type": "url", "ie_key": "YoutubeTab", "id": "a", "url": "https://v.example/a", "duration": 7},
        {"_type": "url", "ie_key": "TheGuardianPodcast", "id": "c", "url": "https://v.example/c"},
        {"_type": "url", "ie_key": "AsobiChannel", "id": "d", "url": "https://v.example/d"},
        {"_type": "url", "ie_key": "Youtube", "id": "b", "url": "https://v.example/b"}]}
      """)
    let channel = try #require(list.videos.first)
    #expect(channel.list?.kind == .channel && channel.list?.followerCount == 3_400)
    #expect(channel.list?.address.text == "https://www.youtube.com/channel/UC0123456789012345678901")
    #expect(channel.playbackURL == nil && !channel.canBeCompleted)
    #expect(list.videos.map { $0.list?.kind } == [.channel, .playlist, .playlist, nil, nil, nil, nil])
    #expect(list.videos.map { $0.list?.videoCount } == [nil, 12, nil, nil, nil, nil, nil])
  }

  @Test func `a list in itself has no card, and the address of another one loses its password`() throws {
    let list = try list(
      """
      {"_type": "playlist", "webpage_url": "https://www.youtube.com/@rain", "entries": [
        {"_type": "url", "ie_key": "YoutubeTab", "id": "a", "url": "https://www.youtube.com/@rain"},
        {"_type": "url", "ie_key": "YoutubeTab", "url": "https://ann:secret@v.example/../list", "playlist_count": "x"},
        {"_type": "url", "ie_key": "YoutubeTab", "id": "../..", "url": "https://v.example/b", "title": ["x"],
         "playlist_count": 1e300, "channel_follower_count": -1},
        {"_type": "url", "ie_key": "YoutubeTab", "id": "c", "url": "javascript:x"}, [[["d"]]], 7]}
      """)
    #expect(list.videos.map { $0.list?.address.text.contains("secret") } == [false, false])
    #expect(list.videos.map(\.pageURL?.namesUser) == [false, false])
    #expect(list.videos.map { $0.list?.videoCount } == [nil, nil] && list.videos[1].list?.followerCount == nil)
    #expect(list.entryCount == 6 && list.skippedCount == 4)
  }

  @Test func `entries beyond a limit are ignored, those of inner lists included`() throws {
    let nulls = String(repeating: "null,", count: FeedDecoder.maximumCount / 2) + "null"
    let inner = #"{"_type":"playlist","entries":[\#(nulls)]}"#
    let list = try list(#"{"_type":"playlist","entries":[\#(inner),\#(inner),\#(inner)]}"#)
    #expect(list.entryCount == 3 && list.lists.map(\.entryCount).reduce(3, +) == FeedDecoder.maximumCount)
  }

  @Test(arguments: [
    "", "null", "[]", "{", "{}", "garbage", "\u{0}\u{1}", #"{"_type": "video"}"#,
    #"{"ie_key": "Vids", "url": "dQw4w9_-XcQ"}"#, #"{"ie_key": "Youtube", "url": "--exec=true"}"#,
  ])
  func `other output is nil`(text: String) {
    #expect(FeedDecoder.decodeYtDlp(Array(text.utf8)) == nil)
  }
}
