import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallApp
@testable import FeedfallProgram

@Suite(.hangLimit) struct LineLogTests {
  @Test func `the next run reads the commands, from a file that only the user can read`() async throws {
    try await withFolder { folder in
      let folder = folder + "/state/feedfall"
      let path = folder + "/commands"
      let log = LineLog.commands(inFolder: folder)
      for text in ["close", "where new", "close"] { log.add([text]) }
      #expect(LineLog.commands(inFolder: folder).lines == ["where new", "close"])
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `the file keeps the last 500 commands`() async throws {
    try await withFolder { folder in
      let path = folder + "/commands"
      try (1...600).map { "where \($0)\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
      let log = LineLog.commands(inFolder: folder)
      log.add(["close"])
      #expect(log.lines.count == AppSettings.maximumCommandCount)
      #expect(log.lines.suffix(2) == ["where 600", "close"])
    }
  }

  @Test func `only a file with too many lines, or that is too long, is parsed and replaced`() async throws {
    try await withFolder { folder in
      let path = folder + "/lines"
      let parsed = Mutex<[[String]]>([])
      let log = LineLog(path: path, maximumCount: 3, maximumLength: 100, readLength: 40) { lines in
        parsed.withLock { $0.append(lines) }
        return lines.suffix(2)
      }
      for text in ["a", "b", "c"] { log.add([text]) }
      #expect(parsed.withLock { $0 } == [])
      log.add(["d"])
      #expect(parsed.withLock { $0 } == [["a", "b", "c", "d"]])
      let long = String(repeating: "x", count: 40)
      log.add([long])
      let kept = try String(contentsOfFile: path, encoding: .utf8)
      #expect(kept == "")
      #expect(parsed.withLock { $0.count } == 2)
    }
  }

  @Test func `invalid lines are skipped`() async throws {
    try await withFolder { folder in
      let path = folder + "/commands"
      let lines = ["a\u{1B}[31m", String(repeating: "x", count: 2_001), "", "close", "\u{202E}abc"]
      try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
      #expect(LineLog.commands(inFolder: folder).lines == ["close"])
    }
  }

  @Test func `long commands are kept, however many bytes they have together`() async throws {
    try await withFolder { folder in
      let path = folder + "/commands"
      let commands = (0..<500).map { "find \($0) " + String(repeating: "\u{4E2D}", count: 1_900) }
      try (commands.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
      let log = LineLog.commands(inFolder: folder)
      log.add(["close"])
      #expect(LineLog.commands(inFolder: folder).lines == commands.dropFirst() + ["close"])
    }
  }

  @Test func `a file that cannot be read is not replaced`() async throws {
    try await withFolder { folder in
      let path = folder + "/commands"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      LineLog.commands(inFolder: folder).add(["close"])
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeDirectory)
    }
  }

  @Test func `a torn last line damages only itself`() async throws {
    try await withFolder { folder in
      let path = folder + "/commands"
      try "close\nwhere n".write(toFile: path, atomically: true, encoding: .utf8)
      LineLog.commands(inFolder: folder).add(["open"])
      #expect(LineLog.commands(inFolder: folder).lines == ["close", "where n", "open"])
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `two programs lose none of each other's commands, and the file stays short`(seed: UInt64) async throws {
    try await withFolder { folder in
      var generator = SeededGenerator(seed: seed)
      let path = folder + "/commands"
      let logs = [LineLog.commands(inFolder: folder), LineLog.commands(inFolder: folder)]
      var typed: [String] = []
      let old = (0..<Int.random(in: 900...1_001, using: &generator)).map { "old \($0)\n" }.joined()
      try old.write(toFile: path, atomically: true, encoding: .utf8)
      for _ in 0..<40 {
        let text = "where \(Int.random(in: 0..<30, using: &generator))"
        logs.randomElement(using: &generator)?.add([text])
        typed.removeAll { $0 == text }
        typed.append(text)
      }
      #expect(LineLog.commands(inFolder: folder).lines.suffix(typed.count) == typed)
      #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count <= 1_041)
    }
  }
}
