import FeedfallMedia
import FeedfallScreen
import Glibc
import WaterfallEngine

/// How much a photograph of 320 by 192 pixels differs from the 40 by 12 cells of its JPEG, drawn with 8 by 16 pixels
/// each: the root of the mean square over all channels, compared with chafa's cells of the same characters.
enum CoverQuality {
  static func run(_ report: CoverBenchmarks.Report) {
    let photos = files(in: "\(CoverBenchmarks.folder)/cells")
    for (glyphs, symbols) in [
      (BlockGlyphs.halves, "vhalf"), (.eighths, "block-wedge+half+quad+space+solid"),
      (.sextants, "block+sextant+space+solid"),
    ] {
      let pairs = photos.compactMap { errors(of: $0, glyphs, symbols) }
      guard !pairs.isEmpty else { continue }
      let own = pairs.map(\.own).reduce(0, +) / Double(pairs.count)
      report("covers.error \(glyphs)", own, "rmse")
      report("covers.PSNR \(glyphs)", 20 * log10(255 / own), "dB")
      let others = pairs.compactMap(\.chafa)
      guard others.count == pairs.count else { continue }
      let chafa = others.reduce(0, +) / Double(others.count)
      report("covers.error chafa \(glyphs)", chafa, "rmse")
      report("covers.error own ÷ chafa \(glyphs) (goal 1)", own / chafa, "times")
    }
  }

  private static func errors(of path: String, _ glyphs: BlockGlyphs, _ symbols: String) -> (
    own: Double, chafa: Double?
  )? {
    guard let bytes = contents(of: path),
      let photo = try? PictureDecoder.decode(bytes, to: .within(CoverBenchmarks.shape)),
      let source = contents(of: path.replacing("/cells/", with: "/720p/").replacing(".png", with: ".jpg")),
      let pixels = CoverBenchmarks.decoded(source, glyphs)
    else { return nil }
    let picture = CellPicture(pixels, glyphs: glyphs)
    let own = error(of: photo) { picture[$0, $1] }
    let size = CoverBenchmarks.cells
    let command = [
      "chafa", "-f", "symbols", "-c", "full", "-w", "9", "-O", "0", "--stretch", "-s", "\(size.width)x\(size.height)",
      "--symbols", symbols, path,
    ]
    guard let output = Subprocess(command)?.output else { return (own, nil) }
    let cells = ChafaOutput(output).cells
    guard cells.count == size.width * size.height else { return (own, nil) }
    return (own, error(of: photo) { cells[$1 * size.width + $0] })
  }

  private static func error(of photo: PixelBuffer, cell: (Int, Int) -> Cell) -> Double {
    var sum = 0
    for y in 0..<photo.size.height {
      for x in 0..<photo.size.width {
        let drawn = cell(x / 8, y / 16).color(atX: x % 8, y: y % 16)
        let original = photo[x, y]
        for (one, other) in [(drawn.red, original.red), (drawn.green, original.green), (drawn.blue, original.blue)] {
          sum += (Int(one) - Int(other)) * (Int(one) - Int(other))
        }
      }
    }
    return (Double(sum) / Double(photo.size.width * photo.size.height * 3)).squareRoot()
  }
}

extension Cell {
  /// The color that a terminal draws at a pixel of this cell, which has 8 by 16 pixels.
  fileprivate func color(atX x: Int, y: Int) -> RGB {
    (glyph.hasInk(atX: x, y: y) ? style.foreground : style.background) ?? .black
  }
}

extension Glyph {
  private static let quadrants: [UInt32: Int] = [
    0x2596: 4, 0x2597: 8, 0x2598: 1, 0x2599: 13, 0x259A: 9, 0x259B: 7, 0x259C: 11, 0x259D: 2, 0x259E: 6, 0x259F: 14,
  ]

  fileprivate func hasInk(atX x: Int, y: Int) -> Bool {
    switch base {
    case 0x2580: return y < 8
    case 0x2581...0x2588: return y >= 16 - Int(base - 0x2580) * 2
    case 0x2589...0x258F: return x < Int(0x2590 - base)
    case 0x2590: return x >= 4
    case 0x2594: return y < 2
    case 0x2595: return x >= 7
    case 0x2596...0x259F: return Self.quadrants[base, default: 0] >> (x / 4 + y / 8 * 2) & 1 == 1
    case 0x1FB00...0x1FB3B:
      let number = Int(base - 0x1FB00) + 1
      let mask = number + (number > 20 ? 1 : 0) + (number > 40 ? 1 : 0)
      return mask >> (x / 4 + (y * 3 + 1) / 16 * 2) & 1 == 1
    default: return false
    }
  }
}

private struct ChafaOutput {
  private(set) var cells: [Cell] = []
  private var style = Style(.cover)
  private var isInverse = false

  init(_ output: [UInt8]) {
    var scalars = String(decoding: output, as: UTF8.self).unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if scalar == "\u{1B}" {
        let sequence = scalars.prefix { !("@"..."~").contains($0) || $0 == "[" }
        scalars = scalars.dropFirst(sequence.count)
        if scalars.popFirst() == "m" { apply(sequence.dropFirst().split(separator: ";").map { Int(String($0)) ?? 0 }) }
      } else if scalar.value >= 0x20 {
        append(scalar)
      }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    let shown = isInverse ? Style(.cover, foreground: style.background, background: style.foreground) : style
    cells.append(Cell(Glyph(scalar), shown))
  }

  private mutating func apply(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: (style, isInverse) = (Style(.cover), false)
      case 7: isInverse = true
      case 38, 48:
        let color = rest.dropFirst().prefix(3).map { UInt8(clamping: $0) }
        rest = rest.dropFirst(4)
        guard color.count == 3 else { return }
        let rgb = RGB(red: color[0], green: color[1], blue: color[2])
        if number == 38 { style.foreground = rgb } else { style.background = rgb }
      default: break
      }
    }
  }
}
