import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct PeerTubeTests {
  private let uuid = "2c9347ab-7090-4f5a-a541-ca27340e9c9b"

  @Test func `a list is not accepted as details`() throws {
    let video = Video(id: uuid, title: "old", playback: .unknown)
    let address = try #require(WebAddress("https://asked.example/api/v1/videos/\(uuid)"))
    let failure = FeedFailure(
      .permanent, "the answer contains no details of the video", advice: "open the page of the video instead")
    #expect(throws: failure) {
      try FeedDecoder.decodeDetails(
        Array(#"[{"title":"another","flv":"https://m.example/1.flv"}]"#.utf8), completing: video, from: address)
    }
  }

  @Test func `details without a stream or a file are played by the page`() throws {
    let page = "https://home.example/videos/watch/\(uuid)"
    let members = #""name":"A","aspectRatio":1.7778,"streamingPlaylists":[],"files":[]"#
    let document = try decode(
      #"{"uuid":"\#(uuid)","url":"\#(page)",\#(members)}"#, from: "https://asked.example/api/v1/videos/\(uuid)")
    #expect(document.videos.map(\.aspectRatio) == [1.7778])
    #expect(document.videos.map(\.playback) == [.page(try #require(WebAddress(page)))])
  }

  @Test func `a configuration is recognized by its instance and version`() {
    #expect(
      FeedDecoder.isPeerTubeConfig(
        Array(#"{"client":{},"instance":{"name":"x"},"serverVersion":"8.2.0"}"#.utf8)))
    #expect(!FeedDecoder.isPeerTubeConfig(Array(#"{"instance":"x","serverVersion":"8.2.0"}"#.utf8)))
    #expect(!FeedDecoder.isPeerTubeConfig(Array("<html>".utf8)))
    #expect(!FeedDecoder.isPeerTubeConfig([]))
  }
}

@Suite(.hangLimit) struct RecordedPeerTubeTests {
  private func address(_ name: String) -> WebAddress? {
    WebAddress("https://" + name.replacing("_", with: "/"))
  }

  @Test(.needsRecordings)
  func `recorded lists have videos with a title, a cover and a unique id`() throws {
    let lists = try SharedFiles.names().filter {
      $0.contains("start=") && $0.hasSuffix(".json") && !$0.contains(".meta.")
    }
    #expect(lists.count >= 5)
    for name in lists {
      let document = try FeedDecoder.decode(SharedFiles.bytes(name), from: address(name))
      #expect(document.kind == .peerTube)
      #expect(document.skippedCount == 0)
      #expect(!document.videos.isEmpty && document.videos.count <= 12)
      #expect((document.total ?? 0) >= document.videos.count)
      #expect(Set(document.videos.map(\.id)).count == document.videos.count)
      for video in document.videos {
        #expect(video.title != "(untitled)" && !video.covers.isEmpty && video.published != nil)
        #expect(video.pageURL != nil && video.detailsURL?.host == address(name)?.host)
        #expect(video.author != nil && video.channel != nil && video.duration != nil)
      }
    }
  }

  @Test(.needsRecordings)
  func `two recorded pages share no video`() throws {
    let pages = try [0, 12].map {
      try FeedDecoder.decode(
        SharedFiles.bytes("framatube.org_api_v1_videos_sort=-trending&start=\($0)&count=12.json"), from: nil)
    }
    #expect(Set(pages.flatMap(\.videos).map(\.id)).count == 24)
    #expect(pages[0].total == pages[1].total)
  }

  @Test(.needsRecordings)
  func `recorded details can be played`() throws {
    let names = try SharedFiles.names().filter {
      $0.contains("_api_v1_videos_") && !$0.contains("=") && $0.hasSuffix(".json") && !$0.contains(".meta.")
    }
    #expect(names.count >= 4)
    for name in names {
      let document = try FeedDecoder.decode(SharedFiles.bytes(name), from: address(name))
      let video = try #require(document.videos.first)
      #expect(
        video.playbackURL?.web?.path.hasSuffix(".m3u8") == true
          || video.playbackURL?.web?.path.hasSuffix(".mp4") == true)
      #expect(video.summary != nil || name.contains("tchncs"))
    }
  }

  /// The body in a recording of an answer with its headers.
  private func body(_ name: String) throws -> String {
    let text = String(decoding: try SharedFiles.file("TomasEkeli+Fjernsyn (transcribed)/\(name).json"), as: UTF8.self)
    let start = try #require(text.firstRange(of: "\"body\":")?.upperBound)
    return String(text[start..<(try #require(text.lastIndex(of: "}")))])
  }

  @Test(.needsRecordings)
  func `recorded answers of PeerTube 8 have their covers in all sizes, and planned broadcasts`() throws {
    let list = try decode(try body("peertube-8.2-channel-videos"), from: "https://video.blender.org/api/v1/videos")
    #expect(list.videos.count == 2 && list.total == 152)
    for video in list.videos {
      #expect(video.covers.map(\.width) == [280, 850, 1_280, 1_920])
      #expect(video.channel == "Blender Studio" && video.flags == [])
      #expect(video.largeCover?.width == 1_280)
    }
    let live = try #require(try decode(try body("peertube-8.x-live-scheduled")).videos.first)
    #expect(live.live == .upcoming(UnixTime(rfc3339: "2026-10-04T07:30:00Z")) && live.duration == nil)
  }

  @Test(.needsRecordings)
  func `other recorded answers are not feeds`() throws {
    for name in try SharedFiles.names() where name.hasSuffix(".html") {
      #expect(failure(try SharedFiles.bytes(name))?.kind == .permanent)
    }
    let channel = try SharedFiles.bytes("kolektiva.media_api_v1_video-channels_documentary_channel.json")
    #expect(failure(channel)?.reason == "the answer is JSON without a list of videos")
  }
}
