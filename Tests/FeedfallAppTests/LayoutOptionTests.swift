import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// Videos in groups of these sizes.
private func grouped(_ sizes: [Int]) -> [Video] {
  var videos: [Video] = []
  for (group, size) in sizes.enumerated() {
    for _ in 0..<size {
      var video = sampleVideo(videos.count)
      video.group = "Day \(group)"
      videos.append(video)
    }
  }
  return videos
}

private func wide(_ card: Int, span: Int? = 2, of count: Int = 12) -> [Video] {
  var videos = sampleVideos(count)
  videos[card].span = span
  return videos
}

@Suite(.hangLimit) struct CarouselTests {
  private func carousel(_ keys: String = "", next: FeedCursor? = nil) -> Scenario {
    Scenario.showing(next: next, layout: .carousel).typing(keys)
  }

  private func middle(_ scenario: Scenario) throws -> Int {
    let waterfall = scenario.state.cards
    return waterfall.frame(of: try #require(waterfall.selection)).midX - waterfall.offset
  }

  @Test(arguments: ["", "l", "lll", "lllh", "G", "Gh", "gg"])
  func `the selected card is centered and the largest`(keys: String) throws {
    let scenario = carousel(keys)
    let waterfall = scenario.state.cards
    #expect(abs(try middle(scenario) - waterfall.viewport.width / 2) <= 1)
    let cards = waterfall.visibleElements.filter { $0.kind == .item }
    let largest = try #require(cards.max { $0.frame.width < $1.frame.width })
    #expect(waterfall.layout.card(at: largest.path) == waterfall.selection)
  }

  @Test func `left and right move, up and down do not`() {
    #expect(carousel("ll").state.cards.selection == 2)
    #expect(carousel("llh").state.cards.selection == 1)
    #expect(carousel("lljk").state.cards.selection == 2)
  }

  @Test func `near its end the carousel loads more`() {
    let scenario = carousel("G", next: .page(1))
    #expect(scenario.state.library.sources[0].loader.footerState == .willRefresh)
    #expect(carousel("", next: .page(1)).state.library.sources[0].loader.footerState == .idle)
  }

  @Test func `the wheel moves by one card and centers it`() throws {
    var scenario = carousel()
    let wheel = { (kind: MouseEvent.Kind) in AppEvent.input(.mouse(MouseEvent(kind, at: Point(x: 5, y: 5)))) }
    scenario.handle(wheel(.wheelDown))
    #expect(scenario.state.cards.selection == 1)
    #expect(abs(try middle(scenario) - 40) <= 1)
    scenario.handle(wheel(.wheelUp))
    #expect(scenario.state.cards.selection == 0)
  }

  @Test func `all layouts keep the selected card selected and in view`() {
    var scenario = Scenario.showing(sampleVideos(60), width: 120, height: 40).typing("jjjlj")
    let selection = scenario.state.cards.selection
    for _ in 0..<5 {
      scenario.type("v")
      #expect(scenario.state.cards.selection == selection)
      #expect(scenario.state.cards.visibleCards.contains { $0 == selection })
    }
  }

  @Test func `a click selects the card under the pointer`() {
    var scenario = carousel()
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: 78, y: 10)))))
    #expect(scenario.state.cards.selection == 1)
  }
}

