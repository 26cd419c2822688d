import FeedfallScreen
import WaterfallEngine

/// The cells of a frame with a picture in its middle, cut off or with black around it where it is of another size.
struct PictureView {
  private let picture: PixelBuffer
  /// The cell of the screen that has the picture's first pixel.
  private let origin: Point
  private let light: BrightnessTable
  private let usesPalette: Bool
  private let black: VideoColor

  init(_ picture: PixelBuffer, in frame: Rect, light: BrightnessTable, usesPalette: Bool) {
    self.picture = picture
    self.light = light
    self.usesPalette = usesPalette
    let black = VideoColor(red: 0, green: 0, blue: 0)
    self.black = usesPalette ? VideoColor(nearestTo: black) : black
    let rows = (picture.size.height + 1) / 2
    origin = Point(
      x: frame.minX + (frame.width - picture.size.width) >> 1, y: frame.minY + (frame.height - rows) >> 1)
  }

  /// What is to be seen in a cell of the screen.
  @inline(__always)
  subscript(x: Int, y: Int) -> VideoCell {
    let (column, row) = (x - origin.x, (y - origin.y) * 2)
    guard column >= 0, column < picture.size.width, row >= 0, row < picture.size.height else {
      return VideoCell(upper: black, lower: black)
    }
    let hasLower = row + 1 < picture.size.height
    return VideoCell(upper: color(column, row), lower: hasLower ? color(column, row + 1) : black)
  }

  @inline(__always)
  private func color(_ column: Int, _ row: Int) -> VideoColor {
    let pixel = picture[column, row]
    let color = VideoColor(red: light[pixel.red], green: light[pixel.green], blue: light[pixel.blue])
    return usesPalette ? VideoColor(nearestTo: color) : color
  }
}

/// Makes a picture lighter or darker by what is looked up for each channel.
struct BrightnessTable {
  /// 0 to 100; with 50 all stays as it is, with 0 it is black, with 100 twice as light.
  let brightness: Int
  private let levels: [UInt8]

  init(brightness: Int) {
    self.brightness = brightness
    let factor = max(0, min(brightness, 100))
    levels = (0..<256).map { UInt8(min(255, $0 * factor / 50)) }
  }

  @inline(__always)
  subscript(level: UInt8) -> UInt8 { levels[Int(level)] }
}
