/// The places of the lines of a log by their keys: the records of a few videos are known long before those of all, whose
/// table of keys does not fit into the processor's cache.
package struct LogIndex: Sendable {
  private struct Line: Sendable {
    /// Of the key.
    var hash: UInt32
    var start: UInt32
  }

  /// In the order of the log.
  private var lines: [Line] = []
  /// The end of the last line read, in bytes.
  private var end = 0
  /// For each field the hashes of the keys that had a value last.
  private var recent = [Recent](repeating: Recent(), count: UserField.allCases.count)
  /// In bytes, of all stored videos.
  private var textLength = 0
  /// The hash of the last key.
  private var hash: UInt32 = 0
  private var unescaped: [UInt8] = []

  /// The last keys of the lines that give a field a value.
  private struct Recent: Sendable {
    private static let maximumCount = 256
    private static let sampleCount = 16
    /// The newest is before the index `count` modulo `maximumCount`.
    private var hashes: [UInt32] = []
    private var count = 0

    /// Whether no key is missing.
    var isComplete: Bool { count <= Self.maximumCount }

    /// All keys, or some of them that probably still have a value.
    var samples: ArraySlice<UInt32> { isComplete ? hashes[...] : hashes.prefix(Self.sampleCount) }

    mutating func append(_ hash: UInt32) {
      if hashes.count < Self.maximumCount { hashes.append(hash) } else { hashes[count % Self.maximumCount] = hash }
      count += 1
    }
  }

  package init() {}

  /// Prepares for a log of this length in bytes.
  package mutating func reserveCapacity(forLog byteCount: Int) { lines.reserveCapacity(byteCount / 80) }

  /// Adds the complete lines of a piece of the log, which begins at an offset, and returns the count of bytes up to the
  /// last newline, as `UserData.read` does.
  package mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    guard let first = bytes.baseAddress else { return 0 }
    var line = UserLine(first, count: bytes.count)
    while true {
      let start = line.place
      if let outline = line.outline() {
        append(outline, at: offset + start)
        continue
      }
      line.place = start
      if let event = line.event(unescapingInto: &unescaped) {
        append(outline(of: event), at: offset + start)
      } else if let next = line.startOfNext(after: start) {
        line.place = next
      } else {
        end = offset + start
        return start
      }
    }
  }

  private func outline(of event: UserLine.Event) -> UserLine.Outline {
    let length =
      switch event.content {
      case .bits(let bits): bits == event.field.emptyBits ? 0 : 1
      case .text(let text): text.count
      }
    return UserLine.Outline(key: event.key, field: event.field, valueLength: length)
  }

  @inline(__always)
  private mutating func append(_ line: UserLine.Outline, at start: Int) {
    switch line.key {
    case .repeated: break
    case .plain(_, let hash): self.hash = hash
    case .unescaped: hash = unescaped.withUnsafeBufferPointer { KeyTable.hash($0) }
    }
    lines.append(Line(hash: hash, start: UInt32(truncatingIfNeeded: start)))
    guard line.valueLength > 0 else { return }
    if line.field == .video { textLength += line.valueLength }
    recent[line.field.index].append(hash)
  }

  // MARK: - Some records

  /// Which keys the records of some videos depend on: theirs, and those that tell which fields have values at all.
  package struct Selection {
    private var hashes: Set<UInt32> = []
    /// The fields of which no value is missing.
    private let completeFields: [UserField]
    /// The low bits of the hashes: most lines are rejected by them.
    private var filter = [Bool](repeating: false, count: 1 << 16)

    /// Returns nil if so many videos are stored that some may be dropped, which depends on all records.
    package init?(_ keys: [VideoKey], in logs: [LogIndex]) {
      guard 2 * logs.reduce(0, { $0 + $1.textLength }) < UserData.maximumTextLength else { return nil }
      completeFields = UserField.allCases.filter { field in logs.allSatisfy { $0.recent[field.index].isComplete } }
      for key in keys where key.isValid {
        var text = key.text
        insert(text.withUTF8 { KeyTable.hash($0) })
      }
      for log in logs { for field in log.recent { for hash in field.samples { insert(hash) } } }
    }

    private mutating func insert(_ hash: UInt32) {
      hashes.insert(hash)
      filter[Int(hash & 0xFFFF)] = true
    }

    fileprivate func contains(_ hash: UInt32) -> Bool { filter[Int(hash & 0xFFFF)] && hashes.contains(hash) }

    /// Whether exactly the fields that have values in all records have values in these.
    package func isExact(_ records: UserData) -> Bool {
      UserField.allCases.allSatisfy { records.hasValues(of: $0) || completeFields.contains($0) }
    }
  }

  /// The ranges of bytes whose lines have the selected keys, in ascending order.
  package func ranges(of selection: Selection) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for (index, line) in lines.enumerated() where selection.contains(line.hash) {
      let range = Int(line.start)..<(index + 1 < lines.count ? Int(lines[index + 1].start) : end)
      if let last = ranges.last, last.upperBound == range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }
}
