import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The program as one value: `handle` changes it and returns effects, `draw` renders it.
public struct AppState: Sendable {
  private(set) var settings: AppSettings
  private(set) var size = Size.zero
  public private(set) var cellSize = Size(width: 8, height: 16)
  private(set) var browsing: Browsing
  private(set) var playback: PlaybackDirector
  private(set) var covers = CoverDirector()
  private(set) var preview = PreviewDirector()
  private(set) var lengths = LengthReader()
  private var segments = SegmentRequest()
  private(set) var help: HelpScreen?
  private(set) var commandPrompt: CommandPrompt
  /// The failure in the selected tab.
  private(set) var failure: FailurePanel?
  private(set) var detailsLines = DetailsLines()
  private(set) var spinner = Spinner()
  private(set) var toast = Toast()
  private var offline = OfflineNotice()
  private var time = SessionClock()
  /// The time for which ages are shown.
  var clock: UnixTime? { time.shown }
  /// In milliseconds since 1970.
  var now: Int { time.now }
  private var slides = SlideDirector()
  /// Whether the terminal can show cards that slide, as far as it has reported it.
  public var canSlide: Bool { slides.canSlide }
  private var tickets: TicketOffice

  public init(settings: AppSettings) {
    precondition(!settings.sources.isEmpty, "at least one source is needed")
    commandPrompt = CommandPrompt(history: settings.commandHistory)
    browsing = Browsing(settings: settings)
    self.settings = browsing.settings
    playback = PlaybackDirector(settings: settings)
    // The numbers from -1 on belong to the library's ticket offices.
    tickets = TicketOffice(number: -2)
  }

  /// The covers' style, as far as the terminal has reported it.
  public var coverStyle: CoverStyle { covers.style }
  public var videoOutput: VideoOutput { settings.videoOutput }

  /// Whether nothing is pending that changes the screen by itself.
  public var isSettled: Bool { !tabs.selected.cards.pull.isPulling && !library.isBusy }

  // MARK: - Events

  /// Changes the state and returns the effects to carry out.
  ///
  /// - Parameter isFollowed: whether another first page follows at once; the layout then waits for it.
  mutating func handle(_ event: AppEvent, isFollowed: Bool, at now: Int?) -> [AppEffect] {
    time.update(with: event, at: now)
    browsing.library.now = clock
    let selection = tabs.selection
    let maySlide = slides.handle(event, in: &browsing.tabs.selected.cards, at: self.now)
    var effects = react(to: event)
    if isFollowed { return effects }
    if !lengths.hasQueue(ofTab: tabs.selection) { browsing.tabs.selected.collectNewLengths() }
    effects += browsing.library.requestFirstPages(selected: content)
    browsing.tabs.hasPictures = covers.hasPictures
    browsing.updateTab(tabs.selection)
    browsing.tabs.updateVisibility(library.store.userData)
    playback.follow(in: browsing)
    arrange()
    let requests = browsing.readAhead(afterInput: event.isInput)
    let intents = playback.playAwaited(in: &browsing)
    effects += requests + perform(intents)
    // Without requests no failure has ended, and without intents the same video is shown.
    if !requests.isEmpty || !intents.isEmpty { arrange() }
    // A tab may be updated by the event that selects it.
    let startsSlide = maySlide && tabs.selection == selection
    effects += slides.update(&browsing.tabs.selected.cards, startsSlide: startsSlide, at: self.now, &tickets)
    browsing.tabs.selected.cards.prepareFaces(library.store, at: clock, cardFacts)
    effects += updatePlayer()
    effects += updateCovers()
    effects += updateLengths()
    effects += browsing.prepareFacts(&tickets)
    let lacking = browsing.library.dequeueLackingFacts()
    if !lacking.isEmpty { effects.append(.readFacts(lacking)) }
    browsing.updateCandidates()
    effects += updatePreview()
    offline.message(
      hasCards: !tabs.selected.cards.cards.isEmpty, lacksServers: browsing.lacksServers,
      areCoversLoading: covers.isLoading
    ).map { toast.show($0) }
    effects += toast.update(&tickets)
    effects += spinner.update(isLoading: player.session.isWaiting || library.isLoading, &tickets)
    detailsLines.prepare(detailsView?.text)
    return effects
  }

