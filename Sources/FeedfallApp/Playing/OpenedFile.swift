import FeedfallFeeds
import WaterfallEngine

/// The player's reports about the open file, and the seeks sent to the player.
public struct OpenedFile: Equatable, Sendable {
  /// The end of the buffer, in seconds from the beginning.
  public private(set) var bufferedUntil = 0.0
  /// In pixels.
  public private(set) var pictureSize: Size?
  /// The current subtitle, which may have several lines; empty if there is none.
  public private(set) var subtitle = ""
  public private(set) var hasSoundDevice = true
  /// The chapters that the file states.
  public private(set) var chapters: [Chapter] = []

  /// As far as the player knows it.
  public private(set) var length = MediaLength.unknown
  var tracks = TrackList()
  var seeks = SeekQueue()

  init() {}

  /// Stores a fact about the file; any other event changes nothing.
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
