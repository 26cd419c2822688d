/// A layout whose sections lie one under the other: all that it can do, in one place and turned as it is to be.
protocol StackedLayout: Layout {
  associatedtype Body: SectionBody
  /// The rule that the layout puts in the place of the sections' own.
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
  public func itemCount(inSection section: Int) -> Int { stack.sections[section].body.itemCount }
  public func metrics(ofSection section: Int) -> SectionMetrics { stack.sections[section].metrics }
  public func columnCount(inSection section: Int) -> Int { stack.sections[section].body.columns.count }
  public func columnWidth(inSection section: Int) -> Int { stack.sections[section].body.columns.width }
  public func width(ofColumn column: Int, inSection section: Int) -> Int {
    stack.sections[section].body.columns.width(of: column)
  }
  public func itemSize(at path: ElementPath) -> ItemSize { stack.sections[path.section].body.size(of: path.item) }
  public func frame(ofSection section: Int) -> Rect { turned(stack.frame(ofSection: section)) }
  public var storedByteCount: Int { stack.storedByteCount }
}

extension StackedLayout {
  public mutating func insertSection(_ metrics: SectionMetrics, at index: Int) throws(LayoutError) {
    try stack.insertSection(metrics, at: index)
    itemsChanged()
  }

  public mutating func removeSection(at index: Int) {
    stack.removeSection(at: index)
    itemsChanged()
  }

  public mutating func setMetrics(_ metrics: SectionMetrics, ofSection section: Int) throws(LayoutError) {
    try stack.setMetrics(metrics, ofSection: section)
    itemsChanged()
  }

  public mutating func append(itemHeights: [Int], toSection section: Int) throws(LayoutError) {
    try stack.append(itemHeights, toSection: section)
    itemsChanged()
  }

  public mutating func insert(_ items: [ItemSize], at path: ElementPath) throws(LayoutError) -> Rect {
    try edit { stack throws(LayoutError) in try stack.insert(items, at: path) }
  }

  public mutating func remove(items range: Range<Int>, fromSection section: Int) -> Rect {
    edit { $0.remove(range, inSection: section) }
  }

  public mutating func setItemHeights(
    _ heights: [Int], from path: ElementPath, areEstimates: Bool
  ) throws(LayoutError) -> Rect {
    try edit { stack throws(LayoutError) in try stack.setHeights(heights, from: path, areEstimates: areEstimates) }
  }

  public mutating func repack(from path: ElementPath) -> Rect { edit { $0.repack(from: path) } }

  /// Carries out a change that answers the rows that may look different, and answers their part of the content.
  private mutating func edit<Failure: Error>(
    _ change: (inout SectionStack<Body>) throws(Failure) -> Range<Int>
  ) throws(Failure) -> Rect {
    let (oldLength, oldMargin) = (stack.length, stack.margins.leading)
    var rows = try change(&stack)
    itemsChanged()
    let isSeenFromTheEnd = orientation.axis == .horizontal && orientation.isMirrored
    if stack.margins.leading != oldMargin || (isSeenFromTheEnd && stack.length != oldLength) {
      rows = 0..<max(oldLength, stack.length)
    }
    return turned(Rect(x: 0, y: rows.lowerBound, width: breadth, height: rows.count))
  }
}

extension StackedLayout {
  public func layoutAttributes(of kind: LayoutAttributes.Kind, at path: ElementPath) -> LayoutAttributes? {
    stack.attributes(of: kind, at: path).map(turned)
  }

  public func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
    turned(stack.elements(in: laidOut(rect)))
  }

  public func layoutAttributes(inViewport viewport: Rect) -> [LayoutAttributes] {
    turned(stack.elements(inViewport: laidOut(viewport)))
  }

  public func stickyHeaderLength(ofSection section: Int) -> Int { stack.stickyHeaderHeight(ofSection: section) }

  public func neighbor(
    of path: ElementPath, toward direction: Direction, goal: inout NavigationGoal?
  ) -> ElementPath? {
    stack.neighbor(of: path, toward: orientation.laidOut(direction), goal: &goal)
  }

  public func item(nearestTo point: Point) -> ElementPath? {
    guard !orientation.isPlain else { return stack.item(nearestTo: point) }
    let point = Point(x: point.x.asPosition, y: point.y.asPosition)
    let unit = Rect(origin: point, size: Size(width: 1, height: 1))
    return stack.item(nearestTo: orientation.laidOut(unit, in: contentSize).origin)
  }

  func turned(_ elements: [LayoutAttributes]) -> [LayoutAttributes] {
    orientation.isPlain ? elements : elements.map(turned)
  }

  private func turned(_ element: LayoutAttributes) -> LayoutAttributes {
    var element = element
    element.frame = turned(element.frame)
    return element
  }

  private func turned(_ frame: Rect) -> Rect {
    orientation.isPlain ? frame : orientation.turned(frame, in: contentSize)
  }

  func laidOut(_ rect: Rect) -> Rect {
    orientation.isPlain ? rect.bounded : orientation.laidOut(rect.bounded, in: contentSize)
  }
}
