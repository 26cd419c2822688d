import FeedfallApp
import FeedfallFeeds
import FeedfallMedia
import FeedfallSources
import FeedfallText
import FeedfallWeb
import TestServer
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct RunningSourcesTests {
  private static func answer(_ request: TestRequest) -> TestBehaviour {
    switch (request.method, request.path) {
    case ("GET", "/Users/Me"): .answer(TestAnswer(#"{"Id":"u1","Name":"anna"}"#))
    case ("GET", "/UserViews"): .answer(TestAnswer(#"{"Items":[{"Id":"films","Name":"Films"}]}"#))
    case ("GET", "/Items"): .answer(TestAnswer(#"{"Items":[{"Id":"f1","Name":"Film"}],"TotalRecordCount":1}"#))
    case ("POST", _): .answer(TestAnswer("", status: 204))
    default: .answer(TestAnswer(#"{"Items":[],"TotalRecordCount":0}"#))
    }
  }

  private func jellyfin(_ server: TestServer) -> NamedSource {
    var source = NamedSource(name: "Films", argument: "jellyfin+\(server.origin)")
    source.login = SourceLogin(passwordCommand: "echo key")
    return source
  }

  private var options: SourceOptions {
    var options = SourceOptions()
    options.timeoutSeconds = 600
    return options
  }

  private func file(_ page: FeedPage) throws -> MediaFile {
    guard case .direct(let files) = try #require(page.videos.first).playback else { throw TestFailure("no file") }
    return try #require(files.first)
  }

  private func reports(_ server: TestServer) -> [String] { server.requests.filter { $0.method == "POST" }.map(\.path) }

  /// Plays the first video of a source, whose tab may be closed meanwhile.
  private func play(_ id: SourceID, of sources: RunningSources, closesTab: Bool = false) async throws {
    let file = try file(await sources.page(id, .start, .whileFresh).get())
    await sources.report(PlaybackReport(.started, of: file.url, headers: file.headers, seconds: 0))
    if closesTab { sources.close(id) }
    await sources.report(PlaybackReport(.stopped, of: file.url, headers: file.headers, seconds: 1))
  }

  @Test(arguments: [false, true])
  func `playback of a source that is opened by its name is reported, also after its tab is closed`(
    closesTab: Bool
  ) async throws {
    try await withServer(Self.answer) { server in
      let sources = RunningSources([], configured: [jellyfin(server)], options: options)
      sources.open(SourceID(3), .configured(name: "Films"))
      try await play(SourceID(3), of: sources, closesTab: closesTab)
      #expect(reports(server).last == "/Sessions/Playing/Stopped")
    }
  }

  @Test func `playback of a source of the command line is reported, also if it could not be opened at first`()
    async throws
  {
    try await withServer(Self.answer) { server in
      let source = jellyfin(server)
      let late = source.late(options)
      for initial in [try OpenSource.open([source], options: options)[0], late] {
        let count = reports(server).count
        try await play(SourceID(0), of: RunningSources([initial], configured: [], options: options))
        #expect(reports(server).dropFirst(count).last == "/Sessions/Playing/Stopped")
      }
    }
  }

  @Test func `a source with a proxy of its own keeps it before it is opened`() throws {
    let proxy = try #require(ProxyAddress("http://p.example:1", setting: "proxy"))
    let argument = "https://ann:pw@films.example/feed.xml"
    var (named, direct) = (NamedSource(name: "Films", argument: "https://a.example/"), NamedSource(argument: argument))
    (named.proxy, direct.proxy) = (.address(proxy), Configuration.Proxy.none)
    let sources = RunningSources(
      [], configured: [named, direct, NamedSource(name: "Other", argument: "https://b.example/")], options: options)
    let common = options.proxies.common
    #expect(sources.proxies(of: "Films") == common.replacing(proxy))
    #expect(sources.proxies(of: argument.hidingPassword) == common.replacing(nil))
    for name in ["Other", "films", nil] { #expect(sources.proxies(of: name) == nil) }
  }

  @Test func `only the videos of a source that allows it may leave https`() {
    var films = NamedSource(name: "Films", argument: "https://a.example/")
    films.allowsHTTP = true
    let sources = RunningSources(
      [], configured: [films, NamedSource(name: "Other", argument: "https://b.example/")], options: options)
    #expect(sources.allowsHTTP("Films") && sources.allowsHTTP("https://a.example/"))
    #expect(sources.namesAllowingHTTP == ["Films", "https://a.example/"])
    for name in ["Other", "films", nil] { #expect(!sources.allowsHTTP(name)) }
  }

  @Test func `closing a source of a live list leaves another source of its name`() throws {
    var sources = ["a", "b"].map { NamedSource(name: "X", argument: "https://\($0).example/") }
    for index in sources.indices { sources[index].listName = "Lab \(index)" }
    sources[1].proxy = Configuration.Proxy.none
    let running = RunningSources(
      try OpenSource.open(sources, options: options), configured: sources, options: options)
    var change = LiveListChange(name: "Lab 0", address: "https://lab.example/list.opml")
    change.closed = [SourceID(0)]
    running.change(change)
    #expect(running.proxies(of: "X") == options.proxies.common.replacing(nil))
    change.closed = [SourceID(1)]
    running.change(change)
    #expect(running.proxies(of: "X") == nil)
  }

  @Test func `a search finds the videos of a confirmed page, even if the index has been deleted`() async throws {
    let feed =
      "<rss version='2.0'><channel><title>Films</title><item><title>Spring</title>"
      + "<enclosure type='video/mp4' url='https://films.example/1.mp4'/></item></channel></rss>"
    try await withServer { request in
      request.headers["if-none-match"] == nil
        ? .answer(TestAnswer(feed, headers: ["ETag": "1"])) : .answer(TestAnswer("", status: 304))
    } _: { server in
      try await withFolder { folder in
        var options = SourceOptions(cache: AnswerCache(folder: folder + "/cache"))
        options.timeoutSeconds = 600
        let source = NamedSource(argument: server.origin + "/feed")
        for run in 1...2 {
          let index = VideoIndex(folder: folder + "/index \(run)", executor: globalConcurrentExecutor)
          let opened = try OpenSource.open([source], options: options)
          let sources = RunningSources(opened, configured: [source], options: options, index: index)
          let page = try await sources.page(SourceID(0), .start, .revalidated).get()
          #expect(page.isConfirmed == (run == 2))
          index.close()
          let found = index.videos(with: try #require(SearchWords("spring")), limit: 9)
          #expect(found.map(\.video.title) == ["Spring"])
        }
      }
    }
  }

  @Test func `closed tabs are forgotten after some more`() async throws {
    try await withServer(Self.answer) { server in
      let sources = RunningSources([], configured: [jellyfin(server)], options: options)
      sources.open(SourceID(1), .configured(name: "Films"))
      let file = try file(await sources.page(SourceID(1), .start, .whileFresh).get())
      sources.close(SourceID(1))
      for number in 2...20 {
        sources.open(SourceID(number), .configured(name: "Films"))
        _ = await sources.page(SourceID(number), .start, .whileFresh)
        sources.close(SourceID(number))
      }
      await sources.report(PlaybackReport(.stopped, of: file.url, headers: file.headers, seconds: 1))
      #expect(reports(server).isEmpty)
    }
  }
}
