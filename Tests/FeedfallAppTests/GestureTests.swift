import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import struct FeedfallApp.AppState

@Suite(.hangLimit) struct GestureTests {
  private func wheel(_ kind: MouseEvent.Kind, _ scenario: inout Scenario) {
    scenario.handle(.input(.mouse(MouseEvent(kind, at: Point(x: 3, y: 3)))))
  }

  @Test func `the wheel pulls at the top, and down releases before it scrolls`() {
    var scenario = Scenario.showing()
    wheel(.wheelUp, &scenario)
    wheel(.wheelUp, &scenario)
    #expect(scenario.state.cards.headerRows == 2)
    wheel(.wheelDown, &scenario)
    #expect(scenario.state.cards.headerRows == 0)
    #expect(scenario.state.cards.offset == 0)
    wheel(.wheelDown, &scenario)
    #expect(scenario.state.cards.offset == 3)
  }

  private func click(_ scenario: inout Scenario, _ x: Int, _ y: Int) {
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: x, y: y)))))
  }

  /// The cell of the first occurrence of a text on the screen.
  private func cell(of text: String, in scenario: Scenario) throws -> Point {
    let lines = scenario.screen.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains(text) })
    let start = try #require(lines[row].firstRange(of: text)).lowerBound
    return Point(x: TextWidths().width(of: String(lines[row][..<start])), y: row)
  }

  @Test(arguments: [(80, 24), (120, 40)])
  func `a click on the cover in the details plays the video`(size: (Int, Int)) throws {
    var scenario = Scenario.showing(width: size.0, height: size.1).typing("<Enter>")
    let mark = try cell(of: "▶", in: scenario)
    click(&scenario, mark.x, mark.y)
    #expect(scenario.loads.map(\.title) == ["0 Elephants Dream"])
  }

  @Test func `a click on the full-window cover plays the video`() throws {
    var scenario = Scenario.showing(width: 120, height: 40).typing("<Enter>i")
    let mark = try cell(of: "▶", in: scenario)
    click(&scenario, mark.x, mark.y)
    #expect(scenario.loads.map(\.title) == ["0 Elephants Dream"])
    #expect(scenario.state.showsPlayer)
  }

  @Test(arguments: [LayoutKind.waterfall, .grid, .list, .carousel])
  func `a click on the footer loads more`(layout: LayoutKind) throws {
    var scenario = Scenario.showing(
      sampleVideos(40), next: .page(1), width: 120, layout: layout, columns: .count(1)
    ).typing("G")
    let footer = try cell(of: "in a moment", in: scenario)
    click(&scenario, footer.x, footer.y)
    #expect(scenario.awaitedPage == .page(1))
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    scenario.type("<Esc>")
    let failed = try cell(of: "Loading failed", in: scenario)
    click(&scenario, failed.x, failed.y)
    #expect(scenario.awaitedPage == .page(1))
  }

  @Test func `a click on the header of a first load that failed retries`() throws {
    var scenario = Scenario()
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    scenario.type("<Esc>")
    let failed = try cell(of: "Loading failed", in: scenario)
    click(&scenario, failed.x, failed.y)
    #expect(scenario.awaitedPage == .start)
  }

  @Test func `a click on a pulled header refreshes once`() {
    var scenario = Scenario.showing()
    for _ in 0..<3 { wheel(.wheelUp, &scenario) }
    click(&scenario, 3, 1)
    #expect(scenario.awaitedPage == .start)
    #expect(!scenario.state.cards.pull.isPulling)
  }

  @Test(arguments: [80, 30])
  func `a click on a key of a failure retries or dismisses it`(width: Int) throws {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1), width: width).typing("jGm")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    let selection = scenario.state.cards.selection
    var retried = scenario
    let retry = try cell(of: "r retry", in: scenario)
    click(&retried, retry.x, retry.y)
    #expect(retried.awaitedPage == .page(1))
    #expect(retried.state.failure == nil)
    let dismissal = try cell(of: "Esc dismiss", in: scenario)
    click(&scenario, dismissal.x, dismissal.y)
    #expect(scenario.state.failure == nil)
    #expect(scenario.awaitedPage == nil)
    #expect(scenario.state.cards.selection == selection && scenario.state.details == nil)
  }

  @Test(arguments: [
    (30, "just now"), (90, "1 min ago"), (300, "5 min ago"), (10_800, "3 h ago"), (864_000, "10 days ago"),
  ])
  func `the pulled header shows the time since the last update`(seconds: Int, words: String) {
    var scenario = Scenario.showing().typing("k")
    #expect(scenario.effects.contains(.readClock))
    scenario.handle(.clockRead(UnixTime(seconds: seconds)))
    #expect(scenario.screen.contains("↓ Pull to refresh · updated \(words)"))
    let count = scenario.effects.count
    scenario.type("kk")
    #expect(scenario.screen.contains("↑ Stop pulling to refresh · updated \(words)"))
    #expect(!scenario.effects.dropFirst(count).contains(.readClock))
  }

  @Test(arguments: [Int.min, -5, Int.max])
  func `an impossible time is no age`(seconds: Int) {
    var scenario = Scenario.showing().typing("k")
    scenario.handle(.clockRead(UnixTime(seconds: seconds)))
    #expect(scenario.screen.contains("↓ Pull to refresh"))
  }

  @Test func `further pulls do not grow the header, and each restarts the pause`() {
    var scenario = Scenario.showing().typing("kkk")
    let early = scenario.openWaits.filter(\.isPull)
    scenario.type("kk")
    #expect(scenario.state.cards.headerRows == 3)
    for wait in early { scenario.handle(.waitElapsed(wait)) }
    #expect(scenario.state.cards.headerRows == 3)
    #expect(scenario.awaitedPage == nil)
    scenario.endWaits()
    #expect(scenario.awaitedPage == .start)
  }

  @Test(arguments: LayoutKind.allCases)
  func `a key that is held down on the way to the top does not refresh`(layout: LayoutKind) {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1), layout: layout).typing("m")
    scenario.answer(FeedPage(videos: sampleVideos(60, from: 20), next: .page(2)))
    let (forward, backward) = layout == .carousel ? ("l", "h") : ("j", "k")
    scenario.type(String(repeating: forward, count: 20))
    scenario.type(String(repeating: backward, count: 60))
    #expect(scenario.state.cards.isAtTop)
    #expect(!scenario.state.cards.pull.isPulling)
    scenario.endWaits()
    #expect(scenario.awaitedPage == nil)
    scenario.type(String(repeating: backward, count: 3))
    #expect(scenario.state.cards.pull.isPulling)
    scenario.endWaits()
    #expect(scenario.awaitedPage == .start)
  }

  /// Presses a key at these times in milliseconds, and ends each wait of the pull when it is over.
  private func press(_ key: String, at times: [Int], _ scenario: inout Scenario) {
    var pause: (wait: Wait, end: Int)?
    for time in times {
      if let (wait, end) = pause, end <= time { scenario.end(wait) }
      let count = scenario.effects.count
      scenario.type(key)
      for case .wait(let duration, .pull(let ticket)) in scenario.effects.dropFirst(count) {
        pause = (.pull(ticket), time + Int(duration / .milliseconds(1)))
      }
    }
  }

  @Test(arguments: [250, 500, 660], [15, 33, 92])
  func `the first card is reached by a held key without a refresh, however slowly the key repeats`(
    delay: Int, interval: Int
  ) {
    for rows in 1...3 {
      var scenario = Scenario.showing()
      scenario.type(String(repeating: "j", count: rows))
      press("k", at: [0] + (0..<40).map { delay + $0 * interval }, &scenario)
      #expect(scenario.state.cards.selection == 0)
      #expect(!scenario.state.cards.pull.isPulling, "\(rows) rows")
      scenario.endWaits()
      #expect(scenario.awaitedPage == nil, "\(rows) rows")
    }
  }

  @Test func `new presses at the top pull after a pause`() {
    var scenario = Scenario.showing().typing("j")
    press("k", at: [0, 800, 950, 1_100], &scenario)
    scenario.endWaits()
    #expect(scenario.awaitedPage == .start)
  }

  @Test func `a wheel that scrolls to the top does not refresh`() {
    var scenario = Scenario.showing(sampleVideos(60), next: .page(1))
    for _ in 0..<5 { wheel(.wheelDown, &scenario) }
    for _ in 0..<20 { wheel(.wheelUp, &scenario) }
    #expect(scenario.state.cards.isAtTop && !scenario.state.cards.pull.isPulling)
    scenario.endWaits()
    wheel(.wheelUp, &scenario)
    #expect(scenario.state.cards.pull.isPulling)
  }

  @Test func `k in the middle of the first card shows its top without pulling`() {
    var scenario = Scenario.showing(width: 30, height: 10)
    wheel(.wheelDown, &scenario)
    #expect(scenario.state.cards.selection == 0 && scenario.state.cards.offset == 3)
    scenario.type("k")
    #expect(scenario.state.cards.offset == 0)
    #expect(!scenario.state.cards.pull.isPulling)
  }

  @Test(arguments: ["?", "/", "/spr"])
  func `the mouse is ignored while help or search is open`(keys: String) {
    var scenario = Scenario.showing().typing(keys)
    let before = scenario.state.draw().text
    for kind in [MouseEvent.Kind.press, .press, .wheelDown, .wheelUp] { wheel(kind, &scenario) }
    #expect(scenario.state.draw().text == before)
    #expect(scenario.state.details == nil)
  }

  @Test func `a click under a pulled header selects the card under the pointer`() {
    var scenario = Scenario.showing().typing("kkk")
    let frame = scenario.state.cards.frame(of: 1)
    #expect(scenario.state.cards.headerRows == 3)
    let lastRow = Point(x: frame.minX + 1, y: frame.maxY - 1 + 3)
    scenario.handle(.input(.mouse(MouseEvent(.press, at: lastRow))))
    #expect(scenario.state.cards.selection == 1)
  }

  @Test func `releasing a button keeps the message`() {
    var scenario = Scenario.showing().typing("y")
    wheel(.drag, &scenario)
    wheel(.release, &scenario)
    #expect(scenario.screen.contains("Copied"))
    wheel(.wheelDown, &scenario)
    #expect(!scenario.status.contains("Copied"))
  }
}

