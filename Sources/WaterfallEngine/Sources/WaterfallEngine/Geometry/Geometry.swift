/// A position in whole units (terminal cells, pixels): `x` grows to the right, `y` downward.
public struct Point: Hashable, Sendable {
  /// The distance to the right of the origin; negative to its left.
  public var x: Int
  /// The distance below the origin; negative above it.
  public var y: Int

  /// The point at these distances from the origin.
  public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

  /// The origin.
  public static let zero = Point(x: 0, y: 0)
}

/// A width and a height in whole units; neither is negative in a well-formed value.
public struct Size: Hashable, Sendable {
  /// The horizontal extent.
  public var width: Int
  /// The vertical extent.
  public var height: Int

  /// The size of this width and height.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// The size that covers nothing.
  public static let zero = Size(width: 0, height: 0)
}

/// Distances from the four edges of a rectangle, in whole units, measured inward.
public struct Insets: Hashable, Sendable {
  /// The distance from the top edge.
  public var top: Int
  /// The distance from the left edge.
  public var left: Int
  /// The distance from the bottom edge.
  public var bottom: Int
  /// The distance from the right edge.
  public var right: Int

  /// The insets of these distances, each 0 by default.
  public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }

  /// The insets of the same distance from every edge.
  public init(all distance: Int) { self.init(top: distance, left: distance, bottom: distance, right: distance) }

  /// No insets.
  public static let zero = Insets()
}

/// A rectangle in whole units; it covers `minX..<maxX` and `minY..<maxY`.
public struct Rect: Hashable, Sendable {
  /// The top left corner.
  public var origin: Point
  /// The extent to the right of the origin and below it.
  public var size: Size

  /// The rectangle of this size at a point.
  public init(origin: Point, size: Size) { (self.origin, self.size) = (origin, size) }

  /// The rectangle with these edges and extents.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The empty rectangle at the origin.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The left edge.
  public var minX: Int { origin.x }
  /// The top edge.
  public var minY: Int { origin.y }
  /// The right edge, the first column that the rectangle does not cover.
  public var maxX: Int { origin.x + size.width }
  /// The bottom edge, the first row that the rectangle does not cover.
  public var maxY: Int { origin.y + size.height }
  /// The horizontal middle, rounded to the left.
  public var midX: Int { origin.x + size.width / 2 }
  /// The vertical middle, rounded up.
  public var midY: Int { origin.y + size.height / 2 }
  /// The horizontal extent.
  public var width: Int { size.width }
  /// The vertical extent.
  public var height: Int { size.height }

  /// Whether the rectangle covers no unit.
  public var isEmpty: Bool { size.width <= 0 || size.height <= 0 }

  /// Returns whether the unit at `point` lies inside.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Returns whether the two rectangles share at least one unit.
  public func intersects(_ other: Rect) -> Bool {
    !isEmpty && !other.isEmpty
      && minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// Returns the units that both rectangles cover; `.zero` when they share none.
  public func intersection(_ other: Rect) -> Rect {
    guard intersects(other) else { return .zero }
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// Returns the smallest rectangle that covers both; an empty one counts for nothing.
  public func union(_ other: Rect) -> Rect {
    guard !isEmpty else { return other }
    guard !other.isEmpty else { return self }
    let left = min(minX, other.minX)
    let top = min(minY, other.minY)
    return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// Returns the rectangle moved by these distances.
  public func offsetBy(x: Int, y: Int) -> Rect {
    Rect(x: origin.x + x, y: origin.y + y, width: width, height: height)
  }

  /// Returns the rectangle made smaller by `insets`; its size is never negative.
  public func inset(by insets: Insets) -> Rect {
    Rect(
      x: minX + insets.left, y: minY + insets.top,
      width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }

  /// The rectangle with x and y exchanged.
  public var transposed: Rect { Rect(x: minY, y: minX, width: height, height: width) }

  /// Returns the mirror image of the rectangle in a picture of this width.
  public func mirrored(in width: Int) -> Rect { Rect(x: width - maxX, y: minY, width: self.width, height: height) }
}
