import Foundation
import TestSupport
import Testing

/// Programs that are killed while they mark thousands of videos.
@Suite(.hangLimit, .serialized) struct KilledMarkAllTests {
  private static let count = 10_000

  private static func feed(in folder: String) throws -> String {
    let videos = (0..<count).map {
      #"{"id": "https://v.example/\#($0)", "title": "Film \#($0)", "url": "https://v.example/\#($0).mp4"}"#
    }
    try Data("[\(videos.joined(separator: ","))]".utf8).write(to: URL(filePath: folder + "/feed.json"))
    return folder + "/feed.json"
  }

  private static func log(in folder: String) -> [UInt8] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/feedfall")) ?? []
    let path = names.first { $0.hasSuffix(".jsonl") }.map { "\(folder)/feedfall/\($0)" }
    return path.flatMap { FileManager.default.contents(atPath: $0) }.map { Array($0) } ?? []
  }

  /// The numbers of the marked videos, by the complete lines of the log.
  private static func marked(in folder: String) -> [Int] {
    let log = log(in: folder)
    let complete = log[..<((log.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)]
    return complete.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.contains(#""watched":"#) }
      .compactMap { $0.firstMatch(of: /"id":"https:\/\/v\.example\/(\d+)"/).flatMap { Int($0.1) } }
  }

  private static func terminal(_ feed: String, in folder: String) throws -> ScriptedTerminal {
    let terminal = try ScriptedTerminal(
      Feedfall.path, "--images", "none", "--layout", "list", feed, environment: ["XDG_STATE_HOME": folder])
    try terminal.waitFor("Film 0")
    terminal.type("G")
    try terminal.waitFor("10,000 of 10,000")
    return terminal
  }

  @Test func `marks that were shown as saved survive a kill`() async throws {
    try await withFolder { folder in
      let feed = try Self.feed(in: folder)
      try await onThread {
        let terminal = try Self.terminal(feed, in: folder)
        terminal.type("M")
        try terminal.waitFor("marked")
        kill(terminal.process, SIGKILL)
      }
      #expect(Self.marked(in: folder) == Array(0..<Self.count))
    }
  }

  @Test(arguments: 0..<4) func `after a kill at any time, the log is a prefix of the order of marking`(round: Int)
    async throws
  {
    try await withFolder { folder in
      let feed = try Self.feed(in: folder)
      try await onThread {
        let terminal = try Self.terminal(feed, in: folder)
        terminal.type("M")
        try blockUntil("the log grows") { Self.log(in: folder).count > round * 200_000 }
        kill(terminal.process, SIGKILL)
      }
      let marked = Self.marked(in: folder)
      #expect(marked == Array(0..<marked.count) && (round == 0 || !marked.isEmpty))
      let rows = try await Feedfall.run(
        "list", "--where", "watched", feed, environment: ["XDG_STATE_HOME": folder])
      #expect(rows.output.split(separator: "\n").count == marked.count)
    }
  }
}
