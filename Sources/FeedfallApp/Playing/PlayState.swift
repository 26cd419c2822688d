/// The state of playback, in ZFPlayer's terms.
public enum PlayState: Equatable, Sendable {
  /// Nothing has been played yet.
  case unknown
  case playing
  case paused
  case playFailed(PlayFailure)
  /// The video ended, or the user stopped it.
  case playStopped
}

/// The state of loading, in ZFPlayer's terms.
public enum LoadState: Equatable, Sendable {
  /// Nothing is loaded.
  case unknown
  /// Requested; no picture or sound yet.
  case prepare
  /// Enough is buffered to continue after a stall.
  case playable
  /// Playing, without a stall so far.
  case playthroughOK
  /// Waiting for data.
  case stalled

  /// Whether there is picture or sound.
  public var isReady: Bool {
    switch self {
    case .playable, .playthroughOK, .stalled: true
    case .unknown, .prepare: false
    }
  }
}
