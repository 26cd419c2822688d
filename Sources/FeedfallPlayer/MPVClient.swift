import FeedfallApp
import FeedfallText
import WaterfallEngine

/// The client side of mpv's JSON IPC, as a value without clock or process: orders and mpv's messages are its inputs,
/// commands for mpv and reports for the program its outputs.
struct MPVClient: Sendable {
  typealias Instant = SuspendingClock.Instant

  private var commands: [MPVCommand] = []
  private var reports: [PlayerReport] = []
  private(set) var configuration: MPVConfiguration
  /// Nil while no mpv runs.
  var process: Process?
  var file: File?
  private var throttle = PositionThrottle()
  var screenshot: Screenshot?
  /// The limit for the data of a preview in bytes; nil for other files.
  private var byteLimit: Int?
  private var silence: SilenceWatch?
  private var lastNumber = 0
  private let hasDisplay: Bool
  private let networkTimeout: Duration
  private let proxies: @Sendable (WebAddress) -> Proxies

  init(
    hasDisplay: Bool, networkTimeout: Duration, userConfiguration: String? = nil,
    proxies: @escaping @Sendable (WebAddress) -> Proxies = { _ in Proxies() }
  ) {
    (self.proxies, self.hasDisplay, self.networkTimeout) = (proxies, hasDisplay, networkTimeout)
    configuration = MPVConfiguration(userConfiguration: userConfiguration)
  }

  // MARK: - Outputs

  mutating func drainCommands() -> [MPVCommand] {
    defer { commands = [] }
    return commands
  }

  mutating func drainReports() -> [PlayerReport] {
    defer { reports = [] }
    return reports
  }

  var hasFile: Bool { file != nil }
  var isPreviewing: Bool { byteLimit != nil }
  var entry: Int? { file?.entry }
  /// Nil if it is unknown, or if the picture fills the frame.
  var letterboxedSize: Size? { configuration.isFilling ? nil : process?.outputSize }
  /// When `tick` must be called next; nil if only events matter.
  var due: Instant? { [throttle.due, screenshot?.due, mustRespond ? silence?.due : nil].compactMap { $0 }.min() }

  mutating func report(_ report: PlayerReport) { reports.append(report) }

  private mutating func report(_ event: PlayEvent) { if let file { report(.event(file.request.id, event)) } }

  mutating func send(_ command: MPVCommand) { commands.append(command) }

  mutating func request(_ make: (_ number: Int) -> MPVCommand) -> Int {
    lastNumber += 1
    send(make(lastNumber))
    return lastNumber
  }

  // MARK: - Process

  mutating func processStarted(_ form: MPVConfiguration.Form = .library) {
    process = Process()
    configuration.setForm(form)
    commands = MPVMessage.Property.rows.enumerated().map { index, row in
      MPVCommand("observe_property", .number(Double(index + 1)), .text(row.name))
    }
    send(MPVCommand("request_log_messages", "warn"))
    applyConfiguration()
  }

  /// Whether mpv ends by itself, so that it accepts no further file.
  var isQuitting: Bool { process?.isQuitting == true }
  /// Whether a clean exit of mpv means that the user closed it. A program that never responded is not mpv.
  var mayQuit: Bool { process?.hasResponded == true }

  /// Handles an mpv that has ended cleanly, even if a file was just loaded: its user has closed it.
  mutating func processQuit() {
    report(.ended(.closed))
    processEnded(nil)
  }

  mutating func processEnded(_ failure: PlayFailure?) {
    if screenshot != nil { report(.screenshotFailed(reason: "the player has ended")) }
    if let failure { report(.unavailable(failure)) }
    (screenshot, silence, file, process) = (nil, nil, nil, nil)
    configuration.hasSoundOutput = false
    (commands, throttle, byteLimit) = ([], PositionThrottle(), nil)
  }

  mutating func tick(at now: Instant) {
    reportPosition(at: now)
    if let due = screenshot?.due, due <= now { saveScreenshot() }
    guard mustRespond, silence?.mustAsk(at: now) == true else { return }
    _ = request { MPVCommand("get_property", "idle-active", number: $0) }
  }

  /// Starts the response timeout at an order; earlier silence does not count.
  mutating func beginSilence(at now: Instant) { silence = SilenceWatch(at: now, isLoading: file?.isReady != true) }

  var isUnresponsive: Bool { silence?.isOver == true }

