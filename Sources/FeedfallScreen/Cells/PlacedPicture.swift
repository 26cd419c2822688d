import WaterfallEngine

/// A picture in pixels, placed over cells of a canvas that approximate it.
public struct PlacedPicture: Sendable {
  /// Identifies the picture: the same `id` and the same size in cells mean the same pixels.
  public let id: Int
  public let pixels: PixelBuffer
  /// The cells of the whole picture, including those that are clipped or covered.
  public internal(set) var frame: Rect
  /// Whether the upper corners of the pixels are rounded.
  public let hasRoundedTop: Bool
  /// Whether the picture is shown with less contrast (see `Canvas.fade`).
  public internal(set) var isFaded = false
  /// The part of `frame` inside of the clip in effect when the picture was placed.
  var area: Rect
  /// The visible cells, as disjoint rectangles from top to bottom; only for `Canvas.visiblePictures`.
  public internal(set) var parts: [Rect] = []

  /// The pixels as they are shown. Complexity: O(number of pixels) for a faded picture.
  public var shownPixels: PixelBuffer { isFaded ? pixels.faded : pixels }
}

extension PlacedPicture: Equatable {
  public static func == (one: PlacedPicture, other: PlacedPicture) -> Bool {
    one.id == other.id && one.frame == other.frame && one.area == other.area
      && one.hasRoundedTop == other.hasRoundedTop && one.isFaded == other.isFaded && one.parts == other.parts
  }
}