@Suite(.hangLimit) struct GroupTests {
  @Test func `each group that fills a row has its header, and the cards keep their order`() {
    let scenario = Scenario.showing(grouped([3, 4, 3]), height: 70)
    for group in 0..<3 { #expect(scenario.screen.contains("Day \(group) ·")) }
    let tops = (0..<10).map { scenario.state.cards.frame(of: $0).minY }
    #expect(tops[0...2].allSatisfy { top in tops[3...6].allSatisfy { top < $0 } })
    #expect(tops[3...6].allSatisfy { top in tops[7...9].allSatisfy { top < $0 } })
  }

  @Test func `only the last section has a footer`() {
    var scenario = Scenario.showing(grouped([3, 3, 3]), next: .page(1), height: 60)
    #expect((0..<3).map { scenario.state.cards.layout.engine.metrics(ofSection: $0).footerHeight } == [0, 0, 1])
    scenario.type("m")
    var later = grouped([1])
    later[0].id = "later"
    later[0].group = "Day 9"
    scenario.answer(FeedPage(videos: later))
    #expect((0..<4).map { scenario.state.cards.layout.engine.metrics(ofSection: $0).footerHeight } == [0, 0, 0, 1])
  }

  @Test(arguments: [(LayoutOptions.Grouping.none, 1), (.feed, 2), (.channel, 3), (.day, 2)])
  func `cards are grouped by the chosen property`(grouping: LayoutOptions.Grouping, sections: Int) {
    var videos = grouped([2, 2])
    for index in videos.indices {
      videos[index].channel = ["A", "B", "B", "C"][index]
      videos[index].published = UnixTime(rfc3339: index < 1 ? "2026-11-20T10:00:00Z" : "2026-11-19T10:00:00Z")
    }
    let scenario = Scenario.showing(videos, layout: .list, grouping: grouping)
    #expect(scenario.state.cards.layout.engine.sectionCount == sections)
  }
}

@Suite(.hangLimit) struct SpanTests {
  @Test func `a card spans the columns given by its feed`() {
    let waterfall = Scenario.showing(wide(3), width: 120, height: 40).state.cards
    let usual = waterfall.metrics.columnWidth
    #expect(waterfall.frame(of: 3).width >= 2 * usual + LayoutOptions().spacing.width)
    #expect(waterfall.frame(of: 2).width <= usual + 1)
    let narrow = Scenario.showing(wide(3, span: 1), width: 120, height: 40).state.cards
    #expect(waterfall.frame(of: 3).height > narrow.frame(of: 3).height)
  }

  @Test func `a panorama spans two columns if there are two`() {
    var videos = sampleVideos(6)
    videos[0].pictureSize = PixelSize(width: 3000, height: 1000)
    let two = Scenario.showing(videos, width: 80).state.cards
    #expect(two.frame(of: 0).width > two.metrics.columnWidth + 1)
    let one = Scenario.showing(videos, columns: .count(1)).state.cards
    #expect(one.frame(of: 0).width == one.metrics.columnWidth)
  }

  @Test func `in the grid, a card is as wide as the columns given by its feed`() {
    let grid = Scenario.showing(wide(3), width: 120, height: 40, layout: .grid).state.cards
    let usual = grid.metrics.columnWidth
    #expect(grid.frame(of: 3).width == 2 * usual + LayoutOptions().spacing.width)
    #expect((0..<12).allSatisfy { $0 == 3 || grid.frame(of: $0).width <= usual + 1 })
    #expect(grid.visibleCards.contains(3))
    var panorama = sampleVideos(6)
    panorama[0].pictureSize = PixelSize(width: 3000, height: 1000)
    let cards = Scenario.showing(panorama, layout: .grid).state.cards
    #expect(cards.frame(of: 0).width <= cards.metrics.columnWidth + 1)
  }

  @Test(arguments: [LayoutKind.list, .carousel])
  func `list and carousel have no spans`(kind: LayoutKind) {
    let waterfall = Scenario.showing(wide(1), width: 120, height: 40, layout: kind).state.cards
    #expect(abs(waterfall.frame(of: 1).width - waterfall.frame(of: 0).width) <= 1)
  }

  @Test(arguments: [LayoutKind.waterfall, .grid], [1, 2, 3, 9, 200])
  func `a card has the rows given by its feed`(kind: LayoutKind, rows: Int) {
    var videos = sampleVideos(12)
    videos[0].rows = rows
    let scenario = Scenario.showing(videos, width: 120, height: 40, layout: kind)
    #expect(scenario.state.cards.frame(of: 0).height == rows)
    #expect(scenario.screen.contains("▸0 Elephants"))
  }

  @Test(arguments: [LayoutKind.list, .carousel])
  func `list and carousel have cards of one height`(kind: LayoutKind) {
    var videos = sampleVideos(12)
    videos[0].rows = 30
    let height = Scenario.showing(videos, width: 120, height: 40, layout: kind).state.cards.frame(of: 0).height
    #expect(height == Scenario.showing(width: 120, height: 40, layout: kind).state.cards.frame(of: 0).height)
  }
}

@Suite(.hangLimit) struct SpacingTests {
  private func cards(
    spacing: Size = Size(width: 2, height: 1), inset: Size? = nil, layout: LayoutKind = .grid, width: Int = 100
  ) -> CardsScreen {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layout = layout
    settings.layoutOptions.spacing = spacing
    settings.layoutOptions.inset = inset
    var scenario = Scenario(settings, width: width, height: 40)
    scenario.answer(FeedPage(videos: sampleVideos(20)))
    return scenario.state.cards
  }

