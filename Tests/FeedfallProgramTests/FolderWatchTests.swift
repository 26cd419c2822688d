import FeedfallRecords
import FeedfallText
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit, .serialized) struct FolderWatchTests {
  private let manager = FileManager.default

  private func event(_ position: Int) -> UserEvent {
    UserEvent(time: position, device: "", key: VideoKey(text: "films.example 1"), value: .position(position))
  }

  private func append(_ position: Int, to path: String) throws {
    let text = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "") + event(position).line
    try manager.createDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  /// The folder itself, or its parent, is replaced.
  @Test(arguments: ["shared/logs", "shared"])
  func `a replaced folder is read and watched again`(replaced: String) async throws {
    try await withFolder { folder in
      let logs = folder + "/shared/logs"
      try append(1, to: logs + "/other.jsonl")
      let log = UserLog(folder: logs, stateFolder: folder + "/state")
      _ = log.load()
      let positions = Mutex(Set<Int>())
      log.reader.watch { data in
        _ = positions.withLock { $0.insert(data[VideoKey(text: "films.example 1")].position ?? 0) }
      }
      for round in 1...3 {
        // The folder is moved away, and a copy takes its place, as with git or a sync tool.
        try manager.moveItem(atPath: "\(folder)/\(replaced)", toPath: "\(folder)/old-\(round)")
        try append(10 * round, to: logs + "/other.jsonl")
        try await eventually("the new folder") { positions.withLock { $0.contains(10 * round) } }
        try append(10 * round + 1, to: logs + "/other.jsonl")
        try await eventually("a change in it") { positions.withLock { $0.contains(10 * round + 1) } }
      }
    }
  }

  @Test func `a deleted folder is watched again once it exists`() async throws {
    try await withFolder { folder in
      let logs = folder + "/a/b/logs"
      let log = UserLog(folder: logs, stateFolder: folder + "/state")
      let positions = Mutex(Set<Int>())
      log.reader.watch { data in
        _ = positions.withLock { $0.insert(data[VideoKey(text: "films.example 1")].position ?? 0) }
      }
      for round in 1...3 {
        try manager.removeItem(atPath: folder + "/a")
        try append(round, to: logs + "/other.jsonl")
        try await eventually("the new folder") { positions.withLock { $0.contains(round) } }
      }
    }
  }

  @Test func `a folder that was removed behind another change is watched anew, even with the same number`() async throws
  {
    try await withFolder { folder in
      let logs = folder + "/logs"
      try manager.createDirectory(atPath: logs, withIntermediateDirectories: true)
      let watch = try #require(FolderWatch(logs))
      // All changes are there before the first is read.
      try Data().write(to: URL(filePath: folder + "/sibling"))
      try manager.removeItem(atPath: logs)
      try manager.createDirectory(atPath: logs, withIntermediateDirectories: true)
      #expect(watch.next() == .folder)
      try #require(watch.renew())
      try append(1, to: logs + "/other.jsonl")
      while true {
        guard case .files(let names)? = watch.next() else { continue }
        #expect(names.contains("other.jsonl"))
        break
      }
    }
  }

  @Test(arguments: [true, false])
  func `a folder that was replaced without an event is found by the next write or page`(writes: Bool) async throws {
    try await withFolder { folder in
      let logs = folder + "/logs"
      let log = UserLog(folder: logs, stateFolder: folder + "/state")
      _ = log.load()
      let positions = Mutex(Set<Int>())
      log.reader.watch { data in
        _ = positions.withLock { $0.insert(data[VideoKey(text: "films.example 1")].position ?? 0) }
      }
      guard mount("none", logs, "tmpfs", 0, "size=1m") == 0 else {
        return print("a mount is not tested: this user may not mount any")
      }
      defer { umount2(logs, Int32(MNT_DETACH)) }
      try append(7, to: logs + "/other.jsonl")
      if writes {
        log.add([UserEvent(time: 1, device: "", key: VideoKey(text: "films.example 2"), value: .flag(.starred, true))])
        #expect(log.write() == nil)
      } else {
        log.reader.checkFolder()
      }
      try await eventually("the log on the new file system") { positions.withLock { $0.contains(7) } }
    }
  }
}
