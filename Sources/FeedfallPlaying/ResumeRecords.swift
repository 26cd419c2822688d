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
  private static let longest = 366 * 86_400

  private var positions: [String: Position] = [:]
  private var lastStamp = 0

  private struct Position: Equatable, Sendable {
    var seconds: Int
    /// Greater for later changes.
    var stamp: Int
  }

  public init() {}

  /// The resume position of a video, in whole seconds.
  public subscript(id: String) -> Int? { positions[id]?.seconds }

  var count: Int { positions.count }

  /// Stores a position, or removes it at the beginning and near the end of the video.
  ///
  /// Complexity: O(1), and O(`maximumCount`) if the oldest position is evicted.
  mutating func update(_ id: String, seconds: Double, duration: Double) {
    let end = min(duration * Self.watchedShare, Double(Self.longest))
    guard seconds >= Self.shortest, seconds <= end else { return remove(id) }
    insert(id, Int(seconds))
  }

  mutating func remove(_ id: String) { positions[id] = nil }

  private mutating func insert(_ id: String, _ seconds: Int) {
    guard !id.isEmpty, id.utf8.count <= Self.maximumIDLength, !id.utf8.contains(where: { $0 < 0x20 }) else { return }
    lastStamp += 1
    positions[id] = Position(seconds: seconds, stamp: lastStamp)
    guard count > Self.maximumCount, let oldest = positions.min(by: { $0.value.stamp < $1.value.stamp }) else {
      return
    }
    remove(oldest.key)
  }

  /// Applies the changes between two versions, and keeps what other processes have stored.
  public mutating func merge(changesFrom old: ResumeRecords, to new: ResumeRecords) {
    for id in Set(old.positions.keys).subtracting(new.positions.keys) { remove(id) }
    for (id, position) in new.oldestFirst where old[id] != position.seconds { insert(id, position.seconds) }
  }

  // MARK: - Text

  /// One line per video, the oldest first: the second, a space, the ID.
  public var lines: String { oldestFirst.map { "\($0.value.seconds) \($0.key)\n" }.joined() }

  /// Parses lines. Invalid lines are skipped; if there are too many, the last ones count.
  public init(lines: String) {
    for line in lines.split(separator: "\n").suffix(Self.maximumCount) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let seconds = Int(parts[0]), (1...Self.longest).contains(seconds) else { continue }
      insert(String(parts[1]).removingUser, seconds)
    }
  }

  private var oldestFirst: [(key: String, value: Position)] {
    positions.sorted { $0.value.stamp < $1.value.stamp }
  }
}
