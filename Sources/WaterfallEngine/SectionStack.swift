/// Sections one under the other: what all layouts have in common. Nothing here is turned.
struct SectionStack<Body: SectionBody>: Sendable {
  let breadth: Int
  let orientation: Orientation
  /// The rule that the layout puts in the place of the sections' own.
  private let columnRule: ColumnRule?
  private(set) var sections: ContiguousArray<LayoutSection<Body>> = []
  /// What lies before the first and behind the last section.
  private(set) var margins = (leading: 0, trailing: 0)

  init(breadth: Int, orientation: Orientation, columnRule: ColumnRule?) {
    self.breadth = breadth.asLength
    self.orientation = orientation
    self.columnRule = columnRule
  }

  var length: Int { (sections.last?.bottom ?? margins.leading) + margins.trailing }

  var contentSize: Size { orientation.contentSize(breadth: breadth, length: length) }

  var storedByteCount: Int { sections.reduce(0) { $0 + $1.body.storedByteCount } }

  private func makeBody(_ metrics: SectionMetrics) -> Body {
    Body(
      columns: ColumnGeometry(metrics, rule: columnRule ?? metrics.columns, breadth: breadth),
      rules: PackingRules(metrics))
  }
}

extension SectionStack {
  mutating func insertSection(_ metrics: SectionMetrics, at index: Int) throws(LayoutError) {
    try metrics.check()
    let top = index < sections.count ? sections[index].top : sections.last?.bottom ?? margins.leading
    sections.insert(LayoutSection(metrics: metrics, top: top, body: makeBody(metrics)), at: index)
    moveSections(from: index + 1)
  }

  mutating func removeSection(at index: Int) {
    sections.remove(at: index)
    moveSections(from: index)
  }

  /// Packs the items anew when that takes other columns, spacing or another order.
  mutating func setMetrics(_ metrics: SectionMetrics, ofSection section: Int) throws(LayoutError) {
    try metrics.check()
    let old = sections[section].metrics
    sections[section].metrics = metrics
    if !metrics.packsItems(like: old) {
      let body = sections[section].body
      sections[section].body = makeBody(metrics)
      sections[section].body.insert((0..<body.itemCount).map(body.size), at: 0)
    }
    moveSections(from: section + 1)
  }

  mutating func setMargins(leading: Int, trailing: Int) {
    guard margins != (leading, trailing) else { return }
    margins = (leading, trailing)
    moveSections(from: 0)
  }

  mutating func append(_ heights: [Int], toSection section: Int) throws(LayoutError) {
    try LayoutError.check(itemHeights: heights, itemCount: sections[section].body.itemCount)
    sections[section].body.append(heights)
    moveSections(from: section + 1)
  }

  mutating func insert(_ items: [ItemSize], at path: ElementPath) throws(LayoutError) -> Range<Int> {
    try LayoutError.check(items, itemCount: sections[path.section].body.itemCount)
    precondition(path.item <= sections[path.section].body.itemCount, "an item can be inserted up to the end only")
    return edit(path.section, from: path.item) { $0.insert(items, at: path.item) }
  }

  mutating func remove(_ range: Range<Int>, inSection section: Int) -> Range<Int> {
    edit(section, from: range.lowerBound) { $0.remove(range) }
  }

  mutating func setHeights(_ heights: [Int], from path: ElementPath, areEstimates: Bool) throws(LayoutError) -> Range<
    Int
  > {
    try LayoutError.check(itemHeights: heights, itemCount: 0)
    return edit(path.section, from: path.item) {
      $0.setHeights(heights, from: path.item, areEstimates: areEstimates)
    }
  }

  mutating func repack(from path: ElementPath) -> Range<Int> {
    edit(path.section, from: path.item) { $0.repack(from: path.item) }
  }

  /// Answers the rows that may look different now.
  private mutating func edit(_ section: Int, from item: Int, _ change: (inout Body) -> Void) -> Range<Int> {
    let oldLength = length
    let oldItemsBottom = sections[section].itemsBottom
    let oldTop = sections[section].body.top(ofItemsFrom: item)
    change(&sections[section].body)
    moveSections(from: section + 1)
    let newItemsBottom = sections[section].itemsBottom
    // What comes and goes takes the separator above with it.
    let reach = sections[section].separatorHeight > 0 ? sections[section].metrics.lineSpacing : 0
    let top =
      sections[section].itemsTop + min(oldTop, sections[section].body.top(ofItemsFrom: item)) - reach
    guard newItemsBottom != oldItemsBottom else { return min(top, newItemsBottom)..<newItemsBottom }
    // The footer lies right below the items, and an item that comes as the last one below a gap.
    return min(top, newItemsBottom, oldItemsBottom)..<max(oldLength, length)
  }

  private mutating func moveSections(from first: Int) {
    var top = first > 0 ? sections[first - 1].bottom : margins.leading
    for section in sections.indices.dropFirst(first) {
      guard sections[section].top != top else { return }
      sections[section].top = top
      top = sections[section].bottom
    }
  }
}

extension SectionMetrics {
  /// Whether items lie in the same places within their section.
  fileprivate func packsItems(like other: SectionMetrics) -> Bool {
    columns == other.columns && columnSpacing == other.columnSpacing
      && insets.left == other.insets.left && insets.right == other.insets.right
      && PackingRules(self) == PackingRules(other)
  }
}
