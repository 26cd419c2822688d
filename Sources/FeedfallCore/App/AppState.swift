import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The program as one value: `handle` changes it and returns effects, `draw` renders it.
public struct AppState: Sendable {
  private var settings: AppSettings
  private(set) var size = Size.zero
  public private(set) var cellSize = Size(width: 8, height: 16)
  private(set) var browsing: Browsing
  private(set) var player: PlayerScreen
  private(set) var covers = CoverDirector()
  private(set) var help: HelpScreen?
  private(set) var spinner = Spinner()
  private(set) var toast = Toast()
  /// The time of the last event that brought one.
  private(set) var clock: UnixTime?
  private var tickets: TicketOffice

  /// The maximum number of first pages requested at once, beside that of the selected tab.
  public static let maximumFirstLoads = Library.maximumFirstLoads

  public init(settings: AppSettings) {
    precondition(!settings.sources.isEmpty, "at least one source is needed")
    self.settings = settings
    browsing = Browsing(settings: settings)
    player = PlayerScreen(session: PlaySession(settings: settings.playing, records: settings.records))
    // The numbers below belong to the library's ticket offices.
    tickets = TicketOffice(number: settings.sources.count + 1)
  }

  /// The covers' style, as far as the terminal has reported it.
  public var coverStyle: CoverStyle { covers.style }
  public var hasColorsForVideo: Bool { settings.hasColorsForVideo }

  /// Whether nothing is pending that changes the screen by itself.
  public var isSettled: Bool { !tabs.selected.cards.pull.isPulling && !library.isBusy }

  /// Whether a page from this machine is pending for the selected tab.
  public var isAboutToShow: Bool { browsing.shownSources.contains { $0.isAboutToShow } }

  // MARK: - Events

  /// Changes the state and returns the effects to carry out.
  public mutating func handle(_ event: AppEvent) -> [AppEffect] {
    clock = event.time ?? clock
    var effects = react(to: event)
    effects += browsing.library.requestFirstPages(selected: content)
    browsing.tabs.update(tabs.selection, library)
    arrange()
    effects += browsing.readAhead(afterInput: event.isInput)
    arrange()
    browsing.tabs.selected.cards.prepareFaces(library.store, at: clock, marks: cardMarks)
    let awaited = playAwaited()
    if !awaited.isEmpty { arrange() }
    effects += awaited
    effects += updatePlayer()
    effects += updateCovers()
    effects += toast.update(&tickets)
    return effects + spinner.update(isLoading: player.session.isWaiting || library.isLoading, &tickets)
  }

  private mutating func react(to event: AppEvent) -> [AppEffect] {
    switch event {
    case .started:
      browsing.library.start()
      return []
    case .input(let input): return handle(input)
    case .screenChanged(let size, let cellSize):
      (self.size, self.cellSize) = (size, cellSize)
      return covers.setCellSize(cellSize)
    case .coverStyleChanged(let style): return covers.setStyle(style)
    case .videoColorsChanged(let hasColors):
      settings.hasColorsForVideo = hasColors
      return []
    case .waitElapsed(let wait): return handle(wait)
    case .clockRead: return []
    case .pageArrived(let ticket, let page, let now): return perform(browsing.insert(page, for: ticket, at: now))
    case .pageFailed(let ticket, let failure): return browsing.library.handle(failure, for: ticket)
    case .detailsArrived(let ticket, let video): return complete(video, for: ticket)
    case .detailsFailed(let ticket, let failure):
      let (effects, message) = browsing.library.detailsFailed(failure, for: ticket)
      message.map { toast.show($0) }
      return effects
    case .coverArrived(let ticket, let picture):
      browsing.updateDuration(of: covers.insert(picture, for: ticket), seconds: picture.videoSeconds)
      return []
    case .coverFailed(let ticket, let failure): return covers.handle(failure, for: ticket, &tickets)
    case .coverColorsArrived(let ticket, let colors):
      covers.insert(colors, for: ticket)
      return []
    case .player(let report):
      let effects = perform(player.handle(report))
      browsing.updateDuration(of: player.card, seconds: player.session.shownDuration)
      return effects
    case .suspending: return perform(player.suspend())
    case .continued: return perform(player.resume())
    case .ending: return perform(player.close())
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
    case .spinner(let ticket): spinner.waitElapsed(ticket)
    case .rest(let ticket): covers.restWaitElapsed(ticket)
    case .covers(let ticket): covers.retryWaitElapsed(ticket)
    case .controls(let ticket): if player.controlsWaitElapsed(ticket), isFullWindow { toast.hide() }
    case .secondClick(let ticket): player.doubleClickTimeElapsed(ticket)
    case .refresh(let ticket): browsing.library.refreshPauseElapsed(ticket)
    case .toast(let ticket): toast.waitElapsed(ticket)
    }
    return []
  }

