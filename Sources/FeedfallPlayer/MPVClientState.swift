import FeedfallApp
import WaterfallEngine

extension MPVClient {
  struct Process: Sendable {
    var configuration: MPVConfiguration?
    /// The playlist entry that its events are about.
    var entry: Int?
    var soundOutput: String?
    var pictureOutput: String?
    var fileSize: Size?
    /// The size of the picture after the filter has scaled it.
    var outputSize: Size?
    var reportedPresentation: Presentation.Kind?
    var isPaused = false
    var isStalled = false
    var hasResponded = false
    /// Whether the user has closed its window, so that it ends.
    var isQuitting = false
  }

  struct File: Sendable {
    let request: PlayRequest
    let loadNumber: Int
    let loadedAt: Instant
    /// Whether the whole file stays in memory, because its index is at its end.
    var isWhole = false
    /// mpv's number for it, once known.
    var entry: Int?
    var isReady = false
    var pendingSeek: Double?
    var seekNumber: Int?
    var logError: MPVMessage.LogError?
    /// mpv's error, the number of the command whose reply comes after all log messages, and the size of the file, which
    /// mpv forgets at its end.
    var failure: (error: String, number: Int, byteCount: Int?)?
    var tracks: [MediaTrack] = []
    /// How often the picture was restarted since the last change of the presentation.
    var restartCount = 0
    var sound = SoundWatch()
    var length = LengthWatch()

    var isSoundOnly: Bool { !tracks.isEmpty && tracks.allSatisfy { $0.kind != .picture || $0.isStill } }
  }

  /// In cells, mpv scales the picture down with a filter, which is removed until the screenshot is saved.
  struct Screenshot: Equatable, Sendable {
    /// An existing, empty file.
    let path: String
    let deadline: Instant
    var phase = Phase.filtered
    var hasRemovedFilter = false

    enum Phase: Equatable, Sendable {
      /// The filter may not be back yet after the last screenshot.
      case filtered
      /// The filter was removed, and mpv's output still has the scaled size.
      case unfiltered
      /// The next frame has the size of the file.
      case fullSize
      case saving(number: Int)
    }

    /// When to save it in any case; nil once it is being saved.
    var due: Instant? { isSaving ? nil : deadline }

    var isSaving: Bool { if case .saving = phase { true } else { false } }
  }

  /// Limits the reports of position and buffer, which mpv sends with each frame, to ten a second.
  struct PositionThrottle: Sendable {
    var time: Double?
    var bufferedUntil: Double?
    private var last: Instant?

    private static let interval = Duration.milliseconds(100)

    var due: Instant? { time != nil || bufferedUntil != nil ? last.map { $0 + Self.interval } : nil }

    /// Returns all waiting values if another report depends on them.
    mutating func drain(at now: Instant, isUrgent: Bool) -> [PlayEvent] {
      if !isUrgent, let last, now - last < Self.interval { return [] }
      let events = [time.map { PlayEvent.time(seconds: $0) }, bufferedUntil.map { .buffered(until: $0) }]
        .compactMap { $0 }
      if !events.isEmpty { last = now }
      time = nil
      bufferedUntil = nil
      return events
    }
  }

  /// Detects that mpv has stopped responding while it loads or plays. After a silence, which may be a slow server or a
  /// still picture, feedfall sends a query; without an answer in time, playback ends.
  struct SilenceWatch: Sendable {
    private let lastMessage: Instant
    private var question: Instant?
    private(set) var isOver = false
    /// How long mpv may be silent before it is asked, and how long it then has for an answer.
    private var limit: Duration

    /// Begins with a message, which proves that mpv responds, or with an order.
    init(at now: Instant, isLoading: Bool) {
      lastMessage = now
      limit = Self.limit(isLoading: isLoading)
    }

    /// While mpv plays, it reports its position many times a second. While it loads, it may open a device, or just start.
    static func limit(isLoading: Bool) -> Duration { .milliseconds(isLoading ? 5000 : 2500) }

    /// Continues with a load, whose messages may take longer; the silence before it counts.
    mutating func beginLoad() { limit = Self.limit(isLoading: true) }

    var due: Instant { (question ?? lastMessage) + limit }

    mutating func mustAsk(at now: Instant) -> Bool {
      guard now >= due else { return false }
      guard question == nil else {
        isOver = true
        return false
      }
      question = now
      return true
    }
  }

  /// Detects that a file plays without the sound device that it needs.
  struct SoundWatch: Equatable, Sendable {
    /// From when on the device is missed; nil before the first picture or sound.
    private var due: Instant?
    /// The value that was reported last.
    private var hasDevice = true

    /// Right after the first picture mpv may not have reported the device yet.
    private static let openingTime = Duration.milliseconds(300)
    /// While a file plays, mpv also has to load its sound before it opens the device.
    static let lateOpeningTime = Duration.seconds(2)

    mutating func begin(at now: Instant, within time: Duration = openingTime) { due = now + time }

    /// Returns whether there is a device, or none is needed, if that must be reported; else nil.
    mutating func update(hasDevice new: Bool, at now: Instant) -> Bool? {
      guard let due, now >= due, new != hasDevice else { return nil }
      hasDevice = new
      return new
    }
  }

  var canTakeScreenshot: Bool { screenshot == nil && file?.isReady == true && process?.pictureOutput != nil }

  mutating func takeScreenshot(to path: String, at now: Instant) {
    guard canTakeScreenshot else { return }
    screenshot = Screenshot(path: path, deadline: now + .seconds(1))
    beginSilence(at: now)
    guard configuration.isInCells, process?.outputSize != process?.fileSize || process?.fileSize == nil else {
      return saveScreenshot()
    }
    if process?.outputSize != nil { removeFilter() }
  }

  mutating func outputSizeChanged(to size: Size?) {
    process?.outputSize = size
    guard let size, let phase = screenshot?.phase else { return }
    if phase == .unfiltered, size == process?.fileSize { screenshot?.phase = .fullSize }
    if phase == .filtered { removeFilter() }
  }

  mutating func frameShown() { if screenshot?.phase == .fullSize { saveScreenshot() } }

  private mutating func removeFilter() {
    screenshot?.phase = .unfiltered
    screenshot?.hasRemovedFilter = true
    send(.set("vf", ""))
  }

  mutating func saveScreenshot() {
    guard let screenshot, !screenshot.isSaving else { return }
    let number = request { MPVCommand("screenshot-to-file", .text(screenshot.path), "video", number: $0) }
    self.screenshot?.phase = .saving(number: number)
  }

  mutating func screenshotSaved() {
    if let path = screenshot?.path { report(.screenshotSaved(path: path)) }
    endScreenshot()
  }

  mutating func screenshotFailed(_ reason: String) {
    report(.screenshotFailed(reason: reason))
    endScreenshot()
  }

  private mutating func endScreenshot() {
    let hasRemovedFilter = screenshot?.hasRemovedFilter == true
    screenshot = nil
    guard hasRemovedFilter, configuration.isInCells else { return }
    // Reported again once the filter is back.
    process?.outputSize = nil
    for command in configuration.filterCommands { send(command) }
  }
}
