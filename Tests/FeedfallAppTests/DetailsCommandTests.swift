import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// Commands that wait for an address: each is carried out, fails with a message, or is withdrawn.
@Suite(.hangLimit) struct DetailsCommandTests {
  private static let offline = FeedFailure(.temporary, "the network is down")

  private func list(_ count: Int = 6) -> Scenario {
    .showing((0..<count).map(sampleVideoWithoutDetails), width: 100, height: 30, layout: .list)
  }

  private func awaited(_ scenario: Scenario) -> [String] { scenario.unansweredDetails.map(\.video.id) }

  private func downloaded(_ scenario: Scenario) -> [String] {
    scenario.effects.compactMap { effect in
      if case .download(let request) = effect, !request.awaitsAddress { request.key.text } else { nil }
    }
  }

  /// Answers all requests, the first one first.
  private func answerAll(_ scenario: inout Scenario) {
    for _ in 0..<100 {
      guard let video = scenario.unansweredDetails.first?.video else { return }
      scenario.answerDetails(at: 0, .success(details(of: video)))
    }
  }

  private func details(of video: Video) -> Video {
    sampleVideo(Int(video.id.split(separator: "-").last ?? "") ?? 0)
  }

  /// A video with a film and its audio.
  private func choice() throws -> Video {
    var video = sampleVideo(0)
    video.playback = .direct(
      try [1080, 0].map { (height: Int) in
        MediaFile(url: try #require(WebAddress("https://films.example/\(height).mp4")), height: height)
      })
    return video
  }

  @Test(arguments: ["", "r"]) func `the quality of a download survives the requests for its address`(keys: String)
    throws
  {
    let key = VideoKey(sampleVideoWithoutDetails(0))
    for state in [DownloadState.failed(Self.offline), .stalled(Self.offline), nil] {
      var scenario = list()
      scenario.handle(.downloadChanged(key, state))
      scenario.type(":download audio<Enter>")
      // The downloader reports its state.
      scenario.handle(.downloadChanged(key, state ?? .waiting))
      if !keys.isEmpty { scenario.answerDetails(.failure(Self.offline)) }
      scenario.type(keys)
      scenario.answerDetails(.success(try choice()))
      let last = try #require(downloads(scenario).last)
      #expect(downloads(scenario).first?.quality == .audio && last.quality == .audio)
      #expect(last.addresses.map(\.height) == [0])
    }
  }

  @Test func `the quality of a download survives its tab`() throws {
    var scenario = list()
    scenario.type(":https://tube.example/feed<Enter>")
    scenario.answer(FeedPage(videos: [sampleVideoWithoutDetails(9)]))
    scenario.type(":download audio<Enter>:close<Enter>:https://tube.example/feed<Enter>")
    scenario.answer(FeedPage(videos: []))
    scenario.answerDetails(.success(try choice()))
    #expect(downloads(scenario).last?.addresses.map(\.height) == [0])
  }

  @Test func `an earlier attempt continues if its video lacks the quality`() throws {
    let earlier = try DownloadRequest(sampleVideo(0), key: VideoKey(sampleVideoWithoutDetails(0)), source: "a")
    for lacksSecret in [true, false] {
      var (settings, request) = (AppSettings(sources: [SourceSettings(name: "a", isLocal: true)]), earlier)
      request.addresses[0].lacksSecret = lacksSecret
      (settings.downloads, settings.downloadRequests) = ([request.key: .failed(Self.offline)], [request])
      var scenario = Scenario(settings, width: 140, height: 30)
      scenario.answer(FeedPage(videos: [sampleVideoWithoutDetails(0)]))
      scenario.type(":download audio<Enter>")
      #expect(scenario.state.browsing.downloads[request.key] == .waiting)
      scenario.answerDetails(.success(sampleVideo(0)))
      #expect(scenario.screen.contains("it has no separate audio"))
      #expect(
        downloads(scenario).last == request && scenario.state.browsing.downloads.request(of: request.key) == request)
      #expect(!scenario.effects.contains(.removeDownload(request.key)))
    }
  }

