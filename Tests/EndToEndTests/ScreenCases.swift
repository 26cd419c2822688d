import Testing
import WaterfallEngine

@testable import FeedfallMedia
@testable import FeedfallScreen
@testable import FeedfallTerminal

/// A screen of 40 by 12 cells for the cases of what stays on it.
enum ScreenCases {
  static let size = Size(width: 40, height: 12)
  static let frame = Rect(x: 2, y: 2, width: 8, height: 4)

  static func pixels(_ width: Int, _ height: Int) throws -> PixelBuffer {
    let bytes = [UInt8](repeating: 90, count: width * height * 3)
    return try #require(PixelBuffer(size: Size(width: width, height: height), bytes: bytes))
  }

  /// A canvas at rest with one cover.
  static func canvas(_ frame: Rect = frame, badge: Rect? = nil) throws -> Canvas {
    var canvas = Canvas(size: size)
    canvas.isAtRest = true
    canvas.place(try pixels(64, 64), id: 1, over: frame)
    if let badge { canvas.fill(badge, style: Style(.badge)) }
    return canvas
  }

  /// Sends all missing pictures; returns their number.
  static func transfer(_ canvas: Canvas, by layer: inout some PictureLayer) -> Int {
    var count = 0
    while layer.beginTransfer(of: canvas.visiblePictures) != nil {
      layer.endTransfer(isComplete: true)
      count += 1
    }
    return count
  }

  /// Sixels of the canvas with one cover.
  static func sixels(_ canvas: Canvas) -> SixelPictures {
    var layer = SixelPictures(cellSize: Size(width: 8, height: 16), colors: 64)
    _ = layer.finish(canvas, canvas.visiblePictures, damage: CellDamage(on: size))
    _ = transfer(canvas, by: &layer)
    return layer
  }

  /// The size in pixels that is sent for a picture over cells.
  static func sentSize(of width: Int, _ height: Int, over cells: Size) -> Size {
    let format = CoverFormat(size: cells, cellSize: Size(width: 8, height: 16), glyphs: .halves, wantsPixels: true)
    return format.pixelTarget.part(of: Size(width: width, height: height)).size
  }
}
