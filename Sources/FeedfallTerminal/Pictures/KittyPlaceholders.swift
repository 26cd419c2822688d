import FeedfallScreen
import WaterfallEngine

/// Pictures as placeholder characters: curses moves, clips and covers them like other characters.
struct KittyPlaceholders: PictureLayer {
  private var store: KittyStore

  init(graphics: KittyGraphics, depth: ColorDepth, salt: UInt8) {
    store = KittyStore(graphics: graphics, depth: depth, salt: salt, usesPlaceholders: true)
  }

  var hasPixels: Bool { false }
  var awaitsFrame: Bool { store.awaitsFrame }
  var ending: [UInt8] { store.ending }
  var deletions: [[UInt8]] { store.deletions }

  mutating func prepare(_ canvas: Canvas, _ pictures: [VisiblePicture]) -> Canvas {
    store.beginFrame()
    var prepared = canvas
    prepared.clip = canvas.bounds
    for visible in pictures {
      guard let name = store.use(visible.picture) else { continue }
      let frame = visible.picture.frame
      for part in visible.parts {
        for y in part.minY..<part.maxY {
          for x in part.minX..<part.maxX {
            prepared[x, y] = KittyPlaceholder.cell(name, x: x - frame.minX, y: y - frame.minY)
          }
        }
      }
    }
    return prepared
  }

  mutating func finish(_ canvas: Canvas, _ pictures: [VisiblePicture], damage: CellDamage) -> [UInt8] { [] }

  mutating func beginTransfer(of pictures: [VisiblePicture]) -> OutputParts? { store.beginTransfer(of: pictures) }
  mutating func endTransfer(isComplete: Bool) { store.endTransfer(isComplete: isComplete) }
  mutating func reset() { store.reset() }
}

/// kitty's Unicode placeholders: a character with marks that encode the row, the column and the highest byte of the
/// picture's number, in a color that encodes the other bytes.
enum KittyPlaceholder {
  static let base: UInt32 = 0x10EEEE

  /// The maximum of rows and columns of a picture.
  static var maximumSize: Int { marks.count }

  /// Returns the cell for a column and a row of a picture, each less than `maximumSize`.
  static func cell(_ name: KittyName, x: Int, y: Int) -> Cell {
    var bits = UInt64(marks[y]) | UInt64(marks[x]) << 21
    if name.number >> 24 != 0 { bits |= UInt64(marks[Int(name.number >> 24)]) << 42 }
    return Cell(Glyph(base: base, marks: bits), Style(.cover, foreground: name.color))
  }

  /// The mark for each number (kitty's rowcolumn-diacritics.txt).
  private static let marks: [UInt32] = ranges.flatMap { Array($0) }

  private static let ranges: [ClosedRange<UInt32>] = [
    0x305...0x305, 0x30D...0x30E, 0x310...0x310, 0x312...0x312, 0x33D...0x33F, 0x346...0x346, 0x34A...0x34C,
    0x350...0x352, 0x357...0x357, 0x35B...0x35B, 0x363...0x36F, 0x483...0x487, 0x592...0x595, 0x597...0x599,
    0x59C...0x5A1, 0x5A8...0x5A9, 0x5AB...0x5AC, 0x5AF...0x5AF, 0x5C4...0x5C4, 0x610...0x617, 0x657...0x65B,
    0x65D...0x65E, 0x6D6...0x6DC, 0x6DF...0x6E2, 0x6E4...0x6E4, 0x6E7...0x6E8, 0x6EB...0x6EC, 0x730...0x730,
    0x732...0x733, 0x735...0x736, 0x73A...0x73A, 0x73D...0x73D, 0x73F...0x741, 0x743...0x743, 0x745...0x745,
    0x747...0x747, 0x749...0x74A, 0x7EB...0x7F1, 0x7F3...0x7F3, 0x816...0x819, 0x81B...0x823, 0x825...0x827,
    0x829...0x82D, 0x951...0x951, 0x953...0x954, 0xF82...0xF83, 0xF86...0xF87, 0x135D...0x135F, 0x17DD...0x17DD,
    0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B, 0x1B6D...0x1B73, 0x1CD0...0x1CD2,
    0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1, 0x1DC3...0x1DC9, 0x1DCB...0x1DCC, 0x1DD1...0x1DE6,
    0x1DFE...0x1DFE, 0x20D0...0x20D1, 0x20D4...0x20D7, 0x20DB...0x20DC, 0x20E1...0x20E1, 0x20E7...0x20E7,
    0x20E9...0x20E9, 0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67D,
    0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8, 0xAABE...0xAABF,
    0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38, 0x1D185...0x1D189, 0x1D1AA...0x1D1AD,
    0x1D242...0x1D244,
  ]
}

/// A picture's number in the terminal, and the color that encodes it.
struct KittyName: Equatable {
  let number: UInt32
  let color: RGB

  static let count = 240

  /// - Parameter salt: distinguishes programs in the same terminal.
  init(_ index: Int, salt: UInt8, depth: ColorDepth) {
    let salt = UInt32(max(1, salt))
    if depth == .direct {
      let low = UInt32(index)
      number = salt << 16 | (salt ^ 0x5A) << 8 | low
      color = RGB(red: UInt8(salt), green: UInt8(salt ^ 0x5A), blue: UInt8(low))
    } else {
      // A palette index, above the sixteen colors that have other encodings.
      number = salt << 24 | UInt32(16 + index)
      color = ColorDepth.indexedColor(16 + index)
    }
  }
}
