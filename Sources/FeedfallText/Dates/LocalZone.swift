/// The offsets of a time zone from UTC, to convert times to days.
public struct LocalZone: Hashable, Sendable {
  /// A time in seconds since 1970 from which an offset in seconds applies.
  public struct Change: Hashable, Sendable {
    public let start: Int
    public let offset: Int

    public init(start: Int, offset: Int) { (self.start, self.offset) = (start, offset) }
  }

  /// In ascending order. The first offset also applies before its start.
  private let changes: [Change]

  public static let utc = LocalZone([])

  private static let day = 86_400
  /// In either direction; a larger offset is invalid.
  private static let maximumOffset = 2 * day

  public init(_ changes: [Change]) {
    let offsets = -Self.maximumOffset...Self.maximumOffset
    self.changes = changes.filter { offsets.contains($0.offset) }.sorted { $0.start < $1.start }
  }

  /// Returns the day of a time; a date without a time is the same day everywhere. O(log changes).
  public func day(of time: UnixTime) -> CivilDate {
    if Self.isDate(time.seconds) { return time.civilDate }
    return UnixTime(seconds: local(time.seconds)).civilDate
  }

  /// Returns the day at a time in days since 1970-01-01. O(log changes).
  public func dayNumber(at time: UnixTime) -> Int { UnixTime(seconds: local(time.seconds)).civilDate.daysSince1970 }

  /// Returns the first second of a day, counted from 1970-01-01; if the zone has skipped it, that of a later day. O(log
  /// changes).
  public func start(ofDay number: Int) -> UnixTime {
    let midnight = number * Self.day
    var number = index(at: midnight - Self.maximumOffset)
    while number < changes.count {
      let start = midnight - changes[number].offset
      let time = number > 0 ? max(start, changes[number].start) : start
      if number + 1 == changes.count || time < changes[number + 1].start { return UnixTime(seconds: time) }
      number += 1
    }
    return UnixTime(seconds: midnight)
  }

  /// Whether a time in seconds since 1970 counts as a date without a time, which is midnight in UTC. A video that was
  /// published at exactly this second counts as one, too.
  public static func isDate(_ seconds: Int) -> Bool { seconds % day == 0 }

  private func local(_ seconds: Int) -> Int {
    guard !changes.isEmpty else { return seconds }
    let (sum, hasOverflowed) = seconds.addingReportingOverflow(changes[index(at: seconds)].offset)
    return hasOverflowed ? seconds : sum
  }

  private func index(at seconds: Int) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].start <= seconds { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}
