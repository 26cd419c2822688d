extension LayoutError {
  /// O(count), far quicker than laying out.
  static func check(itemHeights: [Int], itemCount: Int) throws(LayoutError) {
    try check(itemCount: itemCount, adding: itemHeights.count)
    var bits = 0
    for height in itemHeights { bits |= height }
    // All heights at once: a negative or a great one leaves its high bits.
    guard bits >> 19 != 0 else { return }
    for (position, height) in itemHeights.enumerated() where height != height.asLength {
      throw .itemHeight(height, position: position)
    }
  }

  /// O(count).
  static func check(_ items: [ItemSize], itemCount: Int) throws(LayoutError) {
    try check(itemCount: itemCount, adding: items.count)
    for (position, item) in items.enumerated() {
      if item.height != item.height.asLength { throw .itemHeight(item.height, position: position) }
      if let width = item.width, width < 1 || width != width.asLength {
        throw .itemWidth(width, position: position)
      }
      if case .columns(let count) = item.span, count < 1 { throw .itemSpan(count, position: position) }
    }
  }

  private static func check(itemCount: Int, adding count: Int) throws(LayoutError) {
    guard count <= LayoutLimits.itemCount - itemCount else { throw .itemCount(itemCount + count) }
  }
}

extension SectionMetrics {
  func check() throws(LayoutError) {
    let lengths = [
      ("columnSpacing", columnSpacing), ("lineSpacing", lineSpacing), ("insets.top", insets.top),
      ("insets.left", insets.left), ("insets.bottom", insets.bottom), ("insets.right", insets.right),
      ("headerHeight", headerHeight), ("footerHeight", footerHeight), ("separatorHeight", separatorHeight),
    ]
    for (name, value) in lengths where value != value.asLength { throw .measure(name: name, value: value) }
    if case .tolerance(let tolerance) = order, tolerance != tolerance.asLength {
      throw .measure(name: "tolerance", value: tolerance)
    }
    guard case .weights(let weights) = columns else { return }
    for (column, weight) in weights.enumerated() where weight < 1 || weight != weight.asLength {
      throw .columnWeight(weight, column: column)
    }
  }
}
