import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

/// Limits, evictions, and changes that the next program finds.
@Suite(.hangLimit) struct MarkSyncLimitTests: MarkSyncSuite {
  // MARK: - Limits

  @Test func `changes are sent in batches of 100, each of one mark`() throws {
    var data = UserData(device: Self.device)
    var sync = try sync()
    let ids = (1...250).map { "\($0)" }
    _ = sync.merge(try ids.map { try marked([], of: $0) }, at: 1_000)
    for id in ids {
      sync.handle(data.change(try key(id), [.watched(UnixTime(seconds: 2)), .flag(.starred, true)], at: 2_000))
    }
    var changes: [MarkChange] = []
    while let change = sync.nextChange() {
      changes.append(change)
      sync.finish(.sent)
    }
    #expect(changes.map(\.mark) == [.watched, .watched, .watched, .starred, .starred, .starred])
    #expect(changes.map(\.ids.count) == [100, 100, 50, 100, 100, 50])
    #expect(Set(changes.prefix(3).flatMap(\.ids)) == Set(ids))
  }

  @Test func `a server that accepts one mark at a time gets one at a time`() throws {
    var data = UserData(device: Self.device)
    var sync = MarkSync(scope: try scope(), device: Self.device, batchCount: 1)
    _ = sync.merge(try ["1", "2-3"].map { try marked([], of: $0) }, at: 1_000)
    for id in ["1", "2-3"] { sync.handle(data.change(try key(id), [.flag(.starred, true)], at: 2_000)) }
    var ids: [[String]] = []
    while let change = sync.nextChange() {
      ids.append(change.ids)
      sync.finish(.sent)
    }
    #expect(ids == [["1"], ["2-3"]])
  }

  /// Merges entries until all earlier agreements are evicted.
  private func mergeMany(
    _ sync: inout MarkSync, _ marks: Set<Mark> = [], in data: UserData = UserData(device: device), at time: Int = 5
  ) throws {
    let entries = try (0...Self.maximumCount / 2).map { try marked(marks, of: "x\($0)") }
    for videos in [entries, [entries[0]]] { _ = sync.merge(videos, in: data, at: time) }
  }

