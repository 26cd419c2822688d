import FeedfallFeeds
import FeedfallText

/// Derives reports on playback from the orders to the player and its reports.
public struct PlaybackObserver: Sendable {
  private struct Playback: Sendable {
    var id: PlayID
    var address: MediaAddress
    var headers: RequestHeaders?
    var seconds: Double
    var duration: Double?
    var isPaused: Bool
    /// Previews are not reported.
    var isPreview: Bool
    var isReady = false
    /// The position in the last report, in seconds.
    var reportedSeconds: Double

    var isStarted: Bool { isReady && !isPreview }

    func report(_ moment: PlaybackReport.Moment, watchedShare: Double) -> PlaybackReport {
      let isWatched = duration.map { $0 > 0 && seconds >= $0 * watchedShare } ?? false
      return PlaybackReport(
        moment, of: address, headers: headers, seconds: seconds, duration: duration, isWatched: isWatched)
    }
  }

  private var playback: Playback?
  /// That of `PlaySettings`.
  private let watchedShare: Double

  /// In seconds of the video; other clients of Jellyfin report as often.
  private static let interval = 10.0

  public init(watchedShare: Double) { self.watchedShare = watchedShare }

  public mutating func handle(_ order: PlayerOrder) -> [PlaybackReport] {
    switch order {
    case .load(let request):
      let last = stop()
      playback = Playback(
        id: request.id, address: request.address, headers: request.headers, seconds: request.startSeconds,
        isPaused: request.isPaused, isPreview: request.byteLimit != nil, reportedSeconds: request.startSeconds)
      return last
    case .liftLimit: return promote()
    case .stop: return stop()
    case .configure, .pause, .resume, .seek, .cycleSubtitles, .cycleSoundTracks, .takeScreenshot: return []
    }
  }

  public mutating func handle(_ report: PlayerReport) -> [PlaybackReport] {
    switch report {
    case .event(let id, let event): return id == playback?.id ? handle(event) : []
    case .unavailable: return stop()
    case .presentationChanged, .libraryUnusable, .screenshotSaved, .screenshotFailed: return []
    }
  }

  private mutating func handle(_ event: PlayEvent) -> [PlaybackReport] {
    guard var playback else { return [] }
    defer { self.playback = self.playback == nil ? nil : playback }
    switch event {
    case .ready where !playback.isReady:
      playback.isReady = true
      return playback.isStarted ? [playback.report(.started, watchedShare: watchedShare)] : []
    case .length(let length): playback.duration = length.stated
    case .time(let seconds) where seconds.isFinite && seconds >= 0:
      playback.seconds = seconds
      guard playback.isStarted, abs(seconds - playback.reportedSeconds) >= Self.interval else { return [] }
      playback.reportedSeconds = seconds
      return [playback.report(.progress(isPaused: playback.isPaused), watchedShare: watchedShare)]
    case .paused(let isPaused) where isPaused != playback.isPaused:
      playback.isPaused = isPaused
      return playback.isStarted ? [playback.report(.progress(isPaused: isPaused), watchedShare: watchedShare)] : []
    case .ended: return stop()
    case .ready, .time, .paused, .buffered, .stalled, .seekCompleted, .jumped, .pictureSize, .sound, .tracks, .chapters,
      .subtitle:
      break
    }
    return []
  }

  /// Reports a preview as a video from now on.
  private mutating func promote() -> [PlaybackReport] {
    guard var playback, playback.isPreview else { return [] }
    (playback.isPreview, playback.reportedSeconds) = (false, playback.seconds)
    self.playback = playback
    return playback.isStarted ? [playback.report(.started, watchedShare: watchedShare)] : []
  }

  /// Ends the playback, also at the end of the program.
  public mutating func stop() -> [PlaybackReport] {
    defer { playback = nil }
    return playback.flatMap { $0.isStarted ? [$0.report(.stopped, watchedShare: watchedShare)] : nil } ?? []
  }
}