  private mutating func react(to event: AppEvent) -> [AppEffect] {
    switch event {
    case .started:
      browsing.library.start()
      settings.unreadable.first.map { toast.show($0.message) }
      return []
    case .input(let input): return handle(input)
    case .screenChanged(let size, let cellSize):
      (self.size, self.cellSize) = (size, cellSize)
      return covers.setCellSize(cellSize)
    case .coverStyleChanged(let style): return covers.setStyle(style)
    case .videoOutputChanged(let output):
      PlayerWords.loss(from: settings.videoOutput, to: output).map { toast.show($0) }
      settings.videoOutput = output
      return []
    case .waitElapsed(let wait): return handle(wait)
    case .slidingChanged, .outputDelayed, .clockRead: return []
    case .pageArrived(let ticket, let page, let now):
      if browsing.library.isFromServer(page, for: ticket) { offline.pageArrived() }
      return perform(browsing.insert(page, for: ticket, at: now))
    case .pageFailed(let ticket, let failure):
      offline.pageFailed(failure)
      return browsing.library.handle(failure, for: ticket)
    case .detailsArrived(let ticket, let video): return complete(video, for: ticket)
    case .detailsFailed(let ticket, let failure):
      guard lengths.finish(ticket, hasLength: false, in: library.store) == nil else { return [] }
      let (hadFailure, intents) = (browsing.failureText != nil, browsing.detailsFailed(failure, for: ticket))
      if !hadFailure, browsing.failureText != nil { toast.hide() }
      return perform(intents)
    case .segmentsArrived(let ticket, let new):
      segments.finish(ticket).map { playback.screen.setSegments(new, ofYouTube: $0) }
      return []
    case .segmentsFailed(let ticket, let failure):
      if segments.fail(ticket) { toast.show(PlayerWords.noSegments(failure)) }
      return []
    case .coverArrived(let ticket, let picture):
      offline.coverArrived()
      return perform(
        browsing.updateDuration(of: covers.insert(picture, for: ticket), seconds: picture.videoSeconds, at: now))
    case .coverFailed(let ticket, let failure):
      offline.coverFailed(failure)
      return covers.handle(failure, for: ticket, &tickets)
    case .coverColorsArrived(let ticket, let colors):
      covers.insert(colors, for: ticket)
      return []
    case .powerRead(let ticket, let isLow):
      preview.powerRead(ticket, isLow: isLow)
      return []
    case .player(let report):
      if let effects = preview.handle(report, &playback.screen) { return effects }
      let effects = perform(playback.screen.handle(report))
      let length = browsing.updateDuration(of: playback.card, seconds: player.session.shownDuration, at: now)
      return effects + perform(length) + perform(playback.prepareNext(in: &browsing))
    case .remote(let command): return perform(playback.intents(for: command))
    case .recordsChanged(let data):
      browsing.merge(data)
      return []
    case .factsRead(let facts):
      browsing.adopt(facts)
      return []
    case .savingFailed(let reason):
      toast.show(RecordWords.savingFailed(reason))
      return []
    case .sendingMarksFailed(let failure):
      toast.show(RecordWords.sendingFailed(failure))
      return []
    case .marksIgnored:
      toast.show(RecordWords.marksIgnored)
      return []
    case .downloadChanged(let key, let state):
      let intents = browsing.updateDownload(of: key, state, at: now)
      if state?.file != nil { playback.downloaded(key, in: browsing) }
      return perform(intents)
    case .downloadRemovalFailed(let key, let failure): return perform(browsing.downloadRemovalFailed(key, failure))
    case .downloadsMissing(let keys):
      browsing.forgetDownloads(keys, at: now)
      return []
    case .subscriptionChanged(let outcome, let request):
      toast.show(PromptWords.text(outcome, request))
      browsing.updateSubscriptions(outcome, request)
      return []
    case .optionsChanged(let options, let name, let value):
      toast.show(PromptWords.changed(name, value))
      if name == "theme" { return [.setTheme(options.theme)] }
      browsing.setOptions(options, changed: name)
      return []
    case .optionRefused(let name, let reason):
      toast.show(PromptWords.refused(name, reason))
      return []
    case .suspending: return preview.end(&playback.screen) + perform(playback.screen.suspend())
    case .continued: return perform(playback.screen.resume())
    case .ending: return perform(playback.screen.close())
    }
  }

