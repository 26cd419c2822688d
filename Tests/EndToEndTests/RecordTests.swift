import Foundation
import TestSupport
import Testing

/// The user's records across runs of the program.
@Suite(.hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"))
struct RecordTests {
  @Test func `no mark is lost when the program is killed`() async throws {
    try await onThread {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-records-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let videos = (0..<10).map { #"{"id": "\#($0)", "title": "Film \#($0)", "url": "https://v.example/\#($0).mp4"}"# }
      let feed = folder.appendingPathComponent("feed.json")
      try Data("[\(videos.joined(separator: ","))]".utf8).write(to: feed)
      for count in 1...5 {
        // A killed program leaves its screen behind, so each run has a terminal of its own.
        let tmux = try Tmux(width: 120, height: 30, environment: ["XDG_STATE_HOME": folder.path])
        defer { tmux.close() }
        try tmux.start("--layout list --images none \(feed.path)")
        #expect(try tmux.waitUntilIdle().count { $0 == "✓" } == count - 1)
        for _ in 1..<count { try tmux.press("j") }
        try tmux.press("x")
        try tmux.waitUntil("the video is marked") { $0.count { $0 == "✓" } == count }
        _ = try tmux.waitUntilIdle()
        // Another mark may be lost, but never the shown one.
        try tmux.press("*")
        kill(try #require(try tmux.child(named: "feedfall")), SIGKILL)
      }
    }
  }
}
