/// A rectangle in whole units; it covers `minX..<maxX` and `minY..<maxY`.
public struct Rect: Hashable, Sendable {
  public var origin: Point
  public var size: Size

  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  public var minX: Int { origin.x }
  public var minY: Int { origin.y }
  public var maxX: Int { origin.x + size.width }
  public var maxY: Int { origin.y + size.height }
  public var midX: Int { origin.x + size.width / 2 }
  public var midY: Int { origin.y + size.height / 2 }
  public var width: Int { size.width }
  public var height: Int { size.height }

  /// Whether the rectangle covers no unit at all.
  public var isEmpty: Bool { size.width <= 0 || size.height <= 0 }

  /// Whether the unit at `point` lies inside.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Whether the two rectangles share at least one unit.
  public func intersects(_ other: Rect) -> Bool {
    !isEmpty && !other.isEmpty
      && minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// The units that both rectangles cover; `.zero` when they share none.
  public func intersection(_ other: Rect) -> Rect {
    guard intersects(other) else { return .zero }
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// The rectangle moved by the given distances.
  public func offsetBy(x: Int, y: Int) -> Rect {
    Rect(x: origin.x + x, y: origin.y + y, width: width, height: height)
  }

  /// The rectangle made smaller by `insets`; never of a negative size.
  public func inset(by insets: EdgeInsets) -> Rect {
    Rect(
      x: minX + insets.left, y: minY + insets.top,
      width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }
}
