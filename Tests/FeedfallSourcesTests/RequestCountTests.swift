import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

/// The requests of each action of the user. A proxy answers for all servers, so that it sees every request.
@Suite(.hangLimit, .serialized) struct RequestCountTests {
  enum Step: Sendable {
    case open, refresh, more
    /// The details of the first video, or their continuation.
    case details
    /// The list, the channel and the related videos of the first video.
    case list, channel, related
    case search
  }

  /// Actions one after the other. Addresses are without `http://`; a request that was answered by 304 has that before
  /// its address, and a call of yt-dlp its name.
  struct Session: Sendable, CustomTestStringConvertible {
    let address: String
    let answers: [String: String]
    let steps: [(step: Step, requests: [String])]

    init(_ address: String, _ answers: [String: String], _ steps: (step: Step, requests: [String])...) {
      (self.address, self.answers, self.steps) = (address, answers, steps)
    }

    var testDescription: String { address }
  }

  @Test(arguments: sessions) func `each action sends these requests alone`(session: Session) async throws {
    let server = try TestServer { request in
      let body = session.answers[Self.address(of: request)]
      guard request.headers["if-none-match"] == nil else { return .answer(TestAnswer("", status: 304)) }
      return .answer(body.map { TestAnswer($0, headers: ["ETag": "1"]) } ?? TestAnswer("", status: 404))
    }
    defer { server.stop() }
    try await withFolder { folder in
      let script = try writeScript(
        "read -r url; echo \"$url\" >> '\(folder)/calls'; echo '\(Self.ytDlpList)'", to: folder + "/yt-dlp")
      var options = SourceOptions(cache: AnswerCache(folder: folder + "/cache"))
      options.timeoutSeconds = 600
      let proxy = try #require(ProxyAddress(server.origin, setting: "proxy"))
      options.proxies = ProxyDirectory(Proxies().replacing(proxy))
      options.ytDlp = YtDlpDirectory(YtDlp(program: script))
      var log = Log(server: server, folder: folder)
      var address = session.address
      var source = try FeedSources.open(address, options: options)
      var page = FeedPage(videos: [])
      for (step, requests) in session.steps {
        switch step {
        case .open, .refresh: page = try await source.page(.start).get()
        case .more: page = try await source.page(try #require(page.next)).get()
        case .details: page.videos[0] = try await source.details(try #require(page.videos.first)).get()
        case .list, .channel, .related, .search:
          address = try Self.target(of: step, try #require(page.videos.first), listedBy: address)
          source = try FeedSources.open(address, options: options)
          page = try await source.page(.start).get()
        }
        let sent = log.next()
        #expect(sent == requests, "\(step)")
        #expect(!page.videos.isEmpty, "\(step)")
      }
    }
  }

  private static func target(of step: Step, _ video: Video, listedBy address: String) throws -> String {
    let source = try #require(WebAddress(typed: address))
    switch step {
    case .list: return try #require(video.list).address.text
    case .channel: return try #require(video.channelURL).text
    case .related:
      guard case .list(let list)? = KnownSite.related(to: video, listedBy: source, hasYtDlp: true) else {
        throw TestFailure("no related videos")
      }
      return list.text
    case .search: return try #require(KnownSite.search(for: "cats", onServerOf: source, videos: [video])).text
    case .open, .refresh, .more, .details: return address
    }
  }

  private static func address(of request: TestRequest) -> String {
    let scheme = "http://"
    return request.target.hasPrefix(scheme) ? String(request.target.dropFirst(scheme.count)) : request.target
  }

  /// Returns the requests and the calls of yt-dlp since its last call.
  private struct Log {
    let server: TestServer
    let folder: String
    private var (requestCount, callCount) = (0, 0)

    init(server: TestServer, folder: String) { (self.server, self.folder) = (server, folder) }

    private var calls: [String] {
      let calls = try? Files.read((folder + "/calls").utf8, limit: 1 << 16)
      return calls.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) } ?? []
    }

    mutating func next() -> [String] {
      let (requests, calls) = (server.requests, calls)
      defer { (requestCount, callCount) = (requests.count, calls.count) }
      let sent = requests.dropFirst(requestCount).map { request in
        (request.headers["if-none-match"] == nil ? "" : "304 ") + RequestCountTests.address(of: request)
      }
      return sent + calls.dropFirst(callCount).map { "yt-dlp " + $0 }
    }
  }

  // MARK: - Answers

  private static let channel = "UCaaaaaaaaaaaaaaaaaaaaaa"
  private static let webPage =
    "<!doctype html><title>Films</title><link rel=alternate type=application/rss+xml href=/feed.xml>"

  private static let ytDlpList = #"{"_type":"playlist","title":"Ann","entries":[\#(entry("c")),\#(entry("d"))]}"#

  private static func entry(_ letter: Character) -> String {
    let id = String(repeating: letter, count: 11)
    return #"{"_type":"url","ie_key":"Youtube","id":"\#(id)","url":"https://www.youtube.com/watch?v=\#(id)"}"#
  }

  private static let atom = """
    <feed xmlns='http://www.w3.org/2005/Atom'><title>Ann</title><entry><id>yt:video:aaaaaaaaaaa</id><title>A</title>\
    <link rel='alternate' href='https://www.youtube.com/watch?v=aaaaaaaaaaa'/></entry></feed>
    """

  private static func uuid(_ digit: Int) -> String { "9c9de5e8-0a1e-484a-b099-e8076618000\(digit)" }

  /// A video of PeerTube on `tube.example`.
  private static func tube(_ digit: Int, _ members: String = "") -> String {
    let channel = #"{"name":"films","url":"http://tube.example/video-channels/films"}"#
    return #"{"uuid":"\#(uuid(digit))","name":"A","url":"http://tube.example/w/\#(uuid(digit))","duration":60,"#
      + #""isLive":false,"channel":\#(channel)\#(members)}"#
  }

  private static func tubes(_ digit: Int, total: Int = 1) -> String {
    #"{"total":\#(total),"data":[\#(tube(digit))]}"#
  }

  private static let tubeChannels =
    #"{"total":1,"data":[{"id":1,"name":"films","displayName":"Films","host":"tube.example","followersCount":3,"#
    + #""url":"http://tube.example/video-channels/films","ownerAccount":{"name":"ann"}}]}"#

  /// A video of Invidious.
  private static func invidious(_ letter: Character, _ members: String = "") -> String {
    #"{"type":"video","videoId":"\#(String(repeating: letter, count: 11))","title":"A","lengthSeconds":61,"#
      + #""author":"Ann","authorId":"\#(channel)"\#(members)}"#
  }

  /// A video of Piped.
  private static func stream(_ letter: Character) -> String {
    #"{"url":"/watch?v=\#(String(repeating: letter, count: 11))","type":"stream","title":"A","uploaderName":"Ann","#
      + #""uploaderUrl":"/channel/\#(channel)","duration":61}"#
  }

  private static let podcast =
    #"{"resultCount":1,"results":[{"wrapperType":"track","kind":"podcast","collectionId":1,"collectionName":"Cats","#
    + #""feedUrl":"http://a.example/feed.xml"}]}"#

  // MARK: - Sessions

  private static let sessions: [Session] = [web, peerTube, youTube, youTubeProxies, others].flatMap(\.self)

  private static let web: [Session] = [
    Session(
      "http://a.example/feed.xml",
      [
        "a.example/feed.xml": films(0..<2, next: "/feed.xml?page=2"), "a.example/feed.xml?page=2": films(2..<3),
      ],
      (.open, ["a.example/feed.xml"]), (.details, []), (.more, ["a.example/feed.xml?page=2"]),
      (.refresh, ["304 a.example/feed.xml"])),
    Session(
      "http://a.example/", ["a.example/": webPage, "a.example/feed.xml": films(0..<2)],
      (.open, ["a.example/", "a.example/api/v1/config", "a.example/feed.xml"]),
      (.refresh, ["304 a.example/feed.xml"])),
  ]

  private static let peerTube: [Session] = {
    let (api, first, second) = ("tube.example/api/v1/", "start=0&count=20", "start=20&count=20")
    let (views, newest) = ("\(api)videos?sort=-views", "\(api)videos?sort=-publishedAt")
    let (related, ofChannel) = ("\(newest)&tagsOneOf=cats&\(first)", "\(api)video-channels/films/videos?\(first)")
    let (index, search) = ("sepiasearch.org/api/v1/search/videos?search=cats", "\(api)search/videos?search=cats")
    let channels = "sepiasearch.org/api/v1/search/video-channels?search=cats"
    let files = #","streamingPlaylists":[],"files":[{"fileUrl":"http://tube.example/a.mp4","resolution":{"id":720}}]"#
    return [
      Session(
        "http://\(views)",
        [
          "\(views)&\(first)": tubes(1, total: 21), "\(views)&\(second)": tubes(2, total: 21),
          "\(api)videos/\(uuid(1))": tube(1, #","tags":["cats"]\#(files)"#),
          "\(api)videos/\(uuid(1))/chapters": #"{"chapters":[]}"#, related: tubes(3), ofChannel: tubes(1),
        ],
        (.open, ["\(views)&\(first)"]), (.more, ["\(views)&\(second)"]), (.refresh, ["304 \(views)&\(first)"]),
        (.details, ["\(api)videos/\(uuid(1))"]), (.details, ["\(api)videos/\(uuid(1))/chapters"]),
        (.related, [related]), (.channel, [ofChannel])),
      Session(
        "http://tube.example/",
        [
          "tube.example/": "<!doctype html><title>Films</title>", "\(api)config": peerTubeConfig,
          "\(newest)&\(first)": tubes(1), "\(search)&\(first)": tubes(2),
        ],
        (.open, ["tube.example/", "\(api)config", "\(newest)&\(first)"]), (.refresh, ["304 \(newest)&\(first)"]),
        (.search, ["\(search)&\(first)"])),
      Session(
        "http://\(index)",
        [
          "\(index)&\(first)": tubes(1, total: 21), "\(index)&\(second)": tubes(2, total: 21),
          "\(api)videos/\(uuid(2))": tube(2, files),
        ],
        (.open, ["\(index)&\(first)"]), (.more, ["\(index)&\(second)"]), (.details, ["\(api)videos/\(uuid(2))"])),
      Session(
        "http://\(channels)", ["\(channels)&\(first)": tubeChannels, ofChannel: tubes(1)],
        (.open, ["\(channels)&\(first)"]), (.details, []), (.list, [ofChannel])),
    ]
  }()

  private static let youTube: [Session] = {
    let feed = "www.youtube.com/feeds/videos.xml?channel_id=\(channel)"
    return [
      Session(
        "http://\(feed)", [feed: atom], (.open, [feed]), (.details, []), (.refresh, ["304 \(feed)"]),
        (.search, ["yt-dlp https://www.youtube.com/channel/\(channel)/search?query=cats"]), (.details, []),
        (.related, ["yt-dlp https://www.youtube.com/watch?v=ccccccccccc&list=RDccccccccccc"]))
    ]
  }()

  private static let youTubeProxies: [Session] = {
    let (api, piped) = ("yewtu.be/api/v1/", "pipedapi.kavin.rocks/")
    let ofKnown = "\(api)channels/\(channel)/videos"
    let (page, ofUnknown) = ("inv.example/channel/\(channel)", "inv.example/api/v1/channels/\(channel)/videos")
    let search = "inv.example/api/v1/channels/\(channel)/search?q=cats"
    let (first, second) = ("\(piped)channel/\(channel)", "\(piped)nextpage/channel/\(channel)?nextpage=x")
    let related = #","formatStreams":[],"recommendedVideos":[\#(invidious("b"))]"#
    let file = #","formatStreams":[{"url":"http://yewtu.be/b.mp4","type":"video/mp4","size":"640x360"}]"#
    let details = #"\#(file),"recommendedVideos":[\#(invidious("b"))]"#
    let link = #"<link rel="search" title="Invidious" href="/o.xml">"#
    return [
      Session(
        "http://yewtu.be/channel/\(channel)",
        [
          ofKnown: #"{"videos":[\#(invidious("a"))],"continuation":"x"}"#,
          "\(ofKnown)?continuation=x": #"{"videos":[\#(invidious("b"))]}"#,
          "\(api)videos/aaaaaaaaaaa": invidious("a", related), "\(api)videos/bbbbbbbbbbb": invidious("b", file),
        ],
        (.open, [ofKnown]), (.more, ["\(ofKnown)?continuation=x"]), (.refresh, ["304 \(ofKnown)"]),
        (.related, ["\(api)videos/aaaaaaaaaaa"]), (.details, ["\(api)videos/bbbbbbbbbbb"]),
        (.channel, ["304 \(ofKnown)"])),
      Session(
        "http://yewtu.be/channel/\(channel)",
        [ofKnown: #"{"videos":[\#(invidious("a"))]}"#, "\(api)videos/aaaaaaaaaaa": invidious("a", details)],
        (.open, [ofKnown]), (.details, ["\(api)videos/aaaaaaaaaaa"]), (.related, []),
        (.refresh, ["\(api)videos/aaaaaaaaaaa"])),
      Session(
        "http://\(page)",
        [
          page: "<!doctype html><head>\(link)</head>", ofUnknown: #"{"videos":[\#(invidious("a"))]}"#,
          search: "[\(invidious("a"))]", "\(search)&page=2": "[\(invidious("b"))]",
        ],
        (.open, [page, ofUnknown]), (.refresh, ["304 \(ofUnknown)"]), (.search, [search]),
        (.more, ["\(search)&page=2"])),
      Session(
        "http://\(first)",
        [
          first: #"{"name":"Ann","relatedStreams":[\#(stream("a"))],"nextpage":"x"}"#,
          second: #"{"relatedStreams":[\#(stream("b"))],"nextpage":null}"#,
          "\(piped)streams/bbbbbbbbbbb":
            #"{"title":"B","videoStreams":[],"audioStreams":[],"relatedStreams":[\#(stream("a"))]}"#,
        ],
        (.open, [first]), (.details, []), (.more, [second]), (.related, ["\(piped)streams/bbbbbbbbbbb"])),
    ]
  }()

  private static let others: [Session] = {
    let videos = "api.dailymotion.com/videos?search=cats&fields=id,title"
    let search = "itunes.apple.com/search?media=podcast&term=cats"
    let lookup = "itunes.apple.com/lookup?id=1&entity=podcast"
    return [
      Session(
        "http://\(videos)",
        [
          videos: #"{"has_more":true,"list":[{"id":"x1","title":"A"}]}"#,
          "\(videos)&page=2": #"{"has_more":false,"list":[{"id":"x2","title":"B"}]}"#,
        ],
        (.open, [videos]), (.details, []), (.more, ["\(videos)&page=2"]), (.refresh, ["304 \(videos)"])),
      Session(
        "http://\(search)", ["\(search)&limit=50": podcast, "a.example/feed.xml": films(0..<2)],
        (.open, ["\(search)&limit=50"]), (.details, []), (.list, ["a.example/feed.xml"])),
      Session(
        "http://\(lookup)", [lookup: podcast, "a.example/feed.xml": films(0..<2)],
        (.open, [lookup, "a.example/feed.xml"]), (.refresh, ["304 a.example/feed.xml"])),
    ]
  }()

  // MARK: - Jellyfin

  private static func jellyfin(_ request: TestRequest) -> TestBehaviour {
    switch request.path {
    case "/Users/Me": .answer(TestAnswer(#"{"Id":"u1","Name":"anna"}"#))
    case "/UserViews": .answer(TestAnswer(#"{"Items":[{"Id":"films","Name":"Films"}]}"#))
    case "/Items":
      .answer(
        TestAnswer(
          #"{"Items":[{"Id":"f\#(request.query["startIndex"] ?? "")","Name":"Film"}],"TotalRecordCount":3}"#))
    default: .answer(TestAnswer(#"{"Items":[],"TotalRecordCount":0}"#))
    }
  }

  @Test func `a server of Jellyfin is asked for its user once, and a library page by page`() async throws {
    try await withServer(Self.jellyfin) { server in
      var options = SourceOptions()
      (options.timeoutSeconds, options.pageSize) = (600, 1)
      options.login = SourceLogin(passwordCommand: "echo key")
      let source = try FeedSources.open("jellyfin+\(server.origin)", options: options)
      let lists = ["/UserViews", "/UserItems/Resume", "/Shows/NextUp", "/Items"]
      let first = try await source.page(.start).get()
      #expect(server.requests.map(\.path) == ["/Users/Me"] + lists)
      _ = try await source.page(try #require(first.next)).get()
      #expect(server.requests.map(\.path) == ["/Users/Me"] + lists + ["/Items"])
      #expect(try await source.details(try #require(first.videos.first)).get() == first.videos.first)
      _ = try await source.page(.start).get()
      #expect(server.requests.map(\.path) == ["/Users/Me"] + lists + ["/Items"] + lists)
    }
  }
}
