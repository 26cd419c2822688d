import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

/// The program in a terminal, with a feed from a server on this machine.
@Suite(.hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"))
struct NetworkTests {
  /// Five pages: ten videos each, three on the last one.
  private static func page(_ request: TestRequest) -> TestAnswer {
    let number = Int(request.query["page"] ?? "0") ?? 0
    let count = number == 4 ? 3 : 10
    let items = (0..<count).map { index in
      let film = number * 10 + index
      return "{\"title\":\"Film \(film)\",\"flv\":\"https://films.example/\(film).flv\",\"duration\":\"1:40\"}"
    }
    return TestAnswer("{\"data\":{\"info_list\":[\(items.joined(separator: ","))],\"end\":\(number == 4 ? 1 : 0)}}")
  }

  private func browse(
    server answering: @escaping TestServer.Answering, _ body: @escaping @Sendable (Tmux, TestServer) throws -> Void
  ) async throws {
    try await onThread {
      let server = try TestServer(answering)
      defer { server.stop() }
      let tmux = try Tmux(width: 80, height: 24)
      defer { tmux.close() }
      try tmux.start("--page-size 10 \(server.origin)/videos.json")
      // The end of the first page is near, so the second one is loaded too.
      #expect(try tmux.waitUntilIdle().contains("1 of 20"))
      try body(tmux, server)
    }
  }

  @Test func `a failed page is reported, and r retries it`() async throws {
    let requests = Counter()
    let answering: TestServer.Answering = { request in
      // The first request for the page is repeated once.
      if request.query["page"] == "2", requests.next() <= 2 { return .answer(TestAnswer("no", status: 500)) }
      return .answer(Self.page(request))
    }
    try await browse(server: answering) { tmux, _ in
      try tmux.press("m")
      let failed = try tmux.waitUntilIdle()
      #expect(failed.contains("500") && failed.contains("1 of 20"))
      #expect(failed.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("r retry"))
      try tmux.press("r")
      #expect(try tmux.waitUntilIdle().contains("1 of 30"))
    }
  }

  @Test func `keys work while the server does not answer`() async throws {
    let answer = Gate()
    defer { answer.open() }
    let answering: TestServer.Answering = { request in
      if request.query["page"] == "2" { answer.pass() }
      return .answer(Self.page(request))
    }
    try await browse(server: answering) { tmux, server in
      try tmux.press("m")
      try blockUntil("more is being loaded") { server.requests.count == 3 }
      try tmux.press("l")
      try tmux.waitFor("2 of 20")
      try tmux.press("q")
      try tmux.waitForShell()
    }
  }
}

/// Counts from 1.
private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
