import WaterfallEngine

/// The place of a picture in a larger frame.
enum Letterbox {
  /// Returns the rectangle that mpv scales a picture of these proportions to, with mpv's rounding (`aspect.c`).
  static func content(of proportions: Size, in frame: Size) -> Rect {
    guard proportions.width > 0, proportions.height > 0 else { return Rect(origin: .zero, size: frame) }
    var size = frame
    size.height = length(frame.width, proportions.width, proportions.height)
    if size.height > frame.height {
      size = Size(width: length(frame.height, proportions.height, proportions.width), height: frame.height)
    }
    size = Size(width: min(max(size.width, 1), frame.width), height: min(max(size.height, 1), frame.height))
    return Rect(
      x: (frame.width - size.width) / 2, y: (frame.height - size.height) / 2, width: size.width, height: size.height)
  }

  /// Returns the length beside a known one, in single precision as in mpv.
  private static func length(_ known: Int, _ numerator: Int, _ denominator: Int) -> Int {
    Int(min(Float(known) / Float(numerator) * Float(denominator), Float(Int32.max)))
  }
}
