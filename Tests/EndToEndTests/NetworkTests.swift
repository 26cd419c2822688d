import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

/// The program in a terminal with a feed from a server on this machine.
@Suite(.hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"))
struct NetworkTests {
  /// Five pages of ten films, the last one with three.
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
    _ options: String = "", server answering: @escaping TestServer.Answering,
    _ body: @escaping @Sendable (Tmux, TestServer) throws -> Void
  ) async throws {
    try await onThread {
      let server = try TestServer(answering)
      defer { server.stop() }
      let tmux = try Tmux(width: 80, height: 24)
      defer { tmux.close() }
      try tmux.enter("\(Feedfall.path) \(options) --page-size 10 \(server.origin)/videos.json")
      try body(tmux, server)
    }
  }

  @Test func `five pages come to their end with the last films shown`() async throws {
    let answering: TestServer.Answering = { .answer(Self.page($0)) }
    try await browse(server: answering) { tmux, server in
      try tmux.waitFor("1/10")
      for count in [20, 30, 40, 43] {
        try tmux.press("m")
        try tmux.waitFor("/\(count)")
      }
      try tmux.press("G")
      let screen = try tmux.waitFor("all 43 videos are shown")
      #expect(screen.contains("Film 42"))
      #expect(server.requests.map { $0.query["page"] } == ["0", "1", "2", "3", "4"])
    }
  }

  @Test func `a failed page is told and asked for again by r`() async throws {
    let requests = Counter()
    let answering: TestServer.Answering = { request in
      if request.query["page"] == "1", requests.next() == 1 { return .answer(TestAnswer("no", status: 500)) }
      return .answer(Self.page(request))
    }
    try await browse(server: answering) { tmux, _ in
      try tmux.waitFor("1/10")
      try tmux.press("m")
      let alert = try tmux.waitFor("Press r to retry")
      #expect(alert.contains("500") && alert.contains("1/10"))
      try tmux.press("r")
      try tmux.waitFor("1/20")
    }
  }

  @Test func `a server that asks for a second is asked again by itself`() async throws {
    let requests = Counter()
    let answering: TestServer.Answering = { request in
      if request.query["page"] == "1", requests.next() == 1 {
        return .answer(TestAnswer("slowly", status: 429, headers: ["Retry-After": "1"]))
      }
      return .answer(Self.page(request))
    }
    try await browse(server: answering) { tmux, server in
      try tmux.waitFor("1/10")
      try tmux.press("m")
      try tmux.waitFor("waiting 1 s for the server")
      try tmux.waitFor("1/20")
      #expect(server.requests.map { $0.query["page"] } == ["0", "1", "1"])
    }
  }

  @Test func `a server that asks for minutes is left alone`() async throws {
    let answering: TestServer.Answering = { request in
      request.query["page"] == "0"
        ? .answer(Self.page(request)) : .answer(TestAnswer("no", status: 503, headers: ["Retry-After": "120"]))
    }
    try await browse(server: answering) { tmux, server in
      try tmux.waitFor("1/10")
      try tmux.press("m")
      let alert = try tmux.waitUntil("the alert is up") { shown in
        shown.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("The server asked to wait 2 min")
      }
      #expect(alert.contains("503"))
      try tmux.press("r")
      try tmux.waitFor("The server asked to wait 2 min")
      #expect(server.requests.count == 2)
    }
  }

  @Test func `keys work while the server is silent`() async throws {
    let answering: TestServer.Answering = { request in
      request.query["page"] == "0" ? .answer(Self.page(request)) : .silence
    }
    try await browse(server: answering) { tmux, _ in
      try tmux.waitFor("1/10")
      try tmux.press("m")
      try tmux.waitUntil("more is being loaded") { !$0.contains("press m to load more") }
      try tmux.press("l")
      try tmux.waitFor("2/10")
      try tmux.press("q")
      try tmux.waitUntil("the shell is back") { $0.split(separator: "\n").last?.hasPrefix("ready>") ?? false }
    }
  }
}

/// Counts from 1 on.
private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
