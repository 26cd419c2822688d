import FeedfallFeeds
import FeedfallText
import WaterfallEngine

/// Playback of one video after another, as a value without clock or process: commands and the player's reports are its
/// inputs, effects its outputs. The states are ZFPlayer's.
public struct PlaySession: Equatable, Sendable {
  /// The current or last video.
  public private(set) var item: PlayItem?
  public private(set) var playState = PlayState.unknown
  public private(set) var loadState = LoadState.unknown
  public internal(set) var settings: PlaySettings
  public private(set) var file = OpenedFile()
  public private(set) var chapters = SessionChapters()
  public private(set) var segments = SessionSegments()
  /// The marks of the part to repeat.
  public private(set) var loopMarks = LoopMarks.none
  /// The current load. Events of any other are ignored.
  private(set) var currentID: PlayID?

  /// The position that the player reported last, or at which it starts.
  private var time = 0.0
  /// The position of the current load, in seconds.
  private var start = 0.0
  private var record = PositionRecord()
  /// Whether the next position may differ from the last one because of a seek.
  private var hasSought = false
  private var candidates = CandidateList()
  /// The configuration that the player has; nil if it has none.
  private var sentConfiguration: PlayerConfiguration?
  private var isPausedBySuspension = false
  private var lastNumber = 0

  public init(settings: PlaySettings = PlaySettings()) {
    self.settings = settings
  }

  /// The position of a video that was saved last.
  public var savedPosition: PlayPosition? { record.saved }

  /// The position in seconds from the beginning, or the seek target while a seek is in progress.
  public var shownTime: Double { file.seeks.target ?? time }

  /// The duration in seconds; the feed's value until the player knows it.
  public var shownDuration: Double? { file.duration ?? (loadState == .prepare ? item?.duration : nil) }

  // MARK: - Commands

  /// Handles a command of the user.
  public mutating func perform(_ command: PlayCommand) -> [PlayEffect] {
    switch command {
    case .play(let item): return play(item)
    case .togglePause: return togglePause()
    case .stop: return stop()
    case .replay: return replay()
    case .seek(let target):
      target.seconds(from: shownTime, duration: file.duration).map { segments.sought($0) }
      return seek(to: target)
    case .changeVolume(let step): settings.changeVolume(by: step)
    case .toggleMute: settings.isMuted.toggle()
    case .changeRate(let faster): settings.changeRate(faster: faster)
    case .setRate(let rate): settings.setRate(rate)
    case .changeBrightness(let step): settings.changeBrightness(by: step)
    case .toggleFit: settings.fit = settings.fit == .whole ? .filling : .whole
    case .togglePresentation(let kind): settings.presentation = settings.presentation == kind ? .cells : kind
    case .cycleSubtitles: return cycle(.subtitles, .cycleSubtitles)
    case .cycleSoundTracks: return cycle(.sound, .cycleSoundTracks)
    case .cycleHeight: return cycleHeight()
    case .toggleAutoplay:
      settings.autoplays.toggle()
      return [.show(.autoplay(settings.autoplays))]
    case .takeScreenshot: return takeScreenshot()
    case .seekChapter(let step): return seekChapter(by: step)
    case .markLoop: return markLoop()
    case .cycleLoop: return setLoop(settings.loop.next)
    case .setLoop(let mode): return setLoop(mode)
    case .toggleShuffle:
      settings.shuffles.toggle()
      return [.show(.shuffle(settings.shuffles))]
    case .playSkipped: return playSkipped()
    }
    return settingsChanged()
  }

  /// Handles a change of the cells available for the picture; nil if there are none.
  ///
  /// - Parameter frameSize: in square pixels; nil if cells show the picture.
  public mutating func resizeVideo(
    to cells: Size?, pixelAspect: Double = 1, frameSize: Size? = nil
  ) -> [PlayEffect] {
    guard cells != settings.cells || pixelAspect != settings.pixelAspect || frameSize != settings.frameSize else {
      return []
    }
    (settings.cells, settings.pixelAspect, settings.frameSize) = (cells, pixelAspect, frameSize)
    return settingsChanged()
  }

  /// Handles the suspension of the program: pauses playback.
  public mutating func suspend() -> [PlayEffect] {
    let saved = savePosition()
    guard playState == .playing else { return saved }
    playState = .paused
    isPausedBySuspension = true
    return [.order(.pause)] + saved
  }

  /// Handles the end of a suspension: resumes playback if the suspension paused it.
  public mutating func resume() -> [PlayEffect] {
    guard isPausedBySuspension, playState == .paused else { return [] }
    isPausedBySuspension = false
    playState = .playing
    return [.order(.resume)]
  }

  /// Handles the end of the program.
  public mutating func close() -> [PlayEffect] { savePosition() }

