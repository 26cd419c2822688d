import Geometry

/// A section at its place: header, inset, items, inset, footer, from top to bottom.
struct LayoutSection<Body: SectionBody>: Sendable {
  var metrics: SectionMetrics
  var top: Int
  var body: Body

  var itemsTop: Int { top + metrics.headerHeight + metrics.insets.top }
  var footerTop: Int { itemsTop + body.height + metrics.insets.bottom }
  var bottom: Int { footerTop + metrics.footerHeight }

  func frame(of item: Int) -> Rect { body.frame(of: item).offsetBy(x: 0, y: itemsTop) }

  /// The item in the used column nearest to `minX..<maxX` that is nearest to `row`; the section has items.
  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    let column = body.columns.column(nearestTo: minX, maxX, usedCount: body.usedColumnCount)
    return body.item(inColumn: column, nearestTo: row - itemsTop)
  }
}
