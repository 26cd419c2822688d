/// Times of films as a person reads them.
public enum PlayTime {
  /// `07:05`, `1:02:05`; a time that is no number of seconds is `00:00`.
  public static func text(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(min(max(0, seconds), longest)) : 0
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    let rest = twoDigits(minutes) + ":" + twoDigits(whole % 60)
    return hours == 0 ? rest : "\(hours):\(rest)"
  }

  /// No film lasts longer than some years.
  private static let longest = 99_999.0 * 3_600

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