  @Test func `of too many agreements, those on unsent changes stay`() throws {
    var (data, sync) = try contacted(at: 1)
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 2))], at: 2))
    try mergeMany(&sync, at: 5)
    #expect(sync.text == "contact 0\nread 0 0 7\nread 0 0 x0\nstarred 0 0 x0\n")
    #expect(sync.nextChange()?.ids == ["7"])
  }

  @Test func `many entries without marks do not evict agreements on others`() throws {
    var (data, sync) = try contacted(at: 1)
    sync.handle(data.change(try key(), [.flag(.starred, true)], at: 2))
    while sync.nextChange() != nil { sync.finish(.sent) }
    try mergeMany(&sync)
    for event in try sync.merge([marked([])], at: 90_000) { data.apply(event) }
    #expect(try !data[key()].has(.starred) && !sync.hasUnsent)
  }

  @Test func `another client's mark counts after an eviction although the records have an older event`() throws {
    var (data, sync) = try contacted(at: 1)
    for (time, isSet) in [(5, true), (6, false)] {
      data.apply(UserEvent(time: time, device: "laptop", key: try key(), value: .flag(.starred, isSet)))
    }
    try mergeMany(&sync, in: data)
    #expect(sync.text.contains("starred 0 0 7\n") && !sync.text.contains("read 0 0 7\n"))
    for event in try sync.merge([marked([.starred, .watched])], in: data, at: 90_000) { data.apply(event) }
    #expect(try data[key()].has(.starred) && data[key()].watched == UnixTime(seconds: 500))
  }

  @Test func `an evicted mark that reappears is neither sent as new nor overwritten`() throws {
    var (data, sync) = try contacted(at: 1)
    sync.handle(data.change(try key(), [.flag(.starred, true), .watched(UnixTime(seconds: 2))], at: 2))
    while sync.nextChange() != nil { sync.finish(.sent) }
    try mergeMany(&sync, [.watched, .starred])
    var next = try restarted(sync, data)
    #expect(!next.hasUnsent)
    // Another client has removed one mark before the agreements are known again, and the other one after it.
    for (marks, time) in [([.watched], 90_000), ([], 91_000)] as [(Set<Mark>, Int)] {
      for event in try next.merge([marked(marks)], at: time) { data.apply(event) }
      #expect(try data[key()].has(.starred) && (data[key()].watched == UnixTime(seconds: 2)) == (time == 90_000))
      #expect(try !next.hasUnsent && !restarted(next, data).hasUnsent)
    }
  }

  @Test(arguments: [false, true])
  func `the user's change of an evicted mark is sent`(isFoundLater: Bool) throws {
    var (data, sync) = try contacted(at: 1)
    try mergeMany(&sync)
    #expect(!sync.text.contains(" 7\n"))
    let events = data.change(try key(), [.watched(UnixTime(seconds: 90))], at: 90_000)
    if isFoundLater {
      var next = try self.sync()
      next.read(sync.text)
      sync = next
      sync.findUnsent(in: data)
    } else {
      sync.handle(events)
    }
    #expect(try sync.merge([marked([])], at: 90_002) == [])
    #expect(sync.nextChange() == MarkChange(.watched, true, ids: ["7"]))
    sync.finish(.sent)
    #expect(!sync.hasUnsent && sync.text.contains("read 1 90000 7\n"))
  }

  @Test func `a mark that is taken back without an agreement is not sent and yields to another client`() throws {
    var (data, sync) = try contacted(at: 1)
    try mergeMany(&sync)
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 90))], at: 90_000))
    sync.handle(data.change(try key(), [.watched(nil)], at: 90_001))
    #expect(!sync.hasUnsent)
    for event in try sync.merge([marked([.watched])], at: 91_001) { data.apply(event) }
    #expect(try data[key()].watched == UnixTime(seconds: 91) && !sync.hasUnsent)
  }

  @Test func `a change in the millisecond of an agreement is found by the next program`() throws {
    var (data, sync) = try contacted(at: 9)
    _ = data.change(try key(), [.watched(UnixTime(seconds: 0))], at: 9)
    sync.findUnsent(in: data)
    #expect(sync.nextChange() == MarkChange(.watched, true, ids: ["7"]))
  }

  /// Another device has starred a video that the server has not listed here.
  private func starredElsewhere(_ sync: inout MarkSync) throws -> UserData {
    var data = UserData(device: Self.device)
    _ = try sync.merge([marked([], of: "8")], at: 1)
    data.apply(UserEvent(time: 5, device: "laptop", key: try key(), value: .flag(.starred, true)))
    return data
  }

  @Test func `the removal of a mark of another device is sent by the next program`() throws {
    var sync = try sync()
    var data = try starredElsewhere(&sync)
    let isNeeded = sync.handle(data.change(try key(), [.flag(.starred, false)], at: 9))
    #expect(isNeeded && sync.nextChange() == MarkChange(.starred, false, ids: ["7"]))
    var next = try restarted(sync, data)
    #expect(next.nextChange() == MarkChange(.starred, false, ids: ["7"]))
    next.finish(.sent)
    #expect(!next.hasUnsent && next.text.contains("starred 0 9 7\n"))
  }

  @Test func `a mark of another device that is removed and set again is sent`() throws {
    var sync = try sync()
    var data = try starredElsewhere(&sync)
    sync.handle(data.change(try key(), [.flag(.starred, false)], at: 9, name: "removed"))
    let undone = data.undo(at: 10)
    sync.handle(try #require(undone).events)
    #expect(sync.nextChange() == MarkChange(.starred, true, ids: ["7"]))
    var next = try restarted(sync, data)
    #expect(next.nextChange() == MarkChange(.starred, true, ids: ["7"]))
    sync.finish(.sent)
    #expect(!sync.hasUnsent)
    sync.handle(data.change(try key(), [.flag(.starred, false)], at: 30))
    sync.handle(data.change(try key(), [.flag(.starred, true)], at: 31))
    #expect(!sync.hasUnsent)
  }

  @Test func `a mark of another device that was set again before a restart is removed on the server`() throws {
    var sync = try sync()
    _ = try sync.merge([marked([], of: "8")], at: 1)
    var data = UserData(device: Self.device)
    data.apply(UserEvent(time: 5, device: "laptop", key: try key(), value: .watched(UnixTime(seconds: 1))))
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 9))], at: 9))
    #expect(sync.nextChange() == MarkChange(.watched, true, ids: ["7"]))
    // The laptop has sent its mark, this program has sent nothing.
    var next = try restarted(sync, data)
    next.handle(data.change(try key(), [.watched(nil)], at: 20))
    for event in try next.merge([marked([.watched])], at: 31) { data.apply(event) }
    #expect(try data[key()].watched == nil && next.nextChange() == MarkChange(.watched, false, ids: ["7"]))
    var last = try restarted(next, data)
    #expect(last.nextChange() == MarkChange(.watched, false, ids: ["7"]))
    last.finish(.sent)
    #expect(!last.hasUnsent && last.text.contains("read 0 20 7\n"))
    // Another client has set it again.
    for event in try last.merge([marked([.watched])], at: 51) { data.apply(event) }
    #expect(try data[key()].watched != nil)
  }

  @Test func `a mark of unknown value yields to a later change of another device`() throws {
    var sync = try sync()
    var data = try starredElsewhere(&sync)
    sync.handle(data.change(try key(), [.flag(.starred, false)], at: 9))
    data.apply(UserEvent(time: 20, device: "laptop", key: try key(), value: .flag(.starred, true)))
    var next = try restarted(sync, data)
    #expect(!next.hasUnsent && next.text.contains("starred ? 8 7\n"))
    // The laptop has not sent its mark yet.
    for event in try next.merge([marked([])], at: 31) { data.apply(event) }
    #expect(try data[key()].has(.starred))
  }

  @Test func `a change without an agreement survives an eviction`() throws {
    var sync = try sync()
    _ = try sync.merge([marked([], of: "8")], at: 1)
    var data = UserData(device: Self.device)
    _ = data.change(try key(), [.flag(.starred, true)], at: 5)
    var next = try restarted(sync, data)
    try mergeMany(&next, [.watched, .starred], at: 90)
    #expect(next.text.hasPrefix("contact 1\n"))
    var last = try restarted(next, data)
    #expect(last.nextChange() == MarkChange(.starred, true, ids: ["7"]))
  }

  @Test func `without room, further marks of the server are ignored and reported once, and the user's are sent`() throws
  {
    var sync = try contacted(at: 1).1
    sync.handle(
      try (0..<2 * Self.maximumCount).map {
        UserEvent(time: 9, device: Self.device, key: try key("y\($0)"), value: .flag(.starred, false))
      })
    #expect(try sync.merge([marked([.starred], of: "8")], at: 10) == [])
    let reports = [sync.dequeueReport(), sync.dequeueReport()]
    #expect(reports == [true, false] && sync.nextChange()?.ids.count == MarkChange.maximumCount)
    sync.finish(.sent)
    #expect(
      try sync.merge([marked([.starred], of: "8")], at: 11).map(\.value.field) == [.flag(.starred), .video])
  }

  @Test func `the removal of a mark that was set again without an agreement is sent`() throws {
    var data = UserData(device: Self.device)
    var sync = try sync()
    _ = data.change(try key(), [.watched(UnixTime(seconds: 0))], at: 0)
    _ = try sync.merge([marked([], of: "8")], at: 2)
    let isNeeded = sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 5))], at: 5_000))
    #expect(isNeeded && sync.hasUnsent)
    sync.handle(data.change(try key(), [.watched(nil)], at: 6_000))
    #expect(try sync.merge([marked([.watched])], at: 7_001) == [])
    #expect(sync.nextChange() == MarkChange(.watched, false, ids: ["7"]))
    var next = try restarted(sync, data)
    #expect(next.nextChange() == MarkChange(.watched, false, ids: ["7"]))
  }

  @Test func `more agreements than the maximum are read back`() throws {
    let text = (0..<3 * Self.maximumCount).map { "read 1 1 \($0)\n" }.joined()
    var sync = try sync()
    sync.read(text)
    #expect(sync.text.utf8.count == text.utf8.count + "contact 1\n".utf8.count)
  }

  @Test func `a mark whose agreement was evicted can be removed`() throws {
    var data = UserData(device: Self.device)
    var sync = try sync()
    for event in try sync.merge([marked([.starred])], at: 1) { data.apply(event) }
    try mergeMany(&sync, [.watched, .starred])
    #expect(!sync.text.contains("starred 1 1 7\n"))
    sync.handle(data.change(try key(), [.flag(.starred, false)], at: 9))
    #expect(sync.nextChange() == MarkChange(.starred, false, ids: ["7"]))
  }

  @Test func `a change is sent although the clock was set back`() throws {
    var data = UserData(device: Self.device)
    var sync = try sync()
    _ = try sync.merge([marked([], of: "8")], at: 9_001)
    sync.handle(data.change(try key(), [.flag(.starred, true)], at: 2))
    sync.handle(data.change(try key("8"), [.flag(.starred, true)], at: 3))
    #expect(sync.nextChange() == MarkChange(.starred, true, ids: ["7", "8"]))
  }

  @Test func `without their agreements, old marks are not sent as new`() throws {
    var (data, sync) = try contacted(at: 1)
    sync.handle(data.change(try key(), [.flag(.starred, true)], at: 2))
    _ = sync.nextChange()
    sync.finish(.sent)
    try mergeMany(&sync, [.watched, .starred])
    #expect(!sync.text.contains("starred 1 3 7\n"))
    sync.findUnsent(in: data)
    #expect(!sync.hasUnsent)
  }

  @Test func `a file without a first contact uses its last agreement as one`() throws {
    var data = UserData(device: Self.device)
    _ = data.change(try key("8"), [.watched(UnixTime(seconds: 1))], at: 5)
    _ = data.change(try key("9"), [.watched(UnixTime(seconds: 1))], at: 7)
    var sync = try sync()
    sync.read("read 1 6 7\nread 0 5 a")
    sync.findUnsent(in: data)
    #expect(sync.nextChange() == MarkChange(.watched, true, ids: ["9"]))
  }

  @Test func `invalid lines are not adopted, and stay`() throws {
    let invalid =
      "read 2 5 ac\nlike 1 5 ad\nread 1 -5 ae\nread 1 5 a/f\nread 1 5\ncontact -1\ncontact x\nrefusals -1\n\u{0}\n"
    let sync = try sync(reading: "read 1 5 ab\n" + invalid + "starred 0 6 ag")
    #expect(sync.text == "contact 6\nread 1 5 ab\nstarred 0 6 ag\n" + invalid)
  }

  @Test func `pauses grow up to half an hour`() {
    let pauses = [1, 2, 3, 8, 100, Int.max].map { MarkSync.pause(afterFailures: $0) }
    #expect(pauses == [15, 30, 60, 1_800, 1_800, 1_800].map { .seconds($0) })
  }
}
