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
  private static func picture(_ gray: UInt8) -> [UInt8] {
    let bytes = [UInt8](repeating: gray, count: 64 * 36 * 3)
    return PixelBuffer(size: Size(width: 64, height: 36), bytes: bytes)?.jpeg(quality: 90) ?? []
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
    _ paths: [String], _ terms: CoverLoader.Terms = CoverLoader.Terms(), by loader: CoverLoader? = nil
  ) async -> Result {
    do throws(CoverFailure) {
      let addresses = paths.compactMap { WebAddress($0.hasPrefix("http") ? $0 : server.origin + $0) }
      let picture = try await (loader ?? self.loader()).cover(
        addresses.map { .web($0) }, on: terms, size: Size(width: 8, height: 4), cellSize: Size(width: 8, height: 16),
        glyphs: .halves, wantsPixels: false)
      return picture.average.red < 40 ? .black : picture.average.red > 215 ? .white : .other
    } catch {
      return .failed(error.reason)
    }
  }

  func load(_ path: String, _ terms: CoverLoader.Terms = CoverLoader.Terms()) async -> Result {
    await load([path], terms)
  }

  /// Lets time pass for the stored covers and the missing ones.
  func pass(seconds: Int) throws {
    try Database(path: folder + "/covers.sqlite", timeoutMilliseconds: 1000).run(
      script: """
        UPDATE cover SET got_at = got_at - \(seconds), fresh_until = fresh_until - \(seconds),
          kept_until = kept_until - \(seconds);
        UPDATE missing SET until = until - \(seconds);
        """)
  }

  /// The paths of all requests so far, each with the value of a header.
  func requests(_ header: String? = nil) -> [String] {
    server.requests.map { request in
      header.map { "\(request.target) \(request.headers[$0] ?? "-")" } ?? request.target
    }
  }
}

extension LoadCases {
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
