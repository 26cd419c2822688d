import FeedfallScreen
import WaterfallEngine

extension AppState {
  mutating func handle(_ mouse: MouseEvent) -> [AppEffect] {
    // A hint with the key of an answer is no answer.
    if !mouse.kind.isContinued { redirectQuestion = nil }
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
    if showsPlayer || isFullWindow, let panel {
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
