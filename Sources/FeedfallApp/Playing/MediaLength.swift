import FeedfallFeeds

/// Returns `7:05` or `1:02:05`, and `0:00` for values that are not finite or negative.
public func playTime(_ seconds: Double) -> String {
  let longest = 99_999.0 * 3_600
  return VideoDuration.seconds(seconds.isFinite ? Int(min(max(0, seconds), longest)) : 0).description
}

/// The length of a video, with its evidence. Only a stated one may become a fact about the video.
public enum MediaLength: Equatable, Sendable {
  case unknown
  /// The end is unknown: the player has found data up to this many seconds, and will find more.
  case growing(Double)
  /// Stated by the file, or measured by reading it to its end, in seconds.
  case stated(Double)

  /// In seconds; nil if the end is unknown.
  public var stated: Double? { if case .stated(let seconds) = self { seconds } else { nil } }

  /// Values that are no lengths, and guesses that a stated length covers, change nothing.
  func updated(by new: MediaLength) -> MediaLength {
    switch new {
    case .unknown: return self
    case .growing(let seconds):
      return seconds.isFinite && seconds > 0 && seconds > stated ?? 0 ? new : self
    case .stated(let seconds): return seconds.isFinite && seconds > 0 ? new : self
    }
  }

  /// `other` is the length that another source states, `position` one that was reached, both in seconds.
  func completed(by other: Double?, beyond position: Double) -> MediaLength {
    guard let other, other > position else { return self }
    switch self {
    case .unknown: return .stated(other)
    case .growing(let seconds): return other > seconds ? .stated(other) : self
    case .stated: return self
    }
  }

  /// In seconds: lengths of one video from different sources differ by less.
  public static func tolerance(of seconds: Double) -> Double { max(1, seconds * 0.02) }
}
