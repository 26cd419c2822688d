import FeedfallText

/// The resume positions of videos, by ID; the oldest are evicted.
public struct ResumeRecords: Equatable, Sendable {
  static let maximumCount = 2_000
  /// In bytes; positions of longer IDs are not stored.
  static let maximumIDLength = 2_048
  /// In seconds; a video that has only just begun starts from its beginning.
  private static let shortest = 5.0
  /// A video counts as watched beyond this share of its duration.
  private static let watchedShare = 0.95
  /// In seconds, one year.
  fileprivate static let longest = 366 * 86_400
  /// The last plausible time in a line, in seconds since 1970.
  fileprivate static let latestTime = 1 << 40

  private var records: [String: Record] = [:]
  private var lastStamp = 0
  /// The last stamp of the records that were parsed; greater ones are from this run of the program.
  private var parsedStamp = 0

  fileprivate struct Position: Equatable, Sendable {
    /// 0 for a video that starts from its beginning.
    var seconds: Int
    /// When the user was there; nil if only this program stores the position.
    var time: UnixTime?
  }

  private struct Record: Equatable, Sendable {
    var position: Position
    /// Greater for later changes.
    var stamp: Int
  }

  public init() {}

  /// The resume position of a video, in whole seconds.
  public subscript(id: String) -> Int? {
    records[id].flatMap { $0.position.seconds > 0 ? $0.position.seconds : nil }
  }

  var count: Int { records.count }

  /// Whether the position of a video, which may be its beginning, is from this time or later; for nil, whether it is from
  /// this run of the program.
  func isCurrent(_ id: String, since time: UnixTime?) -> Bool {
    guard let record = records[id], let own = record.position.time else { return false }
    return time.map { $0 <= own } ?? (record.stamp > parsedStamp)
  }

  /// Stores a position; at the beginning and near the end of the video it is the beginning. Returns whether that is a
  /// change.
  ///
  /// - Parameter time: when the user was there; nil if the source stores no positions, with which to compare it.
  ///
  /// Complexity: O(1), and O(`maximumCount`) if the oldest position is evicted.
  @discardableResult
  mutating func update(_ id: String, seconds: Double, duration: Double, at time: UnixTime? = nil) -> Bool {
    let end = min(duration * Self.watchedShare, Double(Self.longest))
    let isInside = seconds >= Self.shortest && seconds <= end
    return insert(id, Position(seconds: isInside ? Int(seconds) : 0, time: time))
  }

  /// Stores that a video starts from its beginning. Returns whether that is a change.
  @discardableResult
  mutating func reset(_ id: String, at time: UnixTime? = nil) -> Bool { insert(id, Position(seconds: 0, time: time)) }

  @discardableResult
  private mutating func insert(_ id: String, _ position: Position) -> Bool {
    guard records[id]?.position != position else { return false }
    guard position.seconds > 0 || position.time != nil else { return records.removeValue(forKey: id) != nil }
    guard !id.isEmpty, id.utf8.count <= Self.maximumIDLength, !id.utf8.contains(where: { $0 < 0x20 }) else {
      return false
    }
    lastStamp += 1
    records[id] = Record(position: position, stamp: lastStamp)
    if count > Self.maximumCount, let oldest = records.min(by: { $0.value.stamp < $1.value.stamp }) {
      records[oldest.key] = nil
    }
    return true
  }

  /// Applies the changes between two versions, and keeps what other processes have stored.
  public mutating func merge(changesFrom old: ResumeRecords, to new: ResumeRecords) {
    for id in Set(old.records.keys).subtracting(new.records.keys) { records[id] = nil }
    for (id, record) in new.oldestFirst where old.records[id]?.position != record.position {
      insert(id, record.position)
    }
  }

  // MARK: - Text

  /// One line per video, the oldest first: the second, a space, the ID. A time follows the second as `@` and the seconds
  /// since 1970.
  public var lines: String { oldestFirst.map { "\($0.value.position.text) \($0.key)\n" }.joined() }

  /// Parses lines. Invalid lines are skipped; if there are too many, the last ones count.
  public init(lines: String) {
    for line in lines.split(separator: "\n").suffix(Self.maximumCount) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let position = Position(parts[0]) else { continue }
      insert(String(parts[1]).removingUser, position)
    }
    parsedStamp = lastStamp
  }

  private var oldestFirst: [(key: String, value: Record)] { records.sorted { $0.value.stamp < $1.value.stamp } }
}

extension ResumeRecords.Position {
  fileprivate var text: String { time.map { "\(seconds)@\($0.seconds)" } ?? "\(seconds)" }

  /// Parses the text; nil if it is invalid.
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let time = parts.count == 2 ? Int(parts[1]) : nil
    guard let seconds = Int(parts[0]), ((time == nil ? 1 : 0)...ResumeRecords.longest).contains(seconds),
      parts.count == 1 || time.map((0...ResumeRecords.latestTime).contains) == true
    else { return nil }
    self.init(seconds: seconds, time: time.map { UnixTime(seconds: $0) })
  }
}
