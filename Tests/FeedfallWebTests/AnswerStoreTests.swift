import FeedfallSystem
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit, .serialized) struct AnswerStoreTests {
  private static let path = "/pages.sqlite"

  private func withStore(
    maximumByteCount: Int = 1 << 20, _ body: (AnswerStore, String) async throws -> Void
  ) async throws {
    try await withCacheFolder { folder in
      try Files.makeCacheFolder(folder)
      try await body(AnswerStore(path: folder + Self.path, maximumByteCount: maximumByteCount), folder)
    }
  }

  private func address(_ number: Int) -> WebAddress { WebAddress("https://a.example/\(number)")! }

  private func change(_ number: Int, byteCount: Int, filledWith byte: UInt8 = 7) -> AnswerCache.Change {
    let answer = HTTPAnswer(
      status: 200, body: [UInt8](repeating: byte, count: byteCount), contentType: "text/xml; charset=x",
      address: address(number), link: "<https://a.example/next>; rel=next")
    return .answered(
      request: address(number), answer,
      CacheHeaders(HTTPHeaders(lines: "ETag: \"\(number)\"\r\n"), at: UnixTime(seconds: 0)))
  }

  private func stored(_ numbers: Range<Int>, in store: AnswerStore) throws -> [Int] {
    try numbers.filter { try store.answer(to: address($0)) != nil }
  }

  @Test(arguments: [0, 1, 131_071, 131_072, 131_073, 400_000])
  func `an answer of any length is read back unchanged`(byteCount: Int) async throws {
    try await withStore { store, _ in
      try store.apply([change(1, byteCount: byteCount)], at: UnixTime(seconds: 1000))
      let kept = try #require(try store.answer(to: address(1)))
      let expected = CachedAnswer(
        id: kept.id, address: address(1), contentType: "text/xml; charset=x",
        link: "<https://a.example/next>; rel=next",
        entityTag: "\"1\"", lastModified: nil, fetched: UnixTime(seconds: 1000), freshUntil: UnixTime(seconds: 1000),
        byteCount: byteCount)
      #expect(kept == expected)
      #expect(try store.body(of: kept) == [UInt8](repeating: 7, count: byteCount))
      #expect(try store.answer(to: address(2)) == nil)
    }
  }

  @Test func `a new answer gets a new number, and the old body is deleted`() async throws {
    try await withStore { store, _ in
      try store.apply([change(1, byteCount: 300_000, filledWith: 1)], at: UnixTime(seconds: 1))
      let old = try #require(try store.answer(to: address(1)))
      try store.apply([change(1, byteCount: 10, filledWith: 2)], at: UnixTime(seconds: 2))
      let new = try #require(try store.answer(to: address(1)))
      #expect(new.id != old.id)
      #expect(try store.body(of: old) == nil)
      #expect(try store.body(of: new) == [UInt8](repeating: 2, count: 10))
    }
  }

  @Test func `the least recently used answers are evicted`() async throws {
    try await withStore { store, _ in
      for number in 0..<9 { try store.apply([change(number, byteCount: 100_000)], at: UnixTime(seconds: number)) }
      #expect(try stored(0..<9, in: store) == Array(0..<9))
      let first = try #require(try store.answer(to: address(0)))
      try store.recordUse(of: first.id, at: UnixTime(seconds: 10_000))
      try store.apply([change(9, byteCount: 200_000)], at: UnixTime(seconds: 10_001))
      #expect(try stored(0..<10, in: store) == [0, 3, 4, 5, 6, 7, 8, 9])
    }
  }

  @Test func `the size of the file stays limited`() async throws {
    try await withStore { store, folder in
      for number in 0..<200 { try store.apply([change(number, byteCount: 90_000)], at: UnixTime(seconds: number)) }
      #expect(try fileBytes(of: folder + Self.path).count < 2 << 20)
      #expect(try fileBytes(of: folder + Self.path + "-wal").count < 2 << 20)
      #expect(try !stored(190..<200, in: store).isEmpty)
    }
  }

  @Test func `an answer larger than the size limit is not stored, and deletes the one before it`() async throws {
    try await withStore { store, _ in
      try store.apply([change(1, byteCount: 10), change(2, byteCount: 10)], at: UnixTime(seconds: 1))
      try store.apply([change(1, byteCount: 2 << 20)], at: UnixTime(seconds: 2))
      #expect(try stored(0..<3, in: store) == [2])
    }
  }

  @Test func `two programs can write, and each sees the other's changes at once`() async throws {
    try await withStore { first, folder in
      let second = try AnswerStore(path: folder + Self.path, maximumByteCount: 1 << 20)
      try first.apply([change(1, byteCount: 200_000)], at: UnixTime(seconds: 1))
      #expect(try second.answer(to: address(1)) == (try first.answer(to: address(1))))
      try second.apply(
        [change(2, byteCount: 5), .leads(request: address(3), document: address(2))], at: UnixTime(seconds: 2))
      #expect(try first.document(of: address(3)) == (try second.answer(to: address(2))))
      try first.apply([.notStorable(request: address(1))], at: UnixTime(seconds: 3))
      #expect(try second.answer(to: address(1)) == nil)
    }
  }

  @Test func `concurrent writers lose nothing`() async throws {
    try await withCacheFolder { folder in
      await withTaskGroup(of: Void.self) { group in
        for part in 0..<4 {
          group.addTask {
            let cache = AnswerCache(folder: folder)
            for number in part * 25..<part * 25 + 25 { cache.apply([change(number, byteCount: 1000)]) }
          }
        }
      }
      let store = try AnswerStore(path: folder + Self.path, maximumByteCount: 1 << 20)
      #expect(try stored(0..<100, in: store).count == 100)
    }
  }

  @Test func `changes are applied together or not at all`() async throws {
    try await withStore { store, folder in
      let other = try Database(path: folder + Self.path, timeoutMilliseconds: 0)
      try other.run(script: "CREATE TRIGGER no BEFORE INSERT ON lead BEGIN SELECT raise(ABORT, 'no'); END")
      #expect(throws: DatabaseError.self) {
        try store.apply([change(1, byteCount: 10), .leads(request: address(1), document: address(2))], at: .now)
      }
      #expect(try store.answer(to: address(1)) == nil)
    }
  }

  @Test func `a permanent redirect is believed for 30 days after its last answer`() async throws {
    try await withStore { store, _ in
      let day = 86_400
      func target(_ time: Int) throws -> WebAddress? { try store.target(of: address(1), at: UnixTime(seconds: time)) }
      func confirmation(at time: Int) throws {
        let kept = try #require(try store.answer(to: address(1)))
        let headers = CacheHeaders(HTTPHeaders(lines: ""), at: UnixTime(seconds: time))
        try store.apply([.confirmed(kept, headers)], at: UnixTime(seconds: time))
      }
      try store.apply(
        [.moved(request: address(1), target: address(2)), change(1, byteCount: 10)], at: UnixTime(seconds: 100 * day))
      #expect(try target(129 * day) == address(2))
      #expect(try target(130 * day) == nil)
      #expect(try target(99 * day) == nil)
      try confirmation(at: 129 * day)
      #expect(try target(158 * day) == address(2))
      try store.apply([.notStorable(request: address(1))], at: UnixTime(seconds: 158 * day))
      #expect(try target(158 * day) == nil)
    }
  }

  @Test func `a lead to an evicted document is no document`() async throws {
    try await withStore { store, _ in
      try store.apply(
        [change(1, byteCount: 10), .leads(request: address(1), document: address(2))], at: UnixTime(seconds: 1))
      #expect(try store.document(of: address(1)) == (try store.answer(to: address(1))))
    }
  }
}
