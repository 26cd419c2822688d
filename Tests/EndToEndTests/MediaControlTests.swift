import Foundation
import TestSupport
import Testing

/// The program as a media player on a session bus, controlled by playerctl.
@Suite(
  .hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"),
  .enabled(if: FilmFolder.obstacle == nil, "\(FilmFolder.obstacle ?? "")"),
  .enabled(if: MediaPrograms.missing == nil, "\(MediaPrograms.missing ?? "") is not installed"))
struct MediaControlTests {
  @Test func `playerctl shows and controls the video`() async throws {
    try await withPlayer { bus, terminal in
      let player = try Player(in: terminal, on: bus)
      try player.waitForPicture()
      #expect(try player.output("metadata", "xesam:title") == "one")
      #expect(try player.output("metadata", "xesam:artist") == "Ann Author")
      #expect(try player.output("metadata", "mpris:artUrl") == "https://films.example/one.jpg")
      #expect(try player.output("metadata", "xesam:url").hasSuffix("/films/one.mp4"))
      try player.run("pause")
      try player.wait(for: "Paused", "status")
      try player.run("position", "120")
      try player.wait(for: "120.000000", "position")
      try player.run("position", "30-")
      try player.wait(for: "90.000000", "position")
      try terminal.waitFor("1:30")
      try player.run("volume", "0.3")
      try player.wait(for: "0.300000", "volume")
      try player.run("play")
      try player.wait(for: "Playing", "status")
      try player.run("loop", "Playlist")
      try player.wait(for: "Playlist", "loop")
      try player.run("shuffle", "On")
      try player.wait(for: "On", "shuffle")
      try player.run("shuffle", "Off")
      try player.wait(for: "Off", "shuffle")
      try player.run("loop", "None")
      try player.wait(for: "None", "loop")
      try player.run("next")
      try player.wait(for: "two", "metadata", "xesam:title")
      try player.run("previous")
      try player.wait(for: "one", "metadata", "xesam:title")
      try player.run("stop")
      try player.wait(for: "Stopped", "status")
      try player.run("play")
      try player.wait(for: "Playing", "status")
    }
  }

  @Test func `keys are signaled to other programs`() async throws {
    try await withPlayer { bus, terminal in
      let player = try Player(in: terminal, on: bus)
      try player.waitForPicture()
      let file = terminal.folder.path + "/signals"
      let monitor = try Monitor(bus, writingTo: file)
      defer { monitor.end() }
      try terminal.press("Space")
      try monitor.wait(for: "string \"Paused\"")
      try terminal.press("5")
      try monitor.wait(for: "member=Seeked")
      try player.wait(for: "\(FilmFolder.seconds / 2).000000", "position")
    }
  }

  @Test func `playback goes on when the bus goes away`() async throws {
    try await withPlayer { bus, terminal in
      let player = try Player(in: terminal, on: bus)
      try player.waitForPicture()
      bus.stop()
      try terminal.press("Space")
      try terminal.waitUntilIdle()
      try terminal.press("n")
      try terminal.waitFor("2 of 2")
      try bus.start()
      try terminal.press("p")
      try player.wait(for: "one", "metadata", "xesam:title")
    }
  }

  /// Runs a test with a bus of its own, and a terminal in which the program plays a video.
  private func withPlayer(_ body: @escaping @Sendable (TestBus, Tmux) throws -> Void) async throws {
    try await withFolder { folder in
      try await onThread {
        let bus = try TestBus(in: folder)
        let films = folder + "/films"
        try FileManager.default.createDirectory(atPath: films, withIntermediateDirectories: true)
        try FilmFolder.make("one", "two", in: films)
        let feed = try FilmFolder.makeFeed(of: "one", "two", in: films)
        let terminal = try Tmux(
          width: 120, height: 40,
          environment: [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": "\(folder)/state",
            "PULSE_SERVER": "unix:\(folder)/none", "PULSE_COOKIE": "\(folder)/cookie",
          ])
        defer { terminal.close() }
        try terminal.start("--images none \(feed)")
        try terminal.waitUntilIdle()
        try terminal.press("Space")
        try body(bus, terminal)
      }
    }
  }
}

/// The programs that these tests need; `.ci/install --tests` installs them.
private enum MediaPrograms {
  static let missing = ["dbus-daemon", "dbus-monitor", "playerctl"].first { installedProgram($0) == nil }
}

/// The program as playerctl sees it.
private struct Player {
  private let address: String
  private let name: String

  init(in terminal: Tmux, on bus: TestBus) throws {
    guard let process = try terminal.child(named: "feedfall") else { throw TestFailure("the program does not run") }
    address = bus.address
    name = "feedfall.instance\(process)"
  }

  private func call(_ words: [String]) throws -> Outcome {
    try runBlocking("/usr/bin/playerctl", ["-p", name] + words, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
  }

  func run(_ words: String...) throws {
    let outcome = try call(words)
    guard outcome.status == 0 else { throw TestFailure("playerctl \(words): \(outcome.errors)") }
  }

  func output(_ words: String...) throws -> String { try line(words) }

  func wait(for text: String, _ words: String...) throws {
    var last = ""
    try blockUntil("\(words) is \(text), not \(last)") {
      last = try line(words)
      return last == text
    }
  }

  /// Waits until the video plays: its length is known from then on, so that it can be sought in.
  func waitForPicture() throws {
    try wait(for: "\(FilmFolder.seconds)000000", "metadata", "mpris:length")
    try wait(for: "Playing", "status")
  }

  private func line(_ words: [String]) throws -> String {
    let outcome = try call(words)
    return (outcome.output + outcome.errors).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// Writes all messages on a bus to a file.
private final class Monitor {
  private let process = Process()
  private let path: String

  init(_ bus: TestBus, writingTo path: String) throws {
    self.path = path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-monitor")
    process.arguments = ["--address", bus.address]
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try process.run()
    try wait(for: "signal")
  }

  func wait(for text: String) throws {
    try blockUntil("the bus carries \(text)") {
      String(decoding: try fileBytes(of: path), as: UTF8.self).contains(text)
    }
  }

  func end() { process.end() }
}