@Suite(.hangLimit) struct PageKeyTests {
  @Test func `page and half-page keys move down and back`() {
    let start = Scenario.showing(sampleVideos(100), layout: .list)
    func selection(_ keys: String) -> Int? { start.typing(keys).state.cards.selection }
    #expect(selection("<C-d>") == 10)
    #expect(selection("<C-f>") == 20)
    #expect(selection("<PgDn>") == 20)
    #expect(selection("<C-f><C-b>") == 0)
    #expect(selection("<C-f><PgUp>") == 0)
    #expect(selection("<C-d><C-u>") == 0)
    #expect(selection("G") == 99)
    #expect(selection("G<C-b><C-f>") == 99)
    #expect(selection("Ggg") == 0)
    #expect(selection("<End><Home>") == 0)
  }

  @Test func `v and V cycle through the layouts in both directions`() {
    let start = Scenario.showing()
    let layouts = LayoutKind.allCases
    for count in 1...layouts.count {
      let next = start.typing(String(repeating: "v", count: count))
      #expect(next.state.cards.kind == layouts[count % layouts.count])
      let previous = start.typing(String(repeating: "V", count: count))
      #expect(previous.state.cards.kind == layouts[layouts.count - count])
    }
  }

  @Test func `after a resize and a refresh the selected card keeps its row through the next resize`() throws {
    var scenario = Scenario.showing(sampleVideos(100), layout: .list).typing("<C-f><C-f><C-f><C-f>kk")
    func row() throws -> Int {
      let waterfall = scenario.state.cards
      return waterfall.frame(of: try #require(waterfall.selection)).minY - waterfall.offset
    }
    scenario.handle(.screenChanged(Size(width: 60, height: 24), cellSize: Size(width: 8, height: 16)))
    let before = try row()
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(30, from: 200) + sampleVideos(100)))
    scenario.handle(.screenChanged(Size(width: 70, height: 24), cellSize: Size(width: 8, height: 16)))
    #expect(try row() == before)
  }

  @Test func `there is no footer while there are no cards`() {
    #expect(!Scenario.showing([]).state.draw().roles.contains("o"))
    #expect(Scenario.showing([]).state.cards.layout.engine.contentSize.height == 0)
  }
}

