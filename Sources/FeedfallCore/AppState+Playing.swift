import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import WaterfallEngine

/// Playing: what a person wants of it, and what comes of that.
extension AppState {
  /// Whether the pane shows what plays or was played last.
  var isPlayersCardShown: Bool { pane != nil && player.card != nil && waterfall.selectedCard?.id == player.card }

  /// Whether the pane is the player's.
  var showsPlayer: Bool { player.isActive && isPlayersCardShown }

  var isFullWindow: Bool { player.isFullWindow && showsPlayer }

  var hasMiniBar: Bool { player.isActive && !isPlayersCardShown }

  // MARK: - Starting

  /// Plays the selected video in its pane; one that plays already is paused, or goes on.
  mutating func play() -> [AppEffect] {
    guard let card = waterfall.selectedCard else { return [] }
    if card.id == player.card, player.session.isUnderWay { return perform(.togglePause) }
    let opening = pane == nil ? openPane() : []
    return opening + play(card)
  }

  /// Plays a video as soon as it is known where.
  private mutating func play(_ card: Card) -> [AppEffect] {
    for source in sources.indices { sources[source].details.playsNoMore() }
    return card.video.detailsURL == nil ? start(card) : askWhere(card, sequel: .play)
  }

  mutating func start(_ card: Card) -> [AppEffect] {
    guard card.hasAddress else {
      message = PlayerWords.noAddress(card.video.title, hasPage: card.video.pageURL != nil)
      return []
    }
    message = nil
    player.card = card.id
    if waterfall.selectedCard?.id == card.id {
      player.tab = seen
    } else if tabs[player.tab].waterfall.cards.index(of: card.id) == nil {
      player.tab = tab(of: card.source)
    }
    if isPlayersCardShown { pane = DetailPane() }
    // The player is told of the right size at once.
    return makeRoom() + perform(.play(PlayItem(card.video)))
  }

  /// Plays the video before or behind the one that plays, which the pane follows; what has no address is passed over.
  mutating func playNeighbour(by step: Int) -> [AppEffect] {
    let cards = tabs[player.tab].waterfall.cards
    guard let index = player.card.flatMap(cards.index) else {
      message = PlayerWords.isGone(player.session.item?.title ?? "")
      return []
    }
    let neighbour = stride(from: index + step, to: step > 0 ? cards.count : -1, by: step)
      .first { cards.card(at: $0).canBePlayed }
    guard let neighbour else {
      message = PlayerWords.noNeighbour(by: step)
      return []
    }
    if isPlayersCardShown, player.tab == seen {
      waterfall.select(neighbour)
      pane = DetailPane()
    }
    return play(cards.card(at: neighbour))
  }

  // MARK: - Wishes and reports

  mutating func perform(_ command: PlayCommand) -> [AppEffect] { carryOut(player.session.perform(command)) }

  mutating func handle(_ report: PlayerReport) -> [AppEffect] { carryOut(player.session.handle(report)) }

  mutating func carryOut(_ effects: [PlayEffect]) -> [AppEffect] {
    effects.flatMap { effect -> [AppEffect] in
      switch effect {
      case .order(let order): return [.player(order)]
      case .saveRecords: return [.keepRecords(player.session.records)]
      case .leaveFullWindow:
        player.isFullWindow = false
        return []
      case .playNext: return playNeighbour(by: 1)
      case .show(let notice):
        message = PlayerWords.text(for: notice)
        return showControls()
      }
    }
  }

  // MARK: - Where it is seen

  /// Tells the player how large its picture is.
  mutating func makeRoom() -> [AppEffect] {
    if !isPlayersCardShown { (player.isFullWindow, player.held) = (false, nil) }
    if showsPlayer { pane?.showsCover = false }
    let pixelAspect = Double(2 * max(1, cellSize.width)) / Double(max(1, cellSize.height))
    return carryOut(player.session.resizeVideo(to: videoSize, pixelAspect: pixelAspect))
  }

  private var videoSize: Size? {
    guard settings.hasColorsForVideo else { return nil }
    let size = isPlayersCardShown ? panel?.picture.size : corner?.size
    return size.flatMap { PlayerPanel.holdsVideo($0) ? $0 : nil }
  }

  var panel: PlayerPanel? {
    player.isFullWindow
      ? PlayerPanel(inWindow: Rect(origin: .zero, size: size))
      : regions.pane.map { PlayerPanel(inPane: $0, cellSize: cellSize) }
  }

  /// Where the picture is while the cards are looked at.
  var corner: Rect? {
    player.isInCorner && pane == nil ? PlayerPanel.corner(of: regions.cards, cellSize: cellSize) : nil
  }

  mutating func toggleFullWindow() -> [AppEffect] {
    player.isFullWindow.toggle()
    return player.isFullWindow ? player.controls.show(&tickets) : player.controls.hide()
  }

  mutating func toggleCorner() -> [AppEffect] {
    guard player.isActive else {
      message = PlayerWords.nothingPlays
      return []
    }
    guard pane != nil else {
      player.isInCorner.toggle()
      return []
    }
    player.isInCorner = true
    return closePane()
  }

  /// Whether a refresh has taken away the card of what plays.
  var isPlayersCardGone: Bool {
    guard let card = player.card else { return false }
    return tabs[player.tab].waterfall.cards.index(of: card) == nil && waterfall.cards.index(of: card) == nil
  }

  /// Opens the pane of what plays, in the tab that is seen where it is there. What has no card any more has no pane
  /// either, so that there it ends.
  mutating func showPlayer() -> [AppEffect] {
    guard player.isActive, let card = player.card else {
      message = PlayerWords.nothingPlays
      return []
    }
    guard !isPlayersCardGone else {
      message = PlayerWords.endedAsGone(player.session.item?.title ?? "")
      return perform(.stop)
    }
    let effects = waterfall.cards.index(of: card) == nil ? showTab(player.tab) : []
    guard let index = waterfall.cards.index(of: card) else { return effects }
    waterfall.select(index)
    pane = DetailPane()
    return effects + completeShownVideo()
  }

  /// From the whole window to the pane, and from there to an end.
  mutating func stopPlayer() -> [AppEffect] {
    if isFullWindow { return toggleFullWindow() }
    return hasShownFailure ? dismissFailures() : perform(.stop)
  }
}

extension Card {
  fileprivate var hasAddress: Bool { video.playbackURL != nil || !video.players.isEmpty }

  /// Whether there is an address, or may be.
  fileprivate var canBePlayed: Bool { hasAddress || video.detailsURL != nil }
}
