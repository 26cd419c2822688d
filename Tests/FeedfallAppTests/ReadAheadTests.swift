import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// The pages that are requested because little or nothing follows the visible cards.
@Suite(.hangLimit) struct ReadAheadTests {
  /// A program whose source has pages of these videos in turn.
  private struct Feed {
    var scenario: Scenario
    private let pages: [[Video]]
    private var page = 1
    /// The pages that were requested at once, and after the debounce.
    private(set) var (urgentCount, debouncedCount) = (0, 0)

    init(
      _ videos: [Video], pageSize: Int = 5, width: Int = 100, height: Int = 30, layout: LayoutKind = .waterfall,
      columns: ColumnRule = .minimumWidth(24), grouping: LayoutOptions.Grouping = .feed, order: ItemOrder = .leftToRight
    ) {
      pages = stride(from: 0, to: videos.count, by: pageSize).map {
        Array(videos[$0..<min($0 + pageSize, videos.count)])
      }
      scenario = Scenario.showing(
        pages[0], next: pages.count > 1 ? .page(1) : nil, width: width, height: height, layout: layout,
        columns: columns,
        grouping: grouping, order: order)
    }

    /// Answers the pending request, or else that after the debounce; returns whether there was one.
    private mutating func answerOne() -> Bool {
      if scenario.awaitedPage != nil {
        urgentCount += 1
      } else {
        scenario.endWaits()
        guard scenario.awaitedPage != nil else { return false }
        debouncedCount += 1
      }
      page += 1
      scenario.answer(FeedPage(videos: pages[page - 1], next: page < pages.count ? .page(page) : nil))
      return true
    }

    /// Answers requests until the program sends none without input.
    mutating func answer() {
      for _ in 0..<1_000 where !answerOne() { return }
      Issue.record("the program requests 1,000 pages without input")
    }

    /// Answers the requests that are sent without the debounce.
    mutating func answerUrgent() {
      while scenario.awaitedPage != nil { _ = answerOne() }
    }

    mutating func type(_ keys: String) {
      scenario.type(keys)
      answer()
    }

    var count: Int { scenario.state.cards.cards.count }

    /// The rows that are empty at the end of the window, in the shortest column.
    var emptyRows: Int {
      let cards = scenario.state.cards
      return max(0, cards.offset + cards.layout.viewportLength - cards.layout.filledLength)
    }
  }

  /// Portrait and landscape in turn: in two columns from left to right, one is several times as long as the other.
  private static func alternating(_ count: Int) -> [Video] {
    (0..<count).map { number in
      var video = sampleVideo(number)
      video.pictureSize = number.isMultiple(of: 2) ? PixelSize(width: 9, height: 16) : PixelSize(width: 16, height: 9)
      return video
    }
  }

  /// Each card spans all columns but the last.
  private static func wide(_ count: Int, span: Int) -> [Video] {
    (0..<count).map { number in
      var video = sampleVideo(number)
      video.span = span
      return video
    }
  }

