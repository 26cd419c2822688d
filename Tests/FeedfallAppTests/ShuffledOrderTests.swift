import FeedfallRecords
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct ShuffledOrderTests {
  private func cards(_ range: Range<Int>) -> [VideoKey] {
    range.map { VideoKey(text: "film-\($0)") }
  }

  /// The cards from the first one on until the order ends.
  private func all(_ seed: UInt64, _ cards: [VideoKey]) -> [VideoKey] {
    var order = PlayList.ShuffledOrder(seed: seed)
    var played = [cards[0]]
    while let last = played.last, let next = order.next(after: last, among: cards, startsOver: false) {
      played.append(next)
    }
    return played
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `each card is played once, in an order of its own for each seed`(seed: UInt64) {
    let cards = cards(0..<50)
    let order = all(seed, cards)
    #expect(order.count == 50 && Set(order) == Set(cards))
    #expect(order == all(seed, cards))
    #expect(order != all(seed + 1, cards) && order != cards)
  }

  @Test func `cards that are gone are skipped, and new ones are played`() {
    let cards = cards(0..<6)
    let before = all(3, cards)
    var order = PlayList.ShuffledOrder(seed: 3)
    #expect(order.next(after: before[0], among: cards, startsOver: false) == before[1])
    let left = cards.filter { $0 != before[2] }
    #expect(order.next(after: before[1], among: left, startsOver: false) == before[3])
    #expect(order.next(after: before[1], among: [], startsOver: false) == nil)
    let new = VideoKey(text: "new")
    #expect(order.next(after: before[1], among: [before[1], new], startsOver: false) == new)
  }

  @Test func `a repeated list is shuffled anew, without the last card at once`() {
    let cards = cards(0..<8)
    var order = PlayList.ShuffledOrder(seed: 5)
    var played = [cards[0]]
    for _ in 0..<15 {
      played += [order.next(after: played[played.count - 1], among: cards, startsOver: true)].compactMap(\.self)
    }
    #expect(Set(played[..<8]) == Set(cards))
    #expect(played[7] != played[8])
    #expect(Set(played[7..<15]) == Set(cards) && Array(played[7..<15]) != Array(played[..<8]))
    #expect(order.next(after: cards[0], among: [cards[0]], startsOver: true) == cards[0])
  }
}
