extension Layout {
  /// Adds an empty section below the others. O(columns).
  public mutating func appendSection(_ metrics: SectionMetrics) throws(LayoutError) {
    try insertSection(metrics, at: sectionCount)
  }

  /// Adds items of any kind at the end of a section. As long as appending heights; with spans up to 1 µs an item.
  public mutating func append(_ items: [ItemSize], toSection section: Int) throws(LayoutError) {
    try insert(items, at: ElementPath(section: section, item: itemCount(inSection: section)))
  }

  /// Adds so many items of one shape: each is so many hundredths of the column's width high. As long as appending.
  public mutating func append(
    count: Int, heightPercentOfWidth percent: Int, toSection section: Int
  ) throws(LayoutError) {
    let height = columnWidth(inSection: section) * percent.asLength / 100
    try append(itemHeights: [Int](repeating: height, count: count), toSection: section)
  }

  /// Inserts items by their heights. As long as inserting.
  @discardableResult
  public mutating func insert(itemHeights: [Int], at path: ElementPath) throws(LayoutError) -> Rect {
    try insert(itemHeights.map { ItemSize(height: $0) }, at: path)
  }

  /// Moves an item to where it has the path `target` then; it goes under the column that the order chooses there.
  /// Answers the part of the content outside of which nothing moved. As long as removing and inserting.
  @discardableResult
  public mutating func moveItem(at path: ElementPath, to target: ElementPath) throws(LayoutError) -> Rect {
    let item = itemSize(at: path)
    let staysInSection = path.section == target.section
    try LayoutError.check([item], itemCount: itemCount(inSection: target.section) - (staysInSection ? 1 : 0))
    let gap = remove(items: path.item..<path.item + 1, fromSection: path.section)
    return try insert([item], at: target).union(gap)
  }

  /// Gives an item another height. As long as `setItemHeights`.
  @discardableResult
  public mutating func setItemHeight(_ height: Int, at path: ElementPath) throws(LayoutError) -> Rect {
    try setItemHeights([height], from: path, areEstimates: false)
  }

  /// Changes the height of a section's header. O(sections below).
  public mutating func setHeaderHeight(_ height: Int, ofSection section: Int) throws(LayoutError) {
    var metrics = metrics(ofSection: section)
    metrics.headerHeight = height
    try setMetrics(metrics, ofSection: section)
  }

  /// Changes the height of a section's footer. O(sections below).
  public mutating func setFooterHeight(_ height: Int, ofSection section: Int) throws(LayoutError) {
    var metrics = metrics(ofSection: section)
    metrics.footerHeight = height
    try setMetrics(metrics, ofSection: section)
  }
}
