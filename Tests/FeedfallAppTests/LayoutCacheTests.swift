import FeedfallFeeds
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct LayoutCacheTests {
  private var store = CardStore()
  private let slots: [CardSlot]

  init() { slots = store.list(sampleVideos(30), of: SourceID(0)) }

  private func laidOut(_ slots: [CardSlot], width: Int = 100) -> (cards: CardList, layout: CardLayout) {
    var (cards, layout) = (CardList(), empty(width: width))
    _ = cards.append(slots, from: store)
    layout.append(cards, slots.indices, store)
    return (cards, layout)
  }

  private func empty(width: Int = 100) -> CardLayout {
    CardLayout(
      .waterfall, options: LayoutOptions(), viewport: Size(width: width, height: 30),
      cellSize: Size(width: 8, height: 16), medianAspect: CardMetrics.usualAspect)
  }

  private func memory(_ lists: [CardSlot]...) -> LayoutCache {
    lists.reduce(into: LayoutCache()) { memory, slots in
      let (cards, layout) = laidOut(slots)
      memory.insert(cards, layout, store)
    }
  }

  @Test func `a list is restored once, with the layout that a new one would have`() throws {
    var memory = memory(slots, Array(slots[..<10]))
    let restored = memory.remove(slots, like: empty(), store)
    let known = try #require(restored)
    let (cards, layout) = laidOut(slots)
    #expect(known.cards.slots == cards.slots && known.cards.hues == cards.hues)
    #expect((0..<cards.count).allSatisfy { known.layout.frame(of: $0) == layout.frame(of: $0) })
    #expect(memory.remove(slots, like: empty(), store) == nil)
    #expect(memory.remove(Array(slots[..<10]), like: empty(), store) != nil)
  }

  @Test func `other cards, another order and another size are laid out anew`() {
    var memory = memory(slots)
    #expect(memory.remove(Array(slots[1...]), like: empty(), store) == nil)
    #expect(memory.remove(slots.reversed(), like: empty(), store) == nil)
    #expect(memory.remove(slots, like: empty(width: 90), store) == nil)
    #expect(memory.remove(slots, like: empty(), store) != nil)
  }

  @Test func `changed cards are laid out anew`() {
    var (memory, changed) = (memory(slots), store)
    _ = changed.list([sampleVideo(99)], of: SourceID(0))
    #expect(memory.remove(slots, like: empty(), changed) == nil)
  }
}
