import FeedfallFeeds
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// Rows of covers that fill the width.
@Suite(.hangLimit) struct JustifiedLayoutTests {
  private func showing(
    _ videos: [Video] = sampleVideos(60), width: Int = 80, height: Int = 24, next: FeedCursor? = nil
  ) -> Scenario {
    Scenario.showing(videos, next: next, width: width, height: height, layout: .justified)
  }

  /// The frames of the cards by row.
  private func rows(_ cards: CardsScreen, _ count: Int) -> [[Rect]] {
    let frames = (0..<count).map(cards.frame)
    return Dictionary(grouping: frames, by: \.minY).sorted { $0.key < $1.key }.map(\.value)
  }

  @Test(arguments: [40, 80, 120, 200, 317])
  func `rows fill the width, and cards of a row have one height`(width: Int) {
    let cards = showing(width: width, height: 40).state.cards
    let rows = rows(cards, 60)
    let left = rows[0][0].minX
    for row in rows {
      #expect(Set(row.map(\.height)).count == 1)
      #expect(row.allSatisfy { $0.width >= 8 })
    }
    for row in rows.dropLast() { #expect(row[0].minX == left && row[row.count - 1].maxX == width - left) }
  }

  @Test func `a cover is as wide as its picture wants`() throws {
    var videos = sampleVideos(12)
    for index in videos.indices {
      videos[index].pictureSize =
        index % 2 == 0 ? PixelSize(width: 1200, height: 900) : PixelSize(width: 3000, height: 1000)
    }
    let cards = showing(videos, width: 200, height: 50).state.cards
    for card in 0..<6 {
      let frame = cards.frame(of: card)
      let cover = try #require(cards.metrics.coverFrame(in: frame, of: cards.cards.shapes[card]))
      #expect(cover.width == frame.width && cover.height == frame.height - 3)
      let aspect = Double(cover.width) / Double(2 * cover.height)
      // Cards are at most 21:9.
      #expect(abs(aspect / (card % 2 == 0 ? 4.0 / 3.0 : 21.0 / 9.0) - 1) < 0.15)
    }
  }

  @Test func `a feed's rows and spans do not break the rows`() {
    var videos = sampleVideos(12)
    (videos[1].span, videos[2].rows) = (3, 20)
    let cards = showing(videos).state.cards
    #expect((0..<12).map(cards.frame) == (0..<12).map(showing(sampleVideos(12)).state.cards.frame))
  }

  @Test func `the next page fills the last row, and no row above it moves`() {
    var scenario = showing(sampleVideos(21), next: .page(1))
    let before = rows(scenario.state.cards, 21)
    scenario.type("G")
    scenario.endWaits()
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 21)))
    let after = rows(scenario.state.cards, 41)
    #expect(before.count > 3 && Array(after.prefix(before.count - 1)) == Array(before.dropLast()))
    #expect(after == rows(showing(sampleVideos(41)).state.cards, 41))
  }

  @Test func `down and up select the card with the nearest center`() {
    let scenario = showing(width: 120, height: 36)
    let cards = scenario.typing("lj").state.cards
    let start = cards.frame(of: 1)
    let below = rows(cards, 60)[1]
    let nearest = below.min { abs($0.midX - start.midX) < abs($1.midX - start.midX) }
    #expect(cards.selection.map(cards.frame) == nearest)
    #expect(scenario.typing("ljk").state.cards.selection == 1)
  }
}
