import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import struct FeedfallApp.AppState

@Suite(.hangLimit) struct MovingTests {
  @Test func `resizing keeps the selected card on its row`() {
    var scenario = Scenario.showing(sampleVideos(200)).typing("jjjjjj")
    func row() -> Int? {
      let waterfall = scenario.state.cards
      return waterfall.selection.map { waterfall.frame(of: $0).minY - waterfall.offset }
    }
    let before = row()
    for width in [60, 120, 200, 33, 80] {
      scenario.handle(.screenChanged(Size(width: width, height: 24), cellSize: Size(width: 8, height: 16)))
      let waterfall = scenario.state.cards
      #expect(waterfall.visibleCards.contains { $0 == waterfall.selection })
    }
    #expect(row() == before)
  }

  @Test func `loading more does not move the existing cards`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("jjm")
    let frames = (0..<20).map(scenario.state.cards.frame(of:))
    let offset = scenario.state.cards.offset
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 20)))
    #expect((0..<20).map(scenario.state.cards.frame(of:)) == frames)
    #expect(scenario.state.cards.offset == offset)
    #expect(scenario.state.cards.cards.count == 40)
  }

  @Test func `the first click selects and the second opens`() {
    var scenario = Scenario.showing(width: 120, height: 40)
    let frame = scenario.state.cards.frame(of: 2)
    let click = InputEvent.mouse(MouseEvent(.press, at: Point(x: frame.minX + 2, y: frame.minY + 1)))
    scenario.handle(.input(click))
    #expect(scenario.state.cards.selection == 2)
    #expect(scenario.state.details == nil)
    scenario.handle(.input(click))
    #expect(scenario.state.details != nil)
  }
}

@Suite(.hangLimit) struct EndTests {
  @Test func `G stays at the last card while a local feed is loaded, until the next key`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("G")
    scenario.endWaits()
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 20), next: .page(2)))
    #expect(scenario.state.cards.selection == 39)
    scenario.endWaits()
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 40), next: .page(3)))
    #expect(scenario.state.cards.selection == 59)
    scenario.type("k")
    let selection = scenario.state.cards.selection
    scenario.endWaits()
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 60), next: .page(4)))
    #expect(scenario.state.cards.selection == selection)
  }

  @Test func `G in the feed of a server selects the last loaded card`() {
    var scenario = Scenario(AppSettings(sources: [SourceSettings(name: "films.example", isLocal: false)]))
    scenario.answer(FeedPage(videos: sampleVideos(20), next: .page(1)))
    scenario.type("G")
    scenario.endWaits()
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 20)))
    #expect(scenario.state.cards.selection == 19)
  }
}

@Suite(.hangLimit) struct PullTests {
  @Test func `two pulls and a pause do not refresh`() {
    var scenario = Scenario.showing().typing("kk")
    scenario.endWaits()
    #expect(scenario.awaitedPage == nil)
    #expect(scenario.state.cards.headerRows == 0)
  }

  @Test func `another key cancels a pull`() {
    var scenario = Scenario.showing().typing("kkkj")
    scenario.endWaits()
    #expect(scenario.awaitedPage == nil)
  }

  @Test func `pulls during a refresh send no request`() {
    var scenario = Scenario.showing().typing("r")
    let before = scenario.effects.count
    scenario.type("kkk")
    #expect(scenario.effects.count == before)
  }

  @Test func `an empty first page with a next page keeps the old cards until others arrive`() {
    var scenario = Scenario.showing().typing("r")
    scenario.answer(FeedPage(videos: [], next: .page(1)))
    #expect(scenario.state.cards.cards.count == 20)
    scenario.answer(FeedPage(videos: sampleVideos(3, from: 50)))
    #expect(scenario.state.cards.cards.count == 3)
  }
}

@Suite(.hangLimit) struct LoadingMoreTests {
  @Test func `a page with an old ticket changes nothing`() throws {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("m")
    let late = try #require(scenario.awaitedTicket)
    scenario.type("r")
    let before = scenario.state.draw().text
    scenario.handle(
      .pageArrived(
        late, FeedPage(videos: sampleVideos(20, from: 20), total: 99, skippedCount: 5, title: "Late"),
        at: UnixTime(seconds: 0)
      ))
    scenario.handle(.pageFailed(late, FeedFailure(.temporary, "late")))
    #expect(scenario.state.cards.cards.count == 20)
    #expect(scenario.state.draw().text == before)
    #expect(scenario.awaitedPage == .start)
  }

  @Test func `after a failure is dismissed r refreshes`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("m")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    scenario.type("<Esc>r")
    #expect(scenario.awaitedPage == .start)
  }
}

@Suite(.hangLimit) struct CommandTests {
  @Test func `y copies the playback address and Y the cover's`() {
    let scenario = Scenario.showing().typing("yY")
    let copied = scenario.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
    #expect(copied == ["https://films.example/0.mp4", "https://films.example/0.jpg"])
  }

  @Test(arguments: [("y", "https://films.example/0.mp4"), ("o", "https://films.example/watch/0")])
  func `without a clipboard y and o show the address`(key: String, address: String) {
    let scenario = Scenario.showing(width: 120, hasClipboard: false).typing(key)
    #expect(!scenario.effects.contains(.copy(address)))
    #expect(scenario.status.contains(address))
    #expect(!scenario.status.lowercased().contains("copied"))
    // The terminal's answer was late, or its session is attached elsewhere.
    var changed = scenario
    changed.handle(.clipboardChanged(true))
    #expect(changed.typing(key).effects.contains(.copy(address)))
  }

  @Test func `o opens the page in the browser`() throws {
    let page = try #require(WebAddress("https://films.example/watch/0"))
    #expect(Scenario.showing(hasBrowser: true).typing("o").effects.contains(.openInBrowser(page)))
  }

  @Test func `typing a search selects a match, and Esc returns to the start`() {
    let typed = Scenario.showing().typing("/spri")
    #expect(typed.state.cards.selection == 6)
    #expect(typed.typing("<Esc>").state.cards.selection == 0)
    let accepted = typed.typing("<Enter>n")
    #expect(accepted.state.cards.selection == 13)
    #expect(accepted.typing("N").state.cards.selection == 6)
  }
}

@Suite(.hangLimit) struct SmallWindowTests {
  /// The second column ends far above the first.
  private var uneven: [Video] {
    var tall = sampleVideo(0)
    tall.pictureSize = PixelSize(width: 100, height: 240)
    return [tall, sampleVideo(1)]
  }

  @Test(arguments: ["G", "lj"])
  func `the last card stays visible in a short column`(keys: String) {
    let waterfall = Scenario.showing(uneven, width: 60, height: 8).typing(keys).state.cards
    #expect(waterfall.selection == 1)
    #expect(waterfall.visibleCards.contains(1))
  }
}
