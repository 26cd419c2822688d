import FeedfallScreen
import WaterfallEngine

extension AppState {
  mutating func handle(_ mouse: MouseEvent) -> [AppEffect] {
    // A hint with the key of an answer is no answer.
    if !mouse.kind.isContinued { redirectQuestion = nil }
    let hint = mouse.kind == .press ? placedHints.key(at: mouse.position) : nil
    if mouse.kind == .press { pendingPrefix = nil }
    if let hint { return handle(hint) }
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

extension AppState {
  struct MouseMap {
    enum Target: Equatable {
      case playing
      case miniBar(Rect)
      case tabs(Rect)
      case details
      /// The details beside a wide list, which are not open.
      case preview
      /// The distance from the start of the row with the names of the columns.
      case heading(Int)
      /// A point of the viewport of the cards.
      case cards(Point)
    }

    var regions: Regions
    var corner: Rect?
    var details: DetailsScreen?
    var isPreview = false
    var isBarHeld = false

    func overlay(for mouse: MouseEvent) -> Target? {
      if let row = regions.miniBar, row.contains(mouse.position) || isBarHeld && mouse.kind.isContinued {
        return .miniBar(row)
      }
      return corner?.contains(mouse.position) == true ? .playing : nil
    }

    func part(for mouse: MouseEvent) -> Target {
      let position = mouse.position
      if let row = regions.tabs, row.contains(position) { return .tabs(row) }
      if areDetails(at: position) {
        if !isPreview { return .details }
        // The preview always shows its start: the wheel moves the list beside it.
        if !mouse.kind.isWheel { return .preview }
      }
      if let row = regions.heading, row.contains(position) { return .heading(position.x - row.minX) }
      return .cards(Point(x: position.x - regions.cards.minX, y: position.y - regions.cards.minY))
    }

    private func areDetails(at position: Point) -> Bool {
      guard let details, let pane = regions.pane else { return false }
      return !regions.showsCards(beside: details) || pane.contains(position)
    }
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
