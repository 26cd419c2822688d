import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The program as one value: `handle` changes it and returns effects, `draw` renders it.
public struct AppState: Equatable, Sendable {
  private(set) var size = Size.zero
  public private(set) var cellSize = Size(width: 8, height: 16)
  var browsing: Browsing
  var playback: PlaybackDirector
  var covers = CoverDirector()
  var preview = PreviewDirector()
  var lengths = LengthReader()
  var segments = SegmentRequest()
  var titles = TitleDirector()
  private var playbackReports: PlaybackReports
  private var exchanges: MarkExchanges
  var help: HelpScreen?
  var sourceList = SourceListScreen()
  var commandPrompt: CommandPrompt
  private(set) var failure: FailurePanel?
  private(set) var detailsLines = DetailsText.LineCache()
  private(set) var spinner = Spinner()
  /// The number of the message that asks to press a key again to delete a download or to quit.
  var question: Int?
  var quitGuard = QuitGuard()
  var redirectQuestion: RedirectQuestion?
  var refusedText = RefusedText()
  /// The typed prefix, whose second key is awaited.
  var pendingPrefix: Key.Modifiers?
  var solo: SoloPlayback
  var network = NetworkState()
  /// The card of the last session, until it is selected or the user leaves its tab.
  var awaitedCard: VideoKey?
  /// Whether it is selected once it is there.
  var restoresCard = true
  private var time = SessionClock()
  /// The time for which ages are shown.
  var clock: UnixTime? { time.shown }
  /// In milliseconds since 1970.
  var now: Int { time.now }
  private var slides = CardSlide.Director()
  /// Whether the terminal can show cards that slide, as far as it has reported it.
  public var canSlide: Bool { slides.canSlide }
  /// Whether the terminal has a clipboard, as far as it has reported it.
  public var hasClipboard: Bool { browsing.hasClipboard }
  var tickets: TicketOffice

  public init(settings: AppSettings) {
    precondition(!settings.sources.isEmpty, "at least one source is needed")
    commandPrompt = CommandPrompt(history: settings.commandHistory)
    browsing = Browsing(settings: settings)
    playback = PlaybackDirector(settings: settings)
    playbackReports = PlaybackReports(watchedShare: settings.playing.watchedShare)
    exchanges = MarkExchanges(isEnabled: settings.exchangesMarks)
    solo = settings.playsFirst ? .awaiting : .off
    // The numbers from -1 on belong to the library's ticket offices.
    tickets = TicketOffice(number: -2)
    awaitedCard = settings.awaitedCard
    if let notice = settings.notice { toast.showUntilKey(notice) }
  }

  /// The covers' style, as far as the terminal has reported it.
  public var coverStyle: CoverStyle { covers.style }
  public var videoOutput: VideoOutput { browsing.settings.videoOutput }
  /// The widths of text, as far as the terminal has reported them.
  public var textWidths: TextWidths { library.store.widths }

  /// Whether nothing is pending that changes the screen by itself.
  public var isSettled: Bool { !tabs.selected.cards.pull.isPulling && !library.isBusy && !sourceList.isCounting }

  // MARK: - Events

  /// - Parameter anotherWaits: whether an event follows at once that shares the passes.
  mutating func handle(_ event: AppEvent, anotherWaits: Bool, at now: Int?) -> [AppEffect] {
    time.update(with: event, at: now)
    (browsing.now, browsing.library.now) = (self.now, clock)
    let selection = tabs.selection
    let maySlide = slides.handle(event, in: &browsing.tabs.selected.cards, at: self.now)
    var effects = react(to: event)
    if !anotherWaits {
      let others = runPasses(afterInput: event.isInput, slidingTab: maySlide ? selection : nil)
      if effects.isEmpty { effects = others } else { effects += others }
    }
    let reports = playbackReports.update(after: event, effects, &tickets)
    let marks = exchanges.update(after: event, effects, &tickets)
    effects += reports + marks
    return effects
  }

