import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import struct FeedfallApp.AppState

@Suite(.hangLimit) struct MovingTests {
  @Test func `moving right then left returns to the same card`() {
    let start = Scenario.showing(width: 120, height: 40).typing("jj")
    let back = start.typing("lh")
    #expect(back.state.cards.selection == start.state.cards.selection)
  }

  @Test func `moves to the sides keep the starting row`() {
    for steps in 0..<12 {
      let start = Scenario.showing(sampleVideos(60), width: 200, height: 60).typing(
        String(repeating: "j", count: steps))
      #expect(start.typing("llllhhhh").state.cards.selection == start.state.cards.selection)
    }
  }

  @Test(arguments: ["v", "V", "vv", "vvv"])
  func `switching layouts keeps the selected card selected and visible`(keys: String) {
    let before = Scenario.showing().typing("jjl")
    let after = before.typing(keys)
    let waterfall = after.state.cards
    #expect(waterfall.selection == before.state.cards.selection)
    #expect(waterfall.visibleCards.contains { $0 == waterfall.selection })
  }

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

  @Test func `the wheel scrolls and the selection stays visible`() {
    var scenario = Scenario.showing()
    for _ in 0..<8 { scenario.handle(.input(.mouse(MouseEvent(.wheelDown, at: Point(x: 3, y: 3))))) }
    let waterfall = scenario.state.cards
    #expect(waterfall.offset == 24)
    #expect(waterfall.visibleCards.contains { $0 == waterfall.selection })
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
  @Test func `three pulls and a pause refresh`() {
    var scenario = Scenario.showing().typing("kkk")
    #expect(scenario.awaitedPage == nil)
    scenario.endWaits()
    #expect(scenario.awaitedPage == .start)
  }

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

  @Test func `old cards stay until the new ones arrive`() {
    var scenario = Scenario.showing().typing("r")
    #expect(scenario.state.cards.cards.count == 20)
    scenario.answer(FeedPage(videos: sampleVideos(5, from: 100)))
    #expect(scenario.state.cards.cards.count == 5)
  }

  @Test func `an empty first page with a next page keeps the old cards until others arrive`() {
    var scenario = Scenario.showing().typing("r")
    scenario.answer(FeedPage(videos: [], next: .page(1)))
    #expect(scenario.state.cards.cards.count == 20)
    scenario.answer(FeedPage(videos: sampleVideos(3, from: 50)))
    #expect(scenario.state.cards.cards.count == 3)
  }

  @Test func `a refresh keeps the selected video selected`() {
    var scenario = Scenario.showing().typing("jjj")
    let id = scenario.state.selectedVideo?.id
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(3, from: 100) + sampleVideos(20)))
    #expect(scenario.state.selectedVideo?.id == id)
  }
}

@Suite(.hangLimit) struct LoadingMoreTests {
  @Test func `after a short page more is loaded until a screen is ahead`() {
    var scenario = Scenario.showing(sampleVideos(3), next: .page(1))
    scenario.endWaits()
    #expect(scenario.awaitedPage == .page(1))
  }

  @Test func `the items of the last page are shown`() {
    var scenario = Scenario.showing(sampleVideos(3), next: .page(1)).typing("m")
    scenario.answer(FeedPage(videos: sampleVideos(2, from: 3)))
    #expect(scenario.state.cards.cards.count == 5)
  }

  @Test func `a duplicate video is shown once`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("m")
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 10)))
    #expect(scenario.state.cards.cards.count == 30)
  }

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

  @Test func `a failure keeps all cards, and r retries the page`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("m")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    #expect(scenario.state.cards.cards.count == 20)
    scenario.type("r")
    #expect(scenario.awaitedPage == .page(1))
  }

  @Test func `after a failure is dismissed r refreshes`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("m")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    scenario.type("<Esc>r")
    #expect(scenario.awaitedPage == .start)
  }

  @Test func `an idle program starts no wait`() {
    var scenario = Scenario.showing()
    let before = scenario.effects.count
    scenario.endWaits()
    scenario.endWaits()
    #expect(scenario.effects.count == before)
  }
}

@Suite(.hangLimit) struct CommandTests {
  @Test func `y copies the playback address and Y the cover's`() {
    let scenario = Scenario.showing().typing("yY")
    let copied = scenario.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
    #expect(copied == ["https://films.example/0.mp4", "https://films.example/0.jpg"])
  }

  @Test func `o copies the page address if there is no browser`() {
    #expect(Scenario.showing().typing("o").effects.contains(.copy("https://films.example/watch/0")))
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

  @Test func `^C cancels an open prompt, the help or a failure, then quits`() {
    for keys in ["<C-c>", "?<C-c><C-c>", "/ab<C-c><C-c>", ":<C-c><C-c>", "<Enter><C-c>", " <C-c>"] {
      #expect(Scenario.showing().typing(keys).effects.last == .quit)
    }
  }

  @Test func `q closes the pane first`() {
    let pane = Scenario.showing().typing("<Enter>q")
    #expect(pane.state.details == nil)
    #expect(!pane.effects.contains(.quit))
    #expect(!pane.typing("q").effects.contains(.quit))
    #expect(pane.typing("qq").effects.contains(.quit))
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
