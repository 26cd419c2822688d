import ArgumentParser
import WaterfallEngine

/// The options that arrange the cards.
struct ArrangementArguments: ParsableArguments {
  @Option(help: "The layout.")
  var layout = LayoutChoice.waterfall

  @Option(
    help: ArgumentHelp("The picture's width, or its height if it scrolls sideways.", valueName: "n"))
  var width = 800

  @Option(help: ArgumentHelp("The number of columns.", valueName: "n"))
  var columns: Int?

  @Option(help: ArgumentHelp("As many columns as fit with this width each (160).", valueName: "n"))
  var minColumnWidth: Int?

  @Option(help: ArgumentHelp("shortest, left-to-right, right-to-left or tolerance=N.", valueName: "order"))
  var order = ItemOrder.shortest

  @Option(
    help: ArgumentHelp("How holes above spans are filled: in-order, reordering=N or dense.", valueName: "packing"))
  var spans = SpanPacking.reordering(within: 9)

  @Option(help: ArgumentHelp("The height that rows should have, in the layout rows.", valueName: "n"))
  var rowHeight = 160

  @Option(help: ArgumentHelp("The distance between cards.", valueName: "n"))
  var spacing = 10

  @Option(help: ArgumentHelp("The distance from the edges.", valueName: "n"))
  var inset = 10

  @Option(help: ArgumentHelp("The height of every section's header.", valueName: "n"))
  var header = 0

  @Option(help: ArgumentHelp("The height of every section's footer.", valueName: "n"))
  var footer = 0

  @Option(help: ArgumentHelp("The height of the lines between cards.", valueName: "n"))
  var separator = 0

  @Flag(help: "Keep headers at the viewport's start.")
  var sticky = false

  @Flag(help: "Draw a background behind each section.")
  var background = false

  @Flag(help: "Begin at the right.")
  var rtl = false

  @Flag(help: "Scroll sideways; a carousel always does.")
  var horizontal = false

  func validate() throws {
    let lengths = 0...LayoutLimits.length
    if columns != nil, minColumnWidth != nil {
      throw ValidationError("--columns and --min-column-width exclude each other. Remove one of them.")
    }
    try check("--columns", columns ?? 1, 1...LayoutLimits.columnCount)
    try check("--min-column-width", minColumnWidth ?? 1, 1...LayoutLimits.length)
    try check("--width", width, 1...LayoutLimits.length)
    try check("--row-height", rowHeight, 1...LayoutLimits.length)
    for (name, value) in [("spacing", spacing), ("inset", inset), ("header", header), ("footer", footer)] {
      try check("--\(name)", value, lengths)
    }
    try check("--separator", separator, lengths)
  }

  var metrics: SectionMetrics {
    var metrics = SectionMetrics()
    metrics.columns = columns.map { .count($0) } ?? .minimumWidth(minColumnWidth ?? 160)
    metrics.columnSpacing = spacing
    metrics.lineSpacing = spacing
    metrics.insets = Insets(all: inset)
    metrics.headerHeight = header
    metrics.footerHeight = footer
    metrics.order = order
    metrics.spanPacking = spans
    metrics.isHeaderSticky = sticky
    metrics.hasBackground = background
    metrics.separatorHeight = separator
    return metrics
  }

  var orientation: Orientation {
    Orientation(horizontal || layout == .carousel ? .horizontal : .vertical, isMirrored: rtl)
  }
}

extension ArrangementArguments {
  /// A layout of the cards, a section each; the viewport's length determines a carousel's margins.
  func layout(of sections: [[Card]], viewportLength: Int?) throws -> any CollectionLayout {
    var layout = emptyLayout(viewportLength: viewportLength)
    for (section, cards) in sections.enumerated() {
      try layout.appendSection(metrics)
      try layout.append(items(for: cards, in: layout, section: section), toSection: section)
    }
    return layout
  }

  private func emptyLayout(viewportLength: Int?) -> any CollectionLayout {
    switch layout {
    case .waterfall: WaterfallLayout(breadth: width, orientation: orientation)
    case .grid: RowGridLayout(breadth: width, orientation: orientation)
    case .list: ListLayout(breadth: width, orientation: orientation)
    case .rows: ArrangedLayout<JustifiedRows<0, 50, 200>>(breadth: width, orientation: orientation)
    case .carousel:
      CarouselLayout(
        viewport: Size(width: viewportLength ?? width * 3, height: width), orientation: orientation)
    }
  }

  /// The sizes of the cards, which depend on the columns' widths.
  private func items(
    for cards: [Card], in layout: any CollectionLayout, section: Int
  ) throws(InputError) -> [ItemSize] {
    let columnWidth = layout.columnWidth(inSection: section)
    let columnCount = layout.columnCount(inSection: section)
    return try cards.map { card throws(InputError) in
      guard self.layout != .rows else { return try justified(card) }
      let span = self.layout == .waterfall ? card.span : .columns(1)
      let columns =
        switch span {
        case .columns(let count): min(count, columnCount)
        case .full: columnCount
        }
      let breadth = columns * columnWidth + (columns - 1) * spacing
      let length = card.length(breadth: breadth, scrollsSideways: orientation.axis == .horizontal)
      guard length <= LayoutLimits.length else {
        throw .line(
          card.line,
          "\(card.width) × \(card.height) scaled to its column is longer than \(LayoutLimits.length); narrow the column"
        )
      }
      return ItemSize(height: length, span: span)
    }
  }

  /// A row of the wanted height has cards of the widths that their shapes require.
  private func justified(_ card: Card) throws(InputError) -> ItemSize {
    let isHorizontal = orientation.axis == .horizontal
    let breadth = (isHorizontal ? card.height : card.width) * rowHeight / (isHorizontal ? card.width : card.height)
    guard breadth <= LayoutLimits.length else {
      throw .line(
        card.line,
        "\(card.width) × \(card.height) in a row of \(rowHeight) is longer than \(LayoutLimits.length); choose lower rows"
      )
    }
    return ItemSize(height: rowHeight, width: max(1, breadth))
  }
}
