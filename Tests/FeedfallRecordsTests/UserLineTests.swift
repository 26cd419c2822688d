import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct UserLineTests {
  private let now = 1_763_855_000_000

  private func data(_ text: String, device: String = "a", now: Int? = nil) -> (data: UserData, count: Int) {
    var data = UserData()
    var text = text
    let count = text.withUTF8 { data.read($0, of: device, now: now ?? self.now) }
    return (data, count)
  }

  private func event(_ value: UserValue, key: String = "films.example 1", time: Int = 1_763_855_000_000) -> UserEvent {
    UserEvent(time: time, device: "a", key: VideoKey(text: key), value: value)
  }

  @Test func `a line has the time, the ID and the value`() {
    #expect(
      event(.watched(UnixTime(seconds: 7))).line == #"{"time":1763855000000,"id":"films.example 1","watched":7}"# + "\n"
    )
  }

  @Test(
    arguments: [
      .watched(UnixTime(seconds: 1_763_855_000)), .watched(nil), .played(UnixTime(seconds: 0)), .played(nil),
      .position(40), .position(nil), .duration(1),
      .queued(1.5),
      .queued(-0.000_001), .queued(1e300), .queued(0), .queued(nil), .flag(.hidden, true), .flag(.hidden, false),
      .flag(.starred, true),
      .flag(.starred, false), .downloaded(UnixTime(seconds: 0)), .downloaded(nil), .missed(14), .missed(nil),
    ] as [UserValue])
  func `each value is read back`(value: UserValue) {
    let written = event(value)
    #expect(Array(data(written.line).data.events) == [written])
  }

  @Test(arguments: ["https://a.example/?q=\"a\"", "a\\b\\", "中文 ✓", "\\\"", "a\"\u{301}b\\\u{301}", "/films/a b.mp4"])
  func `each key is read back`(key: String) {
    let written = event(.flag(.starred, true), key: key)
    #expect(Array(data(written.line).data.events) == [written])
  }

  @Test(arguments: [
    "", "{}", "null", #"{"time":1,"id":"b","starred":true"#, #"{"time":1,"id":"b","starred":1}"#,
    #"{"time":1,"id":"b","starred":true}}"#, #"{"time":-1,"id":"b","starred":true}"#,
    #"{"time":1,"id":"","starred":true}"#, #"{"time":1,"id":"b\n","starred":true}"#,
    "{\"time\":1,\"id\":\"b\u{7F}\",\"starred\":true}",
    #"{"time":1,"id":"b","position":0}"#, #"{"time":1,"id":"b","position":31622401}"#,
    #"{"time":1,"id":"b","position":1.5}"#, #"{"time":1,"id":"b","queued":nan}"#,
    #"{"time":1,"id":"b","queued":1e999}"#,
    #"{"time":1,"id":"b","watched":9999999999999999999}"#, #"{"time":1,"id":"b","other":true}"#,
    #"{"time":1,"id":"b\","starred":true}"#, #"{"time":,"id":"b","starred":true}"#,
    #"{"time":1,"id":"b","watched"hidden":true}"#, #"{"time":1,"id":"b","position1}"#,
    #"{"time":1000000000000000,"id":"b","starred":true}"#, #"{"time":1,"id":"b","position":0000000000000001}"#,
    #"{"time":1/1,"id":"b","starred":true}"#, #"{"time":1234567:,"id":"b","starred":true}"#,
  ])
  func `an invalid line is skipped`(line: String) {
    let (data, count) = data(line + "\n" + event(.flag(.hidden, true), key: "c").line)
    #expect(data.keys.map(\.text) == ["c"])
    #expect(count == line.utf8.count + 1 + event(.flag(.hidden, true), key: "c").line.utf8.count)
  }

  @Test func `the line after an invalid one has its own key`() {
    let invalid = #"{"time":1,"id":"b","starred":1}"# + "\n"
    let (data, _) = data(
      event(.flag(.starred, true), key: "a").line + invalid + event(.flag(.hidden, true), key: "b").line)
    #expect(Array(data.keys(with: .flag(.hidden)).map(\.text)) == ["b"] && data.count == 2)
  }

  @Test func `a line that is too long or not UTF-8 is skipped`() {
    let long = event(.flag(.hidden, true), key: String(repeating: "\"", count: 2_000)).line
    #expect(data(long).data.count == 1)
    #expect(data(long.replacing("true", with: String(repeating: " ", count: 400) + "true")).data.count == 0)
    let bytes = Array(#"{"time":1,"id":""#.utf8) + [0xFF] + Array("\",\"hidden\":true}\n".utf8)
    var data = UserData()
    let count = bytes.withUnsafeBufferPointer { data.read($0, of: "a", now: now) }
    #expect(data.count == 0 && count == bytes.count)
  }

  @Test(arguments: 1...15)
  func `numbers of any length are read`(digitCount: Int) throws {
    for digits in ["123456789012345", "999999999999999", "100000000000000", "000000000000001"] {
      let number = String(digits.suffix(digitCount))
      let line = "{\"time\":\(number),\"id\":\"b\",\"watched\":7}\n"
      let (data, _) = data(line, now: UserEvent.maximumTime)
      let value = try #require(Int(number))
      // A later time counts as that of a wrong clock.
      #expect(data.events.map(\.time) == [value <= UserEvent.maximumTime ? value : 0])
      #expect(data[VideoKey(text: "b")].watched?.seconds == 7)
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `a log in pieces has the same records as its events`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var applied = UserData()
    var log: [UInt8] = []
    // The last line of each field, with the latest time. Those of the earliest times decide only if they come first.
    var last: [String: UserEvent] = [:]
    for _ in 0..<Int.random(in: 1...200, using: &generator) {
      var event = randomEvent(&generator)
      log += event.line.utf8
      if Int.random(in: 0..<10, using: &generator) == 0 { log += "{\"time\":1,\"id\":\"torn\n".utf8 }
      let name = "\(event.value.field) \(event.key.text)"
      if event.time <= UserEvent.earliestTime, last[name] != nil { continue }
      if event.time > now + 86_400_000 { event.time = 0 }
      event.time = max(event.time, last[name]?.time ?? 0)
      last[name] = event
    }
    for event in last.values { applied.apply(event) }
    var read = UserData()
    var start = 0
    while start < log.count {
      let end = min(log.count, start + Int.random(in: 200...12_000, using: &generator))
      start += log[start..<end].withUnsafeBufferPointer { read.read($0, of: "a", now: now) }
    }
    #expect(read == applied && read.count == applied.count)
    for field in UserField.allCases {
      #expect(Set(read.keys(with: field)) == Set(applied.keys(with: field)))
      #expect(read.hasValues(of: field) == applied.hasValues(of: field))
    }
  }

  /// An event of one of a few keys, often that of an earlier event.
  private func randomEvent(_ generator: inout SeededGenerator) -> UserEvent {
    let number = Int.random(in: 0..<12, using: &generator)
    let keys = [
      "\(number)", "films.example \(number)", "https://films.example/videos?v=\(number)", "a\"b\\\(number)",
      "é\(number)",
      String(repeating: "x", count: 40 + number),
    ]
    let values: [UserValue] = [
      .watched(UnixTime(seconds: number * 100_000_000)), .watched(nil), .position(number + 1), .position(nil),
      .duration(4_000), .queued(Double(number) / 3), .queued(nil), .flag(.hidden, number % 2 == 0),
      .flag(.starred, number % 2 == 1),
      .downloaded(UnixTime(seconds: 1)), .downloaded(nil), video(length: 20 + number),
      // Longer than some pieces.
      video(length: StoredVideo.maximumLength - number),
    ]
    let times = [now, now + number, now - 1_000, 7, 0, now + 2 * 86_400_000]
    return event(
      values.randomElement(using: &generator) ?? .flag(.hidden, true), key: keys.randomElement(using: &generator) ?? "",
      time: times.randomElement(using: &generator) ?? 0)
  }

  private func video(length: Int) -> UserValue {
    .video(StoredVideo(unchecked: "{\"title\":\"" + String(repeating: "t", count: length - 12) + "\"}"))
  }

  @Test func `a torn last line is left for the next reading`() {
    let line = event(.flag(.starred, true)).line
    for length in 0..<line.utf8.count {
      let (data, count) = data(line + String(line.prefix(length)))
      #expect(data.count == 1 && count == line.utf8.count)
    }
  }

  @Test func `every other change wins against one in the far future`() {
    let future = event(.flag(.starred, true), time: 1 << 44)
    var records = data(future.line).data
    #expect(records[future.key].has(.starred) && records.time(of: .flag(.starred), of: future.key) == 0)
    let changes = records.change(future.key, [.flag(.starred, false)], at: now)
    #expect(changes.map(\.time) == [now])
    let next = data(future.line + changes.map(\.line).joined()).data
    #expect(!next[future.key].has(.starred))
    #expect(
      data(event(.flag(.starred, true), time: now + 86_400_000).line).data.events.map(\.time) == [now + 86_400_000])
  }

  @Test func `random damage never adds a key that was not written`() {
    var generator = SeededGenerator(seed: 7)
    let lines = (0..<20).map { event(.queued(Double($0)), key: "films.example \($0)").line }.joined()
    for _ in 0..<500 {
      var bytes = Array(lines.utf8)
      for _ in 0..<3 { bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8(ascii: "\n") }
      var data = UserData()
      let count = bytes.withUnsafeBufferPointer { data.read($0, of: "a", now: now) }
      #expect(count == bytes.count && data.count >= 17)
      #expect(data.keys.allSatisfy { $0.text.hasPrefix("films.example ") })
    }
  }

  @Test func `a million records are read back`() {
    var bytes: [UInt8] = []
    for number in 0..<1_000_000 {
      bytes += "{\"time\":1,\"id\":\"v \(number)\",\"position\":\(number % 1_000 + 1)}\n".utf8
    }
    var data = UserData()
    let count = bytes.withUnsafeBufferPointer { data.read($0, of: "a", now: now) }
    #expect(count == bytes.count && data.count == 1_000_000)
    for number in [0, 1, 499_999, 999_999] {
      #expect(data[VideoKey(text: "v \(number)")].position == number % 1_000 + 1)
    }
  }
}
