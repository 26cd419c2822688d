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
    let settings = session.settings
    (position, duration, isWaiting) = (session.shownTime, session.shownDuration, session.isWaiting)
    (rate, volume, loop, shuffles) = (settings.rate, settings.volume, settings.loop, settings.shuffles)
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

extension AppState {
  /// The video that plays or was played last, as other programs see it; nil before the first one.
  public var nowPlaying: NowPlaying? {
    guard var nowPlaying = NowPlaying(player.session) else { return nil }
    (nowPlaying.hasPrevious, nowPlaying.hasNext) = playback.neighbors(in: browsing)
    return nowPlaying
  }

  mutating func perform(_ command: RemoteCommand) -> [AppEffect] {
    let session = player.session
    switch command {
    case .play: return session.playState == .playing ? [] : control(.togglePause)
    case .pause: return session.playState == .playing ? control(.togglePause) : []
    case .togglePause: return control(.togglePause)
    case .stop: return control(.stop)
    case .next: return playNeighbor(by: 1)
    case .previous: return playNeighbor(by: -1)
    case .seek(let offset):
      let isBeyondEnd = session.isUnderWay && session.shownDuration.map { session.shownTime + offset > $0 } == true
      return isBeyondEnd ? playNeighbor(by: 1) : control(.seek(.by(offset)))
    case .setPosition(let seconds, let id):
      let isInside = seconds >= 0 && seconds <= session.shownDuration ?? seconds
      return isInside && session.item?.key.text == id ? control(.seek(.at(seconds))) : []
    case .setVolume(let volume):
      let step = min(max(0, volume), 100) - session.settings.volume
      return step == 0 ? [] : control(.changeVolume(by: step))
    case .setRate(let rate): return control(.setRate(rate))
    case .setLoop(let mode): return mode == session.settings.loop ? [] : control(.setLoop(mode))
    case .setShuffle(let shuffles): return shuffles == session.settings.shuffles ? [] : control(.toggleShuffle)
    }
  }
}
