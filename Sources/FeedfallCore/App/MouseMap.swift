import FeedfallScreen
import WaterfallEngine

/// Finds the part of the screen that handles the mouse.
struct MouseMap {
  enum Target: Equatable {
    case alert(AlertCommand)
    /// The playing video's picture over the cards.
    case playing
    /// The playing video's row.
    case miniBar(Rect)
    case tabs(Rect)
    case details
    /// A point of the viewport of the cards.
    case cards(Point)
  }

  var regions: Regions
  var alert: Alert?
  /// The picture over the cards.
  var corner: Rect?
  /// The open details.
  var details: DetailsScreen?
  /// Whether the mouse holds a progress bar.
  var isBarHeld = false

  /// The part over the player, if there is one. Dragging goes on below an alert.
  func overlay(for mouse: MouseEvent) -> Target? {
    if !mouse.kind.isContinued, let command = alert?.command(at: mouse.position) { return .alert(command) }
    if let row = regions.miniBar, row.contains(mouse.position) || isBarHeld && mouse.kind.isContinued {
      return .miniBar(row)
    }
    return corner?.contains(mouse.position) == true ? .playing : nil
  }

  /// The part beside or below the player; the cards by default.
  func part(at position: Point) -> Target {
    if let row = regions.tabs, row.contains(position) { return .tabs(row) }
    if areDetails(at: position) { return .details }
    return .cards(Point(x: position.x - regions.cards.minX, y: position.y - regions.cards.minY))
  }

  private func areDetails(at position: Point) -> Bool {
    guard let details, let pane = regions.pane else { return false }
    return !regions.showsCards(beside: details) || pane.contains(position)
  }
}

extension MouseEvent.Kind {
  /// Whether the event goes on with an earlier press.
  var isContinued: Bool {
    switch self {
    case .drag, .release: true
    case .press, .wheelUp, .wheelDown: false
    }
  }
}
