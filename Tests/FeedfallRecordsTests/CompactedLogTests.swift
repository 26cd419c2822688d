import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct CompactedLogTests {
  private let now = 1_763_855_000_000

  private func records(_ log: [UInt8], at now: Int) -> UserData {
    var data = UserData()
    _ = log.withUnsafeBufferPointer { data.read($0, of: "a", now: now) }
    return data
  }

  private func lines(_ log: [UInt8]) -> [Substring] { String(decoding: log, as: UTF8.self).split(separator: "\n") }

  @Test func `the header has the length of the lines`() {
    let line = "{\"time\":1,\"id\":\"b\",\"starred\":true}\n"
    let compacted = CompactedLog.text(of: Array((line + line).utf8), now: now)
    #expect(String(decoding: compacted, as: UTF8.self) == "{\"compacted\":\(line.utf8.count)}\n" + line)
    #expect(CompactedLog.length(inHeader: compacted) == line.utf8.count)
    #expect(CompactedLog.length(inHeader: Array(line.utf8)) == nil)
    #expect(CompactedLog.text(of: compacted, now: now) == compacted)
  }

  @Test func `of lines that only a later version understands, the last one of each ID and name stays`() {
    let unknown = [
      #"{"time":1,"id":"b","liked":true}"#, #"{"time":2,"id":"b","liked":false}"#, #"{"time":3,"id":"b","note":"x"}"#,
      #"{"time":3,"id":"c","liked":{"a":[1]}}"#, #"{"time":4,"id":"b","watched":"never"}"#,
      #"{"time":5,"id":"b","position":7,"speed":2}"#, #"{ "id":"d", "time":6, "liked":true }"#,
    ]
    let garbage = ["torn", "{}", #"{"time":1,"id":"b"#, #"{"id":"b","liked":true}"#, "\u{FFFD}"]
    let log = Array(zip(unknown, unknown.indices).map { $0 + "\n" + garbage[$1 % garbage.count] + "\n" }.joined().utf8)
    #expect(lines(CompactedLog.text(of: log, now: now)).dropFirst().map(String.init) == Array(unknown.dropFirst()))
  }

  @Test func `a log of many lines is compacted in linear time`() {
    let lines = (0..<60_000).map { "{\"time\":\($0),\"id\":\"v \($0 % 30_000)\",\"position\":\($0 + 1)}\n" }
    let compacted = CompactedLog.text(of: Array(lines.joined().utf8), now: now)
    #expect(self.lines(compacted).dropFirst().elementsEqual(lines.suffix(30_000).map { $0.dropLast() }))
  }

  @Test func `a line of the earliest time overwrites nothing of its device, whatever the clock showed`() {
    for time in [now, now + 9 * 86_400_000] {
      let changes: [UserValue] = [.watched(UnixTime(seconds: 5)), .watched(nil), .flag(.starred, true)]
      let own = changes.map { UserEvent(time: time, device: "a", key: VideoKey(text: "b"), value: $0) }
      let server = [UserValue.watched(UnixTime(seconds: 7)), .flag(.starred, true), .flag(.hidden, true)].map {
        UserEvent(time: UserEvent.earliestTime, device: "a", key: VideoKey(text: "b"), value: $0)
      }
      let log = (own + server + server).map(\.line).joined()
      for text in [Array(log.utf8), CompactedLog.text(of: Array(log.utf8), now: now)] {
        let record = records(text, at: now)[VideoKey(text: "b")]
        #expect(record.watched == nil && record.has(.starred) && record.has(.hidden))
      }
    }
  }

  /// The clock may be set to any time before any change.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `the last change of a device wins, whatever its clock shows, also after a compaction`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let day = 86_400_000
    var clock = now
    var log: [UInt8] = []
    var expected: [String: Double] = [:]
    for number in 0..<60 {
      if generator.chance(1, in: 4) { clock = now + Int.random(in: -9...9, using: &generator) * day }
      // Each program reads the records before it changes them.
      var data = records(log, at: clock)
      let key = "v \(Int.random(in: 0..<5, using: &generator))"
      let place = Double(number)
      for event in data.change(VideoKey(text: key), [.queued(place)], at: clock) { log += event.line.utf8 }
      expected[key] = place
      if generator.chance(1, in: 9) { log = CompactedLog.text(of: log, now: clock) }
      clock += Int.random(in: 0..<10_000, using: &generator)
    }
    for reading in [clock, now - 20 * day, now + 20 * day] {
      let data = records(log, at: reading)
      for (key, place) in expected { #expect(data[VideoKey(text: key)].queued == place) }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a compacted log has the same records now and later, and each line as it was`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let day = 86_400_000
    var log: [UInt8] = []
    for number in 0..<Int.random(in: 1...150, using: &generator) {
      let time = [now + number, now - day, now + 5 * day, 0].randomElement(using: &generator) ?? 0
      let value: UserValue =
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .position(number + 1)
        case 1: .watched(number % 2 == 0 ? nil : UnixTime(seconds: number))
        case 2: .video(StoredVideo(unchecked: "{\"title\":\"\(number)\"}"))
        default: .flag(.hidden, number % 2 == 0)
        }
      let key = ["a \(number % 7)", "q\"\(number % 3)"].randomElement(using: &generator) ?? ""
      log += UserEvent(time: time, device: "a", key: VideoKey(text: key), value: value).line.utf8
      if generator.chance(1, in: 20) { log += "torn\n".utf8 }
    }
    let compacted = CompactedLog.text(of: log, now: now)
    for reading in [now, now + 20 * day] { #expect(records(compacted, at: reading) == records(log, at: reading)) }
    #expect(Set(lines(compacted).dropFirst()).isSubset(of: lines(log)))
    #expect(CompactedLog.text(of: compacted, now: now) == compacted)
  }

  @Test func `the facts of chosen videos are read, however many there are`() {
    let title = String(repeating: "t", count: 3_000)
    var log: [UInt8] = []
    for number in 0..<4_000 {
      let key = VideoKey(text: number % 2 == 0 ? "v \(number)" : "\"\(number)")
      let facts = StoredVideo(unchecked: "{\"title\":\"\(number) \(title)\"}")
      log += UserEvent(time: number, device: "a", key: key, value: .watched(UnixTime(seconds: 1))).line.utf8
      log += UserEvent(time: number, device: "a", key: key, value: .video(facts)).line.utf8
    }
    let records = records(log, at: now)
    let lacking = records.keys.filter { records.lacksFacts($0) }
    #expect(lacking.count > 1_000 && records.keys(with: .watched).count == 4_000)
    var facts = UserData(factsOf: lacking)
    _ = log.withUnsafeBufferPointer { facts.read($0, of: "a", now: now) }
    #expect(lacking.allSatisfy { facts.storedVideo($0) != nil && facts[$0].watched == nil })
    #expect(facts.count == lacking.count)
    #expect(!records.lacksFacts(VideoKey(text: "unknown")))
  }
}
