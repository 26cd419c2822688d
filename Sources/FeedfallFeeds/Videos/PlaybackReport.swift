import FeedfallText

/// A report on the playback of a video, for the server that stores the position.
public struct PlaybackReport: Equatable, Sendable {
  public enum Moment: Equatable, Sendable {
    case started
    /// The position has changed, or playback was paused or resumed.
    case progress(isPaused: Bool)
    case stopped
  }

  /// The address that is played.
  public var address: MediaAddress
  /// The headers of its request; `account` names the source.
  public var headers: RequestHeaders?
  public var moment: Moment
  /// The position in seconds.
  public var seconds: Double
  /// In seconds; nil if the player does not know it.
  public var duration: Double?
  /// Whether the position is one from which on the user counts the video as watched.
  public var isWatched: Bool

  public init(
    _ moment: Moment, of address: MediaAddress, headers: RequestHeaders? = nil, seconds: Double,
    duration: Double? = nil, isWatched: Bool = false
  ) {
    (self.address, self.headers, self.moment, self.seconds) = (address, headers, moment, seconds)
    (self.duration, self.isWatched) = (duration, isWatched)
  }
}
