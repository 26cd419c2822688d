import FeedfallRecords
import FeedfallText
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit, .serialized) struct UserLogTests: UserLogSuite {
  @Test func `the next run reads the events, from a file that only the user can read`() async throws {
    try await withFolder { folder in
      let state = folder + "/state/feedfall"
      let first = log(state)
      first.add([event(.flag(.starred, true)), event(.position(60))])
      #expect(first.write() == nil && first.pendingCount == 0)
      let record = log(state).load().records[key]
      #expect(record.has(.starred) && record.position == 60)
      let attributes = try FileManager.default.attributesOfItem(atPath: path(in: state))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `devices that share a folder have logs of their own and read all`() async throws {
    try await withFolder { folder in
      let logs = ["a", "b"].map { UserLog(folder: folder + "/shared", stateFolder: "\(folder)/\($0)") }
      logs[0].add([event(.flag(.starred, true), time: 1), event(.flag(.hidden, true), time: 3)])
      logs[1].add([event(.position(5), time: 1), event(.flag(.hidden, false), time: 2)])
      for log in logs { #expect(log.write() == nil) }
      let count = try FileManager.default.contentsOfDirectory(atPath: folder + "/shared").count
      #expect(count == 2)
      let data = logs.map { $0.load().records[key] }
      #expect(data[0] == data[1] && data[0].has(.starred) && data[0].has(.hidden) && data[0].position == 5)
    }
  }

  @Test func `of the events that are written again, each field keeps its last one`() {
    let other = UserEvent(time: 2, device: "", key: VideoKey(text: "b.example 2"), value: .flag(.starred, false))
    let events = [
      event(.flag(.starred, true), time: 1), event(.position(5), time: 1), other,
      event(.flag(.starred, false), time: 3),
      event(.position(6), time: 2),
    ]
    #expect(events.lastOfEachField == [other, events[3], events[4]])
    #expect([UserEvent]().lastOfEachField.isEmpty)
  }

  @Test func `a folder that cannot be written is named at the start, and nothing is created`() async throws {
    try await withFolder { folder in
      let state = folder + "/state"
      #expect(log(folder + "/new/marks", state: state).obstacle == nil)
      #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
      try Data().write(to: URL(filePath: folder + "/file"))
      for path in ["/file", "/file/marks"] {
        let log = log(folder + path, state: state)
        #expect(log.obstacle == "\(folder + path): Not a directory")
        let fault = try #require(log.load().fault(obstacle: log.obstacle))
        #expect(fault.message.hasSuffix("Not a directory. New marks last only until you quit. Check the folder."))
        #expect(log.lackOfSharedFolder.contains("New marks last only until you quit."))
        log.add([event(.flag(.starred, true))])
        #expect(log.write() != nil && log.pendingCount == 1)
      }
      // The name of the device cannot be stored.
      #expect(log(folder + "/marks", state: folder + "/file").obstacle == "\(folder)/file: Not a directory")
      #expect(log(folder + "/marks", state: state).lackOfSharedFolder.contains("saved in \(folder)/marks."))
    }
  }

  @Test func `the log of this device that is a folder is named at the start`() async throws {
    try await withFolder { folder in
      let first = log(folder)
      #expect(first.load().fault(obstacle: first.obstacle) == nil)
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(first.device).jsonl", withIntermediateDirectories: false)
      #expect(first.obstacle == "\(folder)/\(first.device).jsonl: Is a directory")
    }
  }

  @Test func `a torn last line is ended before the next event`() async throws {
    try await withFolder { folder in
      let first = log(folder)
      first.add([event(.flag(.starred, true))])
      _ = first.write()
      let path = try path(in: folder)
      let whole = try text(path)
      try Data((whole + whole.dropLast(5)).utf8).write(to: URL(filePath: path))
      let second = log(folder)
      second.add([event(.flag(.hidden, true))])
      #expect(second.write() == nil)
      let record = log(folder).load().records[key]
      #expect(record.has(.starred) && record.has(.hidden))
      let lineCount = try text(path).split(separator: "\n").count
      #expect(lineCount == 3)
    }
  }

  @Test func `files that are no logs are ignored`() async throws {
    try await withFolder { folder in
      let line = event(.flag(.starred, true)).line
      for name in [".hidden.jsonl", "log.txt", "log.jsonl.new"] {
        try Data(line.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      }
      try FileManager.default.createDirectory(atPath: folder + "/folder.jsonl", withIntermediateDirectories: true)
      mkfifo(folder + "/pipe.jsonl", 0o600)
      #expect(log(folder).load().records.count == 0)
    }
  }

  @Test func `events of a failed write are retried with the next ones, and the failure is reported once`() async throws
  {
    try await withFolder { folder in
      let obstacle = folder + "/file"
      try Data().write(to: URL(filePath: obstacle))
      let log = UserLog(folder: obstacle, stateFolder: folder)
      log.add([event(.flag(.starred, true))])
      #expect(log.write()?.hasSuffix(": Not a directory") == true)
      log.add([event(.flag(.hidden, true))])
      #expect(log.write() == nil && log.pendingCount == 2)
      #expect(log.load().records[key].has(.starred))
      unlink(obstacle)
      log.add([event(.position(5))])
      #expect(log.write() == nil && log.pendingCount == 0)
      let lineCount = try text(path(in: obstacle)).split(separator: "\n").count
      #expect(lineCount == 3)
    }
  }

  @Test func `events can be added while a write waits for another program`() async throws {
    try await withFolder { folder in
      let log = log(folder)
      log.add([event(.flag(.starred, true))])
      _ = log.write()
      let path = try path(in: folder)
      let lock = open(path, O_RDONLY | O_CLOEXEC)
      #expect(flock(lock, LOCK_EX) == 0)
      log.add([event(.flag(.hidden, true))])
      // A write waits for two seconds at most, and this test may have to wait longer for a processor.
      let writing = Task.detached { while log.pendingCount == 1 { _ = log.write() } }
      try await eventually("a write that waits") { openCount(path) == 2 }
      log.add([event(.position(5))])
      #expect(log.pendingCount == 2)
      close(lock)
      _ = await writing.value
      _ = log.write()
      let record = self.log(folder).load().records[key]
      #expect(log.pendingCount == 0 && record.has(.hidden) && record.position == 5)
    }
  }

  @Test func `a log that stays locked is a failure, and no event is lost`() async throws {
    try await withFolder { folder in
      let log = log(folder)
      log.add([event(.flag(.starred, true))])
      _ = log.write()
      let lock = try open(path(in: folder), O_RDONLY | O_CLOEXEC)
      #expect(flock(lock, LOCK_EX) == 0)
      log.add([event(.flag(.hidden, true))])
      #expect(log.write()?.hasSuffix(": Resource temporarily unavailable") == true)
      close(lock)
      #expect(log.write() == nil && log.pendingCount == 0)
    }
  }

  /// How often this program has a file open.
  private func openCount(_ path: String) -> Int {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
  }

  /// Calls `body` with a folder that is a small file system, unless this user may not mount one.
  private func withFileSystem(size: String, _ body: (_ folder: String) throws -> Void) async throws {
    try await withFolder { folder in
      guard mount("none", folder, "tmpfs", 0, "size=\(size)") == 0 else {
        print("a small file system is not tested: this user may not mount any")
        return
      }
      defer { umount2(folder, Int32(MNT_DETACH)) }
      let log = log(folder)
      log.add([event(.flag(.starred, true))])
      #expect(log.write() == nil)
      try body(folder)
    }
  }

  @Test func `on a full disk no event is lost`() async throws {
    try await withFileSystem(size: "16k") { folder in
      let log = log(folder)
      let filler = folder + "/filler"
      let descriptor = open(filler, O_WRONLY | O_CREAT, 0o600)
      let piece = [UInt8](repeating: 0, count: 512)
      while write(descriptor, piece, piece.count) > 0 {}
      close(descriptor)
      log.add((0..<100).map { event(.flag(.hidden, true), key: "films.example \($0)") })
      #expect(log.write()?.hasSuffix(": No space left on device") == true)
      unlink(filler)
      #expect(log.write() == nil)
      #expect(self.log(folder).load().records.count == 100)
    }
  }

  @Test func `in a read-only folder no event is lost`() async throws {
    try await withFileSystem(size: "1m") { folder in
      let log = log(folder)
      #expect(mount("none", folder, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
      log.add([event(.flag(.hidden, true))])
      #expect(log.write()?.hasSuffix(": Read-only file system") == true && log.pendingCount == 1)
      #expect(self.log(folder).load().records[key].has(.starred))
      #expect(mount("none", folder, "tmpfs", UInt(MS_REMOUNT), nil) == 0)
      #expect(log.write() == nil && self.log(folder).load().records[key].has(.hidden))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `after failed writes in any order, the last change of two programs wins`(seed: UInt64) async throws {
    try await withFolder { folder in
      var random = SeededGenerator(seed: seed)
      let (shared, away) = (folder + "/shared", folder + "/away")
      let logs = [0, 1].map { _ in UserLog(folder: shared, stateFolder: folder) }
      try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
      for time in 1...12 {
        let log = logs[Int.random(in: 0...1, using: &random)]
        log.add([event(.position(time), time: time * 1_000)])
        if Bool.random(using: &random) {
          rename(shared, away)
          try Data().write(to: URL(filePath: shared))
          _ = log.write()
          unlink(shared)
          rename(away, shared)
        } else {
          #expect(log.write() == nil)
        }
      }
      for log in logs.shuffled(using: &random) { _ = log.write() }
      #expect(self.log(shared, state: folder).load().records[key].position == 12)
      #expect(logs.allSatisfy { $0.pendingCount == 0 })
    }
  }

  @Test func `with too many logs, this device's and the newest are read, and the others are counted`() async throws {
    try await withFolder { folder in
      for number in 0..<20 {
        let path = "\(folder)/a\(number).jsonl"
        try event(.position(number + 1), key: "v\(number)").line.write(toFile: path, atomically: true, encoding: .utf8)
        // The names are not in the order of the times.
        var times = [timespec](repeating: timespec(tv_sec: 1_000 + number * 7 % 20, tv_nsec: 0), count: 2)
        utimensat(AT_FDCWD, path, &times, 0)
      }
      for count in [1, 2, 10, 19, 20, 21] {
        for own in ["a0", "none"] {
          var data = UserData()
          let missing = UserLogReader(folder: folder, device: own, maximumFileCount: count).readAll(into: &data)
          let others = (0..<20).filter { "a\($0)" != own }.sorted { $0 * 7 % 20 > $1 * 7 % 20 }
          let read = others.prefix(count - 1) + (own == "a0" ? [0] : [])
          #expect(data.count == read.count && missing.failure == nil)
          #expect(read.allSatisfy { data[VideoKey(text: "v\($0)")].position == $0 + 1 })
          #expect(missing.leftOutCount == others.count - min(others.count, count - 1))
        }
      }
    }
  }

  @Test func `events that are written between the reading and the watch are reported`() async throws {
    try await withFolder { folder in
      let logs = ["a", "b"].map { UserLog(folder: folder + "/shared", stateFolder: "\(folder)/\($0)") }
      _ = logs[1].load().records
      logs[0].add([event(.flag(.hidden, true))])
      _ = logs[0].write()
      let reported = Mutex(UserData())
      logs[1].reader.watch { data in reported.withLock { _ = $0.merge(data) } }
      try await eventually("the other device's event") { reported.withLock { $0[key].has(.hidden) } }
    }
  }

  @Test func `the log of another device is read from its start once another file has replaced it`() async throws {
    try await withFolder { folder in
      let logs = ["a", "b"].map { UserLog(folder: folder + "/shared", stateFolder: "\(folder)/\($0)") }
      logs[0].add([event(.flag(.starred, true))])
      _ = logs[0].write()
      let path = try path(in: folder + "/shared")
      _ = logs[1].load().records
      let lines = event(.flag(.hidden, true)).line + event(.position(5)).line + event(.flag(.starred, true)).line
      try Data(lines.utf8).write(to: URL(filePath: folder + "/new"))
      #expect(rename(folder + "/new", path) == 0)
      let reported = Mutex(UserData())
      logs[1].reader.watch { data in reported.withLock { _ = $0.merge(data) } }
      try await eventually("the last event") { reported.withLock { $0[key].position == 5 } }
      #expect(reported.withLock { $0[key].has(.hidden) })
    }
  }

  @Test func `the events behind a line that is longer than a piece are read`() async throws {
    try await withFolder { folder in
      let text = String(repeating: "x", count: 600 << 10) + "\n" + event(.flag(.starred, true)).line
      try Data(text.utf8).write(to: URL(filePath: folder + "/other.jsonl"))
      #expect(log(folder).load().records[key].has(.starred))
    }
  }

  @Test func `own events are not reported, but those of another program on the same log are`() async throws {
    try await withFolder { folder in
      let logs = [log(folder), log(folder)]
      _ = logs[0].load().records
      let reported = Mutex(UserData())
      logs[0].reader.watch { data in reported.withLock { _ = $0.merge(data) } }
      for round in 1...3 {
        logs[0].add([event(.flag(.starred, round % 2 == 1), time: round)])
        _ = logs[0].write()
        logs[1].add([event(.position(round), time: round)])
        _ = logs[1].write()
        try await eventually("the other program's event") { reported.withLock { $0[key].position == round } }
      }
      #expect(reported.withLock { $0.time(of: .flag(.starred), of: key) == nil })
    }
  }

  @Test func `events of other devices are reported although the folder did not exist`() async throws {
    try await withFolder { folder in
      let logs = ["a", "b"].map { UserLog(folder: folder + "/new/shared", stateFolder: "\(folder)/\($0)") }
      _ = logs[1].load().records
      let reported = Mutex(UserData())
      logs[1].reader.watch { data in reported.withLock { _ = $0.merge(data) } }
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/new/shared")
      #expect(attributes[.posixPermissions] as? Int == 0o700)
      logs[0].add([event(.flag(.hidden, true))])
      _ = logs[0].write()
      try await eventually("the other device's event") { reported.withLock { $0[key].has(.hidden) } }
    }
  }

  @Test func `a log that cannot be read is reported, and the others are read`() async throws {
    try await withFolder { folder in
      let log = log(folder)
      try Data(event(.flag(.starred, true)).line.utf8).write(to: URL(filePath: folder + "/other.jsonl"))
      #expect(log.load().message == nil)
      // Too large, for any user.
      let path = folder + "/\(log.device).jsonl"
      try Data().write(to: URL(filePath: path))
      #expect(truncate(path, 513 << 20) == 0)
      let stored = self.log(folder).load()
      #expect(stored.records[key].has(.starred))
      #expect(
        stored.message
          == "Could not read your marks: \(path): File too large. Check the file.")
    }
  }

  @Test func `a folder of logs that cannot be read is reported, and a missing one is empty`() async throws {
    try await withFolder { folder in
      #expect(UserLog(folder: folder + "/none", stateFolder: folder).load().message == nil)
      try Data().write(to: URL(filePath: folder + "/file"))
      let stored = UserLog(folder: folder + "/file", stateFolder: folder).load()
      #expect(stored.message?.contains("Not a directory") == true && stored.records.count == 0)
    }
  }
}
