import Geometry

/// A waterfall: each item lies under the shortest column, the leftmost of equal ones.
public struct WaterfallLayout: Layout {
  private var stack: SectionStack<WaterfallBody>

  /// An empty layout; a negative width counts as 0. O(1).
  public init(width: Int) { stack = SectionStack(width: width) }

  /// O(1).
  public var width: Int { stack.width }
  /// O(1).
  public var contentSize: Size { stack.contentSize }
  /// O(1).
  public var sectionCount: Int { stack.sections.count }
  /// O(1).
  public func itemCount(inSection section: Int) -> Int { stack.sections[section].body.itemCount }
  /// O(1).
  public func metrics(ofSection section: Int) -> SectionMetrics { stack.sections[section].metrics }
  /// O(1).
  public func columnCount(inSection section: Int) -> Int { stack.sections[section].body.columns.count }
  /// O(1).
  public func columnWidth(inSection section: Int) -> Int { stack.sections[section].body.columns.width }
  /// O(1).
  public func frame(ofSection section: Int) -> Rect { stack.frame(ofSection: section) }

  /// O(columns).
  public mutating func appendSection(_ metrics: SectionMetrics) {
    stack.appendSection(metrics, rule: metrics.columns)
  }

  /// O(number added × log columns + sections below).
  public mutating func append(itemHeights: [Int], toSection section: Int) {
    stack.append(itemHeights, toSection: section)
  }

  /// O(sections below).
  public mutating func setFooterHeight(_ height: Int, ofSection section: Int) {
    stack.setFooterHeight(height, ofSection: section)
  }

  /// O(1).
  public func layoutAttributesForItem(at path: ElementPath) -> LayoutAttributes { stack.attributes(at: path) }

  /// O(log sections + columns × log items + found × log columns), whatever heights the items have.
  public func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] { stack.elements(in: rect) }

  /// O(log items), off screen too; O(empty sections) more where they are crossed.
  public func neighbor(of path: ElementPath, toward direction: Direction, goalRow: inout Int?) -> ElementPath? {
    stack.neighbor(of: path, toward: direction, goalRow: &goalRow)
  }

  /// O(log items + log sections), and O(empty sections) where they lie at the point.
  public func item(nearestTo point: Point) -> ElementPath? { stack.item(nearestTo: point) }

  package var storedByteCount: Int { stack.sections.reduce(0) { $0 + $1.body.storedByteCount } }
}
