import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

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
    fill(&shelf, CoverShelf.Wishes(visible: visible.map(key), ahead: numbers.map(key)))
  }

  private mutating func fill(_ shelf: inout CoverShelf, _ wishes: CoverShelf.Wishes) {
    _ = shelf.setWishes(wishes)
    while shelf.isLoading {
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

  @Test mutating func `many covers of a server without room do not hold back another server's`() throws {
    var shelf = CoverShelf()
    let other = 100
    _ = shelf.setWishes(CoverShelf.Wishes(visible: (0...other).map(key)))
    let busy = try #require(WebAddress("https://busy.example/1.jpg"))
    var (requests, roundCount) = ([CoverRequest](), 0)
    while !shelf.nextKeys.isEmpty, roundCount < 10 {
      let asked = shelf.nextKeys.map { key -> CoverRequest in
        var request = request(key)
        if key != self.key(other) { request.addresses = [.web(busy)] }
        return request
      }
      for case .requestCover(let request, _) in shelf.send(asked, &tickets) { requests.append(request) }
      roundCount += 1
    }
    #expect(requests.count == 9 && requests.last?.addresses.isEmpty == true && roundCount == 3)
  }

  @Test mutating func `a cover that replaces one of its size counts once`() throws {
    var shelf = CoverShelf()
    fill(&shelf, [], visible: [0])
    let count = shelf.byteCount
    var free = request(key(0))
    (free.size.height, free.freeHeight) = (56, CoverRequest.FreeHeight(width: 100, limits: 1...200))
    _ = shelf.setWishes(CoverShelf.Wishes(visible: [CoverKey(card: key(0).card, size: free.size)]))
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
    let wishes = CoverShelf.Wishes(visible: (0..<many).map(key), ahead: (many..<many * 2).map(key))
    fill(&shelf, wishes)
    _ = shelf.setWishes(wishes)
    let (isLoading, byteCount) = (shelf.isLoading, shelf.byteCount)
    #expect(!isLoading)
    #expect(byteCount <= CoverShelf.maximumByteCount)
    // Covers behind the view are evicted for those ahead.
    fill(&shelf, CoverShelf.Wishes(visible: [key(many * 2)], ahead: [key(many * 2 + 1)]))
    let isThere = shelf[key(many * 2 + 1)] != nil
    #expect(isThere)
  }

  @Test mutating func `while no server has room, no request is prepared until one has ended`() throws {
    var shelf = CoverShelf()
    _ = shelf.setWishes(CoverShelf.Wishes(visible: (0..<20).map(key)))
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
    #expect(sent.count == 8 && shelf.nextKeys.isEmpty && shelf.isLoading)
    shelf.insert(try #require(picture(gray: 255, for: sent[0].request)), for: sent[0].ticket)
    #expect(shelf.nextKeys.count == 12)
    #expect(shelf.send(next(), &tickets).count == 1)
    let further = shelf.send(next(), &tickets)
    #expect(further.isEmpty && shelf.nextKeys.isEmpty)
    _ = shelf.setWishes(CoverShelf.Wishes(visible: (0..<20).map(key)))
    #expect(!shelf.nextKeys.isEmpty)
  }

  @Test mutating func `a pending request has a card until it is answered or canceled`() throws {
    var shelf = CoverShelf()
    _ = shelf.setWishes(CoverShelf.Wishes(visible: [key(0), key(1)]))
    let requested = shelf.send(shelf.nextKeys.map { request($0) }, &tickets).compactMap { effect in
      if case .requestCover(_, let ticket) = effect { ticket } else { nil }
    }
    #expect(requested.map { shelf.card(ofRequest: $0) } == [key(0).card, key(1).card])
    _ = shelf.coverFailed(FeedFailure(.temporary, "no answer"), for: requested[0], &tickets)
    #expect(requested.map { shelf.card(ofRequest: $0) } == [nil, key(1).card])
    _ = shelf.setWishes(CoverShelf.Wishes())
    #expect(shelf.card(ofRequest: requested[1]) == nil)
  }

  // MARK: - Stale covers

  private struct Sent {
    var ticket: Ticket
    var request: CoverRequest
    var key: CoverKey
  }

  private mutating func send(_ shelf: inout CoverShelf) -> [Sent] {
    var sent: [Sent] = []
    while !shelf.nextKeys.isEmpty {
      let keys = Array(shelf.nextKeys)
      let effects = shelf.send(keys.map(request), &tickets)
      if effects.isEmpty { break }
      for (key, effect) in zip(keys, effects) {
        if case .requestCover(let request, let ticket) = effect {
          sent.append(Sent(ticket: ticket, request: request, key: key))
        }
      }
    }
    return sent
  }

  private func cover(_ key: CoverKey, gray: UInt8 = 255, freshness: Range<Int>?) throws -> CoverPicture {
    var request = request(key)
    // The shelf does not measure it.
    request.size = Size(width: 2, height: 1)
    var cover = try #require(picture(gray: gray, for: request))
    cover.freshness = freshness
    return cover
  }

  @Test mutating func `a stale cover is shown, and requested once more until it is fresh`() throws {
    var shelf = CoverShelf()
    let now = UnixTime(seconds: 10_000)
    _ = shelf.setWishes(CoverShelf.Wishes(visible: [key(0)]), at: now)
    let first = send(&shelf)
    #expect(first.map(\.request.use) == [.always])
    shelf.insert(try cover(key(0), freshness: 9_000..<9_999), for: first[0].ticket, at: now)
    let old = try #require(shelf[key(0)])
    let second = send(&shelf)
    #expect(second.map(\.request.use) == [.whileFresh] && shelf[key(0)] == old)
    // Its failure leaves the old cover, without a message.
    _ = shelf.coverFailed(FeedFailure(.temporary, "no answer"), for: second[0].ticket, &tickets)
    #expect(shelf[key(0)] == old && shelf.failure(of: key(0).card) == nil)
    let blocked = shelf.setWishes(CoverShelf.Wishes(visible: [key(0)]), at: now)
    #expect(blocked.isEmpty && send(&shelf).isEmpty)
  }

  @Test mutating func `a confirmed cover keeps its number, and a new one has another`() throws {
    var shelf = CoverShelf()
    for (gray, seconds) in [(UInt8(255), 10), (255, 20), (0, 30), (0, 40)] {
      _ = shelf.setWishes(CoverShelf.Wishes(visible: [key(0)]), at: UnixTime(seconds: seconds))
      let sent = send(&shelf)
      #expect(sent.count == 1)
      let picture = try cover(key(0), gray: gray, freshness: seconds..<seconds + 10)
      shelf.insert(picture, for: sent[0].ticket, at: UnixTime(seconds: seconds))
      #expect(shelf[key(0)]?.id == (gray == 255 ? 1 : 2))
    }
  }

  @Test mutating func `a cover that is stale on arrival is requested once in a minute`() throws {
    var shelf = CoverShelf()
    var count = 0
    for seconds in 0..<180 {
      _ = shelf.setWishes(CoverShelf.Wishes(visible: [key(0)]), at: UnixTime(seconds: 5_000 + seconds))
      var sent = send(&shelf)
      while let request = sent.popLast() {
        count += 1
        shelf.insert(try cover(key(0), freshness: 0..<1), for: request.ticket, at: UnixTime(seconds: 5_000 + seconds))
        sent += send(&shelf)
      }
    }
    #expect(count == 4, "the cached one, and three from the server")
  }

  @Test mutating func `a retry requests the wanted covers that failed or may have changed`() throws {
    var shelf = CoverShelf()
    let now = UnixTime(seconds: 1_000)
    let wishes = CoverShelf.Wishes(visible: (0..<5).map(key))
    _ = shelf.setWishes(wishes, at: now)
    let sent = send(&shelf)
    for (number, freshness) in [(0, nil), (1, 900..<9_000), (2, 1_100..<9_000)] as [(Int, Range<Int>?)] {
      shelf.insert(try cover(key(number), freshness: freshness), for: sent[number].ticket, at: now)
    }
    _ = shelf.coverFailed(FeedFailure(.permanent, "the server answered 404 Not Found"), for: sent[3].ticket, &tickets)
    for press in 1...2 {
      shelf.retry(at: now)
      let effects = shelf.setWishes(wishes, at: now)
      let retried = send(&shelf)
      #expect(effects.isEmpty && Set(retried.map(\.key)) == [key(1), key(3)], "the last one is still pending")
      #expect(retried.allSatisfy { $0.request.use == .retried(press: press) })
      for request in retried {
        _ = shelf.coverFailed(FeedFailure(.temporary, "no answer"), for: request.ticket, &tickets)
      }
    }
  }

  @Test mutating func `a retry of 10,000 wanted covers sends as many requests as any other`() {
    var shelf = CoverShelf()
    let wishes = CoverShelf.Wishes(visible: (0..<10_000).map(key))
    shelf.retry(at: nil)
    _ = shelf.setWishes(wishes)
    shelf.retry(at: UnixTime(seconds: 1))
    _ = shelf.setWishes(wishes)
    let count = send(&shelf).count
    #expect(count == 24)
  }

  @Test(arguments: 1...60)
  mutating func `any order of answers, retries and clocks sends a bounded number of requests`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (shelf, sent): (CoverShelf, [Sent]) = (CoverShelf(), [])
    var (requestCount, presses, answers, clock) = (0, 0, 0, 1_000)
    for _ in 0..<300 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        clock = [0, clock + 30, clock + 700, clock - 500, 1 << 40].randomElement(using: &random) ?? clock
      case 1:
        shelf.retry(at: random.chance(1, in: 5) ? nil : UnixTime(seconds: clock))
        presses += 1
      case 2...4:
        let numbers = (0..<12).filter { _ in random.chance(2, in: 3) }.map(key)
        _ = shelf.setWishes(CoverShelf.Wishes(visible: numbers), at: UnixTime(seconds: clock))
        sent.removeAll { shelf.card(ofRequest: $0.ticket) == nil }
      default:
        guard let number = sent.indices.randomElement(using: &random) else { continue }
        let request = sent.remove(at: number)
        answers += 1
        if random.chance(1, in: 4) {
          _ = shelf.coverFailed(FeedFailure(.temporary, "no"), for: request.ticket, &tickets)
        } else {
          let start = clock + Int.random(in: -2_000...2_000, using: &random)
          let picture = try cover(request.key, freshness: start..<start + Int.random(in: 0...900, using: &random))
          shelf.insert(picture, for: request.ticket, at: UnixTime(seconds: clock))
        }
      }
      let new = send(&shelf)
      requestCount += new.count
      sent += new
      #expect(Set(sent.map(\.key)).count == sent.count, "one request at a time for each cover")
      #expect(sent.count <= 24)
    }
    // Each request answers a wish, a stale arrival or a press: each leads to at most one other.
    #expect(requestCount <= 300 * 12)
    var rounds = 0
    _ = shelf.setWishes(CoverShelf.Wishes(visible: (0..<12).map(key)), at: UnixTime(seconds: clock))
    sent += send(&shelf)
    sent.removeAll { shelf.card(ofRequest: $0.ticket) == nil }
    while let request = sent.popLast() {
      rounds += 1
      shelf.insert(try cover(request.key, freshness: 0..<1), for: request.ticket, at: UnixTime(seconds: clock))
      sent += send(&shelf)
    }
    #expect(rounds <= 36 && !shelf.isLoading)
  }

  @Test mutating func `visible covers are never evicted`() {
    var shelf = CoverShelf()
    let numbers = Array(0..<400)
    fill(&shelf, [], visible: numbers)
    #expect(numbers.allSatisfy { shelf[key($0)] != nil })
  }
}
