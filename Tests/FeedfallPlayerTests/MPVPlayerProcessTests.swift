import FeedfallPlaying
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// The lifetime of the mpv process.
@Suite(.hangLimit, .withMPV, .serialized) struct MPVPlayerProcessTests {
  private static let cells = Size(width: 20, height: 6)

  private func makePlayer(_ form: MPVLaunch.Form) -> TestPlayer {
    let player = TestPlayer(form)
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    return player
  }

  @Test(arguments: Clips.forms) func `mpv starts with the first video and plays all further ones`(form: MPVLaunch.Form)
    async throws
  {
    let player = makePlayer(form)
    player.perform(.configure(PlayerConfiguration(volume: 50)))
    #expect(player.processID == nil)
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    let processID = try #require(player.processID)
    try player.load(2, Clips.rich)
    try await player.waitUntilReady(2)
    #expect(player.processID == processID)
  }

  @Test func `sixty videos leave no files open`() async throws {
    try await withProbe(of: (0...60).map { [Clips.wide, Clips.tall, Clips.flash][$0 % 3] }) { _, lines in
      let counts = lines.map { $0.split(separator: " ").last ?? "" }
      #expect(counts.count == 61)
      #expect(Set(counts).count == 1)
    }
  }

  @Test func `killing the program ends mpv`() async throws {
    try await withProbe(of: [Clips.wide]) { probe, _ in
      let processID = try #require(descendants(of: probe, named: "player-probe").last)
      kill(probe, SIGKILL)
      try await eventually("mpv has ended") { !isRunning(processID) }
    }
  }

  @Test func `killing the program ends an mpv that hangs`() async throws {
    try await withProbe(of: [Clips.wide]) { probe, _ in
      let processID = try #require(descendants(of: probe, named: "player-probe").last)
      kill(processID, SIGSTOP)
      kill(probe, SIGKILL)
      try await eventually("mpv has ended") { !isRunning(processID) }
    }
  }

  @Test(arguments: Clips.forms) func `orders sent while mpv starts are carried out`(form: MPVLaunch.Form) async throws {
    let player = makePlayer(form)
    try player.load(1, Clips.wide) { $0.isPaused = true }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 33, height: 7), .whole))))
    player.perform(.seek(to: 1))
    player.perform(.seek(to: 2.5))
    _ = try await player.frame(Size(width: 33, height: 7))
    try await player.waitUntil { $0.events(1).contains(.seekCompleted) }
    #expect(abs(try #require(player.time(1)) - 2.5) < 0.05)
  }

  @Test(arguments: Clips.forms) func `a killed mpv is reported, and the next load starts a new one`(
    form: MPVLaunch.Form
  ) async throws {
    let player = makePlayer(form)
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    let processID = try #require(player.processID)
    kill(processID, SIGKILL)
    try await player.waitUntil { $0.reports.last == .unavailable(.crashed) }
    try player.load(2, Clips.tall)
    try await player.waitUntilReady(2)
    _ = try await player.frame(Self.cells)
    #expect(player.processID != processID)
  }

  @Test(arguments: Clips.forms) func `a stopped mpv is noticed while it plays, and the next load starts a new one`(
    form: MPVLaunch.Form
  ) async throws {
    let player = makePlayer(form)
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    kill(try #require(player.processID), SIGSTOP)
    try await player.waitUntil { $0.reports.contains(.unavailable(.notResponding)) }
    #expect(player.processID == nil)
    try player.load(2, Clips.tall)
    try await player.waitUntilReady(2)
  }

  @Test(arguments: Clips.forms) func `shutting the player down ends mpv, even if it hangs`(form: MPVLaunch.Form)
    async throws
  {
    for signal in [SIGCONT, SIGSTOP] {
      let player = makePlayer(form)
      try player.load(1, Clips.long)
      try await player.waitUntilReady(1)
      kill(try #require(player.processID), signal)
      player.shutDown()
      #expect(player.processID == nil)
    }
  }

  /// Runs `player-probe` with these clips; the body receives its process ID and its line for each clip.
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
