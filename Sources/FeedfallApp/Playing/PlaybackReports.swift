import FeedfallFeeds
import FeedfallText

/// Reports playback to the sources that store positions, one report after the other. Playback never waits for them.
struct PlaybackReports: Equatable, Sendable {
  private struct Playback: Equatable, Sendable {
    let request: PlayRequest
    var seconds: Double
    var duration: Double?
    var isPaused: Bool
    /// Previews are not reported.
    var isPreview: Bool
    var isReady = false
    /// The position in the last report, in seconds.
    var reportedSeconds: Double
  }

  private var playback: Playback?
  private var pending: [PlaybackReport] = []
  private var sending: Ticket?
  private let watchedShare: Double

  /// In seconds of the video; other clients of Jellyfin report as often.
  private static let interval = 10.0
  /// The positions are stored on this machine as well.
  private static let maximumPendingCount = 100

  init(watchedShare: Double) { self.watchedShare = watchedShare }

  /// At the end of the program, the last report of each video follows the one that is being sent.
  mutating func update(after event: AppEvent, _ effects: [AppEffect], _ tickets: inout TicketOffice) -> [AppEffect] {
    if case .player(let report) = event { reported(report) }
    if case .playbackReported(sending) = event { sending = nil }
    for case .player(let order) in effects { ordered(order) }
    if case .ending = event {
      stop()
      dropAllButLast()
      defer { pending = [] }
      return pending.map { .reportPlayback($0, tickets.next()) }
    }
    guard sending == nil, !pending.isEmpty else { return [] }
    let ticket = tickets.next()
    sending = ticket
    return [.reportPlayback(pending.removeFirst(), ticket)]
  }

  private mutating func ordered(_ order: PlayerOrder) {
    switch order {
    case .load(let request):
      stop()
      playback = Playback(
        request: request, seconds: request.startSeconds, isPaused: request.isPaused,
        isPreview: request.byteLimit != nil, reportedSeconds: request.startSeconds)
    case .liftLimit where playback?.isPreview == true:
      // From now on, the preview plays as a video.
      playback?.isPreview = false
      add(.started)
    case .stop: stop()
    case .liftLimit, .configure, .pause, .resume, .seek, .cycleSubtitles, .cycleSoundTracks, .takeScreenshot: break
    }
  }

  private mutating func reported(_ report: PlayerReport) {
    switch report {
    case .event(let id, let event): if let playback, id == playback.request.id { happened(event, of: playback) }
    case .unavailable: stop()
    case .presentationChanged, .libraryUnusable, .screenshotSaved, .screenshotFailed, .lacksRuntime: break
    }
  }

  private mutating func happened(_ event: PlayEvent, of before: Playback) {
    switch event {
    case .ready where !before.isReady:
      playback?.isReady = true
      add(.started)
    case .length(let length): playback?.duration = length.stated
    case .time(let seconds) where seconds.isFinite && seconds >= 0:
      playback?.seconds = seconds
      if abs(seconds - before.reportedSeconds) >= Self.interval { add(.progress(isPaused: before.isPaused)) }
    case .paused(let isPaused) where isPaused != before.isPaused:
      playback?.isPaused = isPaused
      add(.progress(isPaused: isPaused))
    case .ended: stop()
    case .ready, .time, .paused, .buffered, .stalled, .seekCompleted, .jumped, .pictureSize, .sound, .tracks, .chapters,
      .subtitle:
      break
    }
  }

  private mutating func stop() {
    add(.stopped)
    playback = nil
  }

  /// Adds a report, which makes the progress of the same video outdated.
  private mutating func add(_ moment: PlaybackReport.Moment) {
    guard let playback, playback.isReady, !playback.isPreview else { return }
    self.playback?.reportedSeconds = playback.seconds
    let isWatched = playback.duration.map { $0 > 0 && playback.seconds >= $0 * watchedShare } ?? false
    let report = PlaybackReport(
      moment, of: playback.request.address, headers: playback.request.headers, seconds: playback.seconds,
      duration: playback.duration, isWatched: isWatched)
    pending.removeAll { $0.isProgress && $0.isOfSameVideo(as: report) }
    pending.append(report)
    guard pending.count > Self.maximumPendingCount else { return }
    dropAllButLast()
    pending = pending.suffix(Self.maximumPendingCount)
  }

  private mutating func dropAllButLast() {
    pending = pending.enumerated().filter { index, report in
      !pending[(index + 1)...].contains { $0.isOfSameVideo(as: report) }
    }.map(\.element)
  }
}

extension PlaybackReport {
  fileprivate var isProgress: Bool { if case .progress = moment { true } else { false } }

  fileprivate func isOfSameVideo(as other: PlaybackReport) -> Bool {
    address == other.address && headers?.account == other.headers?.account
  }
}
