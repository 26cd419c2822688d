import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

/// Logs of changes of many videos.
@Suite(.hangLimit) struct MarkAllLogTests: UserLogSuite {
  private static let keys = (0..<10_000).map { VideoKey(text: "films.example \($0)") }

  /// Marks videos as watched in one change, as a key does.
  private func mark(_ keys: [VideoKey], in log: UserLog, at now: Int) {
    var records = log.load().records
    log.add(records.change(records.changes(Marking(.watched, true), of: keys, at: now), at: now, name: "all"))
  }

  private func watchedCount(_ records: UserData) -> Int { Self.keys.count { records[$0].has(.watched) } }

  @Test func `the log has one line for each video, in the order of marking`() async throws {
    try await withFolder { folder in
      let log = log(folder)
      mark(Self.keys.reversed(), in: log, at: 5_000)
      #expect(log.write() == nil && log.savingFailure == nil)
      let lines = try text(path(in: folder)).split(separator: "\n")
      #expect(lines.count == Self.keys.count)
      #expect(zip(lines, Self.keys.reversed()).allSatisfy { $0.contains("\"id\":\"\($1.text)\"") })
    }
  }

  @Test func `of a log that was torn in the middle, the complete lines count, and the next marks follow them`()
    async throws
  {
    try await withFolder { folder in
      let log = log(folder)
      mark(Self.keys, in: log, at: 5_000)
      _ = log.write()
      let path = try path(in: folder)
      let whole = Array(try text(path).utf8)
      var random = SeededGenerator(seed: 1)
      for _ in 0..<10 {
        let cut = Int.random(in: 1..<whole.count, using: &random)
        try Data(whole[..<cut]).write(to: URL(filePath: path))
        let count = whole[..<cut].count { $0 == UInt8(ascii: "\n") }
        let next = self.log(folder)
        let records = next.load().records
        #expect(Self.keys.prefix(count).allSatisfy { records[$0].has(.watched) } && watchedCount(records) == count)
        mark([Self.keys[9_999], Self.keys[count]], in: next, at: 6_000)
        #expect(next.write() == nil)
        #expect(watchedCount(self.log(folder).load().records) == min(count + 2, 10_000))
      }
    }
  }

  @Test func `two programs that mark all at once lose nothing, and each keeps its order`() async throws {
    try await withFolder { folder in
      let logs = [log(folder), log(folder)]
      let (own, other) = (Array(Self.keys[..<5_000]), Array(Self.keys[5_000...].reversed()))
      mark(own, in: logs[0], at: 5_000)
      mark(other, in: logs[1], at: 5_000)
      await withTaskGroup(of: Void.self) { group in
        for log in logs { group.addTask { while log.pendingCount > 0 { _ = log.write() } } }
      }
      #expect(watchedCount(log(folder).load().records) == 10_000)
      let lines = try text(path(in: folder)).split(separator: "\n")
      for keys in [own, other] {
        let ids = Set(keys.map(\.text))
        let places = lines.compactMap { $0.firstMatch(of: /"id":"([^"]*)"/).map { String($0.1) } }.filter(ids.contains)
        #expect(places == keys.map(\.text))
      }
    }
  }

  @Test func `a failed write is known until a later one succeeds`() async throws {
    try await withFolder { folder in
      let obstacle = folder + "/file"
      try Data().write(to: URL(filePath: obstacle))
      let log = UserLog(folder: obstacle, stateFolder: folder)
      log.add([event(.flag(.starred, true))])
      _ = log.write()
      #expect(log.savingFailure?.contains("Not a directory") == true)
      unlink(obstacle)
      _ = log.write()
      #expect(log.savingFailure == nil)
    }
  }

  @Test func `the undo of 10,000 marks is stored for the next program`() async throws {
    try await withFolder { folder in
      var records = UserData(device: "a")
      let now = SystemClock.milliseconds
      _ = records.change(records.changes(Marking(.watched, true), of: Self.keys, at: now), at: now, name: "all")
      LineLog.undo(inFolder: folder).add(records.dequeueUndoLines().map(\.text))
      var next = UserData(device: "a")
      next.merge(records)
      next.readUndo(LineLog.undo(inFolder: folder).lines, now: now)
      #expect(next.undo(at: now + 1)?.events.count == 10_000)
      #expect(watchedCount(next) == 0)
    }
  }
}
