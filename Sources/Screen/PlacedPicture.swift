import Geometry

/// A picture in pixels that may lie over the cells of a canvas that show the same in their way.
public struct PlacedPicture: Sendable {
  /// Says which picture it is: those with the same number and the same size in cells have the same pixels.
  public let id: Int
  public let pixels: PixelBuffer
  /// The cells that the whole picture takes, also where it is cut off or covered.
  public let frame: Rect

  func moved(by offset: Point) -> PlacedPicture {
    let origin = Point(x: frame.minX &+ offset.x, y: frame.minY &+ offset.y)
    return PlacedPicture(id: id, pixels: pixels, frame: Rect(origin: origin, size: frame.size))
  }
}

extension PlacedPicture: Equatable {
  public static func == (one: PlacedPicture, other: PlacedPicture) -> Bool {
    one.id == other.id && one.frame == other.frame
  }
}

/// A picture of a canvas, and where it can be seen.
public struct VisiblePicture: Equatable, Sendable {
  public let picture: PlacedPicture
  /// Rectangles of cells that do not overlap, from top to bottom; at least one.
  public let parts: [Rect]
}
