import FeedfallScreen
import WaterfallEngine

/// Reads what mpv's `tct` output writes for a terminal back into pixels, in whatever pieces it comes.
///
/// It is made of SGR colours, of `▄` (its lower half in the foreground's colour, its upper half in the background's), of
/// places for the cursor (mpv counts them from 0) and of a line's end after each picture. What else is in it is stepped over.
struct TctParser {
  /// How large the pictures are, in cells; others are left out.
  private(set) var size = Size.zero
  private var pixels: [UInt8] = []
  /// The start of what is not complete yet.
  private var rest: [UInt8] = []
  private var pen = Pen()
  private var area = TctArea()
  private var areaBefore = TctArea()

  /// The longest sequence that is waited for, in bytes.
  private static let maximumSequenceLength = 64
  private static let maximumCellCount = 1 << 20

  private struct Pen {
    var x = 0
    var y = 0
    /// Whether it was said where this picture's cells go.
    var isPlaced = false
    var upper = SIMD3<UInt8>.zero
    var lower = SIMD3<UInt8>.zero
  }

  /// How much is kept of what is not complete.
  var waitingByteCount: Int { rest.count }

  /// From now on pictures of this size are expected, and what is there of another is forgotten.
  mutating func expect(_ size: Size) {
    guard size != self.size, size.width > 0, size.height > 0,
      size.width.multipliedReportingOverflow(by: size.height).partialValue <= Self.maximumCellCount,
      size.width <= Self.maximumCellCount, size.height <= Self.maximumCellCount
    else { return }
    self.size = size
    pixels = [UInt8](repeating: 0, count: size.width * size.height * 6)
    area = TctArea()
    areaBefore = TctArea()
    pen.isPlaced = false
  }

  /// Takes the next bytes; gives the newest picture that is complete with them. Complexity: O(number of bytes).
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> PixelBuffer? {
    var picture: PixelBuffer?
    guard !rest.isEmpty else {
      keepRest(bytes, from: parse(bytes, &picture))
      return picture
    }
    let joined = rest + bytes
    joined.withUnsafeBytes { keepRest($0, from: parse($0, &picture)) }
    return picture
  }

  private mutating func keepRest(_ bytes: UnsafeRawBufferPointer, from start: Int) {
    rest = Array(bytes[start...])
  }

  /// Gives the place of the sequence at the end that is not complete.
  private mutating func parse(_ bytes: UnsafeRawBufferPointer, _ picture: inout PixelBuffer?) -> Int {
    var index = 0
    while index < bytes.count {
      let next: Int?
      switch bytes[index] {
      case 0x1B: next = takeSequence(bytes, index)
      case 0xE2: next = takeBlock(bytes, index)
      case 0x0A:
        if let whole = takeScreenshot() { picture = whole }
        next = index + 1
      default: next = index + 1
      }
      guard let next else { return bytes.count - index > Self.maximumSequenceLength ? bytes.count : index }
      index = next
    }
    return index
  }

  // MARK: - Sequences

  /// `ESC [ 48;2;1;2;3 m` and its like; nil where it is not complete.
  @inline(__always)
  private mutating func takeSequence(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
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
      // Anything but a parameter or an intermediate byte ends it.
      if byte >= 0x40 || byte < 0x20 {
        carryOut(byte, numbers, count)
        return byte < 0x20 ? index - 1 : index
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func carryOut(_ final: UInt8, _ numbers: (Int, Int, Int, Int, Int), _ count: Int) {
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

  /// `▄`; nil where it is not complete.
  @inline(__always)
  private mutating func takeBlock(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
    guard start + 2 < bytes.count else { return nil }
    guard bytes[start + 1] == 0x96, bytes[start + 2] == 0x84 else { return start + 1 }
    paintCell()
    return start + 3
  }

  // MARK: - Pixels

  @inline(__always)
  private mutating func paintCell() {
    guard pen.isPlaced else { return }
    area.take(pen.x, pen.y)
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

  private mutating func takeScreenshot() -> PixelBuffer? {
    defer {
      area = TctArea()
      pen.isPlaced = false
    }
    guard area.isWhole, area.isCentred(in: size) else { return nil }
    if area != areaBefore { blackenOutside(area) }
    areaBefore = area
    return PixelBuffer(size: Size(width: size.width, height: size.height * 2), bytes: pixels)
  }

  private mutating func blackenOutside(_ area: TctArea) {
    for y in 0..<size.height * 2 {
      let isInside = area.rows.contains(y / 2)
      for x in 0..<size.width where !(isInside && area.columns.contains(x)) {
        let place = (y * size.width + x) * 3
        for channel in place..<place + 3 { pixels[channel] = 0 }
      }
    }
  }
}
