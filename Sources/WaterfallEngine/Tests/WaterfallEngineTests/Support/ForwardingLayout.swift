import WaterfallEngine

/// A host's own layout, which shares nothing with the engine's but the protocol.
struct ForwardingLayout: CollectionLayout, Equatable {
  private var base: WaterfallLayout

  init(breadth: Int, orientation: Orientation) { base = WaterfallLayout(breadth: breadth, orientation: orientation) }

  var breadth: Int { base.breadth }
  var orientation: Orientation { base.orientation }
  var contentSize: Size { base.contentSize }
  var sectionCount: Int { base.sectionCount }
  var globalHeader: GlobalHeader { base.globalHeader }
  func itemCount(inSection section: Int) -> Int { base.itemCount(inSection: section) }
  func metrics(ofSection section: Int) -> SectionMetrics { base.metrics(ofSection: section) }
  func columnCount(inSection section: Int) -> Int { base.columnCount(inSection: section) }
  func columnWidth(inSection section: Int) -> Int { base.columnWidth(inSection: section) }
  func width(ofColumn column: Int, inSection section: Int) -> Int { base.width(ofColumn: column, inSection: section) }
  func columnEnds(inSection section: Int) -> [Int] { base.columnEnds(inSection: section) }
  func itemSize(at path: ElementPath) -> ItemSize { base.itemSize(at: path) }
  func frame(ofSection section: Int) -> Rect { base.frame(ofSection: section) }

  mutating func insertSection(_ metrics: SectionMetrics, at index: Int) throws(LayoutError) -> Rect {
    try base.insertSection(metrics, at: index)
  }
  mutating func removeSection(at index: Int) -> Rect { base.removeSection(at: index) }
  mutating func moveSection(at index: Int, to target: Int) -> Rect { base.moveSection(at: index, to: target) }
  mutating func setMetrics(_ metrics: SectionMetrics, ofSection section: Int) throws(LayoutError) -> Rect {
    try base.setMetrics(metrics, ofSection: section)
  }
  mutating func append(itemHeights: [Int], toSection section: Int) throws(LayoutError) -> Rect {
    try base.append(itemHeights: itemHeights, toSection: section)
  }
  mutating func insert(_ items: [ItemSize], at path: ElementPath) throws(LayoutError) -> Rect {
    try base.insert(items, at: path)
  }
  mutating func remove(items range: Range<Int>, fromSection section: Int) -> Rect {
    base.remove(items: range, fromSection: section)
  }
  mutating func setItemHeights(
    _ heights: [Int], from path: ElementPath, areEstimates: Bool
  ) throws(LayoutError) -> Rect { try base.setItemHeights(heights, from: path, areEstimates: areEstimates) }
  mutating func setItemSize(_ size: ItemSize, at path: ElementPath) throws(LayoutError) -> Rect {
    try base.setItemSize(size, at: path)
  }
  mutating func repack(from path: ElementPath) -> Rect { base.repack(from: path) }
  mutating func setBreadth(_ breadth: Int) -> Rect { base.setBreadth(breadth) }
  mutating func setGlobalHeader(_ header: GlobalHeader) throws(LayoutError) -> Rect {
    try base.setGlobalHeader(header)
  }

  func layoutAttributes(of kind: ElementKind, at path: ElementPath) -> LayoutAttributes? {
    base.layoutAttributes(of: kind, at: path)
  }
  func layoutAttributes(in rect: Rect) -> [LayoutAttributes] { base.layoutAttributes(in: rect) }
  func layoutAttributes(inViewport viewport: Rect, overscan: Int) -> [LayoutAttributes] {
    base.layoutAttributes(inViewport: viewport, overscan: overscan)
  }
  func neighbor(of path: ElementPath, toward direction: Direction, goal: inout NavigationGoal?) -> ElementPath? {
    base.neighbor(of: path, toward: direction, goal: &goal)
  }
  func item(nearestTo point: Point) -> ElementPath? { base.item(nearestTo: point) }
}
