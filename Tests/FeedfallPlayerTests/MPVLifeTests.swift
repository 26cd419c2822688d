import FeedfallFeeds
import FeedfallPlaying
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// How mpv comes and goes.
@Suite(.hangLimit, .withMPV, .serialized) struct MPVLifeTests {
  private static let cells = Size(width: 20, height: 6)

  private func watched() -> Watched {
    let watched = Watched()
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    return watched
  }

  @Test func `nothing is started before the first film, and one mpv plays all`() async throws {
    let watched = watched()
    watched.player.perform(.configure(PlayerConfiguration(volume: 50)))
    #expect(watched.program == nil)
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    let program = try #require(watched.program)
    try watched.load(2, Clips.rich)
    try await watched.ready(2)
    #expect(watched.program == program)
  }

  @Test func `after sixty films no more files are open than after the first`() async throws {
    try await withProbe(of: (0...60).map { [Clips.wide, Clips.tall, Clips.flash][$0 % 3] }) { _, lines in
      let counts = lines.map { $0.split(separator: " ").last ?? "" }
      #expect(counts.count == 61)
      #expect(Set(counts).count == 1)
    }
  }

  @Test func `when we are killed, mpv is gone too`() async throws {
    try await withProbe(of: [Clips.wide]) { probe, _ in
      let program = try #require(descendants(of: probe, named: "mpv").first)
      kill(probe, SIGKILL)
      try await eventually("mpv has ended") { !isRunning(program) }
    }
  }

  @Test func `when we are killed, an mpv that hangs is gone too`() async throws {
    try await withProbe(of: [Clips.wide]) { probe, _ in
      let program = try #require(descendants(of: probe, named: "mpv").first)
      kill(program, SIGSTOP)
      kill(probe, SIGKILL)
      try await eventually("mpv has ended") { !isRunning(program) }
    }
  }

  @Test func `orders that come while it starts are carried out`() async throws {
    let watched = watched()
    try watched.load(1, Clips.wide) { $0.isPaused = true }
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 33, height: 7), .whole))))
    watched.player.perform(.seek(to: 1))
    watched.player.perform(.seek(to: 2.5))
    _ = try await watched.picture(Size(width: 33, height: 7))
    try await watched.until { $0.news(1).contains(.seekCompleted) }
    #expect(abs(try #require(watched.time(1)) - 2.5) < 0.05)
  }

  @Test func `an mpv that is killed is told, and the next film has a new one`() async throws {
    let watched = watched()
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    let program = try #require(watched.program)
    kill(program, SIGKILL)
    try await watched.until { $0.reports.last == .unavailable(.crashed) }
    try watched.load(2, Clips.tall)
    try await watched.ready(2)
    _ = try await watched.picture(Self.cells)
    #expect(watched.program != program)
  }

  @Test func `it ends with the player, even where it hangs`() async throws {
    for signal in [SIGCONT, SIGSTOP] {
      let watched = watched()
      try watched.load(1, Clips.long)
      try await watched.ready(1)
      kill(try #require(watched.program), signal)
      watched.player.shutDown()
      #expect(watched.program == nil)
    }
  }

  /// Runs a program of its own that plays these, and gives its number and what it said of each.
  private func withProbe(of clips: [String], _ body: (pid_t, [String]) async throws -> Void) async throws {
    let words = ([builtProgram("player-probe")] + clips).map { "'\($0)'" }.joined(separator: " ")
    let output = try #require(popen("exec \(words) </dev/null", "re"))
    var lines = (0...clips.count).compactMap { _ in line(output) }
    let probe = try #require(pid_t(lines.removeFirst()))
    defer {
      kill(probe, SIGKILL)
      pclose(output)
    }
    try await body(probe, lines)
  }

  private func line(_ file: UnsafeMutablePointer<FILE>) -> String? {
    var buffer = [CChar](repeating: 0, count: 200)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 > 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
