import Foundation
import WaterfallEngine

/// Draws the pictures of the documentation as SVGs into a folder: `swift run waterfall-svg FOLDER`. It is an example of
/// a front end that renders pages.
@main
struct WaterfallSVG {
  /// Only the shape of a card counts: it is scaled to its columns.
  private struct Card {
    var width: Int
    var height: Int
    var span = ItemSize.Span.columns(1)
  }

  private let cards = [
    (4, 3), (3, 4), (16, 9), (2, 3), (1, 1), (16, 9), (4, 3), (3, 4), (1, 1), (16, 9), (4, 3), (2, 3), (16, 9), (1, 1),
    (3, 4), (4, 3),
  ].map { Card(width: $0, height: $1) }

  static func main() throws {
    guard CommandLine.arguments.count == 2 else { fatalError("usage: waterfall-svg FOLDER") }
    let folder = URL(fileURLWithPath: CommandLine.arguments[1])
    for (name, picture) in try WaterfallSVG().pictures() {
      try Data(picture.utf8).write(to: folder.appendingPathComponent("\(name).svg"))
    }
  }

  private func pictures() throws -> [String: String] {
    let (few, many) = (Array(cards.prefix(8)), cards + cards + cards)
    let column = metrics(.count(1))
    var wide = [
      (4, 3), (3, 4), (16, 9), (32, 9), (1, 1), (8, 3), (4, 3), (3, 4), (16, 9), (8, 3), (1, 1), (4, 3),
    ].map { Card(width: $0, height: $1) }
    (wide[3].span, wide[5].span, wide[9].span) = (.full, .columns(2), .columns(2))
    let groups = [[0, 1, 2, 4, 0, 4], [2, 4, 0, 1, 4, 2]].map { numbers in numbers.map { cards[$0] } }
    let carousel = try filled(
      CarouselLayout(viewport: Size(width: 480, height: 140)), [[Card](repeating: cards[0], count: 9)], column)
    let snapped = carousel.targetContentOffset(forProposed: 500, velocity: 0, viewportLength: 480)
    var rows = ArrangedLayout<JustifiedRows<0, 50, 200>>(width: 320)
    try rows.appendSection(column)
    try rows.append(cards.map { ItemSize(height: 80, width: $0.width * 80 / $0.height) }, toSection: 0)
    let pinned = try sections(groups, isHeaderSticky: true)
    return try [
      "waterfall": svg(waterfall(480, .count(4))),
      "grid": svg(filled(RowGridLayout(width: 320), [few], metrics(.count(4)))),
      "list": svg(filled(ListLayout(width: 160), [Array(cards.prefix(3))], column)),
      "rows": svg(rows),
      "carousel": svg(carousel, in: carousel.viewport(at: snapped, length: 480)),
      "order-shortest": svg(waterfall(320, .count(4))),
      "order-tolerance": svg(waterfall(320, .count(4), order: .tolerance(45))),
      "order-left-to-right": svg(waterfall(320, .count(4), order: .leftToRight)),
      "columns-narrow": svg(waterfall(240, .minimumWidth(100), few)),
      "columns-wide": svg(waterfall(480, .minimumWidth(100), few)),
      "spans-in-order": svg(waterfall(320, .count(3), wide, packing: .inOrder)),
      "spans-reordering": svg(waterfall(320, .count(3), wide)),
      "sections": svg(sections(groups, isHeaderSticky: false)),
      "sections-pinned": svg(pinned, in: pinned.viewport(at: 90, length: 260)),
      "direction-mirrored": svg(waterfall(320, .count(4), orientation: Orientation(.vertical, isMirrored: true))),
      "direction-horizontal": svg(waterfall(200, .count(3), orientation: .horizontal)),
      "anchor-four-columns": anchored(waterfall(320, .count(4), many)),
      "anchor-six-columns": anchored(waterfall(320, .count(6), many)),
    ]
  }

  private func metrics(_ columns: ColumnRule) -> SectionMetrics {
    SectionMetrics(columns: columns, columnSpacing: 8, lineSpacing: 8, insets: Insets(all: 8))
  }