  @Test func `three downloads without addresses are looked up in their order, two at a time`() {
    var scenario = list().typing("djdjd")
    #expect(awaited(scenario) == ["film-0", "film-1"])
    scenario.answerDetails(at: 0, .success(sampleVideo(0)))
    #expect(awaited(scenario) == ["film-1", "film-2"])
    answerAll(&scenario)
    #expect(downloaded(scenario).count == 3)
  }

  @Test(arguments: ["dj<Enter>", "d ", "<Enter>dq", "<Enter>dqj<Enter>lll<Esc>", "djy", "dj ", "d<Tab>"])
  func `a download survives other requests and closed panes`(keys: String) {
    var scenario = list().typing(keys)
    answerAll(&scenario)
    #expect(downloaded(scenario) == [VideoKey(sampleVideoWithoutDetails(0)).text])
  }

  @Test func `a download is shown from the first key on, and can be removed before its address arrives`() {
    var scenario = list().typing("d")
    #expect(scenario.state.browsing.downloads[VideoKey(sampleVideoWithoutDetails(0))] == .waiting)
    #expect(scenario.typing("d").screen.contains("is being downloaded. Press D to cancel."))
    let ticket = scenario.awaitedDetails
    scenario.type("DD")
    #expect(ticket.map { scenario.effects.contains(.cancel($0)) } == true)
    #expect(scenario.effects.contains(.removeDownload(VideoKey(sampleVideoWithoutDetails(0)))))
  }

  @Test func `a download is listed before its address arrives, and its address is requested again at the next start`()
    throws
  {
    let video = sampleVideoWithoutDetails(3)
    let waiting = list().typing("jjjd")
    let requests = downloads(waiting)
    #expect(requests.map(\.key) == [VideoKey(video)] && requests.allSatisfy(\.awaitsAddress))
    #expect(waiting.typing("<Enter>").screen.contains("Download waiting for the address"))
    for isListed in [true, false] {
      var source = SourceSettings(name: "tube", isLocal: false)
      source.address = "https://tube.example/feed"
      var settings = AppSettings(sources: [source])
      settings.awaitedDownloads = requests
      settings.downloads = [VideoKey(video): .waiting]
      var scenario = Scenario(settings, width: 100, height: 24)
      scenario.answer(0, isListed ? [sampleVideo(0), video] : [sampleVideo(0)])
      #expect(scenario.unansweredDetails.map(\.video.detailsURL) == [video.detailsURL])
      scenario.answerDetails(.success(sampleVideo(3)))
      #expect(downloaded(scenario) == [VideoKey(video).text])
    }
  }

