import WaterfallEngine

/// A second implementation of waterfall, grid and list, written from their documentation alone: it finds each item's
/// place by comparing all columns, and stores nothing but frames.
public enum EngineOracle {
  /// Returns the first item or section that lies elsewhere than the oracle says, in words; nil if none does. The items
  /// are packed anew first. Carousels, layouts of one's own and reordered spans are not compared.
  public static func mismatch(in packed: any CollectionLayout) -> String? {
    var layout = packed
    var frames: [(path: ElementPath, frame: Rect)] = []
    var top = layout.globalHeader.height
    for section in 0..<layout.sectionCount {
      layout.repack(from: ElementPath(section: section, item: 0))
      let items = (0..<layout.itemCount(inSection: section)).map {
        layout.itemSize(at: ElementPath(section: section, item: $0))
      }
      let metrics = layout.metrics(ofSection: section)
      guard let places = places(of: items, layout, section, metrics) else { return nil }
      let itemsTop = top + metrics.headerHeight + metrics.barHeight(isAbove: true) + metrics.insets.top
      frames += places.enumerated().map { number, place in
        (ElementPath(section: section, item: number), place.offsetBy(x: 0, y: itemsTop))
      }
      let bottom = itemsTop + (places.map(\.maxY).max() ?? 0)
      top = bottom + metrics.insets.bottom + metrics.barHeight(isAbove: false) + metrics.footerHeight
    }
    guard layout.contentLength == top else { return "the content is \(layout.contentLength) long, not \(top)" }
    let wrong = frames.first { layout.turned($0.frame) != layout.frame(ofItem: $0.path) }
    return wrong.map { "\($0.path) lies at \(layout.frame(ofItem: $0.path)), not \($0.frame)" }
  }

  /// Returns the first header or footer of a viewport that lies elsewhere than the oracle says, or is missing, in
  /// words; nil if none is. Carousels are not compared.
  public static func stickyMismatch(in layout: any CollectionLayout, at offset: Int, length: Int) -> String? {
    guard layout.breadth > 0 else { return nil }
    var expected: [String] = []
    func add(_ kind: ElementKind, _ section: Int, _ rows: Range<Int>) {
      if rows.overlaps(offset..<offset + length) { expected.append("\(kind) \(section) at \(rows)") }
    }
    let (global, end) = (layout.globalHeader, offset + length)
    let globalTop = global.isSticky ? max(0, min(offset, layout.contentLength - global.height)) : 0
    add(.globalHeader, 0, globalTop..<globalTop + global.height)
    let start = offset + (global.isSticky ? global.height : 0)
    for section in 0..<layout.sectionCount {
      let metrics = layout.metrics(ofSection: section)
      let rows = rows(of: layout.frame(ofSection: section), layout)
      var top = rows.lowerBound
      if metrics.isHeaderSticky, rows.contains(start) {
        let itemsEnd = rows.upperBound - metrics.footerHeight - metrics.barHeight(isAbove: false)
        top = max(top, min(start, itemsEnd - metrics.headerHeight))
      }
      add(.header, section, top..<top + metrics.headerHeight)
      var bottom = rows.upperBound
      if metrics.isFooterSticky, rows.contains(end), rows.lowerBound < end {
        let itemsStart = rows.lowerBound + metrics.headerHeight + metrics.barHeight(isAbove: true)
        bottom = min(bottom, max(end, itemsStart + metrics.footerHeight))
      }
      add(.footer, section, bottom - metrics.footerHeight..<bottom)
    }
    let found = layout.layoutAttributes(inViewport: layout.viewport(at: offset, length: length))
      .filter { [.globalHeader, .header, .footer].contains($0.kind) }
      .map { "\($0.kind) \($0.path.section) at \(rows(of: $0.frame, layout))" }
    return found == expected ? nil : "\(found) instead of \(expected)"
  }

  /// The rows of a frame before the layout is turned.
  private static func rows(of frame: Rect, _ layout: any CollectionLayout) -> Range<Int> {
    let frame = layout.unturned(frame)
    return frame.minY..<frame.maxY
  }

  /// Frames whose rows count from the items' top.
  private static func places(
    of items: [ItemSize], _ layout: any CollectionLayout, _ section: Int, _ metrics: SectionMetrics
  ) -> [Rect]? {
    let rule: ColumnRule = layout is ListLayout ? .count(1) : metrics.columns
    let columns = columns(rule, metrics, layout, section)
    let areInOrder =
      columns.count == 1 || metrics.spanPacking == .inOrder || items.allSatisfy { $0.span == .columns(1) }
    switch layout {
    case is WaterfallLayout where areInOrder: return waterfall(items, columns, metrics)
    case is ListLayout: return waterfall(items, columns, metrics)
    case is RowGridLayout: return grid(items, columns, metrics)
    default: return nil
    }
  }

