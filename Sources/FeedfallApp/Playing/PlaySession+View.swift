extension PlaySession {
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

  /// Whether a video is playing or paused.
  public var isUnderWay: Bool { playState == .playing || playState == .paused }

  /// Whether playback waits for data.
  public var isWaiting: Bool { playState == .playing && (loadState == .prepare || loadState == .stalled) }

  var continues: Bool { settings.continues || item?.isContinued == true }

  /// In seconds.
  private static var preparationTime: Double { 20 }

  /// Whether the video ends soon and another one follows, which can be prepared.
  public var isNearEnd: Bool {
    guard playState == .playing, loadState.isReady, let duration = length.stated else { return false }
    guard continues, item?.isLive != true, settings.loop != .video, loopMarks.part == nil else { return false }
    return duration - shownTime <= Self.preparationTime * settings.rate
  }

  /// The end of the data from a server, in seconds from the beginning; nil for a local file, and before it is ready.
  public var arrivedUntil: Double? {
    isUnderWay && loadState.isReady && candidates.current?.address.web != nil ? file.bufferedUntil : nil
  }

  public var failure: PlayFailure? { if case .playFailed(let failure) = playState { failure } else { nil } }

  /// The selected presentation, or sound only if there is no picture in the terminal.
  public var presentation: Presentation { settings.playerConfiguration.presentation }

  /// Whether the video's picture is hidden, although the user has selected it.
  public var lacksPicture: Bool {
    settings.presentation == .cells && presentation == .soundOnly && file.tracks.mayHavePicture
  }

  /// The index of the chapter at the shown position; nil before the first one.
  public var chapterIndex: Int? { isUnderWay ? chapters.index(at: shownTime) : nil }
}
