extension Video {
  /// The cover to show in a frame of so many pixels: of those whose shape is the picture's, where any is, the smallest
  /// one that need not be enlarged to fit; nil where there is none at all.
  ///
  /// Where no size is known the first one is taken for a small frame and the last one for a large one, as feeds list
  /// small ones first. O(covers).
  public func cover(fitting frame: PixelSize) -> Cover? {
    let shaped = covers.filter { $0.isLandscape == nil || $0.isLandscape == isLandscape }
    let candidates = shaped.isEmpty ? covers : shaped
    let known = candidates.compactMap { cover in cover.area.map { (cover: cover, area: $0) } }
    let large = known.filter { $0.cover.fills(frame) }.min { $0.area < $1.area }
    let unknown = candidates.filter { $0.area == nil }
    return large?.cover ?? (frame.width > Self.smallWidth ? unknown.last : unknown.first)
      ?? known.max { $0.area < $1.area }?.cover
  }

  /// The cover to look at by itself and to hand on: as large as a screen shows well.
  public var largeCover: Cover? { Self.screen.flatMap { cover(fitting: $0) } }

  /// Up to this width a frame is a small one.
  private static let smallWidth = 320
  private static let screen = PixelSize(width: 1_280, height: 720)

  /// Most pictures are wider than high, so one of which nothing is known counts as such.
  private var isLandscape: Bool {
    pictureSize.map { $0.width >= $0.height } ?? aspectRatio.map { $0 >= 1 } ?? true
  }
}

extension Cover {
  fileprivate var area: Int? { width.flatMap { width in height.map { width * $0 } } }

  /// Nil where the size is not known; a square has no shape that fits either.
  fileprivate var isLandscape: Bool? { width.flatMap { width in height.map { width > $0 } } }

  /// Whether it need not be enlarged to fit into a frame, keeping its shape.
  fileprivate func fills(_ frame: PixelSize) -> Bool {
    (width ?? 0) >= frame.width || (height ?? 0) >= frame.height
  }
}