  private var mustRespond: Bool {
    guard let file, let process else { return false }
    let isAsked = file.seekNumber != nil || screenshot != nil
    return !file.isReady || isAsked || !process.isPaused && !process.isStalled
  }

  // MARK: - Orders

  /// Handles an order. All but `configure` need a running mpv; screenshots need `takeScreenshot(to:at:)`.
  mutating func handle(_ order: PlayerOrder, at now: Instant) {
    if case .configure(let configuration) = order { return configure(configuration) }
    guard process != nil else { return }
    switch order {
    case .load(let request): load(request, at: now)
    case .pause: send(.set("pause", true))
    case .resume:
      process?.isPaused = false
      beginSilence(at: now)
      send(.set("pause", false))
    case .seek(let seconds): seek(to: seconds, at: now)
    case .liftLimit: liftLimit(at: now)
    case .stop: send(MPVCommand("stop"))
    case .cycleSubtitles: send(MPVCommand("cycle", "sid"))
    case .cycleSoundTracks: send(MPVCommand("cycle", "aid"))
    case .takeScreenshot, .configure: break
    }
  }

  private mutating func configure(_ new: PlayerConfiguration) {
    let hasNewPresentation = configuration.adopt(new)
    if hasNewPresentation, !hasDisplay, configuration.presentation == .window { leaveWindow() }
    applyConfiguration()
    guard hasNewPresentation else { return }
    file?.restartCount = 0
    restartLostPicture()
  }

  private mutating func load(_ request: PlayRequest, isWhole: Bool = false, at now: Instant) {
    throttle = PositionThrottle()
    send(.set("pause", .flag(request.isPaused)))
    // The user's configuration may have changed it.
    if configuration.userConfiguration != nil { send(.set("ytdl", .flag(request.isPage))) }
    byteLimit = request.byteLimit
    let proxy = request.address.web.flatMap { proxies($0).option(for: $0) }
    let number = self.request { .load(request, proxy: proxy, isWhole: isWhole, number: $0) }
    let wasExpected = mustRespond
    file = File(request: request, loadNumber: number, loadedAt: now, isWhole: isWhole)
    // An mpv that hangs must not get more time with each of several loads.
    if wasExpected { silence?.beginLoad() } else { beginSilence(at: now) }
  }

  private mutating func liftLimit(at now: Instant) {
    if isPreviewing {
      byteLimit = nil
      // mpv's defaults, and the sound that a preview lacks.
      commands += [
        .set("demuxer-max-bytes", "150MiB"), .set("demuxer-max-back-bytes", "50MiB"), .set("cache-secs", 3_600_000),
        .set("aid", "auto"),
      ]
    }
    if file?.isReady == true { file?.sound.begin(at: now, within: SoundWatch.lateOpeningTime) }
  }

  private mutating func seek(to seconds: Double, at now: Instant) {
    guard seconds.isFinite, let file else { return }
    if file.isReady {
      beginSilence(at: now)
      let number = request { MPVCommand("seek", .number(max(0, seconds)), "absolute+exact", number: $0) }
      self.file?.seekNumber = number
    } else {
      self.file?.pendingSeek = seconds
    }
  }

  // MARK: - Configuration

  private mutating func applyConfiguration() {
    guard let process else { return }
    for change in configuration.commands(after: process.configuration) { send(change) }
    self.process?.configuration = configuration
    reportPresentation()
  }

  /// Falls back to cells, and reports it once the picture is shown.
  private mutating func leaveWindow() {
    configuration.leaveWindow()
    guard process != nil else { return report(.presentationChanged(configuration.presentation.kind)) }
    process?.reportedPresentation = nil
    applyConfiguration()
  }

  private mutating func reportPresentation() {
    guard file?.isReady == true, let kind = configuration.shownPresentation(by: process?.pictureOutput),
      kind != process?.reportedPresentation
    else { return }
    process?.reportedPresentation = kind
    report(.presentationChanged(kind))
  }

  // MARK: - Messages

  mutating func handle(_ message: MPVMessage, at now: Instant) {
    defer { beginSilence(at: now) }
    process?.hasResponded = true
    switch message {
    case .reply(let number, let entry): replied(number, entry: entry, at: now)
    case .errorReply(let number, let error): repliedError(number, error, at: now)
    case .fileStarted(let entry): process?.entry = entry
    case .seekStarted: seekStarted(at: now)
    case .playbackRestarted:
      if isAboutFile { playbackRestarted(at: now) }
      frameShown()
    case .fileEnded(let entry, let end): if let own = file?.entry, own == entry { fileEnded(end, at: now) }
    case .propertyChanged(let property): propertyChanged(property, at: now)
    case .logged(let error): logged(error)
    }
  }

