import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct UndoHistoryTests {
  private let day = 86_400_000
  private let key = VideoKey(text: "a.example 1")

  /// A program of this device that starts with these records and the lines of the file.
  private func started(_ records: UserData, _ lines: [String], now: Int) -> UserData {
    var data = UserData(device: "a")
    data.merge(records)
    data.readUndo(lines, now: now)
    return data
  }

  @Test func `a change can be undone after a restart, once`() {
    var (first, lines) = (UserData(device: "a"), [String]())
    _ = first.change(key, [.position(40)], at: 10)
    _ = first.change(key, [.watched(UnixTime(seconds: 1)), .position(nil)], at: 1_000, name: "Watched “1”\u{5C}\"")
    lines += first.dequeueUndoLines().map(\.text)
    let unsaved = first.dequeueUndoLines().map(\.text)
    #expect(unsaved.isEmpty)
    var second = started(first, lines, now: 2_000)
    let undone = second.undo(at: 2_000)
    #expect(undone?.name == "Watched “1”\u{5C}\"" && undone?.events.count == 2)
    #expect(second[key].watched == nil && second[key].position == 40)
    lines += second.dequeueUndoLines().map(\.text)
    var third = started(second, lines, now: 3_000)
    let none = third.undo(at: 3_000)
    #expect(none == nil && UndoHistory.needed(lines, now: 3_000).isEmpty)
  }

  @Test(arguments: [(0, true), (1, true), (2, false), (-1, true), (-2, false)])
  func `only changes of the last day are undone after a restart`(half: Int, isUndone: Bool) {
    var first = UserData(device: "a")
    let time = 10 * day
    _ = first.change(key, [.flag(.starred, true)], at: time, name: "Starred")
    let now = time + half * day * 51 / 100
    var second = started(first, first.dequeueUndoLines().map(\.text), now: now)
    let undone = second.undo(at: now)
    #expect((undone != nil) == isUndone)
  }

  @Test func `what has changed since is not undone`() {
    var first = UserData(device: "a")
    _ = first.change(key, [.flag(.starred, true), .flag(.hidden, true)], at: 1_000, name: "Both")
    let lines = first.dequeueUndoLines().map(\.text)
    var second = started(first, lines, now: 2_000)
    second.apply(UserEvent(time: 1_500, device: "b", key: key, value: .flag(.starred, false)))
    second.apply(UserEvent(time: 1_600, device: "b", key: key, value: .flag(.starred, true)))
    second.apply(UserEvent(time: 1_700, device: "b", key: key, value: .flag(.hidden, false)))
    let undone = second.undo(at: 2_000)
    #expect(undone?.events.map(\.value) == [.flag(.starred, false)])
    // Another program has undone the change itself.
    var third = started(first, lines, now: 2_000)
    third.apply(UserEvent(time: 1_500, device: "a", key: key, value: .flag(.starred, false)))
    third.apply(UserEvent(time: 1_500, device: "a", key: key, value: .flag(.hidden, false)))
    let none = third.undo(at: 2_000)
    #expect(none == nil)
  }

  @Test func `at most 100 changes are undone, the last ones`() {
    var first = UserData(device: "a")
    for number in 0..<250 {
      _ = first.change(VideoKey(text: "a.example \(number)"), [.flag(.starred, true)], at: 1_000, name: "\(number)")
    }
    let lines = first.dequeueUndoLines().map(\.text)
    #expect(lines.count == 250 && UndoHistory.needed(lines, now: 1_000).count == 100)
    var second = started(first, lines, now: 1_000)
    let names = (0..<101).map { _ in second.undo(at: 2_000)?.name }
    #expect(names == (150..<250).reversed().map { "\($0)" } + [nil])
  }

  @Test(arguments: [
    "", "{", "[]", "{\"time\":1000}", "{\"undone\":1000}", "{\"time\":1000,\"name\":\"x\",\"old\":[],\"new\":[\"{\"]}",
    "{\"time\":1000,\"name\":\"x\",\"old\":[1,null],\"new\":\"y\"}",
    "{\"time\":99999999999999999999,\"name\":\"x\",\"new\":[\"{}\"]}",
  ])
  func `lines of another form are skipped`(line: String) {
    var data = started(UserData(), [line], now: 1_000)
    let undone = data.undo(at: 2_000)
    #expect(undone == nil && data.undoCount == 0)
  }

  /// Programs of one device change records, undo and restart, in any order.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func `all undone changes leave the records as they were`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (data, lines, now) = (UserData(device: "a"), [String](), 1_000)
    var history: [[UserRecord]] = []
    let keys = (0..<3).map { VideoKey(text: "a.example \($0)") }
    func records() -> [UserRecord] { keys.map { data[$0] } }
    for number in 0..<30 {
      now += Int.random(in: 0...10, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        let former = records()
        let values: [UserValue] = [
          .flag(.starred, Bool.random(using: &generator)), .position(Int.random(in: 1...3, using: &generator)),
        ]
        let changed = data.change(keys.randomElement(using: &generator) ?? key, values, at: now, name: "\(number)")
        if !changed.isEmpty { history.append(former) }
      case 2:
        guard let former = history.popLast() else { continue }
        let undone = data.undo(at: now)
        #expect(undone != nil && records() == former)
      default:
        lines += data.dequeueUndoLines().map(\.text)
        data = started(data, lines, now: now)
      }
    }
  }
}