  /// Brings the parts of the state into accord, in this order. A second run would change nothing. Only the cards of
  /// `slidingTab`, the tab selected before the event, may slide: a tab may be updated by the event that selects it.
  mutating func runPasses(afterInput isAfterInput: Bool, slidingTab: Int?) -> [AppEffect] {
    var effects: [AppEffect] = []
    // Before passes that depend on the version of the records, because any access that may change them counts as one.
    if library.store.userData.hasUndoLines {
      effects.append(.saveUndo(browsing.library.store.userData.dequeueUndoLines()))
    }
    effects += browsing.recordKnownSources(at: self.now)
    if !lengths.hasQueue(ofTab: tabs.selection) { browsing.tabs.selected.collectNewLengths() }
    let visible = library.waiting.isEmpty ? [] : visibleSources
    effects += browsing.library.requestPages(selected: content, visible: visible)
    browsing.library.updateNames()
    browsing.tabs.hasPictures = covers.hasPictures
    browsing.updateTab(tabs.selection, postponesPages: solo != .awaiting)
    browsing.tabs.updateVisibility(library.store.userData, sourceList.counts)
    arrange()
    restorePlace()
    showTitles()
    browsing.tabs.selected.cards.adoptSizes(library.store)
    browsing.tabs.selected.cards.evenOut()
    let requests = browsing.readAhead(afterInput: isAfterInput)
    let awaited = playAwaited()
    let solo = updateSoloPlayback()
    effects += requests + (awaited ?? []) + (solo ?? [])
    // Without requests no failure has ended, and without an awaited video the same one is shown.
    if !requests.isEmpty || awaited != nil || solo != nil {
      let viewport = tabs.selected.cards.viewport
      arrange()
      // The panel of a failure may have left the window or entered it.
      if tabs.selected.cards.viewport != viewport { effects += browsing.readAhead(afterInput: isAfterInput) }
    }
    let startsSlide = tabs.selection == slidingTab
    effects += slides.update(&browsing.tabs.selected.cards, startsSlide: startsSlide, at: self.now, &tickets)
    browsing.tabs.selected.cards.prepareFaces(library.store, at: clock, cardFacts)
    effects += updatePlayer()
    effects += updateCovers()
    effects += updateLengths()
    effects += requestTitles()
    effects += browsing.prepareFacts(&tickets)
    effects += browsing.savingReport.update(&tickets)
    let missing = browsing.library.dequeueMissingFacts()
    if !missing.isEmpty { effects.append(.readFacts(missing)) }
    browsing.updateCandidates()
    effects += updatePreview()
    if network.isDue {
      let (lacksServers, areCoversLoading) = (library.lacksServers, covers.memory.isLoading)
      network.update(at: clock, lacksServers: lacksServers, areCoversLoading: areCoversLoading)
      covers.memory.isOffline = network.outage != nil
    }
    effects += updateSources()
    if let question, toast.number != question { withdrawQuestion() }
    effects += browsing.toast.update(&tickets)
    effects += spinner.update(isLoading: player.isWaiting || library.isLoading, &tickets)
    detailsLines.prepare(detailsView?.text)
    return effects
  }