  private mutating func play(_ item: PlayItem) -> [PlayEffect] {
    let (saved, wasUnderWay) = (savePosition(), isUnderWay)
    // Without an address to load, nothing of the previous video may be shown or saved as the new one's.
    end(.playStopped)
    self.item = item
    resetFile()
    time = Double(item.startSeconds)
    (loopMarks, segments) = (.none, SessionSegments())
    record.begin(item)
    let started = start(at: item.startSeconds)
    return saved + (wasUnderWay && !isUnderWay ? [.order(.stop)] : []) + started
  }

  private mutating func start(at seconds: Int) -> [PlayEffect] {
    record.start()
    beginCandidates()
    return load(at: Double(seconds), isPaused: false)
  }

  private mutating func togglePause() -> [PlayEffect] {
    isPausedBySuspension = false
    switch playState {
    case .playing:
      playState = .paused
      return [.order(.pause)]
    case .paused:
      playState = .playing
      return [.order(.resume)]
    case .playStopped: return start(at: record.resumeSeconds ?? 0)
    case .playFailed: return replay()
    case .unknown: return []
    }
  }

  private mutating func stop() -> [PlayEffect] {
    switch playState {
    case .playing, .paused:
      let saved = savePosition()
      end(.playStopped)
      return [.leaveFullWindow, .order(.stop)] + saved
    case .playFailed:
      end(.playStopped)
      return []
    case .unknown, .playStopped: return []
    }
  }

  private mutating func replay() -> [PlayEffect] {
    switch playState {
    case .playing: return seek(to: .at(0))
    case .paused: return seek(to: .at(0)) + togglePause()
    case .playFailed:
      if candidates.current == nil { beginCandidates() }
      return load(at: time, isPaused: false)
    case .playStopped: return start(at: 0)
    case .unknown: return []
    }
  }

  private mutating func seek(to target: SeekTarget) -> [PlayEffect] {
    guard isUnderWay, let seconds = target.seconds(from: shownTime, duration: file.duration) else { return [] }
    return seekOrders(file.seeks.request(seconds, isReady: loadState.isReady))
  }

  private func seekOrders(_ seconds: Double?) -> [PlayEffect] { seconds.map { [.order(.seek(to: $0))] } ?? [] }

  private mutating func cycle(_ kind: MediaTrack.Kind, _ order: PlayerOrder) -> [PlayEffect] {
    guard loadState.isReady else { return [] }
    return file.tracks.cycle(kind) ? [.order(order)] : [.show(.noOtherTrack(kind))]
  }

  private mutating func cycleHeight() -> [PlayEffect] {
    guard isUnderWay, let item else { return [] }
    let heights = item.heights
    guard heights.count > 1, let highest = heights.first else { return [.show(.noOtherHeight)] }
    let current = candidates.current?.height ?? settings.maximumHeight ?? .max
    let height = heights.first { $0 < current } ?? highest
    settings.maximumHeight = height
    beginCandidates()
    return [.show(.heightChanged(height))] + reload()
  }

  private func takeScreenshot() -> [PlayEffect] {
    guard loadState.isReady else { return [] }
    return presentation == .soundOnly ? [.show(.noPicture)] : [.order(.takeScreenshot)]
  }

  // MARK: - Chapters

  /// Updates the current video with details that have arrived since it started.
  public mutating func update(_ video: PlayItem) {
    guard video.id == item?.id, item?.key == video.key else { return }
    item = video
    updateChapters()
    // A retry chooses among the current addresses.
    if failure != nil { candidates.removeAll() }
  }

  private mutating func updateChapters() { chapters.update(item, file) }

  private mutating func seekChapter(by step: Int) -> [PlayEffect] {
    guard isUnderWay else { return [] }
    guard !chapters.all.isEmpty else { return [.show(.noChapters)] }
    guard let start = chapters.start(from: shownTime, by: step) else { return [.show(.isLastChapter)] }
    segments.sought(start)
    return seek(to: .at(start))
  }

  // MARK: - Segments

  /// Sets the segments of the current video, if it has this ID on YouTube.
  public mutating func setSegments(_ new: [VideoSegment], ofYouTube id: String) {
    if item?.youTubeID == id { segments = SessionSegments(new) }
  }

  /// Skips the segments that playback has reached; nil if there are none.
  private mutating func skipSegments() -> [PlayEffect]? {
    guard settings.skipsSegments, playState == .playing, file.seeks.target == nil else { return nil }
    guard loopMarks.part == nil else { return nil }
    // A seek ends shortly before the end of the video, so that there a skip would lead back.
    let latest = SeekTarget.share(1).seconds(from: time, duration: file.duration) ?? .infinity
    guard time < latest else { return nil }
    return segments.skip(at: time).map { seek(to: .at($0.end)) + [.show(.skipped($0))] }
  }

