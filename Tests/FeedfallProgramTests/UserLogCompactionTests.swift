import FeedfallRecords
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct UserLogCompactionTests: UserLogSuite {
  @Test func `a long log is compacted and means the same`() async throws {
    try await withFolder { folder in
      let log = log(folder)
      let long = String(repeating: "x", count: 2_000)
      for time in 0..<2_200 {
        log.add([event(.queued(Double(time)), key: "\(long) \(time % 10)", time: time)])
      }
      _ = log.write()
      let path = try path(in: folder)
      let length = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      #expect(length > 4 << 20)
      let before = log.load().records
      log.add([event(.flag(.starred, true))])
      #expect(log.write() == nil)
      log.add([event(.flag(.hidden, true))])
      #expect(log.write() == nil)
      let lineCount = try text(path).split(separator: "\n").count
      #expect(lineCount == 13)
      var after = self.log(folder).load().records
      #expect(after[key].has(.starred) && after[key].has(.hidden) && after.count == 11)
      #expect(before.keys.allSatisfy { after[$0] == before[$0] })
      after.merge(before)
      #expect(after.count == 11)
    }
  }

  @Test func `a compacted log is compacted again at twice its length, whichever program writes`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/\(try DeviceName.ofUser(inFolder: folder)).jsonl"
      let long = String(repeating: "x", count: 2_000)
      func append(_ count: Int, _ key: (Int) -> String) throws {
        let lines = (0..<count).map { event(.queued(Double($0)), key: long + key($0), time: $0).line }.joined()
        try Data((((try? text(path)) ?? "") + lines).utf8).write(to: URL(filePath: path))
      }
      /// Writes by a new program, and returns the count of lines and whether it has replaced the log.
      func write() throws -> (count: Int, isReplaced: Bool) {
        let inode = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        let log = log(folder)
        log.add([event(.flag(.starred, true))])
        #expect(log.write() == nil)
        let new = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        return (try text(path).split(separator: "\n").count, new != inode)
      }
      try append(2_200) { "\($0)" }
      #expect(try write() == (2_202, true))
      try append(2_000) { _ in "0" }
      #expect(try write() == (4_203, false))
      try append(400) { _ in "0" }
      // Of one key the last line and the one with the latest time.
      #expect(try write() == (2_203, true))
    }
  }

  @Test func `a log that is too long to be read is extended, but not compacted`() async throws {
    try await withFolder { folder in
      let log = log(folder)
      log.add([event(.flag(.starred, true))])
      _ = log.write()
      let path = try path(in: folder)
      // A file with a hole takes no room on the disk.
      let length = 600 << 20
      #expect(truncate(path, length) == 0)
      let line = event(.flag(.hidden, true)).line
      log.add([event(.flag(.hidden, true))])
      #expect(log.write() == nil)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.size] as? Int == length + 1 + line.utf8.count)
    }
  }

  @Test func `compaction retains a change in the far future, and the one that wins against it`() async throws {
    try await withFolder { folder in
      let log = log(folder)
      let long = String(repeating: "x", count: 2_000)
      let future = 1 << 43
      log.add((0..<2_200).map { event(.queued(Double($0)), key: long, time: $0) })
      log.add([
        event(.flag(.starred, true), time: future), event(.flag(.hidden, true), time: future),
        event(.flag(.starred, false)),
      ])
      #expect(log.write() == nil)
      log.add([event(.position(5))])
      #expect(log.write() == nil)
      let lines = try text(path(in: folder)).split(separator: "\n")
      #expect(lines.count == 6 && lines.count { $0.contains("\(future)") } == 2)
      let record = self.log(folder).load().records[key]
      #expect(!record.has(.starred) && record.has(.hidden) && record.position == 5)
    }
  }

  @Test func `several programs append to one log at once, while it is compacted`() async throws {
    try await withFolder { folder in
      let name = try DeviceName.ofUser(inFolder: folder)
      let long = String(repeating: "x", count: 2_000)
      let filler = (0..<2_100).map { event(.queued(Double($0)), key: long, time: $0).line }.joined()
      try Data(filler.utf8).write(to: URL(filePath: "\(folder)/\(name).jsonl"))
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            let log = log(folder)
            for step in 0..<50 {
              log.add([event(.flag(.starred, true), key: "films.example \(number) \(step)")])
              _ = log.write()
            }
            // A write fails if others hold the lock for too long.
            while log.pendingCount > 0 { _ = log.write() }
          }
        }
      }
      #expect(log(folder).load().records.count == 201)
    }
  }

  @Test func `compaction loses no facts, however many there are, and no line of a later version`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/\(try DeviceName.ofUser(inFolder: folder)).jsonl"
      let title = String(repeating: "t", count: 900)
      let facts = (0..<10_000).map { "{\"time\":5,\"id\":\"v \($0)\",\"video\":{\"title\":\"\(title)\"}}\n" }
      let later = (0..<100).map { "{\"time\":5,\"id\":\"v \($0)\",\"liked\":true}\n" }
      try Data((facts + later + ["{\"time\":6,\"id\":\"v 0\",\"liked\":false}\n"]).joined().utf8)
        .write(to: URL(filePath: path))
      let log = log(folder)
      log.add([event(.flag(.starred, true))])
      #expect(log.write() == nil)
      let lines = try text(path).split(separator: "\n")
      #expect(lines.first?.hasPrefix("{\"compacted\":") == true)
      #expect(lines.count { $0.contains("title") } == 10_000 && lines.count { $0.contains("liked") } == 100)
      #expect(lines.contains("{\"time\":6,\"id\":\"v 0\",\"liked\":false}"))
    }
  }
}
