import FeedfallScreen
import WaterfallEngine

/// Draws video frames as sixels with a fixed palette and ordered dithering, which is much faster than finding the best
/// palette of each frame.
struct SixelVideo {
  let colorCount: Int
  private let palette: DitheredPalette

  init(colorCount: Int) {
    self.colorCount = colorCount
    palette = DitheredPalette(maximumCount: colorCount)
  }

  /// Returns the bytes that draw the visible parts of a frame, scaled to its cells.
  ///
  /// - Parameter screen: the size of the screen in cells. Its last row is left out, because sixels there would scroll it.
  func paint(_ frame: PixelBuffer, in region: VideoRegion, cellSize: Size, screen: Size) -> OutputParts {
    let room = Rect(x: 0, y: 0, width: screen.width, height: screen.height - 1)
    let most = SixelPictures.maximumCells(cellSize: cellSize)
    var result = OutputParts(ending: stringTerminator)
    for cells in region.parts.prefix(VisiblePicture.maximumParts).flatMap({ $0.intersection(room).tiles(of: most) }) {
      result.bytes += "\u{1B}[\(cells.minY + 1);\(cells.minX + 1)H".utf8
      let size = Size(width: cells.width * cellSize.width, height: cells.height * cellSize.height)
      draw(frame, cells.pixels(of: frame.size, over: region.frame), size: size, to: &result)
    }
    return result
  }

  private func draw(_ frame: PixelBuffer, _ part: Rect, size: Size, to result: inout OutputParts) {
    result.bytes += "\u{1B}P0;1;0q\"1;1;\(size.width);\(size.height)".utf8
    var definitions = palette.definitions
    let columns = (0..<size.width).map { 3 * (part.minX + $0 * part.width / size.width) }
    var band = SixelBand(width: size.width)
    for top in stride(from: 0, to: size.height, by: 6) {
      band.clear()
      for y in top..<min(top + 6, size.height) {
        let row = (part.minY + y * part.height / size.height) * frame.size.width * 3
        frame.bytes.withUnsafeBufferPointer { band.add(palette, $0, row: row, columns: columns, y: y, bit: y - top) }
      }
      band.write(to: &result.bytes, defining: &definitions)
      result.ends.append(result.bytes.count)
    }
    result.extend(by: stringTerminator)
  }
}

/// A palette with evenly spaced levels in each channel, and the dithered level of each value.
struct DitheredPalette {
  /// The sequences that define the colors.
  fileprivate let definitions: [[UInt8]]
  /// For each of 16 thresholds and 256 values of a channel: the channel's share of the color's number.
  private let red: [UInt8]
  private let green: [UInt8]
  private let blue: [UInt8]

  /// - Parameter maximumCount: at least 2.
  init(maximumCount: Int) {
    let levels = Self.levels(maximumCount: min(256, maximumCount))
    red = Self.shares(levels: levels.red, step: levels.green * levels.blue)
    green = Self.shares(levels: levels.green, step: levels.blue)
    blue = Self.shares(levels: levels.blue, step: 1)
    definitions = (0..<levels.red * levels.green * levels.blue).map { number in
      func percent(_ level: Int, _ count: Int) -> Int { count == 1 ? 50 : level * 100 / (count - 1) }
      let blue = percent(number % levels.blue, levels.blue)
      let green = percent(number / levels.blue % levels.green, levels.green)
      let red = percent(number / levels.blue / levels.green, levels.red)
      return Array("#\(number);2;\(red);\(green);\(blue)".utf8)
    }
  }

  var count: Int { definitions.count }

  /// Adds levels while there is room: first to green, which the eye resolves best, then to red and blue.
  private static func levels(maximumCount: Int) -> (red: Int, green: Int, blue: Int) {
    var levels = (red: 1, green: 1, blue: 1)
    while true {
      if levels.red * (levels.green + 1) * levels.blue <= maximumCount, levels.green <= levels.blue {
        levels.green += 1
      } else if (levels.red + 1) * levels.green * levels.blue <= maximumCount, levels.red < levels.green {
        levels.red += 1
      } else if levels.red * levels.green * (levels.blue + 1) <= maximumCount, levels.blue < levels.green {
        levels.blue += 1
      } else {
        return levels
      }
    }
  }

  /// Bayer's 4 by 4 matrix.
  private static let pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