  @Test(arguments: ["j", "<PgDn>", "<C-d>", "G", "lj"], [(60, 24), (100, 30), (240, 70), (40, 12)])
  func `a key that is held in a short column reaches the end, and leaves no column empty before`(
    key: String, size: (Int, Int)
  ) {
    var feed = Feed(Self.alternating(160), width: size.0, height: size.1, columns: .count(2))
    feed.answer()
    if key == "j" { feed.type("l") }
    for _ in 0..<400 where feed.count < 160 {
      feed.type(key)
      if feed.count < 160 { #expect(feed.emptyRows == 0, "\(feed.count) cards") }
    }
    #expect(feed.count == 160)
    #expect(feed.scenario.state.library.sources[0].isExhausted)
  }

  @Test(arguments: [3, 4, 6])
  func `pages whose cards leave a column empty are requested once for each column, and again after a key`(columns: Int)
  {
    var feed = Feed(Self.wide(400, span: columns - 1), pageSize: 1, width: 160, columns: .count(columns))
    feed.answer()
    #expect(feed.urgentCount + feed.debouncedCount <= columns)
    for _ in 0..<3 {
      let before = feed.count
      feed.type("j")
      #expect((1...columns).contains(feed.count - before))
    }
  }

  @Test(arguments: [LayoutKind.waterfall, .grid, .justified, .list], [ItemOrder.shortest, .leftToRight])
  func `an empty part of the window is filled without the debounce, by pages of any size`(
    layout: LayoutKind, order: ItemOrder
  ) {
    for pageSize in [1, 5, 20] {
      var feed = Feed(
        sampleVideos(400), pageSize: pageSize, width: 240, height: 70, layout: layout, grouping: .none, order: order)
      feed.answerUrgent()
      #expect(feed.emptyRows == 0 && feed.count < 400)
      #expect(feed.debouncedCount == 0)
      // One more screen is loaded after the debounce.
      #expect(feed.scenario.state.library.sources[0].loader.footerState == .willRefresh)
    }
  }

  @Test func `a full window waits for the debounce`() {
    let scenario = Scenario.showing(sampleVideos(8), next: .page(1), width: 30, height: 24)
    #expect(scenario.awaitedPage == nil)
    #expect(scenario.state.library.sources[0].loader.footerState == .idle)
    let moved = scenario.typing("jjjjjj")
    #expect(moved.awaitedPage == nil)
    #expect(moved.state.library.sources[0].loader.footerState == .willRefresh)
  }

  @Test func `a filter that is being typed waits for the debounce, and so do pages without a match`() {
    var scenario = Scenario.showing(next: .page(1)).typing("fzzz")
    #expect(scenario.awaitedPage == nil)
    scenario.type("<Enter>")
    #expect(scenario.awaitedPage == .page(1))
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 20), next: .page(2)))
    #expect(scenario.awaitedPage == nil)
    scenario.endWaits()
    #expect(scenario.awaitedPage == .page(2))
  }

  @Test(arguments: [LayoutKind.waterfall, .grid, .justified])
  func `the end and a pause end the requests while columns are uneven`(layout: LayoutKind) {
    var feed = Feed(Self.alternating(10), width: 100, height: 120, layout: layout)
    feed.answer()
    #expect(feed.count == 10 && feed.emptyRows > 0)
    feed.scenario.type("j")
    #expect(feed.scenario.awaitedPage == nil)

    var scenario = Scenario.showing(Self.alternating(5), next: .page(1), width: 100, height: 60, layout: layout)
    for page in 1...4 {
      #expect(scenario.awaitedPage == .page(page))
      scenario.answer(FeedPage(videos: Self.alternating(5), next: .page(page + 1)))
    }
    #expect(scenario.awaitedPage == nil)
    scenario.type("j")
    #expect(scenario.awaitedPage == nil)
    #expect(scenario.screen.contains("Nothing new on 4 pages"))
    scenario.type("m")
    #expect(scenario.awaitedPage == .page(5))
  }

  /// Any answers to the requests of a window, with and without input in between.
  @Test(arguments: LayoutKind.allCases)
  func `the requests of a window end, whatever the pages hold`(layout: LayoutKind) {
    var chances = SeededGenerator(seed: 14)
    for _ in 0..<20 {
      let columns = Int.random(in: 1...8, using: &chances)
      var videos = sampleVideos(1_200)
      let isWide = chances.chance(1, in: 2)
      for index in videos.indices {
        if isWide || chances.chance(1, in: 5) { videos[index].span = Int.random(in: 1...columns, using: &chances) }
        videos[index].group = index % 50 < 20 ? "Group \(index / 3)" : nil
      }
      let orders = [ItemOrder.shortest, .leftToRight, .rightToLeft]
      var feed = Feed(
        videos, pageSize: Int.random(in: 1...9, using: &chances), width: Int.random(in: 40...240, using: &chances),
        height: Int.random(in: 12...70, using: &chances), layout: layout, columns: .count(columns),
        order: orders.randomElement(using: &chances) ?? .shortest)
      feed.answer()
      #expect(feed.count < 1_200)
      for _ in 0..<3 {
        feed.type(["j", "l", "<C-d>"].randomElement(using: &chances) ?? "j")
      }
    }
  }

  @Test func `in an order that holds nothing back, the next pages of many sources wait for each other`() {
    let sources = (0..<20).map { SourceSettings(name: "s\($0)", isLocal: false) }
    var scenario = Scenario(AppSettings(sources: sources), width: 160).typing(":where sort:title<Enter>")
    var count = 0
    while let request = scenario.unanswered.first, count < 400 {
      #expect(scenario.unanswered.count <= 8)
      count += 1
      scenario.answer(request.source, [sampleVideo(count)], next: .page(count))
    }
    scenario.type("G")
    scenario.endWaits()
    #expect(scenario.unanswered.count == 8 && scenario.state.library.waiting.count == 12)
  }

  @Test func `pages that leave the shortest column as it is are counted until an input, whatever happens in between`() {
    var chances = SeededGenerator(seed: 9)
    for _ in 0..<2_000 {
      let columns = Int.random(in: 1...9, using: &chances)
      let (viewport, longest) = (Size(width: 80, height: 24), 50)
      var fill = Tab.WindowFill()
      var (shown, loaded, pageCount) = (0, 0, 0)
      for step in 0..<60 {
        let isInput = step == 0 || chances.chance(1, in: 10)
        if isInput { pageCount = 0 }
        let isPage = !isInput && fill.vainPageCount < columns && chances.chance(1, in: 2)
        if isPage {
          pageCount += 1
          (shown, loaded) = (shown + Int.random(in: 1...3, using: &chances), loaded + 3)
        } else if chances.chance(1, in: 4) {
          loaded += 3
        }
        fill.update(
          length: isInput ? longest : Int.random(in: 0...longest, using: &chances), in: viewport, shownCount: shown,
          loadedCount: loaded, afterInput: isInput)
        #expect(fill.vainPageCount == pageCount && pageCount <= columns)
        if isInput || isPage { #expect(!fill.isSearching) }
      }
    }
  }
}
