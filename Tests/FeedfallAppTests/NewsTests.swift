import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct NewsTests {
  /// Two loaded pages, the selection at the end of the second, and a pending refresh.
  private func scrolledDown(_ layout: LayoutKind = .waterfall) -> Scenario {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1), layout: layout).typing("m")
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 20), next: .page(2)))
    scenario.type("Gr")
    return scenario
  }

  private func news(_ count: Int) -> [Video] {
    (0..<count).map { number in
      var video = sampleVideo(1000 + number)
      video.id = "news \(number)"
      return video
    }
  }

  /// The lines of the screen without the status line, the position and the footer, whose texts change.
  private func visibleLines(_ scenario: Scenario) -> [String] {
    scenario.screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
      .filter { !$0.contains("load") && !$0.contains("Load") && !$0.contains(" of ") }
  }

  @Test(arguments: LayoutKind.allCases)
  func `new videos appear above, are reported, and do not move the view`(layout: LayoutKind) {
    var scenario = scrolledDown(layout)
    let before = visibleLines(scenario)
    let selected = scenario.state.selectedVideo
    scenario.answer(FeedPage(videos: news(7) + sampleVideos(13), next: .page(1)))
    #expect(visibleLines(scenario) == before)
    #expect(scenario.state.selectedVideo == selected)
    #expect(scenario.status.contains("7 new"))
    #expect(scenario.state.cards.cards.count == 47)
    scenario.type("gg")
    #expect(scenario.state.selectedVideo?.id == "news 0")
  }

  @Test(arguments: [true, false]) func `a download that a refresh of its folder finds is no news`(isCopy: Bool) throws {
    let address = try #require(FileAddress(path: "/videos/New.mp4".utf8))
    var video = Video(id: address.text, title: "New", playback: .direct([MediaFile(url: .file(address))]))
    video.byteCount = 7
    for keys in ["", "3"] {
      var scenario = Scenario.of("a", "folder", width: 120)
      scenario.answer(0, sampleVideos(3, from: 50))
      scenario.answer(1, sampleVideos(3))
      scenario.type(keys)
      if isCopy {
        let file = DownloadedFile(address: address, byteCount: 7, time: UnixTime(seconds: 5))
        scenario.handle(.downloadChanged(VideoKey(text: "films.example 1"), .done(file)))
      }
      scenario.type("r")
      if keys.isEmpty { scenario.answer(0, sampleVideos(3, from: 50)) }
      scenario.answer(1, sampleVideos(3) + [video])
      #expect(scenario.status.contains("1 new") != isCopy, "\(scenario.status)")
      #expect(scenario.screen.contains("●") != isCopy)
      scenario.type("fnew<Enter>")
      #expect(scenario.state.shownVideos.contains { $0.title == "New" } != isCopy)
    }
  }

  @Test func `the status line shows the notice of a page`() {
    var scenario = scrolledDown()
    var page = FeedPage(videos: sampleVideos(20), next: .page(1))
    page.notice = "no cache folder"
    scenario.answer(page)
    #expect(scenario.status.contains("No cache folder"))
  }

  @Test func `groups keep their headers`() {
    var older = sampleVideos(30)
    for index in older.indices { older[index].group = "Thursday" }
    var newer = news(3)
    for index in newer.indices { newer[index].group = "Friday" }
    var scenario = Scenario.showing(older).typing("Gr")
    scenario.answer(FeedPage(videos: newer + older.prefix(5)))
    #expect(scenario.state.cards.layout.engine.sectionCount == 2)
    #expect(visibleLines(scenario)[0].contains("Thursday"))
    scenario.type("gg")
    #expect(visibleLines(scenario)[0].contains("Friday"))
    #expect((0..<33).allSatisfy { scenario.state.cards.layout.frame(of: $0).height > 0 })
  }

  @Test func `switching layouts and sizes afterwards shows all cards in their order`() {
    var scenario = scrolledDown()
    scenario.answer(FeedPage(videos: news(7) + sampleVideos(13), next: .page(1)))
    scenario.handle(.screenChanged(Size(width: 120, height: 40), cellSize: Size(width: 8, height: 16)))
    scenario.type("v")
    #expect(scenario.state.cards.layout.engine.sectionCount == 1)
    #expect(scenario.state.shownVideos.prefix(8).map(\.id) == news(7).map(\.id) + [sampleVideo(0).id])
    #expect(scenario.state.cards.visibleCards.contains { $0 == scenario.state.cards.selection })
  }

  @Test(arguments: LayoutKind.allCases)
  func `a refresh keeps the video shown in the pane`(layout: LayoutKind) {
    var scenario = Scenario.showing(sampleVideos(20), width: 120, layout: layout)
    scenario.type(layout == .list ? "j<Enter>r" : "l<Enter>r")
    scenario.answer(FeedPage(videos: news(60) + sampleVideos(20)))
    #expect(scenario.state.selectedVideo?.id == sampleVideo(1).id)
    #expect(scenario.state.cards.selection.map(scenario.state.cards.visibleCards.contains) == true)
  }

  @Test func `a view at the top stays at the top when its first card disappears`() {
    var scenario = Scenario.showing(sampleVideos(20)).typing("r")
    scenario.answer(FeedPage(videos: news(2) + sampleVideos(18, from: 1)))
    #expect(scenario.state.cards.cards.count == 20)
    #expect(scenario.state.cards.isAtTop)
    #expect(scenario.screen.contains(news(1)[0].title))
  }

  @Test(arguments: [[Int](), [0, 1], [19], [3, 7, 11]])
  func `a refresh at the top keeps the loaded pages`(gone: [Int]) {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1), total: 100).typing("m")
    scenario.answer(FeedPage(videos: sampleVideos(40, from: 20), next: .page(2)))
    scenario.type("r")
    let first = news(2) + sampleVideos(18).filter { video in !gone.contains { sampleVideo($0).id == video.id } }
    scenario.answer(FeedPage(videos: first, next: .page(1)))
    #expect(scenario.state.shownVideos.count == 62)
    #expect(scenario.state.shownVideos.prefix(first.count).map(\.id) == first.map(\.id))
    #expect(scenario.state.cards.isAtTop)
    #expect(scenario.status.contains("2 new"))
    scenario.type("m")
    #expect(scenario.awaitedPage == .page(2))
  }

  @Test func `a refreshed page updates the videos that it repeats`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("r")
    var page = sampleVideos(20)
    page[3].title = "A changed title"
    scenario.answer(FeedPage(videos: page, next: .page(1)))
    #expect(scenario.screen.contains("A changed title"))
  }

  @Test func `a web feed is refreshed once a second at most`() {
    var scenario = Scenario.of("a", isLocal: false)
    scenario.answer(0, sampleVideos(20), next: .page(1))
    scenario.type("r")
    scenario.answer(0, sampleVideos(20), next: .page(1))
    scenario.type("rrr")
    #expect(scenario.unanswered.isEmpty)
    #expect(scenario.status.contains("Refreshed just now"))
    scenario.endWaits()
    scenario.type("r")
    #expect(scenario.unanswered.count == 1)
  }

  @Test func `a message disappears after a few seconds`() {
    var scenario = Scenario.showing().typing("v")
    #expect(scenario.status.contains("Layout: grid"))
    scenario.endWaits()
    #expect(!scenario.status.contains("Layout: grid"))
    #expect(scenario.status.contains("films.example"))
  }

  @Test func `a newer message outlives the wait of the older one`() {
    var scenario = Scenario.showing().typing("v")
    let old = scenario.openWaits
    scenario.type("v")
    for wait in old { scenario.handle(.waitElapsed(wait)) }
    #expect(scenario.status.contains("Layout: list"))
  }

  @Test func `a refresh without new videos says so`() {
    var scenario = Scenario.showing(sampleVideos(20)).typing("r")
    scenario.answer(FeedPage(videos: sampleVideos(20)))
    #expect(scenario.status.contains("Nothing new"))
  }

  @Test func `a page without common videos replaces all cards`() {
    var scenario = scrolledDown()
    scenario.answer(FeedPage(videos: news(5)))
    #expect(scenario.state.cards.cards.count == 5)
    #expect(scenario.state.cards.selection == 0)
  }
}
