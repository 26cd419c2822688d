import FeedfallFeeds
import WaterfallEngine

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

    init() {}

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
