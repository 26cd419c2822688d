/// A position in whole units (terminal cells, pixels): `x` grows to the right, `y` downwards.
public struct Point: Hashable, Sendable {
  public var x: Int
  public var y: Int

  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  public static let zero = Point(x: 0, y: 0)
}

/// A width and a height in whole units; neither is negative in a well-formed value.
public struct Size: Hashable, Sendable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public static let zero = Size(width: 0, height: 0)
}

/// Distances from the four edges of a rectangle, in whole units, measured inwards.
public struct EdgeInsets: Hashable, Sendable {
  public var top: Int
  public var left: Int
  public var bottom: Int
  public var right: Int

  public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  public init(all distance: Int) {
    self.init(top: distance, left: distance, bottom: distance, right: distance)
  }

  public static let zero = EdgeInsets()
}
