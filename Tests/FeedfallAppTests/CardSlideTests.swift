import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct CardSlideTests {
  /// A program with its clock, in which the user types slowly unless a test says otherwise.
  private struct Session {
    var scenario: Scenario
    var now = 1_000_000_000

    init(
      _ layout: LayoutKind = .grid, animates: Bool = true, canSlide: Bool = true, sources: Int = 1,
      videos: Int = 30,
      grouping: LayoutOptions.Grouping = .none
    ) {
      let names = (0..<sources).map { SourceSettings(name: "source \($0)", isLocal: true) }
      var settings = AppSettings(sources: names)
      settings.layout = layout
      settings.layoutOptions.animates = animates
      settings.layoutOptions.grouping = grouping
      scenario = Scenario(settings, width: 100, height: 40)
      scenario.handle(.slidingChanged(canSlide))
      for source in 0..<sources { scenario.answer(source, sampleVideos(videos)) }
      finish()
    }

    var cards: CardsScreen { scenario.state.cards }

    mutating func handle(_ event: AppEvent, after milliseconds: Int = 1_000) {
      now += milliseconds
      scenario.handle(event, at: now)
    }

    mutating func type(_ script: String, after milliseconds: Int = 1_000) {
      guard let keys = try? keys(typed: script) else { fatalError("invalid keys: \(script)") }
      for key in keys { handle(.input(.key(key)), after: milliseconds) }
    }

    var frameWaits: [Wait] { scenario.openWaits.filter { if case .glide = $0 { true } else { false } } }

    /// Ends the waits for the next frame; returns false if there are none.
    mutating func advance() -> Bool {
      let waits = frameWaits
      for wait in waits {
        now += 24
        scenario.end(wait, at: now)
      }
      return !waits.isEmpty
    }

    mutating func finish() { while advance() {} }

    /// The frames of visible cards by their videos.
    var resting: [CardSlot: Rect] { frames(cards.visibleElements) }
    var shown: [CardSlot: Rect] { frames(cards.shownElements) }

    private func frames(_ elements: [LayoutAttributes]) -> [CardSlot: Rect] {
      var frames: [CardSlot: Rect] = [:]
      for element in elements where element.kind == .item {
        frames[cards.cards[cards.layout.card(at: element.path)]] = element.frame
      }
      return frames
    }
  }

  private func point(from start: Rect, to end: Rect, left: Int) -> Point {
    Point(
      x: end.minX + (start.minX - end.minX) * left / 25, y: end.minY + (start.minY - end.minY) * left / 25)
  }

  @Test func `cards slide to their new places in five frames, at first fast`() {
    var session = Session()
    let before = session.resting
    session.type("X")
    let after = session.resting
    #expect(session.cards.cards.count == 29)
    #expect(after.contains { slot, end in before[slot].map { $0 != end } ?? false })
    for left in [16, 9, 4, 1] {
      #expect(session.frameWaits.count == 1)
      let shown = session.shown
      for (slot, end) in after {
        guard let start = before[slot] else { continue }
        #expect(shown[slot]?.origin == point(from: start, to: end, left: left))
        #expect(shown[slot]?.size == end.size)
      }
      let hasAdvanced = session.advance()
      #expect(hasAdvanced)
    }
    #expect(session.cards.shownElements == session.cards.visibleElements)
    #expect(session.frameWaits.isEmpty)
  }

  @Test func `a filter, its end and an undone mark let cards slide`() {
    var session = Session(videos: 6)
    session.type("f2")
    #expect(session.cards.isSliding)
    session.finish()
    session.type("<Esc>")
    #expect(session.cards.isSliding)
    session.finish()
    session.type("X")
    session.finish()
    session.type("u")
    #expect(session.cards.isSliding)
  }

  @Test func `new cards of a refresh come from above with those that they push down`() throws {
    var session = Session(.list)
    let before = session.resting
    session.type("r")
    session.finish()
    let request = try #require(session.scenario.unanswered.last)
    session.handle(
      .pageArrived(
        request.ticket, FeedPage(videos: (200..<204).map(sampleVideo) + sampleVideos(30)), at: UnixTime(seconds: 0)))
    #expect(session.cards.isSliding)
    #expect(session.cards.cards.count == 34)
    let new = try #require(session.shown[session.cards.cards[0]])
    let end = try #require(session.resting[session.cards.cards[0]])
    #expect(new.minY == end.minY - 2)
    let old = session.cards.cards[4]
    #expect(before[old]?.minY == session.resting[old].map { $0.minY - 4 })
    #expect(session.shown[old]?.minY == session.resting[old].map { $0.minY - 2 })
  }

  @Test func `a key during a slide is painted at once, and starts no other`() {
    var (session, instant) = (Session(), Session(animates: false))
    session.type("X")
    #expect(session.cards.isSliding)
    session.type("j", after: 30)
    #expect(session.frameWaits.isEmpty)
    #expect(session.cards.shownElements == session.cards.visibleElements)
    instant.type("X")
    instant.type("j", after: 30)
    #expect(session.scenario.state.draw() == instant.scenario.state.draw())
    session.type("X")
    session.type("X", after: 200)
    #expect(!session.cards.isSliding)
    #expect(session.frameWaits.isEmpty)
  }

  @Test func `no card slides while the user types faster than a slide takes`() {
    var session = Session(videos: 6)
    session.type("f")
    session.type("2", after: CardSlide.length - 1)
    #expect(!session.cards.isSliding)
    session.type("<BS>", after: CardSlide.length)
    #expect(session.cards.isSliding)
  }

  @Test func `another size, another tab, a stop and delayed output end a slide`() {
    let events: [AppEvent] = [
      .screenChanged(Size(width: 90, height: 30), cellSize: Size(width: 8, height: 16)), .suspending, .outputDelayed,
      .input(.mouse(MouseEvent(.wheelDown, at: Point(x: 50, y: 20)))), .input(.paste("x")),
    ]
    for event in events {
      var session = Session()
      session.type("X")
      #expect(session.cards.isSliding)
      session.handle(event, after: 10)
      #expect(!session.cards.isSliding)
      #expect(session.frameWaits.isEmpty)
      #expect(session.cards.shownElements == session.cards.visibleElements)
    }
    var tabs = Session(sources: 2)
    tabs.type("2")
    tabs.type("X")
    #expect(tabs.cards.isSliding)
    tabs.type("1", after: 10)
    #expect(!tabs.cards.isSliding)
    #expect(tabs.frameWaits.isEmpty)
    tabs.type("2", after: 10)
    #expect(!tabs.cards.isSliding)
  }

  @Test func `a turn of the carousel that ends early waits for no frame`() {
    for key in ["v", "2"] {
      var session = Session(.carousel, sources: 2)
      session.type("l")
      #expect(session.frameWaits.count == 1)
      session.type(key, after: 10)
      #expect(session.frameWaits.isEmpty)
    }
  }

  @Test func `a page that moves the cards during a slide ends it`() throws {
    var session = Session(sources: 2)
    session.type("r")
    session.finish()
    let request = try #require(session.scenario.unanswered.first { $0.source == 1 })
    session.type("<PgDn><PgDn>")
    session.type("X")
    #expect(session.cards.isSliding)
    let count = session.cards.cards.count
    session.handle(
      .pageArrived(
        request.ticket, FeedPage(videos: (200..<204).map(sampleVideo) + sampleVideos(30)), at: UnixTime(seconds: 0)),
      after: 10)
    #expect(session.cards.cards.count == count + 4)
    #expect(!session.cards.isSliding)
    #expect(session.cards.shownElements == session.cards.visibleElements)
    #expect(session.frameWaits.isEmpty)
  }

  @Test func `cards do not slide in a tab that is selected after its cards have changed`() throws {
    var refreshed = Session(sources: 2)
    refreshed.type("2")
    refreshed.type("1")
    refreshed.type("r")
    refreshed.finish()
    let request = try #require(refreshed.scenario.unanswered.first { $0.source == 0 })
    refreshed.handle(
      .pageArrived(
        request.ticket, FeedPage(videos: (200..<204).map(sampleVideo) + sampleVideos(30)), at: UnixTime(seconds: 0)))
    refreshed.finish()
    refreshed.type("2")
    #expect(refreshed.cards.cards.count == 34)
    #expect(!refreshed.cards.isSliding)
    var stale = Session(sources: 2)
    let count = stale.cards.cards.count
    stale.type("2")
    stale.type("X")
    stale.finish()
    stale.type("1")
    #expect(stale.cards.cards.count < count)
    #expect(!stale.cards.isSliding)
  }

  @Test func `cards do not slide to a layout of other options`() {
    let changes: [(inout LayoutOptions) -> Void] = [
      { $0.columns = .count(2) }, { $0.spacing.height = 3 }, { $0.inset = Size(width: 1, height: 2) },
    ]
    for change in changes {
      var session = Session()
      var options = session.cards.layout.options
      change(&options)
      let (before, new) = (session.resting, LiveOptions(layout: .grid, layoutOptions: options, theme: ThemeSettings()))
      session.handle(.optionsChanged(new, name: "option", value: "value"))
      #expect(session.resting != before)
      #expect(!session.cards.isSliding)
      #expect(session.cards.shownElements == session.cards.visibleElements)
    }
  }

  @Test func `cards do not slide without animations, in a slow terminal and in the carousel`() {
    for var session in [Session(animates: false), Session(canSlide: false), Session(.carousel)] {
      session.type("X")
      #expect(!session.cards.isSliding)
      #expect(session.cards.shownElements == session.cards.visibleElements)
    }
    var layouts = Session(grouping: .channel)
    layouts.type("v")
    #expect(!layouts.cards.isSliding)
    var changed = Session()
    changed.handle(.slidingChanged(false))
    changed.type("X")
    #expect(!changed.cards.isSliding)
  }

  @Test func `late frames are left out, so that a slide ends in time`() {
    var session = Session()
    let before = session.resting
    session.type("X")
    let after = session.resting
    let wait = session.frameWaits[0]
    session.now += 2 * 24
    session.scenario.end(wait, at: session.now)
    for (slot, end) in after {
      guard let start = before[slot] else { continue }
      #expect(session.shown[slot]?.origin == point(from: start, to: end, left: 4))
    }
    session.now += 3 * 24
    session.scenario.end(session.frameWaits[0], at: session.now)
    #expect(!session.cards.isSliding)
    #expect(session.frameWaits.isEmpty)
  }

  @Test func `cards do not slide where most come from elsewhere`() {
    var session = Session()
    session.type("f")
    session.handle(.input(.paste("29")))
    #expect(!session.resting.isEmpty)
    #expect(!session.cards.isSliding)
  }

  @Test func `cards do not slide where they would cross each other's way`() throws {
    var layout = ListLayout(width: 10)
    try layout.appendSection(SectionMetrics(lineSpacing: 0, insets: .zero))
    try layout.append(itemHeights: [Int](repeating: 4, count: 6), toSection: 0)
    let viewport = layout.viewport(at: 0, length: 24)
    func slide(_ index: @escaping (Int) -> Int?) -> CardSlide? {
      let path = { (path: ElementPath) in index(path.item).map { ElementPath(item: $0) } }
      let transition = LayoutTransition(
        from: layout, in: viewport, to: layout, in: viewport, newPath: path, oldPath: path)
      return CardSlide(transition, in: viewport, [], at: 0)
    }
    #expect(slide { $0 } == nil)
    #expect(slide { 5 - $0 } == nil)
    #expect(slide { $0 < 2 ? 1 - $0 : $0 }?.elements.count == 6)
  }

  @Test func `the header hides the cards that slide over it`() throws {
    var session = Session()
    func refresh(_ videos: [Video]) throws {
      session.type("r")
      session.finish()
      let request = try #require(session.scenario.unanswered.last)
      var page = FeedPage(videos: videos)
      page.summary = "Talks about mills and rivers"
      session.handle(.pageArrived(request.ticket, page, at: UnixTime(seconds: 0)))
    }
    try refresh(sampleVideos(30))
    session.finish()
    session.scenario.endWaits()
    try refresh((200..<203).map(sampleVideo) + sampleVideos(30))
    #expect(session.cards.isSliding)
    let header = try #require(session.cards.shownElements.first { $0.kind == .globalHeader }).frame
    #expect(session.cards.shownElements.contains { $0.kind == .item && $0.frame.intersects(header) })
    func drawnHeader() -> [Cell] {
      let canvas = session.scenario.state.draw()
      let top = session.scenario.state.regions.cards.minY
      return (header.minY..<header.maxY - 1).flatMap { y in
        (header.minX..<header.maxX).map { canvas[$0, top + y] }
      }
    }
    let duringSlide = drawnHeader()
    session.finish()
    #expect(duringSlide == drawnHeader())
  }

  @Test func `scrolling and further pages do not let cards slide`() {
    var session = Session()
    session.type("jjjjj<PgDn>G")
    #expect(!session.cards.isSliding)
    #expect(session.frameWaits.isEmpty)
  }

  @Test(arguments: 1...20)
  func `a random session shows what it shows without slides`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    let layout = LayoutKind.allCases.randomElement(using: &chances) ?? .grid
    let grouping = LayoutOptions.Grouping.allCases.randomElement(using: &chances) ?? .none
    let sources = Int.random(in: 1...2, using: &chances)
    var session = Session(layout, sources: sources, grouping: grouping)
    var instant = Session(layout, animates: false, sources: sources, grouping: grouping)
    let keys = [
      "X", "u", "S", "v", "V", "f", "1", "<BS>", "<Esc>", "j", "l", "<PgDn>", "G", "gg", "w", "<Tab>", "<Enter>",
    ]
    for _ in 0..<60 {
      let key = keys.randomElement(using: &chances) ?? "j"
      let pause = chances.chance(1, in: 3) ? 50 : 1_000
      session.type(key, after: pause)
      instant.type(key, after: pause)
      if chances.chance(1, in: 2) { _ = session.advance() }
      guard chances.chance(1, in: 2) else { continue }
      session.finish()
      instant.now = session.now
      #expect(session.scenario.state.draw() == instant.scenario.state.draw(), "after \(key)")
    }
  }
}
