/// When a source on a server is refreshed without the user.
public enum RefreshRule: Equatable, Sendable {
  case start
  /// At the start, and each time this many minutes have passed.
  case every(minutes: Int)
  case manual

  private static let units: [(letter: Character, minutes: Int)] = [("m", 1), ("h", 60), ("d", 1_440)]
  /// From five minutes to thirty days.
  private static let limits = 5...43_200

  /// Parses `start`, `manual` or a time such as `30m`, `2h` or `1d`.
  public init?(_ text: String) {
    switch text {
    case "start": self = .start
    case "manual": self = .manual
    default:
      guard let unit = Self.units.first(where: { $0.letter == text.last }),
        let count = Int(text.dropLast()), text.first?.isNumber == true, (1...Self.limits.upperBound).contains(count)
      else { return nil }
      let minutes = count * unit.minutes
      guard Self.limits.contains(minutes) else { return nil }
      self = .every(minutes: minutes)
    }
  }

  public var text: String {
    switch self {
    case .start: "start"
    case .manual: "manual"
    case .every(let minutes): "\(minutes)m"
    }
  }

  /// Nil if the source is not refreshed by time.
  var interval: Duration? { if case .every(let minutes) = self { .seconds(minutes * 60) } else { nil } }
}
