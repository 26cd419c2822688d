import Foundation
import TestSupport
import Testing

@testable import feedfall

@Suite(.hangLimit) struct CommandLogTests {
  @Test func `the next run reads the commands, from a file that only the user can read`() async throws {
    try await withFolder { folder in
      let path = folder + "/state/feedfall/commands"
      let log = CommandLog(path: path)
      for text in ["close", "where new", "close"] { log.add(text) }
      #expect(CommandLog(path: path).texts == ["where new", "close"])
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `the file keeps the last 500 commands`() async throws {
    try await withFolder { folder in
      let path = folder + "/commands"
      try (1...600).map { "where \($0)\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
      let log = CommandLog(path: path)
      log.add("close")
      #expect(log.texts.count == CommandLog.maximumCount)
      #expect(log.texts.suffix(2) == ["where 600", "close"])
    }
  }

  @Test func `invalid lines are skipped, and a file that is too large`() async throws {
    try await withFolder { folder in
      let path = folder + "/commands"
      let lines = ["a\u{1B}[31m", String(repeating: "x", count: 2_001), "", "close", "\u{202E}abc"]
      try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
      #expect(CommandLog(path: path).texts == ["close"])
      try Data(count: 2 << 20).write(to: URL(fileURLWithPath: path))
      #expect(CommandLog(path: path).texts.isEmpty)
    }
  }
}