  private func waterfall(
    _ breadth: Int, _ columns: ColumnRule, _ cards: [Card]? = nil, orientation: Orientation = .vertical,
    order: ItemOrder = .shortest, packing: SpanPacking = .reordering(within: 9)
  ) throws -> WaterfallLayout {
    var metrics = metrics(columns)
    (metrics.order, metrics.spanPacking) = (order, packing)
    return try filled(WaterfallLayout(breadth: breadth, orientation: orientation), [cards ?? self.cards], metrics)
  }

  private func sections(_ groups: [[Card]], isHeaderSticky: Bool) throws -> WaterfallLayout {
    var metrics = metrics(.count(3))
    (metrics.headerHeight, metrics.footerHeight, metrics.separatorHeight) = (28, 12, 2)
    (metrics.isHeaderSticky, metrics.hasBackground) = (isHeaderSticky, true)
    return try filled(WaterfallLayout(width: 320), groups, metrics)
  }

  /// Adds a section for each group; each card is as long as its shape and the width of its columns require.
  private func filled<Layout: CollectionLayout>(
    _ empty: Layout, _ groups: [[Card]], _ metrics: SectionMetrics
  ) throws -> Layout {
    var layout = empty
    for (section, cards) in groups.enumerated() {
      try layout.appendSection(metrics)
      let (width, count) = (layout.columnWidth(inSection: section), layout.columnCount(inSection: section))
      let items = cards.map { card in
        let span = if case .columns(let columns) = card.span { min(columns, count) } else { count }
        let breadth = span * width + (span - 1) * metrics.columnSpacing
        let isVertical = layout.orientation.axis == .vertical
        let (across, along) = isVertical ? (card.width, card.height) : (card.height, card.width)
        return ItemSize(height: (2 * breadth * along + across) / (2 * across), span: card.span)
      }
      try layout.append(items, toSection: section)
    }
    return layout
  }

  /// Scrolls so that item 20 lies on row 90 of the viewport, and marks it.
  private func anchored(_ layout: WaterfallLayout) -> String {
    let anchor = ScrollAnchor(path: ElementPath(item: 20), screenRow: 90)
    let offset = layout.contentOffset(keeping: anchor, viewportLength: 260)
    return svg(layout, in: layout.viewport(at: offset, length: 260), marked: anchor.path)
  }

  private func svg(_ layout: some CollectionLayout, in viewport: Rect? = nil, marked: ElementPath? = nil) -> String {
    let part = viewport ?? Rect(origin: .zero, size: layout.contentSize)
    let elements = viewport.map { layout.layoutAttributes(inViewport: $0) } ?? layout.layoutAttributes(in: part)
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(part.width)" height="\(part.height)" \
      viewBox="\(part.minX) \(part.minY) \(part.width) \(part.height)">
      <style>text{font:14px sans-serif;fill:#fff;text-anchor:middle}.item{fill:#4477aa}.wide{fill:#b5651d}\
      .marked{fill:#c02942}.header{fill:#444}.footer{fill:#777}.separator{fill:#999}.background{fill:#999;opacity:.25}\
      </style>

      """
    for element in elements.sorted(by: { $0.zIndex < $1.zIndex }) {
      let (frame, path) = (element.frame, element.path)
      let isWide = element.kind == .item && layout.itemSize(at: path).span != .columns(1)
      let name = element.kind == .item && path == marked ? "marked" : isWide ? "wide" : "\(element.kind)"
      svg += """
        <rect class="\(name)" x="\(frame.minX)" y="\(frame.minY)" width="\(frame.width)" height="\(frame.height)"/>

        """
      let label = element.kind == .item ? "\(path.item)" : element.kind == .header ? "section \(path.section)" : nil
      guard let label, frame.width >= 24, frame.height >= 16 else { continue }
      svg += "<text x=\"\(frame.midX)\" y=\"\(frame.midY + 5)\">\(label)</text>\n"
    }
    return svg + "</svg>\n"
  }
}
