import FeedfallScreen
import FeedfallText

extension AppState {
  mutating func perform(_ command: Command) -> [AppEffect] {
    if let effects = performOnList(command) { return effects }
    switch command {
    // Performed where they are handled.
    case .prompt, .help: return []
    case .answer(let answer): return perform(answer)
    case .sources(let command): return perform(command)
    case .failure(.retry): return refreshOrRetry()
    case .failure(.dismiss): return browsing.dismissFailures()
    case .player(let command): return perform(command)
    case .details(let command): return perform(command)
    case .cards(let command):
      if command == .move(.first) { browsing.tabs.selected.collectLate(library) }
      return followingSelection { $0.perform(command) }
    case .browse(let command): return perform(command)
    case .global(let command): return perform(command)
    }
  }

  /// A list has no film: playing opens it. Nil for commands that treat it as any card.
  private mutating func performOnList(_ command: Command) -> [AppEffect]? {
    guard (isFullWindow ? playersCard : browsing.firstMeantCard)?.video.list != nil else { return nil }
    switch command {
    case .browse(.play): return browsing.openDetails()
    case .browse(.toggle), .browse(.download), .browse(.removeDownload), .cards(.toggleQueued), .cards(.queueNext),
      .cards(.playSoundOnly):
      return browsing.show(words.isList)
    default: return nil
    }
  }

  private mutating func perform(_ command: PlayerCommand) -> [AppEffect] {
    switch command {
    case .control(let command): return control(command)
    case .playNext: return playNeighbor(by: 1)
    case .playPrevious: return playNeighbor(by: -1)
    case .toggleFullWindow: return playback.screen.toggleFullWindow(&tickets)
    case .pictureInPicture: return togglePictureInPicture()
    case .leave:
      playback.screen.leaveFullWindow()
      return browsing.closeDetails()
    case .stop where player.isFullWindow && player.isCardShown: return playback.screen.toggleFullWindow(&tickets)
    case .stop: return control(.stop) + leavePlayer()
    }
  }

  private mutating func perform(_ command: DetailsCommand) -> [AppEffect] {
    guard details != nil else { return [] }
    let page = max(1, regions.whole.height - 2)
    switch command {
    case .scrollDown: scrollDetails(by: 1)
    case .scrollUp: scrollDetails(by: -1)
    case .halfPageDown: scrollDetails(by: page / 2)
    case .halfPageUp: scrollDetails(by: -page / 2)
    case .pageDown: scrollDetails(by: page)
    case .pageUp: scrollDetails(by: -page)
    case .scrollToTop: scrollDetails(by: -.max)
    case .scrollToEnd: scrollDetails(by: .max)
    case .previousVideo: return browsing.showVideo(by: -1)
    case .nextVideo: return browsing.showVideo(by: 1)
    case .toggleCover: browsing.tabs.selected.details?.showsCover.toggle()
    case .close: return browsing.closeDetails()
    }
    return []
  }

  mutating func scrollDetails(by rows: Int) {
    let view = detailsView
    browsing.tabs.selected.details?.scroll(by: rows, in: view)
  }

  private mutating func perform(_ command: CardsCommand) -> [AppEffect] {
    if case .move(let move) = command {
      if move == .last { browsing.followEnd() }
      let canPull = browsing.canPull
      return browsing.tabs.selected.cards.move(move, canPull: canPull, &tickets)
    }
    browsing.tabs.selected.cards.pull.cancel()
    switch command {
    case .move: break
    case .openDetails: return browsing.openDetails()
    case .togglePictureInPicture: return togglePictureInPicture()
    case .loadMore: return browsing.loadMore()
    case .nextLayout: browsing.changeLayout(by: 1)
    case .previousLayout: browsing.changeLayout(by: -1)
    case .search: browsing.tabs.selected.cards.beginSearch(browsing.searchHistory)
    case .nextMatch: browsing.selectMatch(forward: true)
    case .previousMatch: browsing.selectMatch(forward: false)
    case .clearSearch where tabs.selected.cards.picks.count > 0: browsing.tabs.selected.cards.picks.clear()
    case .clearSearch where tabs.selected.cards.needle.isEmpty: return browsing.clearFilterOrStop()
    case .clearSearch: browsing.tabs.selected.cards.clearSearch()
    case .filter: browsing.tabs.selected.beginFilter(browsing.filterHistory)
    case .nextOrder: return browsing.chooseNextOrder()
    case .toggleQueued: return browsing.toggle(.queued, at: now)
    case .queueNext: return queueNext()
    case .moveLater: return browsing.moveInQueue(by: 1, at: now)
    case .moveEarlier: return browsing.moveInQueue(by: -1, at: now)
    case .playSoundOnly: return play(isSoundOnly: true)
    case .pick: browsing.pickAndGoOn()
    case .pickAll: browsing.pickAll()
    case .markAllWatched: return browsing.perform(.watched, at: now)
    case .nextUnwatched: return browsing.selectUnwatched(forward: true)
    case .previousUnwatched: return browsing.selectUnwatched(forward: false)
    case .showSources: showSources()
    case .searchServer: beginCommand(with: CommandVocabulary.Word.search.rawValue + " ")
    }
    return []
  }

