import FeedfallFeeds
import FeedfallText
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources
@testable import FeedfallWeb

/// Archives of feeds (RFC 5005, 4).
@Suite(.hangLimit, .serialized) struct ArchivePagesTests {
  /// A feed of two films with an archive of two, which the server never calls fresh.
  private func answer(_ request: TestRequest, relation: String = "prev-archive", headers: [String: String] = [:])
    -> TestAnswer
  {
    request.path == "/feed"
      ? TestAnswer(films(2..<4, next: "/old", relation: relation)) : TestAnswer(films(0..<2), headers: headers)
  }

  private func targets(_ world: CacheWorld) -> [String] { world.server.requests.map(\.target) }

  @Test func `an archive is requested once, even if the user refreshes`() async throws {
    try await withCacheWorld {
      .answer(answer($0))
    } _: { world in
      for _ in 0..<3 {
        let pages = try await allPages(of: try world.source("/feed"), .revalidated)
        #expect(pages.flatMap(\.videos).map(\.title) == (2..<4).map { "Film \($0)" } + (0..<2).map { "Film \($0)" })
      }
      #expect(targets(world) == ["/feed", "/old", "/feed", "/feed"])
    }
  }

  @Test func `an archive whose end is missing is requested again`() async throws {
    let oldCount = Mutex(0)
    try await withCacheWorld { request in
      guard request.path == "/old" else { return .answer(answer(request)) }
      let isFirst = oldCount.withLock { count in
        count += 1
        return count == 1
      }
      return .answer(TestAnswer(isFirst ? films(0..<2).replacing("</channel></rss>", with: "") : films(0..<2)))
    } _: { world in
      for _ in 0..<3 { _ = try await allPages(of: try world.source("/feed"), .revalidated) }
      #expect(targets(world).filter { $0 == "/old" }.count == 2)
    }
  }

  @Test func `a page that is completed from an old archive counts as new`() async throws {
    try await withCacheWorld { request in
      .answer(TestAnswer(films(0..<(request.path == "/feed" ? 0 : 2), next: "/old", relation: "prev-archive")))
    } _: { world in
      for _ in 0..<2 {
        let page = try await world.source("/feed").page(.start, .revalidated).get()
        #expect(page.videos.count == 2 && page.savedAt == nil)
      }
      #expect(targets(world) == ["/feed", "/old", "/feed"])
      #expect(try await world.source("/feed").page(.start, .onlyIfCached).get().savedAt != nil)
    }
  }

  @Test(arguments: [("next", [:]), ("prev-archive", ["Cache-Control": "no-store"])] as [(String, [String: String])])
  func `other pages and archives that are not cached are requested again`(
    relation: String, headers: [String: String]
  ) async throws {
    try await withCacheWorld {
      .answer(answer($0, relation: relation, headers: headers))
    } _: { world in
      for _ in 0..<2 { _ = try await allPages(of: try world.source("/feed"), .revalidated) }
      #expect(targets(world) == ["/feed", "/old", "/feed", "/old"])
    }
  }

  @Test func `a cached archive that the user opens as a source is refreshed`() async throws {
    try await withCacheWorld {
      .answer(answer($0))
    } _: { world in
      _ = try await allPages(of: try world.source("/feed"), .revalidated)
      _ = try await world.source("/old").page(.start, .revalidated).get()
      #expect(targets(world) == ["/feed", "/old", "/old"])
    }
  }

  @Test func `a Link header leads to an archive, and a cycle of archives ends`() async throws {
    try await withCacheWorld { request in
      let (number, next) = request.path == "/feed" ? (0, "/a") : request.path == "/a" ? (2, "/b") : (4, "/a")
      return .answer(TestAnswer(films(number..<(number + 2)), headers: ["Link": "<\(next)>; rel=\"prev-archive\""]))
    } _: { world in
      let pages = try await allPages(of: try world.source("/feed"), .revalidated, limit: 10)
      #expect(pages.count == 3 && pages.first?.next?.isArchive == true)
      #expect(targets(world) == ["/feed", "/a", "/b"])
    }
  }
}
