import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct UserDataTests {
  private let key = VideoKey(text: "a.example 1")
  private let other = VideoKey(text: "a.example 2")

  private func event(_ time: Int, _ value: UserValue, device: String = "a") -> UserEvent {
    UserEvent(time: time, device: device, key: key, value: value)
  }

  @Test func `an unknown key has an empty record, however many are known`() {
    var data = UserData()
    for number in 0..<50 {
      #expect(data[key] == UserRecord())
      data.apply(UserEvent(time: 1, device: "a", key: VideoKey(text: "\(number)"), value: .flag(.starred, true)))
    }
  }

  @Test func `events give the same records in any order, also repeated`() {
    let events = [
      event(1, .flag(.starred, true)), event(2, .flag(.starred, false)), event(2, .flag(.starred, true), device: "b"),
      event(3, .position(7)), event(3, .position(9)), event(4, .queued(1.5)), event(4, .queued(nil)),
    ]
    var generator = SeededGenerator(seed: 1)
    var expected = UserData()
    for event in events { expected.apply(event) }
    #expect(expected[key].has(.starred) && expected[key].position == 9)
    for _ in 0..<200 {
      var data = UserData()
      for event in (events + events).shuffled(using: &generator) { data.apply(event) }
      #expect(data == expected)
    }
  }

  @Test func `this device can change records although there are too many others`() {
    var data = UserData(device: "own")
    for number in 0...UserData.maximumDeviceCount {
      data.apply(event(number, .flag(.starred, true), device: "\(number)"))
    }
    #expect(data.time(of: .flag(.starred), of: key) == UserData.maximumDeviceCount - 1)
    let changes = data.change(key, [.flag(.starred, false)], at: 2_000)
    #expect(changes.count == 1 && !data[key].has(.starred))
  }

  @Test func `an event reports whether the record changed`() {
    var data = UserData()
    data.apply(event(1, .video(StoredVideo(unchecked: "{}"))))
    let changes = [(1, true), (2, true), (1, false)].map { data.apply(event($0, .flag(.hidden, $1))) }
    #expect(changes == [true, false, false])
  }

  @Test func `undo takes back the last named changes`() {
    var data = UserData(device: "a")
    _ = data.change(key, [.watched(UnixTime(seconds: 5)), .position(nil)], at: 10, name: "first")
    _ = data.change(other, [.flag(.starred, true)], at: 11, name: "second")
    _ = data.change(other, [.position(9)], at: 12)
    let changes = (13...15).map { data.undo(at: $0) }
    #expect(changes.map { $0?.name } == ["second", "first", nil])
    #expect(changes.map { $0?.events.map(\.value) } == [[.flag(.starred, false)], [.watched(nil)], nil])
    #expect(data[key] == UserRecord() && data[other].position == 9)
  }

  @Test func `the last 100 changes can be undone`() {
    var data = UserData()
    for number in 0...UndoHistory.maximumCount {
      _ = data.change(key, [.queued(Double(number))], at: number, name: "\(number)")
    }
    let names = (0...UndoHistory.maximumCount).map { data.undo(at: 1_000 + $0)?.name }
    #expect(names == (1...UndoHistory.maximumCount).reversed().map { "\($0)" } + [nil])
    #expect(data[key].queued == 0)
  }

  @Test func `a change that changes nothing is neither stored nor undone`() {
    var data = UserData()
    let events = data.change(key, [.flag(.starred, false)], at: 10, name: "none")
    let undone = data.undo(at: 11)
    #expect(events.isEmpty && undone == nil)
  }

  @Test func `a position is current if it is from this run, or not before a time`() {
    var data = UserData(device: "a")
    data.apply(event(1_000_500, .position(7)))
    let times = [nil, 1_000, 1_001].map { $0.map(UnixTime.init(seconds:)) }
    #expect(times.map { data.isPositionCurrent(key, since: $0) } == [false, true, false])
    _ = data.change(key, [.position(8)], at: 1_001_000)
    #expect(times.map { data.isPositionCurrent(key, since: $0) } == [true, true, true])
  }

  @Test func `a video whose position an earlier version has stored was played at that time`() {
    var data = UserData(device: "a")
    data.apply(event(7_500, .position(9)))
    #expect(data[key].played == UnixTime(seconds: 7) && data.keys(with: .played) == [key])
    _ = data.change(key, [.played(UnixTime(seconds: 8)), .position(nil)], at: 8_000)
    #expect(data[key].played == UnixTime(seconds: 8) && data.keys(with: .played) == [key])
    _ = data.change(other, [.watched(UnixTime(seconds: 9)), .position(nil)], at: 9_000)
    #expect(data[other].played == nil && data.keys(with: .played) == [key])
  }

  @Test func `other records are merged by the same order`() {
    var (left, right) = (UserData(), UserData())
    left.apply(event(1, .flag(.starred, true)))
    right.apply(event(2, .flag(.starred, false), device: "b"))
    right.apply(event(2, .flag(.hidden, true), device: "b"))
    var merged = left
    let isChange = merged.merge(right)
    right.merge(left)
    #expect(isChange && merged == right && merged[key].has(.hidden) && !merged[key].has(.starred))
  }

  @Test func `of descriptions with equal times, the same one wins in any order`() {
    let events = ["a", "b", "ab"].map { event(1, .video(StoredVideo(unchecked: "{\"title\":\"\($0)\"}"))) }
    for events in [events, events.reversed(), [events[1], events[2], events[0]]] {
      var data = UserData()
      for event in events { data.apply(event) }
      #expect(data.storedVideo(key)?.text == "{\"title\":\"b\"}")
    }
  }

  @Test func `known descriptions that arrive again take no space from others`() {
    var data = UserData()
    let text = "{\"title\":\"" + String(repeating: "t", count: StoredVideo.maximumLength - 12) + "\"}"
    // More than half of the space: more would be dropped at once if it were full.
    let events = (0..<UserData.maximumTextLength / text.utf8.count * 5 / 8).map { number in
      UserEvent(
        time: number, device: "a", key: VideoKey(text: "a.example \(number)"),
        value: .video(StoredVideo(unchecked: text)))
    }
    for event in events + events { data.apply(event) }
    #expect(events.allSatisfy { data.storedVideo($0.key)?.text == text })
  }

  @Test func `a record with the latest possible time can be changed`() {
    var data = UserData(device: "b")
    data.apply(event(UserEvent.maximumTime, .flag(.starred, true)))
    let events = data.change(key, [.flag(.starred, false)], at: 10)
    #expect(events.map(\.time) == [UserEvent.maximumTime] && !data[key].has(.starred))
  }

  @Test func `a change wins over an event with a later time`() {
    var data = UserData(device: "a")
    data.apply(event(1_000, .flag(.starred, true), device: "b"))
    let events = data.change(key, [.flag(.starred, false)], at: 10)
    #expect(events.map(\.time) == [1_001] && !data[key].has(.starred))
  }

  @Test(
    arguments: [
      .position(0), .position(-1), .duration(366 * 86_400 + 1), .queued(.nan), .queued(.infinity),
      .watched(UnixTime(seconds: -1)), .downloaded(UnixTime(seconds: .max)),
    ] as [UserValue])
  func `an event with an invalid value is ignored`(value: UserValue) {
    var data = UserData()
    let isChange = data.apply(event(1, value))
    #expect(!isChange && data.count == 0)
  }

  @Test(arguments: ["", "a\nb", String(repeating: "a", count: 2_049)])
  func `an event with an invalid key is ignored`(text: String) {
    var data = UserData()
    let isChange = data.apply(UserEvent(time: 1, device: "a", key: VideoKey(text: text), value: .flag(.starred, true)))
    #expect(!isChange)
    #expect(data.keys.isEmpty)
  }
}
