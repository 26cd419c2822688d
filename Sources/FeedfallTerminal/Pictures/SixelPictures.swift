import FeedfallScreen
import WaterfallEngine

/// Pictures as sixels, drawn over the cells at rest. Writing cells erases the pixels over them.
struct SixelPictures: PictureLayer {
  private struct Piece: Hashable {
    var id: Int
    var frame: Rect
    var cells: Rect
    var hasRoundedTop: Bool
    var isFaded: Bool
  }

  private enum State { case whole, damaged }

  /// xterm's limit on width and height, in pixels.
  private static let maximumSize = 1000
  /// The limit on pixels in a piece. A key waits until it is drawn.
  private static let maximumPixelCount = 64 * 1024

  static func maximumCells(cellSize: Size) -> Size {
    Size(
      width: max(1, maximumSize / max(1, cellSize.width)), height: max(1, maximumSize / max(1, cellSize.height)))
  }

  /// In pixels.
  private let cellSize: Size
  private let colors: Int
  /// The screen's background, for rounded corners; nil leaves them square.
  private let ground: RGB?
  private var shown: [Piece: State] = [:]
  private var under: Canvas?
  private var current: Piece?
  /// Whether pieces were drawn since the screen was cleared: xterm keeps the pixels that text has erased, and shows
  /// them again where rows move.
  private(set) var hasPixels = false

  init(cellSize: Size, colors: Int, ground: RGB? = nil) {
    (self.cellSize, self.colors, self.ground) = (cellSize, colors, ground)
  }

  mutating func erase(under canvas: Canvas, _ pictures: [PlacedPicture]) -> [Rect] {
    guard !shown.isEmpty else { return [] }
    let wanted = Set(pieces(of: pictures, on: canvas.size).map(\.piece))
    let gone = shown.keys.filter { !wanted.contains($0) || !hasSameCells(canvas, under: $0) }
    for piece in gone { shown[piece] = nil }
    return gone.map(\.cells)
  }

  mutating func finish(_ canvas: Canvas, _ pictures: [PlacedPicture], damage: CellDamage) -> [UInt8] {
    under = canvas
    for piece in shown.keys where damage.overlaps(piece.cells) { shown[piece] = .damaged }
    return []
  }

  mutating func beginTransfer(of pictures: [PlacedPicture]) -> OutputParts? {
    let missing = under.flatMap { under in
      pieces(of: pictures, on: under.size).first { shown[$0.piece] != .whole }
    }
    guard let (piece, picture) = missing else { return nil }
    (current, hasPixels) = (piece, true)
    let bytes = drawing(of: piece, picture)
    return OutputParts(bytes: bytes, ends: [bytes.count])
  }

  /// A piece is drawn in one part, so it is always complete.
  mutating func endTransfer(isComplete: Bool) {
    if let current { shown[current] = .whole }
    current = nil
  }

  /// Ends a picture that was cut off. Clearing or leaving the screen removes the others.
  var ending: [UInt8] { hasPixels ? stringTerminator : [] }

  mutating func reset() {
    shown = [:]
    (under, current, hasPixels) = (nil, nil, false)
  }

  private func drawing(of piece: Piece, _ picture: PlacedPicture) -> [UInt8] {
    let size = Size(width: piece.cells.width * cellSize.width, height: piece.cells.height * cellSize.height)
    let (pixels, part) = (picture.pixels(on: ground), picture.pixels(under: piece.cells))
    var drawing = OutputParts(bytes: Array("\u{1B}7\u{1B}[\(piece.cells.minY + 1);\(piece.cells.minX + 1)H".utf8))
    SixelEncoder(colorCount: colors, for: pixels, part, size: size).encode(pixels, part, size: size, to: &drawing)
    return drawing.bytes + Array("\u{1B}8".utf8)
  }

  /// The last row is left out, because a picture there would scroll the screen.
  private func pieces(of pictures: [PlacedPicture], on screen: Size) -> [(piece: Piece, picture: PlacedPicture)] {
    let room = Rect(x: 0, y: 0, width: screen.width, height: screen.height - 1)
    return pictures.filter(\.isSupported).flatMap { picture in
      picture.parts.prefix(PlacedPicture.maximumParts).flatMap { tiles(of: $0.intersection(room)) }.map { cells in
        let piece = Piece(
          id: picture.id, frame: picture.frame, cells: cells, hasRoundedTop: picture.hasRoundedTop,
          isFaded: picture.isFaded)
        return (piece, picture)
      }
    }
  }

  private func tiles(of part: Rect) -> [Rect] {
    var most = Self.maximumCells(cellSize: cellSize)
    let rowPixels = max(1, min(part.width, most.width) * cellSize.width * cellSize.height)
    most.height = max(1, min(most.height, Self.maximumPixelCount / rowPixels))
    return part.tiles(of: most)
  }

  private func hasSameCells(_ canvas: Canvas, under piece: Piece) -> Bool {
    guard let under, under.size == canvas.size else { return false }
    return (piece.cells.minY..<piece.cells.maxY).allSatisfy { y in
      canvas.rowIsEqual(y, to: under)
        || (piece.cells.minX..<piece.cells.maxX).allSatisfy { canvas[$0, y] == under[$0, y] }
    }
  }
}

extension Rect {
  func tiles(of most: Size) -> [Rect] {
    stride(from: minY, to: maxY, by: most.height).flatMap { y in
      stride(from: minX, to: maxX, by: most.width).map { x in
        Rect(x: x, y: y, width: min(most.width, maxX - x), height: min(most.height, maxY - y))
      }
    }
  }
}
