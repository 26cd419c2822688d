import ArgumentParser
import WaterfallEngine

/// How the cards lie.
struct ArrangementArguments: ParsableArguments {
  @Option(help: "How the cards lie.")
  var layout = LayoutChoice.waterfall

  @Option(
    help: ArgumentHelp("The picture's extent across the scrolling: the height if it is sideways.", valueName: "n"))
  var width = 800

  @Option(help: ArgumentHelp("The number of columns.", valueName: "n"))
  var columns: Int?

  @Option(help: ArgumentHelp("As many columns as fit with this width each (160).", valueName: "n"))
  var minColumnWidth: Int?

  @Option(help: ArgumentHelp("shortest, left-to-right, right-to-left or tolerance=N.", valueName: "order"))
  var order = ItemOrder.shortest

  @Option(
    help: ArgumentHelp("What becomes of holes above spans: in-order, reordering=N or dense.", valueName: "packing"))
  var spans = SpanPacking.reordering(within: 9)

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
      throw ValidationError("--columns and --min-column-width exclude each other; give one of them.")
    }
    try check("--columns", columns ?? 1, 1...LayoutLimits.columnCount)
    try check("--min-column-width", minColumnWidth ?? 1, 1...LayoutLimits.length)
    try check("--width", width, 1...LayoutLimits.length)
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
    metrics.insets = EdgeInsets(all: inset)
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

/// Says which values an option takes if it has none of them.
func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws {
  guard range.contains(value) else {
    throw ValidationError("\(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound).")
  }
}
