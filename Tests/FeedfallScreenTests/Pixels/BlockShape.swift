@testable import FeedfallScreen

/// A block character drawn on 8 by 24 pixels, by its definition in Unicode.
struct BlockShape {
  let glyph: Glyph
  let ink: [Bool]

  init(_ scalar: UInt32, _ isInk: (_ x: Int, _ y: Int) -> Bool) {
    glyph = Glyph(base: scalar)
    ink = (0..<24).flatMap { y in (0..<8).map { x in isInk(x, y) } }
  }

  static let quarters = [
    BlockShape(0x20) { _, _ in false }, BlockShape(0x2580) { $1 < 12 }, BlockShape(0x258C) { x, _ in x < 4 },
    BlockShape(0x2598) { $0 < 4 && $1 < 12 }, BlockShape(0x259D) { $0 >= 4 && $1 < 12 },
    BlockShape(0x2596) { $0 < 4 && $1 >= 12 }, BlockShape(0x2597) { $0 >= 4 && $1 >= 12 },
    BlockShape(0x259A) { ($0 < 4) == ($1 < 12) },
  ]

  static func all(in glyphs: BlockGlyphs) -> [BlockShape] {
    var shapes = quarters
    for eighths in 1..<8 {
      shapes.append(BlockShape(0x2580 + UInt32(eighths)) { _, y in y >= 24 - eighths * 3 })
      shapes.append(BlockShape(0x2590 - UInt32(eighths)) { x, _ in x < eighths })
    }
    guard glyphs >= .sextants else { return shapes }
    // Unicode orders sextants by their masks, without the two halves.
    let masks = (1..<63).filter { $0 != 0b010101 && $0 != 0b101010 }
    for (place, mask) in masks.enumerated() {
      shapes.append(BlockShape(0x1FB00 + UInt32(place)) { x, y in mask >> (x / 4 + y / 8 * 2) & 1 == 1 })
    }
    if glyphs == .octants { shapes += octants }
    return shapes
  }

  /// Unicode orders octants by their masks, without those that are older characters or single parts at an edge.
  private static var octants: [BlockShape] {
    let quarters = (0..<16).map { mask in
      (0..<4).reduce(0) { mask >> $1 & 1 == 1 ? $0 | 0b101 << [0, 1, 4, 5][$1] : $0 }
    }
    let bars = [0b11, 0b11_1111, 0b1100_0000, 0b1111_1100]
    let parts = [0b1, 0b10, 0b100_0000, 0b1000_0000, 0b1_0100, 0b10_1000]
    let masks = (0..<256).filter { !(quarters + bars + parts).contains($0) }
    return masks.enumerated().map { place, mask in
      BlockShape(0x1CD00 + UInt32(place)) { x, y in mask >> (x / 4 + y / 6 * 2) & 1 == 1 }
    }
  }

  /// Returns the sum of squared differences of the pixels from the means of ink and ground.
  func error(of pixels: PixelBuffer) -> Double {
    [true, false].reduce(0) { sum, part in
      let places = ink.indices.filter { ink[$0] == part }
      guard !places.isEmpty else { return sum }
      let colors = places.map { pixels[$0 % 8 * pixels.size.width / 8, $0 / 8 * pixels.size.height / 24] }
      return [\RGB.red, \.green, \.blue].reduce(sum) { sum, channel in
        let values = colors.map { Double($0[keyPath: channel]) }
        let mean = values.reduce(0, +) / Double(values.count)
        // These pixels are parts of the given ones.
        let share = Double(pixels.size.width * pixels.size.height) / 192
        return sum + values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * share
      }
    }
  }
}
