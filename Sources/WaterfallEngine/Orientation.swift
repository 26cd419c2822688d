/// Which way a layout is turned.
///
/// Everything is laid out from top to bottom and from left to right; the picture is then turned as a whole. So every
/// measure keeps its name: in a layout that scrolls sideways an item's height is its length along the scrolling, and
/// `insets.top` lies before the section's first item.
public struct Orientation: Hashable, Sendable {
  /// A direction of scrolling.
  public enum Axis: Hashable, Sendable, CaseIterable {
    /// Up and down.
    case vertical
    /// To the left and to the right.
    case horizontal
  }

  /// The direction of scrolling. Sideways, what would lie below lies to the right, and columns are rows.
  public var axis: Axis
  /// Whether left and right are changed over at last.
  public var isMirrored: Bool

  /// An orientation, as a rule from top to bottom and not mirrored. O(1).
  public init(_ axis: Axis = .vertical, isMirrored: Bool = false) {
    self.axis = axis
    self.isMirrored = isMirrored
  }

  /// From top to bottom, the first column to the left.
  public static let vertical = Orientation()
  /// From left to right, the first column on top.
  public static let horizontal = Orientation(.horizontal)
}

extension Orientation {
  var isPlain: Bool { self == .vertical }

  /// The size of a content that is so long in the direction of scrolling.
  func contentSize(breadth: Int, length: Int) -> Size {
    axis == .vertical ? Size(width: breadth, height: length) : Size(width: length, height: breadth)
  }

  /// What lies at `frame` in the picture that is not turned yet; `content` is the turned picture's size.
  func turned(_ frame: Rect, in content: Size) -> Rect {
    let turned = axis == .vertical ? frame : frame.transposed
    return isMirrored ? turned.mirrored(in: content.width) : turned
  }

  /// The opposite of `turned`.
  func laidOut(_ frame: Rect, in content: Size) -> Rect {
    let frame = isMirrored ? frame.mirrored(in: content.width) : frame
    return axis == .vertical ? frame : frame.transposed
  }

  /// The direction in the picture that is not turned yet.
  func laidOut(_ direction: Direction) -> Direction {
    let direction = isMirrored ? direction.mirrored : direction
    return axis == .vertical ? direction : direction.transposed
  }

  /// The direction on the screen.
  func turned(_ direction: Direction) -> Direction {
    let direction = axis == .vertical ? direction : direction.transposed
    return isMirrored ? direction.mirrored : direction
  }
}

extension Direction {
  fileprivate var mirrored: Direction {
    switch self {
    case .left: .right
    case .right: .left
    case .up, .down: self
    }
  }

  fileprivate var transposed: Direction {
    switch self {
    case .left: .up
    case .right: .down
    case .up: .left
    case .down: .right
    }
  }
}
