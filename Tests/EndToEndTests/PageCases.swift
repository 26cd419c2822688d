import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Foundation
import TestServer
import TestSupport
import Testing

@testable import FeedfallApp
@testable import FeedfallPlayer
@testable import FeedfallRecords
@testable import FeedfallSources
@testable import FeedfallWeb

/// Pages that refuse, several videos on a page, starts in addresses, and streams of other protocols.
enum PageCases {
  // MARK: - yt-dlp

  /// A script in place of yt-dlp that records its calls and prints one video, or fails.
  private static func ytDlp(in folder: String, fails: Bool = false) throws {
    let video = #"{"id":"1","title":"Found","extractor":"x","webpage_url":"https://v.example/1"}"#
    let end = fails ? "echo 'ERROR: [x] HTTP Error 403: Forbidden' >&2; exit 1" : "echo '\(video)'"
    _ = try writeScript("read -r url; echo \"$url\" >> '\(folder)/calls'; \(end)", to: folder + "/yt-dlp")
  }

  /// Lists an address with a script in place of yt-dlp, and returns its calls too.
  private static func list(
    _ path: String, fails: Bool = false, _ answer: TestAnswer
  ) async throws -> (end: WalkCases.End, calls: [String]) {
    try await withFolder { folder in
      try ytDlp(in: folder, fails: fails)
      let end = try await WalkCases.list("ORIGIN\(path)", path: folder + ":/bin:/usr/bin") { _ in .answer(answer) }
      let calls = (try? String(contentsOfFile: folder + "/calls", encoding: .utf8)) ?? ""
      return (end, calls.split(separator: "\n").map(String.init))
    }
  }

  @Sendable static func refusedPages() async throws {
    for status in [401, 403, 404, 406, 410, 429, 500, 502, 503, 520] {
      let (end, calls) = try await list("/talks", WalkCases.refusal(status))
      #expect(end.outcome.output.hasPrefix("Found\t") && calls.count == 1 && end.targets.count <= 2, "\(status) \(end)")
    }
  }

  @Sendable static func refusedByBoth() async throws {
    let (end, calls) = try await list("/talks", fails: true, WalkCases.refusal(403))
    let reason = "the server answered 403 Forbidden; yt-dlp failed: [x] HTTP Error 403: Forbidden"
    #expect(end.failedInOneLine(containing: reason, maximumRequestCount: 1) && calls.count == 1, "\(end)")
  }

  static func expectNoCall(_ path: String, _ answer: TestAnswer) async throws {
    let (end, calls) = try await list(path, answer)
    #expect(end.outcome.status == 1 && calls.isEmpty && end.outcome.errors.split(separator: "\n").count == 1, "\(end)")
  }

  @Sendable static func secretAddress() async throws {
    let end = try await WalkCases.list("ORIGIN/talks?token=s3cret&page=2") { _ in .answer(WalkCases.refusal(403)) }
    #expect(end.outcome.errors.contains("install yt-dlp and open yt-dlp:http://127.0.0.1:"), "\(end)")
    #expect(!end.outcome.errors.contains("s3cret"), "\(end)")
  }

  /// The steps of a load whose first answer is a refusal.
  private static func step(
    after status: Int, _ address: String, hasYtDlp: Bool = true, isKnownFeed: Bool = false
  ) throws -> WebPageRequest.Step {
    let place = try #require(WebAddress(address))
    let feed = WebFeed(first: place, pages: PageAddresses(typed: address), pageSize: nil)
    var request = WebPageRequest(.start, of: feed, hasYtDlp: hasYtDlp, isKnownFeed: isKnownFeed)
    _ = request.start()
    return request.handle(.success(HTTPAnswer(status: status, body: [], contentType: "", address: place)))
  }

  @Sendable static func knownFeed() async throws {
    let address = "https://a.example/films"
    #expect(try step(after: 503, address) == .listByYtDlp)
    guard case .failed(let failure) = try step(after: 503, address, isKnownFeed: true) else {
      throw TestFailure("no failure")
    }
    #expect(failure.kind == .temporary && failure.advice == nil)
  }

  // MARK: - YouTube

  static let channelID = "UC" + String(repeating: "aB3_", count: 5) + "-x"