  private mutating func handle(_ wait: Wait) -> [AppEffect] {
    switch wait {
    case .loader(let ticket): return browsing.library.loaderWaitElapsed(ticket)
    case .pull(let ticket):
      guard browsing.tabs.selected.cards.releasePull(ticket) == true else { return [] }
      covers.retryFailures()
      return perform(browsing.refresh())
    case .details(let ticket):
      return browsing.library.detailsWaitElapsed(ticket) ? perform(browsing.completeDetails()) : []
    case .glide(let ticket): slides.waitElapsed(ticket, in: &browsing.tabs.selected.cards, at: now)
    case .spinner(let ticket): spinner.waitElapsed(ticket)
    case .rest(let ticket): covers.restWaitElapsed(ticket)
    case .lengths(let ticket): lengths.waitElapsed(ticket)
    case .preview(let ticket): return preview.waitElapsed(ticket, settings.previews.policy, &tickets)
    case .covers(let ticket): covers.retryWaitElapsed(ticket)
    case .controls(let ticket): playback.screen.controlsWaitElapsed(ticket)
    case .level(let ticket): playback.screen.levelWaitElapsed(ticket)
    case .secondClick(let ticket): playback.screen.doubleClickTimeElapsed(ticket)
    case .refresh(let ticket): browsing.library.refreshPauseElapsed(ticket)
    case .facts(let ticket): browsing.factsPauseElapsed(ticket)
    case .toast(let ticket):
      toast.waitElapsed(ticket)
      browsing.downloads.cancelRemoval()
    }
    return []
  }

  private mutating func complete(_ video: Video, for ticket: Ticket) -> [AppEffect] {
    if let card = lengths.finish(ticket, hasLength: video.duration?.seconds != nil, in: library.store) {
      return perform(browsing.updateDuration(of: card, seconds: video.duration?.seconds.map(Double.init), at: now))
    }
    guard let (card, sequel) = browsing.complete(video, for: ticket) else { return [] }
    playback.update(card, in: browsing)
    let effects = perform(
      browsing.adoptEarlierPosition(of: video, card, at: now)
        + browsing.storeFacts(of: card.id, fromDetails: true, at: now))
    switch sequel {
    case .show: return effects + perform(browsing.completeDetails())
    case .play: return effects + perform(playback.start(card, in: &browsing))
    case .copy: return effects + perform(browsing.copy(video.playbackURL, .playback) + browsing.completeDetails())
    case .download: return effects + perform(browsing.startDownload(of: card) + browsing.completeDetails())
    }
  }

  // MARK: - After each event

  /// Lays out the parts of the screen.
  private mutating func arrange() {
    if tabs.selected.cards.selection == nil { browsing.tabs.selected.details = nil }
    browsing.tabs.updateLayout(library.store)
    browsing.tabs.selected.cards.headerRows = browsing.headerRows
    failure = placedFailure
    let regions = regions
    browsing.tabs.resize(
      to: regions.cards.size, emptyTabs: regions.whole.size, cellSize: cellSize, library.store)
  }