  private mutating func playSkipped() -> [PlayEffect] {
    guard isUnderWay, let start = segments.takeBackSkip() else { return [.show(.nothingSkipped)] }
    return seek(to: .at(start))
  }

  // MARK: - Previews

  /// Continues a preview as a video of the same playback, with the settings and the saved position of this session. The
  /// video is loaded again, at the shown position, only if these settings select another address or stream.
  public mutating func adopt(_ preview: PlayPreview, as video: PlayItem) -> [PlayEffect] {
    let own = (settings: settings, record: record)
    self = preview.session
    settings = own.settings
    record.adopt(own.record)
    item = video
    updateChapters()
    let previewed = candidates.current
    candidates.update(video, maximumHeight: settings.maximumHeight)
    guard let previewed, previewed == candidates.current, !previewed.isAdaptive else { return reload() }
    return sendConfiguration() + [.order(.liftLimit)]
  }

  /// Continues the numbers and the configuration of a preview that has ended.
  public mutating func follow(_ preview: PlayPreview) {
    (lastNumber, sentConfiguration) = (preview.session.lastNumber, preview.session.sentConfiguration)
  }

  // MARK: - Loops

  private mutating func markLoop() -> [PlayEffect] {
    guard loadState.isReady else { return [] }
    loopMarks = loopMarks.adding(shownTime)
    let changed = settingsChanged()
    // The player repeats a part only if it reaches the end from within, and it may be past the end already.
    let jump = loopMarks.part.map { seek(to: .at($0.start)) } ?? []
    return changed + jump + [.show(.loopMarks(loopMarks))]
  }

  private mutating func setLoop(_ mode: LoopMode) -> [PlayEffect] {
    settings.loop = mode
    return settingsChanged() + [.show(.loop(mode))]
  }

  // MARK: - Reports

  /// Handles a report of the player.
  public mutating func handle(_ report: PlayerReport) -> [PlayEffect] {
    switch report {
    case .event(let id, let event): return id == currentID ? handle(event) : []
    case .presentationChanged(let kind): return presentationChanged(to: kind)
    case .libraryUnusable(let fault): return libraryUnusable(fault)
    case .screenshotSaved(let path): return [.show(.screenshotSaved(path: path))]
    case .screenshotFailed(let reason): return [.show(.screenshotFailed(reason: reason))]
    case .unavailable(let failure):
      sentConfiguration = nil
      return isUnderWay ? failed(failure) : []
    }
  }

  private mutating func handle(_ event: PlayEvent) -> [PlayEffect] {
    switch event {
    case .ready: return ready()
    case .duration, .chapters:
      file.update(event)
      updateChapters()
    case .time(let seconds): return timeChanged(to: seconds)
    case .buffered, .pictureSize, .sound, .subtitle: file.update(event)
    case .paused(let isPaused): playState = isPaused ? .paused : .playing
    case .stalled(let isStalled): stalled(isStalled)
    case .seekCompleted:
      hasSought = true
      return seekOrders(file.seeks.next())
    case .tracks(let new): return file.tracks.update(new).map { [.show($0)] } ?? []
    case .ended(let reason): return ended(reason)
    }
    return []
  }

  private mutating func ready() -> [PlayEffect] {
    guard loadState == .prepare else { return [] }
    loadState = .playthroughOK
    if let item { candidates.recordSuccess(of: item, maximumHeight: settings.maximumHeight) }
    return seekOrders(file.seeks.next())
  }

  private mutating func timeChanged(to seconds: Double) -> [PlayEffect] {
    guard seconds.isFinite, loadState.isReady else { return [] }
    let last = shownTime
    time = max(0, seconds)
    let isFromSeek = hasSought
    hasSought = false
    // The player has started the file again at its end.
    if settings.loop == .video, loopMarks.part == nil, !isFromSeek, file.duration != nil, isAtEnd(last),
      !isAtEnd(shownTime)
    {
      return savePlayed()
    }
    if let skip = skipSegments() { return skip }
    return record.isDue(at: shownTime) ? savePosition() : []
  }

  private mutating func stalled(_ isStalled: Bool) {
    guard loadState.isReady else { return }
    if isStalled {
      loadState = .stalled
    } else if loadState == .stalled {
      loadState = .playable
    }
  }

  /// A player that cannot open a window falls back to cells or to sound only.
  private mutating func presentationChanged(to kind: PresentationKind) -> [PlayEffect] {
    guard settings.presentation == .window, kind != .window else { return [] }
    settings.presentation = .cells
    return [.show(.noDisplay)] + settingsChanged()
  }