  @Sendable static func consent() async throws {
    let page = "<!doctype html><title>Name</title><script>{\"externalId\":\"\(channelID)\"}</script>"
    let server = try TestServer { request in
      guard request.headers["cookie"] == "SOCS=CAI" else {
        return .answer(.redirect(to: "http://consent.youtube.com/m?continue=x"))
      }
      return .answer(.html(page))
    }
    defer { server.stop() }
    let end = try await run(
      Feedfall.path, ["list", "--timeout", "4", "http://www.youtube.com/@name"],
      environment: ["http_proxy": server.origin, "https_proxy": server.origin, "no_proxy": "", "PATH": "/nowhere"])
    let targets = server.requests.map(\.target)
    #expect(targets.first == "http://www.youtube.com/@name" && end.status == 1, "\(end)")
    // The feed is requested by https, so the proxy only sees its server.
    #expect(targets.dropFirst().allSatisfy { $0 == "www.youtube.com:443" || $0 == targets[0] }, "\(targets)")
    #expect(targets.contains("www.youtube.com:443"), "\(targets)")
  }

  @Sendable static func channelPages() async throws {
    let page = try #require(WebAddress("https://www.youtube.com/@name"))
    for body in [
      #"<link rel="canonical" href="https://www.youtube.com/channel/\#(channelID)">"#,
      #"<meta itemprop="identifier" content="\#(channelID)">"#, #"{"externalId":"\#(channelID)","x":1}"#,
    ] {
      let feed = try #require(WebAddress("https://www.youtube.com/feeds/videos.xml?channel_id=\(channelID)"))
      #expect(KnownSite.meaning(ofPage: Array(body.utf8), at: page) == .list(feed), "\(body)")
    }
    for body in [#""externalId":"UCshort""#, #""externalId":"\#(channelID)tail""#, #""channelId":"\#(channelID)""#, ""]
    {
      #expect(KnownSite.meaning(ofPage: Array(body.utf8), at: page) == nil, "\(body)")
    }
    let other = try #require(WebAddress("https://a.example/@name"))
    #expect(KnownSite.meaning(ofPage: Array(#""externalId":"\#(channelID)""#.utf8), at: other) == nil)
    let namesake = try #require(WebAddress("https://notyoutube.com"))
    #expect(KnownSite.cookie(for: other) == nil && KnownSite.cookie(for: namesake) == nil)
  }

  @Sendable static func shortsOfYtDlp() async throws {
    try await withFolder { folder in
      func tab(_ name: String) -> String {
        #"{"_type":"playlist","title":"\#(name)","webpage_url":"https://www.youtube.com/@n/\#(name)","#
          + #""entries":[{"_type":"url","id":"\#(name)","title":"\#(name)","url":"https://v.example/\#(name)"}]}"#
      }
      let tabs = ["videos", "shorts", "streams"].map(tab).joined(separator: ",")
      let list = #"{"_type":"playlist","title":"N","webpage_url":"https://www.youtube.com/@n","entries":[\#(tabs)]}"#
      let path = try writeScript("read -r url; echo '\(list)'", to: folder + "/yt-dlp")
      for includesShorts in [true, false] {
        var options = SourceOptions()
        (options.ytDlp, options.includesShorts) = (YtDlpDirectory(YtDlp(program: path)), includesShorts)
        let source = try FeedSources.open("yt-dlp:youtube.com/@n", options: options)
        let titles = try await source.page(.start, .revalidated).get().videos.map(\.title)
        #expect(titles == (includesShorts ? ["videos", "shorts", "streams"] : ["videos"]))
      }
    }
  }

  // MARK: - Several videos on a page

  @Sendable static func pageItems() async throws {
    for text in [
      "https://a.example/p", "https://a.example/p?x=1", "https://a.example/p#/route", "https://a.example/#a&b",
    ] {
      let page = try #require(WebAddress(text))
      for number in [1, 2, 9_999] {
        let named = page.naming(pageItem: number)
        #expect(named.item?.page == page && named.item?.number == number && WebAddress(named.text) == named)
        #expect(named.naming(pageItem: 3) == page.naming(pageItem: 3))
      }
      #expect(page.naming(pageItem: 0) == page && page.naming(pageItem: 10_000) == page && page.item == nil)
    }
    for text in [
      "#playlist-item=", "#playlist-item=0", "#playlist-item=2&x", "#playlist-item=2,--exec", "?playlist-item=2",
    ] {
      #expect(WebAddress("https://a.example/p" + text)?.item == nil, "\(text)")
    }
  }

  /// The options and the address with which mpv loads a video.
  private static func load(_ address: MediaAddress, isPage: Bool = false) -> String {
    var request = PlayRequest(id: PlayID(1), address: address, title: "Film")
    request.isPage = isPage
    return String(decoding: MPVCommand.load(request, number: 1).line, as: UTF8.self)
  }

  @Sendable static func playedItem() async throws {
    let page = try #require(WebAddress("https://a.example/p")).naming(pageItem: 2)
    let line = load(.web(page), isPage: true)
    #expect(line.contains(#""ytdl-raw-options":"no-playlist=,playlist-items=2""#), "\(line)")
    #expect(line.contains(#""url":"https://a.example/p""#), "\(line)")
    #expect(!load(.web(page)).contains("ytdl-raw-options"))
  }

  // MARK: - Starts

  static let starts: [(String, Int?)] = [
    ("?v=x&t=90", 90), ("?t=90s", 90), ("?t=1m30s", 90), ("?start=1h2m3s", 3_723), ("?time_continue=5", 5),
    ("#t=90", 90), ("#t=1:30", 90), ("#t=npt:0:01:30.5,120", 90), ("#t=10,20", 10), ("#a=1&t=7", 7), ("?t=90.7", 90),
    ("?t=2H", 7_200), ("?t=0", nil), ("?t=", nil), ("?t=-5", nil), ("?t=1700000000", nil), ("?t=90x", nil),
    ("?t=1s2m", nil), ("?t=1:75", 135), ("?t=99999999999999999999", nil), ("?st=90", nil), ("#start", nil),
    ("?t=abc&start=4", 4), ("?t=%39%30", 90), ("?t=1m1m", nil),
  ]

  @Sendable static func spelledStarts() async throws {
    for (text, seconds) in starts {
      #expect(WebAddress("https://a.example/w" + text)?.startSeconds == seconds, "\(text)")
    }
  }

  /// The position at which the only video of an address starts, with and without a position of the user.
  @Sendable static func startOfFile() async throws {
    let page = try await FeedSources.open("https://a.example/f.mp4?start=90&x=1", options: SourceOptions())
      .page(.start, .whileFresh).get()
    let video = try #require(page.videos.first)
    #expect(video.playbackURL?.text == "https://a.example/f.mp4?x=1" && video.resumeSeconds == 90)
    var data = UserData(device: "d")
    let key = VideoKey(video)
    #expect(data.resumeSeconds(of: video, key) == 90)
    _ = data.change(key, [.position(500)], at: 1_000)
    #expect(data.resumeSeconds(of: video, key) == 500, "the next program plays on")
    _ = data.change(key, [.position(nil), .watched(UnixTime(seconds: 2))], at: 2_000)
    #expect(data.resumeSeconds(of: video, key) == 90)
  }

  /// The parts of a file have the record of the whole one, except where a list distinguishes them.
  @Sendable static func partsOfFile() async throws {
    let file = "https://a.example/f.mp4"
    func only(_ address: String) async throws -> Video {
      let page = try await FeedSources.open(address, options: SourceOptions()).page(.start, .whileFresh).get()
      return try #require(page.videos.first)
    }
    let (whole, part) = (try await only(file), try await only(file + "#t=90"))
    #expect(VideoKey(part) == VideoKey(whole) && part.playbackURL?.text == file + "#t=90")

    let list = "#EXTM3U\n#EXTINF:9,One\nf.mp4#t=10\n#EXTINF:9,Two\nf.mp4#t=90\n#EXTINF:9,Other\ng.mp4#t=1\n"
    let address = try #require(WebAddress("https://a.example/l.m3u"))
    var reader = FeedDocumentReader(Array(list.utf8), from: .web(address))
    let videos = try reader.nextVideos(9)
    let keys = videos.map { VideoKey($0).text }
    #expect(Set(keys).count == 3 && keys[2] == "https://a.example/g.mp4" && !keys.contains { $0.contains("#") })
  }

  /// Shares of older servers have equal addresses.
  @Sendable static func sharesOfServer() async throws {
    let tokens = ["AbCdEfGhIjKlMn0", "AbCdEfGhIjKlMn1"]
    let server = try TestServer { request in
      guard request.path == "/public.php/webdav/" else { return .answer(TestAnswer("", status: 404)) }
      let entries = ["", "f.mp4"].map { name in
        let type = name.isEmpty ? "<d:resourcetype><d:collection/></d:resourcetype>" : ""
        return "<d:response><d:href>\(request.path)\(name)</d:href><d:propstat><d:prop>\(type)</d:prop></d:propstat>"
          + "</d:response>"
      }
      let body = "<d:multistatus xmlns:d=\"DAV:\">\(entries.joined())</d:multistatus>"
      return .answer(TestAnswer(body, status: 207, headers: ["Content-Type": "application/xml"]))
    }
    defer { server.stop() }
    var videos: [Video] = []
    for token in tokens {
      let source = try FeedSources.open("\(server.origin)/s/\(token)", options: SourceOptions())
      videos += try await source.page(.start, .whileFresh).get().videos
    }
    let keys = videos.map { VideoKey($0) }
    #expect(Set(keys).count == 2 && !keys.contains { key in tokens.contains { key.text.contains($0) } }, "\(keys)")
    #expect(VideoKey(text: keys[0].text) == keys[0])
  }

  @Sendable static func queuedStarts() async throws {
    try await DownloadHome.use { home in
      let end = try await home.run(
        "queue", "add", "https://a.example/f.mp4?start=90", "a.example/g.mp4?t=30", "yt-dlp:https://a.example/p?t=40",
        "https://a.example/h.mp4#t=50")
      #expect(end.status == 0, "\(end)")
      let lines = try await home.run("queue", "--json").output.split(separator: "\n")
      let starts = lines.map { $0.firstMatch(of: /"positionSeconds":(\d+)/).map { String($0.output.1) } }
      #expect(starts == ["90", "30", "40", "50"], "\(lines)")
    }
  }

  @Sendable static func startOfList() async throws {
    let server = try TestServer { request in .answer(WalkCases.feed(0..<(request.path == "/two" ? 2 : 1))) }
    defer { server.stop() }
    for (path, start) in [("/two", nil as Int?), ("/one", 90)] {
      let source = try FeedSources.open(server.origin + path + "?t=90", options: SourceOptions())
      #expect(try await source.page(.start, .revalidated).get().videos.first?.resumeSeconds == start, "\(path)")
    }
  }

  // MARK: - PeerTube

  private static let peerTubeList = """
    {"total": 1, "data": [{"id": 1, "uuid": "00000000-0000-4000-8000-100000000000", "shortUUID": "s1", "name": "Film",
     "duration": 60, "url": "https://p.example/w/s1", "isLive": false}]}
    """

  @Sendable static func oneIdentification() async throws {
    let server = try TestServer { request in
      switch request.path {
      case "/api/v1/config": .answer(TestAnswer(#"{"instance": {"name": "A"}, "serverVersion": "8.2.0"}"#))
      case let path where path.hasPrefix("/api/v1/video-channels/"):
        .answer(TestAnswer(peerTubeList))
      default: .answer(.html("<!doctype html><title>Channel</title>"))
      }
    }
    defer { server.stop() }
    try await withFolder { folder in
      for name in ["ann", "bob", "eve"] {
        let options = SourceOptions(cache: AnswerCache(folder: folder))
        let source = try FeedSources.open("\(server.origin)/c/\(name)", options: options)
        #expect(try await source.page(.start, .revalidated).get().videos.map(\.title) == ["Film"])
      }
    }
    #expect(server.requests.count { $0.path == "/api/v1/config" } == 1, "\(server.requests.map(\.target))")
  }

  // MARK: - Streams

  @Sendable static func streamProtocols() async throws {
    let dangerous = ["file", "pipe", "fd", "concat", "subfile", "data", "crypto", "unix", "ftp", "cache", "lavfi"]
    for scheme in StreamAddress.Scheme.allCases {
      let stream = try #require(StreamAddress("\(scheme.rawValue)://s.example:9/x"))
      let line = load(.stream(stream))
      #expect(line.contains(#""url":"\#(stream.text)""#) && line.contains(#""stream-lavf-o":"protocol_whitelist=["#))
      for name in dangerous { #expect(!FFmpegProtocols.of(scheme).contains(name), "\(scheme)") }
      #expect(FFmpegProtocols.of(scheme) != FFmpegProtocols.web)
    }
    let web = try #require(WebAddress("https://s.example/list.m3u8"))
    #expect(!load(.web(web)).contains("protocol_whitelist"))
    for name in StreamAddress.Scheme.allCases.map(\.rawValue) { #expect(!FFmpegProtocols.web.contains(name)) }
  }

  @Sendable static func streamPasswords() async throws {
    let end = try await run(
      Feedfall.path, ["list", "--json", "rtsp://ann:s3cret@cam.example:554/live?streamkey=abc"],
      environment: ["PATH": "/nowhere"])
    #expect(end.status == 0 && end.output.contains("rtsp://cam.example:554/live"), "\(end)")
    #expect(!end.output.contains("s3cret") && !end.errors.contains("s3cret"), "\(end)")
  }

  @Sendable static func queuedStream() async throws {
    try await CopyCases.expectQueued("rtsp://cam.example/live", "udp://239.0.0.1:1234", says: nil)
  }

  @Sendable static func storedStream() async throws {
    let stream = try #require(StreamAddress("srt://s.example:9000?mode=caller"))
    let video = Video(single: .stream(stream))
    let stored = StoredVideo(video).video(VideoKey(video))
    #expect(stored?.playbackURL == .stream(stream) && stored?.live == .live && PlayItem(video).isLive)
    let line =
      #"{"id":"a b","title":"x","playbackURL":"concat:rtsp://a/1|file:///etc/passwd","coverURL":"rtsp://a.example/c"}"#
    let hostile = StoredVideo.listed(Array(line.utf8))?.video
    #expect(hostile?.playbackURL == nil && hostile?.covers.isEmpty != false)
  }

  @Sendable static func otherSchemes() async throws {
    for text in [
      "rtsp:x", "rtsp://", "rtsp:///x", "rtspx://a.example/", "file://a.example/x", "rtmfp://a.example/", "srt://",
      "rtmp://:1935/x", "udp://:", "udp://:x", "udp://:99999", "rtsp://a b.example/", "rtsp://a.example/\u{202E}x",
      "rtsp://a.example/\nfile:///x", "tee:rtsp://a.example/x", "rtsp://" + String(repeating: "a/", count: 5_000),
    ] {
      #expect(StreamAddress(text) == nil, "\(text.prefix(40))")
    }
  }

  // MARK: - Marks

  @Sendable static func marksOfJellyfin() async throws {
    let server = try #require(WebAddress("https://jelly.example/").flatMap { JellyfinServer($0) })
    func item(_ id: String, _ data: String) -> String { #"{"Id":"\#(id)","Name":"\#(id)","UserData":{\#(data)}}"# }
    let items = [
      item("a1", #""Played":true,"IsFavorite":false"#), item("b2", #""Played":false,"IsFavorite":true"#),
      item("c3", #""Played":true"#), item("d4", #""Played":1,"IsFavorite":"yes""#),
    ]
    let body = #"{"Items":[\#(items.joined(separator: ","))],"TotalRecordCount":4}"#
    let scope = server.scope(ofUser: try #require(JellyfinID("u1")))
    let marks = try #require(JellyfinAnswer.items(Array(body.utf8), from: server, in: scope)).marks
    #expect(marks.map(\.video.id) == ["a1", "b2"] && marks.map(\.marks) == [[.watched], [.starred]])
    var data = UserData(device: "d")
    let key = VideoKey(marks[0].video)
    _ = data.change(key, [.watched(UnixTime(seconds: 5))], at: 9_000)
    _ = data.change(key, [.watched(nil)], at: 9_001)
    var sync = MarkSync(scope: scope, device: "d")
    sync.findUnsent(in: data, at: 10_000)
    sync.beginRequest(1)
    for event in sync.merge(marks, of: 1, in: data, at: 11_000) { data.apply(event) }
    #expect(data[key].watched == nil && data[VideoKey(marks[1].video)].has(.starred))
  }
}