  /// Sets the room for the player's picture.
  private mutating func updatePlayer() -> [AppEffect] {
    playback.screen.update(isCardShown: isPlayersCardShown, getsMouse: help == nil && !hasPrompt)
    if showsPlayer { browsing.tabs.selected.details?.showsCover = false }
    let place = videoOutput.obstacle != nil ? nil : isPlayersCardShown ? panel?.picture.size : corner?.size
    let room = place.flatMap { PlayerPanel.holdsVideo($0) ? $0 : nil }
    let pixelAspect = Double(2 * max(1, cellSize.width)) / Double(max(1, cellSize.height))
    let frameSize = room.flatMap { videoOutput.frameSize(forCells: $0, cellSize: cellSize) }
    return perform(playback.screen.update(room: room, pixelAspect: pixelAspect, frameSize: frameSize))
  }

  private mutating func updateCovers() -> [AppEffect] {
    guard case .pictures = covers.style else { return [] }
    return covers.update(
      visible: coverSight, of: tabs.selected.cards, in: library.store, neighbors: neighborCovers, &tickets)
  }

  private mutating func updateLengths() -> [AppEffect] {
    let lists = tabs.selected.dependsOnLengths(in: library) ? library.listVersion : nil
    let sight = LengthReader.Sight(tab: tabs.selection, cards: tabs.selected.cards, lists: lists)
    // Compared first, because this runs after every event.
    guard lengths.isDue(sight) else { return [] }
    let (cards, store, hasFrames) = (tabs.selected.cards, library.store, covers.hasPictures)
    let hasLocal = browsing.shownSources.contains { $0.settings.isLocal }
    return lengths.update(sight, in: store, &tickets) { [browsing] in
      browsing.cardsWithoutLength
    } visible: { failed in
      hasLocal ? cards.cardWithoutLength(except: failed, hasFrames: hasFrames, in: store) : nil
    }
  }

  private mutating func updatePreview() -> [AppEffect] {
    let isPossible = settings.previews.arePossible(with: videoOutput) && preview.hasPlayer
    guard isPossible || preview.place != nil else { return [] }
    let place = isPossible ? previewPlace : nil
    return preview.update(place, &playback.screen, byteLimit: settings.previews.byteLimit, &tickets) {
      [browsing] in browsing.previewedVideo
    }
  }

  // MARK: - Keys

  private mutating func handle(_ input: InputEvent) -> [AppEffect] {
    browsing.inputArrived()
    switch input {
    case .key(let key): return handle(key)
    case .mouse(let mouse): return handle(mouse)
    case .paste(let text):
      help?.paste(text)
      if commandPrompt.prompt == nil { browsing.paste(text) } else { commandPrompt.paste(text) }
      return []
    }
  }

  private mutating func handle(_ key: Key) -> [AppEffect] {
    toast.hide()
    if case .control = key, let command = GlobalCommand.keymap.command(for: key) { return perform(command) }
    if commandPrompt.prompt != nil { return handleCommandPrompt(key) }
    if hasPrompt { return perform(browsing.handlePrompt(key)) }
    if help != nil {
      let size = regions.whole.size
      if help?.handle(key, size: size) == false { help = nil }
      return []
    }
    let waking = showControls()
    let context = keyContext
    let command = context.command(for: key)
    if command != .browse(.removeDownload) { browsing.downloads.cancelRemoval() }
    guard let command else { return waking }
    if context.cancelsPull(command) { browsing.tabs.selected.cards.cancelPull() }
    return waking + perform(command)
  }

  private mutating func perform(_ command: KeyContext.Command) -> [AppEffect] {
    switch command {
    case .failure(let command): return perform(command.intent)
    case .cards(let command):
      return perform(
        browsing.tabs.selected.cards.perform(command, canPull: browsing.canPull, in: library.store, &tickets))
    case .player(let command):
      return perform(playback.screen.perform(command, &tickets))
    case .details(let command):
      let (page, view) = (max(1, regions.whole.height - 2), detailsView)
      return perform(browsing.tabs.selected.details?.perform(command, in: view, page: page) ?? [])
    case .browse(let command): return perform(browsing.perform(command, at: now))
    case .global(let command): return perform(command)
    }
  }

