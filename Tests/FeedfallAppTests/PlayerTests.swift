import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct PlayerTests {
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
    settings.videoOutput = .none(.fewColors)
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

  @Test(arguments: [
    (VideoOutput.Obstacle.off, "No picture: --video-output is off."),
    (.unconfirmed(.sixel), "has not confirmed sixel graphics. Restart"),
  ])
  func `a video without a picture shows the reason`(obstacle: VideoOutput.Obstacle, words: String) {
    var scenario = Scenario.showing(width: 120, height: 40).typing(" ")
    scenario.handle(.videoOutputChanged(.none(obstacle)))
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)))
    #expect(scenario.orders().last == .configure(PlayerConfiguration(presentation: .soundOnly)))
    #expect(scenario.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words))
  }

  @Test func `the reason for a missing picture is below the cover's frame`() {
    var scenario = Scenario.showing(width: 80, height: 24).typing(" ")
    scenario.handle(.coverStyleChanged(.initials))
    scenario.handle(.videoOutputChanged(.none(.fewColors)))
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)))
    let rows = scenario.screen.split(separator: "\n").filter { $0.contains("256") || $0.contains("Check TERM") }
    #expect(!rows.isEmpty && rows.allSatisfy { !$0.contains("─") && !$0.contains("╰") })
  }

  @Test func `a failure in the full window shows its reason`() {
    var scenario = Scenario.playing()
    scenario.report(.ended(.failed(.timedOut)))
    scenario.type("f")
    #expect(scenario.state.isFullWindow)
    #expect(scenario.screen.contains("Could not play this video:"))
  }

  @Test func `a message in the full window is visible for four seconds, longer than the controls`() throws {
    var scenario = Scenario.playing().typing("f")
    let hiding = try #require(scenario.openWaits.lazy.filter { if case .controls = $0 { true } else { false } }.last)
    scenario.end(hiding)
    #expect(!scenario.screen.contains("Elephants Dream"))
    scenario.handle(.savingFailed("the disk is full"))
    #expect(scenario.screen.contains("the disk is full"))
    let toast = try #require(scenario.openWaits.lazy.filter { if case .toast = $0 { true } else { false } }.last)
    #expect(scenario.effects.contains(.wait(.seconds(4), toast)))
    scenario.type("m")
    scenario.handle(.savingFailed("the disk is full"))
    for wait in scenario.openWaits { if case .controls = wait { scenario.end(wait) } }
    #expect(scenario.screen.contains("the disk is full"))
    for wait in scenario.openWaits { if case .toast = wait { scenario.end(wait) } }
    #expect(!scenario.screen.contains("the disk is full") && !scenario.screen.contains("Elephants Dream"))
  }

  @Test func `a terminal that has lost the pixels gets cells and a message`() {
    var scenario = Scenario.showing(width: 120, height: 40).typing(" ")
    scenario.handle(.videoOutputChanged(.pixels))
    let count = scenario.effects.count
    scenario.handle(.videoOutputChanged(.cells))
    let cells = PlayerConfiguration(presentation: .cells(Size(width: 45, height: 13), .whole))
    #expect(scenario.orders(since: count).contains(.configure(cells)))
    #expect(scenario.screen.contains("Press ^L to retry"))
  }

  @Test(arguments: [
    (PlayerReport.LibraryFault.missing, "the picture: libmpv is not"),
    (.failing, "the picture: libmpv has"),
  ])
  func `without libmpv the sound plays, and the player shows the reason`(
    fault: PlayerReport.LibraryFault, words: String
  ) {
    for output in [VideoOutput.cells, .pixels] {
      var scenario = Scenario.showing(width: 120, height: 40).typing(" ")
      scenario.handle(.videoOutputChanged(output))
      let count = scenario.effects.count
      scenario.handle(.player(.libraryUnusable(fault)))
      #expect(scenario.orders(since: count) == [.configure(PlayerConfiguration(presentation: .soundOnly))])
      #expect(scenario.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words))
      scenario.type("w")
      #expect(!scenario.screen.contains("libmpv"))
    }
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
    var scenario = Scenario.playing()
    let count = scenario.effects.count
    scenario.handle(.screenChanged(Size(width: 140, height: 40), cellSize: Size(width: 8, height: 16)))
    #expect(
      scenario.orders(since: count) == [
        .configure(PlayerConfiguration(presentation: .cells(Size(width: 53, height: 15), .whole)))
      ])
  }

  @Test func `the player handles the pane's keys until playback stops`() {
    var scenario = Scenario.playing()
    let count = scenario.effects.count
    scenario.type("<Right>5+ ")
    #expect(scenario.orders(since: count) == [.seek(to: 65), .pause])
    scenario.type("lhq")
    #expect(scenario.orders().last == .stop)
    #expect(scenario.state.details != nil)
    scenario.type("l")
    #expect(scenario.state.cards.selection == 1)
    scenario.type("q")
    #expect(scenario.state.details == nil)
  }

  @Test func `stopping saves the position, and playing resumes there`() {
    var scenario = Scenario.playing().typing("q")
    #expect(
      scenario.effects.contains {
        if case .saveEvents(let events) = $0 { events.contains { $0.value == .position(60) } } else { false }
      })
    scenario.type(" ")
    #expect(scenario.loads.last?.startSeconds == 60)
  }

  // MARK: - Full window

  @Test func `f fills the window, and the controls disappear`() {
    var scenario = Scenario.playing().typing("f")
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
    var scenario = Scenario.playing().typing("f")
    scenario.endWaits()
    scenario.handle(.player(.screenshotSaved(path: "/films/a.png")))
    #expect(scenario.screen.contains("Saved the screenshot: /films/a.png"))
    scenario.endWaits()
    #expect(scenario.state.draw().video?.parts == [Rect(x: 0, y: 0, width: 120, height: 40)])
    #expect(!scenario.typing("+").screen.contains("Kept"))
  }

  @Test func `the full window shows buffering while the controls are hidden`() {
    var scenario = Scenario.playing().typing("f")
    scenario.endWaits()
    scenario.report(.stalled(true))
    #expect(scenario.screen.contains("buffering"))
    scenario.report(.stalled(false))
    #expect(scenario.state.draw().video?.parts == [Rect(x: 0, y: 0, width: 120, height: 40)])
  }

  @Test func `the player keeps its keys while its source has a failure`() {
    var scenario = Scenario.playing().typing("<Enter>rp")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    #expect(scenario.screen.contains("the connection was reset"))
    scenario.type("r")
    #expect(scenario.orders().last == .seek(to: 0))
    #expect(scenario.typing("<Enter>r").awaitedPage != nil)
  }

  @Test func `a full-window cover does not enlarge the playing video`() {
    let scenario = Scenario.playing().typing("lih")
    #expect(scenario.state.draw().video?.frame.size == Size(width: 45, height: 13))
  }

  @Test(arguments: ["f", "q", "<Esc>"])
  func `f, q and Esc leave the full window and playback continues`(key: String) {
    let scenario = Scenario.playing().typing("f" + key)
    #expect(scenario.state.draw().video?.frame.size == Size(width: 45, height: 13))
    #expect(scenario.state.player.session.playState == .playing)
  }

  @Test(arguments: [PlayEvent.ended(.reachedEnd), .ended(.failed(.timedOut)), .ended(.closed)])
  func `the end of playback leaves the full window`(end: PlayEvent) {
    var scenario = Scenario.playing().typing("f")
    scenario.report(.time(seconds: 99), end)
    #expect(!scenario.state.player.isFullWindow)
    #expect(scenario.state.draw().video == nil)
    #expect(scenario.status.contains("films.example"))
  }

  @Test func `a failure says what to do, and r retries at the same position`() {
    var scenario = Scenario.playing()
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
    #expect(scenario.screen.contains("libmpv is not installed"))
    #expect(scenario.typing("qq").state.details == nil)
  }

  @Test func `a failure offers o only for a video with a page`() {
    var scenario = Scenario.playing()
    scenario.report(.ended(.failed(.timedOut)))
    #expect(scenario.screen.contains("o for its page"))
    scenario.type("l ")
    scenario.report(.ended(.failed(.timedOut)))
    #expect(scenario.screen.contains("Press r to retry"))
    #expect(!scenario.screen.contains("o for its page"))
  }

  // MARK: - Mouse

  private func click(_ scenario: inout Scenario, _ x: Int, _ y: Int, _ kind: MouseEvent.Kind = .press) {
    scenario.handle(.input(.mouse(MouseEvent(kind, at: Point(x: x, y: y)))))
  }

  @Test func `a click on the picture pauses, the wheel changes volume and brightness`() {
    var scenario = Scenario.playing()
    click(&scenario, 80, 5)
    #expect(scenario.orders().last == .pause)
    click(&scenario, 110, 5, .wheelDown)
    #expect(
      scenario.orders().last
        == .configure(PlayerConfiguration(volume: 95, presentation: .cells(Size(width: 45, height: 13), .whole))))
    click(&scenario, 76, 5, .wheelDown)
    #expect(scenario.state.player.session.settings.brightness == 45)
  }

  @Test(arguments: [
    ("-", "volume ▇▇▇▇▇▇▇▇▇▇ 95 %"), ("b", "brightness ▇▇▇▇▇▁▁▁▁▁ 45 %"), ("m", "volume ▁▁▁▁▁▁▁▁▁▁ muted"),
    ("-----m--m", "volume ▇▇▇▇▇▇▇▁▁▁ 65 %"),
  ])
  func `a level is visible for two seconds after each change`(keys: String, words: String) {
    var scenario = Scenario.playing()
    #expect(!scenario.screen.contains("volume") && !scenario.screen.contains("brightness"))
    scenario.type(keys)
    #expect(scenario.screen.contains(words))
    #expect(scenario.effects.contains { if case .wait(.seconds(2), .level) = $0 { true } else { false } })
    #expect(scenario.openWaits.count { if case .level = $0 { true } else { false } } == 1)
    scenario.endWaits()
    #expect(!scenario.screen.contains("▇") && !scenario.screen.contains("▁"))
  }

  @Test func `the wheel in the full window shows the level without the controls`() {
    var scenario = Scenario.playing().typing("f")
    scenario.endWaits()
    click(&scenario, 110, 5, .wheelDown)
    #expect(scenario.screen.contains("volume ▇▇▇▇▇▇▇▇▇▇ 95 %"))
    #expect(!scenario.screen.contains("1:00"))
    scenario.endWaits()
    #expect(scenario.state.draw().video?.parts == [Rect(x: 0, y: 0, width: 120, height: 40)])
  }

  @Test func `a changed brightness stays in the controls`() {
    var scenario = Scenario.playing().typing("b")
    scenario.endWaits()
    #expect(scenario.screen.contains("brightness 45 %  in cells"))
    #expect(!scenario.typing("B").typing("j").screen.contains("brightness 50 %  in cells"))
  }

  @Test func `the wheel changes no level of a video that has failed`() {
    var scenario = Scenario.playing()
    scenario.report(.ended(.failed(.timedOut)))
    click(&scenario, 80, 5, .wheelDown)
    click(&scenario, 110, 5, .wheelUp)
    #expect(scenario.state.player.level == nil)
    #expect(scenario.state.player.session.settings == Scenario.playing().state.player.session.settings)
  }

  @Test func `a long title of a chapter is shortened, and the position gives way to it`() {
    var scenario = Scenario.playing(width: 80, height: 40)
    scenario.report(.chapters(chapters((0, "A chapter with a title that is longer than the pane"), (90, "End"))))
    #expect(scenario.screen.contains("A chapter") && scenario.screen.contains("…"))
  }

  @Test func `a file that needs ranges can be downloaded by a key`() {
    let words = Words(keys: .standard).playFailed(.notSeekable, hasPage: false)
    #expect(words.hasSuffix("downloaded completely before it can play. Press d to download it, r to retry."))
  }

  @Test func `the controls say in words where the picture is and how high`() {
    let scenario = Scenario.playing()
    #expect(scenario.screen.contains("in cells, 360p") && !scenario.screen.contains("1x"))
    #expect(scenario.typing("w").screen.contains("in a window, 360p"))
    #expect(scenario.typing("a]").screen.contains("1.25x  audio only"))
    #expect(scenario.typing("m").screen.contains("muted  in cells"))
  }

  @Test func `the loaded part of the progress bar differs from the rest`() throws {
    var scenario = Scenario.playing()
    scenario.report(.buffered(until: 80))
    let bar = try #require(scenario.state.panel.flatMap { scenario.state.playerView.barFrame(in: $0.bar) })
    let canvas = scenario.state.draw()
    let cells = (bar.minX..<bar.maxX).map { canvas[$0, bar.minY] }
    #expect(scenario.screen.contains("━●━") && scenario.screen.contains("━─") && scenario.screen.contains("── 1:40"))
    let knob = try #require(cells.firstIndex { $0.glyph == Glyph("●") })
    #expect(cells[0].style != cells[knob + 1].style)
    #expect(cells[0..<knob].count * 10 / cells.count == 5 || cells[0..<knob].count * 10 / cells.count == 6)
  }

  @Test func `dragging the progress bar seeks on release`() throws {
    var scenario = Scenario.playing()
    let bar = try #require(scenario.state.panel.flatMap { scenario.state.playerView.barFrame(in: $0.bar) })
    let count = scenario.effects.count
    click(&scenario, bar.minX, bar.minY)
    click(&scenario, bar.maxX - 1, bar.minY + 3, .drag)
    #expect(scenario.screen.contains("1:40 ━"))
    #expect(scenario.orders(since: count) == [])
    click(&scenario, bar.minX - 30, bar.minY, .release)
    #expect(scenario.orders(since: count) == [.seek(to: 0)])
    click(&scenario, bar.minX + 5, bar.minY, .release)
    #expect(scenario.orders(since: count) == [.seek(to: 0)])
  }

  @Test func `leaving the player cancels a drag of the progress bar`() throws {
    var scenario = Scenario.playing()
    let bar = try #require(scenario.state.panel.flatMap { scenario.state.playerView.barFrame(in: $0.bar) })
    click(&scenario, bar.minX, bar.minY)
    scenario.type("<Enter>p")
    #expect(scenario.screen.contains("1:00 ━"))
    let count = scenario.effects.count
    click(&scenario, bar.minX, bar.minY, .release)
    #expect(scenario.orders(since: count) == [])
  }

  @Test func `in the full window a click toggles the controls and a double click pauses`() {
    var scenario = Scenario.playing().typing("f")
    click(&scenario, 10, 10)
    #expect(!scenario.state.player.areControlsShown)
    scenario.endWaits()
    click(&scenario, 10, 10)
    #expect(scenario.state.player.areControlsShown)
    click(&scenario, 10, 10)
    #expect(scenario.orders().last == .pause)
    #expect(scenario.state.player.areControlsShown)
  }

  @Test func `another video cancels a drag of the progress bar`() throws {
    var scenario = Scenario.playing()
    let bar = try #require(scenario.state.panel.flatMap { scenario.state.playerView.barFrame(in: $0.bar) })
    click(&scenario, bar.minX, bar.minY)
    #expect(scenario.state.player.held == 0)
    scenario.type("n")
    #expect(scenario.loads.count == 2 && scenario.state.player.held == nil)
  }

  @Test func `rate and autoplay precede the presentation, and the number of the video is omitted first`() {
    let scenario = Scenario.playing().typing("]N")
    #expect(scenario.screen.contains("1.25x  autoplay  in cells, 360p"))
    #expect(!scenario.screen.contains("video 1 of 20"))
    #expect(Scenario.playing(width: 160).screen.contains("  video 1 of 20"))
  }
}