  /// A missing library is reported only where frames would be in pixels.
  private mutating func libraryUnusable(_ fault: LibraryFault) -> [PlayEffect] {
    settings.hasLibrary = false
    let isVisible = fault == .failing || settings.frameSize != nil
    return (isVisible ? [.show(.coarsePicture(fault))] : []) + settingsChanged()
  }

  private mutating func ended(_ reason: EndReason) -> [PlayEffect] {
    switch reason {
    case .reachedEnd: return isAtEnd(shownTime) ? finish() : endedEarly()
    // The user has continued the preview at the same time.
    case .reachedLimit where settings.byteLimit == nil: return reload()
    case .stopped, .closed, .reachedLimit:
      let saved = savePosition()
      end(.playStopped)
      return [.leaveFullWindow] + saved
    case .failed(let failure): return failed(failure)
    }
  }

  /// Whether a position is at the end; without a duration every end is one.
  private func isAtEnd(_ seconds: Double) -> Bool {
    file.duration.map { seconds >= $0 - max(1, $0 * 0.02) } ?? loadState.isReady
  }

  /// If no data came after the start position, a retry from there would end there again, so it starts at the beginning.
  private mutating func endedEarly() -> [PlayEffect] {
    let effects = failed(.endedEarly(seconds: shownTime))
    if time < start + 1 { time = 0 }
    return effects
  }

  private mutating func finish() -> [PlayEffect] {
    let saved = savePlayed()
    // The player repeats files that it can seek in by itself.
    if settings.loop == .video, let duration = file.duration, duration >= 1 { return saved + repeated() }
    end(.playStopped)
    time = 0
    return [.leaveFullWindow] + saved + (continues ? [.playNext] : [])
  }

  private mutating func repeated() -> [PlayEffect] {
    beginCandidates()
    return load(at: 0, isPaused: false)
  }

  private mutating func failed(_ failure: PlayFailure) -> [PlayEffect] {
    if failure == .displayUnavailable, settings.presentation == .window {
      settings.presentation = .cells
      return [.show(.noDisplay)] + reload()
    }
    if loadState == .prepare, failure.allowsFallback, candidates.fallBack() { return reload() }
    if loadState == .prepare { candidates.removeAll() }
    return fail(failure)
  }

  // MARK: - Loading and ending

  /// Chooses among all addresses of the video, also those that have failed.
  private mutating func beginCandidates() {
    if let item { candidates.begin(item, maximumHeight: settings.maximumHeight) }
  }

  /// Loads the current address at the current position.
  private mutating func reload() -> [PlayEffect] { load(at: shownTime, isPaused: playState == .paused) }

  /// Loads the current address.
  private mutating func load(at start: Double, isPaused: Bool) -> [PlayEffect] {
    guard let item, let candidate = candidates.current else { return fail(.noMedia) }
    lastNumber += 1
    let id = PlayID(lastNumber)
    currentID = id
    time = start
    self.start = start
    record.load(at: start)
    resetFile()
    loadState = .prepare
    playState = isPaused ? .paused : .playing
    isPausedBySuspension = false
    var request = settings.request(id, for: candidate, title: item.title)
    (request.startSeconds, request.isPaused) = (start, isPaused)
    return sendConfiguration() + [.order(.load(request))]
  }

  private mutating func resetFile() {
    file = OpenedFile()
    updateChapters()
  }

  /// Sends changed settings at once while a video is under way, and otherwise with the next load.
  private mutating func settingsChanged() -> [PlayEffect] { isUnderWay ? sendConfiguration() : [] }

  private mutating func sendConfiguration() -> [PlayEffect] {
    var configuration = settings.playerConfiguration
    configuration.loopPart = loopMarks.part
    guard configuration != sentConfiguration else { return [] }
    sentConfiguration = configuration
    return [.order(.configure(configuration))]
  }

  private mutating func end(_ state: PlayState) {
    currentID = nil
    time = shownTime
    file.seeks = SeekQueue()
    loadState = .unknown
    playState = state
    isPausedBySuspension = false
  }

  private mutating func fail(_ failure: PlayFailure) -> [PlayEffect] {
    let saved = savePosition()
    end(.playFailed(failure))
    return [.leaveFullWindow] + saved
  }

  private mutating func savePosition() -> [PlayEffect] {
    guard isUnderWay, loadState.isReady, let item, let duration = file.duration else { return [] }
    return save(PlayPosition(key: item.key, at: shownTime, of: duration, watchedShare: settings.watchedShare))
  }

  /// Saves that the video has played to its end.
  private mutating func savePlayed() -> [PlayEffect] {
    item.map { save(PlayPosition(key: $0.key, duration: file.duration, isWatched: true)) } ?? []
  }

  private mutating func save(_ position: PlayPosition) -> [PlayEffect] {
    record.save(position, at: shownTime, isLive: item?.isLive == true) ? [.savePosition] : []
  }
}
