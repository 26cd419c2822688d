import Foundation
import TestSupport
import Testing

/// The user's records across runs of the program.
@Suite(.hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"))
struct RecordTests {
  /// The marks of a video.
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
      for round in 0..<Kills.count(usually: 6) {
        let possible = try await onThread { [saved] in
          var generator = SeededGenerator(seed: UInt64(round))
          return try Self.marksAfterKill(feed, in: folder, saved, &generator)
        }
        let actual = try await Self.savedMarks(feed, in: folder)
        for (video, marks) in actual.enumerated() { #expect(possible[video].contains(marks), "round \(round)") }
        saved = actual
      }
    }
  }

  /// Presses keys, waits until the program is idle, presses more, and kills it while it saves them. Returns the marks that
  /// each video may have: those at the wait, or later ones.
  private static func marksAfterKill(
    _ feed: String, in folder: String, _ saved: [Marks], _ generator: inout SeededGenerator
  ) throws -> [[Marks]] {
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
        keys += ["g"] + Array(repeating: "j", count: video) + [key]
        marks[video].press(key)
        if !possible.isEmpty { possible[video].append(marks[video]) }
      }
      if !keys.isEmpty { try tmux.press(keys) }
    }
    try tmux.start("--layout list --images none \(feed)")
    try tmux.waitUntilIdle()
    try press(Int.random(in: 0...3, using: &generator))
    let screen = try tmux.waitUntilIdle()
    #expect(screen.count { $0 == "✓" } == marks.count { $0.isWatched })
    possible = marks.map { [$0] }
    let growth = Int.random(in: 0...300, using: &generator)
    let start = logLength(in: folder)
    try press(Int.random(in: 1...3, using: &generator))
    // Bounded, because the keys may write less, and each turn may wait for all other programs of a busy processor.
    for _ in 0..<1_000 where logLength(in: folder) < start + growth { sched_yield() }
    kill(try #require(try tmux.child(named: "feedfall")), SIGKILL)
    return possible
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
