import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

/// Conflicts, evictions, and changes that the next program finds.
@Suite(.hangLimit) struct MarkSyncLimitTests: MarkSyncSuite {
  // MARK: - Conflicts

  @Test func `the last writer wins`() throws {
    var (data, sync) = try contacted(at: 1_000)
    // The user, then another client.
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 2))], at: 2_000))
    _ = sync.nextChange()
    sync.finish(.sent)
    for event in try sync.merge([marked([])], at: 3_100) { data.apply(event) }
    #expect(try data[key()].watched == nil)
    // Another client, then the user, who has not seen it yet.
    sync.handle(data.change(try key(), [.flag(.starred, true)], at: 4_000))
    #expect(try sync.merge([marked([.watched])], at: 4_200).map(\.value.field) == [.watched, .video])
    #expect(sync.nextChange() == MarkChange(.starred, true, ids: ["7"]))
  }

  @Test func `an answer from before a change does not take it back`() throws {
    var (data, sync) = try contacted(at: 1_000)
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 2))], at: 2_000))
    #expect(try sync.merge([marked([])], at: 2_050) == [])
    _ = sync.nextChange()
    let request = sync.beginRequest()
    sync.finish(.sent)
    #expect(try sync.merge([marked([])], of: request, at: 2_200) == [])
    #expect(try sync.merge([marked([.watched])], at: 2_400) == [])
  }

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

  @Test func `a refused change does not block others`() throws {
    var (data, sync) = try contacted(at: 1_000)
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 2)), .flag(.starred, true)], at: 2_000))
    _ = sync.nextChange()
    sync.finish(.refused(FeedFailure(.permanent, "not found")))
    #expect(sync.nextChange()?.mark == .starred)
    sync.finish(.sent)
    #expect(!sync.hasUnsent && sync.nextChange() == nil)
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 3))], at: 3_000))
    #expect(sync.nextChange()?.mark == .watched)
  }

  /// Merges many entries without marks, so that earlier agreements are evicted.
  private func mergeMany(_ sync: inout MarkSync, _ data: UserData) throws {
    let entries = try (0...Self.limits.unchanged / 2).map { try marked([], of: "x\($0)") }
    _ = sync.merge(entries, at: 5_001)
    #expect(sync.isFull)
    sync.evict(data, at: 5_001)
    #expect(!sync.isFull)
  }

  /// Merges enough entries with both marks to evict all earlier agreements.
  private func mergeManyMarks(_ sync: inout MarkSync, _ data: UserData, at time: Int = 5) throws {
    let others = try (0...Self.limits.changed / 2).map { try marked([.watched, .starred], of: "y\($0)") }
    _ = sync.merge(others, at: time)
    sync.evict(data, at: time)
  }

  @Test func `the oldest of too many agreements are evicted, except unsent ones and those on set marks`() throws {
    var data = UserData(device: Self.device)
    var sync = try sync()
    _ = try sync.merge([marked([]), marked([.starred], of: "8")], at: 1)
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 2))], at: 2))
    try mergeMany(&sync, data)
    let lines = sync.text.split(separator: "\n").dropFirst()
    #expect(lines.count <= 3 * Self.limits.unchanged / 4 + 4)
    #expect(lines.contains { $0.hasSuffix(" 7") } && !lines.contains { $0.hasSuffix(" x0") })
    #expect(lines.contains("starred 1 1 8"))
    #expect(sync.text.utf8.count <= MarkSync.maximumTextLength)
  }

  @Test func `an evicted mark that reappears is neither sent as new nor overwritten`() throws {
    var data = UserData(device: Self.device)
    var sync = try sync()
    for event in try sync.merge([marked([.watched])], at: 1) { data.apply(event) }
    _ = try sync.merge([marked([], of: "8")], at: 1)
    sync.handle(data.change(try key("8"), [.flag(.starred, true)], at: 2))
    #expect(sync.nextChange() == MarkChange(.starred, true, ids: ["8"]))
    sync.finish(.sent)
    try mergeMany(&sync, data)
    var next = try restarted(sync, data)
    #expect(!next.hasUnsent)
    let same = try next.merge([marked([.watched]), marked([.starred], of: "8")], at: 90_001)
    #expect(same == [] && !next.hasUnsent)
    // Another client has removed both marks.
    for event in try next.merge([marked([]), marked([], of: "8")], at: 91_001) {
      data.apply(event)
    }
    #expect(try data[key()].watched == nil && !data[key("8")].has(.starred) && !next.hasUnsent)
  }

  @Test(arguments: [false, true])
  func `the user's change of an evicted mark is sent`(isFoundLater: Bool) throws {
    var (data, sync) = try contacted(at: 1)
    try mergeMany(&sync, data)
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
    try mergeMany(&sync, data)
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 90))], at: 90_000))
    sync.handle(data.change(try key(), [.watched(nil)], at: 90_001))
    #expect(!sync.hasUnsent)
    for event in try sync.merge([marked([.watched])], at: 91_001) { data.apply(event) }
    #expect(try data[key()].watched == UnixTime(seconds: 91) && !sync.hasUnsent)
  }

  @Test func `a removed mark that the server never had does not outweigh a later one of another client`() throws {
    var data = UserData(device: Self.device)
    _ = data.change(try key(), [.watched(UnixTime(seconds: 0))], at: 0)
    var sync = try sync()
    _ = try sync.merge([marked([])], at: 1)
    try mergeMany(&sync, data)
    sync.handle(data.change(try key(), [.watched(nil)], at: 90_000))
    #expect(!sync.hasUnsent)
    for event in try sync.merge([marked([.watched])], at: 91_001) { data.apply(event) }
    #expect(try data[key()].watched == UnixTime(seconds: 91) && !sync.hasUnsent)
  }

  @Test func `an agreement on a mark that the user has removed is not evicted`() throws {
    var data = UserData(device: Self.device)
    var sync = try sync()
    for event in try sync.merge([marked([.starred])], at: 1) { data.apply(event) }
    sync.handle(data.change(try key(), [.flag(.starred, false)], at: 2))
    _ = sync.nextChange()
    sync.finish(.sent)
    try mergeMany(&sync, data)
    var next = try self.sync()
    next.read(sync.text)
    for event in try next.merge([marked([.starred])], at: 91_001) { data.apply(event) }
    #expect(try data[key()].has(.starred))
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
    try mergeManyMarks(&next, data, at: 90)
    #expect(next.text.hasPrefix("contact 1\n"))
    var last = try restarted(next, data)
    #expect(last.nextChange() == MarkChange(.starred, true, ids: ["7"]))
  }

  @Test func `unsent changes alone need no eviction, until some are sent`() throws {
    var sync = try contacted(at: 1).1
    let events = try (0..<Self.limits.changed + MarkChange.maximumCount + 1).map {
      UserEvent(time: 9, device: Self.device, key: try key("y\($0)"), value: .flag(.starred, false))
    }
    sync.handle(events)
    #expect(sync.isFull)
    sync.evict(UserData(), at: 10)
    #expect(!sync.isFull && sync.text.hasPrefix("contact 0\n"))
    let change = sync.nextChange()
    sync.finish(.sent)
    #expect(sync.isFull && change?.ids.count == MarkChange.maximumCount)
  }

  @Test func `without room, further marks of the server are ignored and reported once, and the user's are sent`() throws
  {
    var (data, sync) = try contacted(at: 1)
    sync.read((0..<Self.limits.count).map { "starred 1 1 y\($0)\n" }.joined())
    sync.findUnsent(in: data)
    #expect(try sync.merge([marked([.starred], of: "8")], at: 3) == [])
    let reports = [sync.dequeueReport(), sync.dequeueReport()]
    #expect(reports == [true, false])
    sync.handle(data.change(try key("9"), [.flag(.starred, true)], at: 4))
    #expect(sync.nextChange() == MarkChange(.starred, true, ids: ["9"]))
    sync.finish(.failed(FeedFailure(.temporary, "no answer")))
    sync.evict(data, at: 5)
    #expect(sync.nextChange() == MarkChange(.starred, true, ids: ["9"]))
    #expect(
      try sync.merge([marked([.starred], of: "8")], at: 7).map(\.value.field) == [.flag(.starred), .video])
  }

  @Test func `unsent changes are not evicted`() throws {
    var data = UserData(device: Self.device)
    var sync = try sync()
    try mergeMany(&sync, data)
    // Each entry has an agreement on its other mark.
    for number in 0..<20 {
      sync.handle(
        data.change(try key("x\(number)"), [.flag(.starred, true), .watched(UnixTime(seconds: 9))], at: 6_000))
    }
    let further = try (0..<100).map { try marked([], of: "z\($0)") }
    _ = sync.merge(further, at: 7_001)
    sync.evict(data, at: 7_001)
    #expect(sync.nextChange()?.ids.count == 20)
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

  @Test func `agreements on many set marks do not need an eviction in the next program`() throws {
    var sync = try sync()
    let entries = try (0...Self.limits.unchanged / 2).map { try marked([.watched, .starred], of: "x\($0)") }
    _ = sync.merge(entries, at: 1)
    var next = try self.sync()
    next.read(sync.text)
    #expect(next.text == sync.text && !sync.isFull && !next.isFull)
  }

  @Test func `more agreements than the maximum are read back`() throws {
    let count = Self.limits.unchanged + Self.limits.changed + 10
    let text = (0..<count).map { "read 1 1 \($0)\n" }.joined()
    var sync = try sync()
    sync.read(text)
    #expect(sync.text.utf8.count == text.utf8.count + "contact 1\n".utf8.count && sync.isFull)
  }

  @Test func `a mark whose agreement was evicted can be removed`() throws {
    var data = UserData(device: Self.device)
    var sync = try sync()
    for event in try sync.merge([marked([.starred])], at: 1) { data.apply(event) }
    try mergeManyMarks(&sync, data)
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
    try mergeManyMarks(&sync, data)
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
