import FeedfallFeeds
import FeedfallMedia
import FeedfallScreen
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing
import WaterfallEngine

/// Helpers of the cases of loading covers in `ServerCaseTable`.
struct LoadCases {
  private let server: TestServer
  private let folder: String

  /// The headers of a request, by which a server answers it.
  typealias Server = @Sendable (TestRequest) -> TestBehaviour

  static let black = picture(0)
  static let white = picture(255)

  /// A picture of one gray level.
  static func picture(_ gray: UInt8, _ size: Size = Size(width: 64, height: 36)) -> [UInt8] {
    let bytes = [UInt8](repeating: gray, count: size.width * size.height * 3)
    return PixelBuffer(size: size, bytes: bytes)?.jpeg(quality: 90) ?? []
  }

  static func with(_ server: @escaping Server, _ body: (LoadCases) async throws -> Void) async throws {
    try await withFolder { folder in
      try await withServer(server) { try await body(LoadCases(server: $0, folder: folder)) }
    }
  }

  /// The results of loads: the gray level of the cover, or the reason why there is none.
  enum Result: Equatable {
    case black, white, other
    case failed(String)
  }

  /// A loader as in a newly started program.
  func loader() -> CoverLoader { CoverLoader(cache: AnswerCache(folder: folder), userAgent: "test") }

  func load(
    _ paths: [String], _ terms: CoverLoader.Terms = CoverLoader.Terms(), by loader: CoverLoader? = nil,
    reportSize: (@Sendable (Size) -> Void)? = nil
  ) async -> Result {
    do throws(CoverFailure) {
      let addresses = paths.compactMap { WebAddress($0.hasPrefix("http") ? $0 : server.origin + $0) }
      let picture = try await (loader ?? self.loader()).cover(
        addresses.map { .web($0) }, on: terms, size: Size(width: 8, height: 4), cellSize: Size(width: 8, height: 16),
        glyphs: .halves, wantsPixels: false, reportSize: reportSize)
      return picture.average.red < 40 ? .black : picture.average.red > 215 ? .white : .other
    } catch {
      return .failed(error.reason)
    }
  }

  func load(_ path: String, _ terms: CoverLoader.Terms = CoverLoader.Terms()) async -> Result {
    await load([path], terms)
  }

  func load(_ path: String, _ use: CoverUse) async -> Result { await load([path], CoverLoader.Terms(use: use)) }

  func sizes(_ paths: [String]) -> [Size?] {
    loader().sizes(of: paths.compactMap { WebAddress(server.origin + $0).map { .web($0) } })
  }

  /// Lets time pass for the stored covers and the missing ones.
  func pass(seconds: Int) throws {
    try change(
      """
      UPDATE cover SET got_at = got_at - \(seconds), fresh_until = fresh_until - \(seconds),
        kept_until = kept_until - \(seconds);
      UPDATE missing SET until = until - \(seconds);
      """)
  }

  func change(_ script: String) throws {
    try Database(path: folder + "/covers.sqlite", timeoutMilliseconds: 1000).run(script: script)
  }

  /// The paths of all requests so far, each with the value of a header.
  func requests(_ header: String? = nil) -> [String] {
    server.requests.map { request in
      header.map { "\(request.target) \(request.headers[$0] ?? "-")" } ?? request.target
    }
  }

  var origin: String { server.origin }
}

extension LoadCases {
  /// A server of one picture with these headers, black first. After `change` it is white, with `newHeaders`.
  final class ChangingPicture: Sendable {
    private let isChanged = Mutex(false)
    private let headers: [String: String]
    private let newHeaders: [String: String]

    init(_ headers: [String: String], new newHeaders: [String: String]) {
      self.headers = headers
      self.newHeaders = newHeaders
    }

    func change() { isChanged.withLock { $0 = true } }

    @Sendable func answer(_ request: TestRequest) -> TestBehaviour {
      let isChanged = isChanged.withLock { $0 }
      let headers = isChanged ? newHeaders : headers
      let known = [request.headers["if-none-match"], request.headers["if-modified-since"]]
      if known != [nil, nil], known == [headers["ETag"], headers["Last-Modified"]] {
        return .answer(TestAnswer("", status: 304, headers: headers))
      }
      return .answer(TestAnswer(isChanged ? LoadCases.white : LoadCases.black, headers: headers))
    }
  }

  /// The server confirms the cover by these validators, and sends a new one when they change.
  static func confirmation(
    _ headers: [String: String], new: [String: String], sends header: String
  ) async throws {
    let picture = ChangingPicture(headers, new: new)
    try await with(picture.answer) { world in
      _ = await world.load("/a")
      try world.pass(seconds: 31 * 86_400)
      #expect(await world.load("/a") == .black)
      picture.change()
      try world.pass(seconds: 31 * 86_400)
      #expect(await world.load("/a") == .white)
      try world.pass(seconds: 31 * 86_400)
      #expect(await world.load("/a") == .white)
      let name = header == "ETag" ? "if-none-match" : "if-modified-since"
      let old = headers[header] ?? "-"
      #expect(world.requests(name) == ["/a -", "/a \(old)", "/a \(old)", "/a \(new[header] ?? "-")"])
    }
  }

  /// A server that refuses requests as `refusal` does, unless they have a `Referer`.
  static func referrer(
    of page: String, expecting referrer: String?, refusal: Int = 403, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await with { request in
      request.headers["referer"] == nil
        ? .answer(TestAnswer("", status: refusal)) : .answer(TestAnswer(black))
    } _: { world in
      let result = await world.load("/a", CoverLoader.Terms(page: WebAddress(page)))
      #expect(
        world.requests("referer").dropFirst() == (referrer.map { ["/a \($0)"] } ?? [])[...],
        sourceLocation: sourceLocation)
      if referrer != nil { #expect(result == .black, sourceLocation: sourceLocation) }
    }
  }

  // MARK: - The program

  /// The program's screen after `r` shows the covers that its server had refused.
  static func refreshInProgram() async throws {
    guard Tmux.path != nil else { return }
    let exists = Mutex(false)
    let server = try TestServer { request in
      let origin = "http://\(request.headers["host"] ?? "")"
      guard request.path.hasSuffix(".jpg") else {
        let item = #"{"id": "1", "title": "Film", "url": "\#(origin)/1", "image": "\#(origin)/1.jpg"}"#
        let feed = #"{"version": "https://jsonfeed.org/version/1.1", "title": "Films", "items": [\#(item)]}"#
        return .answer(TestAnswer(feed, headers: ["Content-Type": "application/feed+json"]))
      }
      return .answer(exists.withLock { $0 } ? TestAnswer(white) : TestAnswer("", status: 404))
    }
    defer { server.stop() }
    try await onThread {
      let tmux = try Tmux(width: 100, height: 30, environment: ["COLORTERM": "truecolor"])
      defer { tmux.close() }
      try tmux.start("\(server.origin)/feed")
      _ = try tmux.waitUntilIdle()
      try tmux.press("Enter")
      #expect(try tmux.waitUntilIdle().contains("404 Not Found"))
      let count = server.requests.count { $0.path == "/1.jpg" }
      exists.withLock { $0 = true }
      try tmux.press("r")
      let screen = try tmux.waitUntilIdle()
      #expect(!screen.contains("404 Not Found"))
      #expect(server.requests.count { $0.path == "/1.jpg" } > count)
    }
  }
}
