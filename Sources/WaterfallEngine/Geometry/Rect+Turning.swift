extension Rect {
  /// The rectangle with x and y changed over.
  public var transposed: Rect { Rect(x: minY, y: minX, width: height, height: width) }

  /// The rectangle as a mirror shows it in a picture of the given width.
  public func mirrored(in width: Int) -> Rect {
    Rect(x: width - maxX, y: minY, width: self.width, height: height)
  }
}