  private mutating func react(to event: AppEvent) -> [AppEffect] {
    switch event {
    case .started:
      browsing.library.start()
      browsing.settings.unreadable.first.map { toast.show($0.message) }
    case .input(let input): return inputArrived(input)
    case .screenChanged(let size, let cellSize):
      (self.size, self.cellSize) = (size, cellSize)
      return covers.setCellSize(cellSize)
    case .textWidthsChanged(let widths): textWidthsChanged(widths)
    case .coverStyleChanged(let style): return covers.setStyle(style)
    case .videoOutputChanged(let output):
      words.loss(from: videoOutput, to: output).map { toast.show($0) }
      browsing.settings.videoOutput = output
    case .clipboardChanged(let hasClipboard): browsing.hasClipboard = hasClipboard
    case .waitElapsed(let wait): return waitElapsed(wait)
    case .slidingChanged, .outputDelayed, .clockRead, .playbackReported: break
    case .pageArrived(let ticket, let page, let now): return pageArrived(page, for: ticket, at: now)
    case .pageFailed(let ticket, let failure):
      network.pageFailed(failure)
      return browsing.pageFailed(failure, for: ticket)
    case .detailsArrived(let ticket, let video): return detailsArrived(video, for: ticket)
    case .detailsFailed(let ticket, let failure): return detailsFailed(failure, for: ticket)
    case .segmentsArrived(let ticket, let new):
      segments.finish(ticket).map { playback.screen.session.setSegments(new, ofYouTube: $0) }
    case .segmentsFailed(let ticket, let failure): if segments.fail(ticket) { toast.show(Words.noSegments(failure)) }
    case .titlesArrived(let ticket, let new): titles.insert(new, for: ticket)
    case .titlesFailed(let ticket, let failure):
      let (isFirst, effects) = titles.fail(ticket, &tickets)
      if isFirst { toast.show(Words.noTitles(failure)) }
      return effects
    case .coverArrived(let ticket, let picture): return coverArrived(picture, for: ticket)
    case .coverSize(let size, let ticket): browsing.learnSize(size, of: covers.memory.card(ofRequest: ticket))
    case .coverFailed(let ticket, let failure):
      network.coverFailed(failure)
      return covers.memory.coverFailed(failure, for: ticket, &tickets)
    case .coverColorsArrived(let ticket, let colors): covers.memory.insert(colors, for: ticket)
    case .powerRead(let ticket, let isLow): preview.powerRead(ticket, isLow: isLow)
    case .player(let report): return playerReported(report)
    case .remote(let command): return perform(command)
    case .recordsChanged(let data): browsing.merge(data)
    case .factsRead(let facts): browsing.adopt(facts)
    case .savingFailed(let reason): toast.show(Words.savingFailed(reason))
    case .eventsSaved(let ticket, let failure):
      if let message = browsing.savingReport.end(ticket) { toast.show(failure.map(Words.savingFailed) ?? message) }
    case .agreementsRead(let ticket, let sync, let copy):
      let pages = exchanges.open(sync, for: ticket, library.store.userData, at: self.now)
      // The message about the file is shown last, because it outweighs those about the pages.
      return insert(pages, message: copy.map(Words.marksDamaged))
    case .agreementsUnreadable(let ticket, let reason):
      let (pages, isFirst) = exchanges.openingFailed(ticket)
      return insert(pages, message: isFirst ? Words.marksUnreadable(reason) : nil)
    case .marksSent(let ticket, let result):
      let failure = exchanges.finish(ticket, result, at: self.now, &tickets)
      if let failure { toast.show(Words.sendingFailed(failure)) }
    case .downloadChanged(let key, let state): downloadChanged(key, state)
    case .downloadRemovalFailed(let key, let failure): browsing.downloadRemovalFailed(key, failure)
    case .downloadsMissing(let keys): browsing.forgetDownloads(keys)
    case .subscriptionChanged(let outcome, let request, let copy):
      toast.show(words.text(outcome, request) + (copy.map { Words.replaced(damagedCopy: $0) } ?? ""))
      return browsing.updateSubscriptions(outcome, request, at: now)
    case .settingsSaved(let settings, let failure, let copy): return settingsSaved(settings, failure, copy)
    case .optionsChanged(let options, let name, let value): return optionChanged(name, to: value, options)
    case .optionRefused(let name, let reason): toast.show(Words.refused(name, reason))
    case .suspending: return preview.end(&playback.screen) + carryOut(playback.screen.session.suspend())
    case .continued: return carryOut(playback.screen.session.resume())
    case .ending: return carryOut(playback.screen.session.close()) + (shownPlace.map { [.savePlace($0)] } ?? [])
    }
    return []
  }

  private mutating func textWidthsChanged(_ widths: TextWidths) {
    browsing.library.store.setWidths(widths)
    browsing.tabs.updateCards(library.store)
    help?.widths = widths
  }

