import Foundation
import TestSupport
import Testing

/// Videos played in the terminal by a real mpv.
@Suite(
  .hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"),
  .enabled(if: FilmFolder.obstacle == nil, "\(FilmFolder.obstacle ?? "")"))
struct FilmTests {
  /// Starts the program with a folder of videos.
  private func withFilms(_ body: @escaping @Sendable (Tmux, _ folder: String) throws -> Void) async throws {
    try await withFolder { folder in
      try await onThread {
        try FilmFolder.make("one", "two", in: folder, hertz: nil)
        let tmux = try Tmux(width: 120, height: 40, environment: ["COLORTERM": "truecolor", "XDG_STATE_HOME": folder])
        defer { tmux.close() }
        try body(tmux, folder)
      }
    }
  }

  @Test func `a video plays in the pane, in full window and behind the cards, and stops`() async throws {
    try await withFilms { tmux, folder in
      try startFilm(tmux, folder)
      try tmux.waitUntil("its picture is seen, and its time goes on") {
        blocks(in: $0) > 100 && position(in: $0) ?? 0 >= 2
      }
      try tmux.press("f")
      try tmux.waitUntil("it has the window") { !$0.contains("Playback") && blocks(in: $0) > 500 }
      try tmux.press("f")
      try tmux.waitFor("Playback")
      try tmux.press("Enter")
      try tmux.waitUntil("it goes on in a bar") { blocks(in: $0) < 50 && $0.contains("p show player") }
      try tmux.press("p")
      try tmux.waitUntil("its picture is back") { blocks(in: $0) > 100 }
      try tmux.press("Space", "q")
      try tmux.waitUntil("it has stopped") { blocks(in: $0) < 50 }
      try tmux.press("C-c")
      try tmux.waitForShell()
    }
  }

  @Test func `playback resumes where it stopped`() async throws {
    try await withFilms { tmux, folder in
      try startFilm(tmux, folder)
      try tmux.waitUntil("it plays") { position(in: $0) ?? 0 >= 1 }
      try tmux.press("5")
      try tmux.waitUntil("it plays from its middle on") { position(in: $0) ?? 0 > Self.middle }
      try tmux.press("C-c")
      try tmux.waitForShell()
      try startFilm(tmux, folder)
      try tmux.waitUntil("it goes on there") { blocks(in: $0) > 100 && position(in: $0) ?? 0 > Self.middle }
    }
  }

  @Test func `feedfall play plays the first film of a folder, and q ends it and restores the terminal`() async throws {
    try await withFilms { tmux, folder in
      try tmux.start("play --images none \(folder)")
      try tmux.waitUntil("the picture has the window") { blocks(in: $0) > 500 }
      try tmux.press("q")
      try tmux.waitForShell()
    }
  }

  @Test func `feedfall play reports why nothing can be played`() async throws {
    try await withFilms { tmux, folder in
      try "a picture".write(toFile: folder + "/photo.jpg", atomically: true, encoding: .utf8)
      try tmux.start("play \(folder)/photo.jpg")
      try tmux.waitUntil("the reason is on the screen of the shell") { $0.contains("Could not") }
      try tmux.waitForShell()
    }
  }

  @Test(arguments: [SIGKILL, SIGSEGV, SIGTERM])
  func `the player ends when the program is killed`(signal: Int32) async throws {
    try await withFilms { tmux, folder in
      try startFilm(tmux, folder)
      try tmux.waitUntil("it plays") { position(in: $0) ?? 0 >= 1 }
      let program = try #require(try tmux.child(named: "feedfall"))
      let players = descendants(of: program)
      try #require(!players.isEmpty)
      kill(program, signal)
      try tmux.waitUntil("all is gone") { _ in !players.contains(where: isRunning) }
    }
  }

  private func startFilm(_ tmux: Tmux, _ folder: String) throws {
    // Covers are half blocks too.
    try tmux.start("--images none \(folder)")
    #expect(try tmux.waitUntilIdle().contains("1 of 2"))
    try tmux.press("Space")
  }

  private static let middle = FilmFolder.seconds / 2 - 1

  /// The position in seconds that the player's bar shows; nil if it is not on the screen.
  private func position(in screen: String) -> Int? {
    guard let match = screen.firstMatch(of: /(?:(\d+):)?(\d\d?):(\d\d) [^\d\n]*●/) else { return nil }
    return [match.1, match.2, match.3].reduce(0) { $0 * 60 + (Int($1 ?? "") ?? 0) }
  }

  private func blocks(in screen: String) -> Int { screen.count { "▀▄▌▐▘▝▖▗▚▞▛▜▙▟".contains($0) } }

  private func descendants(of parent: pid_t) -> [pid_t] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
    let children = tasks.flatMap { task in
      ((try? String(contentsOfFile: "/proc/\(parent)/task/\(task)/children", encoding: .utf8)) ?? "")
        .split(separator: " ").compactMap { pid_t($0) }
    }
    return children + children.flatMap(descendants)
  }
}
