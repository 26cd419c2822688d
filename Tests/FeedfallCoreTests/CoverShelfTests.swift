import FeedfallFeeds
import FeedfallLoading
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallCore

@Suite(.hangLimit) struct CoverShelfTests {
  private var tickets = TicketOffice(number: 9)

  private func key(_ number: Int) -> CoverKey {
    CoverKey(card: CardID(source: SourceID(0), video: "\(number)"), size: Size(width: 100, height: 100))
  }

  private func request(_ key: CoverKey) -> CoverRequest {
    CoverRequest(
      addresses: [], size: key.size, cellSize: Size(width: 1, height: 1), glyphs: .halves, wantsPixels: false)
  }

  /// Requests and answers the covers `visible`, and `numbers` ahead of them.
  private mutating func fill(_ shelf: inout CoverShelf, _ numbers: [Int], visible: [Int]) {
    fill(&shelf, CoverWishes(visible: visible.map(key), ahead: numbers.map(key)))
  }

  private mutating func fill(_ shelf: inout CoverShelf, _ wishes: CoverWishes) {
    _ = shelf.setWishes(wishes)
    while shelf.hasWishes {
      for effect in shelf.send(shelf.nextKeys.map(request), &tickets) {
        guard case .requestCover(let request, let ticket) = effect, let cover = picture(gray: 255, for: request) else {
          continue
        }
        shelf.insert(cover, for: ticket)
      }
    }
  }

  @Test mutating func `the least recently visible covers are evicted first`() throws {
    var shelf = CoverShelf()
    let one = try #require(picture(gray: 255, for: request(key(0)))).byteCount
    let room = CoverShelf.maximumByteCount / one
    fill(&shelf, [], visible: [0, 1])
    fill(&shelf, [], visible: [2, 3])
    fill(&shelf, Array(4..<room / 2), visible: [0])
    fill(&shelf, Array(room / 2..<room + 4), visible: [0])
    #expect(shelf.byteCount <= CoverShelf.maximumByteCount)
    #expect(shelf[key(0)] != nil, "visible covers are not evicted")
    #expect(shelf[key(1)] == nil)
    #expect(shelf.color(of: key(1).card) == .white)
    #expect(shelf[key(room + 3)] != nil)
  }

  @Test mutating func `a cover that replaces one of its size counts once`() throws {
    var shelf = CoverShelf()
    fill(&shelf, [], visible: [0])
    let count = shelf.byteCount
    var free = request(key(0))
    (free.size.height, free.freeHeight) = (56, FreeHeight(width: 100, limits: 1...200))
    _ = shelf.setWishes(CoverWishes(visible: [CoverKey(card: key(0).card, size: free.size)]))
    guard case .requestCover(_, let ticket)? = shelf.send([free], &tickets).first else {
      Issue.record("no cover was requested")
      return
    }
    shelf.insert(try #require(picture(gray: 0, for: free, size: Size(width: 9, height: 9))), for: ticket)
    #expect(shelf[key(0)] != nil && shelf.byteCount == count)
  }

  @Test mutating func `a cover that arrives again after all were removed has another number`() {
    var shelf = CoverShelf()
    fill(&shelf, [], visible: [0])
    let old = shelf[key(0)]?.id
    _ = shelf.removeAll()
    fill(&shelf, [], visible: [0])
    let new = shelf[key(0)]?.id
    #expect(old != nil && new != nil && old != new)
  }

  @Test mutating func `covers ahead are evicted after those behind`() throws {
    var shelf = CoverShelf()
    let one = try #require(picture(gray: 255, for: request(key(0)))).byteCount
    let room = CoverShelf.maximumByteCount / one
    fill(&shelf, [1, 2, 3], visible: [0])
    fill(&shelf, [], visible: [4])
    fill(&shelf, Array(5..<room / 2), visible: [])
    fill(&shelf, Array(room / 2..<room - 1), visible: [])
    fill(&shelf, [1, 2, 3], visible: [room, room + 1, room + 2])
    let kept = (1...4).filter { shelf[key($0)] != nil }
    #expect(kept == [1, 2, 3])
  }

  @Test mutating func `covers ahead that do not fit are not requested repeatedly`() throws {
    var shelf = CoverShelf()
    let one = try #require(picture(gray: 255, for: request(key(0)))).byteCount
    let many = CoverShelf.maximumByteCount / one * 3 / 4
    let wishes = CoverWishes(visible: (0..<many).map(key), ahead: (many..<many * 2).map(key))
    fill(&shelf, wishes)
    _ = shelf.setWishes(wishes)
    let (hasWishes, byteCount) = (shelf.hasWishes, shelf.byteCount)
    #expect(!hasWishes)
    #expect(byteCount <= CoverShelf.maximumByteCount)
    // Covers behind the view are evicted for those ahead.
    fill(&shelf, CoverWishes(visible: [key(many * 2)], ahead: [key(many * 2 + 1)]))
    let isThere = shelf[key(many * 2 + 1)] != nil
    #expect(isThere)
  }

  @Test mutating func `while no server has room, no request is prepared until one has ended`() throws {
    var shelf = CoverShelf()
    _ = shelf.setWishes(CoverWishes(visible: (0..<20).map(key)))
    func next() -> [CoverRequest?] {
      shelf.nextKeys.map { key in
        var request = request(key)
        request.addresses = WebAddress("https://covers.example/\(key.card.video)").map { [.web($0)] } ?? []
        return request
      }
    }
    var sent: [(request: CoverRequest, ticket: Ticket)] = []
    for _ in 0..<2 {
      for case .requestCover(let request, let ticket) in shelf.send(next(), &tickets) { sent.append((request, ticket)) }
    }
    #expect(sent.count == 8 && shelf.nextKeys.isEmpty && shelf.hasWishes)
    shelf.insert(try #require(picture(gray: 255, for: sent[0].request)), for: sent[0].ticket)
    #expect(shelf.nextKeys.count == 12)
    #expect(shelf.send(next(), &tickets).count == 1)
    let further = shelf.send(next(), &tickets)
    #expect(further.isEmpty && shelf.nextKeys.isEmpty)
    _ = shelf.setWishes(CoverWishes(visible: (0..<20).map(key)))
    #expect(!shelf.nextKeys.isEmpty)
  }

  @Test mutating func `a pending request has a card until it is answered or canceled`() throws {
    var shelf = CoverShelf()
    _ = shelf.setWishes(CoverWishes(visible: [key(0), key(1)]))
    let requested = shelf.send(shelf.nextKeys.map { request($0) }, &tickets).compactMap { effect in
      if case .requestCover(_, let ticket) = effect { ticket } else { nil }
    }
    #expect(requested.map { shelf.card(ofRequest: $0) } == [key(0).card, key(1).card])
    _ = shelf.handle(FeedFailure(.temporary, "no answer"), for: requested[0], &tickets)
    #expect(requested.map { shelf.card(ofRequest: $0) } == [nil, key(1).card])
    _ = shelf.setWishes(CoverWishes())
    #expect(shelf.card(ofRequest: requested[1]) == nil)
  }

  @Test mutating func `visible covers are never evicted`() {
    var shelf = CoverShelf()
    let numbers = Array(0..<400)
    fill(&shelf, [], visible: numbers)
    #expect(numbers.allSatisfy { shelf[key($0)] != nil })
  }
}
