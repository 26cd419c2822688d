import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct PreviewDirectorTests {
  private func scenario(
    _ policy: PreviewSettings.Policy = .always, output: VideoOutput = .pixels, layout: LayoutKind = .grid,
    _ videos: [Video] = sampleVideos(20)
  ) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layout = layout
    settings.previews.policy = policy
    settings.previews.byteLimit = 1_000
    settings.videoOutput = output
    var scenario = Scenario(settings, width: 120, height: 40)
    scenario.answer(FeedPage(videos: videos, next: nil))
    return scenario
  }

  /// A program that previews its first video.
  private func previewing(_ policy: PreviewSettings.Policy = .always, layout: LayoutKind = .grid) -> Scenario {
    var scenario = scenario(policy, layout: layout)
    scenario.endPreviewWait()
    scenario.report(.duration(seconds: 100), .pictureSize(Size(width: 640, height: 360)), .ready, .time(seconds: 7))
    return scenario
  }

  @Test func `the selected video plays muted in its cover after 800 ms`() throws {
    var scenario = scenario()
    let wait = try #require(scenario.previewWait)
    #expect(scenario.effects.contains(.wait(.milliseconds(800), wait)))
    #expect(scenario.orders() == [])
    scenario.end(wait)
    let place = try #require(scenario.state.preview.place)
    let frames = Presentation.pixels(
      Size(width: place.cover.width * 8, height: place.cover.height * 16), .filling)
    let address = try #require(WebAddress("https://films.example/0.mp4"))
    var request = PlayRequest(id: PlayID(1), address: .web(address), title: "0 Elephants Dream")
    (request.maximumHeight, request.byteLimit) = (240, 1_000)
    #expect(
      scenario.orders() == [
        .configure(PlayerConfiguration(isMuted: true, presentation: frames)), .load(request),
      ])
    #expect(scenario.state.draw().video == nil)
    scenario.report(.pictureSize(Size(width: 640, height: 360)), .ready)
    #expect(scenario.state.draw().video?.frame == place.cover)
  }

  @Test(arguments: [LayoutKind.waterfall, .carousel])
  func `other layouts show the preview in the cover`(layout: LayoutKind) throws {
    let scenario = previewing(layout: layout)
    #expect(scenario.state.draw().video?.frame == (try #require(scenario.state.preview.place)).cover)
  }

  @Test func `a list has no previews`() {
    #expect(scenario(layout: .list).previewWait == nil)
  }

  @Test(arguments: ["l", "j", "G", "<Enter>", "?", "/", "v"])
  func `moving on and other screens stop the preview`(key: String) {
    var scenario = previewing()
    #expect(scenario.state.draw().video != nil)
    let count = scenario.effects.count
    scenario.type(key)
    #expect(scenario.orders(since: count) == [.stop])
    #expect(scenario.state.draw().video == nil)
  }

  @Test func `nothing is requested while the user moves`() {
    var scenario = scenario()
    for _ in 0..<50 { scenario.type("lh") }
    #expect(scenario.orders() == [])
    #expect(scenario.openWaits.count { if case .preview = $0 { true } else { false } } == 1)
  }

  @Test func `an event that moves nothing keeps the preview`() {
    var scenario = previewing()
    let count = scenario.effects.count
    scenario.handle(.clockRead(UnixTime(seconds: 5)))
    scenario.type("P")
    #expect(scenario.orders(since: count) == [] && scenario.previewWait == nil)
    #expect(scenario.state.draw().video != nil)
  }

  @Test func `playing continues the preview with sound and without another load`() {
    var scenario = previewing()
    let count = scenario.effects.count
    scenario.type(" ")
    let orders = scenario.orders(since: count)
    #expect(orders.count == 2 && orders.last == .liftLimit)
    #expect(
      orders.first == .configure(PlayerConfiguration(presentation: .pixels(Size(width: 360, height: 208), .whole))))
    #expect(scenario.state.player.session.shownTime == 7 && scenario.state.showsPlayer)
    scenario.report(.time(seconds: 50))
    #expect(scenario.effects.contains { if case .saveEvents = $0 { true } else { false } })
  }

  @Test func `a queued video's preview plays on in the queue`() {
    var scenario = scenario().typing("ala2")
    scenario.endPreviewWait()
    scenario.report(.duration(seconds: 100), .pictureSize(Size(width: 640, height: 360)), .ready, .time(seconds: 7))
    let count = scenario.effects.count
    scenario.type(" ")
    #expect(scenario.orders(since: count).last == .liftLimit)
    scenario.report(.time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.loads.last?.address.text == "https://films.example/1.mp4")
  }

  @Test func `a downloaded video's preview is that of its file, and plays on`() throws {
    let file = DownloadedFile(
      address: try #require(FileAddress(path: "/videos/0.mp4".utf8)), byteCount: 1, time: UnixTime(seconds: 5))
    var scenario = scenario([sampleVideoWithoutDetails(0)])
    scenario.handle(.downloadChanged(VideoKey(sampleVideoWithoutDetails(0)), .done(file)))
    scenario.endPreviewWait()
    #expect(scenario.loads.map(\.address) == [.file(file.address)])
    scenario.report(.duration(seconds: 100), .pictureSize(Size(width: 640, height: 360)), .ready, .time(seconds: 7))
    let count = scenario.effects.count
    scenario.type(" ")
    #expect(scenario.orders(since: count).last == .liftLimit && scenario.loads.count == 1)
  }

  @Test func `a preview without a picture is replaced by the video`() {
    var scenario = scenario()
    scenario.endPreviewWait()
    scenario.type(" ")
    #expect(scenario.orders().suffix(3).first == .stop)
    #expect(scenario.loads.map(\.byteLimit) == [1_000, nil])
    #expect(scenario.loads.map(\.id) == [PlayID(1), PlayID(2)])
  }

  @Test func `a preview is neither the playing video nor stored`() {
    var scenario = previewing()
    for second in 8..<30 { scenario.report(.time(seconds: Double(second))) }
    #expect(scenario.orders().last == .stop)
    #expect(!scenario.state.player.isActive)
    #expect(!scenario.effects.contains { if case .saveEvents = $0 { true } else { false } })
    #expect(scenario.state.draw().video == nil && scenario.previewWait == nil)
  }

  @Test func `a failed preview is silent`() {
    var scenario = scenario()
    let before = scenario.screen
    scenario.endPreviewWait()
    scenario.report(.ended(.failed(.unreachable)))
    #expect(scenario.screen == before)
    #expect(!scenario.state.player.isActive && scenario.previewWait == nil)
  }

  @Test func `while a video plays there are no previews`() {
    var scenario = scenario().typing(" ")
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)))
    scenario.type("<Enter>l")
    #expect(scenario.previewWait == nil)
    scenario.handle(.player(.unavailable(.crashed)))
    #expect(scenario.previewWait == nil)
  }

  @Test func `previews need pixels, and by default shared memory`() {
    #expect(scenario(output: .cells).previewWait == nil)
    #expect(scenario(output: .encodedPixels).previewWait != nil)
    #expect(scenario(.ifCheap, output: .encodedPixels).previewWait == nil)
    #expect(scenario(.off).previewWait == nil)
    var lost = previewing()
    lost.handle(.videoOutputChanged(.cells))
    #expect(lost.orders().last == .stop)
  }

  @Test(arguments: [true, false]) func `by default a nearly empty battery prevents previews`(isLow: Bool) throws {
    var scenario = scenario(.ifCheap)
    scenario.endPreviewWait()
    #expect(scenario.loads.isEmpty)
    let ticket = try #require(
      scenario.effects.lazy.compactMap { if case .readPower(let ticket) = $0 { ticket } else { nil } }.last)
    scenario.handle(.powerRead(ticket, isLow: isLow))
    #expect(scenario.loads.isEmpty == isLow)
  }

  @Test func `a video whose address is unknown has no preview`() {
    #expect(scenario([sampleVideoWithoutDetails(0)]).previewWait == nil)
  }

  @Test func `a window that is too small for cards has no previews`() throws {
    var scenario = scenario()
    scenario.handle(.screenChanged(Size(width: 120, height: 5), cellSize: Size(width: 8, height: 16)))
    #expect(scenario.state.preview.place == nil && scenario.previewWait == nil)
    scenario.handle(.screenChanged(Size(width: 120, height: 40), cellSize: Size(width: 8, height: 16)))
    #expect(scenario.previewWait != nil)
  }

  @Test func `a player that fails in two previews is not started for a third`() {
    var scenario = scenario()
    for _ in 0..<2 {
      scenario.endPreviewWait()
      #expect(scenario.state.preview.place != nil)
      scenario.handle(.player(.unavailable(.crashed)))
      scenario.type("l")
    }
    #expect(scenario.loads.count == 2 && scenario.previewWait == nil)
    scenario.type(" ")
    #expect(scenario.loads.count == 3)
  }

  @Test func `a player that fails after the user has left two previews is not started for a third`() {
    var scenario = scenario()
    for _ in 0..<2 {
      scenario.endPreviewWait()
      scenario.type("l")
      scenario.handle(.player(.unavailable(.notResponding)))
    }
    scenario.type("l")
    #expect(scenario.loads.count == 2 && scenario.state.preview.place == nil)
  }

  @Test func `a full shared memory is reported once`() {
    var scenario = previewing()
    scenario.handle(.videoOutputChanged(.encodedPixels))
    #expect(scenario.screen.contains("Could not pass pixels in shared memory"))
    scenario.type("l")
    #expect(!scenario.screen.contains("Could not pass pixels in shared memory"))
  }

  private func scenario(_ videos: [Video]) -> Scenario { scenario(.always, output: .pixels, layout: .grid, videos) }

  @Test func `without libmpv there are no further previews, and the next video shows what to install`() {
    var scenario = scenario()
    scenario.endPreviewWait()
    let before = scenario.screen
    scenario.handle(.player(.libraryUnusable(.missing)))
    #expect(scenario.orders().last == .stop && scenario.screen == before)
    scenario.type("l")
    #expect(scenario.previewWait == nil)
    scenario.type(" ")
    #expect(scenario.screen.contains("libmpv"))
  }

  @Test func `after a fault in a preview, a stopped video that plays again receives its reports`() {
    var scenario = previewingAfterStop()
    scenario.handle(.player(.libraryUnusable(.failing)))
    let count = scenario.effects.count
    scenario.handle(.remote(.play))
    #expect(scenario.loads.count == 3)
    #expect(scenario.orders(since: count).contains { if case .configure = $0 { true } else { false } })
    scenario.handle(.player(.event(PlayID(3), .ready)))
    #expect(scenario.state.player.session.loadState.isReady)
  }

  @Test(arguments: [RemoteCommand.play, .togglePause])
  func `a stopped video that plays again ends the preview first`(command: RemoteCommand) {
    var scenario = previewingAfterStop()
    let count = scenario.effects.count
    scenario.handle(.remote(command))
    let orders = scenario.orders(since: count)
    #expect(orders.first == .stop && orders.count { $0 == .stop } == 1)
    #expect(scenario.loads.map(\.id) == [PlayID(1), PlayID(2), PlayID(3)])
    #expect(scenario.state.player.isActive)
    #expect(orders.contains { if case .configure(let new) = $0 { !new.isMuted } else { false } })
  }

  /// A program that played a video, which was stopped, and previews the next one.
  private func previewingAfterStop() -> Scenario {
    var scenario = scenario().typing(" ")
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)))
    scenario.handle(.remote(.stop))
    scenario.type("<Esc>l")
    scenario.endPreviewWait()
    scenario.handle(.player(.event(PlayID(2), .ready)))
    return scenario
  }

  @Test func `suspending stops the preview`() {
    var scenario = previewing()
    scenario.handle(.suspending)
    #expect(scenario.orders().last == .stop)
    scenario.handle(.continued)
    #expect(scenario.previewWait == nil)
  }
}

extension Scenario {
  fileprivate var previewWait: Wait? { openWaits.last { if case .preview = $0 { true } else { false } } }

  fileprivate mutating func endPreviewWait() {
    if let previewWait { end(previewWait) }
  }
}