  private mutating func complete(_ video: Video, for ticket: Ticket) -> [AppEffect] {
    guard let (card, sequel) = browsing.complete(video, for: ticket) else { return [] }
    switch sequel {
    case .show: return []
    case .play: return start(card)
    case .copy: return perform(browsing.copy(video.playbackURL, .playback))
    }
  }

  // MARK: - After each event

  /// Lays out the parts of the screen.
  private mutating func arrange() {
    if tabs.selected.cards.selection == nil { browsing.tabs.selected.details = nil }
    browsing.tabs.updateLayout(library.store)
    browsing.tabs.selected.cards.headerRows = headerRows
    let regions = regions
    browsing.tabs.resize(
      to: regions.cards.size, emptyTabs: regions.whole.size, cellSize: cellSize, library.store)
  }

  private var headerRows: Int {
    if tabs.selected.cards.pull.isPulling { return tabs.selected.cards.pull.rows }
    switch library.headerState(of: content) {
    case .refreshing, .holding, .failed: return 1
    case .idle, .pulling, .willRefresh, .noMoreData: return 0
    }
  }

  /// Sets the room for the player's picture.
  private mutating func updatePlayer() -> [AppEffect] {
    if !isPlayersCardShown { player.leaveFullWindow() }
    if showsPlayer { browsing.tabs.selected.details?.showsCover = false }
    let room = isPlayersCardShown ? panel?.picture.size : corner?.size
    let holdsVideo = settings.hasColorsForVideo && room.map(PlayerPanel.holdsVideo) == true
    let pixelAspect = Double(2 * max(1, cellSize.width)) / Double(max(1, cellSize.height))
    return perform(player.update(room: holdsVideo ? room : nil, pixelAspect: pixelAspect))
  }

  private mutating func updateCovers() -> [AppEffect] {
    guard case .pictures = covers.style else { return [] }
    let (tab, store) = (tabs.selected, library.store)
    let cards = tab.cards
    let sight = CoverDirector.Sight(
      tab: tabs.selection, kind: cards.kind, offset: cards.offset, displacement: cards.displacement,
      viewport: cards.viewport, details: tab.details, detailsCover: selectedCard.flatMap(detailsCover))
    return covers.update(
      visible: sight,
      of: CoverDirector.Cards(
        revision: cards.revision, isEmpty: cards.cards.isEmpty, areVisible: regions.showsCards(beside: tab.details),
        viewportLength: cards.layout.viewportLength),
      upcoming: { cards.coverKeys(by: $0, store) }, neighbors: neighborCovers,
      video: { id in store.slot(of: id).flatMap { cards.cards.contains($0) ? store[$0].video : nil } }, &tickets)
  }

  // MARK: - Keys

  private enum Focus { case cards, details, player }

  private var focus: Focus { details == nil ? .cards : showsPlayer ? .player : .details }

  private mutating func handle(_ input: InputEvent) -> [AppEffect] {
    switch input {
    case .key(let key): return handle(key)
    case .mouse(let mouse): return handle(mouse)
    case .paste(let text):
      help?.paste(text)
      browsing.tabs.selected.cards.paste(text, in: library.store)
      return []
    }
  }