@Suite(.hangLimit) struct LayoutTests {
  @Test func `the pane is beside the cards from 100 columns`() {
    #expect(Scenario.showing(width: 99, height: 30).typing("<Enter>").state.regions.divider == nil)
    let regions = Scenario.showing(width: 100, height: 30).typing("<Enter>").state.regions
    #expect(regions.divider?.minX == 60)
    #expect(regions.cards.width == 60)
  }

  @Test func `the proportions of cards are 9 to 21 up to 21 to 9`() {
    var video = sampleVideo(0)
    let (least, greatest, usual): (Double, Double, Double) = (9.0 / 21.0, 21.0 / 9.0, 16.0 / 9.0)
    let cases: [(Int, Int, Double)] = [
      (1, 65_535, least), (9, 21, least), (3, 4, 0.75), (21, 9, greatest), (5_000, 1, greatest), (1, 1, usual),
      (2, 2, usual),
    ]
    for (width, height, aspect) in cases {
      video.pictureSize = PixelSize(width: width, height: height)
      #expect(CardMetrics.aspect(of: video) == aspect, "\(width)x\(height)")
    }
  }

  @Test func `a title as wide as its card takes one line`() {
    var exact = sampleVideo(0)
    let width = Scenario.showing().state.cards.metrics.columnWidth
    exact.title = String(repeating: "x", count: width - 1)
    var longer = exact
    longer.id = "longer"
    longer.title += "x"
    let waterfall = Scenario.showing([exact, longer]).state.cards
    #expect(waterfall.frame(of: 1).height == waterfall.frame(of: 0).height + 1)
  }

  @Test(arguments: [(Int?.none, "1 of 1"), (5, "1 of 5"), (1, "1 of 1"), (0, "1 of 1")])
  func `the total is shown if it exceeds the loaded count`(total: Int?, words: String) {
    #expect(Scenario.showing(sampleVideos(1), total: total).status.hasPrefix("  \(words) · films.example  "))
  }
}
