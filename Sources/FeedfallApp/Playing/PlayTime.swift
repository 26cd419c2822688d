/// Positions and durations as text.
public enum PlayTime {
  /// Returns `7:05` or `1:02:05`, and `0:00` for values that are not finite or negative.
  public static func text(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(min(max(0, seconds), longest)) : 0
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    let seconds = twoDigits(whole % 60)
    return hours == 0 ? "\(minutes):\(seconds)" : "\(hours):\(twoDigits(minutes)):\(seconds)"
  }

  /// Keeps the conversion to `Int` from overflowing.
  private static let longest = 99_999.0 * 3_600

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