  private mutating func handle(_ key: Key) -> [AppEffect] {
    toast.hide()
    if case .control = key, let command = GlobalCommand.keymap.command(for: key) { return perform(command) }
    if tabs.selected.cards.prompt != nil {
      return perform(browsing.tabs.selected.cards.handlePrompt(key, in: library.store))
    }
    if help != nil {
      let size = regions.whole.size
      if help?.handle(key, size: size) == false { help = nil }
      return []
    }
    let waking = showControls()
    if isAlertShown, let command = AlertCommand.keymap.command(for: key) {
      cancelPullInCards()
      return perform(command)
    }
    if let intents = handleFocused(key) { return waking + perform(intents) }
    if let command = BrowseCommand.keymap.command(for: key) {
      cancelPullInCards()
      return waking + perform(command)
    }
    guard let command = GlobalCommand.keymap.command(for: key) else { return waking }
    cancelPullInCards()
    return waking + perform(command)
  }

  /// The keymaps of the screen that the user sees, by priority.
  private var contextKeymaps: [KeymapSection] {
    let focused: [KeymapSection] =
      switch focus {
      case .cards: [.cards]
      case .details: [.details]
      case .player: [.player, .details]
      }
    return (isAlertShown ? [.alert] : []) + focused + [.browse]
  }

  /// Returns nil for a key that the focused screen does not bind.
  private mutating func handleFocused(_ key: Key) -> [Intent]? {
    let focus = focus
    if focus == .cards {
      return CardsCommand.keymap.command(for: key).map {
        browsing.tabs.selected.cards.perform($0, canPull: canPull, in: library.store, &tickets)
      }
    }
    let hasAlert = library.hasShownFailure(in: content)
    if focus == .player, let command = PlayerCommand.keymap.command(for: key) {
      return player.perform(command, hasAlert: hasAlert, &tickets)
    }
    guard let command = DetailsCommand.keymap.command(for: key) else { return nil }
    let (page, view) = (max(1, regions.whole.height - 2), detailsView)
    return browsing.tabs.selected.details?.perform(command, in: view, page: page, hasAlert: hasAlert)
  }

  private mutating func cancelPullInCards() {
    if focus == .cards { browsing.tabs.selected.cards.cancelPull() }
  }

  private var canPull: Bool {
    switch library.headerState(of: content) {
    case .idle, .failed: true
    case .pulling, .willRefresh, .refreshing, .holding, .noMoreData: false
    }
  }

  private mutating func perform(_ command: GlobalCommand) -> [AppEffect] {
    switch command {
    case .showHelp:
      help = HelpScreen(context: contextKeymaps)
      return []
    case .repaint: return [.repaint]
    case .suspend: return [.suspend]
    case .quit: return [.quit]
    }
  }

  private mutating func perform(_ command: AlertCommand) -> [AppEffect] {
    switch command {
    case .retry: refreshOrRetry()
    case .dismiss: browsing.dismissFailures()
    }
  }

  private mutating func perform(_ command: BrowseCommand) -> [AppEffect] {
    switch command {
    case .play: return play()
    case .showPlaying: return showPlaying()
    case .refreshOrRetry: return refreshOrRetry()
    case .copyPlaybackAddress: return perform(browsing.copyPlaybackAddress())
    case .copyCoverAddress: return perform(browsing.copyCoverAddress())
    case .openPage: return perform(browsing.openPage())
    }
  }

  /// Retries after a visible failure, otherwise refreshes.
  private mutating func refreshOrRetry() -> [AppEffect] {
    covers.retryFailures()
    return perform(browsing.refreshOrRetry())
  }

  // MARK: - Intents

  private mutating func perform(_ intents: [Intent]) -> [AppEffect] { intents.flatMap { perform($0) } }

  private mutating func perform(_ intent: Intent) -> [AppEffect] {
    switch intent {
    case .effect(let effect): return [effect]
    case .showMessage(let message): toast.show(message)
    case .showNotice(let message):
      toast.show(message)
      return showControls()
    case .loadMore: return perform(browsing.loadMore())
    case .refreshOrRetry: return refreshOrRetry()
    case .dismissAlert: return browsing.dismissFailures()
    case .openDetails: return perform(browsing.openDetails())
    case .closeDetails: return perform(browsing.closeDetails())
    case .completeDetails: return perform(browsing.completeDetails())
    case .showSelectedVideo: return perform(browsing.showSelectedVideo())
    case .showVideo(let step): return perform(browsing.showVideo(by: step))
    case .changeLayout(let step): return perform(browsing.changeLayout(by: step))
    case .changeTab(let step): return perform(browsing.changeTab(by: step))
    case .selectTab(let index): return perform(browsing.selectTab(index))
    case .control(let wish):
      player.cancelAwaitedNext()
      return perform(player.perform(wish))
    case .playNeighbor(let step): return playNeighbor(by: step)
    case .showPlaying: return showPlaying()
    case .togglePictureInPicture: return togglePictureInPicture()
    case .showControls: return showControls()
    }
    return []
  }

