import FeedfallApp
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

@Suite(.hangLimit, .withMPV, .serialized) struct MPVPlayerProcessTests {
  private static let cells = Size(width: 20, height: 6)

  private func makePlayer(_ form: MPVConfiguration.Form = .library) -> TestPlayer {
    let player = TestPlayer(form)
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    return player
  }

  @Test(arguments: Clips.forms) func `mpv starts with the first video and plays all further ones`(
    form: MPVConfiguration.Form
  )
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

  @Test(.withLibrary) func `sixty videos leave no files open`() async throws {
    try await withProbe(of: (0...60).map { [Clips.wide, Clips.tall, Clips.flash][$0 % 3] }) { _, lines in
      let counts = lines.map { $0.split(separator: " ").last ?? "" }
      #expect(counts.count == 61)
      #expect(Set(counts).count == 1)
    }
  }

  @Test(.withLibrary) func `killing the program ends mpv`() async throws {
    try await withProbe(of: [Clips.wide]) { probe, _ in
      let processID = try #require(descendants(of: probe, named: "exe").last)
      kill(probe, SIGKILL)
      try await eventually("mpv has ended") { !isRunning(processID) }
    }
  }

  @Test(.withLibrary) func `killing the program ends an mpv that hangs`() async throws {
    try await withProbe(of: [Clips.wide]) { probe, _ in
      let processID = try #require(descendants(of: probe, named: "exe").last)
      kill(processID, SIGSTOP)
      kill(probe, SIGKILL)
      try await eventually("mpv has ended") { !isRunning(processID) }
    }
  }

