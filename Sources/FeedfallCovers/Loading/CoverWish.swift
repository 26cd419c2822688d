import FeedfallScreen
import WaterfallEngine

/// As what a cover is to be shown.
struct CoverWish {
  /// In cells.
  var size: Size
  /// In pixels.
  var cellSize: Size
  var glyphs: BlockGlyphs
  var wantsPixels: Bool

  /// More than this no terminal tells of itself that can be believed.
  private static let longestSide = 8_192

  private var shape: Size {
    func length(_ cells: Int, _ pixels: Int) -> Int { max(1, min(cells, 4_096) * max(1, min(pixels, 256))) }
    let whole = Size(width: length(size.width, cellSize.width), height: length(size.height, cellSize.height))
    return whole.scaled(by: min(1, Double(Self.longestSide) / Double(max(whole.width, whole.height))))
  }

  /// The pixels that are made into cells.
  var cellTarget: PictureTarget {
    let tile = glyphs.pixelsPerCell
    return .filling(Size(width: size.width * tile.width, height: size.height * tile.height), shape: shape)
  }

  /// The pixels that are shown as such.
  var pixelTarget: PictureTarget { .filling(shape, shape: shape) }

  /// How large a picture must be, in its own proportions, to show all that is to be seen of it.
  var detail: Size {
    guard !wantsPixels else { return shape }
    let tile = glyphs.pixelsPerCell
    let share = max(
      Double(size.width * tile.width) / Double(shape.width), Double(size.height * tile.height) / Double(shape.height))
    return shape.scaled(by: min(1, share))
  }

  /// How many times larger than a picture it is shown, where that is more than it is.
  func enlargement(of picture: Size) -> Double {
    max(Double(detail.width) / Double(picture.width), Double(detail.height) / Double(picture.height))
  }
}

extension Size {
  fileprivate func scaled(by factor: Double) -> Size {
    Size(width: max(1, Int(Double(width) * factor + 0.5)), height: max(1, Int(Double(height) * factor + 0.5)))
  }
}
