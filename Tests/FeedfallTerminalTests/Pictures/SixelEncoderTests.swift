import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct SixelEncoderTests {
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
    let drawing = try SixelDrawing(SixelEncoder.encode(slow, part: whole, size: size, colors: 252), size: size)
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
    let drawing = try SixelDrawing(SixelEncoder.encode(flag, part: whole, size: size, colors: 16), size: size)
    for x in 0..<16 {
      let drawn = try #require(drawing.pixels[6 * 16 + x])
      #expect(difference(drawn, colors[x / 4]) <= 8)
    }
  }

  @Test func `a part is scaled to the size`() throws {
    let half = try picture(Size(width: 8, height: 8)) { x, _ in x < 4 ? .black : .white }
    let size = Size(width: 20, height: 10)
    let bytes = SixelEncoder.encode(half, part: Rect(x: 4, y: 0, width: 4, height: 8), size: size, colors: 252)
    #expect(try SixelDrawing(bytes, size: size).pixels.allSatisfy { $0 == .white })
  }

  @Test func `the palette is limited to the terminal's colors`() throws {
    let size = Size(width: 90, height: 60)
    let many = try picture(size) { x, y in RGB(red: UInt8(x * 2), green: UInt8(y * 4), blue: UInt8((x * y) & 255)) }
    for count in [2, 16, 252] {
      let bytes = SixelEncoder.encode(many, part: Rect(origin: .zero, size: size), size: size, colors: count)
      #expect(try SixelDrawing(bytes, size: size).palette.count == count)
    }
  }
}
