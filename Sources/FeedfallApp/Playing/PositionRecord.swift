import FeedfallRecords

/// What the user's record has about the current video: its saved position, and whether it was watched.
struct PositionRecord: Equatable, Sendable {
  private(set) var saved: PlayPosition?
  /// Where playback of the video resumes, in whole seconds; nil for the beginning.
  private(set) var resumeSeconds: Int?
  /// The position that was saved last, or at which the load starts, in seconds.
  private var savedTime = 0.0
  /// Whether the video was reported as watched since the user has started it.
  private var isWatched = false

  /// In seconds of the video. The player reports each second, so a program that is killed loses at most five.
  private static let interval = 4.0

  /// Handles the choice of a video.
  mutating func begin(_ item: PlayItem) { resumeSeconds = item.startSeconds > 0 ? item.startSeconds : nil }

  /// Handles the start of the video by the user.
  mutating func start() { isWatched = false }

  /// Handles a load at a position in seconds.
  mutating func load(at seconds: Double) { savedTime = seconds }

  func isDue(at seconds: Double) -> Bool { abs(seconds - savedTime) >= Self.interval }

  /// Returns false if the user's record has the position already.
  mutating func save(_ position: PlayPosition, isLive: Bool) -> Bool {
    var position = position
    // The end of a broadcast's duration is the present.
    position.isWatched = position.isWatched && !isWatched && !isLive
    guard position.isWatched || position.seconds != resumeSeconds else { return false }
    // A position in the beginning is saved as soon as the video has left it.
    savedTime = Double(position.seconds ?? 0)
    isWatched = isWatched || position.isWatched
    resumeSeconds = position.seconds
    saved = position
    return true
  }

  /// Continues with the position that another record has saved. The positions of a preview were not stored.
  mutating func adopt(_ other: PositionRecord, for item: PlayItem) {
    self = PositionRecord()
    saved = other.saved
    begin(item)
    load(at: Double(item.startSeconds))
  }
}
