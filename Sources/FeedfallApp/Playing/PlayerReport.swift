import FeedfallFeeds
import FeedfallText
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
    (self.kind, self.number, self.title, self.language, self.isSelected) = (kind, number, title, language, isSelected)
  }
}

extension PlaySession {
  /// The player's reports about the open file, and the seeks sent to the player.
  public struct OpenedFile: Equatable, Sendable {
    /// The end of the buffer, in seconds from the beginning.
    public private(set) var bufferedUntil = 0.0
    /// In pixels.
    public private(set) var pictureSize: Size?
    /// The current subtitle, which may have several lines; empty if there is none.
    public private(set) var subtitle = ""
    public private(set) var hasSoundDevice = true
    public private(set) var chapters: [Chapter] = []

    /// As far as the player knows it.
    public private(set) var length = MediaLength.unknown
    var tracks = TrackList()
    var seeks = SeekQueue()

    mutating func update(_ event: PlayEvent) {
      switch event {
      case .length(let length): self.length = self.length.updated(by: length)
      case .buffered(let seconds): bufferedUntil = seconds.isFinite ? seconds : 0
      case .pictureSize(let size): pictureSize = size
      case .sound(let hasDevice): hasSoundDevice = hasDevice
      case .chapters(let chapters): self.chapters = chapters
      case .subtitle(let text): subtitle = text ?? ""
      case .ready, .time, .paused, .stalled, .seekCompleted, .jumped, .tracks, .ended: break
      }
    }
  }

  /// A track that the user has requested is reported once it is selected.
  struct TrackList: Equatable, Sendable {
    private var tracks: [MediaTrack] = []
    private var cycledKind: MediaTrack.Kind?

    /// Whether the file has a picture, as far as that is known.
    var mayHavePicture: Bool { tracks.isEmpty || tracks.contains { $0.kind == .picture } }

    mutating func cycle(_ kind: MediaTrack.Kind) -> Bool {
      // Subtitles can be switched off; sound offers a choice only from two tracks on.
      let required = kind == .subtitles ? 1 : 2
      guard tracks.count(where: { $0.kind == kind }) >= required else { return false }
      cycledKind = kind
      return true
    }

    /// Returns a notice if the requested track is selected now.
    mutating func update(_ new: [MediaTrack]) -> Notice? {
      let old = tracks
      tracks = new
      guard let kind = cycledKind else { return nil }
      let selected = new.first { $0.kind == kind && $0.isSelected }
      let before = old.first { $0.kind == kind && $0.isSelected }
      guard selected?.number != before?.number else { return nil }
      cycledKind = nil
      return .trackChanged(kind, selected)
    }
  }

  /// Sends one seek at a time: while one is in progress only the newest target waits.
  struct SeekQueue: Equatable, Sendable {
    /// In seconds.
    private var inProgress: Double?
    private var waiting: Double?

    /// The position after all seeks; nil if there is none.
    var target: Double? { waiting ?? inProgress }

    mutating func request(_ seconds: Double, isReady: Bool) -> Double? {
      guard isReady, inProgress == nil else {
        waiting = seconds
        return nil
      }
      inProgress = seconds
      return seconds
    }

    /// Returns the position to send after the seek in progress has completed, or when the file has become ready.
    mutating func next() -> Double? {
      inProgress = waiting
      waiting = nil
      return inProgress
    }
  }
}

extension PlayCommand.SeekTarget {
  /// A seek ends at least this many seconds before the end of the video, so that the end stays visible.
  private static let margin = 1.0

  /// Returns the position in seconds from the beginning; nil if it depends on an unknown duration.
  func seconds(from current: Double, duration: Double?) -> Double? {
    let seconds: Double
    switch self {
    case .by(let offset): seconds = current + offset
    case .at(let position): seconds = position
    case .share(let share):
      guard let duration else { return nil }
      seconds = duration * share
    }
    guard seconds.isFinite else { return nil }
    return max(0, duration.map { min(seconds, $0 - Self.margin) } ?? seconds)
  }
}

/// Why a video cannot be played.
public enum PlayFailure: Error, Equatable, Sendable {
  case notInstalled
  /// The address is a page, which needs yt-dlp, and that is not installed.
  case helperNotInstalled
  /// The address would be requested by a proxy of another kind than HTTP.
  case unsupportedProxy(String)
  /// The server redirects to an address without encryption, and the user has not allowed that.
  case leavesHTTPS(UnencryptedRedirect)
  /// The same for an address with a password, which the user cannot allow.
  case loginLeavesHTTPS(UnencryptedRedirect)
  /// yt-dlp found no video on the page; with its words.
  case page(reason: String, advice: String?)
  case noMedia
  case missingFile(name: String)
  case unreadableFile(name: String)
  case http(status: Int)
  case unreachable, nameNotFound, refused, timedOut
  case unrecognizedFormat, noStreams
  /// The file can only be read with requests for ranges, which the server does not support.
  case notSeekable
  /// The data ended at this position, long before the duration.
  case endedEarly(seconds: Double)
  case displayUnavailable, outputFailed
  case crashed, notResponding, tooMuchOutput
  case notStarted(reason: String)

  /// Whether another address of the same video may work: this one is gone, forbidden or no video.
  var allowsFallback: Bool {
    switch self {
    case .http(let status): [403, 404, 410].contains(status)
    case .missingFile, .unreadableFile, .unrecognizedFormat, .noStreams, .notSeekable: true
    case .notInstalled, .helperNotInstalled, .unsupportedProxy, .leavesHTTPS, .loginLeavesHTTPS, .page, .noMedia,
      .unreachable, .nameNotFound, .refused, .timedOut, .endedEarly, .displayUnavailable, .outputFailed, .crashed,
      .notResponding, .tooMuchOutput, .notStarted:
      false
    }
  }
}
