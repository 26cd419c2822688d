import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit, .serialized) struct WebFeedTests {
  @Test func `the IDs of a feed are restricted to it on all pages, those of a service are not`() async throws {
    try await withServer { request in
      if request.path == "/api" { return .answer(TestAnswer(peerTubeList(0..<1, total: 1))) }
      let page = Int(request.query["page"] ?? "") ?? 0
      return .answer(TestAnswer(articles(page * 20..<page * 20 + 20, end: page == 1)))
    } _: { server in
      let address = try #require(WebAddress(server.origin + "/videos.json"))
      let pages = try await allPages(of: open(server.origin + "/videos.json"))
      #expect(pages.count == 2)
      #expect(pages.flatMap(\.videos).allSatisfy { $0.scope == FeedScope(address) })
      let service = try await allPages(of: open(server.origin + "/api"))
      #expect(!service.isEmpty && service.flatMap(\.videos).allSatisfy { $0.scope == nil })
    }
  }

  /// MediaWiki leaves out the files before the token of a batch (`ApiQueryImageInfo::execute`).
  @Test func `a used-up token leaves out no files of the next batch of a MediaWiki`() async throws {
    @Sendable func page(_ name: String, _ isFull: Bool) -> String {
      let file = #""url":"https://up.example/\#(name).webm","duration":5,"mime":"video/webm""#
      return #"{"pageid":"\#(name)","ns":6,"title":"File:\#(name).webm"\#(isFull ? ",\"videoinfo\":[{\(file)}]" : "")}"#
    }
    try await withServer { request in
      let start = request.query["vicontinue"]?.prefix { $0.isLetter } ?? ""
      let isSecond = request.query["gcmcontinue"] != nil
      let names = isSecond ? ["Ant", "Bee", "Mole"] : ["Alpha", "Lion"]
      let pages = names.map { page($0, isSecond || start != "" ? $0 >= start : $0 == "Alpha") }
      let tokens =
        isSecond
        ? ""
        : start == ""
          ? #""vicontinue":"Lion|1","continue":"||""# : #""gcmcontinue":"file|2","continue":"gcmcontinue||""#
      return .answer(
        TestAnswer(
          #"{"batchcomplete":"","continue":{\#(tokens)},"query":{"pages":[\#(pages.joined(separator: ","))]}}"#))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/w/api.php?action=query&generator=categorymembers"))
      #expect(pages.flatMap(\.videos).map(\.title) == ["Alpha", "Lion", "Ant", "Bee", "Mole"])
    }
  }

  @Test(arguments: ["/videos.json?p={page}&n={size}", "/videos.json?page=3"])
  func `the options of pages do not change the feed of its IDs`(path: String) async throws {
    try await withServer { request in
      .answer(TestAnswer(articles(0..<5, end: true)))
    } _: { server in
      var scopes: [FeedScope?] = []
      for size in [nil, 10, 50] {
        let pages = try await allPages(of: open(server.origin + path, pageSize: size))
        scopes += pages.flatMap(\.videos).map(\.scope)
      }
      #expect(!scopes.isEmpty && scopes.allSatisfy { $0 != nil && $0 == scopes[0] })
    }
  }

  @Test(arguments: [(1_000, false), (1_001, true)])
  func `a list of more lists than are loaded has one notice`(count: Int, isCut: Bool) async throws {
    try await withServer { request in
      let isRoot = request.path == "/"
      let names = isRoot ? (0..<count).map { "\($0)/" } : ["film.mp4"]
      let links = names.map { "<a href='\($0)'>\($0)</a>" }.joined()
      return .answer(.html("<html><head><title>Index of \(request.path)</title></head>\(links)"))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/"), limit: 3)
      #expect(pages.map { $0.notice != nil } == [isCut, false, false])
    }
  }

  @Test func `lists deeper than the limit are left out, with a notice`() async throws {
    try await withServer { request in
      let links = "<a href='film.mp4'>film</a><a href='d/'>d</a>"
      return .answer(.html("<html><head><title>Index of \(request.path)</title></head>\(links)"))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/"), limit: 30)
      #expect(pages.count == 17 && pages.count { $0.notice != nil } == 1 && pages.last?.notice != nil)
    }
  }

  @Test func `articles are paged to the end, the last page being partial`() async throws {
    try await withServer { request in
      let page = Int(request.query["page"] ?? "") ?? 0
      return .answer(TestAnswer(articles((page * 10..<page * 10 + 10).filter { $0 < 43 }, end: page == 4)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feed?x=1"))
      #expect(pages.map(\.videos.count) == [10, 10, 10, 10, 3])
      #expect(server.requests.map(\.target) == ["/feed?x=1"] + (1...4).map { "/feed?x=1&page=\($0)" })
    }
  }

  @Test func `a later page whose items have only titles is skipped and counted`() async throws {
    try await withServer { request in
      let page = Int(request.query["page"] ?? "") ?? 0
      let titles = #"{"data":{"info_list":[{"title":"A"},{"title":"B"}],"end":0}}"#
      return .answer(TestAnswer(page == 1 ? titles : articles(page * 2..<page * 2 + 2, end: page == 2)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feed"))
      #expect(pages.flatMap(\.videos).count == 4)
      #expect(pages.map(\.skippedCount).reduce(0, +) == 2)
    }
  }

  @Test func `with a page size, articles are requested by page and size`() async throws {
    try await withServer { request in
      .answer(
        TestAnswer(articles(request.query["page"] == "0" ? 0..<5 : 5..<6, end: request.query["page"] == "1")))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feed", pageSize: 5))
      #expect(pages.flatMap(\.videos).count == 6)
      #expect(server.requests.map(\.target) == ["/feed?page=0&size=5", "/feed?page=1&size=5"])
    }
  }

  @Test func `a JSON address whose server refuses page and size is asked without them`() async throws {
    try await withServer { request in
      request.query["size"] == nil
        ? .answer(TestAnswer(articles(0..<3, end: true))) : .answer(TestAnswer("", status: 405))
    } _: { server in
      let source = try open(server.origin + "/videos.json")
      #expect(await source.page(.start).titles?.count == 3)
      #expect(await source.page(.start).titles?.count == 3)
      #expect(server.requests.map(\.target) == ["/videos.json?page=0&size=20", "/videos.json", "/videos.json"])
    }
  }

  @Test func `a missing JSON address is still requested by page and size`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("", status: 404))
    } _: { server in
      let source = try open(server.origin + "/videos.json")
      for _ in 0..<2 { #expect(await source.page(.start).failure?.reason.contains("404") == true) }
      let requests = ["/videos.json?page=0&size=20", "/videos.json"]
      #expect(server.requests.map(\.target) == requests + requests)
    }
  }

  @Test func `up to three empty pages are skipped if the feed declares further pages`() async throws {
    try await withServer { request in
      let page = Int(request.query["page"] ?? "") ?? -1
      switch page {
      case 0, 3: return .answer(TestAnswer(articles(page * 2..<page * 2 + 2)))
      default: return .answer(TestAnswer(#"{"data": {"info_list": [], "end": 0, "page": \#(page)}}"#))
      }
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/videos.json"))
      #expect(pages.map(\.videos.count) == [2, 2, 0])
      #expect(server.requests.compactMap { $0.query["page"] } == (0...6).map(String.init))
    }
  }

  @Test func `an empty page is the end, a short one is not`() async throws {
    try await withServer { request in
      .answer(
        TestAnswer(
          articles(request.query["page"] == nil ? 0..<3 : request.query["page"] == "1" ? 3..<4 : 0..<0)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feed"))
      #expect(pages.map(\.videos.count) == [3, 1, 0])
    }
  }

  @Test func `a feed that counts pages from one loses no videos`() async throws {
    try await withServer { request in
      let page = max(1, Int(request.query["page"] ?? "") ?? 1)
      return .answer(TestAnswer(articles((page - 1) * 4..<page * 4, end: page == 3)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feed"))
      #expect(pages.flatMap(\.videos).map(\.title) == (0..<12).map { "Film \($0)" })
    }
  }

  @Test func `a document without pagination is one page`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(articles(0..<4)))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feed.json"))
      #expect(pages.map(\.videos.count) == [4, 0])
    }
  }

  @Test func `another list format is paged if it counts its pages`() async throws {
    try await withServer { request in
      let page = Int(request.query["page"] ?? "") ?? 9
      let items = (0..<5).dropFirst(page * 2).prefix(2).map {
        "{\"title\": \"Film \($0)\", \"url\": \"https://v.example/\($0).mp4\"}"
      }
      return .answer(TestAnswer("[\(items.joined(separator: ","))]"))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feed?page={page}&size={size}", pageSize: 2))
      #expect(pages.map(\.videos.count) == [2, 2, 1, 0])
      #expect(server.requests.map(\.target) == (0...3).map { "/feed?page=\($0)&size=2" })
    }
  }

  @Test func `the first page can be requested again`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(articles(0..<4)))
    } _: { server in
      let source = try open(server.origin + "/feed")
      let first = await source.page(.start)
      #expect(first.titles?.count == 4)
      #expect(await source.page(.start) == first)
    }
  }

  @Test func `a failed page can be requested again`() async throws {
    try await withServer { request in
      .answer(TestAnswer(articles(0..<2), status: request.query["page"] == nil ? 200 : 500))
    } _: { server in
      let source = try open(server.origin + "/feed")
      let next = try #require(await source.page(.start).next)
      #expect(await source.page(next).failure?.kind == .temporary)
      #expect(await source.page(next).failure?.kind == .temporary)
      // Each failure is preceded by a second request.
      #expect(server.requests.count == 5)
    }
  }

  @Test(arguments: [500, 502, 504])
  func `a server that fails with every second answer shows its pages`(status: Int) async throws {
    let count = Mutex(0)
    try await withServer { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      let page = request.query["page"].flatMap { Int($0) } ?? 0
      return .answer(TestAnswer(articles(page * 3..<page * 3 + 3), status: number.isMultiple(of: 2) ? 200 : status))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feed"), limit: 2)
      #expect(pages.map(\.videos.count) == [3, 3])
      #expect(server.requests.count == 4)
    }
  }

  @Test func `a connection that closes early is made once more`() async throws {
    let count = Mutex(0)
    let answer = TestAnswer(articles(0..<3, end: true))
    try await withServer { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst ? .cut(answer, after: 20) : .answer(answer)
    } _: { server in
      let source = try open(server.origin + "/feed")
      #expect(await source.page(.start).titles?.count == 3)
      #expect(server.requests.count == 2)
    }
  }

  @Test func `the body of a failed request is never decoded as a feed`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(articles(0..<4), status: 500))
    } _: { server in
      let failure = try await open(server.origin).page(.start).failure
      #expect(failure?.reason == "the server answered 500 Internal Server Error")
    }
  }

  @Test func `a truncated document is a temporary failure`() async throws {
    let half = String(articles(0..<4).dropLast(200))
    try await withServer { _ in
      .answer(TestAnswer(half))
    } _: { server in
      let failure = try await open(server.origin).page(.start).failure
      #expect(failure?.kind == .temporary)
    }
  }

  @Test(arguments: ["[]", "null", "7", #"{"data": 3}"#, #"{"data": {"info_list": {"a": 1}}}"#, "hello", ""])
  func `an answer with wrong types fails or is empty`(body: String) async throws {
    try await withServer { _ in
      .answer(TestAnswer(body))
    } _: { server in
      let result = try await open(server.origin).page(.start)
      #expect(result.failure != nil || result.titles == [])
    }
  }

  @Test func `details are requested for a partial video`() async throws {
    let list = peerTubeList(0..<1, total: 1)
    try await withServer { request in
      request.path == "/api/v1/videos"
        ? .answer(TestAnswer(list))
        : .answer(TestAnswer(String(list.dropFirst(#"{"total": 1, "data": ["#.count).dropLast(2))))
    } _: { server in
      let source = try open(server.origin + "/api/v1/videos")
      let video = try #require(await source.page(.start).get().videos.first)
      let completed = try await source.details(video).get()
      #expect(completed.id == video.id)
      #expect(server.requests.last?.path.hasPrefix("/api/v1/videos/") == true)
    }
  }

  private static let podcast = """
    <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><item><title>A</title>
    <enclosure url="https://a.example/1.mp3" type="audio/mpeg"/><podcast:chapters url="/chapters"/>
    </item></channel></rss>
    """

  @Test(arguments: [
    (200, #"{"chapters":[{"startTime":0,"title":"A"},{"startTime":60,"title":"B"}]}"#, ["A", "B"]),
    (200, "<html>", []), (404, "", []),
  ])
  func `the chapters of a podcast are requested once`(status: Int, body: String, expected: [String]) async throws {
    try await withServer { request in
      if request.path == "/chapters" { return .answer(TestAnswer(body, status: status)) }
      return .answer(TestAnswer(Self.podcast))
    } _: { server in
      let source = try open(server.origin)
      let video = try #require(await source.page(.start).get().videos.first)
      #expect(video.canBeCompleted && video.detailsURL == nil)
      let completed = try await source.details(video).get()
      #expect(completed.chapters.map(\.title) == expected)
      #expect(!completed.canBeCompleted)
      #expect(server.requests.map(\.path) == ["/", "/chapters"])
    }
  }

  @Test func `chapters that a server cannot deliver now are a failure`() async throws {
    try await withServer { request in
      if request.path == "/chapters" { return .answer(TestAnswer("", status: 503)) }
      return .answer(TestAnswer(Self.podcast))
    } _: { server in
      let source = try open(server.origin)
      let video = try #require(await source.page(.start).get().videos.first)
      #expect(await source.details(video).failure?.kind == .temporary)
    }
  }

  @Test func `a cancelled request for a page ends at once`() async throws {
    try await withServer { _ in
      .silence
    } _: { server in
      let source = try open(server.origin, timeout: 600)
      let task = Task { await source.page(.start) }
      while server.requests.isEmpty { await Task.yield() }
      task.cancel()
      #expect(await task.value.failure == .cancelled)
    }
  }

  @Test func `concurrent requests for pages are independent`() async throws {
    try await withServer { request in
      let page = Int(request.query["page"] ?? "") ?? 0
      return .answer(TestAnswer(articles(page * 2..<page * 2 + 2)))
    } _: { server in
      let source = try open(server.origin + "/feed")
      let results = await withTaskGroup(of: (Int, [String]?).self) { group in
        for page in 0..<20 {
          group.addTask { (page, await source.page(page == 0 ? .start : .page(page)).titles) }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for page in 0..<20 { #expect(results[page] == ["Film \(page * 2)", "Film \(page * 2 + 1)"]) }
    }
  }
}
