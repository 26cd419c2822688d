import FeedfallScreen
import WaterfallEngine

/// Finds the part of the screen that handles the mouse.
struct MouseMap {
  enum Target: Equatable {
    /// The playing video's picture over the cards.
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
  /// The picture over the cards.
  var corner: Rect?
  var details: DetailsScreen?
  var isPreview = false
  var isBarHeld = false

  /// The part over the player, if there is one.
  func overlay(for mouse: MouseEvent) -> Target? {
    if let row = regions.miniBar, row.contains(mouse.position) || isBarHeld && mouse.kind.isContinued {
      return .miniBar(row)
    }
    return corner?.contains(mouse.position) == true ? .playing : nil
  }

  /// The part beside or below the player; the cards by default.
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
