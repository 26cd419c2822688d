import TestSupport
import Testing

@testable import FeedfallScreen
@testable import FeedfallTerminal

@Suite(.hangLimit) struct ColorDepthTests {
  private static let indexed: [Int32: RGB] = {
    var table: [Int32: RGB] = [:]
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    for index in 0..<216 {
      table[Int32(16 + index)] = RGB(
        red: levels[index / 36], green: levels[index / 6 % 6], blue: levels[index % 6])
    }
    for step in 0..<24 {
      let level = UInt8(8 + 10 * step)
      table[Int32(232 + step)] = RGB(red: level, green: level, blue: level)
    }
    return table
  }()

  @Test func `the nearest of 256 colours is found`() throws {
    for red in stride(from: 0, through: 255, by: 15) {
      for green in stride(from: 0, through: 255, by: 15) {
        for blue in stride(from: 0, through: 255, by: 15) {
          let color = RGB(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
          let index = try #require(ColorDepth.indexed.nearest(to: color))
          let found = try #require(Self.indexed[index])
          let least = Self.indexed.values.map { ColorDepth.distance(color, $0) }.min()
          #expect(ColorDepth.distance(color, found) == least, "\(color)")
        }
      }
    }
  }

  @Test func `a colour of the palette is its own nearest`() {
    for (index, color) in ColorDepth.palette.enumerated() {
      #expect(ColorDepth.sixteen.nearest(to: color) == Int32(index))
    }
    #expect(ColorDepth.eight.nearest(to: RGB(red: 255, green: 30, blue: 20)) == 1)
    #expect(ColorDepth.eight.nearest(to: RGB(red: 135, green: 95, blue: 95)) == 5)
    #expect(ColorDepth.none.nearest(to: RGB(red: 255, green: 30, blue: 20)) == nil)
    #expect(ColorDepth.direct.nearest(to: RGB(red: 1, green: 2, blue: 3)) == 0x010203)
    #expect(ColorDepth.direct.nearest(to: RGB(red: 0, green: 0, blue: 200)) == 0x0001C8)
  }

  @Test(arguments: [ColorDepth.eight, .sixteen])
  func `text on a cover is readable with few colours`(depth: ColorDepth) throws {
    for number in 0..<200 {
      let cover = PlaceholderHue(forID: "\(number)").ground(row: number % 8, of: 8)
      let (text, ground) = depth.nearest(text: cover.readableText, ground: cover)
      let luminances = try [#require(text), #require(ground)].map { ColorDepth.palette[Int($0)].luminance }.sorted()
      #expect((luminances[1] + 0.05) / (luminances[0] + 0.05) >= 3, "\(cover)")
    }
  }

  @Test(arguments: [ColorDepth.eight, .sixteen])
  func `a placeholder is neither black nor gray, and its letter is readable`(depth: ColorDepth) throws {
    for number in 0..<200 {
      let hue = PlaceholderHue(forID: "\(number)")
      for row in 0..<12 {
        var style = Style(.cover, foreground: hue.ink, background: hue.ground(row: row, of: 12))
        for isFaded in [false, true] {
          if isFaded { style.fade() }
          let (text, ground) = depth.nearest(text: style.foreground, ground: style.background)
          let colors = try [#require(text), #require(ground)].map { ColorDepth.palette[Int($0)] }
          #expect(ground != 0 && ground != 7 && ground != 8, "\(style)")
          #expect(colors[0].contrast(with: colors[1]) >= 2, "\(style)")
        }
      }
    }
  }

  @Test func `grays of a picture stay gray with sixteen colours`() {
    #expect(ColorDepth.sixteen.nearest(to: RGB(red: 120, green: 124, blue: 118)) == 8)
    #expect(ColorDepth.sixteen.nearest(to: RGB(red: 71, green: 85, blue: 131)) == 4)
  }

  @Test func `two colours of a picture are mapped independently`() {
    let (text, ground) = ColorDepth.eight.nearest(
      text: RGB(red: 200, green: 0, blue: 0), ground: RGB(red: 0, green: 95, blue: 95))
    #expect(text == 1 && ground == 6)
  }

  @Test(arguments: [
    (-1, ColorDepth.none), (0, .none), (2, .none), (8, .eight), (16, .sixteen), (88, .sixteen),
    (256, .indexed),
    (16_777_216, .direct),
  ])
  func `the depth follows from the number of colours`(colors: Int, depth: ColorDepth) {
    #expect(ColorDepth(colors: colors) == depth)
  }
}