  private var isAboutFile: Bool {
    guard let entry = file?.entry else { return false }
    return process?.entry == entry
  }

  private mutating func replied(_ number: Int, entry: Int?, at now: Instant) {
    if number == file?.loadNumber {
      file?.entry = entry
    } else if let failure = file?.failure, number == failure.number {
      fail(failure.error, at: now)
    } else if screenshot?.phase == .saving(number: number) {
      screenshotSaved()
    }
  }

  private mutating func repliedError(_ number: Int, _ error: String, at now: Instant) {
    if number == file?.loadNumber {
      finish(.failed(.noMedia))
    } else if number == file?.seekNumber {
      // The file is not seekable.
      file?.seekNumber = nil
      report(.seekCompleted)
    } else if let failure = file?.failure, number == failure.number {
      fail(failure.error, at: now)
    } else if screenshot?.phase == .saving(number: number) {
      screenshotFailed(cleanedLine(error, limit: 100))
    }
  }

  private mutating func playbackRestarted(at now: Instant) {
    if file?.isReady == false {
      file?.isReady = true
      if !isPreviewing { file?.sound.begin(at: now) }
      // mpv reports that playback has begun before it gives up a file without a readable packet.
      if file?.logError != .notSeekable { file?.logError = nil }
      report(.ready)
      if file?.isWhole == true { report(.stalled(false)) }
      reportPresentation()
      if let seconds = file?.pendingSeek { seek(to: seconds, at: now) }
      file?.pendingSeek = nil
    } else if file?.seekNumber != nil {
      file?.seekNumber = nil
      reportPosition(at: now, isUrgent: true)
      report(.seekCompleted)
    }
  }

  private mutating func seekStarted(at now: Instant) {
    guard isAboutFile, file?.seekNumber == nil else { return }
    reportPosition(at: now, isUrgent: true)
    report(.jumped)
  }

  private mutating func fileEnded(_ end: MPVMessage.End, at now: Instant) {
    switch end {
    case .redirect(let entry):
      file?.entry = entry
      file?.length = LengthWatch()
    case .eof: finish(file?.length.isCutOff == true ? .cutOff : .reachedEnd, at: now)
    case .stop: finish(.stopped, at: now)
    case .quit:
      process?.isQuitting = true
      finish(.closed, at: now)
    case .error("audio output initialization failed") where file?.isReady == true:
      // A film plays to its end without a sound device. Sound alone ends at once.
      finish(file?.isSoundOnly == true ? .failed(.outputFailed) : .reachedEnd, at: now)
    case .error(let error):
      // Log messages about the failure may still be on their way; they arrive before the reply to this request.
      let number = request { MPVCommand("get_property", "idle-active", number: $0) }
      let byteCount = file?.length.byteCount
      file?.failure = (error, number, byteCount)
    }
  }

  private mutating func finish(_ reason: PlayEvent.EndReason, at now: Instant? = nil) {
    if let now { reportPosition(at: now, isUrgent: true) }
    throttle = PositionThrottle()
    report(.ended(reason))
    file = nil
    // If the file was a playlist, mpv would continue with its next entry.
    if reason != .closed { send(MPVCommand("stop")) }
    if screenshot != nil { screenshotFailed("the video has ended") }
  }

  private mutating func fail(_ error: String, at now: Instant) {
    guard let file else { return }
    if file.logError == .noPictureOutput, configuration.presentation == .window {
      configuration.leaveWindow()
      finish(.failed(.displayUnavailable))
      applyConfiguration()
    } else {
      let failure = PlayFailure(
        fileError: error, logError: file.logError,
        file: file.request.address.file.map { cleanedLine($0.name, limit: 80) },
        hasTimedOut: now - file.loadedAt >= networkTimeout * 0.95)
      if failure == .notSeekable, mayLoadWhole(file) { return loadWhole(file, at: now) }
      finish(.failed(failure), at: now)
    }
  }

  /// Whether a file with its index at the end can play without range requests.
  private func mayLoadWhole(_ file: File) -> Bool {
    guard !file.isWhole, !isPreviewing, let count = file.failure?.byteCount else { return false }
    return count <= MPVCommand.maximumWholeByteCount
  }

