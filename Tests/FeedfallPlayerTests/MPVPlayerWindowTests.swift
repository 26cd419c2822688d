import FeedfallApp
import FeedfallSystem
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// Playback in a window on a virtual display.
@Suite(
  .hangLimit, .withMPV, .enabled(if: InstalledPrograms.path(of: "Xvfb") != nil, "Xvfb is not installed"), .serialized
) struct MPVPlayerWindowTests {
  private static let cells = Size(width: 40, height: 12)

  /// Runs a test with Xvfb, which ends with this process, and an mpv that runs this Lua script.
  private func withDisplay(
    _ form: MPVConfiguration.Form = .library, _ script: String = "", _ body: (TestPlayer) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let words = ["-c", "exec Xvfb -displayfd 1 -screen 0 640x480x24 -nolisten tcp > '\(folder)/display'"]
      let shell = HelperProgram(path: "/bin/sh", timeLimitSeconds: 600, maximumByteCount: 1 << 20)
      let server = Task { await shell.run(words.map { Array($0.utf8) }) }
      do {
        let display = try await displayNumber(from: "\(folder)/display")
        // A process with several threads must not change its environment, so a shell sets DISPLAY.
        let program = form == .library ? "'\(builtProgram("player-probe"))'" : "mpv"
        let option = "\(form == .library ? "" : "--")scripts='\(folder)/script.lua'"
        let path = try writeScript("DISPLAY=:\(display) exec \(program) \"$@\" \(option)", to: "\(folder)/program")
        try write(script, to: "\(folder)/script.lua")
        let player = TestPlayer(form) { options in
          options.windowSystem = "x11egl"
          if form == .library { options.hostPath = path } else { options.mpvPath = path }
        }
        player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
        try await body(player)
        player.shutDown()
      } catch {
        Issue.record(error)
      }
      server.cancel()
      _ = await server.value
    }
  }

  private func displayNumber(from path: String) async throws -> String {
    try await eventually("Xvfb has started") { bytes(ofFile: path)?.last == 10 }
    return String(decoding: bytes(ofFile: path)?.dropLast() ?? [], as: UTF8.self)
  }

  @Test(.withLibrary) func `a playing video moves to a window and back to cells`() async throws {
    try await withDisplay { player in
      try player.load(1, Clips.long)
      try await player.waitUntilReady(1)
      _ = try await player.frame(Self.cells)
      player.perform(.configure(PlayerConfiguration(presentation: .window)))
      try await player.waitUntil { $0.reports.contains(.presentationChanged(.window)) }
      player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .filling))))
      try await player.waitUntil {
        $0.reports.last { if case .presentationChanged = $0 { true } else { false } } == .presentationChanged(.cells)
      }
      _ = try await player.frame(Self.cells)
      #expect(player.end(1) == nil)
    }
  }

  @Test(.withLibrary) func `a paused video moves to a window and back to pixels`() async throws {
    try await withDisplay { player in
      let size = Size(width: 360, height: 208)
      let pixels = PlayerConfiguration(presentation: .pixels(size, .whole))
      player.perform(.configure(pixels))
      try player.load(1, Clips.long)
      try await player.waitUntilReady(1)
      _ = try await player.frame(pixels: size)
      player.perform(.pause)
      player.perform(.configure(PlayerConfiguration(presentation: .window)))
      try await player.waitUntil { $0.reports.contains(.presentationChanged(.window)) }
      while player.dequeueFrame() != nil {}
      player.perform(.configure(pixels))
      _ = try await player.frame(pixels: size)
      #expect(player.end(1) == nil)
    }
  }

  @Test(arguments: Clips.forms) func `closing the window ends the video`(form: MPVConfiguration.Form) async throws {
    let closing = """
      mp.observe_property("vo-configured", "bool", function(_, isThere) if isThere then mp.command("quit") end end)
      """
    try await withDisplay(form, closing) { player in
      player.perform(.configure(PlayerConfiguration(presentation: .window)))
      try player.load(1, Clips.long)
      try await player.expectEnd(1, .closed)
      #expect(!player.reports.contains { if case .unavailable = $0 { true } else { false } })
    }
  }
}