  // MARK: - Playing

  /// Plays the selected video in its details, or pauses it.
  private mutating func play() -> [AppEffect] {
    guard let card = selectedCard else { return [] }
    if card.id == player.card, player.session.isUnderWay { return perform(.control(.togglePause)) }
    let opening = details == nil ? perform(browsing.openDetails()) : []
    return opening + play(card)
  }

  /// Plays a video as soon as its address is known.
  private mutating func play(_ card: Card) -> [AppEffect] {
    player.cancelAwaitedNext()
    browsing.library.cancelPlayback()
    return browsing.isAddressMissing(in: card) ? perform(browsing.requestAddress(of: card, .play)) : start(card)
  }

  private mutating func start(_ card: Card) -> [AppEffect] {
    guard card.hasAddress else {
      toast.show(PlayerWords.noAddress(card.video.title, hasPage: card.video.pageURL != nil))
      return []
    }
    toast.hide()
    if selectedCard?.id == card.id {
      player.select(card.id, tab: tabs.selection)
    } else {
      let isInTab = browsing.index(of: card.id, in: player.tab) != nil
      player.select(card.id, tab: isInTab ? nil : tabs.index(of: card.source))
    }
    if isPlayersCardShown { browsing.tabs.selected.details = DetailsScreen() }
    // The player needs the size of the picture before the address.
    return updatePlayer() + perform(.control(.play(PlayItem(card.video))))
  }

  /// Plays the previous or next video that may have an address, and shows its details.
  private mutating func playNeighbor(by step: Int) -> [AppEffect] {
    browsing.tabs.update(player.tab, library)
    guard let index = player.card.flatMap({ browsing.index(of: $0, in: player.tab) }) else {
      toast.show(PlayerWords.isGone(player.session.item?.title ?? ""))
      return []
    }
    let cards = tabs[player.tab].cards.cards
    let neighbor = stride(from: index + step, to: step > 0 ? cards.count : -1, by: step)
      .first { library.store[cards[$0]].mayBePlayed }
    guard let neighbor else { return step > 0 ? playNextPage() : show(PlayerWords.isFirst) }
    if isPlayersCardShown, player.tab == tabs.selection {
      browsing.tabs.selected.cards.select(neighbor)
      browsing.tabs.selected.details = DetailsScreen()
    }
    return play(library.store[cards[neighbor]])
  }

  /// Requests more videos, the first of which is played when it arrives.
  private mutating func playNextPage() -> [AppEffect] {
    guard let effects = browsing.requestMore(for: player.tab) else { return showNoNext() }
    player.awaitNext()
    return show(PlayerWords.loadingNext) + effects
  }

  /// Plays the next video if one was awaited and has arrived.
  private mutating func playAwaited() -> [AppEffect] {
    guard player.isAwaitingNext else { return [] }
    browsing.tabs.update(player.tab, library)
    guard let index = player.card.flatMap({ browsing.index(of: $0, in: player.tab) }) else {
      player.cancelAwaitedNext()
      return show(PlayerWords.isGone(player.session.item?.title ?? ""))
    }
    let cards = tabs[player.tab].cards.cards
    if (index + 1..<cards.count).contains(where: { library.store[cards[$0]].mayBePlayed }) {
      return playNeighbor(by: 1)
    }
    guard !library.sources(of: tabs[player.tab].content).contains(where: \.isBusy) else { return [] }
    player.cancelAwaitedNext()
    return showNoNext()
  }

