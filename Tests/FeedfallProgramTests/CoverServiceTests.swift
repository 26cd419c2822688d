import FeedfallFeeds
import FeedfallMedia
import FeedfallScreen
import FeedfallSources
import FeedfallText
import FeedfallWeb
import FoundationEssentials
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp
@testable import FeedfallProgram

@Suite(.hangLimit) struct CoverServiceTests {
  private func failure(_ answer: TestAnswer) async throws -> FeedFailure? {
    try await withServer { _ in
      .answer(answer)
    } _: { server in
      let services = Services(RunningSources([], configured: [], options: SourceOptions())).withCovers(SourceOptions())
      return await services.cover(try request(for: server.origin + "/a.jpg")) { _ in }.failure
    }
  }

  private func request(for address: String) throws -> CoverRequest {
    CoverRequest(
      addresses: [.web(try #require(WebAddress(address)))], size: Size(width: 8, height: 4),
      cellSize: Size(width: 8, height: 16), glyphs: .halves, wantsPixels: false)
  }

  @Test(arguments: [
    (
      TestAnswer("", status: 403),
      FeedFailure(.temporary, "the server answered 403 Forbidden", advice: "check whether you have access")
    ),
    (TestAnswer("", status: 500), FeedFailure(.temporary, "the server answered 500 Internal Server Error")),
    (TestAnswer.html("<p>Log in</p>"), FeedFailure(.temporary, "the server sent a web page, not a picture")),
  ])
  func `a failure reaches the core with its reason and advice`(answer: TestAnswer, expected: FeedFailure) async throws {
    #expect(try await failure(answer) == expected)
  }

  // MARK: - Sizes

  private static let size = Size(width: 90, height: 160)

  /// A feed of four videos: without a size, with one, with YouTube's bars, and with a cover that is missing.
  private static func answer(_ request: TestRequest) -> TestBehaviour {
    guard request.path == "/feed" else {
      let bytes = [UInt8](repeating: 99, count: size.width * size.height * 3)
      let jpeg = PixelBuffer(size: size, bytes: bytes)?.jpeg(quality: 90) ?? []
      return .answer(request.path == "/none.jpg" ? .html("", status: 404) : TestAnswer(jpeg))
    }
    let origin = "http://\(request.headers["host"] ?? "")"
    let items = ["plain", "named", "hqdefault", "none"].map { name in
      """
      <item><title>\(name)</title><enclosure url="\(origin)/\(name).mp4" type="video/mp4"/>
      <media:thumbnail url="\(origin)/\(name).jpg" \(name == "named" ? "width='300' height='200'" : "")/></item>
      """
    }
    let rss = "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel>\(items.joined())</channel></rss>"
    return .answer(TestAnswer(rss, headers: ["Content-Type": "application/rss+xml"]))
  }

  /// The services of a newly started program.
  private func services(_ argument: String, cacheFolder: String?) throws -> Services {
    let cache = cacheFolder.map { AnswerCache(folder: $0) } ?? AnswerCache()
    let options = SourceOptions(cache: cache)
    let sources = try OpenSource.open([NamedSource(argument: argument)], options: options)
    return Services(RunningSources(sources, configured: [], options: options)).withCovers(options)
  }

  private func page(by services: Services, _ use: CacheUse = .revalidated) async throws -> [Video] {
    try await services.page(SourceID(0), .start, use).get().videos
  }

  /// The widths of the first covers; 0 is unknown.
  private func widths(_ videos: [Video]) -> [Int] { videos.map { $0.covers.first?.width ?? 0 } }

  /// Loads all covers, as cards do.
  private func loadCovers(of videos: [Video], by services: Services) async -> [Result<CoverPicture, FeedFailure>] {
    var results: [Result<CoverPicture, FeedFailure>] = []
    for video in videos {
      var request = CoverRequest(
        for: video, size: Size(width: 8, height: 4), cellSize: Size(width: 8, height: 16), glyphs: .halves,
        wantsPixels: false)
      request?.learnsSize = video.namedAspect == nil
      if let request { results.append(await services.cover(request) { _ in }) }
    }
    return results
  }

  @Test(arguments: [CacheUse.revalidated, .onlyIfCached])
  func `the first page of the next start has the sizes of the covers, without a request for them`(
    use: CacheUse
  ) async throws {
    try await withFolder { folder in
      try await withServer(Self.answer) { server in
        let first = try services(server.origin + "/feed", cacheFolder: folder)
        let videos = try await page(by: first)
        #expect(widths(videos) == [0, 300, 0, 0])
        let covers = await loadCovers(of: videos, by: first)
        let sizes: [PixelSize?] = covers.map { result in (try? result.get())?.size }
        let expected: PixelSize? = PixelSize(Self.size)
        #expect(sizes == [expected, expected, expected, nil])
        // A refresh knows them too.
        let refreshed = try await page(by: first)
        #expect(widths(refreshed) == [90, 300, 0, 0])
        let requests = server.requests.count
        let next = try await page(by: try services(server.origin + "/feed", cacheFolder: folder), use)
        #expect(widths(next) == [90, 300, 0, 0])
        let aspects: [Double] = next.map { CardMetrics.aspect(of: $0) }
        #expect(aspects == [0.5625, 1.5, 16.0 / 9, 16.0 / 9])
        #expect(server.requests.count == (use == .revalidated ? requests + 1 : requests))
      }
    }
  }

  @Test func `without a cache no size is remembered`() async throws {
    try await withServer(Self.answer) { server in
      let services = try services(server.origin + "/feed", cacheFolder: nil)
      _ = await loadCovers(of: try await page(by: services), by: services)
      let videos = try await page(by: services)
      #expect(widths(videos) == [0, 300, 0, 0])
    }
  }

  @Test func `the covers of a file and of details have the learned sizes too`() async throws {
    try await withFolder { folder in
      try await withServer(Self.answer) { server in
        let film = #"{"title": "Film", "flv": "\#(server.origin)/f.mp4", "cover": "\#(server.origin)/f.jpg"}"#
        let list = #"{"data": {"info_list": [\#(film)], "end": 1}}"#
        try Data(list.utf8).write(to: URL(filePath: folder + "/list.json"))
        let first = try services(folder + "/list.json", cacheFolder: folder + "/cache")
        let videos = try await page(by: first)
        #expect(videos.first?.covers.first?.url.web != nil)
        _ = await loadCovers(of: videos, by: first)
        let next = try services(folder + "/list.json", cacheFolder: folder + "/cache")
        let listed = try await page(by: next)
        #expect(listed.first?.covers.first?.learnedSize == PixelSize(Self.size))
        let details = try await next.details(SourceID(0), try #require(videos.first)).get()
        #expect(details.covers.first?.learnedSize == PixelSize(Self.size))
      }
    }
  }
}
