import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct SixelEncoderTests {
  /// A decoded sequence: a color for each pixel, nil if nothing was drawn there.
  private struct Drawing {
    var pixels: [RGB?]
    var palette: [Int: RGB] = [:]
    let width: Int

    init(_ bytes: [UInt8], size: Size) throws {
      pixels = Array(repeating: nil, count: size.width * size.height)
      width = size.width
      let text = String(decoding: bytes, as: UTF8.self)
      let start = "\u{1B}P0;1;0q\"1;1;\(size.width);\(size.height)"
      try #require(text.hasPrefix(start) && text.hasSuffix("\u{1B}\\"))
      try draw(Array(text.dropFirst(start.count).dropLast(2).utf8))
    }

    private mutating func draw(_ bytes: [UInt8]) throws {
      var rest = bytes[...]
      var (x, top, color, count) = (0, 0, 0, 1)
      // Parses numbers separated by semicolons.
      func numbers() -> [Int] {
        let digits = rest.prefix { (0x30...0x3B).contains($0) && $0 != 0x3A }
        rest = rest.dropFirst(digits.count)
        return digits.split(separator: 0x3B).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      }
      while let byte = rest.popFirst() {
        switch Character(Unicode.Scalar(byte)) {
        case "#":
          let numbers = numbers()
          color = numbers[0]
          guard numbers.count == 5 else { continue }
          let parts = numbers[2...].map { UInt8($0 * 255 / 100) }
          palette[color] = RGB(red: parts[0], green: parts[1], blue: parts[2])
        case "!": count = numbers()[0]
        case "$": x = 0
        case "-": (x, top) = (0, top + 6)
        default:
          try #require((0x3F...0x7E).contains(byte))
          for row in 0..<6 where (byte - 0x3F) >> row & 1 == 1 {
            for column in x..<x + count { pixels[(top + row) * width + column] = palette[color] }
          }
          x += count
          count = 1
        }
      }
    }
  }

  private func picture(_ size: Size, _ color: (Int, Int) -> RGB) throws -> PixelBuffer {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let color = color(x, y)
        bytes += [color.red, color.green, color.blue]
      }
    }
    return try #require(PixelBuffer(size: size, bytes: bytes))
  }

  private func difference(_ one: RGB, _ other: RGB) -> Int {
    max(
      abs(Int(one.red) - Int(other.red)), abs(Int(one.green) - Int(other.green)), abs(Int(one.blue) - Int(other.blue)))
  }

  @Test(arguments: [Size(width: 64, height: 48), Size(width: 37, height: 31), Size(width: 1, height: 1)])
  func `a decoded picture is close to the original`(size: Size) throws {
    let slow = try picture(size) { x, y in RGB(red: UInt8(x * 3), green: UInt8(y * 5), blue: 90) }
    let whole = Rect(origin: .zero, size: size)
    let drawing = try Drawing(SixelEncoder.encode(slow, part: whole, size: size, colors: 252), size: size)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let drawn = try #require(drawing.pixels[y * size.width + x])
        #expect(difference(drawn, slow[x, y]) <= 28, "\(x), \(y)")
      }
    }
  }

  @Test func `a picture with few colors keeps them`() throws {
    let colors = [RGB.black, .white, RGB(red: 255, green: 0, blue: 0), RGB(red: 0, green: 0, blue: 255)]
    let size = Size(width: 16, height: 7)
    let flag = try picture(size) { x, _ in colors[x / 4] }
    let whole = Rect(origin: .zero, size: size)
    let drawing = try Drawing(SixelEncoder.encode(flag, part: whole, size: size, colors: 16), size: size)
    for x in 0..<16 {
      let drawn = try #require(drawing.pixels[6 * 16 + x])
      #expect(difference(drawn, colors[x / 4]) <= 8)
    }
  }

  @Test func `a part is scaled to the size`() throws {
    let half = try picture(Size(width: 8, height: 8)) { x, _ in x < 4 ? .black : .white }
    let size = Size(width: 20, height: 10)
    let bytes = SixelEncoder.encode(half, part: Rect(x: 4, y: 0, width: 4, height: 8), size: size, colors: 252)
    #expect(try Drawing(bytes, size: size).pixels.allSatisfy { $0 == .white })
  }

  @Test func `the palette is limited to the terminal's colors`() throws {
    let size = Size(width: 90, height: 60)
    let many = try picture(size) { x, y in RGB(red: UInt8(x * 2), green: UInt8(y * 4), blue: UInt8((x * y) & 255)) }
    for count in [2, 16, 252] {
      let bytes = SixelEncoder.encode(many, part: Rect(origin: .zero, size: size), size: size, colors: count)
      #expect(try Drawing(bytes, size: size).palette.count == count)
    }
  }
}
