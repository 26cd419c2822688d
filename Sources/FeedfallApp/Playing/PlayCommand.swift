import FeedfallText

public enum PlayCommand: Equatable, Sendable {
  /// Plays this video instead of the current one, from its resume position.
  case play(PlayItem)
  case togglePause
  case stop
  /// Retries from the last position after a failure, otherwise starts again from the beginning.
  case replay
  case seek(SeekTarget)
  /// In percentage points.
  case changeVolume(by: Int)
  case toggleMute
  case changeRate(faster: Bool)
  /// Selects the nearest rate that the program offers; 1 is normal speed.
  case setRate(Double)
  /// In percentage points.
  case changeBrightness(by: Int)
  case toggleFit
  case setPresentation(Presentation.Kind)
  /// Selects this presentation, or cells if it is selected already.
  case togglePresentation(Presentation.Kind)
  case cycleSubtitles
  case cycleSoundTracks
  /// Selects the next lower height that the feed offers, and the highest after the lowest.
  case cycleHeight
  case toggleAutoplay
  case takeScreenshot
  /// Seeks to the start of another chapter, relative to the current one.
  case seekChapter(by: Int)
  /// Marks the start of a part to repeat, then its end, then clears both.
  case markLoop
  case cycleLoop
  case setLoop(LoopMode)
  case toggleShuffle
  /// Plays the segments that were skipped last.
  case playSkipped

  public enum SeekTarget: Equatable, Sendable {
    /// In seconds, relative to the current position.
    case by(Double)
    /// In seconds from the beginning.
    case at(Double)
    /// A fraction of the duration, 0 to 1.
    case share(Double)
  }
}

extension PlaySession {
  public enum Effect: Equatable, Sendable {
    case order(PlayerOrder)
    /// `savedPosition` has changed and must be saved.
    case savePosition
    case leaveFullWindow
    case playNext
    /// Asks the user whether the video may leave https.
    case ask(UnencryptedRedirect)
    case show(Notice)
  }

  public enum Notice: Equatable, Sendable {
    case noDisplay
    case noPicture
    case screenshotSaved(path: String)
    case screenshotFailed(reason: String)
    case noOtherTrack(MediaTrack.Kind)
    /// Another track was selected; nil means that there is none now.
    case trackChanged(MediaTrack.Kind, MediaTrack?)
    case noOtherHeight
    /// In pixels.
    case heightChanged(Int)
    case autoplay(Bool)
    case loop(LoopMode)
    case shuffle(Bool)
    case loopMarks(LoopMarks)
    case noChapters
    case isLastChapter
    case skipped(Segments.Skip)
    case nothingSkipped
    /// The position at which playback was to resume is behind the end of the video.
    case startsOver
    case lacksRuntime(advice: String)
  }
}

public enum LoopMode: Equatable, Sendable, CaseIterable {
  case off
  case video
  /// Continues with the first video after the last one.
  case list

  var next: LoopMode {
    switch self {
    case .off: .video
    case .video: .list
    case .list: .off
    }
  }
}

/// The marks that the user sets for a repeated part: its start, then its end.
public enum LoopMarks: Equatable, Sendable {
  case none
  /// In seconds from the beginning.
  case start(Double)
  case part(Part)

  var part: Part? { if case .part(let part) = self { part } else { nil } }

  func adding(_ seconds: Double) -> LoopMarks {
    switch self {
    case .none: .start(seconds)
    case .start(let start): Part(start, seconds).map(LoopMarks.part) ?? .none
    case .part: .none
    }
  }

  /// A part of a video that the player repeats, in seconds from the beginning.
  public struct Part: Equatable, Sendable {
    public let start: Double
    public let end: Double

    /// In seconds; a shorter part could not be watched.
    private static let shortest = 0.5

    /// Returns nil if the positions are too close; their order does not matter.
    public init?(_ first: Double, _ second: Double) {
      guard abs(first - second) >= Self.shortest else { return nil }
      (start, end) = (min(first, second), max(first, second))
    }
  }
}
