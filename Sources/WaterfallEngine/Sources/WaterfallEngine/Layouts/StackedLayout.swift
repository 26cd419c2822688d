/// A waterfall: each item lies under the column that the section's order chooses, by default the shortest, or spans
/// several.
public struct WaterfallLayout: StackedLayout, Equatable {
  var stack: SectionStack<LaneBody>
}

/// A grid: rows of equal columns. A row is as high as its highest item, and items lie at its top. Items with widths of
/// their own follow each other as long as they fit.
public struct RowGridLayout: StackedLayout, Equatable {
  var stack: SectionStack<GridBody>
}

/// A list: every section is one column, regardless of its metrics.
public struct ListLayout: StackedLayout, Equatable {
  var stack: SectionStack<LaneBody>

  static var columnRule: ColumnRule? { .count(1) }
}

/// The common implementation of all layouts, which converts between layout space and the screen.
protocol StackedLayout: CollectionLayout {
  associatedtype Body: SectionBody
  /// The rule that replaces the sections' own.
  static var columnRule: ColumnRule? { get }
  var stack: SectionStack<Body> { get set }
  init(stack: SectionStack<Body>)
  /// Called after every change of items or sections.
  mutating func itemsChanged()
}

extension StackedLayout {
  static var columnRule: ColumnRule? { nil }

  mutating func itemsChanged() {}

  public init(breadth: Int, orientation: Orientation) {
    self.init(
      stack: SectionStack(breadth: breadth, orientation: orientation, columnRule: Self.columnRule))
  }

  public var breadth: Int { stack.breadth }
  public var orientation: Orientation { stack.orientation }
  public var contentSize: Size { stack.contentSize }
  public var sectionCount: Int { stack.sections.count }
  public func itemCount(inSection section: Int) -> Int { stack.sections[section].itemCount }
  public func metrics(ofSection section: Int) -> SectionMetrics { stack.sections[section].metrics }
  public func columnCount(inSection section: Int) -> Int { stack.sections[section].body.columns.count }
  public func columnWidth(inSection section: Int) -> Int { stack.sections[section].body.columns.width }
  public func width(ofColumn column: Int, inSection section: Int) -> Int {
    stack.sections[section].body.columns.width(of: column)
  }
  public func itemSize(at path: ElementPath) -> ItemSize { stack.sections[path.section].body.size(of: path.item) }
  public func columnEnds(inSection section: Int) -> [Int] {
    let top = stack.sections[section].itemsTop
    return stack.sections[section].body.columnEnds.map { top + $0 }
  }
  public var globalHeader: GlobalHeader { stack.header }
  public func frame(ofSection section: Int) -> Rect { toScreen(stack.frame(ofSection: section)) }

  public mutating func insertSection(_ metrics: SectionMetrics, at index: Int) throws(LayoutError) -> Rect {
    try metrics.check()
    return edit { $0.insertSection(metrics, at: index) }
  }

  public mutating func selectSections(_ numbers: [Int]) -> Rect {
    numbers == Array(0..<sectionCount) ? .zero : edit { $0.selectSections(numbers) }
  }

  public mutating func setMetrics(_ metrics: SectionMetrics, ofSection section: Int) throws(LayoutError) -> Rect {
    try metrics.check()
    return edit { $0.setMetrics(metrics, ofSection: section) }
  }

  public mutating func append(itemHeights: [Int], toSection section: Int) throws(LayoutError) -> Rect {
    try LayoutError.check(itemHeights: itemHeights, itemCount: itemCount(inSection: section))
    return edit(section) { $0.append(itemHeights) }
  }

  public mutating func insert(_ items: [ItemSize], at path: ElementPath) throws(LayoutError) -> Rect {
    try LayoutError.check(items, itemCount: itemCount(inSection: path.section))
    precondition(path.item <= itemCount(inSection: path.section), "an item can be inserted up to the end only")
    return edit(path.section) { $0.insert(items, at: path.item) }
  }