  @Test(arguments: [Size(width: 0, height: 0), Size(width: 5, height: 3)])
  func `cards have the chosen spacing`(spacing: Size) throws {
    let cards = cards(spacing: spacing)
    #expect(cards.frame(of: 1).minX - cards.frame(of: 0).maxX == spacing.width)
    let second = try #require((0..<20).first { cards.frame(of: $0).minY > cards.frame(of: 0).minY })
    #expect(cards.frame(of: second).minY - cards.frame(of: 0).maxY == spacing.height)
    let carousel = self.cards(spacing: spacing, layout: .carousel)
    #expect(carousel.frame(of: 1).minX - carousel.frame(of: 0).maxX == spacing.width)
  }

  @Test(arguments: [LayoutKind.waterfall, .grid, .list])
  func `cards have the chosen inset`(layout: LayoutKind) {
    let cards = cards(inset: Size(width: 7, height: 4), layout: layout)
    #expect((0..<20).map { cards.frame(of: $0).minX }.min() == 7)
    #expect((0..<20).map { cards.frame(of: $0).maxX }.max() ?? 0 <= 93)
    #expect(cards.frame(of: 0).minY == 4)
    let last = (0..<20).map { cards.frame(of: $0).maxY }.max() ?? 0
    #expect(cards.layout.engine.contentLength == last + 4 + 1)
  }

  @Test(arguments: [-5, 21, Int.max], [20, 100])
  func `spacing and inset are bounded, and a narrow window keeps a card`(length: Int, width: Int) {
    let size = Size(width: length, height: length)
    let bounded = Size(width: min(max(length, 0), 20), height: min(max(length, 0), 20))
    let cards = cards(spacing: size, inset: size, width: width)
    #expect(
      (0..<20).map { cards.frame(of: $0) }
        == {
          let other = self.cards(spacing: bounded, inset: bounded, width: width)
          return (0..<20).map { other.frame(of: $0) }
        }())
    #expect(cards.frame(of: 0).width >= 16)
  }
}

@Suite(.hangLimit) struct OrderTests {
  private func columns(_ order: ItemOrder) -> [Int] {
    var videos = sampleVideos(9)
    videos[0].pictureSize = PixelSize(width: 1000, height: 2000)
    let waterfall = Scenario.showing(videos, height: 40, columns: .count(3), order: order).state.cards
    let left = (0..<3).map { waterfall.frame(of: $0).minX }.sorted()
    return (0..<9).map { left.firstIndex(of: waterfall.frame(of: $0).minX) ?? -1 }
  }

  @Test func `cards follow the chosen order`() {
    #expect(columns(.leftToRight) == [0, 1, 2, 0, 1, 2, 0, 1, 2])
    #expect(columns(.rightToLeft) == [2, 1, 0, 2, 1, 0, 2, 1, 0])
    #expect(columns(.tolerance(1000)) == columns(.leftToRight))
    #expect(columns(.shortest) != columns(.leftToRight))
  }
}

@Suite(.hangLimit) struct TallCardTests {
  private static let sizes = [(100, 24), (80, 24), (40, 12), (30, 10), (60, 7), (20, 6)]

  private func portraits() -> [Video] {
    sampleVideos(8).map { video in
      var video = video
      video.pictureSize = PixelSize(width: 900, height: 1600)
      return video
    }
  }

  /// The screen if it lacks the mark of the selected card or the start of its title; nil otherwise.
  private func screenWithoutTitle(_ scenario: Scenario) -> String? {
    let title = scenario.state.selectedVideo?.title.prefix(6) ?? ""
    let screen = scenario.screen
    // In the carousel, only the selected card has a title.
    if scenario.state.cards.isHorizontal { return screen.contains(title) ? nil : screen }
    return screen.contains("▸\(title)") || screen.contains("▸     \(title)") ? nil : screen
  }

