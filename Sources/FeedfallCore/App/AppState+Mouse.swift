import FeedfallScreen
import WaterfallEngine

extension AppState {
  mutating func handle(_ mouse: MouseEvent) -> [AppEffect] {
    let rows = 3
    guard help == nil, search == nil else { return [] }
    if mouse.kind != .drag, mouse.kind != .release { message = nil }
    if let effects = handleAtPlayer(mouse) { return effects }
    if let row = regions.tabs, row.contains(mouse.position) { return handle(mouse, inTabs: row) }
    if isPane(at: mouse.position) {
      switch mouse.kind {
      case .wheelUp: scrollPane(by: -rows)
      case .wheelDown: scrollPane(by: rows)
      case .press, .drag, .release: break
      }
      return []
    }
    switch mouse.kind {
    case .wheelUp:
      if waterfall.isAtTop { return pullDown() }
      waterfall.scrollView(by: -rows)
    case .wheelDown:
      if pull.isPulling {
        pull.spring()
      } else {
        waterfall.scrollView(by: rows)
      }
    case .press: return click(at: mouse.position)
    case .drag, .release: return []
    }
    return pane == nil ? [] : completeShownVideo()
  }

  /// A click selects a tab, the wheel the next one.
  private mutating func handle(_ mouse: MouseEvent, inTabs row: Rect) -> [AppEffect] {
    switch mouse.kind {
    case .wheelUp: seen > 0 ? showTab(by: -1) : []
    case .wheelDown: seen < tabs.count - 1 ? showTab(by: 1) : []
    case .press: tabBar.tab(at: mouse.position.x, width: row.width).map { showTab($0) } ?? []
    case .drag, .release: []
    }
  }

  /// Whether the pane is what a person points at: beside the cards its own part, over them everything.
  private func isPane(at position: Point) -> Bool {
    guard let pane, let region = regions.pane else { return false }
    return pane.showsCover || regions.divider == nil || region.contains(position)
  }

  private mutating func click(at position: Point) -> [AppEffect] {
    let region = regions.cards
    let inside = Point(x: position.x - region.minX, y: position.y - region.minY)
    guard region.contains(position), let item = waterfall.card(at: inside) else { return [] }
    if waterfall.selection == item { return openPane() }
    waterfall.select(item)
    if pane != nil { pane = DetailPane() }
    return completeShownVideo()
  }
}
