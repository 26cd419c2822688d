import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

/// Pictures with a palette of their own; see `SixelVideoTests` for the fixed one.
@Suite(.hangLimit) struct SixelEncoderTests {
  private func picture(_ size: Size, _ color: (Int, Int) -> RGB) throws -> PixelBuffer {
    let colors = (0..<size.width * size.height).map { color($0 % size.width, $0 / size.width) }
    return try #require(PixelBuffer(size: size, bytes: colors.flatMap { [$0.red, $0.green, $0.blue] }))
  }

  private func drawing(_ picture: PixelBuffer, part: Rect? = nil, size: Size, colors: Int) throws -> SixelDrawing {
    let part = part ?? Rect(origin: .zero, size: picture.size)
    var parts = OutputParts()
    SixelEncoder(colorCount: colors, for: picture, part, size: size).encode(picture, part, size: size, to: &parts)
    return try SixelDrawing(parts.bytes, size: size)
  }

  private func difference(_ one: RGB?, _ other: RGB) -> Int {
    let channels = [\RGB.red, \.green, \.blue]
    return channels.map { channel in one.map { abs(Int($0[keyPath: channel]) - Int(other[keyPath: channel])) } ?? 255 }
      .max() ?? 0
  }

  @Test(arguments: [Size(width: 64, height: 48), Size(width: 37, height: 31), Size(width: 1, height: 1)])
  func `a decoded picture is close to the original`(size: Size) throws {
    let slow = try picture(size) { x, y in RGB(red: UInt8(x * 3), green: UInt8(y * 5), blue: 90) }
    let drawn = try drawing(slow, size: size, colors: 252)
    for place in drawn.pixels.indices {
      let (x, y) = (place % size.width, place / size.width)
      #expect(difference(drawn.pixels[place], slow[x, y]) <= 28, "\(x), \(y)")
    }
  }

  @Test func `a picture with few colors keeps them`() throws {
    let colors = [RGB.black, .white, RGB(red: 255, green: 0, blue: 0), RGB(red: 0, green: 0, blue: 255)]
    let size = Size(width: 16, height: 7)
    let drawn = try drawing(picture(size) { x, _ in colors[x / 4] }, size: size, colors: 16)
    for x in 0..<16 { #expect(difference(drawn.pixels[6 * 16 + x], colors[x / 4]) <= 8) }
  }

  @Test func `a part is scaled to the size`() throws {
    let half = try picture(Size(width: 8, height: 8)) { x, _ in x < 4 ? .black : .white }
    let part = Rect(x: 4, y: 0, width: 4, height: 8)
    let drawn = try drawing(half, part: part, size: Size(width: 20, height: 10), colors: 252)
    #expect(drawn.pixels.allSatisfy { $0 == .white })
  }

  @Test func `the palette is limited to the terminal's colors`() throws {
    let size = Size(width: 90, height: 60)
    let many = try picture(size) { x, y in RGB(red: UInt8(x * 2), green: UInt8(y * 4), blue: UInt8((x * y) & 255)) }
    for count in [2, 16, 252] { #expect(try drawing(many, size: size, colors: count).palette.count == count) }
  }
}