  private mutating func showNoNext() -> [AppEffect] {
    let hasMore = library.sources(of: tabs[player.tab].content).contains { $0.hasMore }
    return show(hasMore ? PlayerWords.isLastLoaded : PlayerWords.isLast)
  }

  private mutating func show(_ message: String) -> [AppEffect] {
    toast.show(message)
    return []
  }

  private mutating func togglePictureInPicture() -> [AppEffect] {
    guard player.isActive else {
      toast.show(PlayerWords.nothingPlays)
      return []
    }
    guard details != nil else {
      player.toggleCorner()
      return []
    }
    player.moveToCorner()
    return perform(browsing.closeDetails())
  }

  /// Opens the details of the playing video. A video whose card is gone has no details: it is stopped.
  private mutating func showPlaying() -> [AppEffect] {
    guard player.isActive, let card = player.card else {
      toast.show(PlayerWords.nothingPlays)
      return []
    }
    guard !isPlayersCardGone else {
      toast.show(PlayerWords.endedAsGone(player.session.item?.title ?? ""))
      return perform(.control(.stop))
    }
    let effects = browsing.index(of: card, in: tabs.selection) == nil ? perform(browsing.selectTab(player.tab)) : []
    guard let index = browsing.index(of: card, in: tabs.selection) else { return effects }
    browsing.tabs.selected.cards.select(index)
    browsing.tabs.selected.details = DetailsScreen()
    return effects + perform(browsing.completeDetails())
  }

  /// In the full window the controls stay visible for a while after each use.
  private mutating func showControls() -> [AppEffect] { isFullWindow ? player.showControls(&tickets) : [] }

  // MARK: - Mouse

  private mutating func handle(_ mouse: MouseEvent) -> [AppEffect] {
    guard help == nil, tabs.selected.cards.prompt == nil else { return [] }
    if mouse.kind != .drag, mouse.kind != .release { toast.hide() }
    if let command = alert?.command(at: mouse.position), mouse.kind != .drag, mouse.kind != .release {
      return mouse.kind == .press ? perform(command) : []
    }
    let regions = regions
    let isOnCorner = player.hasPicture && corner?.contains(mouse.position) == true
    if regions.miniBar?.contains(mouse.position) == true || isOnCorner {
      return mouse.kind == .press ? showPlaying() : []
    }
    if showsPlayer, let panel {
      let intents = player.handle(
        mouse, on: panel, bar: playerView.barFrame(in: panel.bar), isFullWindow: isFullWindow, &tickets)
      if let intents { return perform(intents) }
    }
    if let row = regions.tabs, row.contains(mouse.position) { return handle(mouse, inTabs: row) }
    if let details, let pane = regions.pane {
      if details.showsCover || regions.divider == nil || pane.contains(mouse.position) {
        return handleInDetails(mouse)
      }
    }
    let point = Point(x: mouse.position.x - regions.cards.minX, y: mouse.position.y - regions.cards.minY)
    return perform(browsing.tabs.selected.cards.handle(mouse.kind, at: point, canPull: canPull, &tickets))
  }

  /// A click selects a tab; the wheel selects the next or previous one.
  private mutating func handle(_ mouse: MouseEvent, inTabs row: Rect) -> [AppEffect] {
    switch mouse.kind {
    case .wheelUp: perform(browsing.selectTab(tabs.selection - 1))
    case .wheelDown: perform(browsing.selectTab(tabs.selection + 1))
    case .press:
      tabBar.tab(at: mouse.position.x, width: row.width).map { perform(browsing.selectTab($0)) } ?? []
    case .drag, .release: []
    }
  }

  /// A click on the cover plays the video; the wheel scrolls the text.
  private mutating func handleInDetails(_ mouse: MouseEvent) -> [AppEffect] {
    let view = detailsView
    switch mouse.kind {
    case .wheelUp: browsing.tabs.selected.details?.scroll(by: -CardsScreen.wheelRows, in: view)
    case .wheelDown: browsing.tabs.selected.details?.scroll(by: CardsScreen.wheelRows, in: view)
    case .press where playButton?.contains(mouse.position) == true: return play()
    case .press, .drag, .release: break
    }
    return []
  }
}
