import FeedfallScreen
import WaterfallEngine

/// Parses the escape sequences of mpv's `tct` output back into frames of pixels, in pieces of any length.
///
/// The output consists of SGR colors, `▄` (lower half in the foreground color, upper half in the background color), cursor
/// positions (counted from 0) and a line break after each frame. Everything else is skipped.
struct TctParser {
  /// The size of frames in cells. Other frames are dropped.
  private(set) var size = Size.zero
  private var pixels: [UInt8] = []
  /// The beginning of an incomplete sequence.
  private(set) var rest: [UInt8] = []
  private var pen = Pen()
  private var area = PaintedArea()
  private var previousArea = PaintedArea()

  /// In bytes; longer sequences are dropped.
  private static let maximumSequenceLength = 64
  private static let maximumCellCount = 1 << 20

  private struct Pen {
    var x = 0
    var y = 0
    /// Whether the cursor was positioned in this frame.
    var isPlaced = false
    var upper = SIMD3<UInt8>.zero
    var lower = SIMD3<UInt8>.zero
  }

  /// Changes the size of frames, and drops an incomplete one. Empty and huge sizes are ignored.
  mutating func resize(to size: Size) {
    guard size != self.size, size.width > 0, size.height > 0,
      size.width.multipliedReportingOverflow(by: size.height).partialValue <= Self.maximumCellCount,
      size.width <= Self.maximumCellCount, size.height <= Self.maximumCellCount
    else { return }
    self.size = size
    pixels = [UInt8](repeating: 0, count: size.width * size.height * 6)
    area = PaintedArea()
    previousArea = PaintedArea()
    pen.isPlaced = false
  }

  /// Parses further bytes; returns the newest frame that they complete. Complexity: O(number of bytes).
  mutating func parse(_ bytes: UnsafeRawBufferPointer) -> PixelBuffer? {
    var frame: PixelBuffer?
    if rest.isEmpty {
      rest = Array(bytes[scan(bytes, &frame)...])
    } else {
      let joined = rest + bytes
      joined.withUnsafeBytes { rest = Array($0[scan($0, &frame)...]) }
    }
    return frame
  }

  /// Returns the index of the incomplete sequence at the end.
  private mutating func scan(_ bytes: UnsafeRawBufferPointer, _ frame: inout PixelBuffer?) -> Int {
    var index = 0
    while index < bytes.count {
      let next: Int?
      switch bytes[index] {
      case 0x1B: next = scanSequence(bytes, index)
      case 0xE2: next = scanBlock(bytes, index)
      case 0x0A:
        if let complete = finishFrame() { frame = complete }
        next = index + 1
      default: next = index + 1
      }
      guard let next else { return bytes.count - index > Self.maximumSequenceLength ? bytes.count : index }
      index = next
    }
    return index
  }

  // MARK: - Sequences

  /// Scans `ESC [ 48;2;1;2;3 m` and the like; nil if it is incomplete.
  @inline(__always)
  private mutating func scanSequence(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
    guard start + 1 < bytes.count else { return nil }
    guard bytes[start + 1] == UInt8(ascii: "[") else { return start + 1 }
    var numbers = (0, 0, 0, 0, 0)
    var count = 0
    var number = 0
    var index = start + 2
    while index < bytes.count {
      let byte = bytes[index]
      index &+= 1
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10 {
        number = (number &* 10 &+ Int(digit)) & 0xFF_FFFF
        continue
      }
      switch count {
      case 0: numbers.0 = number
      case 1: numbers.1 = number
      case 2: numbers.2 = number
      case 3: numbers.3 = number
      case 4: numbers.4 = number
      default: break
      }
      count &+= 1
      number = 0
      if byte == UInt8(ascii: ";") { continue }
      // Only parameter and intermediate bytes continue the sequence.
      if byte >= 0x40 || byte < 0x20 {
        apply(byte, numbers, count)
        return byte < 0x20 ? index - 1 : index
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func apply(_ final: UInt8, _ numbers: (Int, Int, Int, Int, Int), _ count: Int) {
    switch final {
    case UInt8(ascii: "m"):
      if count == 5, numbers.1 == 2 {
        let color = SIMD3(
          UInt8(truncatingIfNeeded: numbers.2), UInt8(truncatingIfNeeded: numbers.3),
          UInt8(truncatingIfNeeded: numbers.4))
        if numbers.0 == 48 { pen.upper = color } else if numbers.0 == 38 { pen.lower = color }
      }
    case UInt8(ascii: "f"), UInt8(ascii: "H"):
      pen.isPlaced = true
      pen.y = numbers.0
      pen.x = count > 1 ? numbers.1 : 0
    default: break
    }
  }

  /// Scans `▄`; nil if it is incomplete.
  @inline(__always)
  private mutating func scanBlock(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
    guard start + 2 < bytes.count else { return nil }
    guard bytes[start + 1] == 0x96, bytes[start + 2] == 0x84 else { return start + 1 }
    paintCell()
    return start + 3
  }

  // MARK: - Pixels

  @inline(__always)
  private mutating func paintCell() {
    guard pen.isPlaced else { return }
    area.insert(pen.x, pen.y)
    if pen.x < size.width, pen.y < size.height {
      let stride = size.width &* 3
      let place = pen.y &* 2 &* stride &+ pen.x &* 3
      pixels.withUnsafeMutableBufferPointer { pixels in
        pixels[place] = pen.upper.x
        pixels[place &+ 1] = pen.upper.y
        pixels[place &+ 2] = pen.upper.z
        pixels[place &+ stride] = pen.lower.x
        pixels[place &+ stride &+ 1] = pen.lower.y
        pixels[place &+ stride &+ 2] = pen.lower.z
      }
    }
    pen.x &+= 1
  }

  private mutating func finishFrame() -> PixelBuffer? {
    defer {
      area = PaintedArea()
      pen.isPlaced = false
    }
    guard area.isComplete, area.isCentered(in: size) else { return nil }
    if area != previousArea { blackenOutside(area) }
    previousArea = area
    return PixelBuffer(size: Size(width: size.width, height: size.height * 2), bytes: pixels, content: area.pixels)
  }

  private mutating func blackenOutside(_ area: PaintedArea) {
    for y in 0..<size.height * 2 {
      let isInside = area.rows.contains(y / 2)
      for x in 0..<size.width where !(isInside && area.columns.contains(x)) {
        let place = (y * size.width + x) * 3
        for channel in place..<place + 3 { pixels[channel] = 0 }
      }
    }
  }
}

private struct PaintedArea: Equatable {
  private var left = Int.max
  private var top = Int.max
  private var right = 0
  private var bottom = 0
  private var cellCount = 0

  var columns: Range<Int> { min(left, right)..<right }
  var rows: Range<Int> { min(top, bottom)..<bottom }
  var pixels: Rect {
    Rect(x: columns.lowerBound, y: rows.lowerBound * 2, width: columns.count, height: rows.count * 2)
  }

  @inline(__always)
  mutating func insert(_ x: Int, _ y: Int) {
    left = min(left, x)
    top = min(top, y)
    right = max(right, x &+ 1)
    bottom = max(bottom, y &+ 1)
    cellCount &+= 1
  }

  /// Whether each cell was painted once, so that nothing of the frame was lost.
  var isComplete: Bool { cellCount > 0 && cellCount == columns.count * rows.count }

  /// Whether mpv paints this area in a frame of this size. After a change of size, frames of the old one still arrive.
  func isCentered(in size: Size) -> Bool {
    (0...1).contains(size.width - columns.lowerBound * 2 - columns.count)
      && (0...1).contains(size.height - rows.lowerBound * 2 - rows.count)
  }
}
