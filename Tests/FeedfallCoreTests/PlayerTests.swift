import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallCore

@Suite(.hangLimit) struct PlayerTests {
  /// The first video plays in the pane, at one minute.
  private func playing(width: Int = 120, height: Int = 40, _ videos: [Video] = sampleVideos(20)) -> Scenario {
    var scenario = Scenario.showing(videos, width: width, height: height).typing(" ")
    scenario.report(
      .ready, .pictureSize(Size(width: 640, height: 360)), .duration(seconds: 100), .time(seconds: 60))
    return scenario
  }

  @Test func `space opens the pane and sends the picture size before the video`() throws {
    let scenario = Scenario.showing(width: 120, height: 40).typing(" ")
    #expect(scenario.state.details != nil)
    let address = try #require(WebAddress("https://films.example/0.mp4"))
    let request = PlayRequest(id: PlayID(1), address: .web(address), title: "0 Elephants Dream")
    #expect(
      scenario.orders() == [
        .configure(PlayerConfiguration(presentation: .cells(Size(width: 45, height: 13), .whole))), .load(request),
      ])
  }

  @Test func `opening the pane loads nothing`() {
    #expect(Scenario.showing(width: 120, height: 40).typing("<Enter>").orders() == [])
  }

  @Test func `the first picture replaces the cover`() {
    var scenario = Scenario.showing(width: 120, height: 40).typing(" ")
    #expect(scenario.state.draw().video == nil)
    #expect(scenario.screen.contains("loading…"))
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)))
    let frame = Rect(x: 74, y: 0, width: 45, height: 13)
    #expect(scenario.state.draw().video?.parts == [frame])
    #expect(!scenario.screen.contains("loading…"))
    scenario.type("BB")
    #expect(scenario.state.draw().video?.brightness == 60)
  }

  @Test func `a video without a picture keeps its cover`() {
    var scenario = Scenario.showing(width: 120, height: 40).typing(" ")
    scenario.report(.ready, .pictureSize(nil), .time(seconds: 1))
    #expect(scenario.state.draw().video == nil)
  }

  @Test func `a small pane and a terminal with few colors play audio only`() {
    let narrow = Scenario.showing(width: 21, height: 20).typing(" ")
    #expect(narrow.orders().contains(.configure(PlayerConfiguration(presentation: .soundOnly))))
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.videoOutput = .none
    var scenario = Scenario(settings, width: 120, height: 40)
    scenario.answer(FeedPage(videos: sampleVideos(3)))
    scenario.type(" ")
    #expect(scenario.orders().contains(.configure(PlayerConfiguration(presentation: .soundOnly))))
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)))
    #expect(scenario.state.draw().video == nil)
    #expect(scenario.screen.contains("audio only"))
    func words() -> String { scenario.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(words().contains("256 colors. Check TERM"))
    let count = scenario.effects.count
    scenario.handle(.videoOutputChanged(.cells))
    #expect(
      scenario.orders(since: count) == [
        .configure(PlayerConfiguration(presentation: .cells(Size(width: 45, height: 13), .whole)))
      ])
    #expect(scenario.state.draw().video != nil && !words().contains("256 colors"))
  }

  @Test func `a terminal with pixels gets frames of its size, with subtitles in them`() {
    var scenario = Scenario.showing(width: 120, height: 40).typing(" ")
    let count = scenario.effects.count
    scenario.handle(.videoOutputChanged(.pixels))
    let frames = PlayerConfiguration(presentation: .pixels(Size(width: 360, height: 208), .whole))
    #expect(scenario.orders(since: count) == [.configure(frames)])
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)), .subtitle("spoken text"))
    #expect(scenario.state.draw().video?.frame == Rect(x: 74, y: 0, width: 45, height: 13))
    #expect(!scenario.screen.contains("spoken text"))
  }

  @Test func `without libmpv the terminal's pixels are not used, and a message says what to install`() {
    var scenario = Scenario.showing(width: 120, height: 40).typing(" ")
    scenario.handle(.videoOutputChanged(.pixels))
    let count = scenario.effects.count
    scenario.handle(.player(.libraryMissing))
    let cells = PlayerConfiguration(presentation: .cells(Size(width: 45, height: 13), .whole))
    #expect(scenario.orders(since: count) == [.configure(cells)])
    #expect(scenario.screen.contains("Install libmpv2"))
    var coarse = Scenario.showing(width: 120, height: 40).typing(" ")
    coarse.handle(.player(.libraryMissing))
    #expect(!coarse.screen.contains("libmpv2"))
  }

  @Test func `a picture without room is replaced by the reason, but not if the user chose audio only`() {
    var scenario = Scenario.showing(width: 120, height: 8).typing(" ")
    scenario.report(.ready)
    func words() -> String { scenario.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(words().contains("Could not show the picture"))
    scenario.type("a")
    #expect(!words().contains("Could not show the picture"))
  }

  @Test func `resizing the window sends the new size to the player`() {
    var scenario = playing()
    let count = scenario.effects.count
    scenario.handle(.screenChanged(Size(width: 140, height: 40), cellSize: Size(width: 8, height: 16)))
    #expect(
      scenario.orders(since: count) == [
        .configure(PlayerConfiguration(presentation: .cells(Size(width: 53, height: 15), .whole)))
      ])
  }

  @Test func `the player handles the pane's keys until playback stops`() {
    var scenario = playing()
    let count = scenario.effects.count
    scenario.type("<Right>5+ ")
    #expect(scenario.orders(since: count) == [.seek(to: 65), .pause])
    scenario.type("q")
    #expect(scenario.orders().last == .stop)
    #expect(scenario.state.details != nil)
    scenario.type("l")
    #expect(scenario.state.cards.selection == 1)
    scenario.type("q")
    #expect(scenario.state.details == nil)
  }

  @Test func `stopping saves the position, and playing resumes there`() {
    var scenario = playing().typing("q")
    #expect(
      scenario.effects.contains {
        if case .saveRecords(let all) = $0 { all["films.example film-0"] == 60 } else { false }
      })
    scenario.type(" ")
    #expect(scenario.loads.last?.startSeconds == 60)
  }

  // MARK: - Outside the pane

  @Test func `closing the pane continues playback, shown in one line`() {
    var scenario = playing().typing("<Enter>")
    #expect(scenario.state.details == nil)
    #expect(scenario.orders().last == .configure(PlayerConfiguration(presentation: .soundOnly)))
    #expect(scenario.screen.split(separator: "\n").dropLast().last?.contains("0 Elephants Dream 01:00/01:40") == true)
    scenario.type("jjp")
    #expect(scenario.state.cards.selection == 0)
    #expect(scenario.state.details != nil)
    #expect(
      scenario.orders().last
        == .configure(PlayerConfiguration(presentation: .cells(Size(width: 45, height: 13), .whole))))
    #expect(!scenario.screen.contains("p shows it"))
  }

  @Test func `space on the playing card pauses it`() {
    let scenario = playing().typing("<Enter> ")
    #expect(scenario.orders().last == .pause)
    #expect(scenario.state.details == nil)
    #expect(scenario.typing("j ").loads.last?.title != scenario.loads.last?.title)
  }

  @Test func `the pane of another video keeps its own keys during playback`() {
    var scenario = playing().typing("l")
    #expect(scenario.screen.contains("p shows it"))
    scenario.type("l")
    #expect(scenario.state.cards.selection == 2)
    #expect(scenario.state.player.session.playState == .playing)
  }

  @Test func `P toggles picture-in-picture`() {
    var scenario = playing().typing("P")
    #expect(scenario.state.details == nil)
    let size = Size(width: 48, height: 14)
    #expect(scenario.orders().last == .configure(PlayerConfiguration(presentation: .cells(size, .whole))))
    #expect(scenario.state.draw().video?.frame == Rect(x: 72, y: 24, width: 48, height: 14))
    scenario.type("P")
    #expect(scenario.state.draw().video == nil)
    #expect(scenario.orders().last == .configure(PlayerConfiguration(presentation: .soundOnly)))
  }

  @Test func `p and P report that nothing is playing`() {
    #expect(Scenario.showing().typing("p").status.contains("Nothing is playing"))
    #expect(Scenario.showing().typing("P").status.contains("Nothing is playing"))
  }

  @Test func `p returns to the tab of the playing video`() {
    var scenario = Scenario.of("one", "two", width: 120, height: 40)
    scenario.answer(0, sampleVideos(3))
    scenario.answer(1, sampleVideos(3, from: 10))
    scenario.type("2 ")
    scenario.report(.ready)
    scenario.type("<Enter>3")
    #expect(scenario.screen.contains("p shows it"))
    scenario.type("p")
    #expect(scenario.state.tabs.selection == 1)
    #expect(scenario.state.selectedVideo?.id == scenario.loads.last.map { _ in "film-0" })
  }

  @Test func `p stops a video whose card disappeared in a refresh`() {
    var scenario = playing().typing("<Enter>r")
    scenario.answer(FeedPage(videos: sampleVideos(3, from: 50)))
    #expect(scenario.screen.contains("p stops it"))
    scenario.type("p")
    #expect(scenario.orders().last == .stop)
    #expect(scenario.status.contains("Stopped “"))
    #expect(!scenario.screen.contains("p stops it"))
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

  // MARK: - Next and previous

  @Test func `n and p skip videos without an address`() {
    let nowhere = Video(id: "nowhere", title: "Nowhere", playback: .unknown)
    var scenario = playing([sampleVideo(0), nowhere, sampleVideo(2), nowhere]).typing("n")
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
    #expect(scenario.status.contains("Loading more videos…"))
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
    var scenario = Scenario.showing(sampleVideos(2), next: .page(1)).typing("l<Enter> n")
    scenario.fail(FeedFailure(.temporary, "the network is down"))
    scenario.type("n")
    #expect(scenario.awaitedPage == .page(1))
    scenario.fail(FeedFailure(.wait(seconds: 600), "too many requests"))
    scenario.type("n")
    #expect(scenario.awaitedPage == nil)
    #expect(scenario.status.contains("This is the last loaded video"))
  }

  @Test func `an awaited video whose address cannot be loaded is requested once`() {
    var scenario = Scenario.showing(sampleVideos(2), next: .page(1)).typing("l<Enter> n")
    scenario.answer(FeedPage(videos: [sampleVideoWithoutDetails(2)]))
    scenario.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    #expect(scenario.awaitedDetails == nil)
    #expect(scenario.status.contains("the network is down"))
    scenario.endWaits()
    #expect(scenario.awaitedDetails == nil)
    #expect(!scenario.status.contains("Looking up"))
  }

  /// A scenario of two sources in which the last video of the All tab plays, while the tab of another source is selected.
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

  @Test func `a canceled autoplay says that there is no next video`() {
    var scenario = playingInAll(daysOfOther: (40, 39))
    scenario.report(.ended(.reachedEnd))
    scenario.fail(0)
    #expect(scenario.loads.count == 1)
    #expect(scenario.status.contains("This is the last loaded video"))
  }

  @Test func `a duration that only the player knows is shown in the details`() {
    var video = sampleVideo(0)
    video.duration = nil
    var scenario = Scenario.showing([video], width: 120, height: 40).typing("<Enter> ")
    #expect(scenario.screen.contains("Duration  unknown"))
    scenario.report(.duration(seconds: 75.5))
    #expect(scenario.screen.contains("Duration  1:15"))
    #expect(scenario.state.library.store[scenario.state.cards.cards[0]].video.duration?.description == "1:15")
  }

  @Test func `n and p play the neighbors and stop at the ends`() {
    var scenario = playing(sampleVideos(3)).typing("nn")
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
    var scenario = playing().typing("N")
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

  @Test func `n requests the details of the next video if needed`() {
    var scenario = playing([sampleVideo(0), sampleVideoWithoutDetails(1)]).typing("n")
    #expect(scenario.loads.count == 1)
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(scenario.loads.last?.address.text == "https://films.example/1.mp4")
  }

  @Test func `a late answer does not replace the playing video`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0), sampleVideo(1)], width: 120, height: 40).typing(
      " l ")
    #expect(scenario.loads.map(\.title).map { $0.prefix(1) } == ["1"])
    scenario.answerDetails(.success(sampleVideo(0)))
    #expect(scenario.loads.count == 1)
    #expect(scenario.state.shownVideos[0].detailsURL == nil)
  }

  // MARK: - Full window

  @Test func `f fills the window, and the controls disappear`() {
    var scenario = playing().typing("f")
    let whole = Rect(x: 0, y: 0, width: 120, height: 40)
    #expect(scenario.orders().last == .configure(PlayerConfiguration(presentation: .cells(whole.size, .whole))))
    #expect(scenario.state.draw().video?.parts == [Rect(x: 0, y: 0, width: 120, height: 37)])
    #expect(scenario.effects.contains { if case .wait(.milliseconds(2_500), .controls) = $0 { true } else { false } })
    scenario.endWaits()
    #expect(scenario.state.draw().video?.parts == [whole])
    scenario.type("+")
    #expect(scenario.state.draw().video?.parts != [whole])
  }

  @Test func `a notice shows the controls and disappears with them`() {
    var scenario = playing().typing("f")
    scenario.endWaits()
    scenario.handle(.player(.screenshotSaved(path: "/films/a.png")))
    #expect(scenario.screen.contains("Saved the screenshot: /films/a.png"))
    scenario.endWaits()
    #expect(scenario.state.draw().video?.parts == [Rect(x: 0, y: 0, width: 120, height: 40)])
    #expect(!scenario.typing("+").screen.contains("Kept"))
  }

  @Test func `the full window shows buffering while the controls are hidden`() {
    var scenario = playing().typing("f")
    scenario.endWaits()
    scenario.report(.stalled(true))
    #expect(scenario.screen.contains("buffering"))
    scenario.report(.stalled(false))
    #expect(scenario.state.draw().video?.parts == [Rect(x: 0, y: 0, width: 120, height: 40)])
  }

  @Test(arguments: ["f", "q"])
  func `an alert hidden by the full window handles no keys`(key: String) {
    var scenario = playing().typing("<Enter>rpf")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    scenario.type(key)
    #expect(!scenario.state.player.isFullWindow)
    #expect(scenario.screen.contains("the connection was reset"))
  }

  @Test func `r retries while an alert is shown`() {
    var scenario = playing().typing("<Enter>rp")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    let count = scenario.effects.count
    scenario.type("r")
    #expect(scenario.awaitedPage != nil)
    #expect(scenario.orders(since: count) == [])
    scenario.answer(FeedPage(videos: sampleVideos(20)))
    scenario.type("r")
    #expect(scenario.orders().last == .seek(to: 0))
  }

  @Test func `a full-window cover does not enlarge the playing video`() {
    let scenario = playing().typing("lih")
    #expect(scenario.state.draw().video?.frame.size == Size(width: 45, height: 13))
  }

  @Test(arguments: ["f", "q", "<Esc>"])
  func `f, q and Esc leave the full window and playback continues`(key: String) {
    let scenario = playing().typing("f" + key)
    #expect(scenario.state.draw().video?.frame.size == Size(width: 45, height: 13))
    #expect(scenario.state.player.session.playState == .playing)
  }

  @Test(arguments: [PlayEvent.ended(.reachedEnd), .ended(.failed(.timedOut)), .ended(.closed)])
  func `the end of playback leaves the full window`(end: PlayEvent) {
    var scenario = playing().typing("f")
    scenario.report(.time(seconds: 99), end)
    #expect(!scenario.state.player.isFullWindow)
    #expect(scenario.state.draw().video == nil)
    #expect(scenario.status.contains("films.example"))
  }

  @Test func `a failure says what to do, and r retries at the same position`() {
    var scenario = playing()
    scenario.report(.ended(.failed(.http(status: 404))))
    #expect(scenario.screen.contains("Could not play"))
    #expect(scenario.screen.contains("404"))
    let screen = scenario.screen
    scenario.type("<Left>5")
    #expect(scenario.screen == screen)
    scenario.type("r")
    #expect(scenario.loads.last?.startSeconds == 60)
  }

  @Test func `without mpv the line says what to install`() {
    var scenario = Scenario.showing(width: 200, height: 40).typing(" ")
    scenario.handle(.player(.unavailable(.notInstalled)))
    #expect(scenario.screen.contains("mpv is not installed"))
    #expect(scenario.typing("qq").state.details == nil)
  }

  @Test func `a failure offers o only for a video with a page`() {
    var scenario = playing()
    scenario.report(.ended(.failed(.timedOut)))
    #expect(scenario.screen.contains("o to open"))
    scenario.type("l ")
    scenario.report(.ended(.failed(.timedOut)))
    #expect(scenario.screen.contains("Press r to retry"))
    #expect(!scenario.screen.contains("o to open"))
  }

  // MARK: - Mouse

  private func click(_ scenario: inout Scenario, _ x: Int, _ y: Int, _ kind: MouseEvent.Kind = .press) {
    scenario.handle(.input(.mouse(MouseEvent(kind, at: Point(x: x, y: y)))))
  }

  @Test func `a click on the picture pauses, the wheel changes volume and brightness`() {
    var scenario = playing()
    click(&scenario, 80, 5)
    #expect(scenario.orders().last == .pause)
    click(&scenario, 110, 5, .wheelDown)
    #expect(
      scenario.orders().last
        == .configure(PlayerConfiguration(volume: 95, presentation: .cells(Size(width: 45, height: 13), .whole))))
    click(&scenario, 76, 5, .wheelDown)
    #expect(scenario.state.player.session.settings.brightness == 45)
  }

  @Test func `dragging the progress bar seeks on release`() throws {
    var scenario = playing()
    let bar = try #require(scenario.state.panel.flatMap { scenario.state.playerView.barFrame(in: $0.bar) })
    let count = scenario.effects.count
    click(&scenario, bar.minX, bar.minY)
    click(&scenario, bar.maxX - 1, bar.minY + 3, .drag)
    #expect(scenario.screen.contains("01:40 ━"))
    #expect(scenario.orders(since: count) == [])
    click(&scenario, bar.minX - 30, bar.minY, .release)
    #expect(scenario.orders(since: count) == [.seek(to: 0)])
    click(&scenario, bar.minX + 5, bar.minY, .release)
    #expect(scenario.orders(since: count) == [.seek(to: 0)])
  }

  @Test func `leaving the player cancels a drag of the progress bar`() throws {
    var scenario = playing()
    let bar = try #require(scenario.state.panel.flatMap { scenario.state.playerView.barFrame(in: $0.bar) })
    click(&scenario, bar.minX, bar.minY)
    scenario.type("<Enter>p")
    #expect(scenario.screen.contains("01:00 ━"))
    let count = scenario.effects.count
    click(&scenario, bar.minX, bar.minY, .release)
    #expect(scenario.orders(since: count) == [])
  }

  @Test func `in the full window a click toggles the controls and a double click pauses`() {
    var scenario = playing().typing("f")
    click(&scenario, 10, 10)
    #expect(!scenario.state.player.controls.isShown)
    scenario.endWaits()
    click(&scenario, 10, 10)
    #expect(scenario.state.player.controls.isShown)
    click(&scenario, 10, 10)
    #expect(scenario.orders().last == .pause)
    #expect(scenario.state.player.controls.isShown)
  }

  @Test func `a click on the player line opens the player`() {
    var scenario = playing().typing("<Enter>")
    click(&scenario, 10, 38)
    #expect(scenario.state.showsPlayer)
  }
}
