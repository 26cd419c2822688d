import FeedfallScreen
import WaterfallEngine

extension CardsScreen {
  /// Nil for the videos that have left their feeds.
  func sourceName(of source: SourceID) -> String? {
    sourceNames.indices.contains(source.number) ? sourceNames[source.number].nonEmpty : nil
  }

  var selectedSlot: CardSlot? { selection.map { cards[$0] } }

  func selectedCard(in store: CardStore) -> Card? { selectedSlot.map { store[$0] } }

  var metrics: CardMetrics { layout.metrics }
  var table: CardTable? {
    layout.traits.isTable
      ? CardTable(width: max(0, viewport.width - 2 * layout.margin), hasChannel: hasChannelColumn) : nil
  }
  /// A column with one value has no use.
  var hasChannelColumn: Bool { sourceNames.isEmpty ? cards.channels.isVaried : cards.sources.isVaried }
  var isAtTop: Bool { navigator.isAtTop }
  var isLastCardVisible: Bool { visibleCards.contains(cards.count - 1) }
  var shift: Int { isAtTop ? headerRows : 0 }
  var displacement: Point {
    isHorizontal ? Point(x: shift * CardNavigator.columnsPerRow, y: 0) : Point(x: 0, y: shift)
  }

  func frame(of card: Int) -> Rect { layout.frame(of: card) }

  var visibleElements: [LayoutAttributes] { navigator.visibleElements }
  var shownElements: [LayoutAttributes] { navigator.shownElements }
  var visibleCards: [Int] { navigator.visibleCards }

  /// In cells of the viewport; nil if the card has no cover.
  func coverFrame(of card: Int) -> Rect? {
    let element = visibleElements.first { $0.kind == .item && layout.card(at: $0.path) == card }
    guard let frame = element?.frame.offsetBy(x: displacement.x, y: displacement.y) else { return nil }
    return metrics.coverFrame(in: frame, of: cards.shapes[card])
  }

  func card(at point: Point) -> Int? {
    let inside = Point(x: point.x - displacement.x, y: point.y - displacement.y)
    let hit = visibleElements.last { $0.frame.contains(inside) && ($0.kind == .item || $0.isPinned) }
    return hit.flatMap { $0.kind == .item ? layout.card(at: $0.path) : nil }
  }

  /// The number of cards from the last visible one on.
  var remainingCount: Int { cards.count - (visibleCards.max() ?? selection ?? 0) }

  func isFooter(at point: Point) -> Bool {
    guard !cards.isEmpty else { return false }
    if isHorizontal { return isLastCardVisible && point.y == viewport.height - 1 }
    let inside = Point(x: point.x - displacement.x, y: point.y - displacement.y)
    return visibleElements.last { $0.frame.contains(inside) }?.kind == .footer
  }
}
