/// Seconds since 1970-01-01 00:00 UTC.
public struct UnixTime: Hashable, Comparable, Sendable {
  public var seconds: Int

  public init(seconds: Int) {
    self.seconds = seconds
  }

  public static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }
}

extension UnixTime {
  /// Reads a date and time such as `2018-10-01T10:52:46.396Z` (RFC 3339).
  ///
  /// More than the text of the standard is taken: a blank for the `T`, no seconds, an offset without colon,
  /// no offset (UTC), no time at all (midnight UTC). Fractions are dropped. Nil where a part is out of its
  /// range.
  public init?(rfc3339 text: String) {
    var digits = DigitReader(text.utf8.prefix(64))
    digits.skipBlanks()
    guard let year = digits.number(4), digits.take("-"),
      let month = digits.number(2), digits.take("-"),
      let day = digits.number(2), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var seconds = date.daysSince1970 * 86_400
    if !digits.isAtEnd {
      guard digits.take("T") || digits.take("t") || digits.take(" "), let time = digits.timeOfDay(),
        let offset = digits.offset()
      else { return nil }
      seconds += time - offset
    }
    self.init(seconds: seconds)
  }

  /// The day in UTC.
  public var civilDate: CivilDate {
    CivilDate(daysSince1970: seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0))
  }
}

extension UnixTime: CustomStringConvertible {
  /// The time in UTC as in `2018-10-01T10:52:46Z` (RFC 3339).
  public var description: String {
    let second = ((seconds % 86_400) + 86_400) % 86_400
    let (hours, minutes, rest) = (second / 3600, second / 60 % 60, second % 60)
    return "\(civilDate)T\(twoDigits(hours)):\(twoDigits(minutes)):\(twoDigits(rest))Z"
  }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

/// Reads fixed numbers of digits and single marks, one after the other.
private struct DigitReader {
  private var rest: Substring.UTF8View.SubSequence

  init(_ text: Substring.UTF8View) {
    rest = text
  }

  var isAtEnd: Bool { rest.allSatisfy { $0 == UInt8(ascii: " ") } }

  mutating func skipBlanks() {
    while take(" ") {}
  }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    var value = 0
    for byte in rest.prefix(count) {
      guard byte.isASCIIDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    rest.removeFirst(count)
    return value
  }

  /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`; a leap second counts as the second before it.
  mutating func timeOfDay() -> Int? {
    guard let hour = number(2), hour <= 24, take(":"), let minute = number(2), minute < 60 else { return nil }
    var second = 0
    if take(":") {
      guard let value = number(2), value <= 60 else { return nil }
      second = min(value, 59)
      if take(".") || take(",") {
        guard number(1) != nil else { return nil }
        while number(1) != nil {}
      }
    }
    return hour * 3_600 + minute * 60 + second
  }

  /// `Z`, `+HH:MM`, `-HHMM` or nothing, in seconds.
  mutating func offset() -> Int? {
    skipBlanks()
    if isAtEnd { return 0 }
    if take("Z") || take("z") { return isAtEnd ? 0 : nil }
    let sign = take("-") ? -1 : 1
    if sign == 1, !take("+") { return nil }
    guard let hours = number(2), hours < 24 else { return nil }
    _ = take(":")
    let minutes = number(2) ?? 0
    guard minutes < 60, isAtEnd else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}
