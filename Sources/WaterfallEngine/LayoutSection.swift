/// A section at its place: header, inset, items, inset, footer, from top to bottom.
struct LayoutSection<Body: SectionBody>: Sendable {
  var metrics: SectionMetrics
  var top: Int
  var body: Body

  var itemsTop: Int { top + metrics.headerHeight + metrics.insets.top }
  var itemsBottom: Int { itemsTop + body.height }
  var footerTop: Int { itemsBottom + metrics.insets.bottom }
  var bottom: Int { footerTop + metrics.footerHeight }
  var separatorHeight: Int { min(metrics.separatorHeight, metrics.lineSpacing) }

  func frame(of item: Int) -> Rect { body.frame(of: item).offsetBy(x: 0, y: itemsTop) }

  /// The separator under an item at `frame`; without height where there is none.
  func separator(below frame: Rect) -> Rect {
    let top = frame.maxY + (metrics.lineSpacing - separatorHeight) / 2
    let isBetweenItems = frame.height > 0 && top + separatorHeight <= itemsBottom
    return Rect(x: frame.minX, y: top, width: frame.width, height: isBetweenItems ? separatorHeight : 0)
  }

  /// The header's top when the viewport starts at a row: no lower than the section's items reach.
  func pinnedHeaderTop(at row: Int) -> Int { max(top, min(row, footerTop - metrics.headerHeight)) }
}
