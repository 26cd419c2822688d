import FeedfallScreen
import FeedfallText
import WaterfallEngine

extension AppState {
  mutating func handle(_ input: InputEvent) -> [AppEffect] {
    switch input {
    case .key(let key): return handle(key)
    case .mouse(let mouse): return handle(mouse)
    case .paste(let text):
      search?.insert(text)
      return search == nil ? [] : followSearch()
    }
  }

  private mutating func handle(_ key: Key) -> [AppEffect] {
    message = nil
    if case .control = key, let command = Keymap.command(for: key, in: .everywhere) {
      return performAnywhere(command)
    }
    if search != nil { return handleSearch(key) }
    if var help {
      self.help = help.handle(key, height: regions.whole.height) == .close ? nil : help
      return []
    }
    let context = keyContext
    let waking = showControls()
    guard let command = Keymap.command(for: key, in: context) else { return waking }
    switch context {
    case .everywhere: return performAnywhere(command)
    case .cards: return performInCards(command)
    case .pane: return performInPane(command)
    case .player: return waking + performInPlayer(command)
    }
  }

  private var keyContext: KeyContext { pane == nil ? .cards : showsPlayer ? .player : .pane }

  // MARK: - Commands

  private mutating func performInCards(_ command: Command) -> [AppEffect] {
    if command != waterfall.kind.pullCommand { pull.spring() }
    switch command {
    case .moveLeft: return move(.left)
    case .moveRight: _ = waterfall.move(.right)
    case .moveUp: return move(.up)
    case .moveDown: _ = waterfall.move(.down)
    case .halfPageDown: waterfall.movePages(0.5)
    case .halfPageUp: waterfall.movePages(-0.5)
    case .pageDown: waterfall.movePages(1)
    case .pageUp: waterfall.movePages(-1)
    case .first: waterfall.selectFirst()
    case .last: waterfall.selectLast()
    case .openPane: return openPane()
    case .nextLayout: switchLayout(by: 1)
    case .previousLayout: switchLayout(by: -1)
    case .search: search = SearchField(origin: waterfall.selection ?? 0)
    case .nextMatch: return goToMatch(forward: true)
    case .previousMatch: return goToMatch(forward: false)
    case .nextTab: return showTab(by: 1)
    case .previousTab: return showTab(by: -1)
    case .tab(let number): return showTab(number - 1)
    case .dismiss: return dismiss()
    case .showPlayer: return showPlayer()
    case .toggleCorner: return toggleCorner()
    case .closePane, .toggleCover, .previousVideo, .nextVideo, .player, .playNext, .playPrevious, .toggleFullWindow,
      .leavePlayer, .stopPlayer:
      return []
    case .refreshOrRetry, .loadMore, .copyPlayback, .copyCover, .openPage, .play, .toggleHelp, .repaint, .suspend,
      .quit:
      return performAnywhere(command)
    }
    return []
  }

  private mutating func performInPane(_ command: Command) -> [AppEffect] {
    let page = max(1, regions.whole.height - 2)
    switch command {
    case .moveDown: scrollPane(by: 1)
    case .moveUp: scrollPane(by: -1)
    case .halfPageDown: scrollPane(by: page / 2)
    case .halfPageUp: scrollPane(by: -page / 2)
    case .pageDown: scrollPane(by: page)
    case .pageUp: scrollPane(by: -page)
    case .first: scrollPane(by: -.max)
    case .last: scrollPane(by: .max)
    case .previousVideo: return showVideo(by: -1)
    case .nextVideo: return showVideo(by: 1)
    case .closePane, .dismiss:
      if hasShownFailure { return dismissFailures() }
      return closePane()
    case .toggleCover: pane?.showsCover.toggle()
    case .showPlayer: return showPlayer()
    case .player, .playNext, .playPrevious, .toggleFullWindow, .toggleCorner, .leavePlayer, .stopPlayer,
      .moveLeft, .moveRight, .openPane, .nextLayout, .previousLayout, .search, .nextMatch, .previousMatch, .nextTab,
      .previousTab, .tab:
      return []
    case .refreshOrRetry, .loadMore, .copyPlayback, .copyCover, .openPage, .play, .toggleHelp, .repaint, .suspend,
      .quit:
      return performAnywhere(command)
    }
    return []
  }

