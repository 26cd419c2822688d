/// The place of an item in the data: a section and the item's number within it.
public struct ElementPath: Hashable, Comparable, Sendable {
  /// The section's number, from 0.
  public var section: Int
  /// The item's number within its section, from 0.
  public var item: Int

  /// The path of an item, in the first section by default. O(1).
  public init(section: Int = 0, item: Int) { (self.section, self.item) = (section, item) }

  /// Returns whether an item comes before another in the data. O(1).
  public static func < (left: ElementPath, right: ElementPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

/// The kind of an element of a layout.
///
/// A host adds kinds of its own by number, and gives them names:
/// `extension ElementKind { static let badge = ElementKind.supplementary(1) }`.
public enum ElementKind: Hashable, Sendable {
  /// An item of the data.
  case item
  /// The header above all sections.
  case globalHeader
  /// A section's header.
  case header
  /// A section's footer.
  case footer
  /// The decoration behind a whole section.
  case background
  /// The decoration under the item of the path.
  case separator
  /// A kind of the host's that shows data: a badge, a second header.
  case supplementary(UInt16)
  /// A kind of the host's that shows no data: a frame, a shadow.
  case decoration(UInt16)
}

/// The place of an element in the content, and its appearance.
public struct LayoutAttributes: Hashable, Sendable {
  /// The element's kind.
  public var kind: ElementKind
  /// Whether a sticky header or footer was moved to the viewport's edge, where it covers other elements.
  public var isPinned = false
  /// The size in thousandths of the usual size: a carousel's items shrink away from its middle.
  public var permille: Int16 = 1000
  /// The order of drawing, the greater number in front: backgrounds -2, separators -1, items and bars 0, elements over
  /// items 1, pinned headers and footers 2, the pinned global header 3.
  public var zIndex: Int16
  /// The item's path; for an element of a section only the section counts, for the global header nothing.
  public var path: ElementPath
  /// The element's frame in the content.
  public var frame: Rect

  /// An element of the usual size that is not pinned, with its kind's usual `zIndex`. O(1).
  @inline(__always)
  public init(kind: ElementKind, path: ElementPath, frame: Rect) {
    (self.kind, self.path, self.frame) = (kind, path, frame)
    zIndex =
      switch kind {
      case .background, .decoration: -2
      case .separator: -1
      case .item, .globalHeader, .header, .footer, .supplementary: 0
      }
  }

  /// The size as a share of the usual one, 1 for the usual size. O(1).
  public var scale: Double { Double(permille) / 1000 }
}

/// A direction on the screen from one item to its neighbor.
public enum Direction: Hashable, Sendable, CaseIterable {
  /// To the item on the left.
  case left
  /// To the item on the right.
  case right
  /// To the item above.
  case up
  /// To the item below.
  case down
}

/// The place in the viewport to which an element is scrolled.
public enum ScrollAlignment: Hashable, Sendable, CaseIterable {
  /// The place that needs the least scrolling; an element higher than the viewport shows its top.
  case nearest
  /// The element's start at the viewport's start.
  case top
  /// The element's middle in the viewport's middle.
  case center
  /// The element's end at the viewport's end.
  case bottom
}

/// An item and the row of the screen on which it starts (the column, if the layout scrolls sideways): the point that
/// stays fixed while a layout changes.
public struct ScrollAnchor: Hashable, Sendable {
  /// The item that stays in place.
  public var path: ElementPath
  /// The distance from the viewport's start to the item's start, in units along the scrolling; negative before it.
  public var screenRow: Int

  /// The anchor of an item on a row of the screen. O(1).
  public init(path: ElementPath, screenRow: Int) { (self.path, self.screenRow) = (path, screenRow) }
}

/// The row that moves to the sides follow and the column that moves up and down follow, so that the opposite moves
/// return to the item where they began.
///
/// Start with nil, pass the goal from move to move, and set it to nil after a jump.
public struct NavigationGoal: Hashable, Sendable {
  /// The row, in units from the content's start along the scrolling; nil after a move up or down.
  public var row: Int?
  /// The column, where items span several.
  var column: Int?
  /// The item where the moves to the sides began.
  var origin: ElementPath?
  /// The horizontal extent of the item where the moves up and down began, once they have left its section or row.
  var lane: Range<Int>?
}

extension NavigationGoal {
  /// A goal at a row. O(1).
  public init(row: Int) { self.init(row: .some(row)) }

  /// Returns the row, and sets it to the middle of `frame` if there is none; the frame's rows count from `top`.
  @inline(__always)
  mutating func row(for frame: @autoclosure () -> Rect, top: Int) -> Int {
    if let row { return row }
    let row = top + frame().midY
    self.row = row
    return row
  }
}
