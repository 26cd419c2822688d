import FeedfallText
import FoundationEssentials
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources
@testable import FeedfallWeb

/// Servers that send Retry-After.
@Suite(.hangLimit, .serialized) struct PolitenessTests {
  @Test(arguments: [
    (429, "7", 7), (429, nil, 30), (429, "Fri, 31 Dec 2100 23:59:59 GMT", 86_400), (503, "30", 30),
  ])
  func `a server with Retry-After is not requested again, by any source or refresh`(
    status: Int, value: String?, seconds: Int
  ) async throws {
    try await withCacheWorld { _ in
      .answer(TestAnswer("", status: status, headers: value.map { ["Retry-After": $0] } ?? [:]))
    } _: { world in
      let cache = AnswerCache(folder: world.folder)
      let first = try await world.source(at: world.server.origin + "/a", in: cache).page(.start).failure
      #expect(first?.kind == .wait(seconds: seconds))
      // Another source in the same program, then a new program.
      for cache in [cache, AnswerCache(folder: world.folder)] {
        for use in [CacheUse.revalidated, .whileFresh] {
          let failure = try await world.source(at: world.server.origin + "/b", in: cache).page(.start, use).failure
          let kind = try #require(failure?.kind)
          guard case .wait(let left) = kind else {
            Issue.record("\(kind)")
            continue
          }
          #expect((1...seconds).contains(left))
          #expect(failure?.reason == "requests to 127.0.0.1 are paused")
        }
      }
      #expect(world.server.requests.count == 1)
    }
  }

  @Test func `a program without a disk cache also waits`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("", status: 429))
    } _: { server in
      let options = SourceOptions()
      for _ in 0..<2 {
        let failure = try await FeedSources.open(server.origin, options: options).page(.start).failure
        #expect(failure != nil)
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a failing server without Retry-After can be requested again`() async throws {
    try await withCacheWorld { _ in
      .answer(TestAnswer("", status: 503))
    } _: { world in
      for _ in 0..<2 {
        let failure = try await world.source("/").page(.start).failure
        #expect(failure?.kind == .temporary)
      }
      #expect(world.server.requests.count == 2)
    }
  }

  @Test func `a wait ends, and one made endless by a change of the clock is ignored`() async throws {
    try await withCacheFolder { folder in
      let cache = AnswerCache(folder: folder)
      cache.pauseRequests(to: "a.example", seconds: 1_000_000)
      #expect(cache.secondsToWait(for: "a.example") == 86_400)
      #expect(cache.secondsToWait(for: "b.example") == nil)
      let store = try AnswerStore(path: folder + "/pages.sqlite", maximumByteCount: 1 << 20)
      try store.pauseRequests(to: "past.example", until: 1000, now: 0)
      try store.pauseRequests(to: "future.example", until: .max / 2, now: 0)
      #expect(cache.secondsToWait(for: "past.example") == nil)
      #expect(cache.secondsToWait(for: "future.example") == nil)
      try store.pauseRequests(to: "c.example", until: 5000, now: 1000)
      #expect(try store.endOfPause(of: "past.example") == nil)
    }
  }

  @Test func `a pause without a time doubles in the next program, whatever other servers do`() async throws {
    try await withFolder { folder in
      let now = Int(Date().timeIntervalSince1970 * 1000)
      let store = try AnswerStore(path: folder + "/pages.sqlite", maximumByteCount: 1 << 20)
      try store.pauseRequests(to: "a.example backoff", until: now + 59_000, now: now - 40_000)
      try store.pauseRequests(to: "a.example", until: now - 1_000, now: now - 40_000)
      let cache = AnswerCache(folder: folder)
      #expect(cache.secondsToWait(for: "a.example") == nil)
      cache.pauseRequests(to: "b.example", seconds: 5)
      #expect(cache.pauseRequests(to: "a.example", seconds: nil) == 60)
      #expect(cache.pauseRequests(to: "c.example", seconds: nil) == 30)
    }
  }

  @Test func `cached pages are available while requests to their server pause`() async throws {
    try await withCacheWorld { request in
      request.path == "/good" ? .answer(TestAnswer(articles(0..<3))) : .answer(TestAnswer("", status: 429))
    } _: { world in
      _ = try await world.source("/good").page(.start).get()
      _ = try await world.source("/bad").page(.start)
      #expect(try await world.source("/good").page(.start).failure != nil)
      #expect(try await world.source("/good").page(.start, .onlyIfCached).titles?.count == 3)
    }
  }
}
