import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// The list that a playback goes through.
@Suite(.hangLimit) struct PlayListTests {
  private func list(_ videos: [Video] = sampleVideos(6), next: FeedCursor? = nil) -> Scenario {
    .showing(videos, next: next, width: 100, height: 24, layout: .list)
  }

  private func end(_ scenario: inout Scenario) {
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 95), .time(seconds: 99.9), .ended(.reachedEnd))
  }

  /// Records of other devices or programs.
  private func merge(_ values: [UserValue], of video: Video, into scenario: inout Scenario) {
    var data = UserData(device: "b")
    _ = data.change(VideoKey(video), values, at: 5_000)
    scenario.handle(.recordsChanged(data), at: 6_000)
  }

  // MARK: - Marks

  @Test func `the queue continues although a key or another program removes earlier videos`() {
    for isByKey in [true, false] {
      var scenario = list().typing("ajajajagg2ggjj <Enter>")
      scenario.report(.ready, .duration(seconds: 100), .time(seconds: 95))
      if isByKey { scenario.type("gga") } else { merge([.queued(nil)], of: sampleVideo(0), into: &scenario) }
      scenario.report(.time(seconds: 99.9), .ended(.reachedEnd))
      #expect(played(scenario) == [2, 3])
    }
  }

  @Test func `a video that is moved in the queue while it plays has its new place`() {
    for (keys, expected) in [
      ("GK", [0, 1, 3, 2]), ("GKKK", [0, 3, 1, 2]), ("ggjJ", [0, 2, 1, 3]), ("GKKKu", [0, 3, 1, 2]),
      ("GKKKuuu", [0, 1, 2, 3]), ("1GA2", [0, 5, 1, 2, 3]), ("1Ga2GKKK", [0, 5, 1, 2, 3]),
      ("1GA2GKKKK", [0, 3, 5, 1, 2]), ("GKKKsgg", [0, 3, 1, 2]),
    ] {
      var scenario = list().typing("ajajajagg2 <Enter>\(keys)")
      for _ in 0..<6 where scenario.state.player.session.isUnderWay { end(&scenario) }
      #expect(played(scenario) == expected, "\(keys)")
    }
  }

  @Test(arguments: 1...20) func `after random moves the rest of the queue is played in its order`(seed: Int) {
    var (chances, scenario) = (SeededGenerator(seed: UInt64(seed)), list().typing("ajajajajajagg2 <Enter>"))
    for _ in 0..<8 where scenario.state.player.session.isUnderWay {
      for _ in 0..<Int.random(in: 0..<5, using: &chances) {
        scenario.type(["J", "K", "j", "k", "gg", "G"].randomElement(using: &chances) ?? "J")
      }
      let (store, done) = (scenario.state.library.store, Set(played(scenario)))
      let rest = (0..<6).filter { !done.contains($0) }
        .sorted {
          (store.userData[VideoKey(sampleVideo($0))].queued ?? 0)
            < (store.userData[VideoKey(sampleVideo($1))].queued ?? 0)
        }
      end(&scenario)
      #expect(played(scenario).last == rest.first ?? played(scenario).last)
    }
    #expect(Set(played(scenario)) == Set(0..<6) && played(scenario).count == 6)
  }

  @Test func `a video that the user removes from the queue is skipped`() {
    var scenario = list().typing("ajajajagg2 <Enter>ggja")
    end(&scenario)
    #expect(played(scenario) == [0, 2])
  }

  @Test func `a video that is marked as watched is skipped among the unwatched ones`() {
    var scenario = list().typing("funwatched<Enter> N<Enter>jx")
    end(&scenario)
    #expect(played(scenario) == [0, 2])
  }

  @Test func `a video that is hidden is skipped among the new ones`() {
    var scenario = list(sampleVideos(4, from: 4)).typing("r")
    scenario.answer(FeedPage(videos: sampleVideos(8)))
    scenario.type("fnew<Enter>gg N<Enter>jX")
    for _ in 0..<5 where scenario.state.player.session.isUnderWay { end(&scenario) }
    #expect(played(scenario) == [0, 2, 3])
  }

  @Test func `autoplay goes down the history once`() {
    var data = UserData(device: "a")
    for number in 0..<4 {
      _ = data.change(VideoKey(sampleVideo(number)), [.played(UnixTime(seconds: 1_000 - number))], at: 1)
    }
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    (settings.layout, settings.userData) = (.list, data)
    var scenario = Scenario(settings, width: 100, height: 24)
    scenario.answer(FeedPage(videos: sampleVideos(6)))
    scenario.type("2ggj N<Enter>")
    for second in 0..<6 where scenario.state.player.session.isUnderWay {
      let id = scenario.loads.last?.id
      for event in [PlayEvent.ready, .duration(seconds: 100), .time(seconds: 99.9), .ended(.reachedEnd)] {
        if let id { scenario.handle(.player(.event(id, event)), at: 2_000_000 + second * 1_000) }
      }
    }
    #expect(played(scenario) == [1, 2, 3])
    #expect(scenario.screen.contains("The last video of the list has ended"))
  }

  @Test func `a repeated queue begins again, although each video has left it`() {
    var scenario = list().typing("ajajagg2 LL<Enter>")
    for _ in 0..<7 { end(&scenario) }
    #expect(played(scenario) == [0, 1, 2, 0, 1, 2, 0, 1])
  }

  @Test func `an order by length that changes with each video repeats none`() {
    let videos = sampleVideos(4).map { video in
      var video = video
      video.duration = nil
      return video
    }
    var scenario = list(videos).typing(":where sort:shortest<Enter> N<Enter>")
    let first = scenario.state.shownVideos.compactMap { Int($0.title.prefix { $0.isNumber }) }
    for length in [90.0, 50, 70, 10] where scenario.state.player.session.isUnderWay {
      scenario.report(.ready, .duration(seconds: length), .time(seconds: length), .ended(.reachedEnd))
    }
    #expect(played(scenario) == first)
  }

  // MARK: - Cards

  @Test func `new cards are played at the end, and cards that are gone are skipped`() {
    var scenario = list().typing("jjj N<Enter>ggr")
    scenario.answer(FeedPage(videos: [sampleVideo(8)] + sampleVideos(6).filter { $0.id != "film-4" }))
    for _ in 0..<6 where scenario.state.player.session.isUnderWay { end(&scenario) }
    #expect(played(scenario) == [3, 5, 8])
  }

  @Test func `copies of a video in other sources are played once, in order and shuffled`() {
    for keys in [" N", " NS"] {
      var scenario = Scenario.of("a", "b", width: 120, height: 30)
      let videos = sampleVideos(4).map { video in
        var video = video
        video.id = "urn:\(video.id)"
        return video
      }
      for source in 0..<2 { scenario.answer(source, videos) }
      scenario.type("gg\(keys)<Enter>")
      for _ in 0..<9 where scenario.state.player.session.isUnderWay { end(&scenario) }
      #expect(played(scenario).count == 4 && Set(played(scenario)).count == 4)
    }
  }

  @Test func `shuffle does not repeat videos that were played in order before`() {
    var scenario = list().typing(" nn")
    scenario.type("S")
    for _ in 0..<3 { scenario.type("n") }
    #expect(Set(played(scenario)) == Set(0..<6) && played(scenario).count == 6)
  }

  @Test func `cards that wait for their places are played at the end`() {
    var scenario = Scenario.of("a", "b", width: 100, height: 24)
    func videos(_ numbers: [Int]) -> [Video] {
      numbers.map { number in
        var video = sampleVideo(number)
        video.published = UnixTime(seconds: 100_000 - number * 1_000)
        return video
      }
    }
    let shown = Array(stride(from: 0, to: 80, by: 2))
    scenario.answer(0, videos(shown))
    scenario.type("G N<Enter>")
    scenario.answer(1, videos([1, 3]))
    #expect(scenario.state.tabs.selected.query.lateCount == 2)
    for _ in 0..<4 where scenario.state.player.session.isUnderWay { end(&scenario) }
    #expect(played(scenario) == [78, 1, 3])
  }

  @Test(arguments: [true, false])
  func `a video whose tab is closed while its address is looked up is not awaited`(isFirst: Bool) {
    var scenario = list(sampleVideos(3)).typing(isFirst ? "" : " N<Enter>")
    scenario.type(":https://b.example/feed<Enter>")
    scenario.answer(FeedPage(videos: (10..<13).map(sampleVideoWithoutDetails)))
    scenario.type(" ")
    #expect(scenario.awaitedDetails != nil)
    scenario.type("q:close<Enter>")
    #expect(scenario.awaitedDetails == nil)
    if !isFirst { end(&scenario) }
    #expect(played(scenario) == (isFirst ? [] : [0, 1]))
    #expect(scenario.state.player.upcomingTitle == nil)
  }

  @Test func `after pages without new videos, the end of the list is not called its end`() {
    var scenario = list(sampleVideos(2), next: .page(2)).typing("j N<Enter>")
    end(&scenario)
    for page in 3..<9 where !scenario.unanswered.isEmpty { scenario.answer(FeedPage(videos: [], next: .page(page))) }
    #expect(scenario.state.library.sources[0].isPaused)
    #expect(scenario.status.contains("The last loaded video of the list has ended"))
  }

  @Test func `the next page is requested before the last loaded video ends`() {
    var scenario = Scenario.showing(sampleVideos(60), next: .page(1), layout: .list).typing("G<Enter> N")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 79))
    let before = scenario.awaitedPage
    scenario.report(.time(seconds: 81))
    #expect(scenario.awaitedPage == .page(1))
    #expect(before == nil)
    #expect(!scenario.status.contains("Loading more videos"))
    scenario.answer(FeedPage(videos: sampleVideos(2, from: 60)))
    #expect(scenario.loads.count == 1)
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.loads.last?.title.prefix(2) == "60")
  }

  @Test func `playback ends after the film when its tab is closed`() {
    var scenario = list().typing(":https://b.example/feed<Enter>")
    scenario.answer(FeedPage(videos: sampleVideos(3, from: 10)))
    scenario.type(" N<Enter>:close<Enter>")
    #expect(scenario.state.player.session.isUnderWay)
    end(&scenario)
    #expect(played(scenario) == [10])
  }

  @Test func `the next video comes from the tab in which playback was requested`() {
    var scenario = Scenario.of("a", "b", width: 110, height: 30)
    scenario.answer(0, sampleVideos(3).map { $0 })
    scenario.answer(1, (10..<14).map(sampleVideoWithoutDetails))
    scenario.type("gg N")
    let first = played(scenario)
    scenario.type("qq3ggj ")
    scenario.type("1")
    scenario.answerDetails(.success(sampleVideo(11)))
    #expect(played(scenario) == first + [11])
    end(&scenario)
    if scenario.awaitedDetails != nil { scenario.answerDetails(.success(sampleVideo(12))) }
    #expect(played(scenario).last == 12)
  }

  @Test func `a command typed for one video does not apply to the next one`() {
    var scenario = list().typing(" N:download")
    end(&scenario)
    scenario.type("<Enter>")
    let keys = scenario.effects.compactMap { effect in
      if case .download(let request) = effect { request.key } else { nil }
    }
    #expect(played(scenario) == [0, 1] && keys == [VideoKey(sampleVideo(0))])
  }

  // MARK: - The full window

  @Test func `autoplay keeps the full window, and its end leaves it`() {
    var scenario = Scenario.playing([sampleVideo(0), sampleVideoWithoutDetails(1), sampleVideo(2)]).typing("Nf")
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.state.isFullWindow && scenario.state.draw().video == nil)
    #expect(scenario.screen.contains("1 A walk through") && scenario.screen.contains("loading…"))
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(scenario.state.isFullWindow && played(scenario) == [0, 1])
    end(&scenario)
    #expect(scenario.state.isFullWindow && played(scenario) == [0, 1, 2])
    end(&scenario)
    #expect(!scenario.state.isFullWindow)
    #expect(scenario.screen.contains("The last video of the list has ended"))
  }

  @Test(arguments: ["n", "p"])
  func `n and p keep the full window while an address is looked up`(key: String) {
    var scenario = Scenario.showing((0..<3).map(sampleVideoWithoutDetails), width: 120, height: 40).typing("l ")
    scenario.answerDetails(.success(sampleVideo(1)))
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 50))
    scenario.type("f" + key)
    #expect(scenario.state.isFullWindow)
    scenario.answerDetails(.success(sampleVideo(key == "n" ? 2 : 0)))
    #expect(scenario.state.isFullWindow && played(scenario).count == 2)
  }

  @Test(arguments: ["", "N"])
  func `a film that ends while the next one is looked up skips none`(keys: String) {
    var scenario = Scenario.playing([sampleVideo(0), sampleVideoWithoutDetails(1), sampleVideo(2)]).typing(keys + "fn")
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.state.isFullWindow && scenario.screen.contains("loading…"))
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(played(scenario) == [0, 1] && scenario.state.isFullWindow)
  }

  @Test func `the full window ends if the address of the next video cannot be loaded, and space retries`() {
    var scenario = Scenario.playing([sampleVideo(0), sampleVideoWithoutDetails(1)]).typing("Nf")
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    scenario.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    #expect(!scenario.state.isFullWindow && scenario.screen.contains("the network is down"))
    scenario.type(" ")
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(played(scenario) == [0, 1])
  }

  @Test func `r retries the address of the next video beside other details`() {
    var scenario = Scenario.playing([sampleVideo(0), sampleVideoWithoutDetails(1)] + sampleVideos(3, from: 2))
    scenario.type("N<Enter>")
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    scenario.type("G<Enter>")
    scenario.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    #expect(scenario.screen.contains("the network is down"))
    scenario.type("qr")
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(played(scenario) == [0, 1])
  }

  @Test(arguments: [true, false])
  func `a video that is queued next follows the one whose address is retried`(isPlaying: Bool) {
    var scenario = Scenario.playing([sampleVideo(0), sampleVideoWithoutDetails(1)] + sampleVideos(4, from: 2))
    scenario.type(isPlaying ? "Nn<Esc>" : "N<Enter>")
    if !isPlaying { scenario.report(.time(seconds: 99.5), .ended(.reachedEnd)) }
    scenario.type("G")
    scenario.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    #expect(scenario.screen.contains("the network is down"))
    scenario.type("Ar")
    scenario.answerDetails(.success(sampleVideo(1)))
    end(&scenario)
    end(&scenario)
    #expect(played(scenario) == [0, 1, 5, 2])
  }

  @Test(arguments: ["", "N"]) func `a queued video that cannot be opened is named, and ends the playback`(keys: String)
  {
    for isPermanent in [true, false] {
      let videos = [sampleVideo(0), sampleVideoWithoutDetails(1), sampleVideo(2)]
      var scenario = Scenario.playing(videos).typing(keys + "<Enter>lA")
      scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
      scenario.answerDetails(.failure(FeedFailure(isPermanent ? .permanent : .temporary, "it is gone")))
      #expect(scenario.screen.contains("“1 ") && scenario.screen.contains("it is gone"))
      #expect(scenario.awaitedDetails == nil && played(scenario) == (isPermanent && keys == "N" ? [0, 2] : [0]))
    }
  }

  @Test func `autoplay skips videos that are gone from their server, three at most`() {
    let gone = FeedFailure(.permanent, "the server answered 404 Not Found")
    var scenario = Scenario.playing([sampleVideo(0)] + (1..<7).map(sampleVideoWithoutDetails)).typing("N<Enter>")
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    var count = 0
    while scenario.awaitedDetails != nil, count < 9 {
      scenario.answerDetails(.failure(gone))
      count += 1
    }
    #expect(count == 4)
    #expect(scenario.screen.contains("404 Not Found"))
  }

  @Test func `stop ends the wait for the next video`() {
    var scenario = Scenario.playing([sampleVideo(0), sampleVideoWithoutDetails(1)]).typing("Nf")
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    scenario.type("+ ")
    #expect(scenario.state.isFullWindow && scenario.loads.count == 1)
    scenario.handle(.remote(.stop))
    #expect(!scenario.state.isFullWindow)
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(scenario.loads.count == 1)
  }

  @Test func `the corner shows the cover while the next video is prepared`() {
    var scenario = Scenario.playing([sampleVideo(0), sampleVideoWithoutDetails(1)]).typing("NP")
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    // The message in front of it.
    scenario.endWaits()
    #expect(scenario.screen.contains("loading…"))
    #expect(scenario.screen.contains("p show player"))
    scenario.answerDetails(.success(sampleVideo(1)))
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)))
    #expect(scenario.state.draw().video != nil)
  }

  // MARK: - Any order

  @Test(arguments: 1...40)
  func `the list is played in order without repeats, whatever happens to its tab`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    let isQueue = chances.chance(1, in: 2)
    let videos = sampleVideos(8).map { video in
      chances.chance(1, in: 3) ? sampleVideoWithoutDetails(Int(video.id.dropFirst(5)) ?? 0) : video
    }
    var scenario = list(videos)
    if isQueue { scenario.type(String(repeating: "aj", count: 8) + "2") }
    let start = Int.random(in: 0..<4, using: &chances)
    scenario.type("gg" + String(repeating: "j", count: start) + " ")
    answerDetails(&scenario)
    scenario.type("N<Enter>")
    var expected = Array(start..<8)
    var newest = 8
    for _ in 0..<80 where scenario.state.player.isActive {
      disturb(&scenario, videos, &newest, &expected, isQueue: isQueue, &chances)
      answerDetails(&scenario)
      if chances.chance(1, in: 3) { end(&scenario) }
      answerDetails(&scenario)
    }
    for _ in 0..<80 where scenario.state.player.isActive {
      end(&scenario)
      answerDetails(&scenario)
    }
    #expect(played(scenario).prefix(8 - start) == expected.prefix(8 - start))
    #expect(Set(played(scenario)).count == played(scenario).count)
  }

  private func answerDetails(_ scenario: inout Scenario) {
    while let video = scenario.unansweredDetails.first?.video {
      scenario.answerDetails(at: 0, .success(sampleVideo(Int(video.id.dropFirst(5)) ?? 0)))
    }
  }

  private func disturb(
    _ scenario: inout Scenario, _ videos: [Video], _ newest: inout Int, _ expected: inout [Int], isQueue: Bool,
    _ chances: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<10, using: &chances) {
    case 0: scenario.type("1")
    case 1: scenario.type("2")
    case 2: scenario.type("S")
    case 3: scenario.type("fnothing<Enter>")
    case 4: scenario.type("<Esc><Esc>")
    case 5: scenario.type("p<Enter>")
    case 6: scenario.report(.ready, .duration(seconds: 100), .time(seconds: 95))
    case 7: merge([.flag(.starred, true)], of: videos[chances.chance(1, in: 2) ? 0 : 7], into: &scenario)
    case 8:
      scenario.type("1r")
      guard !scenario.unanswered.isEmpty else { return }
      scenario.answer(FeedPage(videos: [sampleVideo(newest)] + videos))
      newest += 1
    default: scenario.type("ggjj/film<Enter>")
    }
  }
}