  private mutating func pageArrived(_ page: FeedPage, for ticket: Ticket, at now: UnixTime) -> [AppEffect] {
    if browsing.library.isFromServer(page, for: ticket) { network.serverAnswered() }
    let page = MarkExchanges.Page(page: page, ticket: ticket, time: now)
    return exchanges.admit(page, library.store.userData, &tickets) ? insert(page) : []
  }

  private mutating func insert(_ page: MarkExchanges.Page) -> [AppEffect] {
    let ignoresMarks = exchanges.merge(page, in: &browsing, at: now)
    defer { if ignoresMarks { toast.show(Words.marksIgnored) } }
    return browsing.insert(page.page, for: page.ticket, at: page.time, keeping: playback.listedSlots)
  }

  private mutating func insert(_ pages: [MarkExchanges.Page], message: String?) -> [AppEffect] {
    defer { if let message { toast.show(message) } }
    return pages.flatMap { insert($0) }
  }

  private mutating func detailsFailed(_ failure: FeedFailure, for ticket: Ticket) -> [AppEffect] {
    guard lengths.finish(ticket, hasLength: false, in: library.store) == nil else { return [] }
    let (failed, effects) = browsing.detailsFailed(failure, for: ticket)
    guard let failed, failed.awaitedPurposes.contains(.play) else { return effects }
    return effects + addressFailed(failed.card.id, failure)
  }

  private mutating func coverArrived(_ picture: CoverPicture, for ticket: Ticket) -> [AppEffect] {
    if picture.isFromServer { network.coverArrived() }
    let card = covers.insert(picture, for: ticket)
    browsing.learnSize(picture.size, of: card)
    return browsing.updateDuration(of: card, seconds: picture.videoSeconds, at: now)
  }

  private mutating func playerReported(_ report: PlayerReport) -> [AppEffect] {
    let before = filmArrivedUntil
    defer { if let after = filmArrivedUntil, before.map({ after > $0 }) ?? true { network.mediaArrived() } }
    if let effects = preview.handle(report, &playback.screen) { return effects }
    let effects = carryOut(playback.screen.session.handle(report))
    let length = browsing.updateDuration(of: playback.card, seconds: player.session.file.length.stated, at: now)
    return effects + length + prepareNext()
  }

  /// In seconds.
  private var filmArrivedUntil: Double? { preview.arrivedUntil ?? player.session.arrivedUntil }

  private mutating func downloadChanged(_ key: VideoKey, _ state: DownloadState?) {
    let hadFile = browsing.downloads[key]?.file != nil
    if !hadFile, state?.isArriving == true { network.mediaArrived() }
    if let question = browsing.updateDownload(of: key, state) { ask(question) }
    if hadFile || state?.file != nil { playback.downloadChanged(key, in: browsing) }
  }

  private mutating func settingsSaved(_ settings: SavedSettings, _ failure: String?, _ copy: String?) -> [AppEffect] {
    let words = failure.map { Words.notSaved(settings, $0) } ?? Words.saved(settings)
    toast.show(words + (copy.map { Words.replaced(damagedCopy: $0) } ?? ""))
    return failure == nil ? browsing.settingsSaved(settings) : []
  }

  private mutating func optionChanged(_ name: String, to value: String, _ options: LiveOptions) -> [AppEffect] {
    browsing.optionChanged(name, to: value)
    toast.show(Words.changed(name, value))
    switch name {
    case "theme": return [.setTheme(options.theme)]
    case "player": return control(.setPresentation(options.presentation))
    default: browsing.setOptions(options, changed: name)
    }
    return []
  }

