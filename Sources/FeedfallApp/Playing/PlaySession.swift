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
  public private(set) var chapters = Chapters()
  public internal(set) var segments = Segments()
  /// The marks of the part to repeat.
  public internal(set) var loopMarks = LoopMarks.none
  /// The current load. Events of any other are ignored.
  private(set) var currentID: PlayID?

  /// The position that the player reported last, or at which it starts.
  private var time = 0.0
  /// The position of the current load, in seconds.
  private var start = 0.0
  private var record = PositionRecord()
  var stretch = PlayedStretch()
  private(set) var candidates = CandidateList()
  /// The configuration that the player has; nil if it has none.
  private var sentConfiguration: PlayerConfiguration?
  private var isPausedBySuspension = false
  private var lastNumber = 0

  public init(settings: PlaySettings = PlaySettings()) { self.settings = settings }

  /// The position of a video that was saved last.
  public var savedPosition: PlayPosition? { record.saved }

  /// The position in seconds from the beginning, or the seek target while a seek is in progress.
  public var shownTime: Double { file.seeks.target ?? time }

  /// The length of the file, or else that of the feed.
  public var length: MediaLength {
    isUnderWay && item?.isLive != true ? file.length.completed(by: item?.duration, beyond: time) : file.length
  }

  /// In seconds; nil if it is unknown.
  public var shownDuration: Double? { length.stated }

  // MARK: - Commands

  public mutating func perform(_ command: PlayCommand) -> [Effect] {
    switch command {
    case .play(let item): return play(item)
    case .togglePause: return togglePause()
    case .stop: return stop()
    case .replay: return replay()
    case .seek(let target):
      target.seconds(from: shownTime, duration: shownDuration).map { segments.sought($0) }
      return seek(to: target)
    case .changeVolume(let step): settings.changeVolume(by: step)
    case .toggleMute: settings.isMuted.toggle()
    case .changeRate(let faster): settings.changeRate(faster: faster)
    case .setRate(let rate): settings.setRate(rate)
    case .changeBrightness(let step): settings.changeBrightness(by: step)
    case .toggleFit: settings.fit = settings.fit == .whole ? .filling : .whole
    case .setPresentation(let kind): settings.usualPresentation = kind
    case .togglePresentation(let kind):
      let other = settings.usualPresentation == kind ? .cells : settings.usualPresentation
      settings.presentation = settings.presentation == kind ? other : kind
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

  /// Handles a change of the cells for the picture; `frameSize` is in square pixels, nil if cells show the picture.
  public mutating func resizeVideo(to cells: Size?, pixelAspect: Double = 1, frameSize: Size? = nil) -> [Effect] {
    guard cells != settings.cells || pixelAspect != settings.pixelAspect || frameSize != settings.frameSize else {
      return []
    }
    (settings.cells, settings.pixelAspect, settings.frameSize) = (cells, pixelAspect, frameSize)
    return settingsChanged()
  }

  /// Handles the suspension of the program: pauses playback.
  public mutating func suspend() -> [Effect] {
    let saved = savePosition()
    guard playState == .playing else { return saved }
    playState = .paused
    isPausedBySuspension = true
    return [.order(.pause)] + saved
  }

  /// Handles the end of a suspension: resumes playback if the suspension paused it.
  public mutating func resume() -> [Effect] {
    guard isPausedBySuspension, playState == .paused else { return [] }
    isPausedBySuspension = false
    playState = .playing
    return [.order(.resume)]
  }

  public mutating func close() -> [Effect] { saveLastPosition() }

  private mutating func play(_ item: PlayItem) -> [Effect] {
    let (saved, wasUnderWay) = (saveLastPosition(), isUnderWay)
    // Without an address to load, nothing of the previous video may be shown or saved as the new one's.
    end(.playStopped)
    self.item = item
    resetFile()
    time = Double(item.startSeconds)
    (loopMarks, segments) = (.none, Segments())
    record.begin(item)
    let started = start(at: item.startSeconds)
    return saved + (wasUnderWay && !isUnderWay ? [.order(.stop)] : []) + started
  }

  private mutating func start(at seconds: Int) -> [Effect] {
    record.start()
    stretch.begin()
    beginCandidates()
    return load(at: Double(seconds), isPaused: false)
  }

  private mutating func togglePause() -> [Effect] {
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

  private mutating func stop() -> [Effect] {
    switch playState {
    case .playing, .paused:
      let saved = saveLastPosition()
      end(.playStopped)
      return [.leaveFullWindow, .order(.stop)] + saved
    case .playFailed:
      end(.playStopped)
      return []
    case .unknown, .playStopped: return []
    }
  }

  private mutating func replay() -> [Effect] {
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

  mutating func seek(to target: PlayCommand.SeekTarget) -> [Effect] {
    guard isUnderWay, let seconds = target.seconds(from: shownTime, duration: shownDuration) else { return [] }
    return seekOrders(file.seeks.request(seconds, isReady: loadState.isReady))
  }

  private func seekOrders(_ seconds: Double?) -> [Effect] { seconds.map { [.order(.seek(to: $0))] } ?? [] }

  private mutating func cycle(_ kind: MediaTrack.Kind, _ order: PlayerOrder) -> [Effect] {
    guard loadState.isReady else { return [] }
    return file.tracks.cycle(kind) ? [.order(order)] : [.show(.noOtherTrack(kind))]
  }

  private mutating func cycleHeight() -> [Effect] {
    guard isUnderWay, let item else { return [] }
    let heights = item.heights
    guard heights.count > 1, let highest = heights.first else { return [.show(.noOtherHeight)] }
    let current = candidates.current?.height ?? settings.maximumHeight ?? .max
    let height = heights.first { $0 < current } ?? highest
    settings.maximumHeight = height
    beginCandidates()
    return [.show(.heightChanged(height))] + reload()
  }

  private func takeScreenshot() -> [Effect] {
    guard loadState.isReady else { return [] }
    return presentation == .soundOnly ? [.show(.noPicture)] : [.order(.takeScreenshot)]
  }

  // MARK: - Details

  /// Updates the current video with details that have arrived since it started.
  public mutating func update(_ video: PlayItem) {
    guard video.id == item?.id, item?.key == video.key else { return }
    item = video
    updateChapters()
    // A retry chooses among the current addresses.
    if failure != nil { candidates.removeAll() }
  }

  /// Makes another video follow the current one, even without autoplay.
  public mutating func continueAfterEnd() { item?.isContinued = true }

  private mutating func updateChapters() { chapters.update(item, file) }

  // MARK: - Previews

  /// Continues a preview as a video of the same playback, with the settings and the saved position of this session. The
  /// video is loaded again, at the shown position, only if these settings select another address or stream.
  public mutating func adopt(_ preview: PlayPreview, as video: PlayItem) -> [Effect] {
    let own = (settings: settings, record: record)
    self = preview.session
    settings = own.settings
    record.adopt(own.record, for: video)
    item = video
    stretch.load(at: time)
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

  // MARK: - Reports

  public mutating func handle(_ report: PlayerReport) -> [Effect] {
    switch report {
    case .event(let id, let event): return id == currentID ? handle(event) : []
    case .presentationChanged(let kind): return presentationChanged(to: kind)
    case .libraryUnusable(let fault):
      settings.libraryFault = fault
      return settingsChanged()
    case .screenshotSaved(let path): return [.show(.screenshotSaved(path: path))]
    case .screenshotFailed(let reason): return [.show(.screenshotFailed(reason: reason))]
    case .lacksRuntime(let advice): return [.show(.lacksRuntime(advice: advice))]
    case .unavailable(let failure):
      sentConfiguration = nil
      return isUnderWay ? failed(failure) : []
    }
  }

  private mutating func handle(_ event: PlayEvent) -> [Effect] {
    switch event {
    case .ready: return ready()
    case .length(let length): lengthChanged(to: length)
    case .chapters:
      file.update(event)
      updateChapters()
    case .time(let seconds): return timeChanged(to: seconds)
    case .buffered, .pictureSize, .sound, .subtitle: file.update(event)
    case .paused(let isPaused): playState = isPaused ? .paused : .playing
    case .stalled(let isStalled): stalled(isStalled)
    case .seekCompleted:
      stretch.seekCompleted(file.seeks.target)
      return seekOrders(file.seeks.next())
    case .jumped: stretch.playerJumped()
    case .tracks(let new): return file.tracks.update(new).map { [.show($0)] } ?? []
    case .ended(let reason): return ended(reason)
    }
    return []
  }

  private mutating func ready() -> [Effect] {
    guard loadState == .prepare else { return [] }
    loadState = .playthroughOK
    if let item { candidates.recordSuccess(of: item, maximumHeight: settings.maximumHeight) }
    return seekOrders(file.seeks.next())
  }

  private mutating func timeChanged(to seconds: Double) -> [Effect] {
    guard seconds.isFinite, loadState.isReady else { return [] }
    let last = shownTime
    time = max(0, seconds)
    // The player has started the file again at its end.
    if settings.loop == .video, loopMarks.part == nil, !stretch.isAfterSeek, file.length.stated != nil, isAtEnd(last),
      !isAtEnd(shownTime)
    {
      let saved = savePlayed()
      stretch.begin()
      stretch.load(at: time)
      return saved
    }
    stretch.play(to: time, seekingTo: file.seeks.target, share: watchedTime)
    if let skip = skipSegments() { return skip }
    // A file that ends before the position plays none of it.
    return record.isDue(at: shownTime) && !stretch.isUntouched ? savePosition() : []
  }

  /// The position in seconds from which on the video is watched; nil if it is unknown.
  private var watchedTime: Double? { length.stated.map { $0 * settings.watchedShare } }

  private mutating func lengthChanged(to new: MediaLength) {
    let old = length.stated
    file.update(.length(new))
    updateChapters()
    guard let old else { return }
    if length.stated.map({ abs($0 - old) > MediaLength.tolerance(of: old) }) ?? true { stretch.lengthChanged() }
  }

  private mutating func stalled(_ isStalled: Bool) {
    if loadState.isReady, isStalled || loadState == .stalled { loadState = isStalled ? .stalled : .playable }
  }

  /// A player that cannot open a window falls back to cells or to sound only.
  private mutating func presentationChanged(to kind: Presentation.Kind) -> [Effect] {
    guard settings.presentation == .window, kind != .window else { return [] }
    settings.presentation = .cells
    return [.show(.noDisplay)] + settingsChanged()
  }

  private mutating func ended(_ reason: PlayEvent.EndReason) -> [Effect] {
    switch reason {
    case .cutOff where file.length.stated == nil: return endedEarly()
    case .reachedEnd, .cutOff:
      if isBehindEnd { return [.show(.startsOver)] + load(at: 0, isPaused: playState == .paused) }
      return isAtEnd(shownTime) ? finish() : endedEarly()
    // The user has continued the preview at the same time.
    case .reachedLimit where settings.byteLimit == nil: return reload()
    case .stopped, .closed, .reachedLimit:
      let saved = saveLastPosition()
      end(.playStopped)
      return [.leaveFullWindow] + saved
    case .failed(let failure): return failed(failure)
    }
  }

  /// Of the feed's length, which may include parts that the file lacks.
  private static let endShare = 0.9

  /// Whether a position is at the end; without a length every end is one.
  private func isAtEnd(_ seconds: Double) -> Bool {
    if let length = file.length.stated { return seconds >= length - MediaLength.tolerance(of: length) }
    return length.stated.map { seconds >= $0 * Self.endShare } ?? loadState.isReady
  }

  /// Whether nothing was played because the file ends before the position at which it was loaded.
  private var isBehindEnd: Bool {
    guard start > 0, stretch.isUntouched, file.seeks.target == nil else { return false }
    return file.length.stated == nil || isAtEnd(start)
  }

  /// If no data came after the start position, a retry from there would end there again, so it starts at the beginning.
  private mutating func endedEarly() -> [Effect] {
    let effects = failed(.endedEarly(seconds: shownTime))
    if time < start + 1 { time = 0 }
    return effects
  }

  private mutating func finish() -> [Effect] {
    let saved = savePlayed()
    // The player repeats files that it can seek in by itself.
    if settings.loop == .video, file.length.stated ?? shownTime >= 1 {
      stretch.begin()
      beginCandidates()
      return saved + load(at: 0, isPaused: false)
    }
    end(.playStopped)
    time = 0
    return [.leaveFullWindow] + saved + (continues ? [.playNext] : [])
  }

  private mutating func failed(_ failure: PlayFailure) -> [Effect] {
    if failure == .displayUnavailable, settings.presentation == .window {
      settings.presentation = .cells
      return [.show(.noDisplay)] + reload()
    }
    if loadState == .prepare, failure.allowsFallback, candidates.fallBack() { return reload() }
    if loadState == .prepare { candidates.removeAll() }
    return fail(failure)
  }

  // MARK: - Loading and ending

  private mutating func beginCandidates() {
    if let item { candidates.begin(item, maximumHeight: settings.maximumHeight) }
  }

  private mutating func reload() -> [Effect] { load(at: shownTime, isPaused: playState == .paused) }

  private mutating func load(at start: Double, isPaused: Bool) -> [Effect] {
    guard let item, let candidate = candidates.current else { return fail(.noMedia) }
    lastNumber += 1
    let id = PlayID(lastNumber)
    currentID = id
    time = start
    self.start = start
    record.load(at: start)
    stretch.load(at: start)
    resetFile()
    loadState = .prepare
    playState = isPaused ? .paused : .playing
    isPausedBySuspension = false
    var request = settings.request(id, for: candidate, title: item.title)
    (request.startSeconds, request.isPaused, request.allowsHTTP) = (start, isPaused, item.allowsHTTP)
    return sendConfiguration() + [.order(.load(request))]
  }

  private mutating func resetFile() {
    file = OpenedFile()
    updateChapters()
  }

  /// Sends changed settings at once while a video is under way, and otherwise with the next load.
  mutating func settingsChanged() -> [Effect] { isUnderWay ? sendConfiguration() : [] }

  private mutating func sendConfiguration() -> [Effect] {
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

  private mutating func fail(_ failure: PlayFailure) -> [Effect] {
    let saved = saveLastPosition()
    end(.playFailed(failure))
    let question: [Effect] = if case .leavesHTTPS(let redirect) = failure { [.ask(redirect)] } else { [] }
    return [.leaveFullWindow] + saved + question
  }

  private mutating func savePosition(isWatched: Bool = false) -> [Effect] {
    guard isUnderWay, loadState.isReady, let item, !item.isLive || shownDuration != nil else { return [] }
    let position = PlayPosition(key: item.key, at: shownTime, of: shownDuration, isWatched: isWatched)
    // A look at the end does not remove the position.
    if position.seconds == nil, !isWatched, stretch.isLook, shownTime > PlayPosition.beginning(of: shownDuration) {
      return []
    }
    return save(position)
  }

  private mutating func saveLastPosition() -> [Effect] {
    savePosition(isWatched: stretch.isWatched(share: watchedTime))
  }

  /// A seek to the end is no evidence that the video was watched.
  private mutating func savePlayed() -> [Effect] {
    guard stretch.isPlayedToEnd, let item else { return [] }
    return save(PlayPosition(key: item.key, duration: shownDuration, isWatched: true))
  }

  private mutating func save(_ position: PlayPosition) -> [Effect] {
    record.save(position, isLive: item?.isLive == true) ? [.savePosition] : []
  }
}
