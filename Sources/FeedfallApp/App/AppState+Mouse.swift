import FeedfallScreen
import WaterfallEngine

extension AppState {
  mutating func handle(_ mouse: MouseEvent) -> [AppEffect] {
    // A hint with the key of an answer is no answer.
    if !mouse.kind.isContinued { redirectQuestion = nil }
    let hint = mouse.kind == .press ? placedHints.key(at: mouse.position) : nil
    if mouse.kind == .press { pendingPrefix = nil }
    if let hint { return handle(hint) }
    let regions = regions
    let hasControls = !isFullWindow || playback.screen.hasControlsInFullWindow || toast.text != nil
    help?.handle(mouse, size: regions.whole.size)
    guard help == nil, !hasPrompt else { return [] }
    if !mouse.kind.isContinued {
      toast.hide()
      browsing.downloads.cancelRemoval()
    }
    let position = mouse.position
    if let row = regions.miniBar, row.contains(position) || player.held != nil && mouse.kind.isContinued {
      return perform(playback.screen.handle(mouse, on: miniBar.parts(in: row)))
    }
    if player.hasPicture, corner?.contains(position) == true {
      return mouse.kind == .press ? perform(.showPlaying) : []
    }
    if showsPlayer || isFullWindow, let panel {
      let intents = playback.screen.handle(
        mouse, on: panel, bar: hasControls ? playerView.barFrame(in: panel.bar) : nil, isFullWindow: isFullWindow,
        &tickets)
      if let intents { return perform(intents) }
    }
    if let row = regions.tabs, row.contains(position) { return perform(tabBar.handle(mouse, in: row)) }
    if let pane = regions.pane, !regions.showsCards(beside: shownDetails) || pane.contains(position) {
      if details != nil {
        let (view, button) = (detailsView, playButton)
        return perform(browsing.tabs.selected.details?.handle(mouse, in: view, playButton: button) ?? [])
      }
      // The preview always shows its start: the wheel moves the list beside it.
      if !mouse.kind.isWheel { return mouse.kind == .press ? pressPreview(mouse) : [] }
    }
    if let row = regions.heading, row.contains(position) {
      guard mouse.kind == .press else { return [] }
      let names = position.x - row.minX - tabs.selected.cards.layout.margin
      guard let column = tabs.selected.cards.table?.column(at: names) else { return [] }
      return perform(.sort(column))
    }
    let point = Point(x: position.x - regions.cards.minX, y: position.y - regions.cards.minY)
    return perform(browsing.tabs.selected.cards.handle(mouse.kind, at: point, canPull: browsing.canPull, &tickets))
  }

  /// Opens the details of a wide list's preview. On the cover the press also plays the video, unless it plays already.
  private mutating func pressPreview(_ mouse: MouseEvent) -> [AppEffect] {
    let isOnCover = playButton?.contains(mouse.position) == true
    let opening = perform(.openDetails)
    let plays = isOnCover && !(player.session.isUnderWay && isPlayersCardShown)
    return opening + (plays ? perform(.play) : [])
  }
}

extension MouseEvent.Kind {
  fileprivate var isWheel: Bool {
    switch self {
    case .wheelUp, .wheelDown: true
    case .press, .drag, .release: false
    }
  }

  var isContinued: Bool {
    switch self {
    case .drag, .release: true
    case .press, .wheelUp, .wheelDown: false
    }
  }
}
