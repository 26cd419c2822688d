import FeedfallScreen
import WaterfallEngine

/// Pictures as sixels, drawn over the cells when nothing moves. Writing cells erases them.
struct SixelPictures: PictureLayer {
  /// A part of a picture, drawn by one sequence.
  private struct Piece: Hashable {
    var id: Int
    var frame: Rect
    var cells: Rect
    var hasRoundedTop: Bool
    var isFaded: Bool

    init(of picture: PlacedPicture, cells: Rect) {
      (id, frame) = (picture.id, picture.frame)
      (hasRoundedTop, isFaded) = (picture.hasRoundedTop, picture.isFaded)
      self.cells = cells
    }

    var rows: Range<Int> { cells.minY..<cells.maxY }
  }

  /// xterm's limit on width and height, in pixels.
  private static let maximumSize = 1000

  /// Returns the size of the largest sixel picture in cells.
  static func maximumCells(cellSize: Size) -> Size {
    Size(
      width: max(1, maximumSize / max(1, cellSize.width)), height: max(1, maximumSize / max(1, cellSize.height)))
  }

  /// In pixels.
  let cellSize: Size
  let colors: Int
  /// The screen's background, for rounded corners; nil leaves them square.
  let ground: RGB?
  private(set) var isUnfinished = false
  private var shown: Set<Piece> = []
  /// The canvas under the pieces.
  private var under: Canvas?
  /// Whether the terminal may have moved the pieces.
  private var isMoved = false
  private var isFresh = true

  init(cellSize: Size, colors: Int, ground: RGB? = nil) {
    self.cellSize = cellSize
    self.colors = colors
    self.ground = ground
  }

  func isIdle(for canvas: Canvas) -> Bool { canvas.pictures.isEmpty && shown.isEmpty }
  var mayScroll: Bool { shown.isEmpty }

  mutating func rowsToRewrite(under canvas: Canvas) -> [Range<Int>] {
    guard !shown.isEmpty else { return [] }
    let wanted = Set(pieces(of: canvas).map(\.piece))
    var rows: [Range<Int>] = []
    var gone = shown.filter { isMoved || !wanted.contains($0) || !hasSameCells(canvas, under: $0) }
    while !gone.isEmpty {
      shown.subtract(gone)
      rows += gone.map(\.rows)
      // Rows are rewritten as a whole, which erases all pieces over them.
      gone = shown.filter { piece in rows.contains { $0.overlaps(piece.rows) } }
    }
    isMoved = false
    return rows
  }

  mutating func finish(_ canvas: Canvas, cells: [UInt8]) -> [UInt8] {
    under = canvas
    isUnfinished = false
    if !shown.isEmpty, CellMovement.scrolls(cells) {
      isMoved = true
      isUnfinished = true
    }
    defer { isFresh = false }
    guard canvas.isAtRest, !isMoved else { return [] }
    let missing = pieces(of: canvas).filter { !shown.contains($0.piece) }
    if isFresh {
      isUnfinished = !missing.isEmpty
      return []
    }
    var bytes: [UInt8] = []
    for (piece, picture) in missing {
      if bytes.count >= pictureBytesPerFrame {
        isUnfinished = true
        break
      }
      bytes += drawing(of: piece, picture)
      shown.insert(piece)
    }
    return bytes
  }

  /// Ends a picture that was cut off. Clearing or leaving the screen removes the others.
  var removal: [UInt8] { shown.isEmpty ? [] : stringTerminator }

  mutating func reset() {
    shown = []
    under = nil
    isMoved = false
    isFresh = true
  }

  private func drawing(of piece: Piece, _ picture: PlacedPicture) -> [UInt8] {
    let size = Size(width: piece.cells.width * cellSize.width, height: piece.cells.height * cellSize.height)
    let sixels = SixelEncoder.encode(
      picture.pixels(on: ground), part: picture.pixels(under: piece.cells), size: size, colors: colors)
    return Array("\u{1B}7\u{1B}[\(piece.cells.minY + 1);\(piece.cells.minX + 1)H".utf8) + sixels
      + Array("\u{1B}8".utf8)
  }

  /// Returns the pieces to draw. The last row is left out, because a picture there would scroll the screen.
  private func pieces(of canvas: Canvas) -> [(piece: Piece, picture: PlacedPicture)] {
    let room = Rect(x: 0, y: 0, width: canvas.size.width, height: canvas.size.height - 1)
    let most = Self.maximumCells(cellSize: cellSize)
    return canvas.visiblePictures.filter { $0.picture.isSupported }.flatMap { visible in
      visible.parts.prefix(VisiblePicture.maximumParts).flatMap { $0.intersection(room).tiles(of: most) }.map {
        (Piece(of: visible.picture, cells: $0), visible.picture)
      }
    }
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
  /// Splits the rectangle into tiles of at most this size; none if it is empty.
  func tiles(of most: Size) -> [Rect] {
    stride(from: minY, to: maxY, by: most.height).flatMap { y in
      stride(from: minX, to: maxX, by: most.width).map { x in
        Rect(x: x, y: y, width: min(most.width, maxX - x), height: min(most.height, maxY - y))
      }
    }
  }
}