  private mutating func performInPlayer(_ command: Command) -> [AppEffect] {
    switch command {
    // An alert says what `r` does as long as it is seen.
    case .player(.again) where hasShownFailure && !isFullWindow: return refreshOrRetry()
    case .player(let wish): return perform(wish)
    case .playNext: return playNeighbour(by: 1)
    case .playPrevious: return playNeighbour(by: -1)
    case .toggleFullWindow: return toggleFullWindow()
    case .toggleCorner: return toggleCorner()
    case .leavePlayer: return closePane()
    case .stopPlayer: return stopPlayer()
    case .moveLeft, .moveRight, .moveUp, .moveDown, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last,
      .openPane, .closePane, .toggleCover, .previousVideo, .nextVideo, .nextLayout, .previousLayout, .search,
      .nextMatch, .previousMatch, .nextTab, .previousTab, .tab, .dismiss, .showPlayer, .refreshOrRetry, .loadMore,
      .copyPlayback, .copyCover, .openPage, .play, .toggleHelp, .repaint, .suspend, .quit:
      return performInPane(command)
    }
  }

  private mutating func performAnywhere(_ command: Command) -> [AppEffect] {
    switch command {
    case .refreshOrRetry: return refreshOrRetry()
    case .loadMore: return loadMore()
    case .copyPlayback: return copyPlayback()
    case .copyCover: return copy(waterfall.selectedVideo?.largeCover?.url, called: "cover address")
    case .openPage: return openPage()
    case .play: return play()
    case .toggleHelp:
      help = HelpScreen()
      return []
    case .repaint: return [.repaint]
    case .suspend: return [.suspend]
    case .quit: return [.quit]
    case .moveLeft, .moveRight, .moveUp, .moveDown, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last,
      .openPane, .closePane, .toggleCover, .previousVideo, .nextVideo, .nextLayout, .previousLayout, .search,
      .nextMatch, .previousMatch, .nextTab, .previousTab, .tab, .dismiss, .player, .playNext, .playPrevious,
      .toggleFullWindow, .toggleCorner, .leavePlayer, .showPlayer, .stopPlayer:
      return []
    }
  }

  /// Moves to the neighbour; toward the start, where there is none any more, it pulls the header instead.
  private mutating func move(_ direction: Direction) -> [AppEffect] {
    let wasAtTop = waterfall.isAtTop
    if waterfall.move(direction) || !wasAtTop || direction != waterfall.kind.backward { return [] }
    return pullDown()
  }

  mutating func pullDown() -> [AppEffect] {
    switch loadHeaderState {
    case .idle, .failed: pull.pull(tickets.next())
    case .pulling, .willRefresh, .refreshing, .holding, .noMoreData: []
    }
  }

  private mutating func switchLayout(by step: Int) {
    let all = LayoutKind.allCases
    guard let now = all.firstIndex(of: waterfall.kind) else { return }
    let kind = all[(now + step + all.count) % all.count]
    layout = kind
    waterfall.switchLayout(to: kind)
    message = "Layout: \(kind.rawValue)"
  }

  private mutating func dismiss() -> [AppEffect] {
    if hasShownFailure { return dismissFailures() }
    waterfall.needle = ""
    return []
  }

  // MARK: - Pane

  mutating func openPane() -> [AppEffect] {
    guard let video = waterfall.selectedVideo else { return [] }
    pane = DetailPane()
    return askDetails(of: video, .show)
  }

  /// Takes the cover away first.
  mutating func closePane() -> [AppEffect] {
    if pane?.showsCover == true {
      pane?.showsCover = false
      return []
    }
    pane = nil
    return selectedSource.map { sources[$0.number].details.cancel() } ?? []
  }

  mutating func scrollPane(by rows: Int) {
    guard let content = paneContent, let region = textRegion else { return }
    pane?.scroll(by: rows, rowCount: content.rowCount, height: region.height)
  }

  private mutating func showVideo(by step: Int) -> [AppEffect] {
    guard let selection = waterfall.selection else { return [] }
    let target = selection + step
    guard (0..<waterfall.cards.count).contains(target) else { return [] }
    waterfall.select(target)
    pane = DetailPane(showsCover: pane?.showsCover ?? false)
    return completeShownVideo()
  }

  mutating func copy(_ address: MediaAddress?, called name: String) -> [AppEffect] {
    guard let address else {
      message = waterfall.selection == nil ? nil : "This video has no \(name)"
      return []
    }
    guard settings.hasClipboard else {
      message = "This terminal takes no copies; the \(name): \(address)"
      return []
    }
    message = "Copied the \(name): \(address)"
    return [.copy(address.text)]
  }

  private mutating func openPage() -> [AppEffect] {
    guard let page = waterfall.selectedVideo?.pageURL else {
      message = waterfall.selection == nil ? nil : "This video has no page; y copies its playback address"
      return []
    }
    guard settings.hasBrowser else {
      let words = "No browser can be started here"
      message = settings.hasClipboard ? "\(words), so the address is copied: \(page)" : "\(words); the page: \(page)"
      return settings.hasClipboard ? [.copy(page.text)] : []
    }
    message = "Opened in the browser: \(page)"
    return [.openInBrowser(page)]
  }
}
