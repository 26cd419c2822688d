import FeedfallText

/// The duration of a video.
public enum VideoDuration: Equatable, CustomStringConvertible, Sendable {
  case seconds(Int)
  /// The text of the feed, if it is no number.
  case text(String)

  /// The length in seconds; nil if the feed states it in words only.
  public var seconds: Int? { if case .seconds(let seconds) = self { seconds } else { nil } }

  /// In seconds, a year.
  private static let maximumSeconds = 366 * 86_400

  /// Parses a number of seconds, or a text in any form that feeds use; other text stays as it is. Returns nil for 0 and
  /// for empty text.
  init?(_ value: JSONValue) {
    if let seconds = value.integer {
      self.init(seconds: seconds)
    } else if let text = value.string {
      self.init(text: text)
    } else {
      return nil
    }
  }

  init?(seconds: Int) {
    guard (1...Self.maximumSeconds).contains(seconds) else { return nil }
    self = .seconds(seconds)
  }

  /// Drops fractions of seconds.
  public init?(seconds: Double) {
    guard seconds.magnitude < 1e9 else { return nil }
    self.init(seconds: Int(seconds))
  }

  init?(text: String) {
    if let seconds = TimeScanner.duration(of: text) {
      self.init(seconds: seconds)
    } else {
      guard let words = cleanedLine(text, limit: 40).nonEmpty else { return nil }
      self = .text(words)
    }
  }

  /// Parses `itunes:duration`, `duration` attributes and the like; nil if the text is not a duration.
  init?(feedText text: String) {
    guard let seconds = TimeScanner.duration(of: text) else { return nil }
    self.init(seconds: seconds)
  }

  /// `9:56` or `1:02:03`, or the text of the feed.
  public var description: String {
    switch self {
    case .text(let words): return words
    case .seconds(let seconds):
      let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
      return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }
  }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
