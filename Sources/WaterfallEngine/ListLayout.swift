import Geometry

/// A list: every section is one column, whatever its metrics say.
public struct ListLayout: Layout {
  private var stack: SectionStack<RowBody>

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

  /// O(1).
  public mutating func appendSection(_ metrics: SectionMetrics) {
    stack.appendSection(metrics, rule: .count(1))
  }

  /// O(number added + sections below).
  public mutating func append(itemHeights: [Int], toSection section: Int) {
    stack.append(itemHeights, toSection: section)
  }

  /// O(sections below).
  public mutating func setFooterHeight(_ height: Int, ofSection section: Int) {
    stack.setFooterHeight(height, ofSection: section)
  }

  /// O(1).
  public func layoutAttributesForItem(at path: ElementPath) -> LayoutAttributes { stack.attributes(at: path) }

  /// O(log sections + log items + found).
  public func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] { stack.elements(in: rect) }

  /// O(1), always nil sideways; O(empty sections) more where they are crossed.
  public func neighbor(of path: ElementPath, toward direction: Direction, goalRow: inout Int?) -> ElementPath? {
    stack.neighbor(of: path, toward: direction, goalRow: &goalRow)
  }

  /// O(log items + log sections), and O(empty sections) where they lie at the point.
  public func item(nearestTo point: Point) -> ElementPath? { stack.item(nearestTo: point) }

  package var storedByteCount: Int { stack.sections.reduce(0) { $0 + $1.body.storedByteCount } }
}
