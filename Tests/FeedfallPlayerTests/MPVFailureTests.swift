import FeedfallFeeds
import FeedfallPlaying
import FeedfallSystem
import Glibc
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// What goes wrong, with a real mpv and a server that does as it is told.
@Suite(.hangLimit, .withMPV, .serialized) struct MPVFailureTests {
  private func withServer(
    _ answer: @escaping TestServer.Answering, _ body: (Watched, TestServer) async throws -> Void
  ) async throws {
    let server = try TestServer(answer)
    defer { server.stop() }
    let watched = Watched()
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 40, height: 12), .whole))))
    try await body(watched, server)
  }

  /// The film at any address.
  private func film(_ bytes: [UInt8], _ type: String = "video/mp4") -> TestServer.Answering {
    { .answer(.media(bytes, type: type, for: $0)) }
  }

  private func expectEnd(_ end: EndReason, _ answer: @escaping TestServer.Answering) async throws {
    try await withServer(answer) { watched, server in
      try watched.load(1, "\(server.origin)/a.mp4")
      try await watched.expectEnd(1, end)
    }
  }

  @Test(arguments: [403, 404, 410, 429, 500])
  func `a server's status is told`(status: Int) async throws {
    try await expectEnd(.failed(.http(status: status))) { _ in .answer(TestAnswer("no", status: status)) }
  }

  @Test func `a page is no film`() async throws {
    try await expectEnd(.failed(.unrecognizedFormat)) { _ in .answer(.html("<html><title>A page</title></html>")) }
  }

  @Test func `a film of subtitles alone has nothing to see or hear`() async throws {
    let lines = "1\n00:00:00,000 --> 00:00:01,000\nhello\n"
    try await expectEnd(.failed(.noStreams)) { _ in .answer(TestAnswer(lines, headers: ["Content-Type": "text/plain"]))
    }
  }

  @Test func `a server that is not there cannot be reached`() async throws {
    let watched = Watched()
    try watched.load(1, "http://127.0.0.1:1/a.mp4")
    try await watched.expectEnd(1, .failed(.unreachable))
    try watched.load(2, "http://no.such.host.invalid/a.mp4")
    try await watched.expectEnd(2, .failed(.unreachable))
  }

  @Test func `a file that is not there is no film`() async throws {
    let watched = Watched()
    try watched.load(1, "/no/such/film.mp4")
    try await watched.expectEnd(1, .failed(.noMedia))
  }

  @Test func `a server that is silent takes too long`() async throws {
    let server = try TestServer { _ in .silence }
    defer { server.stop() }
    let watched = Watched { $0.networkTimeoutSeconds = 1 }
    try watched.load(1, "\(server.origin)/a.mp4")
    try await watched.expectEnd(1, .failed(.timedOut))
  }

  @Test func `a film that is cut off ends where it ends`() async throws {
    let clip = try #require(bytes(ofFile: Clips.wide))
    let half = Array(clip.prefix(clip.count / 2))
    try await withServer(film(half)) { watched, server in
      try watched.load(1, "\(server.origin)/a.mp4")
      try await watched.expectEnd(1, .reachedEnd)
      #expect(watched.news(1).contains(.duration(seconds: 4)))
      #expect(try #require(watched.time(1)) < 3.5)
    }
  }

  @Test func `a connection that breaks is taken up again`() async throws {
    let clip = try #require(bytes(ofFile: Clips.wide))
    let answering: TestServer.Answering = { request in
      let answer = TestAnswer.media(clip, type: "video/mp4", for: request)
      return request.headers["range"] == "bytes=0-" ? .reset(answer, after: clip.count / 2) : .answer(answer)
    }
    try await withServer(answering) { watched, server in
      try watched.load(1, "\(server.origin)/a.mp4") { $0.startSeconds = 1 }
      try await watched.expectEnd(1, .reachedEnd)
      #expect(try #require(watched.time(1)) > 3.5)
    }
  }

  @Test func `a film plays from a server with ranges, and is sought in`() async throws {
    let clip = try #require(bytes(ofFile: Clips.late))
    try await withServer(film(clip)) { watched, server in
      try watched.load(1, "\(server.origin)/a.mp4") { $0.isPaused = true }
      try await watched.ready(1)
      watched.player.perform(.seek(to: 1.5))
      try await watched.until { $0.news(1).contains(.seekCompleted) }
      #expect(abs(try #require(watched.time(1)) - 1.5) < 0.05)
      #expect(server.requests.contains { $0.headers["range"] != nil })
    }
  }

  @Test func `an flv plays as it is`() async throws {
    let clip = try #require(bytes(ofFile: Clips.flash))
    try await withServer(film(clip, "video/x-flv")) { watched, server in
      try watched.load(1, "\(server.origin)/a.flv")
      try await watched.ready(1)
      _ = try await watched.picture(Size(width: 40, height: 12))
    }
  }

  @Test func `a slow server makes it wait, and then it goes on`() async throws {
    let clip = try #require(bytes(ofFile: Clips.wide))
    let answering: TestServer.Answering = { request in
      .slow(.media(clip, type: "video/mp4", for: request), bytesPerSecond: 60_000)
    }
    try await withServer(answering) { watched, server in
      try watched.load(1, "\(server.origin)/a.mp4")
      try await watched.until { watched in
        let stalls = watched.news(1).drop { $0 != .ready }.filter { if case .stalled = $0 { true } else { false } }
        return stalls.contains(.stalled(true)) && stalls.last == .stalled(false)
      }
      #expect(watched.news(1).contains { if case .buffered(let until) = $0 { until > 0 } else { false } })
    }
  }

  @Test func `without mpv that is told, and again for the next film`() async throws {
    let watched = Watched { $0.mpvPath = nil }
    try watched.load(1, Clips.wide)
    try await watched.until { $0.reports == [.unavailable(.notInstalled)] }
    try watched.load(2, Clips.wide)
    try await watched.until { $0.reports == [.unavailable(.notInstalled), .unavailable(.notInstalled)] }
    let gone = Watched { $0.mpvPath = "/no/such/mpv" }
    try gone.load(1, Clips.wide)
    try await gone.until { $0.reports == [.unavailable(.notInstalled)] }
  }

  @Test func `what is no mpv is told`() async throws {
    let watched = Watched { $0.mpvPath = "/usr/bin/false" }
    try watched.load(1, Clips.wide)
    try await watched.until { watched in
      watched.reports.contains { if case .unavailable(.notStarted) = $0 { true } else { false } }
    }
  }
}
