import WaterfallEngine

/// A picture in pixels that may lie over the cells of a canvas that show the same in their way.
public struct PlacedPicture: Sendable {
  /// Says which picture it is: those with the same number and the same size in cells have the same pixels.
  public let id: Int
  public let pixels: PixelBuffer
  /// The cells that the whole picture takes, also where it is cut off or covered.
  public let frame: Rect
  /// Those of them that it was laid over; what lay outside of the clip then is none of it.
  let area: Rect

  /// On a canvas that the picture's own was drawn on, at this point.
  func drawn(on canvas: Canvas, at point: Point) -> PlacedPicture {
    func moved(_ rect: Rect) -> Rect {
      Rect(origin: Point(x: rect.minX &+ point.x, y: rect.minY &+ point.y), size: rect.size)
    }
    return PlacedPicture(id: id, pixels: pixels, frame: moved(frame), area: canvas.visible(moved(area)))
  }
}

extension PlacedPicture: Equatable {
  public static func == (one: PlacedPicture, other: PlacedPicture) -> Bool {
    one.id == other.id && one.frame == other.frame && one.area == other.area
  }
}

/// A picture of a canvas, and where it can be seen.
public struct VisiblePicture: Equatable, Sendable {
  public let picture: PlacedPicture
  /// Rectangles of cells that do not overlap, from top to bottom; at least one.
  public let parts: [Rect]
}