  /// The number of columns is that of the rule, but at most one for each unit. The first columns share the remainder.
  private static func columns(
    _ rule: ColumnRule, _ metrics: SectionMetrics, _ layout: any CollectionLayout, _ section: Int
  ) -> [Range<Int>] {
    let left = min(metrics.insets.left, layout.breadth)
    let available = max(0, layout.breadth - left - metrics.insets.right)
    func fit(_ width: Int) -> Int { (available + metrics.columnSpacing) / (width + metrics.columnSpacing) }
    let count: Int
    switch rule {
    case .count(let wanted): count = max(1, min(wanted, fit(1)))
    case .minimumWidth(let width): count = max(1, fit(max(1, width)))
    case .weights(let weights): count = max(1, min(weights.count, fit(1)))
    }
    let shared = available - (count - 1) * metrics.columnSpacing
    var start = left
    return (0..<count).map { column in
      // How weights are rounded is not documented.
      let weighted = if case .weights = rule { true } else { false }
      let width =
        weighted
        ? layout.width(ofColumn: column, inSection: section) : shared / count + (column < shared % count ? 1 : 0)
      defer { start += width + metrics.columnSpacing }
      return start..<start + width
    }
  }

  private static func waterfall(_ items: [ItemSize], _ columns: [Range<Int>], _ metrics: SectionMetrics) -> [Rect] {
    var ends = columns.map { _ in 0 }
    var last: Range<Int>?
    return items.map { item in
      let span =
        switch item.span {
        case .full: columns.count
        case .columns(let count): min(count, columns.count)
        }
      let starts = (0...columns.count - span).map { first in ends[first..<first + span].max() ?? 0 }
      let first = column(metrics.order, starts, span, after: last, of: columns.count)
      let own = first..<first + span
      let top = starts[first]
      for column in own { ends[column] = top + item.height + metrics.lineSpacing }
      last = own
      let left = columns[first].lowerBound
      return Rect(x: left, y: top, width: columns[own.upperBound - 1].upperBound - left, height: item.height)
    }
  }

  /// `starts` has the top of the item in each column in which it can begin.
  private static func column(
    _ order: ItemOrder, _ starts: [Int], _ span: Int, after last: Range<Int>?, of count: Int
  ) -> Int {
    let highest = starts.min() ?? 0
    switch order {
    case .shortest: return starts.firstIndex(of: highest) ?? 0
    case .leftToRight:
      let next = last?.upperBound ?? 0
      return next < starts.count ? next : 0
    case .rightToLeft:
      let next = (last?.lowerBound ?? count) - span
      return next >= 0 ? next : starts.count - 1
    case .tolerance(let tolerance):
      let next = last?.upperBound ?? 0
      let cursor = next < starts.count ? next : 0
      let inTurn = Array(cursor..<starts.count) + Array(0..<cursor)
      return inTurn.first { starts[$0] <= highest + tolerance } ?? 0
    }
  }

  /// Rows of columns, until an item has a width of its own: then the items of the row follow each other as long as they
  /// fit.
  private static func grid(_ items: [ItemSize], _ columns: [Range<Int>], _ metrics: SectionMetrics) -> [Rect] {
    let (left, right) = (columns[0].lowerBound, columns[columns.count - 1].upperBound)
    let narrowest = columns.map(\.count).min() ?? 0
    var rows: [[Rect]] = []
    var isInColumns = false
    var top = 0
    for item in items {
      let row = rows.last ?? []
      let ownWidth = item.width.map { min($0, right - left) }
      let column: Range<Int>? = isInColumns && row.count < columns.count ? columns[row.count] : nil
      let width = ownWidth ?? column?.count ?? narrowest
      let next = (row.last?.maxX ?? right) + metrics.columnSpacing
      let fits = !row.isEmpty && width > 0 && next + width <= right && (!isInColumns || row.count < columns.count)
      if fits {
        rows[rows.count - 1].append(Rect(x: next, y: top, width: width, height: item.height))
      } else {
        if !row.isEmpty { top += (row.map(\.height).max() ?? 0) + metrics.lineSpacing }
        rows.append([Rect(x: left, y: top, width: ownWidth ?? columns[0].count, height: item.height)])
      }
      isInColumns = item.width == nil && (isInColumns || !fits)
    }
    return rows.flatMap(\.self)
  }
}
