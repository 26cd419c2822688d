import FeedfallScreen
import WaterfallEngine

/// Encodes pictures as DEC's sixel graphics with ordered dithering: bands of six rows, and in each band one line for
/// each color of the palette.
struct SixelEncoder {
  let colorCount: Int
  private let definitions: [[UInt8]]
  private let dither: Dither
  /// The number of the color at each place of a dithered pixel.
  private let colors: [UInt8]

  /// Evenly spaced levels in each channel: much faster than the best palette of each film frame. At least 2 colors.
  init(colorCount: Int) {
    self.colorCount = colorCount
    let levels = Self.levels(maximumCount: min(256, colorCount))
    dither = Dither(red: levels.red, green: levels.green, blue: levels.blue)
    let numbers = 0..<levels.red * levels.green * levels.blue
    colors = numbers.map { UInt8($0) }
    definitions = numbers.map { number in
      func percent(_ level: Int, _ count: Int) -> Int { count == 1 ? 50 : level * 100 / (count - 1) }
      return Self.definition(
        number, red: percent(number / levels.blue / levels.green, levels.red),
        green: percent(number / levels.blue % levels.green, levels.green),
        blue: percent(number % levels.blue, levels.blue))
    }
  }

  /// Uses the best palette for a part of a picture, scaled to `size`: the mean colors of boxes found by median cut
  /// (Heckbert 1982), over colors of five bits a channel.
  init(colorCount: Int, for picture: PixelBuffer, _ part: Rect, size: Size) {
    self.colorCount = colorCount
    dither = Dither(red: 32, green: 32, blue: 32)
    var weights = [UInt32](repeating: 0, count: 32 * 32 * 32)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let color = picture[part.minX + x * part.width / size.width, part.minY + y * part.height / size.height]
        weights[dither.place(of: (color.red, color.green, color.blue), x: x, y: y)] += 1
      }
    }
    var used = weights.indices.filter { weights[$0] > 0 }.map { UInt16($0) }
    var boxes = [Box(used.indices, of: used, weights)]
    while boxes.count < min(colorCount, 256),
      let index = boxes.indices.filter({ boxes[$0].span > 0 }).max(by: { boxes[$0].urgency < boxes[$1].urgency })
    {
      let (one, other) = boxes[index].halves(&used, weights)
      boxes[index] = one
      boxes.append(other)
    }
    var colors = [UInt8](repeating: 0, count: weights.count)
    for (number, box) in boxes.enumerated() {
      for place in used[box.range] { colors[Int(place)] = UInt8(number) }
    }
    self.colors = colors
    definitions = boxes.enumerated().map { number, box in
      let mean = box.mean(of: used, weights)
      return Self.definition(number, red: mean.red, green: mean.green, blue: mean.blue)
    }
  }

  /// The channels are in percent.
  private static func definition(_ number: Int, red: Int, green: Int, blue: Int) -> [UInt8] {
    Array("#\(number);2;\(red);\(green);\(blue)".utf8)
  }

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

  private struct Dither {
    /// For each of 16 thresholds and 256 values of a channel: the channel's share of the place.
    private let (red, green, blue): ([UInt16], [UInt16], [UInt16])

    /// Bayer's 4 by 4 matrix.
    private static let pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    /// The numbers of levels.
    init(red: Int, green: Int, blue: Int) {
      func shares(levels: Int, step: Int) -> [UInt16] {
        Self.pattern.flatMap { threshold in
          (0..<256).map { UInt16((($0 * (levels - 1) * 32 + (2 * threshold + 1) * 255) / (255 * 32)) * step) }
        }
      }
      self.red = shares(levels: red, step: green * blue)
      self.green = shares(levels: green, step: blue)
      self.blue = shares(levels: blue, step: 1)
    }

    /// Returns the place of a pixel at a column and a row among all combinations of levels.
    @inline(__always)
    func place(of pixel: (UInt8, UInt8, UInt8), x: Int, y: Int) -> Int {
      let threshold = ((y & 3) << 2 | x & 3) << 8
      return Int(red[threshold | Int(pixel.0)] &+ green[threshold | Int(pixel.1)] &+ blue[threshold | Int(pixel.2)])
    }
  }

  /// Appends the sequence that draws a part of a picture at the cursor, scaled to `size` pixels. Each band is a part.
  func encode(_ picture: PixelBuffer, _ part: Rect, size: Size, to result: inout OutputParts) {
    result.bytes += "\u{1B}P0;1;0q\"1;1;\(size.width);\(size.height)".utf8
    var definitions = definitions
    let columns = (0..<size.width).map { 3 * (part.minX + $0 * part.width / size.width) }
    var band = Band(width: size.width)
    for top in stride(from: 0, to: size.height, by: 6) {
      band.clear()
      for y in top..<min(top + 6, size.height) {
        let row = (part.minY + y * part.height / size.height) * picture.size.width * 3
        picture.bytes.withUnsafeBufferPointer { band.add(self, $0, row: row, columns: columns, y: y, bit: y - top) }
      }
      band.write(to: &result.bytes, defining: &definitions)
      result.ends.append(result.bytes.count)
    }
    result.extend(by: stringTerminator)
  }

  /// `screen` is in cells. Its last row is left out, because sixels there would scroll it.
  func encode(_ frame: PixelBuffer, in region: Canvas.VideoRegion, cellSize: Size, screen: Size) -> OutputParts {
    let room = Rect(x: 0, y: 0, width: screen.width, height: screen.height - 1)
    let most = SixelPictures.maximumCells(cellSize: cellSize)
    var result = OutputParts(ending: stringTerminator)
    for cells in region.parts.prefix(PlacedPicture.maximumParts).flatMap({ $0.intersection(room).tiles(of: most) }) {
      result.bytes += "\u{1B}[\(cells.minY + 1);\(cells.minX + 1)H".utf8
      let size = Size(width: cells.width * cellSize.width, height: cells.height * cellSize.height)
      encode(frame, cells.pixels(of: frame.size, over: region.frame), size: size, to: &result)
    }
    return result
  }

  private struct Box {
    var range: Range<Int>
    /// The lowest bit of the channel with the widest range of values.
    private var shift: UInt16 = 0
    /// The width of that range; 0 for a single color.
    private(set) var span: UInt16 = 0
    private var weight: UInt32 = 0

    var urgency: UInt64 { UInt64(span) * UInt64(span) * UInt64(weight) }

    init(_ range: Range<Int>, of colors: [UInt16], _ weights: [UInt32]) {
      self.range = range
      for color in colors[range] { weight += weights[Int(color)] }
      for channel: UInt16 in [0, 5, 10] {
        let values = colors[range].lazy.map { $0 >> channel & 31 }
        guard let least = values.min(), let most = values.max(), most - least > span else { continue }
        (span, shift) = (most - least, channel)
      }
    }

    /// Splits the box at its median pixel; both halves have colors.
    func halves(_ colors: inout [UInt16], _ weights: [UInt32]) -> (Box, Box) {
      let shift = shift
      colors[range].sort { ($0 >> shift & 31, $0) < ($1 >> shift & 31, $1) }
      var cut = range.lowerBound
      var before: UInt32 = 0
      while cut < range.upperBound - 1, cut == range.lowerBound || before * 2 < weight {
        before += weights[Int(colors[cut])]
        cut += 1
      }
      return (Box(range.lowerBound..<cut, of: colors, weights), Box(cut..<range.upperBound, of: colors, weights))
    }

    func mean(of colors: [UInt16], _ weights: [UInt32]) -> (red: Int, green: Int, blue: Int) {
      func channel(_ shift: UInt16) -> Int {
        let sum = colors[range].reduce(0) { $0 + Int($1 >> shift & 31) * Int(weights[Int($1)]) }
        let whole = 31 * max(1, Int(weight))
        return (sum * 100 + whole / 2) / whole
      }
      return (channel(10), channel(5), channel(0))
    }
  }

  /// Six rows of pixels: for each color the columns that have it, and the rows in them.
  private struct Band {
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
      _ encoder: borrowing SixelEncoder, _ bytes: UnsafeBufferPointer<UInt8>, row: Int, columns: [Int], y: Int, bit: Int
    ) {
      height = bit + 1
      colors.withUnsafeMutableBufferPointer { colors in
        for x in 0..<width {
          let start = row + columns[x]
          let pixel = (bytes[start], bytes[start + 1], bytes[start + 2])
          colors[x * 6 + bit] = encoder.colors[encoder.dither.place(of: pixel, x: x, y: y)]
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

    /// Defines each color before its first use, which also empties its definition.
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
}
