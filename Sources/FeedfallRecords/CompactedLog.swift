import FeedfallText

/// A log with the lines that determine the records, as they were written.
///
/// It is made from lines and never from the records, so that it loses nothing that memory does not hold or that only a
/// later version understands. A line stays if it is the last one of its ID and field, or has the latest time of them:
/// the last line decides, with the latest time (see `UserData.read`). Times in the future do not count yet; so the
/// latest other one stays too. Lines that no version could read are dropped, and so are those of the earliest times
/// that follow another one, because they decide nothing.
package enum CompactedLog {
  /// In bytes.
  package static let maximumHeaderLength = 40
  private static let (headerStart, headerEnd) = ("{\"compacted\":", "}\n")

  /// The length in bytes that a compacted log had, by the first bytes of the log; nil if it was never compacted.
  package static func length(inHeader bytes: [UInt8]) -> Int? {
    guard bytes.starts(with: headerStart.utf8) else { return nil }
    let digits = bytes.dropFirst(headerStart.utf8.count).prefix { $0 != UInt8(ascii: "}") }
    return digits.count < 16 ? Int(String(decoding: digits, as: UTF8.self)) : nil
  }

  /// Returns the compacted log, which begins with its length. A last line without a newline is dropped.
  ///
  /// - Parameter now: in milliseconds since 1970.
  package static func text(of log: [UInt8], now: Int) -> [UInt8] {
    var lines = DeterminingLines(latest: UserData.latestTime(at: now))
    log.withUnsafeBufferPointer { lines.read($0) }
    let kept = lines.ranges
    let length = kept.reduce(0) { $0 + $1.count }
    var text = Array("\(headerStart)\(length)\(headerEnd)".utf8)
    text.reserveCapacity(text.count + length)
    for range in kept { text += log[range] }
    return text
  }
}

extension CompactedLog {
  private struct DeterminingLines {
    /// In milliseconds since 1970. Later times are in the future.
    let latest: Int
    private var keys = KeyTable()
    private var known: [Int: Candidates] = [:]
    /// By the ID and the names of the other members.
    private var unknown: [String: Candidates] = [:]

    private struct Line {
      var range: Range<Int>
      var time: Int
    }

    private struct Candidates {
      var last: Line
      var latest: Line
      /// The latest line that is not in the future.
      var current: Line?
    }

    init(latest: Int) { self.latest = latest }

    var ranges: [Range<Int>] {
      var lines: [Int: Range<Int>] = [:]
      for candidates in [Array(known.values), Array(unknown.values)].joined() {
        for line in [candidates.last, candidates.latest, candidates.current].compactMap(\.self) {
          lines[line.range.lowerBound] = line.range
        }
      }
      return lines.values.sorted { $0.lowerBound < $1.lowerBound }
    }

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
      var lines = UserLines(bytes)
      var number: Int?
      while let (range, event) = lines.next() {
        guard let event else {
          readUnknown(range, bytes)
          continue
        }
        if !lines.repeatsKey { number = lines.withKey { keys.insert($0) } }
        guard let number else { continue }
        let line = Line(range: range, time: event.time)
        Self.add(line, &known[number * UserField.count + event.field.index], latest)
      }
    }

    /// A line with a time, an ID and other members than those of this version.
    private mutating func readUnknown(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) {
      let document = Array(bytes[range])
      guard let object = JSONObject(document: document), let id = object["id"]?.string, let time = object["time"] else {
        return
      }
      let names = object.names.filter { $0 != "id" && $0 != "time" }
      let line = Line(range: range, time: time.integer ?? 0)
      Self.add(line, &unknown["\(id)\n\(names.joined(separator: "\n"))"], latest)
    }

    /// Static, because a method would copy the dictionary that holds the candidates.
    private static func add(_ line: Line, _ candidates: inout Candidates?, _ latest: Int) {
      let isFuture = line.time > latest
      guard var known = candidates else {
        candidates = Candidates(last: line, latest: line, current: isFuture ? nil : line)
        return
      }
      guard line.time > UserEvent.earliestTime else { return }
      known.last = line
      if line.time >= known.latest.time { known.latest = line }
      if !isFuture, line.time >= known.current?.time ?? 0 { known.current = line }
      candidates = known
    }
  }
}