  private mutating func perform(_ command: BrowseCommand) -> [AppEffect] {
    let (tab, now) = (tabs.selection, now)
    defer { if isFullWindow, tabs.selection != tab { playback.screen.leaveFullWindow() } }
    switch command {
    case .play: return play()
    case .showPlaying: return showPlaying()
    case .refreshOrRetry: return refreshOrRetry()
    case .copyPlaybackAddress: return onMeantCard { $0.copyPlaybackAddress() }
    case .copyCoverAddress: return onMeantCard { $0.copyCoverAddress() }
    case .openPage: return onMeantCard { $0.openPage() }
    case .openChannel: return onMeantCard { $0.openChannel() }
    case .goBack: return browsing.goBack()
    case .openLinks: return openLinks()
    case .openRelated: return onMeantCard { $0.openRelated() }
    case .toggle(let mark):
      let effects = onMeantCard { $0.toggle(mark, at: now) }
      return mark == .hidden ? effects + browsing.showSelectedVideo() : effects
    case .undo: return browsing.undo(at: now)
    case .download: return onMeantCard { $0.download() }
    case .removeDownload:
      defer { question = toast.number }
      return onMeantCard { $0.removeDownload() }
    case .nextTab: return browsing.changeTab(by: 1)
    case .previousTab: return browsing.changeTab(by: -1)
    case .selectTab(let number): return browsing.selectTab(atPlace: number - 1)
    case .selectRecords(let field): return browsing.selectTab(ofRecords: field)
    }
  }

  /// In the full window, a command means the video of the player.
  private mutating func onMeantCard(_ work: (inout Browsing) -> [AppEffect]) -> [AppEffect] {
    browsing.performing(on: isFullWindow ? playersCard : nil, work)
  }

  mutating func perform(_ command: GlobalCommand) -> [AppEffect] {
    switch command {
    case .typeCommand:
      beginCommand()
      return []
    case .showHelp:
      help = HelpScreen(
        keys, areSourcesShown ? layers : focus.layers(hasFailure: failure != nil), mostUseful: hints,
        browsing.vocabulary, textWidths)
      return []
    case .repaint: return [.repaint]
    case .suspend: return [.suspend]
    case .quit: return quitOrAsk()
    case .quitAtOnce: return [.quit]
    case .control(let command): return controlPlaying(command)
    }
  }

  mutating func beginCommand(with start: String = "") {
    // For several videos, the selection counts when the command is performed.
    let card = tabs.selected.cards.picks.count > 0 ? nil : selectedCard
    commandPrompt.begin(with: start, for: isFullWindow ? playersCard : card, in: meantTabs)
  }

  mutating func handleCommandPrompt(_ input: Prompt.Input) -> [AppEffect] {
    guard let text = commandPrompt.handle(input, browsing.vocabulary) else { return [] }
    do throws(CommandVocabulary.Fault) {
      // Passwords are not stored.
      let saving = text.hidingPassword == text ? [AppEffect.saveCommand(text)] : []
      let (command, now) = (try browsing.vocabulary.command(text), now)
      switch command {
      case .help: return saving + perform(GlobalCommand.showHelp)
      case .quit: return saving + perform(GlobalCommand.quitAtOnce)
      default:
        let tab = tabs.selection
        browsing.meantTabs = commandPrompt.tabs
        defer { browsing.meantTabs = nil }
        let effects = browsing.performing(on: commandPrompt.card) { $0.perform(command, at: now) }
        return saving + effects + (tab == tabs.selection ? [] : sourceList.close())
      }
    } catch {
      return browsing.show(words.text(error))
    }
  }

  mutating func refreshOrRetry() -> [AppEffect] {
    covers.retry()
    lengths.retryFailures()
    // A playback that has gone on since is not repeated.
    let failed = browsing.hasShownFailure ? [] : browsing.dismissShownAddresses()
    if failed.isEmpty { return browsing.refreshOrRetry() }
    return failed.flatMap { $0.purpose == .play ? retryPlayback() : browsing.retry($0) }
  }
}
