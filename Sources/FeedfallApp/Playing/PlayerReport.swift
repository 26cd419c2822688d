import FeedfallFeeds
import WaterfallEngine

public enum PlayerReport: Equatable, Sendable {
  case event(PlayID, PlayEvent)
  case presentationChanged(Presentation.Kind)
  /// libmpv is no longer used in this run, so there are no pictures in the terminal.
  case libraryUnusable(LibraryFault)
  case screenshotSaved(path: String)
  case screenshotFailed(reason: String)
  /// The player could not be started, or ended unexpectedly; the next `load` starts it again.
  case unavailable(PlayFailure)
  /// yt-dlp has no JavaScript runtime, so that videos of YouTube may lack formats. Reported once.
  case lacksRuntime(advice: String)

  /// Why libmpv is not used.
  public enum LibraryFault: Equatable, Sendable {
    /// It is not installed, or its interface is another one.
    case missing
    /// It has repeatedly crashed, hung or failed to start.
    case failing
  }
}

public enum PlayEvent: Equatable, Sendable {
  /// The first picture or sound is there.
  case ready
  case length(MediaLength)
  /// The position, at most ten times a second.
  case time(seconds: Double)
  /// The end of the buffer, in seconds from the beginning.
  case buffered(until: Double)
  case paused(Bool)
  /// Whether playback waits for the network.
  case stalled(Bool)
  case seekCompleted
  /// The position has changed without an order: the player repeats a part, or a key of its window has sought.
  case jumped
  /// In pixels.
  case pictureSize(Size?)
  case sound(hasDevice: Bool)
  case tracks([MediaTrack])
  case chapters([Chapter])
  /// The current subtitle, which may have several lines; nil or empty if there is none.
  case subtitle(String?)
  case ended(EndReason)

  public enum EndReason: Equatable, Sendable {
    /// No more data came. The session decides whether that is the end of the video.
    case reachedEnd
    /// The connection broke before the end of the data that the server had announced.
    case cutOff
    case stopped
    /// The limit for the data of a preview was reached.
    case reachedLimit
    /// The user closed the player's window.
    case closed
    case failed(PlayFailure)
  }
}

public struct MediaTrack: Equatable, Sendable {
  public enum Kind: Equatable, Sendable { case picture, sound, subtitles }

  public var kind: Kind
  public var number: Int
  public var title: String?
  public var language: String?
  public var isSelected: Bool
  /// Whether it is a picture without motion, such as the cover of a song.
  public var isStill = false

  public init(kind: Kind, number: Int, title: String? = nil, language: String? = nil, isSelected: Bool = false) {
    (self.kind, self.number, self.title) = (kind, number, title)
    (self.language, self.isSelected) = (language, isSelected)
  }
}
