import FeedfallText
import TestSupport
import Testing

@testable import FeedfallUserData

@Suite(.hangLimit) struct UserDataTests {
  private let key = VideoKey(text: "a.example 1")
  private let other = VideoKey(text: "a.example 2")

  private func event(_ time: Int, _ value: UserValue, device: String = "a") -> UserEvent {
    UserEvent(time: time, device: device, key: key, value: value)
  }

  @Test func `an unknown key has an empty record`() {
    #expect(UserData()[key] == UserRecord())
  }

  @Test func `events give the same records in any order, also repeated`() {
    let events = [
      event(1, .starred(true)), event(2, .starred(false)), event(2, .starred(true), device: "b"),
      event(3, .position(7)), event(3, .position(9)), event(4, .queued(1.5)), event(4, .queued(nil)),
    ]
    var generator = SeededGenerator(seed: 1)
    var expected = UserData()
    for event in events { expected.apply(event) }
    #expect(expected[key].isStarred && expected[key].position == 9)
    for _ in 0..<200 {
      var data = UserData()
      for event in (events + events).shuffled(using: &generator) { data.apply(event) }
      #expect(data == expected)
    }
  }

  @Test func `an event reports whether the record changed`() {
    var data = UserData()
    let changes = [(1, true), (2, true), (1, false)].map { data.apply(event($0, .hidden($1))) }
    #expect(changes == [true, false, false])
  }

  @Test func `undo takes back the last changes, one step each`() {
    var data = UserData(device: "a")
    _ = data.change(key, [.watched(UnixTime(seconds: 5)), .position(nil)], at: 10)
    _ = data.change(other, [.starred(true)], at: 11)
    let first = data.undo(at: 12)
    #expect(first.map(\.key) == [other])
    #expect(!data[other].isStarred && data[key].watched != nil)
    let second = data.undo(at: 13)
    let third = data.undo(at: 14)
    #expect(second.map(\.value) == [.watched(nil)] && third.isEmpty)
  }

  @Test func `a change wins over an event with a later time`() {
    var data = UserData(device: "a")
    data.apply(event(1_000, .starred(true), device: "b"))
    let events = data.change(key, [.starred(false)], at: 10)
    #expect(events.map(\.time) == [1_001] && !data[key].isStarred)
  }

  @Test(arguments: ["", "a\nb", String(repeating: "a", count: 2_049)])
  func `an event with an invalid key is ignored`(text: String) {
    var data = UserData()
    let isChange = data.apply(UserEvent(time: 1, device: "a", key: VideoKey(text: text), value: .starred(true)))
    #expect(!isChange)
    #expect(data.keys.isEmpty)
  }
}
