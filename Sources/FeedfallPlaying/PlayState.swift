/// What becomes of playing, in ZFPlayer's words.
public enum PlayState: Equatable, Sendable {
  /// Nothing was played yet.
  case unknown
  case playing
  case paused
  case playFailed(PlayFailure)
  /// It came to its end, or the person ended it.
  case playStopped
}

/// How far what plays is loaded, in ZFPlayer's words.
public enum LoadState: Equatable, Sendable {
  /// Nothing is loaded.
  case unknown
  /// It was asked for, and nothing of it is there.
  case prepare
  /// After a wait enough is there to go on.
  case playable
  /// It plays, and has not had to wait.
  case playthroughOK
  /// It waits for more.
  case stalled
}

extension LoadState {
  /// Whether something of it can be seen or heard.
  public var isReady: Bool {
    switch self {
    case .playable, .playthroughOK, .stalled: true
    case .unknown, .prepare: false
    }
  }
}
