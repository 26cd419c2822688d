/// Where a person who moves from item to item means to go: the row that moves to the sides keep to, and the column
/// that moves up and down keep to. It makes every way back lead home.
///
/// Give nil to begin with, pass on what comes back, and give nil again after a jump.
public struct NavigationGoal: Hashable, Sendable {
  /// The row, in units from the content's start in the direction of scrolling; nil after a move up or down.
  public var row: Int?
  /// The column, where items span several.
  var column: Int?
  /// The item that the moves to the sides set out from.
  var home: ElementPath?
  /// From where to where the item reaches across the scrolling that moves up and down set out from, once these have
  /// left its section or its row.
  var lane: Range<Int>?

  /// A goal at a row. O(1).
  public init(row: Int) { self.row = row }

  init(row: Int? = nil, column: Int? = nil, home: ElementPath? = nil, lane: Range<Int>? = nil) {
    self.row = row
    self.column = column
    self.home = home
    self.lane = lane
  }

  /// The row, taken from the item that a move sets out from if there is none yet; the frame counts from `top`.
  @inline(__always)
  mutating func row(for frame: @autoclosure () -> Rect, top: Int) -> Int {
    if let row { return row }
    let row = top + frame().midY
    self.row = row
    return row
  }
}
