import Geometry

/// The items of one section. Rows count from the items' top, columns from the left.
///
/// Items fill columns from the left: with n used columns, columns 0 to n - 1 hold at least one item each.
protocol SectionBody: Sendable {
  init(columns: ColumnGeometry, lineSpacing: Int)

  var columns: ColumnGeometry { get }
  var itemCount: Int { get }
  var usedColumnCount: Int { get }
  /// From the first item's top to the lowest item's bottom.
  var height: Int { get }

  mutating func append(_ heights: [Int])

  func frame(of item: Int) -> Rect
  /// Adds the items that touch `rect`, by number; `top` is what the items' rows count from.
  func collect(in rect: Rect, section: Int, top: Int, into found: inout [LayoutAttributes])

  func column(of item: Int) -> Int
  func item(above item: Int) -> Int?
  func item(below item: Int) -> Int?
  /// The item nearest to `row` in a used column.
  func item(inColumn column: Int, nearestTo row: Int) -> Int

  var storedByteCount: Int { get }
}