  private static func shares(levels: Int, step: Int) -> [UInt8] {
    pattern.flatMap { threshold in
      (0..<256).map { UInt8((($0 * (levels - 1) * 32 + (2 * threshold + 1) * 255) / (255 * 32)) * step) }
    }
  }

  @inline(__always)
  fileprivate func color(_ pixel: (UInt8, UInt8, UInt8), threshold: Int) -> UInt8 {
    let base = threshold << 8
    return red[base | Int(pixel.0)] &+ green[base | Int(pixel.1)] &+ blue[base | Int(pixel.2)]
  }
}

/// Six rows of pixels: for each color the columns that have it, and the rows in them.
private struct SixelBand {
  private struct Entry: BitwiseCopyable {
    var x: Int32
    /// The next entry of the same color; -1 for none.
    var next: Int32
    /// Bit n is row n.
    var rows: UInt8
  }

  private let width: Int
  private var entries: [Entry] = []
  /// The first and the last entry of each color; -1 for none.
  private var first = [Int32](repeating: -1, count: 256)
  private var last = [Int32](repeating: -1, count: 256)
  /// The colors of the band, column by column, six rows each.
  private var colors: [UInt8]
  private var height = 0

  init(width: Int) {
    self.width = width
    entries.reserveCapacity(width * 6)
    colors = [UInt8](repeating: 0, count: width * 6)
  }

  mutating func clear() { height = 0 }

  /// Adds a row: `columns` are the offsets of its pixels, in bytes.
  mutating func add(
    _ palette: borrowing DitheredPalette, _ bytes: UnsafeBufferPointer<UInt8>, row: Int, columns: [Int], y: Int,
    bit: Int
  ) {
    height = bit + 1
    let base = (y & 3) << 2
    colors.withUnsafeMutableBufferPointer { colors in
      for x in 0..<width {
        let start = row + columns[x]
        colors[x * 6 + bit] = palette.color(
          (bytes[start], bytes[start + 1], bytes[start + 2]), threshold: base | x & 3)
      }
    }
  }

  private mutating func collect() {
    entries.removeAll(keepingCapacity: true)
    for color in 0..<256 { first[color] = -1 }
    for x in 0..<width {
      for bit in 0..<height {
        let color = Int(colors[x * 6 + bit])
        let end = Int(last[color])
        if first[color] >= 0, entries[end].x == x {
          entries[end].rows |= 1 << UInt8(bit)
          continue
        }
        let new = Int32(entries.count)
        entries.append(Entry(x: Int32(x), next: -1, rows: 1 << UInt8(bit)))
        if first[color] < 0 { first[color] = new } else { entries[end].next = new }
        last[color] = new
      }
    }
  }

  /// Appends the band. Defines each color before its first use, which also empties its definition.
  mutating func write(to bytes: inout [UInt8], defining definitions: inout [[UInt8]]) {
    collect()
    for color in definitions.indices where first[color] >= 0 {
      bytes += definitions[color]
      definitions[color] = []
      bytes.append(UInt8(ascii: "#"))
      bytes.appendNumber(UInt8(color))
      writeEntries(of: color, to: &bytes)
      bytes.append(UInt8(ascii: "$"))
    }
    bytes.append(UInt8(ascii: "-"))
  }

  private func writeEntries(of color: Int, to bytes: inout [UInt8]) {
    var (end, start) = (0, 0)
    var rows: UInt8 = 0
    var index = Int(first[color])
    while index >= 0 {
      let entry = entries[index]
      if Int(entry.x) != end || entry.rows != rows {
        Self.appendRun(of: rows, count: end - start, to: &bytes)
        Self.appendRun(of: 0, count: Int(entry.x) - end, to: &bytes)
        (start, rows) = (Int(entry.x), entry.rows)
      }
      end = Int(entry.x) + 1
      index = Int(entry.next)
    }
    Self.appendRun(of: rows, count: end - start, to: &bytes)
  }

  @inline(__always)
  private static func appendRun(of rows: UInt8, count: Int, to bytes: inout [UInt8]) {
    if count > 3 {
      bytes.append(UInt8(ascii: "!"))
      bytes.appendNumber(count)
      bytes.append(0x3F + rows)
    } else {
      for _ in 0..<count { bytes.append(0x3F + rows) }
    }
  }
}
