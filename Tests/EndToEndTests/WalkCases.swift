import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

/// Loads from servers on this machine, with the number of requests until the end.
enum WalkCases {
  /// The end of `feedfall list`.
  struct End {
    var outcome: Outcome
    var targets: [String]

    /// Whether the program failed with one line that names this reason.
    func failedInOneLine(containing reason: String, maximumRequestCount: Int) -> Bool {
      let lines = outcome.errors.split(separator: "\n")
      return outcome.status == 1 && outcome.output.isEmpty && lines.count == 1 && outcome.errors.contains(reason)
        && targets.count <= maximumRequestCount
    }
  }

  static let wait = TestAnswer.html("<!doctype html><title>Just a moment</title><p>Wait.</p>")

  static func page(naming feed: String) -> TestAnswer {
    .html("<!doctype html><title>Loop</title><link rel=alternate type=application/rss+xml href=\(feed)>")
  }

  static func feed(_ numbers: Range<Int> = 0..<2, next: String? = nil) -> TestAnswer {
    let items = numbers.map {
      "<item><title>Film \($0)</title><enclosure type='video/mp4' url='https://v.example/\($0).mp4'/></item>"
    }
    let link = next.map { "<atom:link rel='next' href='\($0)'/>" } ?? ""
    return TestAnswer(
      "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>Films</title>\(link)\(items.joined())"
        + "</channel></rss>", headers: ["Content-Type": "application/rss+xml"])
  }

  static func refusal(_ status: Int, retryAfter: Int? = nil) -> TestAnswer {
    TestAnswer("", status: status, headers: retryAfter.map { ["Retry-After": "\($0)"] } ?? [:])
  }

  /// Runs `feedfall list` without yt-dlp and with a time-out of four seconds; all http addresses lead to the server.
  static func list(
    _ words: String..., timeout: String = "4", path: String = "/nowhere", _ answering: @escaping TestServer.Answering
  ) async throws -> End {
    let server = try TestServer(answering)
    defer { server.stop() }
    let words = words.map { $0.replacingOccurrences(of: "ORIGIN", with: server.origin) }
    let outcome = try await run(
      Feedfall.path, ["list", "--timeout", timeout] + words,
      environment: ["http_proxy": server.origin, "no_proxy": "127.0.0.1", "PATH": path])
    return End(outcome: outcome, targets: server.requests.map(\.target))
  }

  static let channel = "http://yewtu.be/channel/UCabcdefghijklmnopqrstuv"
  static let playlist = "http://yewtu.be/playlist?list=PLabcdefghijklmnop"

  /// Requires that a list of Invidious whose server gives only this answer ends.
  static func expectEnd(_ answer: TestAnswer, _ reason: String) async throws {
    for address in [channel, playlist] {
      let end = try await list(address) { _ in .answer(answer) }
      #expect(end.failedInOneLine(containing: reason, maximumRequestCount: 8), "\(end)")
      #expect(Set(end.targets).count >= end.targets.count - 3, "\(end.targets)")
    }
  }

  /// Returns a function that returns true once.
  private static func firstTime() -> @Sendable () -> Bool {
    final class Count: Sendable { let value = Atomic(0) }
    let count = Count()
    return { count.value.wrappingAdd(1, ordering: .relaxed).newValue == 1 }
  }

  static func expectEnd(_ status: Int) async throws {
    try await expectEnd(refusal(status), "the server answered \(status)")
  }

  // MARK: - Rows

  @Sendable static func waitPage() async throws {
    try await expectEnd(wait, "the answer is a web page (Just a moment), not a feed")
  }

  @Sendable static func rssInstead() async throws {
    let end = try await list(channel) {
      .answer($0.target.contains("/feed/channel/") ? feed() : refusal(403))
    }
    #expect(end.outcome.output.hasPrefix("Film 0\t") && end.targets.count == 2)
  }

  @Sendable static func pageFeedLast() async throws {
    let end = try await list(channel) { request in
      if request.target.hasSuffix("/named") { return .answer(feed()) }
      return .answer(request.target == channel ? page(naming: "/named") : refusal(404))
    }
    #expect(end.outcome.output.hasPrefix("Film 0\t") && end.targets.count == 4)
  }

  @Sendable static func nextBehindRedirect() async throws {
    let end = try await list("ORIGIN/1", "--pages", "1000000") { request in
      switch request.path {
      case "/1": .answer(feed(0..<2, next: "/two"))
      case "/two": .answer(.redirect(to: "/2"))
      default: .answer(feed(2..<4, next: "/1"))
      }
    }
    #expect(end.outcome.status == 0 && end.outcome.output.split(separator: "\n").count == 4)
    #expect(end.targets.count <= 4, "\(end.targets)")
  }

  @Sendable static func waitOfCheck() async throws {
    let isFirst = firstTime()
    let server = try TestServer { _ in .answer(isFirst() ? refusal(503, retryAfter: 1) : feed()) }
    defer { server.stop() }
    let outcome = try await Feedfall.run("check", "--timeout", "4", server.origin + "/a")
    #expect(outcome.status == 0 && outcome.output.contains("first check, 2 videos"), "\(outcome)")
    #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains("Waiting 1 s: "), "\(outcome)")
  }
}