  /// A program with open sources on one server, and a download of an earlier program that waits for its address.
  private func sources(_ names: String..., awaiting request: DownloadRequest?) throws -> Scenario {
    var settings = AppSettings(
      sources: names.map { name in
        var source = SourceSettings(name: name, isLocal: false)
        (source.givenName, source.address) = (name, "https://\(name == "own" ? "own" : "tube").example/feed")
        return source
      })
    settings.awaitedDownloads = [try #require(request)]
    return Scenario(settings, width: 100, height: 24)
  }

  @Test(arguments: [("tube", 1), ("own", 2), ("renamed", 1)])
  func `the address of a waiting download is requested from its source`(name: String, first: Int) throws {
    let video = sampleVideoWithoutDetails(3)
    let request = DownloadRequest(awaiting: video, key: VideoKey(video), source: name)
    var scenario = try sources("tube", "own", awaiting: request)
    scenario.answer(0, [sampleVideo(0)])
    #expect(scenario.unansweredDetails.count == (first == 1 ? 1 : 0))
    scenario.answer(1, [sampleVideo(0)])
    #expect(scenario.unansweredDetails.map(\.video.detailsURL) == [video.detailsURL])
  }

  @Test func `a waiting download gets its secret from a fresh page, not from a cached one`() throws {
    let video = sampleVideo(3)
    var request = try DownloadRequest(video, key: VideoKey(video))
    request.addresses[0].lacksSecret = true
    var scenario = try sources("tube", awaiting: request)
    scenario.answerRecall(0, [video])
    #expect(downloaded(scenario).isEmpty)
    scenario.answer(0, [video])
    #expect(downloaded(scenario) == [VideoKey(video).text])
  }

  @Test func `a download without an address in its details is removed with a message`() {
    var scenario = list().typing("d")
    var video = sampleVideo(0)
    (video.playback, video.players) = (.unknown, [])
    scenario.answerDetails(.success(video))
    #expect(scenario.screen.contains("Could not download “0 Elephants Dream”"))
    #expect(scenario.state.browsing.downloads[VideoKey(sampleVideoWithoutDetails(0))] == nil)
  }

  @Test func `each failed command is named, and r retries all of them`() {
    var scenario = list().typing("djdjy")
    for _ in 0..<3 { scenario.answerDetails(at: 0, .failure(Self.offline)) }
    for number in 0..<3 { #expect(scenario.screen.contains("“\(number) ")) }
    #expect(scenario.screen.contains("the network is down"))
    scenario.type("r")
    answerAll(&scenario)
    #expect(downloaded(scenario).count == 2)
    #expect(scenario.effects.contains(.copy("https://films.example/2.mp4")))
  }

  @Test func `a removed download is not retried, nor a video in whose place another one plays`() {
    var scenario = Scenario.showing(
      [sampleVideo(0)] + (1..<4).map(sampleVideoWithoutDetails), width: 100, height: 30, layout: .list)
    scenario.type("jd")
    scenario.answerDetails(.failure(Self.offline))
    #expect(scenario.state.browsing.failureText != nil)
    scenario.type("DD")
    scenario.handle(.downloadChanged(VideoKey(sampleVideoWithoutDetails(1)), nil))
    #expect(scenario.state.browsing.failureText == nil)
    scenario.type("j q")
    scenario.answerDetails(.failure(Self.offline))
    #expect(scenario.state.browsing.failureText != nil)
    scenario.type("gg q")
    #expect(scenario.loads.count == 1)
    scenario.type("r")
    #expect(scenario.state.browsing.failureText == nil && scenario.unansweredDetails.isEmpty)
  }

  @Test func `a download that is retried waits again`() {
    var scenario = list().typing("d")
    scenario.answerDetails(.failure(Self.offline))
    scenario.type("r")
    #expect(scenario.state.browsing.downloads[VideoKey(sampleVideoWithoutDetails(0))] == .waiting)
    #expect(scenario.typing("d").unansweredDetails.count == 1)
  }

  @Test func `a download whose tab is closed is looked up when the tab is opened again`() {
    var scenario = list()
    for _ in 0..<2 {
      scenario.type(":https://tube.example/feed<Enter>")
      scenario.answer(FeedPage(videos: [sampleVideoWithoutDetails(9)]))
      scenario.type("d")
      #expect(scenario.unansweredDetails.map(\.video.id) == ["film-9"])
      scenario.type(":close<Enter>")
      #expect(scenario.unansweredDetails.isEmpty)
    }
    scenario.type(":https://tube.example/feed<Enter>")
    scenario.answer(FeedPage(videos: []))
    answerAll(&scenario)
    #expect(downloaded(scenario) == [VideoKey(sampleVideoWithoutDetails(9)).text])
  }

  @Test func `a server that asks to wait delays commands`() {
    var scenario = list().typing("djdj ")
    for _ in 0..<3 { scenario.answerDetails(at: 0, .failure(FeedFailure(.wait(seconds: 600), "busy"))) }
    #expect(scenario.screen.contains("is looked up in 10 min, as the server asked."))
    #expect(awaited(scenario.typing("j<Enter>")).isEmpty)
    scenario.endWaits()
    answerAll(&scenario)
    #expect(downloaded(scenario).count == 2 && scenario.loads.count == 1)
  }

  @Test func `a server that always asks to wait gets six requests`() {
    var scenario = list().typing("d")
    var count = 0
    while scenario.awaitedDetails != nil, count < 50 {
      scenario.answerDetails(.failure(FeedFailure(.wait(seconds: 0), "busy")))
      scenario.endWaits()
      count += 1
    }
    #expect(count == 6)
    #expect(scenario.screen.contains("busy"))
  }

  @Test func `the address of the next video is looked up although other details are opened`() {
    var scenario = Scenario.playing([sampleVideo(0)] + (1..<5).map(sampleVideoWithoutDetails)).typing("N<Enter>")
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    scenario.type("jjj<Enter>lhq")
    answerAll(&scenario)
    #expect(scenario.loads.map { $0.title.prefix(1) } == ["0", "1"])
  }

  @Test func `an answer under another ID belongs to the requested video`() {
    var scenario = list().typing("d")
    scenario.answerDetails(.success(sampleVideo(4)))
    #expect(downloaded(scenario) == [VideoKey(sampleVideoWithoutDetails(0)).text])
    #expect(scenario.state.shownVideos[4].detailsURL != nil)
  }

  // MARK: - Any order

  private static let keys = [
    "d", "d", "d", "y", " ", "j", "j", "k", "gg", "G", "<Enter>", "<Esc>", "l", "DD", "r", "<Tab>", "/film<Esc>", "p",
    "n", "N", "f", "<Esc><Esc>",
  ]

  @Test(arguments: 1...20)
  func `no command is lost in any order of keys, answers and refreshes`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    var scenario = Scenario.of("a", "b", width: 110, height: 30)
    let videos = [(0..<8).map(sampleVideoWithoutDetails), (20..<28).map(sampleVideoWithoutDetails)]
    for source in 0..<2 { scenario.answer(source, videos[source]) }
    for _ in 0..<120 {
      happen(&scenario, videos, &chances)
      check(scenario)
    }
    for _ in 0..<20 {
      answerAll(&scenario)
      scenario.endWaits()
    }
    check(scenario)
    #expect(scenario.unansweredDetails.isEmpty && scenario.state.player.upcomingTitle == nil)
    let started = Set(downloaded(scenario))
    for key in keys(of: videos) where scenario.state.browsing.downloads[key] == .waiting {
      #expect(started.contains(key.text), "a download was lost")
    }
  }

  private func keys(of videos: [[Video]]) -> [VideoKey] { videos.joined().map { VideoKey($0) } }

  private func happen(_ scenario: inout Scenario, _ videos: [[Video]], _ chances: inout SeededGenerator) {
    switch Int.random(in: 0..<12, using: &chances) {
    case 0...2:
      guard let place = scenario.unansweredDetails.indices.randomElement(using: &chances) else { return }
      scenario.answerDetails(at: place, .success(details(of: scenario.unansweredDetails[place].video)))
    case 3:
      guard let place = scenario.unansweredDetails.indices.randomElement(using: &chances) else { return }
      let kinds: [FeedFailure.Kind] = [.temporary, .permanent, .wait(seconds: 3)]
      scenario.answerDetails(
        at: place, .failure(FeedFailure(kinds.randomElement(using: &chances) ?? .permanent, "it went wrong")))
    case 4: scenario.endWaits()
    case 5:
      guard let source = scenario.unanswered.last?.source else { return }
      let kept = videos[source].filter { _ in chances.chance(3, in: 4) }
      scenario.answer(source, kept)
    case 6:
      guard !scenario.loads.isEmpty else { return }
      scenario.report(.ready, .duration(seconds: 100), .time(seconds: 99.9))
      if chances.chance(1, in: 2) { scenario.report(.ended(.reachedEnd)) }
    default:
      let count = scenario.effects.count
      scenario.type(Self.keys.randomElement(using: &chances) ?? "d")
      // The downloader's reports.
      for case .removeDownload(let key) in scenario.effects[count...] { scenario.handle(.downloadChanged(key, nil)) }
    }
  }

  /// Each download without an address has a request, and few requests are pending at once.
  private func check(_ scenario: Scenario) {
    let (state, started) = (scenario.state, Set(downloaded(scenario)))
    for source in state.library.sources {
      let pending = scenario.unansweredDetails.filter { state.library.cardSource(of: $0.ticket) == source.id }
      #expect(pending.count <= 4)
      for slot in source.slots {
        let card = state.library.store[slot]
        guard state.browsing.downloads[card.key] == .waiting, !started.contains(card.key.text) else { continue }
        #expect(source.details.isPending(for: card.id), "a download without a request")
      }
    }
    #expect(state.draw().size == state.size)
  }
}

extension Library {
  fileprivate func cardSource(of ticket: Ticket) -> SourceID? {
    sources.first { source in
      var copy = source.details
      return copy.finish(ticket) != nil
    }?.id
  }
}
