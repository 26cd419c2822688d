import FeedfallRecords

/// A request of a screen that affects more than the screen itself.
enum Intent: Equatable, Sendable {
  case showMessage(String)
  case show(PlaySession.Notice)
  case reportMissingSearch
  case ask(RedirectQuestion)
  case offerUndo(UndoOffer)
  case loadMore
  /// Keeps the last card selected while the rest of a local feed is loaded.
  case followEnd
  case refreshOrRetry
  case openDetails, closeDetails
  case showSelectedVideo
  case completeDetails
  case showVideo(by: Int)
  case changeLayout(by: Int)
  /// Sorts the selected tab, reverses its order, or restores the tab's own.
  case sort(CardOrder.Column)
  case chooseNextOrder
  case beginSearch, beginFilter, clearFilter
  case beginServerSearch
  case typeCommand(String)
  case perform(GlobalCommand)
  case toggleQueued
  case queueNext
  case moveInQueue(by: Int)
  case changeTab(by: Int)
  case selectTab(Int)
  case selectRecords(UserField)
  /// Plays the selected video in its details, or pauses it.
  case play
  /// Plays only the audio of the selected video, or toggles audio only for the playing one.
  case playSoundOnly
  case start(PlayItem)
  case control(PlayCommand)
  /// Closes the details that were opened by playing a video.
  case leavePlayer
  case playNeighbor(by: Int)
  case playNext
  case retryPlayback
  case enterFullWindow
  case showPlaying
  case togglePictureInPicture
  case showControls
  case savePosition(PlayPosition)
  case effect(AppEffect)
}

extension AppState {
  mutating func perform(_ intents: [Intent]) -> [AppEffect] { intents.flatMap { perform($0) } }

  mutating func perform(_ intent: Intent) -> [AppEffect] {
    switch intent {
    case .effect(let effect): return [effect]
    case .showMessage(let message): toast.show(message)
    case .show(let notice): toast.show(words.text(for: notice))
    case .reportMissingSearch: toast.show(words.noActiveSearch)
    case .ask(let question): ask(question)
    case .offerUndo(let offer): toast.show(words.done(offer.name), offer: offer)
    case .loadMore: return perform(browsing.loadMore())
    case .followEnd: browsing.followEnd()
    case .refreshOrRetry: return refreshOrRetry()
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
    case .beginServerSearch: return perform(browsing.beginServerSearch())
    case .typeCommand(let start): beginCommand(with: start)
    case .perform(let command): return perform(command)
    case .toggleQueued: return perform(browsing.toggle(.queued, at: now))
    case .queueNext: return perform(playback.queueNext(in: &browsing, at: now))
    case .moveInQueue(let step): return perform(browsing.moveInQueue(by: step, at: now))
    case .changeTab(let step): return perform(browsing.changeTab(by: step))
    case .selectTab(let place): return perform(browsing.selectTab(atPlace: place))
    case .selectRecords(let field): return perform(browsing.selectTab(ofRecords: field))
    case .play: return perform(playback.play(in: &browsing))
    case .playSoundOnly: return perform(playback.play(isSoundOnly: true, in: &browsing))
    case .start(let item): return start(item)
    case .control(let command): return control(command)
    case .leavePlayer: return details?.areOpenedToPlay == true ? perform(browsing.closeDetails()) : []
    case .playNeighbor(let step): return perform(playback.playNeighbor(by: step, in: &browsing))
    case .playNext: return perform(playback.playNext(in: &browsing))
    case .retryPlayback: return perform(playback.retry(in: &browsing))
    case .enterFullWindow: return playback.screen.enterFullWindow(&tickets)
    case .showPlaying: return perform(playback.showPlaying(in: &browsing))
    case .togglePictureInPicture:
      return perform(
        playback.togglePictureInPicture(hasDetails: details != nil, obstacle: videoOutput.obstacle, words))
    case .showControls: return showControls()
    case .savePosition(let position): return perform(browsing.save(position, at: now))
    }
    return []
  }
}