  /// Loads a file again, as the user has left it.
  private mutating func loadWhole(_ file: File, at now: Instant) {
    var request = file.request
    if let process { request.isPaused = process.isPaused }
    if file.isReady { report(.stalled(true)) }
    load(request, isWhole: true, at: now)
    self.file?.pendingSeek = file.pendingSeek
  }

  private mutating func logged(_ error: MPVMessage.LogError) {
    guard isAboutFile else { return }
    if case .length(let fact) = error {
      updateLength(fact)
    } else if error == .noPictureOutput, configuration.presentation == .window, file?.isReady == true {
      leaveWindow()
      restartPicture()
    } else if file?.logError?.isExact != true {
      file?.logError = error
    }
  }

  // MARK: - Properties

  private mutating func propertyChanged(_ property: MPVMessage.Property, at now: Instant) {
    switch property {
    case .soundOutput(let name):
      process?.soundOutput = name
      configuration.hasSoundOutput = name != nil
      applyConfiguration()
    case .pictureOutput(let name):
      process?.pictureOutput = name
      reportPresentation()
    case .outputSize(let size): outputSizeChanged(to: size)
    case .fileSize(let size):
      process?.fileSize = size
      if isAboutFile { report(.pictureSize(size)) }
    case .isPaused(let isPaused):
      process?.isPaused = isPaused
      reportPosition(at: now, isUrgent: true)
      report(.paused(isPaused))
    case .time(let seconds):
      if isAboutFile, let seconds { throttle.time = seconds }
      frameShown()
    case .cache(let cache): cacheChanged(to: cache, at: now)
    case .length(let fact): updateLength(fact)
    case .isStalled(let isStalled):
      process?.isStalled = isStalled
      if isAboutFile { report(.stalled(isStalled)) }
    case .isSeekable(let isSeekable):
      configuration.isSeekable = isSeekable
      applyConfiguration()
      updateLength(.isSeekable(isSeekable))
    case .tracks(let tracks): tracksChanged(to: tracks)
    case .chapters(let chapters): if isAboutFile { report(.chapters(chapters)) }
    case .subtitle(let text): if isAboutFile { report(.subtitle(text)) }
    }
    reportPosition(at: now)
  }

  private mutating func updateLength(_ fact: LengthWatch.Fact) {
    if isAboutFile, file?.length.update(fact) == true, let length = file?.length.length { report(.length(length)) }
  }

  private mutating func cacheChanged(to cache: LengthWatch.Cache, at now: Instant) {
    guard isAboutFile else { return }
    updateLength(.cache(cache))
    if let end = cache.end { throttle.bufferedUntil = end }
    if let byteLimit, cache.loadedByteCount ?? 0 >= byteLimit { finish(.reachedLimit, at: now) }
  }

  private mutating func tracksChanged(to tracks: [MediaTrack]) {
    guard isAboutFile, file?.tracks != tracks else { return }
    file?.tracks = tracks
    report(.tracks(tracks))
    restartLostPicture()
  }

  static let maximumRestartCount = 3

  /// mpv gives up the picture for good when an output fails, even if another output was selected since. If that happens
  /// again and again, the picture cannot be shown.
  private mutating func restartLostPicture() {
    guard let file, file.isReady, file.restartCount < Self.maximumRestartCount else { return }
    let pictures = file.tracks.filter { $0.kind == .picture }
    guard configuration.isInTerminal, !pictures.isEmpty, !pictures.contains(where: \.isSelected) else { return }
    self.file?.restartCount += 1
    restartPicture()
  }

  /// mpv ignores the same value of `vid` again, even after it has given up the picture by itself. Without sound it
  /// would end the file, so a hidden picture is restarted too.
  private mutating func restartPicture() {
    let hasSound = configuration.hasSoundOutput && file?.tracks.contains { $0.kind == .sound } == true
    guard configuration.isInTerminal || !hasSound else { return }
    send(.set("vid", "no"))
    commands += configuration.isInTerminal ? [.set("vid", "auto")] : configuration.hiddenPictureCommands
  }

  private mutating func reportPosition(at now: Instant, isUrgent: Bool = false) {
    let events = throttle.drain(at: now, isUrgent: isUrgent)
    for event in events { report(event) }
    if !events.isEmpty { reportSoundDevice(at: now) }
  }

  private mutating func reportSoundDevice(at now: Instant) {
    guard let file else { return }
    let hasDevice = process?.soundOutput != nil || !file.tracks.contains { $0.kind == .sound }
    if let change = self.file?.sound.update(hasDevice: hasDevice, at: now) { report(.sound(hasDevice: change)) }
  }
}
