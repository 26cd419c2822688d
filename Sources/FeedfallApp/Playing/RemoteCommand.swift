/// The video that plays or was played last, as other programs see it.
public struct NowPlaying: Equatable, Sendable {
  public enum Status: Equatable, Sendable { case playing, paused, stopped }

  public var item: PlayItem
  public var status: Status
  /// Whether playback waits for data, so that the position stays the same.
  public var isWaiting = false
  /// In seconds.
  public var position: Double
  /// In seconds; nil if it is unknown.
  public var duration: Double?
  /// 1 is normal speed.
  public var rate: Double
  /// 0 to 100.
  public var volume: Int
  public var loop: LoopMode
  public var shuffles: Bool
  public var hasNext = false
  public var hasPrevious = false

  /// Creates the state of a session; nil before the first video.
  public init?(_ session: PlaySession) {
    guard let item = session.item else { return nil }
    self.item = item
    status =
      switch session.playState {
      case .playing: .playing
      case .paused: .paused
      case .unknown, .playFailed, .playStopped: .stopped
      }
    isWaiting = session.isWaiting
    position = session.shownTime
    duration = session.shownDuration
    rate = session.settings.rate
    volume = session.settings.volume
    loop = session.settings.loop
    shuffles = session.settings.shuffles
  }
}

public enum RemoteCommand: Equatable, Sendable {
  case play, pause, togglePause, stop, next, previous
  /// In seconds, relative to the current position. A position beyond the end is the next video.
  case seek(by: Double)
  /// In seconds, in the video whose record has this key. Nothing happens while another one plays.
  case setPosition(Double, id: String)
  /// 0 to 100.
  case setVolume(Int)
  /// 1 is normal speed.
  case setRate(Double)
  case setLoop(LoopMode)
  case setShuffle(Bool)
}