  private mutating func perform(_ command: GlobalCommand) -> [AppEffect] {
    switch command {
    case .typeCommand:
      commandPrompt.begin()
      return []
    case .showHelp:
      help = HelpScreen(context: keyContext.sections)
      return []
    case .repaint: return [.repaint]
    case .suspend: return [.suspend]
    case .quit: return [.quit]
    }
  }

  private mutating func handleCommandPrompt(_ key: Key) -> [AppEffect] {
    guard case .accepted(let text) = commandPrompt.handle(key, browsing.vocabulary) else { return [] }
    do throws(CommandError) {
      // Passwords are not stored.
      let saving = text.hidingPassword == text ? [AppEffect.saveCommand(text)] : []
      return saving + perform(browsing.perform(try browsing.vocabulary.command(text), at: now))
    } catch {
      toast.show(PromptWords.text(error))
      return []
    }
  }

  /// Retries after a visible failure, otherwise refreshes.
  private mutating func refreshOrRetry() -> [AppEffect] {
    covers.retryFailures()
    lengths.retryFailures()
    return perform(browsing.refreshOrRetry())
  }

  // MARK: - Intents

  private mutating func perform(_ intents: [Intent]) -> [AppEffect] { intents.flatMap { perform($0) } }

  private mutating func perform(_ intent: Intent) -> [AppEffect] {
    switch intent {
    case .effect(let effect): return [effect]
    case .showMessage(let message): toast.show(message)
    case .loadMore: return perform(browsing.loadMore())
    case .followEnd: browsing.followEnd()
    case .refreshOrRetry: return refreshOrRetry()
    case .dismissFailure: return browsing.dismissFailures()
    case .openDetails: return perform(browsing.openDetails())
    case .closeDetails: return perform(browsing.closeDetails())
    case .completeDetails: return perform(browsing.completeDetails())
    case .showSelectedVideo: return perform(browsing.showSelectedVideo())
    case .showVideo(let step): return perform(browsing.showVideo(by: step))
    case .changeLayout(let step): return perform(browsing.changeLayout(by: step))
    case .sort(let column): return perform(browsing.sort(by: column))
    case .chooseNextOrder: return perform(browsing.chooseNextOrder())
    case .beginSearch: return perform(browsing.beginSearch())
    case .beginFilter: return perform(browsing.beginFilter())
    case .clearFilter: return perform(browsing.clearFilter())
    case .openChannel: return perform(browsing.openChannel())
    case .beginServerSearch: return perform(browsing.beginServerSearch())
    case .typeCommand(let start): commandPrompt.begin(with: start)
    case .perform(let command): return perform(command)
    case .enqueue: return perform(browsing.enqueue(at: now))
    case .dequeue: return perform(browsing.dequeue(at: now))
    case .moveInQueue(let step): return perform(browsing.moveInQueue(by: step, at: now))
    case .changeTab(let step): return perform(browsing.changeTab(by: step))
    case .selectTab(let place): return perform(browsing.selectTab(atPlace: place))
    case .play: return perform(playback.play(in: &browsing))
    case .start(let item): return start(item)
    case .control(let command): return control(command)
    case .playNeighbor(let step): return perform(playback.playNeighbor(by: step, in: &browsing))
    case .showPlaying: return perform(playback.showPlaying(in: &browsing))
    case .togglePictureInPicture: return perform(playback.togglePictureInPicture(hasDetails: details != nil))
    case .showControls: return showControls()
    case .savePosition(let position): return perform(browsing.save(position, at: now))
    }
    return []
  }