  @Test(arguments: LayoutKind.allCases, sizes)
  func `the selected card always shows its mark and its title`(layout: LayoutKind, size: (Int, Int)) {
    for columns in [ColumnRule.minimumWidth(24), .count(1), .count(2)] {
      // Columns narrower than a title's start cannot show it.
      if case .count(let count) = columns, size.0 / count < 14 { continue }
      for videos in [portraits(), sampleVideos(8)] {
        var scenario = Scenario.showing(
          videos, width: size.0, height: size.1, layout: layout, columns: columns)
        #expect(screenWithoutTitle(scenario) == nil)
        for key in ["l", "j", "l", "j", "k", "h", "G", "gg"] {
          scenario.type(key)
          #expect(screenWithoutTitle(scenario) == nil, "\(layout) \(size) \(columns) after \(key)")
        }
        scenario.handle(.input(.mouse(MouseEvent(.wheelDown, at: Point(x: 2, y: 2)))))
        #expect(screenWithoutTitle(scenario) == nil, "\(layout) \(size) \(columns) after the wheel")
      }
    }
  }

  @Test func `the text at the window's edge lies over the cover`() {
    let scenario = Scenario.showing(portraits(), width: 40, height: 12, columns: .count(1))
    Golden.expect("tall-card", scenario.state.draw())
  }
}

