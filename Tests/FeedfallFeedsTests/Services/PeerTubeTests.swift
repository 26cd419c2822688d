import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct PeerTubeTests {
  private let uuid = "2c9347ab-7090-4f5a-a541-ca27340e9c9b"

  private func list(_ items: String..., from address: String = "https://asked.example/api/v1/videos?start=0")
    throws
    -> DecodedDocument
  {
    try decode(#"{"total":152,"data":["# + items.joined(separator: ",") + "]}", from: address)
  }

  private func item(_ more: String) -> String {
    #"{"id":1,"uuid":"\#(uuid)","url":"https://home.example/videos/watch/\#(uuid)","name":"A <b> name"\#(more)}"#
  }

  private func details(_ more: String) throws -> Video {
    var video = Video(id: uuid, title: "old", playback: .unknown)
    video.licenceURL = WebAddress("https://l.example/")
    return try FeedDecoder.decodeDetails(
      Array(item(more).utf8), completing: video,
      from: try #require(WebAddress("https://asked.example/api/v1/videos/\(uuid)")))
  }

  @Test func `details without broadcast name the address of the chapters`() throws {
    let files = #","streamingPlaylists":[],"files":[{"fileUrl":"https://h/1.mp4"}]"#
    let video = try details(files)
    #expect(video.chaptersURL?.text == "https://asked.example/api/v1/videos/\(uuid)/chapters")
    #expect(try details(files + #","isLive":true"#).chaptersURL == nil)
    #expect(try list(item("")).videos.first?.chaptersURL == nil)
  }

  @Test func `details without a title keep the known one`() throws {
    let video = Video(id: uuid, title: "old", playback: .unknown)
    let address = try #require(WebAddress("https://asked.example/api/v1/videos/\(uuid)"))
    let body = #"{"uuid":"\#(uuid)","name":" ","views":7}"#
    let completed = try FeedDecoder.decodeDetails(Array(body.utf8), completing: video, from: address)
    #expect(completed.title == "old")
    #expect(completed.views == 7)
  }

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

  @Test func `a list becomes videos`() throws {
    let document = try list(
      item(
        #"""
        ,"licence":{"id":2,"label":"Attribution - Share Alike"},"truncatedDescription":"**Hello**\r\n\r\nyou",
        "duration":281,"aspectRatio":1.7778,"views":94,"thumbnailPath":"/lazy-static/t.png",
        "previewPath":"/lazy-static/p.png","publishedAt":"2026-09-15T10:43:46.032Z","originallyPublishedAt":null,
        "isLive":false,"account":{"displayName":"Blender","name":"blender"},"channel":{"displayName":"","name":"studio"}
        """#))
    #expect(document.kind == .peerTube)
    #expect(document.total == 152)
    let video = try #require(document.videos.first)
    #expect(video.id == uuid)
    #expect(video.title == "A <b> name")
    #expect(video.duration == .seconds(281))
    #expect(video.aspectRatio == 1.7778)
    #expect(video.views == 94)
    #expect(video.author == "Blender")
    #expect(video.licence == "Attribution - Share Alike")
    #expect(video.summary == "Hello\n\nyou")
    #expect(video.published?.civilDate.description == "2026-09-15")
    #expect(video.live == nil)
    #expect(
      video.covers.map(\.url.text) == [
        "https://asked.example/lazy-static/t.png", "https://asked.example/lazy-static/p.png",
      ])
    #expect(video.pageURL?.text == "https://home.example/videos/watch/\(uuid)")
    #expect(video.detailsURL?.text == "https://asked.example/api/v1/videos/\(uuid)")
    #expect(video.playbackURL?.web == video.pageURL)
  }

  @Test(arguments: [
    ("", VideoFlags()), (#","nsfw":true"#, .sensitive),
    (#","privacy":{"id":5,"label":"Password protected"}"#, .needsPassword),
    (#","nsfw":false,"privacy":{"id":1}"#, VideoFlags()),
    (#","files":[{"resolution":{"id":0},"fileUrl":"https://h/0.mp4"}]"#, .audioOnly),
  ])
  func `sensitive, protected and audio-only videos are flagged`(json: String, flags: VideoFlags) throws {
    #expect(try list(item(json)).videos.first?.flags == flags)
  }

  @Test func `the name of a channel on another host includes the host`() throws {
    func channel(_ host: String) throws -> String? {
      try list(item(#","channel":{"displayName":"Films","host":"\#(host)"}"#)).videos.first?.channel
    }
    #expect(try channel("other.example") == "Films (other.example)")
    #expect(try channel("asked.example") == "Films")
  }

  @Test func `the files of a stream determine its size, and are played if the stream has no playlist`() throws {
    let file = #"{"resolution":{"id":720},"fileUrl":"https://h/720.mp4","width":1280,"height":720}"#
    let streamed = try details(
      #","files":[],"streamingPlaylists":[{"playlistUrl":"https://h/m.m3u8","files":[\#(file)]}]"#)
    #expect(streamed.pictureSize == PixelSize(width: 1_280, height: 720))
    #expect(streamed.playbackURL?.text == "https://h/m.m3u8")
    #expect(
      try details(#","files":[],"streamingPlaylists":[{"files":[\#(file)]}]"#).playbackURL?.text == "https://h/720.mp4")
  }

  @Test func `audio alone is played if there is nothing else`() throws {
    let video = try details(#","files":[{"resolution":{"id":0},"fileUrl":"https://h/0.mp4"}]"#)
    #expect(video.playbackURL?.text == "https://h/0.mp4")
    #expect(video.flags == .audioOnly)
  }

  @Test func `an unknown licence is nil`() throws {
    #expect(try list(item(#","licence":{"id":null,"label":"Unknown"}"#)).videos.first?.licence == nil)
  }

  @Test(arguments: [
    (#","originallyPublishedAt":"2001-02-03T00:00:00Z","publishedAt":"2018-10-01T00:00:00Z""#, "2001-02-03"),
    (#","originallyPublishedAt":"1970-01-01T00:00:00Z","publishedAt":"2018-10-01T00:00:00Z""#, "2018-10-01"),
    (#","originallyPublishedAt":"soon","publishedAt":"2018-10-01T00:00:00Z""#, "2018-10-01"),
  ])
  func `the original publication date takes precedence`(json: String, day: String) throws {
    #expect(try list(item(json)).videos.first?.published?.civilDate.description == day)
  }

  @Test func `deleted and private videos of a playlist are skipped`() throws {
    let document = try list(
      #"{"position":1,"video":\#(item(""))}"#, #"{"position":2,"video":null}"#, #"{"position":3}"#,
      from: "https://asked.example/api/v1/video-playlists/1/videos")
    #expect(document.kind == .peerTube)
    #expect(document.videos.map(\.id) == [uuid])
    #expect(document.skippedCount == 2)
  }

  @Test func `a playlist that begins with a deleted video is recognized`() throws {
    let document = try list(#"{"position":2,"video":null}"#, #"{"position":1,"video":\#(item(""))}"#)
    #expect(document.kind == .peerTube)
    #expect(document.videos.count == 1)
  }

  @Test func `details of a video in the search index are requested from its instance`() throws {
    let document = try list(
      item(
        #","thumbnailUrl":"https://home.example/t.jpg","previewUrl":"https://home.example/p.jpg","thumbnailPath":"/x""#
      ),
      from: "https://sepiasearch.org/api/v1/search/videos?search=x")
    let video = try #require(document.videos.first)
    #expect(video.covers.map(\.url.text) == ["https://home.example/t.jpg", "https://home.example/p.jpg"])
    #expect(video.detailsURL?.text == "https://home.example/api/v1/videos/\(uuid)")
  }

  @Test func `landscape covers are preferred, the small one first`() throws {
    func thumbnail(_ width: Int, _ height: Int) -> String {
      #"{"width":\#(width),"height":\#(height),"fileUrl":"https://h/\#(width).png"}"#
    }
    func covers(_ thumbnails: String...) throws -> [Int?] {
      try #require(try list(item(#","thumbnails":[\#(thumbnails.joined(separator: ","))]"#)).videos.first)
        .covers
        .map(\.width)
    }
    #expect(
      try covers(thumbnail(1_280, 720), thumbnail(280, 157), thumbnail(1_400, 1_400), thumbnail(850, 480))
        == [280, 850, 1_280])
    #expect(try covers(thumbnail(1_400, 1_400)) == [1_400])
    #expect(
      try covers(thumbnail(1, 2), thumbnail(20, 10), thumbnail(30, 10), thumbnail(40, 10), thumbnail(50, 10))
        == [20, 30, 40, 50])
  }

  @Test(arguments: [
    ("", LiveState.live), (#","state":{"id":1}"#, .live), (#","state":{"id":4}"#, .upcoming(nil)),
    (#","state":{"id":5}"#, .ended),
    (
      #","liveSchedules":[{"startAt":"2026-10-04T07:30:00.000Z"}]"#,
      .upcoming(UnixTime(rfc3339: "2026-10-04T07:30:00Z"))
    ),
    (#","liveSchedules":[]"#, .live),
  ])
  func `a broadcast has a live state and no duration`(json: String, state: LiveState) throws {
    let video = try #require(try list(item(#","isLive":true,"duration":5"# + json)).videos.first)
    #expect(video.live == state)
    #expect(video.duration == nil)
  }

  @Test func `details have the stream first and then the files, 1080p first`() throws {
    let video = try details(
      #"""
      ,"description":"All\r\nof it","streamingPlaylists":[{"playlistUrl":"https://h/master.m3u8","files":[]}],
      "files":[{"resolution":{"id":480},"fileUrl":"https://h/480.mp4","width":854,"height":480},
      {"resolution":{"id":1080},"fileUrl":"https://h/1080.mp4"},{"resolution":{"id":0},"fileUrl":"https://h/0.mp4"},
      {"resolution":{"id":2160},"fileUrl":"https://h/2160.mp4","hasVideo":false},
      {"resolution":{"id":1440},"fileUrl":"https://h/1440.mp4","hasAudio":false}]
      """#)
    guard case .direct(let files) = video.playback else {
      Issue.record("not playable: \(video.playback)")
      return
    }
    #expect(files.map(\.url.text) == ["https://h/master.m3u8", "https://h/1080.mp4", "https://h/480.mp4"])
    #expect(files.map(\.height) == [nil, 1_080, 480])
    #expect(video.title == "A <b> name")
    #expect(video.summary == "All\nof it")
    #expect(video.pictureSize == PixelSize(width: 854, height: 480))
    #expect(video.licenceURL?.text == "https://l.example/")
  }

  @Test func `details without a stream or a file are played by the page`() throws {
    let video = try details(#","streamingPlaylists":[],"files":[]"#)
    #expect(video.playback == .page(try #require(WebAddress("https://home.example/videos/watch/\(uuid)"))))
  }

  @Test func `an answer without details is a failure`() throws {
    let address = try #require(WebAddress("https://h/api/v1/videos/1"))
    let video = Video(id: "1", title: "t", playback: .unknown)
    #expect(throws: FeedFailure.self) {
      try FeedDecoder.decodeDetails(
        Array(#"{"detail":"Video not found"}"#.utf8), completing: video, from: address)
    }
  }

  @Test func `the answer for a single video is a list of one`() throws {
    let document = try decode(
      item(#","streamingPlaylists":[{"playlistUrl":"https://h/m.m3u8"}]"#), from: "https://h/api/v1/videos/1")
    #expect(document.kind == .peerTube)
    #expect(document.videos.map(\.playbackURL?.text) == ["https://h/m.m3u8"])
  }

  @Test func `an empty list is a list`() throws {
    let document = try list()
    #expect(document.kind == .peerTube)
    #expect(document.total == 152)
    #expect(document.videos.isEmpty)
  }

  @Test func `an id that would change the path of an address is refused`() throws {
    #expect(throws: FeedFailure.self) { try list(#"{"uuid":"../../x","name":"a"}"#) }
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
