import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// The state stays consistent after random events in random order.
@Suite(.hangLimit) struct RandomSessionTests {
  private static let scripts = [
    "h", "j", "k", "l", "kkk", "<C-d>", "<C-u>", "<PgDn>", "<PgUp>", "gg", "g", "gq", "gh", "gc", "G", "<Enter>", "i",
    " ", "r", "m", "v",
    "V", "/", "a", "f", "P", "p", "<Right>", "+", "B", "z", "w", "H", "N", "n", "N", "<BS>", "y", "Y", "o", "<Esc>",
    "q", "?", "<C-l>", "<Tab>", "<S-Tab>", "1", "2", "3",
  ]

  @Test(arguments: 1...40)
  func `a random session`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    var settings = AppSettings(
      sources: (0..<Int.random(in: 1...4, using: &chances)).map {
        SourceSettings(name: "source \($0)", isLocal: Bool.random(using: &chances))
      })
    settings.layout = LayoutKind.allCases.randomElement(using: &chances) ?? .list
    settings.layoutOptions.columns =
      Bool.random(using: &chances)
      ? .count(Int.random(in: 1...100, using: &chances)) : .minimumWidth(Int.random(in: 4...100, using: &chances))
    settings.layoutOptions.grouping = LayoutOptions.Grouping.allCases.randomElement(using: &chances) ?? .feed
    settings.layoutOptions.order =
      [.shortest, .leftToRight, .rightToLeft, .tolerance(4)].randomElement(using: &chances) ?? .shortest
    var scenario = Scenario(settings)
    let styles = [
      CoverStyle.initials, .pictures(.halves, wantsPixels: false), .pictures(.halves, wantsPixels: true),
    ]
    styles.randomElement(using: &chances).map { scenario.handle(.coverStyleChanged($0)) }
    for _ in 0..<100 {
      happen(&scenario, &chances)
      check(scenario.state)
    }
  }

  private func happen(_ scenario: inout Scenario, _ chances: inout SeededGenerator) {
    switch Int.random(in: 0..<22, using: &chances) {
    case 0: resize(&scenario, &chances)
    case 1, 2: if scenario.awaitedPage != nil { scenario.answer(page(&chances)) }
    case 3: if scenario.awaitedPage != nil { scenario.fail(failure(&chances)) }
    case 4, 5: scenario.endWaits()
    case 6 where !scenario.recalls.isEmpty: recall(&scenario, &chances)
    case 6: if scenario.awaitedDetails != nil { scenario.answerDetails(.success(sampleVideo(0))) }
    case 7: if scenario.awaitedDetails != nil { scenario.answerDetails(.failure(failure(&chances))) }
    case 8, 9: mouse(&scenario, &chances)
    case 10, 11: covers(&scenario, &chances)
    case 12: report(&scenario, &chances)
    default: scenario.type(Self.scripts.randomElement(using: &chances) ?? "j")
    }
  }

  private func recall(_ scenario: inout Scenario, _ chances: inout SeededGenerator) {
    let source = scenario.recalls[0].source
    if Bool.random(using: &chances) {
      let page = page(&chances)
      scenario.answerRecall(source, page.videos, next: page.next)
    } else {
      scenario.failRecall(source)
    }
  }

  private func report(_ scenario: inout Scenario, _ chances: inout SeededGenerator) {
    guard !scenario.loads.isEmpty else { return }
    let news: [PlayEvent] = [
      .ready, .duration(seconds: 100), .time(seconds: 50), .pictureSize(Size(width: 640, height: 360)),
      .seekCompleted,
      .stalled(true), .paused(true), .ended(.reachedEnd), .ended(.failed(.http(status: 404))), .ended(.closed),
    ]
    for _ in 0..<3 { news.randomElement(using: &chances).map { scenario.report($0) } }
  }

  private func covers(_ scenario: inout Scenario, _ chances: inout SeededGenerator) {
    scenario.rest()
    while let number = scenario.awaitedCovers.indices.randomElement(using: &chances), chances.next() % 8 > 0 {
      // A cover for a window of 1,000 by 1,000 cells would take longer than all others together.
      let isLarge = scenario.awaitedCovers[number].request.size.width > 40
      scenario.answerCover(number, gray: isLarge || Bool.random(using: &chances) ? nil : 255)
    }
  }

  private func resize(_ scenario: inout Scenario, _ chances: inout SeededGenerator) {
    let largest = Int.random(in: 0..<12, using: &chances) == 0 ? 1000 : 130
    let size = Size(
      width: Int.random(in: 1...largest, using: &chances), height: Int.random(in: 1...largest, using: &chances))
    let cell = Size(width: Int.random(in: 0...20, using: &chances), height: Int.random(in: 0...40, using: &chances))
    scenario.handle(.screenChanged(size, cellSize: cell))
  }

  private func mouse(_ scenario: inout Scenario, _ chances: inout SeededGenerator) {
    let kind = [MouseEvent.Kind.press, .drag, .release, .wheelUp, .wheelDown].randomElement(using: &chances) ?? .press
    let position = Point(x: Int.random(in: 0..<140, using: &chances), y: Int.random(in: 0..<140, using: &chances))
    scenario.handle(.input(.mouse(MouseEvent(kind, at: position))))
  }

  private func page(_ chances: inout SeededGenerator) -> FeedPage {
    let count = [0, 1, 7, 40].randomElement(using: &chances) ?? 0
    let videos = (0..<count).map { _ in
      let number = Int.random(in: 0..<120, using: &chances)
      var video = number.isMultiple(of: 3) ? sampleVideoWithoutDetails(number) : sampleVideo(number)
      video.group = number % 7 < 5 ? "Group \(number / 9)" : nil
      video.published = number % 4 == 0 ? nil : UnixTime(seconds: number / 5 * 86_400)
      video.span = number % 6 == 0 ? Int.random(in: 1...5, using: &chances) : nil
      return video
    }
    let next =
      Int.random(in: 0..<4, using: &chances) == 0 ? nil : FeedCursor.page(Int.random(in: 0..<9, using: &chances))
    return FeedPage(videos: videos, next: next, total: count * 2, skippedCount: count % 3)
  }

  private func failure(_ chances: inout SeededGenerator) -> FeedFailure {
    let kinds: [FeedFailure.Kind] = [.temporary, .permanent, .wait(seconds: 7), .wait(seconds: 86_400)]
    return FeedFailure(kinds.randomElement(using: &chances) ?? .permanent, "it went wrong", advice: "do better")
  }

  private func check(_ state: AppState) {
    let waterfall = state.cards
    #expect(state.draw().size == state.size)
    #expect((waterfall.selection == nil) == waterfall.cards.isEmpty)
    #expect((0...waterfall.layout.maximumOffset).contains(waterfall.offset))
    #expect(Set(waterfall.cards.slots).count == waterfall.cards.count)
    let facts = state.cardFacts
    for card in waterfall.visibleCards { #expect(waterfall.state(of: card) == facts.state(of: waterfall.cards[card])) }
    // A header may cover one row.
    guard let selection = waterfall.selection, waterfall.viewport.height > 1, waterfall.viewport.width > 0 else {
      return
    }
    #expect(selection < waterfall.cards.count)
    #expect(
      waterfall.visibleCards.contains(selection) || waterfall.frame(of: selection).width == 0,
      "the selected card is not visible")
    checkPlace(of: selection, in: waterfall)
  }

  /// In the carousel the selected card is centered. Elsewhere no header covers it, unless no card of its column is
  /// entirely visible.
  private func checkPlace(of selection: Int, in waterfall: CardsScreen) {
    let frame = waterfall.frame(of: selection)
    guard !waterfall.isHorizontal else {
      #expect(abs(2 * (frame.midX - waterfall.offset) - waterfall.viewport.width) <= 2)
      return
    }
    let place = frame.offsetBy(x: 0, y: -waterfall.offset)
    let isCovered = waterfall.visibleElements.contains { $0.isPinned && $0.frame.intersects(place) }
    guard isCovered else { return }
    let others = waterfall.visibleCards.filter { $0 != selection && waterfall.frame(of: $0).minX == frame.minX }
    #expect(!others.contains { waterfall.layout.shows($0, at: waterfall.offset) }, "a header covers the selected card")
  }
}
