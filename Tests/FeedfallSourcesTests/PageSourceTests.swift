import FeedfallFeeds
import FeedfallText
import Synchronization
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct PageSourceTests {
  private static let failure = FeedFailure(.permanent, "there is no file")

  private func opened() throws -> PageSource {
    var source = PageSource(name: "Films", isLocal: false) { _, _ in
      FeedPage(videos: [Video(id: "1", title: "Film", playback: .unknown)])
    }
    source.report = { _ in }
    let scope = FeedScope(try #require(WebAddress("https://rss.example/")))
    return source.withMarks { MarkServer(scope: scope) { _ in .sent } }
  }

  @Test func `a late source is the opened one after its first request`() async throws {
    let opened = try opened()
    let source = PageSource.late("greader+https://rss.example") { opened }
    #expect(source.name == "greader+https://rss.example" && source.report == nil)
    #expect(await source.page(.start).titles == ["Film"])
    #expect(source.name == "Films" && !source.isLocal && source.report != nil && source.marks != nil)
  }

  @Test func `the marks of a late source open it, so that the first page has them`() throws {
    let opened = try opened()
    let isReady = Mutex(false)
    let source = PageSource.late("news") { () throws(FeedFailure) in
      guard isReady.withLock({ $0 }) else { throw Self.failure }
      return opened
    }
    #expect(source.marks == nil)
    isReady.withLock { $0 = true }
    #expect(source.marks != nil && source.report != nil)
  }

  @Test(arguments: [
    ("https://a.example/feed", false), ("a.example", false), ("jellyfin+https://a.example", false),
    ("greader+http://a.example", false), ("davs://a.example/Films", false), ("yt-dlp:https://a.example", false),
    ("feed://a.example/feed", false), ("magnet:?xt=1", false), ("/films.json", true), ("films.m3u", true),
    ("file:///films.json", true), ("-", true), (nil, true),
  ])
  func `only files, folders, standard input and the catalogue are local before they are opened`(
    argument: String?, isLocal: Bool
  ) {
    #expect(PageSource.late(argument) { () throws(FeedFailure) in throw Self.failure }.isLocal == isLocal)
  }

  @Test func `requests at the same time share one opened source`() async throws {
    let opened = Mutex(0)
    let source = PageSource.late("news") {
      let number = opened.withLock { count in
        count += 1
        return count
      }
      return PageSource(name: "\(number)", isLocal: false) { _, _ in FeedPage(videos: [], title: "\(number)") }
    }
    let titles = try await withThrowingTaskGroup { group in
      for _ in 1...20 { group.addTask { try await source.page(.start).get().title } }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(titles == [source.name])
  }

  @Test func `a source with other pages keeps its report and its marks`() throws {
    let source = try opened().replacing(page: { _, _ in FeedPage(videos: []) }, details: { $0 })
    #expect(source.report != nil && source.marks != nil && source.name == "Films" && !source.isLocal)
  }
}
