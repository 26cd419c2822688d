import FeedfallFeeds
import FeedfallFilters
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct PlaybackDirectorTests {
  // MARK: - Outside the pane

  @Test func `closing the pane continues playback, shown in one line`() {
    var scenario = Scenario.playing().typing("<Enter>")
    #expect(scenario.state.details == nil)
    #expect(scenario.orders().last == .configure(PlayerConfiguration(presentation: .soundOnly)))
    let row = scenario.screen.split(separator: "\n").dropLast().last
    #expect(row?.hasPrefix("▶ 0 Elephants Dream ") == true && row?.contains(" 1:00 ━") == true)
    #expect(row?.hasSuffix("─ 1:40  p show player") == true)
    scenario.type("jjp")
    #expect(scenario.state.cards.selection == 0)
    #expect(scenario.state.details != nil)
    #expect(
      scenario.orders().last
        == .configure(PlayerConfiguration(presentation: .cells(Size(width: 45, height: 13), .whole))))
    #expect(!scenario.screen.contains("p show player"))
  }

  @Test func `space on the playing card pauses it`() {
    let scenario = Scenario.playing().typing("<Enter> ")
    #expect(scenario.orders().last == .pause)
    #expect(scenario.state.details == nil)
    #expect(scenario.typing("j ").loads.last?.title != scenario.loads.last?.title)
  }

  @Test func `the pane of another video keeps its own keys during playback`() {
    var scenario = Scenario.playing().typing("l")
    #expect(scenario.screen.contains("p show player"))
    scenario.type("l")
    #expect(scenario.state.cards.selection == 2)
    #expect(scenario.state.player.session.playState == .playing)
  }

  @Test func `P toggles picture-in-picture`() {
    var scenario = Scenario.playing().typing("P")
    #expect(scenario.state.details == nil)
    let size = Size(width: 48, height: 14)
    #expect(scenario.orders().last == .configure(PlayerConfiguration(presentation: .cells(size, .whole))))
    #expect(scenario.state.draw().video?.frame == Rect(x: 72, y: 24, width: 48, height: 14))
    scenario.type("P")
    #expect(scenario.state.draw().video == nil)
    #expect(scenario.orders().last == .configure(PlayerConfiguration(presentation: .soundOnly)))
  }

  @Test func `p and P report that nothing is playing`() {
    #expect(Scenario.showing().typing("p").screen.contains("Nothing is playing"))
    #expect(Scenario.showing().typing("P").screen.contains("Nothing is playing"))
  }

  @Test func `p returns to the tab of the playing video`() {
    var scenario = Scenario.of("one", "two", width: 120, height: 40)
    scenario.answer(0, sampleVideos(3))
    scenario.answer(1, sampleVideos(3, from: 10))
    scenario.type("2 ")
    scenario.report(.ready)
    scenario.type("<Enter>3")
    #expect(scenario.screen.contains("p show player"))
    scenario.type("p")
    #expect(scenario.state.tabs.selection == 1)
    #expect(scenario.state.selectedVideo?.id == scenario.loads.last.map { _ in "film-0" })
  }

  @Test func `p shows a video whose card disappeared in a refresh in the full window`() {
    var scenario = Scenario.playing().typing("<Enter>r")
    scenario.answer(FeedPage(videos: sampleVideos(3, from: 50)))
    scenario.type("p")
    #expect(scenario.state.isFullWindow && scenario.state.details == nil)
    #expect(scenario.typing(" ").orders().last == .pause)
    let stopped = scenario.typing("q")
    #expect(stopped.orders().last == .stop && !stopped.state.isFullWindow)
    #expect(!stopped.screen.contains("p show player"))
  }

  @Test func `p finds the tab of a video that started after the tab was left`() {
    var scenario = Scenario.of("one", "two", width: 120, height: 40)
    scenario.answer(0, sampleVideos(3))
    scenario.answer(1, [sampleVideoWithoutDetails(10)])
    scenario.type("2 ")
    scenario.report(.ready)
    scenario.type("<Enter>3 ")
    let requested = scenario.awaitedDetails
    scenario.handle(.input(.mouse(MouseEvent(.wheelUp, at: Point(x: 20, y: 0)))))
    #expect(scenario.state.tabs.selection == 1)
    #expect(scenario.awaitedDetails == requested)
    scenario.answerDetails(.success(sampleVideo(10)))
    #expect(scenario.loads.last?.title.hasPrefix("10") == true)
    scenario.type("qp")
    #expect(scenario.state.tabs.selection == 2)
    #expect(scenario.state.showsPlayer)
  }

  /// The first of the unwatched videos plays outside the pane and has left the tab.
  private func playingExcluded(by key: String) -> Scenario {
    var scenario = Scenario.showing(sampleVideos(5), width: 120, height: 40).typing("funwatched<Enter>l N<Enter>")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 20))
    return scenario.typing(key)
  }

  @Test(arguments: ["x", "X"])
  func `autoplay continues after a video that a filter has excluded`(key: String) {
    var scenario = playingExcluded(by: key)
    #expect(scenario.state.shownVideos.count == 4)
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.loads.map { $0.title.prefix(1) } == ["1", "2"])
  }

  @Test func `a video that a filter has excluded has neighbors`() {
    let scenario = playingExcluded(by: "x")
    let neighbors = scenario.state.playback.neighbors(in: scenario.state.browsing)
    #expect(neighbors.previous && neighbors.next)
  }

  @Test func `a video that plays from a tab that was never shown has neighbors`() throws {
    var settings = AppSettings(sources: ["a", "b"].map { SourceSettings(name: $0, isLocal: true) })
    settings.views = try ["oldest", "title"].map { ViewSettings(name: $0, query: try FilterQuery("sort:\($0)")) }
    settings.startsWithView = true
    var scenario = Scenario(settings, width: 120, height: 40)
    scenario.answer(0, (0..<3).map { sampleVideoWithoutDetails($0) })
    scenario.answer(1, (10..<13).map { sampleVideoWithoutDetails($0) })
    scenario.type("l")
    let card = try #require(scenario.state.browsing.selectedCard)
    let number = try #require(card.video.title.split(separator: " ").first.flatMap { Int($0) })
    let view = scenario.state.tabs.selection
    scenario.type(" ")
    scenario.handle(.input(.mouse(MouseEvent(.wheelDown, at: Point(x: 20, y: 0)))))
    scenario.answerDetails(.success(sampleVideo(number)))
    #expect(scenario.loads.count == 1 && scenario.state.tabs.selection == view + 1)
    let neighbors = scenario.state.playback.neighbors(in: scenario.state.browsing)
    #expect(neighbors.previous || neighbors.next)
  }

  @Test(arguments: ["x", "X"])
  func `p shows a video that a filter has excluded in the full window`(key: String) {
    let scenario = playingExcluded(by: key).typing("p")
    #expect(scenario.state.isFullWindow)
    #expect(scenario.typing("f").screen.contains("p show player"))
    #expect(scenario.typing("<Enter>").state.player.session.isUnderWay)
    #expect(scenario.typing("q").orders().last == .stop)
  }

  @Test func `commands in the full window apply to the video that plays there`() throws {
    let scenario = playingExcluded(by: "x").typing("p")
    let playing = try #require(scenario.state.playback.key)
    #expect(scenario.state.selectedCard?.key != playing)
    let starred = scenario.typing("*").state.library.store.userData
    #expect(starred[playing].has(.starred))
    #expect(
      scenario.typing(":download<Enter>").effects.contains { effect in
        if case .download(let request) = effect { request.key == playing } else { false }
      })
    let selection = scenario.state.cards.selection
    #expect(scenario.typing("X").state.cards.selection == selection)
    #expect(!scenario.typing("<Tab>").state.isFullWindow)
  }

  @Test func `p shows a video that a filter has excluded in the tab of its source`() {
    var scenario = Scenario.of("one", "two", width: 120, height: 40)
    scenario.answer(0, sampleVideos(3))
    scenario.answer(1, sampleVideos(3, from: 10))
    scenario.type("funwatched<Enter> ")
    scenario.report(.ready)
    let title = scenario.loads.last?.title
    scenario.type("<Enter>xp")
    #expect(scenario.state.tabs.selection != 0)
    #expect(scenario.state.selectedVideo?.title == title)
    #expect(scenario.state.showsPlayer)
  }

  @Test func `a video whose details are open leaves a filter once they are closed`() {
    let opened = Scenario.showing(sampleVideos(5), width: 120, height: 40).typing("funwatched<Enter>l<Enter>x")
    #expect(opened.state.selectedVideo?.title.hasPrefix("1 ") == true)
    #expect(opened.state.shownVideos.count == 5)
    let closed = opened.typing("q")
    #expect(closed.state.details == nil)
    #expect(closed.state.shownVideos.count == 4)
    #expect(closed.state.selectedVideo?.title.hasPrefix("2 ") == true)
  }

  // MARK: - Next and previous

  @Test func `n and p skip videos without an address`() {
    let nowhere = Video(id: "nowhere", title: "Nowhere", playback: .unknown)
    var scenario = Scenario.playing([sampleVideo(0), nowhere, sampleVideo(2), nowhere]).typing("n")
    #expect(scenario.loads.map(\.title).map { $0.prefix(1) } == ["0", "2"])
    #expect(scenario.state.cards.selection == 2)
    scenario.type("n")
    #expect(scenario.loads.count == 2)
    scenario.type("p")
    #expect(scenario.loads.last?.title.prefix(1) == "0")
  }

  @Test(arguments: [false, true])
  func `n on the last loaded video loads the next page and plays its first video`(isAutoplay: Bool) {
    var scenario = Scenario.showing(sampleVideos(2), next: .page(1)).typing("l<Enter> ")
    if isAutoplay {
      scenario.type("N")
      scenario.report(.ready, .duration(seconds: 100), .time(seconds: 99.9), .ended(.reachedEnd))
    } else {
      scenario.type("n")
    }
    #expect(scenario.awaitedPage == .page(1))
    #expect(scenario.screen.contains("Loading more videos…"))
    scenario.answer(FeedPage(videos: sampleVideos(2, from: 2)))
    #expect(scenario.loads.last?.title.prefix(1) == "2")
    #expect(scenario.state.cards.selection == 2)
  }

  @Test func `a video that is awaited is not played after another command, nor after a failure`() {
    var stopped = Scenario.showing(sampleVideos(2), next: .page(1)).typing("l<Enter> nq")
    let loads = stopped.loads.count
    stopped.answer(FeedPage(videos: sampleVideos(2, from: 2)))
    #expect(stopped.loads.count == loads)
    var failed = Scenario.showing(sampleVideos(2), next: .page(1)).typing("l<Enter> n")
    failed.fail(FeedFailure(.temporary, "the network is down"))
    failed.type("<Enter>m")
    failed.answer(FeedPage(videos: sampleVideos(2, from: 2)))
    #expect(failed.loads.count == loads)
  }

  @Test func `n on the last loaded video retries a failed page, unless its server asked to wait`() {
    var scenario = Scenario.showing(sampleVideos(2), next: .page(1), width: 120).typing("l<Enter> n")
    scenario.fail(FeedFailure(.temporary, "the network is down"))
    scenario.type("n")
    #expect(scenario.awaitedPage == .page(1))
    scenario.fail(FeedFailure(.wait(seconds: 600), "too many requests"))
    scenario.type("n")
    #expect(scenario.awaitedPage == nil)
    #expect(scenario.status.contains("Could not load the next video: too many requests. Press n to retry after 10 min"))
  }

  @Test func `an awaited video whose address cannot be loaded is requested once`() {
    var scenario = Scenario.showing(sampleVideos(2), next: .page(1)).typing("l<Enter> n")
    scenario.answer(FeedPage(videos: [sampleVideoWithoutDetails(2)]))
    scenario.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    #expect(scenario.awaitedDetails == nil)
    #expect(scenario.screen.contains("Could not load the playback address"))
    scenario.endWaits()
    #expect(scenario.awaitedDetails == nil)
    #expect(!scenario.status.contains("Looking up"))
  }

  /// A scenario of two sources in which the last video of the All tab plays, while the tab of another source is
  /// selected.
  private func playingInAll(daysOfOther days: (Int, Int)) -> Scenario {
    func dated(_ number: Int, day: Int) -> Video {
      var video = sampleVideo(number)
      video.published = UnixTime(seconds: day * 86_400)
      return video
    }
    var scenario = Scenario.of("alpha.example", "beta.example", width: 120, height: 40)
    scenario.answer(0, [dated(0, day: 30), dated(1, day: 29)], next: .page(1))
    scenario.answer(1, [dated(10, day: days.0), dated(11, day: days.1)])
    scenario.type("G N<Enter>2")
    scenario.report(.ready, .duration(seconds: 10), .time(seconds: 10))
    return scenario
  }

  @Test func `autoplay continues in the All tab while another tab is selected`() {
    var scenario = playingInAll(daysOfOther: (28, 26))
    #expect(scenario.loads.map(\.title).map { $0.prefix(2) } == ["1 "])
    scenario.report(.ended(.reachedEnd))
    #expect(scenario.unanswered.contains { $0.source == 0 && $0.cursor == .page(1) })
    var older = sampleVideo(2)
    older.published = UnixTime(seconds: 27 * 86_400)
    scenario.answer(0, [older], next: .page(2))
    #expect(scenario.loads.last?.title.hasPrefix("10 ") == true)
  }

  @Test func `autoplay continues with a page that waits for others`() {
    let sources = (0..<60).map { SourceSettings(name: "s\($0)", isLocal: false) }
    var scenario = Scenario(AppSettings(sources: sources), width: 120, height: 40)
    scenario.answer(0, sampleVideos(1_000))
    scenario.type("G N<Enter>gg")
    scenario.report(.ready, .duration(seconds: 10), .time(seconds: 10))
    scenario.answer(1, sampleVideos(1, from: 1_000))
    #expect(ids(scenario).count == 1_000)
    scenario.report(.ended(.reachedEnd))
    #expect(scenario.loads.last?.title.hasPrefix("1000 ") == true)
  }

  @Test func `a canceled autoplay says that there is no next video`() {
    var scenario = playingInAll(daysOfOther: (40, 39))
    scenario.report(.ended(.reachedEnd))
    scenario.fail(0)
    #expect(scenario.loads.count == 1)
    #expect(scenario.status.contains("Could not load the next video: the network is down."))
  }

  @Test func `a duration that only the player knows is shown in the details`() {
    var video = sampleVideo(0)
    video.duration = nil
    var scenario = Scenario.showing([video], width: 120, height: 40).typing("<Enter> ")
    #expect(scenario.screen.contains("Channel 0 · length unknown"))
    scenario.report(.duration(seconds: 75.5))
    #expect(scenario.screen.contains("Channel 0 · 1:15"))
    #expect(scenario.state.library.store[scenario.state.cards.cards[0]].video.duration?.description == "1:15")
  }

  @Test func `only a stated length becomes a card's, and a longer one replaces it unless the feed states one`() {
    var video = sampleVideo(0)
    video.duration = nil
    var scenario = Scenario.showing([video], width: 120, height: 40).typing("<Enter> ")
    func length(_ scenario: Scenario) -> String? {
      scenario.state.library.store[scenario.state.cards.cards[0]].video.duration?.description
    }
    scenario.report(.ready, .length(.growing(1)), .time(seconds: 1), .length(.growing(9)), .time(seconds: 9))
    #expect(length(scenario) == nil && scenario.screen.contains("--:--"))
    scenario.report(.length(.stated(25)))
    #expect(length(scenario) == "0:25")
    scenario.report(.length(.growing(30)), .length(.stated(120)))
    #expect(length(scenario) == "2:00")
    scenario.report(.length(.stated(60)))
    #expect(length(scenario) == "2:00")
    var listed = Scenario.showing([sampleVideo(0)], width: 120, height: 40).typing("<Enter> ")
    let stated = length(listed)
    listed.report(.ready, .length(.stated(5_000)))
    #expect(stated != nil && length(listed) == stated)
  }

  @Test func `n and p play the neighbors and stop at the ends`() {
    var scenario = Scenario.playing(sampleVideos(3)).typing("nn")
    #expect(scenario.loads.map(\.title).map { $0.prefix(1) } == ["0", "1", "2"])
    #expect(scenario.state.cards.selection == 2)
    scenario.type("n")
    #expect(scenario.loads.count == 3)
    #expect(scenario.status.contains("This is the last video"))
    scenario.type("ppp")
    #expect(scenario.loads.map(\.title).map { $0.prefix(1) } == ["0", "1", "2", "1", "0"])
    #expect(scenario.status.contains("the first video"))
  }

  @Test func `autoplay plays the next video, in the pane or behind the cards`() {
    var scenario = Scenario.playing().typing("N")
    #expect(scenario.status.contains("Autoplay on"))
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.loads.count == 2)
    #expect(scenario.state.cards.selection == 1)
    scenario.report(.ready, .duration(seconds: 10), .time(seconds: 10))
    scenario.type("<Enter>G")
    let selection = scenario.state.cards.selection
    scenario.report(.ended(.reachedEnd))
    #expect(scenario.loads.last?.title.hasPrefix("2") == true)
    #expect(scenario.state.cards.selection == selection)
  }

  @Test func `a repeated list continues with its first video, and with the last one backward`() {
    let scenario = Scenario.playing(sampleVideos(3)).typing("LLnnn")
    #expect(played(scenario) == [0, 1, 2, 0])
    #expect(played(scenario.typing("p")) == [0, 1, 2, 0, 2])
    var ended = Scenario.playing([sampleVideo(0)]).typing("LL")
    ended.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(played(ended) == [0, 0])
  }

  @Test func `a repeated list loads its other pages first`() {
    var scenario = Scenario.showing(sampleVideos(2), next: .page(1)).typing("l<Enter> LLn")
    #expect(scenario.awaitedPage == .page(1))
    scenario.answer(FeedPage(videos: sampleVideos(1, from: 2)))
    #expect(played(scenario.typing("n")) == [1, 2, 0])
  }

  @Test func `shuffle plays each video once, p goes back, and a new page is shuffled in`() {
    var scenario = Scenario.showing(sampleVideos(6), next: .page(1), width: 120, height: 40).typing(" Snnnnn")
    let first = played(scenario)
    #expect(first.count == 6 && Set(first) == Set(0..<6) && first != Array(0..<6))
    #expect(played(scenario.typing("ppn")).suffix(3) == [first[4], first[3], first[4]])
    scenario.type("n")
    #expect(scenario.awaitedPage == .page(1))
    scenario.answer(FeedPage(videos: sampleVideos(3, from: 6)))
    scenario.type("nn")
    #expect(Set(played(scenario)) == Set(0..<9) && played(scenario).count == 9)
    scenario.type("n")
    #expect(scenario.status.contains("This is the last video"))
    #expect(played(scenario.typing("LLnn")).count == 11)
  }

  /// The first video plays with autoplay, and the second one has no address yet.
  private func playingBeforeDetails(_ keys: String = "N") -> Scenario {
    var scenario = Scenario.playing([sampleVideo(0), sampleVideoWithoutDetails(1), sampleVideo(2)]).typing(keys)
    scenario.report(.time(seconds: 79))
    return scenario
  }

  @Test func `the address of the next video is requested 20 s before it plays`() {
    var scenario = playingBeforeDetails()
    #expect(scenario.awaitedDetails == nil)
    scenario.report(.time(seconds: 80), .time(seconds: 80.1))
    let count = scenario.effects.count
    #expect(scenario.awaitedDetails != nil)
    #expect(scenario.loads.count == 1)
    scenario.answerDetails(.success(sampleVideo(1)))
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.loads.last?.address.text == "https://films.example/1.mp4")
    let hasRequest = scenario.effects[count...].contains { if case .requestDetails = $0 { true } else { false } }
    #expect(!hasRequest)
  }

  @Test func `a failed preparation is repeated every 5 s`() {
    var scenario = playingBeforeDetails()
    for second in [80.0, 85.0] {
      scenario.report(.time(seconds: second))
      scenario.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    }
    scenario.report(.time(seconds: 89.9))
    #expect(scenario.awaitedDetails == nil)
    scenario.report(.time(seconds: 90))
    scenario.answerDetails(.success(sampleVideo(1)))
    scenario.report(.time(seconds: 95))
    #expect(scenario.awaitedDetails == nil)
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.loads.last?.address.text == "https://films.example/1.mp4")
  }

  @Test func `after the next page, the address of its first video is requested too`() {
    var scenario = Scenario.showing(sampleVideos(2), next: .page(1)).typing("l<Enter> N")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 81))
    scenario.answer(FeedPage(videos: [sampleVideoWithoutDetails(2)]))
    scenario.report(.time(seconds: 85.9))
    #expect(scenario.awaitedDetails == nil)
    scenario.report(.time(seconds: 86))
    #expect(scenario.awaitedDetails != nil && scenario.loads.count == 1)
  }

  @Test func `a failed preparation is silent, and requested again when the video plays`() {
    var scenario = playingBeforeDetails()
    scenario.report(.time(seconds: 80))
    scenario.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    #expect(!scenario.screen.contains("the network is down"))
    scenario.report(.time(seconds: 81))
    #expect(scenario.awaitedDetails == nil)
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.awaitedDetails != nil)
  }

  @Test(arguments: ["", "NL", "Nt"])
  func `nothing is prepared if no other video follows`(keys: String) {
    var scenario = playingBeforeDetails(keys)
    if keys.contains("t") { scenario.type("t") }
    scenario.report(.time(seconds: 90))
    #expect(scenario.awaitedDetails == nil)
  }

  @Test func `the shuffled next video is the one prepared`() {
    let videos = (0..<9).map { $0 == 0 ? sampleVideo($0) : sampleVideoWithoutDetails($0) }
    var scenario = Scenario.playing(videos).typing("NS")
    scenario.report(.time(seconds: 90))
    let prepared = scenario.effects.compactMap { effect in
      if case .requestDetails(_, let video, _) = effect { video.id } else { nil }
    }
    #expect(prepared.count == 1)
    scenario.answerDetails(.success(sampleVideo(Int(prepared.last?.dropFirst(5) ?? "") ?? 0)))
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.loads.count == 2)
  }

  @Test func `a late answer does not replace the playing video`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0), sampleVideo(1)], width: 120, height: 40).typing(
      " l ")
    #expect(scenario.loads.map(\.title).map { $0.prefix(1) } == ["1"])
    scenario.answerDetails(.success(sampleVideo(0)))
    #expect(scenario.loads.count == 1)
    #expect(scenario.state.shownVideos[0].detailsURL == nil)
  }
}
