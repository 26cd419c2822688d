import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct CoverMemoryTests {
  private var tickets = TicketOffice(number: 9)

  private func key(_ number: Int) -> CoverKey {
    CoverKey(card: CardID(source: SourceID(0), video: "\(number)"), size: Size(width: 100, height: 100))
  }

  private func request(_ key: CoverKey) -> CoverRequest {
    CoverRequest(
      addresses: [], size: key.size, cellSize: Size(width: 1, height: 1), glyphs: .halves, wantsPixels: false)
  }

  /// Requests and answers the covers `visible`, and `numbers` ahead of them.
  private mutating func fill(_ memory: inout CoverMemory, _ numbers: [Int], visible: [Int]) {
    fill(&memory, CoverMemory.Wishes(visible: visible.map(key), ahead: numbers.map(key)))
  }

  private mutating func fill(_ memory: inout CoverMemory, _ wishes: CoverMemory.Wishes) {
    _ = memory.setWishes(wishes)
    while memory.isLoading {
      for effect in memory.send(memory.nextKeys.map(request), &tickets) {
        guard case .requestCover(let request, let ticket) = effect, let cover = picture(gray: 255, for: request) else {
          continue
        }
        memory.insert(cover, for: ticket)
      }
    }
  }

  @Test mutating func `the least recently visible covers are evicted first`() throws {
    var memory = CoverMemory()
    let one = try #require(picture(gray: 255, for: request(key(0)))).byteCount
    let room = CoverMemory.maximumByteCount / one
    fill(&memory, [], visible: [0, 1])
    fill(&memory, [], visible: [2, 3])
    fill(&memory, Array(4..<room / 2), visible: [0])
    fill(&memory, Array(room / 2..<room + 4), visible: [0])
    #expect(memory.byteCount <= CoverMemory.maximumByteCount)
    #expect(memory[key(0)] != nil, "visible covers are not evicted")
    #expect(memory[key(1)] == nil)
    #expect(memory.color(of: key(1).card) == .white)
    #expect(memory[key(room + 3)] != nil)
  }

  @Test mutating func `many covers of a server without room do not hold back another server's`() throws {
    var memory = CoverMemory()
    let other = 100
    _ = memory.setWishes(CoverMemory.Wishes(visible: (0...other).map(key)))
    let busy = try #require(WebAddress("https://busy.example/1.jpg"))
    var (requests, roundCount) = ([CoverRequest](), 0)
    while !memory.nextKeys.isEmpty, roundCount < 10 {
      let asked = memory.nextKeys.map { key -> CoverRequest in
        var request = request(key)
        if key != self.key(other) { request.addresses = [.web(busy)] }
        return request
      }
      for case .requestCover(let request, _) in memory.send(asked, &tickets) { requests.append(request) }
      roundCount += 1
    }
    #expect(requests.count == 9 && requests.last?.addresses.isEmpty == true && roundCount == 3)
  }

  @Test mutating func `a cover that replaces one of its size counts once`() throws {
    var memory = CoverMemory()
    fill(&memory, [], visible: [0])
    let count = memory.byteCount
    var free = request(key(0))
    (free.size.height, free.freeHeight) = (56, CoverRequest.FreeHeight(width: 100, limits: 1...200))
    _ = memory.setWishes(CoverMemory.Wishes(visible: [CoverKey(card: key(0).card, size: free.size)]))
    guard case .requestCover(_, let ticket)? = memory.send([free], &tickets).first else {
      Issue.record("no cover was requested")
      return
    }
    memory.insert(try #require(picture(gray: 0, for: free, size: Size(width: 9, height: 9))), for: ticket)
    #expect(memory[key(0)] != nil && memory.byteCount == count)
  }

  @Test mutating func `a cover that arrives again after all were removed has another number`() {
    var memory = CoverMemory()
    fill(&memory, [], visible: [0])
    let old = memory[key(0)]?.id
    _ = memory.removeAll()
    fill(&memory, [], visible: [0])
    let new = memory[key(0)]?.id
    #expect(old != nil && new != nil && old != new)
  }

  @Test mutating func `covers ahead are evicted after those behind`() throws {
    var memory = CoverMemory()
    let one = try #require(picture(gray: 255, for: request(key(0)))).byteCount
    let room = CoverMemory.maximumByteCount / one
    fill(&memory, [1, 2, 3], visible: [0])
    fill(&memory, [], visible: [4])
    fill(&memory, Array(5..<room / 2), visible: [])
    fill(&memory, Array(room / 2..<room - 1), visible: [])
    fill(&memory, [1, 2, 3], visible: [room, room + 1, room + 2])
    let kept = (1...4).filter { memory[key($0)] != nil }
    #expect(kept == [1, 2, 3])
  }

  @Test mutating func `covers ahead that do not fit are not requested repeatedly`() throws {
    var memory = CoverMemory()
    let one = try #require(picture(gray: 255, for: request(key(0)))).byteCount
    let many = CoverMemory.maximumByteCount / one * 3 / 4
    let wishes = CoverMemory.Wishes(visible: (0..<many).map(key), ahead: (many..<many * 2).map(key))
    fill(&memory, wishes)
    _ = memory.setWishes(wishes)
    let (isLoading, byteCount) = (memory.isLoading, memory.byteCount)
    #expect(!isLoading)
    #expect(byteCount <= CoverMemory.maximumByteCount)
    // Covers behind the view are evicted for those ahead.
    fill(&memory, CoverMemory.Wishes(visible: [key(many * 2)], ahead: [key(many * 2 + 1)]))
    let isThere = memory[key(many * 2 + 1)] != nil
    #expect(isThere)
  }

  @Test mutating func `while no server has room, no request is prepared until one has ended`() throws {
    var memory = CoverMemory()
    _ = memory.setWishes(CoverMemory.Wishes(visible: (0..<20).map(key)))
    func next() -> [CoverRequest?] {
      memory.nextKeys.map { key in
        var request = request(key)
        request.addresses = WebAddress("https://covers.example/\(key.card.video)").map { [.web($0)] } ?? []
        return request
      }
    }
    var sent: [(request: CoverRequest, ticket: Ticket)] = []
    for _ in 0..<2 {
      for case .requestCover(let request, let ticket) in memory.send(next(), &tickets) {
        sent.append((request, ticket))
      }
    }
    #expect(sent.count == 8 && memory.nextKeys.isEmpty && memory.isLoading)
    memory.insert(try #require(picture(gray: 255, for: sent[0].request)), for: sent[0].ticket)
    #expect(memory.nextKeys.count == 12)
    #expect(memory.send(next(), &tickets).count == 1)
    let further = memory.send(next(), &tickets)
    #expect(further.isEmpty && memory.nextKeys.isEmpty)
    _ = memory.setWishes(CoverMemory.Wishes(visible: (0..<20).map(key)))
    #expect(!memory.nextKeys.isEmpty)
  }

  @Test mutating func `a pending request has a card until it is answered or canceled`() throws {
    var memory = CoverMemory()
    _ = memory.setWishes(CoverMemory.Wishes(visible: [key(0), key(1)]))
    let requested = memory.send(memory.nextKeys.map { request($0) }, &tickets).compactMap { effect in
      if case .requestCover(_, let ticket) = effect { ticket } else { nil }
    }
    #expect(requested.map { memory.card(ofRequest: $0) } == [key(0).card, key(1).card])
    _ = memory.coverFailed(FeedFailure(.temporary, "no answer"), for: requested[0], &tickets)
    #expect(requested.map { memory.card(ofRequest: $0) } == [nil, key(1).card])
    _ = memory.setWishes(CoverMemory.Wishes())
    #expect(memory.card(ofRequest: requested[1]) == nil)
  }

  // MARK: - Stale covers

  private struct Sent {
    var ticket: Ticket
    var request: CoverRequest
    var key: CoverKey
  }

  private mutating func send(_ memory: inout CoverMemory) -> [Sent] {
    var sent: [Sent] = []
    while !memory.nextKeys.isEmpty {
      let keys = Array(memory.nextKeys)
      let effects = memory.send(keys.map(request), &tickets)
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
    // The memory does not measure it.
    request.size = Size(width: 2, height: 1)
    var cover = try #require(picture(gray: gray, for: request))
    cover.freshness = freshness
    return cover
  }

  @Test mutating func `a stale cover is shown, and requested once more until it is fresh`() throws {
    var memory = CoverMemory()
    let now = UnixTime(seconds: 10_000)
    _ = memory.setWishes(CoverMemory.Wishes(visible: [key(0)]), at: now)
    let first = send(&memory)
    #expect(first.map(\.request.use) == [.always])
    memory.insert(try cover(key(0), freshness: 9_000..<9_999), for: first[0].ticket, at: now)
    let old = try #require(memory[key(0)])
    let second = send(&memory)
    #expect(second.map(\.request.use) == [.whileFresh] && memory[key(0)] == old)
    // Its failure leaves the old cover, without a message.
    _ = memory.coverFailed(FeedFailure(.temporary, "no answer"), for: second[0].ticket, &tickets)
    #expect(memory[key(0)] == old && memory.failure(of: key(0).card) == nil)
    let blocked = memory.setWishes(CoverMemory.Wishes(visible: [key(0)]), at: now)
    #expect(blocked.isEmpty && send(&memory).isEmpty)
  }

  @Test mutating func `a confirmed cover keeps its number, and a new one has another`() throws {
    var memory = CoverMemory()
    for (gray, seconds) in [(UInt8(255), 10), (255, 20), (0, 30), (0, 40)] {
      _ = memory.setWishes(CoverMemory.Wishes(visible: [key(0)]), at: UnixTime(seconds: seconds))
      let sent = send(&memory)
      #expect(sent.count == 1)
      let picture = try cover(key(0), gray: gray, freshness: seconds..<seconds + 10)
      memory.insert(picture, for: sent[0].ticket, at: UnixTime(seconds: seconds))
      #expect(memory[key(0)]?.id == (gray == 255 ? 1 : 2))
    }
  }

  @Test mutating func `a cover that is stale on arrival is requested once in a minute`() throws {
    var memory = CoverMemory()
    var count = 0
    for seconds in 0..<180 {
      _ = memory.setWishes(CoverMemory.Wishes(visible: [key(0)]), at: UnixTime(seconds: 5_000 + seconds))
      var sent = send(&memory)
      while let request = sent.popLast() {
        count += 1
        memory.insert(try cover(key(0), freshness: 0..<1), for: request.ticket, at: UnixTime(seconds: 5_000 + seconds))
        sent += send(&memory)
      }
    }
    #expect(count == 4, "the cached one, and three from the server")
  }

  @Test mutating func `a retry requests the wanted covers that failed or may have changed`() throws {
    var memory = CoverMemory()
    let now = UnixTime(seconds: 1_000)
    let wishes = CoverMemory.Wishes(visible: (0..<5).map(key))
    _ = memory.setWishes(wishes, at: now)
    let sent = send(&memory)
    for (number, freshness) in [(0, nil), (1, 900..<9_000), (2, 1_100..<9_000)] as [(Int, Range<Int>?)] {
      memory.insert(try cover(key(number), freshness: freshness), for: sent[number].ticket, at: now)
    }
    _ = memory.coverFailed(FeedFailure(.permanent, "the server answered 404 Not Found"), for: sent[3].ticket, &tickets)
    for press in 1...2 {
      memory.retry(at: now)
      let effects = memory.setWishes(wishes, at: now)
      let retried = send(&memory)
      #expect(effects.isEmpty && Set(retried.map(\.key)) == [key(1), key(3)], "the last one is still pending")
      #expect(retried.allSatisfy { $0.request.use == .retried(press: press) })
      for request in retried {
        _ = memory.coverFailed(FeedFailure(.temporary, "no answer"), for: request.ticket, &tickets)
      }
    }
  }

  @Test mutating func `a retry of 10,000 wanted covers sends as many requests as any other`() {
    var memory = CoverMemory()
    let wishes = CoverMemory.Wishes(visible: (0..<10_000).map(key))
    memory.retry(at: nil)
    _ = memory.setWishes(wishes)
    memory.retry(at: UnixTime(seconds: 1))
    _ = memory.setWishes(wishes)
    let count = send(&memory).count
    #expect(count == 24)
  }

  @Test(arguments: 1...60)
  mutating func `any order of answers, retries and clocks sends a bounded number of requests`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (memory, sent): (CoverMemory, [Sent]) = (CoverMemory(), [])
    var (requestCount, presses, answers, clock) = (0, 0, 0, 1_000)
    for _ in 0..<300 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        clock = [0, clock + 30, clock + 700, clock - 500, 1 << 40].randomElement(using: &random) ?? clock
      case 1:
        memory.retry(at: random.chance(1, in: 5) ? nil : UnixTime(seconds: clock))
        presses += 1
      case 2...4:
        let numbers = (0..<12).filter { _ in random.chance(2, in: 3) }.map(key)
        _ = memory.setWishes(CoverMemory.Wishes(visible: numbers), at: UnixTime(seconds: clock))
        sent.removeAll { memory.card(ofRequest: $0.ticket) == nil }
      default:
        guard let number = sent.indices.randomElement(using: &random) else { continue }
        let request = sent.remove(at: number)
        answers += 1
        if random.chance(1, in: 4) {
          _ = memory.coverFailed(FeedFailure(.temporary, "no"), for: request.ticket, &tickets)
        } else {
          let start = clock + Int.random(in: -2_000...2_000, using: &random)
          let picture = try cover(request.key, freshness: start..<start + Int.random(in: 0...900, using: &random))
          memory.insert(picture, for: request.ticket, at: UnixTime(seconds: clock))
        }
      }
      let new = send(&memory)
      requestCount += new.count
      sent += new
      #expect(Set(sent.map(\.key)).count == sent.count, "one request at a time for each cover")
      #expect(sent.count <= 24)
    }
    // Each request answers a wish, a stale arrival or a press: each leads to at most one other.
    #expect(requestCount <= 300 * 12)
    var rounds = 0
    _ = memory.setWishes(CoverMemory.Wishes(visible: (0..<12).map(key)), at: UnixTime(seconds: clock))
    sent += send(&memory)
    sent.removeAll { memory.card(ofRequest: $0.ticket) == nil }
    while let request = sent.popLast() {
      rounds += 1
      memory.insert(try cover(request.key, freshness: 0..<1), for: request.ticket, at: UnixTime(seconds: clock))
      sent += send(&memory)
    }
    #expect(rounds <= 36 && !memory.isLoading)
  }

  @Test mutating func `visible covers are never evicted`() {
    var memory = CoverMemory()
    let numbers = Array(0..<400)
    fill(&memory, [], visible: numbers)
    #expect(numbers.allSatisfy { memory[key($0)] != nil })
  }
}
