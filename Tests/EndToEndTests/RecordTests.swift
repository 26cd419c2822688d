import Foundation
import TestSupport
import Testing

/// The user's records across runs of the program.
@Suite(.hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"))
struct RecordTests {
  private struct Marks: Equatable {
    var isWatched = false
    var isStarred = false

    mutating func press(_ key: String) { if key == "x" { isWatched.toggle() } else { isStarred.toggle() } }
  }

  private static let videoCount = 8

  @Test func `no mark that was shown as saved is lost when the program is killed`() async throws {
    try await withFolder { folder in
      let videos = (0..<Self.videoCount).map {
        #"{"id": "\#($0)", "title": "Film \#($0)", "url": "https://v.example/\#($0).mp4"}"#
      }
      let feed = folder + "/feed.json"
      try Data("[\(videos.joined(separator: ","))]".utf8).write(to: URL(filePath: feed))
      var saved = Array(repeating: Marks(), count: Self.videoCount)
      var (round, roundCount) = (0, Kills.count(usually: 6))
      var (afterFirstWrite, beforeLastWrite) = (0, 0)
      // The moment of a kill depends on the processor. Further rounds follow until both kinds have occurred.
      while round < roundCount || (min(afterFirstWrite, beforeLastWrite) == 0 && round < 20 * roundCount) {
        let kill = try await onThread { [saved, round] in
          var generator = SeededGenerator(seed: UInt64(round))
          return try Self.runUntilKilled(feed, in: folder, saved, isEarly: round.isMultiple(of: 3), &generator)
        }
        let actual = try await Self.savedMarks(feed, in: folder)
        #expect(kill.possible.contains(actual), "round \(round)")
        if kill.hasWritten { afterFirstWrite += 1 }
        if actual != kill.possible.last { beforeLastWrite += 1 }
        saved = actual
        round += 1
      }
      #expect(afterFirstWrite > 0 && beforeLastWrite > 0)
    }
  }

  @Test func `a mark can be undone in the next run of the program, once`() async throws {
    try await withFolder { folder in
      let feed = folder + "/feed.json"
      let video = #"[{"id": "1", "title": "Film", "url": "https://v.example/1.mp4"}]"#
      try Data(video.utf8).write(to: URL(filePath: feed))
      try await onThread {
        let tmux = try Tmux(width: 100, height: 20, environment: ["XDG_STATE_HOME": folder])
        defer { tmux.close() }
        func restart() throws {
          try tmux.start("--layout list --images none \(feed)")
          #expect(try tmux.waitUntilIdle().contains("Film"))
        }
        try restart()
        try tmux.press("x", "*")
        #expect(try tmux.waitUntilIdle().contains("★"))
        try tmux.press("q")
        try tmux.waitForShell()
        try restart()
        try tmux.press("u")
        #expect(try tmux.waitFor("Undone:").contains("★") == false)
        try tmux.press("q")
        try tmux.waitForShell()
        try restart()
        try tmux.press("u")
        #expect(try tmux.waitFor("Undone:").contains("✓") == false)
        try tmux.press("u")
        _ = try tmux.waitFor("Nothing to undo")
      }
    }
  }

  private struct Kill {
    /// The marks of all videos after each key since the last wait: the log has the changes in their order.
    var possible: [[Marks]]
    /// Whether the log had any of these changes.
    var hasWritten: Bool
  }

  /// Presses keys, waits until the program is idle, presses more, and kills it while it saves them: at once, or when
  /// the log has grown to a random length.
  private static func runUntilKilled(
    _ feed: String, in folder: String, _ saved: [Marks], isEarly: Bool, _ generator: inout SeededGenerator
  ) throws -> Kill {
    // A killed program leaves its screen behind, so each run has a terminal of its own.
    let tmux = try Tmux(width: 120, height: 30, environment: ["XDG_STATE_HOME": folder])
    defer { tmux.close() }
    var marks = saved
    var possible: [[Marks]] = []
    func press(_ count: Int) throws {
      var keys: [String] = []
      for _ in 0..<count {
        let video = Int.random(in: 0..<videoCount, using: &generator)
        let key = ["x", "*"][Int.random(in: 0...1, using: &generator)]
        keys += ["g", "g"] + Array(repeating: "j", count: video) + [key]
        marks[video].press(key)
        if !possible.isEmpty { possible.append(marks) }
      }
      if !keys.isEmpty { try tmux.press(keys) }
    }
    try tmux.start("--layout list --images none \(feed)")
    try tmux.waitUntilIdle()
    try press(Int.random(in: 0...3, using: &generator))
    let screen = try tmux.waitUntilIdle()
    #expect(screen.count { $0 == "✓" } == marks.count { $0.isWatched })
    possible = [marks]
    let (program, start) = (try #require(try tmux.child(named: "feedfall")), logLength(in: folder))
    let count = Int.random(in: 1...20, using: &generator)
    // A change takes more bytes.
    let growth = isEarly ? 0 : Int.random(in: 1...40 * count, using: &generator)
    try press(count)
    try blockUntil("the log grows") {
      // More often than the wait checks, so that other writes may follow.
      (0..<1_000).contains { _ in logLength(in: folder) >= start + growth }
    }
    kill(program, SIGKILL)
    return Kill(possible: possible, hasWritten: logLength(in: folder) > start)
  }

  /// The length of all logs, in bytes.
  private static func logLength(in folder: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/feedfall")) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.reduce(0) { sum, name in
      var status = stat()
      return stat("\(folder)/feedfall/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  private static func savedMarks(_ feed: String, in folder: String) async throws -> [Marks] {
    let outcome = try await Feedfall.run("list", "--json", feed, environment: ["XDG_STATE_HOME": folder])
    return outcome.output.split(separator: "\n").map {
      Marks(isWatched: $0.contains(#""watched":"#), isStarred: $0.contains(#""starred":true"#))
    }
  }
}
