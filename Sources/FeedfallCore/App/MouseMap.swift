import FeedfallScreen
import WaterfallEngine

/// Finds the part of the screen that handles the mouse.
struct MouseMap {
  enum Target: Equatable {
    /// The playing video's picture over the cards.
    case playing
    /// The playing video's row.
    case miniBar(Rect)
    case tabs(Rect)
    case details
    /// The distance from the start of the row with the names of the columns.
    case heading(Int)
    /// A point of the viewport of the cards.
    case cards(Point)
  }

  var regions: Regions
  /// The picture over the cards.
  var corner: Rect?
  /// The open details.
  var details: DetailsScreen?
  /// Whether the mouse holds a progress bar.
  var isBarHeld = false

  /// The part over the player, if there is one.
  func overlay(for mouse: MouseEvent) -> Target? {
    if let row = regions.miniBar, row.contains(mouse.position) || isBarHeld && mouse.kind.isContinued {
      return .miniBar(row)
    }
    return corner?.contains(mouse.position) == true ? .playing : nil
  }

  /// The part beside or below the player; the cards by default.
  func part(at position: Point) -> Target {
    if let row = regions.tabs, row.contains(position) { return .tabs(row) }
    if areDetails(at: position) { return .details }
    if let row = regions.heading, row.contains(position) { return .heading(position.x - row.minX) }
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