  private mutating func waitElapsed(_ wait: Wait) -> [AppEffect] {
    switch wait {
    case .loader(let ticket): return browsing.library.loaderWaitElapsed(ticket)
    case .pull(let ticket): return pullWaitElapsed(ticket)
    case .details(let ticket):
      return browsing.library.detailsWaitElapsed(ticket).map { $0 + browsing.completeDetails() } ?? []
    case .glide(let ticket): slides.waitElapsed(ticket, in: &browsing.tabs.selected.cards, at: now)
    case .spinner(let ticket):
      spinner.waitElapsed(ticket)
      browsing.tabs.selected.query.endPageWait()
    case .rest(let ticket): covers.restWaitElapsed(ticket)
    case .lengths(let ticket): lengths.waitElapsed(ticket)
    case .titles(let ticket): titles.waitElapsed(ticket)
    case .preview(let ticket): return preview.waitElapsed(ticket, browsing.settings.previews.policy, &tickets)
    case .covers(let ticket): covers.memory.waitElapsed(ticket)
    case .controls(let ticket): playback.screen.controlsWaitElapsed(ticket)
    case .level(let ticket): playback.screen.levelWaitElapsed(ticket)
    case .filmShape(let ticket): playback.screen.filmShape.pauseElapsed(ticket)
    case .secondClick(let ticket): playback.screen.doubleClickTimeElapsed(ticket)
    case .refresh(let ticket): browsing.library.refreshPauseElapsed(ticket)
    case .facts(let ticket): browsing.factsPauseElapsed(ticket)
    case .marks(let ticket): exchanges.pauseElapsed(ticket)
    case .toast(let ticket): toast.waitElapsed(ticket)
    case .schedule(let ticket): browsing.library.scheduleElapsed(ticket)
    case .counts(let ticket): sourceList.countingPauseElapsed(ticket, tabs, library)
    }
    return []
  }

  private mutating func pullWaitElapsed(_ ticket: Ticket) -> [AppEffect] {
    guard browsing.tabs.selected.cards.pull.release(ticket) == true else { return [] }
    covers.retry()
    return browsing.refresh()
  }

  // MARK: - After each event

  private mutating func arrange() {
    if let links = tabs.selected.links, links.card != selectedCard?.id { browsing.closeLinks() }
    // While a filter is typed, other cards may follow.
    if tabs.selected.cards.selection == nil, !hasPrompt { browsing.tabs.selected.details = nil }
    browsing.tabs.updateLayout(library.store)
    browsing.tabs.selected.cards.headerRows = browsing.headerRows
    failure = placedFailure
    let regions = regions
    browsing.tabs.resize(to: regions.cards.size, emptyTabs: regions.whole.size, cellSize: cellSize, library.store)
  }

  mutating func updatePlayer() -> [AppEffect] {
    playback.screen.update(isCardShown: isPlayersCardShown, getsMouse: !isCovered && !hasPrompt)
    if showsPlayer { browsing.tabs.selected.details?.showsCover = false }
    let shape = playback.screen.updateFilmShape(isInCorner: details == nil, &tickets)
    let isInPanel = isPlayersCardShown || isFullWindow
    let place = isInPanel ? panel.flatMap { PlayerPanel.holdsVideo($0.picture.size) ? $0.picture : nil } : corner
    let room = videoOutput.obstacle != nil ? nil : place?.size
    let pixelAspect = Double(2 * max(1, cellSize.width)) / Double(max(1, cellSize.height))
    let frameSize = room.flatMap { videoOutput.frameSize(forCells: $0, cellSize: cellSize) }
    let effects = playback.screen.session.resizeVideo(to: room, pixelAspect: pixelAspect, frameSize: frameSize)
    return shape + carryOut(effects)
  }

  private mutating func updateCovers() -> [AppEffect] {
    guard case .pictures = covers.style else { return [] }
    return covers.update(
      visible: coverSight, of: tabs.selected.cards, in: library.store, neighbors: neighborCovers,
      at: now > 0 ? UnixTime(seconds: now / 1_000) : nil, &tickets)
  }