  private mutating func start(_ item: PlayItem) -> [AppEffect] {
    toast.hide()
    // The player needs the size of the picture before the address.
    let effects = updatePlayer() + (settings.requestsSegments ? segments.begin(for: item, &tickets) : [])
    if let preview = preview.promote(item) { return effects + perform(playback.screen.adopt(preview, as: item)) }
    return effects + perform(.control(.play(item)))
  }

  private mutating func control(_ command: PlayCommand) -> [AppEffect] {
    let preparation = playback.screen.isActive ? [] : releasePlayer()
    let wasUnderWay = player.session.isUnderWay
    let effects = playback.screen.showLevel(of: command, &tickets) + perform(playback.perform(command))
    return preparation + effects + (wasUnderWay ? [] : retrySegments())
  }

  /// Requests the segments again that could not be loaded, together with a video that could not be played or was stopped.
  private mutating func retrySegments() -> [AppEffect] {
    guard player.session.isUnderWay, let item = player.session.item else { return [] }
    return segments.retry(for: item, &tickets)
  }

  /// Ends the preview, whose stop must not follow the load of another video, and reports the fault that it met.
  private mutating func releasePlayer() -> [AppEffect] {
    let effects = preview.end(&playback.screen)
    return effects + (preview.dequeueFault().map { perform(playback.screen.handle($0)) } ?? [])
  }

  /// In the full window the controls stay visible for a while after each use.
  private mutating func showControls() -> [AppEffect] { isFullWindow ? playback.screen.showControls(&tickets) : [] }

  // MARK: - Mouse

  private mutating func handle(_ mouse: MouseEvent) -> [AppEffect] {
    if mouse.kind == .press, let key = placedHints.key(at: mouse.position) { return handle(key) }
    let size = regions.whole.size
    let hasControls = !isFullWindow || playback.screen.hasControlsInFullWindow || toast.text != nil
    help?.handle(mouse, size: size)
    guard help == nil, !hasPrompt else { return [] }
    if !mouse.kind.isContinued {
      toast.hide()
      browsing.downloads.cancelRemoval()
    }
    let map = mouseMap
    if let overlay = map.overlay(for: mouse) { return handle(mouse, on: overlay) }
    if showsPlayer, let panel {
      let intents = playback.screen.handle(
        mouse, on: panel, bar: hasControls ? playerView.barFrame(in: panel.bar) : nil, isFullWindow: isFullWindow,
        &tickets)
      if let intents { return perform(intents) }
    }
    return handle(mouse, on: map.part(for: mouse))
  }

  private mutating func handle(_ mouse: MouseEvent, on target: MouseMap.Target) -> [AppEffect] {
    switch target {
    case .playing: return mouse.kind == .press ? perform(.showPlaying) : []
    case .miniBar(let row): return perform(playback.screen.handle(mouse, on: miniBar.parts(in: row)))
    case .tabs(let row): return perform(tabBar.handle(mouse, in: row))
    case .heading(let x):
      guard mouse.kind == .press else { return [] }
      let names = x - tabs.selected.cards.layout.margin
      guard let column = tabs.selected.cards.table?.column(at: names) else { return [] }
      return perform(.sort(column))
    case .details:
      let (view, button) = (detailsView, playButton)
      return perform(browsing.tabs.selected.details?.handle(mouse, in: view, playButton: button) ?? [])
    case .preview: return mouse.kind == .press ? pressPreview(mouse) : []
    case .cards(let point):
      return perform(browsing.tabs.selected.cards.handle(mouse.kind, at: point, canPull: browsing.canPull, &tickets))
    }
  }

  /// Opens the details of a wide list's preview. On the cover the press also plays the video, unless it plays already.
  private mutating func pressPreview(_ mouse: MouseEvent) -> [AppEffect] {
    let isOnCover = playButton?.contains(mouse.position) == true
    let opening = perform(.openDetails)
    let plays = isOnCover && !(player.session.isUnderWay && isPlayersCardShown)
    return opening + (plays ? perform(.play) : [])
  }
}
