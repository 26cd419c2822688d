import FeedfallFeeds

/// What a player tells of itself.
public enum PlayerReport: Equatable, Sendable {
  /// Something of what plays under this number.
  case playing(PlayID, PlayNews)
  /// What there is a picture on now.
  case presented(PresentationKind)
  /// A picture was kept at this path, or could not be.
  case pictureTaken(path: String)
  case pictureNotTaken(reason: String)
  /// There is no player, or it has ended though nobody asked; the next `load` starts it again.
  case gone(PlayFailure)
}

public enum PresentationKind: Equatable, Sendable {
  case cells
  case window
  case soundOnly
}

public enum PlayNews: Equatable, Sendable {
  /// The first picture or sound is there.
  case ready
  /// Nil where nobody knows, as with what goes on for ever.
  case duration(seconds: Double?)
  /// At most ten times a second.
  case time(seconds: Double)
  /// How far it is loaded, in seconds from the beginning.
  case loaded(until: Double)
  case paused(Bool)
  /// Whether it waits for the network.
  case stalled(Bool)
  /// The place that was sought is there.
  case sought
  case pictureSize(PixelSize?)
  /// False where there is no device to hear it from.
  case sound(hasDevice: Bool)
  case tracks([MediaTrack])
  /// What is said just now, in lines; nil or empty where nothing is.
  case subtitle(String?)
  case ended(PlayEnd)
}

/// A track of sound, pictures or subtitles of what plays.
public struct MediaTrack: Equatable, Sendable {
  public enum Kind: Equatable, Sendable { case picture, sound, subtitles }

  public var kind: Kind
  public var number: Int
  public var title: String?
  public var language: String?
  public var isSelected: Bool

  public init(kind: Kind, number: Int, title: String? = nil, language: String? = nil, isSelected: Bool = false) {
    self.kind = kind
    self.number = number
    self.title = title
    self.language = language
    self.isSelected = isSelected
  }
}

/// Why nothing plays any more.
public enum PlayEnd: Equatable, Sendable {
  /// The player says that there is no more; whether that is the film's end the state decides.
  case reachedEnd
  case stopped
  /// The person has closed the player's own window.
  case closed
  case failed(PlayFailure)
}

/// Why something cannot be played.
public enum PlayFailure: Error, Equatable, Sendable {
  /// There is no mpv on this machine.
  case notInstalled
  /// A page needs yt-dlp, which is not on this machine.
  case helperNotInstalled
  /// There is no address to play.
  case noMedia
  case http(status: Int)
  case unreachable
  case timedOut
  /// What came is no film or sound.
  case unrecognizedFormat
  /// A film without anything to see or hear.
  case noStreams
  /// It stopped at this second, long before its end.
  case endedEarly(seconds: Double)
  /// There is no display for a window.
  case displayUnavailable
  /// Neither picture nor sound could be put out.
  case outputFailed
  /// The player has ended, by itself or by somebody's doing.
  case crashed
  /// It could not be started.
  case notStarted(reason: String)
}
