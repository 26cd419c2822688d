import FeedfallText
import TestSupport
import Testing

@testable import FeedfallUserData

@Suite(.hangLimit) struct LogIndexTests {
  private static let now = 1_763_855_000_000

  /// The logs of some devices, read as files are.
  private struct Logs {
    var texts: [[UInt8]]
    /// In bytes; no line is longer.
    var pieceLength = 1_000

    func read(_ text: [UInt8], _ piece: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int) {
      var offset = 0
      while offset < text.count {
        let count = min(pieceLength, text.count - offset)
        let readCount = text.withUnsafeBufferPointer {
          piece(UnsafeBufferPointer(rebasing: $0[offset..<offset + count]), offset)
        }
        guard readCount > 0 || count == pieceLength else { return }
        offset += readCount > 0 ? readCount : count
      }
    }

    var all: UserData {
      var data = UserData()
      for (number, text) in texts.enumerated() {
        read(text) { piece, _ in data.read(piece, of: "device \(number)", now: LogIndexTests.now) }
      }
      return data
    }

    var indices: [LogIndex] {
      texts.map { text in
        var index = LogIndex()
        read(text) { index.read($0, at: $1) }
        return index
      }
    }

    func records(of selection: LogIndex.Selection) -> UserData {
      var data = UserData()
      for (number, index) in indices.enumerated() {
        for range in index.ranges(of: selection) {
          _ = texts[number][range].withUnsafeBufferPointer {
            data.read($0, of: "device \(number)", now: LogIndexTests.now)
          }
        }
      }
      return data
    }
  }

  @Test(arguments: 1...100)
  func `the records of some keys are those of the complete logs`(seed: Int) throws {
    var chances = SeededGenerator(seed: UInt64(seed))
    let keyCount = [3, 40, 1_000].randomElement(using: &chances) ?? 3
    let logs = Logs(texts: (0..<Int.random(in: 1...3, using: &chances)).map { _ in log(keyCount: keyCount, &chances) })
    let (all, wanted) = (logs.all, (0..<8).map { _ in key(Int.random(in: 0..<keyCount, using: &chances)) })
    let selection = try #require(LogIndex.Selection(wanted, in: logs.indices))
    let some = logs.records(of: selection)
    for key in wanted {
      for field in UserField.allCases { #expect(some.lastEvent(of: field, key) == all.lastEvent(of: field, key)) }
    }
    let areSame = UserField.allCases.allSatisfy { some.hasValues(of: $0) == all.hasValues(of: $0) }
    #expect(areSame || !selection.isExact(some))
    // Each field has fewer lines than an index stores.
    if keyCount <= 40 { #expect(selection.isExact(some)) }
  }

  @Test func `a field that no record has any more is found to be empty, or depends on all records`() throws {
    for count in [100, 300] {
      let events = (0..<count).flatMap { number in
        [UserValue.queued(Double(number)), .queued(nil)].enumerated().map {
          UserEvent(time: $0, device: "a", key: key(number), value: $1)
        }
      }
      let logs = Logs(texts: [Array(events.map(\.line).joined().utf8)])
      let selection = try #require(LogIndex.Selection([], in: logs.indices))
      let some = logs.records(of: selection)
      #expect(!some.hasValues(of: .queued))
      #expect(selection.isExact(some) == (count == 100))
    }
  }

  @Test func `stored videos of which some may be dropped depend on all records`() {
    let title = String(repeating: "a", count: 4_000)
    let lines = (0..<1_100).map {
      UserEvent(time: $0, device: "a", key: key($0), value: .video(StoredVideo(unchecked: "{\"title\":\"\(title)\"}")))
        .line
    }
    for (count, isPossible) in [(1_000, true), (1_100, false)] {
      let logs = Logs(texts: [Array(lines.prefix(count).joined().utf8)], pieceLength: 10_000)
      #expect((LogIndex.Selection([], in: logs.indices) != nil) == isPossible)
    }
  }

  private func key(_ number: Int) -> VideoKey {
    VideoKey(text: number % 3 == 0 ? "films.example \"\(number)\"" : "https://films.example/\(number)")
  }

  /// Lines of random changes, some of them repeated, torn, invalid, or from a wrong clock.
  private func log(keyCount: Int, _ chances: inout SeededGenerator) -> [UInt8] {
    var text = ""
    for _ in 0..<Int.random(in: 0...(keyCount > 40 ? 4_000 : 200), using: &chances) {
      let key = key(Int.random(in: 0..<keyCount, using: &chances))
      let isFuture = Int.random(in: 0..<20, using: &chances) == 0
      let time = isFuture ? Self.now * 2 : Self.now - Int.random(in: 0..<50, using: &chances)
      for value in (0..<Int.random(in: 1...3, using: &chances)).map({ _ in value(&chances) }) {
        text += UserEvent(time: time, device: "a", key: key, value: value).line
      }
      if Int.random(in: 0..<20, using: &chances) == 0 {
        text +=
          [
            "\n", "{}\n", String(text.suffix(30)), "{\"time\":1,\"id\":\"\(key.text)",
            String(repeating: "x", count: 1_500),
          ].randomElement(using: &chances) ?? ""
      }
    }
    return Array(text.utf8)
  }

  private func value(_ chances: inout SeededGenerator) -> UserValue {
    let number = Int.random(in: 1...3, using: &chances)
    let values: [UserValue] = [
      .watched(UnixTime(seconds: number)), .watched(nil), .position(number), .position(nil), .duration(number),
      .queued(Double(number)), .queued(nil), .hidden(true), .hidden(false), .starred(false), .downloaded(nil),
      .video(StoredVideo(unchecked: "{\"title\":\"\(number)\"}")),
    ]
    return values.randomElement(using: &chances) ?? .hidden(true)
  }
}