  @Test(.withLibrary) func `orders sent while mpv starts are carried out`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.wide) { $0.isPaused = true }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 33, height: 7), .whole))))
    player.perform(.seek(to: 1))
    player.perform(.seek(to: 2.5))
    _ = try await player.frame(Size(width: 33, height: 7))
    try await player.waitUntil { $0.events(1).contains(.seekCompleted) }
    #expect(abs(try #require(player.time(1)) - 2.5) < 0.05)
  }

  @Test(arguments: Clips.forms) func `a killed mpv is reported, and the next load starts a new one`(
    form: MPVConfiguration.Form
  ) async throws {
    let player = makePlayer(form)
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    let processID = try #require(player.processID)
    kill(processID, SIGKILL)
    try await player.waitUntil { $0.reports.last == .unavailable(.crashed) }
    try player.load(2, Clips.tall)
    try await player.waitUntilReady(2)
    if form == .library { _ = try await player.frame(Self.cells) }
    #expect(player.processID != processID)
  }

  @Test(arguments: Clips.forms) func `a stopped mpv is noticed while it plays, and the next load starts a new one`(
    form: MPVConfiguration.Form
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

  @Test(arguments: Clips.forms) func `shutting the player down ends mpv, even if it hangs`(form: MPVConfiguration.Form)
    async throws
  {
    for signal in [SIGCONT, SIGSTOP] {
      let player = makePlayer(form)
      try player.load(1, Clips.long)
      try await player.waitUntilReady(1)
      kill(try #require(player.processID), signal)
      player.shutDown()
      try await eventually("mpv has ended after signal \(signal)") { player.processID == nil }
    }
  }

  @Test(.withLibrary) func `an mpv killed at any moment leaves no process, memory or file`() async throws {
    // Without the program in its search path, the probe uses the library however often it crashes.
    try await withProbe(of: Array(repeating: Clips.wide, count: 2000), "PATH=/none", lineCount: 1) { probe, lines in
      let files = try #require(lines.first?.split(separator: " ").last.flatMap { Int($0) })
      for round in 0..<50 {
        var process: pid_t?
        try await eventually("mpv runs") {
          process = descendants(of: probe, named: "exe").last
          return process != nil
        }
        // From the start of the process to its first frames.
        for _ in 0..<round % 10 * 20 { await Task.yield() }
        if let process { kill(process, SIGKILL) }
        try await eventually("the killed mpv is gone") { process.map(isRunning) == false }
      }
      try await eventually("one mpv is left: \(openFiles(of: probe))") {
        descendants(of: probe, named: "exe").count == 1 && openFiles(of: probe).count <= files
      }
      let maps = String(decoding: bytes(ofFile: "/proc/\(probe)/maps") ?? [], as: UTF8.self)
      #expect(maps.split(separator: "\n").count { $0.contains("feedfall-frames") } <= 1)
    }
  }

  @Test(.withLibrary) func `libmpv starts after an upgrade has removed feedfall's file`() async throws {
    try await withFolder { folder in
      let copy = "\(folder)/probe"
      let start = "cp '\(builtProgram("player-probe"))' '\(copy)'; exec 9< '\(copy)'; rm '\(copy)';"
      try await withProbe(of: [Clips.wide], start, program: "/proc/self/fd/9") { probe, lines in
        #expect(lines.count == 1)
        #expect(descendants(of: probe, named: "exe").count == 1)
      }
    }
  }

  @Test func `a stop ends a video at once while mpv starts`() async throws {
    try await withFolder { folder in
      let path = try writeScript("exec tail -f /dev/null", to: "\(folder)/host")
      let player = TestPlayer { $0.hostPath = path }
      try player.load(1, Clips.wide)
      player.perform(.pause)
      player.perform(.stop)
      try await player.waitUntil { !$0.reports.isEmpty }
      #expect(player.reports == [.event(PlayID(1), .ended(.stopped))])
    }
  }

  @Test(arguments: Clips.forms) func `an mpv that quits ends the video and is no crash`(
    form: MPVConfiguration.Form
  ) async throws {
    try await withFolder { folder in
      try write("mp.register_event('playback-restart', function() mp.command('quit') end)", to: "\(folder)/quit.lua")
      let program = form == .library ? "'\(builtProgram("player-probe"))'" : "mpv"
      let option = "\(form == .library ? "" : "--")scripts='\(folder)/quit.lua'"
      let path = try writeScript("exec \(program) \"$@\" \(option)", to: "\(folder)/program")
      let player = TestPlayer(form) { options in
        if form == .library { options.hostPath = path } else { options.mpvPath = path }
      }
      player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
      for id in 1...12 {
        try player.load(id, Clips.long)
        try await player.expectEnd(id, .closed)
      }
      #expect(!player.reports.contains { if case .unavailable = $0 { true } else { false } })
    }
  }

  @Test(.withLibrary) func `after two crashes of libmpv the mpv program plays, with one report`() async throws {
    let name = "mpv-for-crashes"
    let player = TestPlayer { $0.mpvPath = Clips.mpv(named: name) }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    for id in 1...2 {
      try player.load(id, Clips.long)
      try await player.waitUntilReady(id)
      kill(try #require(player.processID), SIGKILL)
      try await player.waitUntil { $0.reports.count { $0 == .unavailable(.crashed) } == id }
    }
    for id in 3...4 {
      try player.load(id, Clips.long)
      try await player.waitUntilReady(id)
      #expect(descendants(of: getpid(), named: name).count == 1)
    }
    #expect(player.reports.count { $0 == .libraryUnusable(.failing) } == 1)
  }

  @Test(.withLibrary) func `crashes in previews leave libmpv in use`() async throws {
    let name = "mpv-for-previews"
    let player = TestPlayer { $0.mpvPath = Clips.mpv(named: name) }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    for id in 1...3 {
      try player.load(id, Clips.long) { $0.byteLimit = 100_000_000 }
      try await player.waitUntilReady(id)
      kill(try #require(player.processID), SIGKILL)
      try await player.waitUntil { $0.reports.count { $0 == .unavailable(.crashed) } == id }
    }
    try player.load(4, Clips.long)
    try await player.waitUntilReady(4)
    #expect(player.processID != nil && descendants(of: getpid(), named: name).isEmpty)
    #expect(!player.reports.contains { if case .libraryUnusable = $0 { true } else { false } })
  }

  /// Runs `player-probe` with these clips; the body receives its process ID and its line for each clip.
  ///
  /// - Parameters:
  ///   - start: what the shell does before.
  ///   - lineCount: the number of lines to wait for; nil for all.
  private func withProbe(
    of clips: [String], _ start: String = "", program: String = builtProgram("player-probe"), lineCount: Int? = nil,
    _ body: (pid_t, [String]) async throws -> Void
  ) async throws {
    let words = ([program] + clips).map { "'\($0)'" }.joined(separator: " ")
    let output = try #require(popen("\(start) exec \(words) </dev/null", "re"))
    var lines = (0...(lineCount ?? clips.count)).compactMap { _ in line(output) }
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
