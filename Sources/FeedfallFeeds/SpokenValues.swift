extension VideoDuration: CustomStringConvertible {
  /// `9:56` or `1:02:03`; the feed's own words where it has no number.
  public var description: String {
    switch self {
    case .text(let words): return words
    case .seconds(let seconds):
      let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
      return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }
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