  private mutating func updateLengths() -> [AppEffect] {
    let lists = tabs.selected.dependsOnLengths(in: library) ? library.listVersion : nil
    let sight = LengthReader.Sight(
      tab: tabs.selection, cards: tabs.selected.cards, failedCovers: covers.memory.failureCount, lists: lists)
    // Compared first, because this runs after every event.
    guard lengths.isDue(sight) else { return [] }
    let (cards, store, covers) = (tabs.selected.cards, library.store, covers)
    let hasLocal = browsing.shownSources.contains(where: \.isLocal)
    return lengths.update(sight, in: store, &tickets) { [browsing] in
      browsing.cardsWithoutLength
    } visible: { failed in
      guard hasLocal else { return nil }
      return cards.cardWithoutLength(except: failed, in: store) {
        covers.hasPictures && covers.memory.failure(of: $0) == nil
      }
    }
  }

  private mutating func updatePreview() -> [AppEffect] {
    let isPossible = browsing.settings.previews.arePossible(with: videoOutput) && preview.hasPlayer(player.session)
    guard isPossible || preview.place != nil else { return [] }
    let place = isPossible ? previewPlace : nil
    return preview.update(place, &playback.screen, byteLimit: browsing.settings.previews.byteLimit, &tickets) {
      [browsing] in browsing.previewedVideo
    }
  }

  // MARK: - Keys

  private mutating func inputArrived(_ input: InputEvent) -> [AppEffect] {
    browsing.inputArrived()
    restoresCard = false
    let (hadFailed, tab) = (player.session.failure != nil, tabs.selection)
    defer { if tab != tabs.selection { awaitedCard = nil } }
    let effects =
      switch input {
      case .key(let key): keyPressed(key)
      case .mouse(let mouse): mouseArrived(mouse)
      case .paste(let text): paste(text)
      }
    return hadFailed ? effects + dismissFailure(after: input) : effects
  }

  private mutating func paste(_ text: String) -> [AppEffect] {
    pendingPrefix = nil
    switch openPrompt {
    case .command: commandPrompt.paste(text)
    case .filter, .search:
      return followingSelection {
        $0.browsing.paste(text)
        return []
      }
    case .help: help?.paste(text)
    case .links: break
    case .sources: sourceList.paste(text)
    case nil where help != nil: break
    case nil where CommandVocabulary.isAddress(Prompt.line(of: text)):
      beginCommand()
      commandPrompt.paste(text)
    case nil: toast.show(words.noPromptForPaste)
    }
    return []
  }

  /// Shows the details of another card that was selected, if they are open.
  mutating func followingSelection(_ work: (inout AppState) -> [AppEffect]) -> [AppEffect] {
    let (tab, card, hadPrompt) = (tabs.selection, tabs.selected.cards.selectedSlot, hasPrompt)
    let effects = work(&self)
    let isSame = card == tabs.selected.cards.selectedSlot
    guard details != nil, tab == tabs.selection, !isSame || hadPrompt && !hasPrompt else { return effects }
    return effects + (isSame ? browsing.completeDetails() : browsing.showSelectedVideo())
  }
}

#if DEBUG
  extension AppState {
    /// Nil, as it should be, if a second run of the passes changes nothing and has no effects.
    package func differenceAfterSecondRun(after event: AppEvent) -> String? {
      var again = self
      let effects = again.runPasses(afterInput: event.isInput, slidingTab: nil)
      guard again != self || !effects.isEmpty else { return nil }
      let name = Mirror(reflecting: event).children.first?.label ?? "\(event)"
      let change = effects.isEmpty ? "changes state\(Self.difference(self, again) ?? "")" : "has effects: \(effects)"
      return "After the event \(name), a second run of the passes \(change)"
    }

    private static func difference(_ old: Any, _ new: Any) -> String? {
      if let old = old as? any Equatable, isEqual(old, new) { return nil }
      for (old, new) in zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children) {
        if let path = difference(old.value, new.value) { return ".\(old.label ?? "element")\(path)" }
      }
      return ": \(old) → \(new)"
    }

    private static func isEqual<Value: Equatable>(_ old: Value, _ new: Any) -> Bool { new as? Value == old }
  }
#endif