@Suite(.hangLimit) struct ClassicCardTests {
  private func classic(
    _ layout: LayoutKind = .grid, columns: ColumnRule = .minimumWidth(24), width: Int = 80, height: Int = 24
  ) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layout = layout
    settings.layoutOptions.card = .classic
    settings.layoutOptions.columns = columns
    var scenario = Scenario(settings, width: width, height: height)
    scenario.answer(FeedPage(videos: sampleVideos(20)))
    return scenario
  }

  private func videos(_ aspects: (width: Int, height: Int, count: Int)..., from first: Int = 0) -> [Video] {
    var videos: [Video] = []
    for (width, height, count) in aspects {
      for _ in 0..<count {
        videos.append(sampleVideo(first + videos.count))
        videos[videos.count - 1].pictureSize = PixelSize(width: width, height: height)
      }
    }
    return videos
  }

  private func gridCover(_ scenario: Scenario) -> Size? {
    let cards = scenario.state.cards
    return cards.metrics.coverFrame(in: cards.frame(of: 0), of: cards.cards.shapes[0])?.size
  }

  @Test func `the covers of the grid have the median aspect of the first page`() {
    let wide = videos((1600, 900, 7), (400, 300, 5), (300, 500, 1))
    var scenario = Scenario.showing(wide, next: .page(2), width: 120, height: 40, layout: .grid)
    let expected = Size(
      width: 28, height: pictureHeight(forWidth: 28, aspect: 16.0 / 9.0, cellSize: Size(width: 8, height: 16)))
    #expect(gridCover(scenario) == expected)
    scenario.type("G")
    scenario.endWaits()
    scenario.answer(FeedPage(videos: videos((300, 500, 60), from: 100)))
    #expect(scenario.state.cards.cards.count == 73)
    scenario.type("gg")
    #expect(gridCover(scenario) == expected)
    scenario.handle(.screenChanged(Size(width: 120, height: 39), cellSize: Size(width: 8, height: 16)))
    #expect(gridCover(scenario) == expected)
  }

  @Test func `another source's page keeps the height of the covers in the grid, and a new list has its own`() {
    var settings = AppSettings(sources: ["one", "two"].map { SourceSettings(name: $0, isLocal: true) })
    settings.layout = .grid
    var scenario = Scenario(settings, width: 120, height: 40)
    scenario.answer(0, videos((1600, 900, 9)))
    let wide = gridCover(scenario)
    scenario.answer(1, videos((300, 500, 60), from: 100))
    #expect(scenario.state.cards.cards.count == 69)
    #expect(gridCover(scenario) == wide)
    scenario.type("2r")
    #expect(gridCover(scenario) == wide)
    scenario.answer(0, videos((300, 500, 9), from: 200))
    #expect(gridCover(scenario)?.height ?? 0 > wide?.height ?? 0)
  }

  @Test func `the aspect of the grid is limited`() {
    for (width, height, rows) in [(100, 1000, 19), (1000, 10, 6)] {
      let scenario = Scenario.showing(videos((width, height, 9)), width: 120, height: 40, layout: .grid)
      #expect(gridCover(scenario)?.height == rows)
    }
  }

  @Test(arguments: [(20, 6), (24, 7), (40, 8), (80, 10), (120, 14), (80, 24)])
  func `a low window shrinks the covers of the grid and shows each title`(width: Int, height: Int) {
    var scenario = Scenario.showing(videos((1600, 900, 9)), width: width, height: height, layout: .grid)
    for _ in 0..<9 {
      let cards = scenario.state.cards
      guard let selection = cards.selection else { return }
      let frame = cards.frame(of: selection)
      #expect(frame.height <= cards.viewport.height && gridCover(scenario)?.height ?? 0 >= 1)
      #expect(scenario.screen.contains("▸\(scenario.state.selectedVideo?.title.prefix(9) ?? "")"))
      scenario.type("l")
    }
  }

  @Test(arguments: [LayoutKind.waterfall, .grid], [1, 2, 3, 5])
  func `a classic cell has the shares of picture, gap and title to the row`(layout: LayoutKind, columns: Int) throws {
    let cards = classic(layout, columns: .count(columns), width: 200, height: 60).state.cards
    let frame = cards.frame(of: 0)
    // A cell is twice as high as wide.
    let height = Double(cards.metrics.contentWidth(ofFrame: frame.width)) * 0.8 / 2
    #expect(frame.height == Int(height.rounded()))
    let cover = try #require(cards.metrics.coverFrame(in: frame, of: CardShape(of: sampleVideo(0), TextWidths())))
    let text = cards.metrics.textFrame(in: frame, below: cover)
    #expect(cover.height == Int((0.85 * Double(frame.height)).rounded()))
    #expect(text.minY - frame.minY == Int((0.89 * Double(frame.height)).rounded()))
    #expect(text.maxY == frame.maxY)
    #expect(cards.metrics.titleLines(in: frame.width) == text.height)
    #expect((0..<20).allSatisfy { cards.frame(of: $0).height == frame.height })
  }

  @Test func `the smallest classic cell has a picture and a title`() throws {
    let metrics = CardMetrics(LayoutKind.grid.traits(.classic), columnWidth: 1, cellSize: Size(width: 8, height: 16))
    let height = metrics.length(of: CardShape(of: sampleVideo(0), TextWidths()), width: 1)
    let frame = Rect(x: 0, y: 0, width: 1, height: height)
    #expect(height == 2)
    #expect(try #require(metrics.coverFrame(in: frame, of: CardShape(of: sampleVideo(0), TextWidths()))).height == 1)
  }

  @Test func `list and carousel have no classic cards`() {
    for layout in [LayoutKind.list, .carousel] {
      let screen = classic(layout).screen
      #expect(screen == Scenario.showing(layout: layout).screen)
    }
  }

  @Test func `classic cards have centered titles`() {
    Golden.expect("classic", classic().state.draw())
  }

  @Test func `covers in pixels have rounded corners, and those in cells none`() {
    for scenario in [Scenario.showing(), classic()] {
      var pictures = scenario
      pictures.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: true)))
      while !pictures.awaitedCovers.isEmpty { pictures.answerCover() }
      let canvas = pictures.state.draw()
      #expect(!canvas.visiblePictures.isEmpty && canvas.visiblePictures.allSatisfy { $0.hasRoundedTop })
      #expect(!canvas.text.contains("▟"))
    }
  }

  @Test func `the covers of the grid have the median aspect of the first videos, however many are shown at once`() {
    var settings = AppSettings(sources: ["one", "two"].map { SourceSettings(name: $0, isLocal: true) })
    settings.layout = .grid
    var scenario = Scenario(settings, width: 120, height: 40).typing("2")
    scenario.answer(0, videos((1600, 900, 20)) + videos((300, 500, 60), from: 100))
    scenario.type("1")
    let expected = pictureHeight(forWidth: 28, aspect: 16.0 / 9.0, cellSize: Size(width: 8, height: 16))
    #expect(scenario.state.cards.cards.count == 80 && gridCover(scenario)?.height == expected)
  }
}
