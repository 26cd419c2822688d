/// Seconds since 1970-01-01 00:00 UTC.
public struct UnixTime: Hashable, Comparable, CustomStringConvertible, Sendable {
  public var seconds: Int

  public init(seconds: Int) { self.seconds = seconds }

  public static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }

  /// Parses a date and time such as `2018-10-01T10:52:46.396Z` (RFC 3339). Also accepts a blank for the `T`, and a
  /// missing colon, offset (UTC), second or time (midnight UTC). Fractions of seconds are ignored. Returns nil if a
  /// part is out of range, and for years before 1000, which are placeholders.
  public init?(rfc3339 text: String) {
    var scanner = TimeScanner([UInt8](first: 64, of: text).trimmingBlanks())
    guard let year = scanner.number(of: 4), year >= 1_000, scanner.consume("-"),
      let month = scanner.number(of: 2), scanner.consume("-"),
      let day = scanner.number(of: 2), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var seconds = date.daysSince1970 * 86_400
    if !scanner.isAtEnd {
      guard scanner.consume(any: "Tt "), let time = scanner.rfc3339Time(), let offset = scanner.rfc3339Offset()
      else { return nil }
      seconds += time - offset
    }
    self.init(seconds: seconds)
  }

  /// The day in UTC.
  public var civilDate: CivilDate { CivilDate(daysSince1970: seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)) }

  /// The time in UTC, such as `2018-10-01T10:52:46Z` (RFC 3339).
  public var description: String {
    let second = ((seconds % 86_400) + 86_400) % 86_400
    let (hours, minutes, rest) = (second / 3600, second / 60 % 60, second % 60)
    return "\(civilDate)T\(twoDigits(hours)):\(twoDigits(minutes)):\(twoDigits(rest))Z"
  }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

extension TimeScanner {
  /// Parses `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`; a leap second counts as the preceding second.
  fileprivate mutating func rfc3339Time() -> Int? {
    guard let hour = number(of: 2), hour <= 24, consume(":"), let minute = number(of: 2), minute < 60 else {
      return nil
    }
    var second = 0
    if consume(":") {
      guard let value = number(of: 2), value <= 60 else { return nil }
      second = min(value, 59)
      if consume(any: ".,") {
        guard number(of: 1) != nil else { return nil }
        while number(of: 1) != nil {}
      }
    }
    return hour * 3_600 + minute * 60 + second
  }

  /// Parses `Z`, `+HH:MM`, `-HHMM` or nothing; returns seconds.
  fileprivate mutating func rfc3339Offset() -> Int? {
    skipBlanks()
    if isAtEnd { return 0 }
    if consume(any: "Zz") { return isAtEnd ? 0 : nil }
    let sign = consume("-") ? -1 : 1
    if sign == 1, !consume("+") { return nil }
    guard let hours = number(of: 2), hours < 24 else { return nil }
    _ = consume(":")
    let minutes = number(of: 2) ?? 0
    guard minutes < 60, isAtEnd else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}

/// A day in the Gregorian calendar.
public struct CivilDate: Hashable, Sendable, CustomStringConvertible {
  public let year: Int
  public let month: Int
  public let day: Int

  /// Returns nil if there is no such day or the year is not in 0...9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9_999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    guard day <= length else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Clamped to the years 0 to 9999. Years begin in March, eras have 400 years (Howard Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms").
  init(daysSince1970: Int) {
    let days = min(max(daysSince1970, -719_528), 2_932_896) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day, such as `2018-10-01`.
  public var description: String {
    // The years have four digits, also those before 1000.
    "\(twoDigits(year / 100))\(twoDigits(year % 100))-\(twoDigits(month))-\(twoDigits(day))"
  }
}

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
