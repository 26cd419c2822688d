import FeedfallApp
import FeedfallSystem
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// A program in the place of mpv that sends without an end.
@Suite(.hangLimit) struct FloodTests {
  @Test func `a burst is accepted, and a steady stream up to its rate`() {
    let start = SuspendingClock.now
    var gauge = FloodGauge()
    let pieces = [(100, 0), (1, 0), (41, 1000), (20, 2000), (200, 60_000)]
    let areAccepted = pieces.map { count, milliseconds in
      gauge.accepts(count, rate: 50, burst: 100, at: start + .milliseconds(milliseconds))
    }
    #expect(areAccepted == [true, false, true, true, false])
  }

  @Test(arguments: ["exec yes >&3", "exec yes '{\"event\":\"playback-restart\"}' >&3"])
  func `a flood ends the program with a message`(command: String) async throws {
    try await withFolder { folder in
      let path = try writeScript(command, to: folder + "/mpv")
      let player = TestPlayer(.program) { $0.mpvPath = path }
      try player.load(1, "/a/film.mp4")
      try await player.waitUntil { player in
        player.reports.contains { if case .unavailable = $0 { true } else { false } }
      }
      #expect(player.reports.last == .unavailable(.tooMuchOutput))
    }
  }
}
