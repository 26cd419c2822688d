import FeedfallScreen
import WaterfallEngine

extension AppState {
  mutating func mouseArrived(_ mouse: MouseEvent) -> [AppEffect] {
    // A hint with the key of an answer is no answer.
    if !mouse.kind.isContinued { redirectQuestion = nil }
    let hint = mouse.kind == .press ? placedHints.key(at: mouse.position) : nil
    if mouse.kind == .press { pendingPrefix = nil }
    if mouse.kind == .press || mouse.kind == .release { browsing.tabs.selected.cards.picks.endDrag() }
    if let hint { return keyPressed(hint) }
    let regions = regions
    let hasControls = !isFullWindow || playback.screen.hasControlsInFullWindow || toast.text != nil
    help?.handle(mouse, size: regions.whole.size)
    guard help == nil, !hasPrompt, openPrompt != .sources else { return [] }
    if mouse.kind == .drag, !isFullWindow, let effects = dragOverCards(to: mouse.position, regions) { return effects }
    if !mouse.kind.isContinued {
      toast.hide()
      browsing.downloads.cancelRemoval()
    }
    let position = mouse.position
    if let row = regions.miniBar, row.contains(position) || player.held != nil && mouse.kind.isContinued {
      return mouseArrived(mouse, onMiniBar: row)
    }
    if areSourcesShown { return mouseArrivedOnSources(mouse, regions) }
    if player.hasPicture, corner?.contains(position) == true { return mouse.kind == .press ? showPlaying() : [] }
    if showsPlayer || isFullWindow, let panel {
      let bar = hasControls ? playerView.barFrame(in: panel.bar) : nil
      if let effects = mouseArrived(mouse, on: panel, bar: bar) { return effects }
    }
    if let row = regions.tabs, row.contains(position) {
      switch tabBar.target(of: mouse, in: row) {
      case .tab(let place)?: return browsing.selectTab(atPlace: place)
      case .others?: showSources()
      case nil: break
      }
      return []
    }
    if let pane = regions.pane, !regions.showsCards(beside: shownDetails) || pane.contains(position) {
      if details != nil { return mouseArrivedOnDetails(mouse) }
      // The preview always shows its start: the wheel moves the list beside it.
      switch mouse.kind {
      case .press: return pressPreview(mouse)
      case .drag, .release: return []
      case .wheelUp, .wheelDown: break
      }
    }
    if let row = regions.heading, row.contains(position) {
      guard mouse.kind == .press else { return [] }
      let names = position.x - row.minX - tabs.selected.cards.layout.margin
      guard let column = tabs.selected.cards.table?.column(at: names) else { return [] }
      return browsing.sort(by: column)
    }
    return mouseArrivedOnCards(mouse.kind, at: point(of: position, in: regions))
  }

  private func point(of position: Point, in regions: Regions) -> Point {
    Point(x: position.x - regions.cards.minX, y: position.y - regions.cards.minY)
  }

  /// Nil if the drag has not begun on a card, or is not over another one.
  private mutating func dragOverCards(to position: Point, _ regions: Regions) -> [AppEffect]? {
    guard case .card(let card)? = tabs.selected.cards.target(at: point(of: position, in: regions)) else { return nil }
    return browsing.pick(byDragTo: card)
  }

  private mutating func mouseArrived(_ mouse: MouseEvent, onMiniBar row: Rect) -> [AppEffect] {
    let parts = playerView.miniBarParts(in: row)
    if let commands = playback.screen.drag(mouse, onBar: parts.bar, isMini: true) {
      return commands.flatMap { control($0) }
    }
    guard mouse.kind == .press else { return [] }
    let isOnSign = player.session.isUnderWay && parts.sign.contains(mouse.position)
    return isOnSign ? control(.togglePause) : showPlaying()
  }

  /// Returns nil if the mouse is not over the player. `bar` is nil if it is hidden.
  private mutating func mouseArrived(_ mouse: MouseEvent, on panel: PlayerPanel, bar: Rect?) -> [AppEffect]? {
    if let commands = playback.screen.drag(mouse, onBar: bar, isMini: false) {
      return commands.flatMap { control($0) } + showControls()
    }
    guard panel.picture.contains(mouse.position) else { return isFullWindow ? [] : nil }
    switch mouse.kind {
    case .press: return isFullWindow ? clickInFullWindow() : control(.togglePause)
    case .wheelUp, .wheelDown:
      guard player.session.isUnderWay else { return isFullWindow ? [] : nil }
      return control(player.turning(up: mouse.kind == .wheelUp, at: mouse.position, in: panel.picture))
    case .drag, .release: return []
    }
  }

  private mutating func clickInFullWindow() -> [AppEffect] {
    let (isDouble, effects) = playback.screen.clickInFullWindow(&tickets)
    return isDouble ? effects + control(.togglePause) + showControls() : effects
  }

  private mutating func mouseArrivedOnDetails(_ mouse: MouseEvent) -> [AppEffect] {
    switch mouse.kind {
    case .wheelUp: scrollDetails(by: -CardsScreen.wheelRows)
    case .wheelDown: scrollDetails(by: CardsScreen.wheelRows)
    case .press where playButton?.contains(mouse.position) == true: return play()
    case .press, .drag, .release: break
    }
    return []
  }

  private mutating func mouseArrivedOnCards(_ kind: MouseEvent.Kind, at point: Point) -> [AppEffect] {
    let canPull = browsing.canPull
    switch kind {
    case .wheelUp, .wheelDown:
      let effects = browsing.tabs.selected.cards.scroll(up: kind == .wheelUp, canPull: canPull, &tickets)
      return browsing.completeDetails() + effects
    case .press: break
    case .drag, .release: return []
    }
    let target = tabs.selected.cards.target(at: point)
    if case .card(let card)? = target { browsing.tabs.selected.cards.beginDrag(at: card) }
    switch target {
    case .header:
      browsing.tabs.selected.cards.pull.cancel()
      return canPull ? refreshOrRetry() : []
    case .footer: return browsing.loadMore()
    case .card(let card) where card == tabs.selected.cards.selection: return browsing.openDetails()
    case .card(let card):
      browsing.tabs.selected.cards.select(card)
      return browsing.showSelectedVideo()
    case nil: return []
    }
  }

  /// Opens the details of a wide list's preview. On the cover the press also plays the video, unless it plays already.
  private mutating func pressPreview(_ mouse: MouseEvent) -> [AppEffect] {
    let isOnCover = playButton?.contains(mouse.position) == true
    let opening = browsing.openDetails()
    let plays = isOnCover && !(player.session.isUnderWay && isPlayersCardShown)
    return opening + (plays ? play() : [])
  }
}

extension MouseEvent.Kind {
  var isContinued: Bool { self == .drag || self == .release }
}
