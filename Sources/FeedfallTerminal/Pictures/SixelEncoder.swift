import FeedfallScreen
import WaterfallEngine

/// Encodes pictures as DEC's sixel graphics: bands of six rows, and in each band one line for each color.
enum SixelEncoder {
  /// Returns the sequence that draws a part of a picture at the cursor, scaled to `size` pixels.
  /// Complexity: O(number of pixels), a few nanoseconds each.
  static func encode(_ picture: PixelBuffer, part: Rect, size: Size, colors: Int) -> [UInt8] {
    let bins = bins(of: picture, part: part, size: size)
    let palette = SixelPalette(bins: bins, count: colors)
    let pixels = bins.map { palette.indices[Int($0)] }
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(size.width);\(size.height)".utf8)
    for (index, color) in palette.colors.enumerated() {
      bytes += "#\(index);2;\(percent(color.red));\(percent(color.green));\(percent(color.blue))".utf8
    }
    for top in stride(from: 0, to: size.height, by: 6) {
      appendBand(of: pixels, rows: top..<min(top + 6, size.height), width: size.width, to: &bytes)
      bytes.append(UInt8(ascii: "-"))
    }
    return bytes + stringTerminator
  }

  private static func percent(_ channel: UInt8) -> Int { (Int(channel) * 100 + 127) / 255 }

  /// Returns the part's nearest pixels with five bits a channel. Ordered dithering before the lower bits are dropped
  /// avoids visible bands in gradients.
  private static func bins(of picture: PixelBuffer, part: Rect, size: Size) -> [UInt16] {
    let bytes = picture.bytes.span
    let columns = (0..<size.width).map { 3 * (part.minX + $0 * part.width / size.width) }
    var bins: [UInt16] = []
    bins.reserveCapacity(size.width * size.height)
    for y in 0..<size.height {
      let row = (part.minY + y * part.height / size.height) * picture.size.width * 3
      for x in 0..<size.width {
        let start = row + columns[x]
        let noise = Int(pattern[(y & 3) << 2 | x & 3])
        func channel(_ offset: Int) -> UInt16 { UInt16(min(255, Int(bytes[start + offset]) + noise) >> 3) }
        bins.append(channel(0) << 10 | channel(1) << 5 | channel(2))
      }
    }
    return bins
  }

  /// Bayer's 4 by 4 matrix, scaled below one step of five bits.
  private static let pattern: [UInt8] = [0, 4, 1, 5, 6, 2, 7, 3, 1, 5, 0, 4, 7, 3, 6, 2]

  private static func appendBand(of pixels: [UInt8], rows: Range<Int>, width: Int, to bytes: inout [UInt8]) {
    // For each color a bit mask of rows per column, and the range of columns that have any.
    var masks = [UInt8](repeating: 0, count: 256 * width)
    var stretches = [(first: Int, last: Int)](repeating: (width, -1), count: 256)
    for (row, y) in rows.enumerated() {
      for x in 0..<width {
        let color = Int(pixels[y * width + x])
        masks[color * width + x] |= 1 << UInt8(row)
        if x < stretches[color].first { stretches[color].first = x }
        if x > stretches[color].last { stretches[color].last = x }
      }
    }
    for color in 0..<256 where stretches[color].last >= 0 {
      let (first, last) = stretches[color]
      bytes += "#\(color)".utf8
      appendRun(of: 0, count: first, to: &bytes)
      var x = first
      while x <= last {
        let mask = masks[color * width + x]
        let start = x
        while x <= last, masks[color * width + x] == mask { x += 1 }
        appendRun(of: mask, count: x - start, to: &bytes)
      }
      bytes.append(UInt8(ascii: "$"))
    }
  }

  private static func appendRun(of mask: UInt8, count: Int, to bytes: inout [UInt8]) {
    let letter = 0x3F + mask
    if count > 3 {
      bytes.append(UInt8(ascii: "!"))
      bytes += String(count).utf8
      bytes.append(letter)
    } else {
      for _ in 0..<count { bytes.append(letter) }
    }
  }
}