  public mutating func remove(items range: Range<Int>, fromSection section: Int) -> Rect {
    edit(section) { $0.remove(range) }
  }

  public mutating func setItemHeights(
    _ heights: [Int], from path: ElementPath, areEstimates: Bool
  ) throws(LayoutError) -> Rect {
    try LayoutError.check(itemHeights: heights, itemCount: 0)
    return edit(path.section) { $0.setHeights(heights, from: path.item, areEstimates: areEstimates) }
  }

  public mutating func setItemSize(_ size: ItemSize, at path: ElementPath) throws(LayoutError) -> Rect {
    try LayoutError.check([size], itemCount: 0)
    return edit(path.section) { $0.setSize(size, of: path.item) }
  }

  public mutating func setGlobalHeader(_ header: GlobalHeader) throws(LayoutError) -> Rect {
    try LayoutError.check(measure: GlobalHeader.measure, header.height)
    return edit { $0.setHeader(header) }
  }

  public mutating func repack(from path: ElementPath) -> Rect { edit(path.section) { $0.repack(from: path.item) } }

  public mutating func setBreadth(_ breadth: Int) -> Rect {
    let oldSize = contentSize
    guard breadth.asLength != self.breadth else { return .zero }
    stack.setBreadth(breadth.asLength)
    itemsChanged()
    return Rect(origin: .zero, size: oldSize).union(Rect(origin: .zero, size: contentSize))
  }

  @inline(__always)
  private mutating func edit(_ section: Int, _ change: (inout Body) -> Int) -> Rect {
    edit { $0.edit(section, change) }
  }

  /// Makes a change that returns the rows that may look different, and returns their part of the content.
  @inline(__always)
  private mutating func edit(_ change: (inout SectionStack<Body>) -> Range<Int>) -> Rect {
    let (oldLength, oldMargin) = (stack.length, stack.margins.top)
    let rows = change(&stack)
    itemsChanged()
    let countsFromTheEnd = orientation.axis == .horizontal && orientation.isMirrored
    guard stack.margins.top == oldMargin, !countsFromTheEnd || stack.length == oldLength else {
      // Everything moved, on the screen counted from the content's old or new end.
      return Rect(origin: .zero, size: orientation.contentSize(breadth: breadth, length: max(oldLength, stack.length)))
    }
    return toScreen(Rect(x: 0, y: rows.lowerBound, width: breadth, height: rows.count))
  }

  public func layoutAttributes(of kind: ElementKind, at path: ElementPath) -> LayoutAttributes? {
    stack.attributes(of: kind, at: path).map(toScreen)
  }

  public func layoutAttributes(in rect: Rect) -> [LayoutAttributes] { toScreen(stack.elements(in: toLayout(rect))) }

  public func layoutAttributes(inViewport viewport: Rect, overscan: Int) -> [LayoutAttributes] {
    toScreen(stack.elements(inViewport: toLayout(viewport), overscan: overscan))
  }

  public func neighbor(
    of path: ElementPath, toward direction: Direction, goal: inout NavigationGoal?
  ) -> ElementPath? {
    stack.neighbor(of: path, toward: orientation.toLayout(direction), goal: &goal)
  }

  public func item(nearestTo point: Point) -> ElementPath? {
    stack.item(nearestTo: toLayout(Rect(origin: point, size: Size(width: 1, height: 1))).origin)
  }

  func toScreen(_ elements: [LayoutAttributes]) -> [LayoutAttributes] {
    orientation.isPlain ? elements : elements.map(toScreen)
  }

  private func toScreen(_ element: LayoutAttributes) -> LayoutAttributes {
    var element = element
    element.frame = toScreen(element.frame)
    return element
  }

  private func toScreen(_ frame: Rect) -> Rect {
    orientation.isPlain ? frame : orientation.toScreen(frame, in: contentSize)
  }

  func toLayout(_ rect: Rect) -> Rect {
    orientation.isPlain ? rect.bounded : orientation.toLayout(rect.bounded, in: contentSize)
  }
}

// MARK: - Changes

// MARK: - Queries
