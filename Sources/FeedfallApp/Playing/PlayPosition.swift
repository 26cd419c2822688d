import FeedfallRecords
import FeedfallText

/// The position at which the user was in a video.
public struct PlayPosition: Equatable, Sendable {
  public let key: VideoKey
  /// Where playback resumes; nil for the beginning.
  public let seconds: Int?
  /// In seconds; nil if it is unknown.
  public let duration: Int?
  /// Whether the user has just come to the end.
  public internal(set) var isWatched: Bool
  /// Whether it is the first one of its playback: the video was played, not just opened.
  public internal(set) var isFirst = false

  /// In seconds; a video that has only just begun starts from its beginning.
  private static let longestBeginning = 5.0
  /// The beginning of a short video, as a share of its duration.
  private static let beginningShare = 0.1
  /// Beyond this share of its duration, a video starts from its beginning.
  private static let endShare = 0.95
  /// In seconds, one year.
  private static let longest = 366.0 * 86_400

  init(key: VideoKey, seconds: Int? = nil, duration: Double? = nil, isWatched: Bool = false) {
    (self.key, self.seconds, self.isWatched) = (key, seconds, isWatched)
    self.duration = duration.flatMap { $0 >= 1 && $0 <= Self.longest ? Int($0) : nil }
  }

  /// - Parameter duration: in seconds; nil if it is unknown.
  init(key: VideoKey, at seconds: Double, of duration: Double?, isWatched: Bool) {
    let end = min((duration ?? .infinity) * Self.endShare, Self.longest)
    let isInside = seconds >= Self.beginning(of: duration) && seconds <= end
    self.init(
      key: key, seconds: isInside && !isWatched ? Int(seconds) : nil, duration: duration, isWatched: isWatched)
  }

  /// The position from which on a video is resumed, in seconds, at least one.
  static func beginning(of duration: Double?) -> Double {
    max(1, min(longestBeginning, (duration ?? .infinity) * beginningShare))
  }

  /// The fields of the user's record. `now` is in milliseconds since 1970.
  public func values(at now: Int) -> [UserValue] {
    [.position(seconds)] + (duration.map { [.duration($0)] } ?? [])
      + (isFirst ? [.played(UnixTime(seconds: now / 1_000))] : [])
      + (isWatched ? [.watched(UnixTime(seconds: now / 1_000))] : [])
  }
}
