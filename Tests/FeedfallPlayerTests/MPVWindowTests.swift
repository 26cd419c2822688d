import FeedfallFeeds
import FeedfallPlaying
import FeedfallSystem
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// A window of its own, on a display that nobody sees.
@Suite(
  .withMPV, .enabled(if: InstalledPrograms.path(of: "Xvfb") != nil, "Xvfb is not installed"), .serialized
) struct MPVWindowTests {
  private static let cells = Size(width: 40, height: 12)

  /// Xvfb is a kept program, so it goes with us in any case.
  private func withDisplay(_ script: String = "", _ body: (Watched) async throws -> Void) async throws {
    try await withFolder { folder in
      let words = ["-c", "exec Xvfb -displayfd 1 -screen 0 640x480x24 -nolisten tcp > '\(folder)/display'"]
      let shell = HelperProgram(path: "/bin/sh", timeLimitSeconds: 600, maximumByteCount: 1 << 20)
      let server = Task { await shell.run(words.map { Array($0.utf8) }) }
      do {
        let display = try await displayNumber(from: "\(folder)/display")
        // This process has many threads, and none may change its environment: a shell does.
        let path = try writeScript(
          "DISPLAY=:\(display) exec mpv \"$@\" --script='\(folder)/script.lua'", to: "\(folder)/program")
        try write(script, to: "\(folder)/script.lua")
        let watched = Watched { options in
          options.windowSystem = "x11egl"
          options.mpvPath = path
        }
        watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
        try await body(watched)
        watched.player.shutDown()
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

  @Test func `a film goes to a window while it plays, and comes back`() async throws {
    try await withDisplay { watched in
      try watched.load(1, Clips.long)
      try await watched.ready(1)
      _ = try await watched.picture(Self.cells)
      watched.player.perform(.configure(PlayerConfiguration(presentation: .window)))
      try await watched.until { $0.reports.contains(.presentationChanged(.window)) }
      watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .filling))))
      try await watched.until {
        $0.reports.last { if case .presentationChanged = $0 { true } else { false } } == .presentationChanged(.cells)
      }
      _ = try await watched.picture(Self.cells)
      #expect(watched.end(1) == nil)
    }
  }

  @Test func `a window that the person closes ends the film`() async throws {
    let closing = """
      mp.observe_property("vo-configured", "bool", function(_, isThere) if isThere then mp.command("quit") end end)
      """
    try await withDisplay(closing) { watched in
      watched.player.perform(.configure(PlayerConfiguration(presentation: .window)))
      try watched.load(1, Clips.long)
      try await watched.expectEnd(1, .closed)
      #expect(!watched.reports.contains { if case .unavailable = $0 { true } else { false } })
    }
  }
}
