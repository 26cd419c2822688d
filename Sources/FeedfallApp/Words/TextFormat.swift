import FeedfallFeeds
import FeedfallText

enum TextFormat {
  /// `1,234,567`.
  static func count(_ number: Int) -> String {
    guard !(-999...999).contains(number) else { return String(number) }
    return "\(count(number / 1000)),\(String(1000 + abs(number % 1000)).dropFirst())"
  }

  /// `999`, `3.4k`, `12k`, `1.2M`, rounded down.
  static func shortCount(_ number: Int) -> String {
    guard number >= 1_000 else { return String(number) }
    let (unit, sign) = number < 1_000_000 ? (1_000, "k") : (1_000_000, "M")
    let tenths = number / (unit / 10)
    return (tenths < 100 && tenths % 10 > 0 ? "\(tenths / 10).\(tenths % 10)" : count(tenths / 10)) + sign
  }

  /// `0.5 s`, `7 s`, `3 min`, `2 h`, rounded up.
  static func wait(_ duration: Duration) -> String {
    let parts = duration.components
    let tenths = (parts.attoseconds + (attosecondsPerTenth - 1)) / attosecondsPerTenth
    if parts.seconds < 10, (1...9).contains(tenths) { return "\(parts.seconds).\(tenths) s" }
    let seconds = parts.attoseconds > 0 ? parts.seconds + 1 : parts.seconds
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7200 { return "\((seconds + 59) / 60) min" }
    return "\((seconds + 3599) / 3600) h"
  }

  /// `now`, `12 min`, `3 h`, `2 d`, `5 wk`, later the month. A time up to a minute ahead is `now`, because clocks
  /// differ; nil for any later time. `saysAgo`: `12 min ago`.
  static func age(of time: UnixTime, at now: UnixTime, in zone: LocalZone, saysAgo: Bool = false) -> String? {
    let (age, hasOverflowed) = now.seconds.subtractingReportingOverflow(time.seconds)
    guard !hasOverflowed, age > -minute else { return nil }
    let text: String
    switch age {
    case ..<minute: return "now"
    case ..<hour: text = "\(age / minute) min"
    case ..<day: text = "\(age / hour) h"
    case ..<week: text = "\(age / day) d"
    case ..<(9 * week): text = "\(age / week) wk"
    default: return month(of: zone.day(of: time))
    }
    return saysAgo ? "\(text) ago" : text
  }

  /// `Mar 2024`; nil for a year that has not four digits.
  private static func month(of date: CivilDate) -> String? {
    (1_000...9_999).contains(date.year) ? "\(months[date.month - 1]) \(date.year)" : nil
  }

  private static let (minute, hour, day, week) = (60, 3_600, 86_400, 604_800)
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static let attosecondsPerTenth: Int64 = 100_000_000_000_000_000

  /// `2026-10-04 07:30 UTC`.
  static func minute(_ time: UnixTime) -> String {
    let text = time.description
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  static func ago(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "just now"
    case ..<7_200: "\(seconds / 60) min ago"
    case ..<172_800: "\(seconds / 3_600) h ago"
    default: "\(seconds / 86_400) days ago"
    }
  }
}
