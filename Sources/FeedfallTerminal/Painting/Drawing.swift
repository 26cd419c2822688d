import FeedfallScreen
import WaterfallEngine

/// Collects the cells to write, and writes them in an order that takes few bytes: cells of one color follow each other,
/// because most bytes select colors.
struct Drawing {
  var writer: CellWriter
  var damage: CellDamage
  private(set) var rows: [Int] = []
  private var pieces: [Piece] = []
  private var piecesOfRow: [Range<Int>]
  private var dirty: [Bool] = []
  private var lastOfPen: [Pen: Int] = [:]

  private struct Piece {
    enum Kind { case text, fill, side, disputed }

    var kind: Kind
    var columns: Range<Int>
    var y: Int
    var isWritten = false
    /// The next piece that has one pen, and the same.
    var nextOfPen: Int?
  }

  /// The number of cells of one background that are worth filling.
  private static let leastFill = 8
  /// The number of equal cells that cost no more than moving the cursor over them.
  private static let widestBridge = 3
  /// The number of cells of one pen that are worth moving the cursor to them.
  private static let leastRun = 4
  /// The widest piece that is written together with the same ones below.
  private static let widestSide = 3

  init(writer: CellWriter, damage: CellDamage) {
    (self.writer, self.damage) = (writer, damage)
    piecesOfRow = Array(repeating: 0..<0, count: writer.size.height)
  }

  // MARK: - Comparing

  /// `plain`: the background of plain text.
  mutating func addPieces(ofRow y: Int, _ wanted: [ShownCell], _ screen: ShownScreen, plain: CellColor) {
    let places = y * screen.size.width..<(y + 1) * screen.size.width
    let (new, old) = (wanted.span.extracting(places), screen.cells.span.extracting(places))
    rows.append(y)
    let first = pieces.count
    if compare(new, old) {
      var x = 0
      while x < new.count {
        let start = x
        while x < new.count, dirty[x] { x += 1 }
        if start < x { addPieces(start..<x, y, new, plain) } else { x += 1 }
      }
    }
    piecesOfRow[y] = first..<pieces.count
  }

  private mutating func compare(_ new: Span<ShownCell>, _ old: Span<ShownCell>) -> Bool {
    if dirty.count != new.count { dirty = Array(repeating: false, count: new.count) }
    var (isDirty, isSpecial) = (false, false)
    for x in new.indices {
      dirty[x] = !old[x].looks(like: new[x])
      isDirty = isDirty || dirty[x]
      isSpecial =
        isSpecial || new[x].glyph.isContinuation || old[x].glyph.isContinuation || new[x].kind == .disputed
        || old[x].kind == .disputed
    }
    guard isDirty else { return false }
    if isSpecial { while extend(over: new) || extend(over: old) {} }
    bridge(new)
    return true
  }

  /// Marks whole wide characters, and whole runs of disputed ones that touch dirty cells. Returns whether any was new.
  private mutating func extend(over row: Span<ShownCell>) -> Bool {
    var isChanged = false
    for x in row.indices.dropFirst() where row[x].glyph.isContinuation && dirty[x] != dirty[x - 1] {
      (dirty[x], dirty[x - 1], isChanged) = (true, true, true)
    }
    var x = 0
    while x < row.count {
      let start = x
      while x < row.count, row[x].kind == .disputed { x += 1 }
      if start == x {
        x += 1
      } else if dirty[max(0, start - 1)..<min(row.count, x + 1)].contains(true), dirty[start..<x].contains(false) {
        for x in start..<x { dirty[x] = true }
        isChanged = true
      }
    }
    return isChanged
  }

  /// Marks short gaps of letters like the ones before them.
  private mutating func bridge(_ row: Span<ShownCell>) {
    var last: Int?
    for x in row.indices where dirty[x] {
      if let last, x - last > 1, x - last - 1 <= Self.widestBridge,
        (last + 1..<x).allSatisfy({ canBridge(row[$0], after: row[last]) })
      {
        for gap in last + 1..<x { dirty[gap] = true }
      }
      last = x
    }
  }

  private func canBridge(_ cell: ShownCell, after last: ShownCell) -> Bool {
    guard cell.kind == .text, last.kind == .text, (0x20..<0x7F).contains(cell.glyph.base), cell.glyph.marks == 0 else {
      return false
    }
    return cell.glyph == .blank ? cell.pen.paintsBlanks(like: last.pen) : cell.pen == last.pen
  }

  private mutating func addPieces(_ columns: Range<Int>, _ y: Int, _ row: Span<ShownCell>, _ plain: CellColor) {
    var start = columns.lowerBound
    var x = start
    while x < columns.upperBound {
      let first = x
      let (ground, isRun) = (row[x].pen.ground, row[x].kind == .disputed)
      while x < columns.upperBound, (row[x].kind == .disputed) == isRun, isRun || row[x].pen.ground == ground { x += 1 }
      guard isRun || ground != plain && x - first >= Self.leastFill else { continue }
      addText(start..<first, y, row)
      pieces.append(Piece(kind: isRun ? .disputed : .fill, columns: first..<x, y: y))
      start = x
    }
    addText(start..<columns.upperBound, y, row)
  }

  /// Adds text in pieces of one pen, except for short ones that follow each other, as those of a picture do.
  private mutating func addText(_ columns: Range<Int>, _ y: Int, _ row: Span<ShownCell>) {
    var x = columns.lowerBound
    var mixed = x
    while x < columns.upperBound {
      let first = x
      let pen = Self.pen(ofRunIn: row, columns, &x)
      guard x - first >= Self.leastRun || first == columns.lowerBound && x == columns.upperBound else { continue }
      addPiece(mixed..<first, y, row)
      add(Piece(kind: x - first <= Self.widestSide ? .side : .text, columns: first..<x, y: y), pen)
      mixed = x
    }
    addPiece(mixed..<columns.upperBound, y, row)
  }

  private mutating func addPiece(_ columns: Range<Int>, _ y: Int, _ row: Span<ShownCell>) {
    guard !columns.isEmpty else { return }
    var end = columns.lowerBound
    let pen = Self.pen(ofRunIn: row, columns, &end)
    guard end == columns.upperBound else { return pieces.append(Piece(kind: .text, columns: columns, y: y)) }
    add(Piece(kind: columns.count <= Self.widestSide ? .side : .text, columns: columns, y: y), pen)
  }

  private mutating func add(_ piece: Piece, _ pen: Pen) {
    if let last = lastOfPen.updateValue(pieces.count, forKey: pen) { pieces[last].nextOfPen = pieces.count }
    pieces.append(piece)
  }

  /// Sets `x` to the first cell of another pen. Blanks count as those of their neighbors if they look the same.
  private static func pen(ofRunIn row: Span<ShownCell>, _ columns: Range<Int>, _ x: inout Int) -> Pen {
    var pen = row[x].pen
    var isBlank = true
    while x < columns.upperBound {
      if row[x].glyph == .blank {
        guard row[x].pen.paintsBlanks(like: pen) else { break }
      } else if isBlank {
        guard pen.paintsBlanks(like: row[x].pen) else { break }
        (pen, isBlank) = (row[x].pen, false)
      } else if row[x].pen != pen {
        break
      }
      x += 1
    }
    return pen
  }

  // MARK: - Writing

  /// After each piece, those of its pen: selecting a pen takes more bytes than moving the cursor.
  mutating func write(_ wanted: [ShownCell]) {
    let width = writer.size.width
    for index in pieces.indices where !pieces[index].isWritten {
      var next: Int? = index
      while let index = next {
        if !pieces[index].isWritten { writeChain(from: index, wanted, width) }
        next = pieces[index].nextOfPen
      }
    }
  }

  private mutating func writeChain(from index: Int, _ wanted: [ShownCell], _ width: Int) {
    var chain = [index]
    while let next = pieceBelow(chain[chain.count - 1], wanted, width) { chain.append(next) }
    var inks: [Int] = []
    for index in chain {
      let piece = pieces[index]
      let row = wanted.span.extracting(piece.y * width..<(piece.y + 1) * width)
      pieces[index].isWritten = true
      damage.add(piece.columns, row: piece.y)
      switch piece.kind {
      case .fill where chain.count > 1 && writer.terminal.erasesCells:
        guard let blank = piece.columns.first(where: { row[$0].glyph == .blank && row[$0].pen.isErasing }),
          piece.columns.count(where: { row[$0].looks(like: row[blank]) }) >= Self.leastFill
        else { fallthrough }
        writer.erase(piece.columns, row[blank].pen, y: piece.y)
        inks.append(index)
      case .fill, .text, .side: writer.write(row, piece.columns, y: piece.y)
      case .disputed:
        let next = next(after: piece.columns, row)
        damage.add(next, row: piece.y)
        writer.writeDisputed(row, piece.columns, next: next, y: piece.y)
      }
    }
    for index in inks {
      let piece = pieces[index]
      let row = wanted.span.extracting(piece.y * width..<(piece.y + 1) * width)
      writeInks(piece, row)
    }
  }

  private mutating func writeInks(_ piece: Piece, _ row: Span<ShownCell>) {
    guard let blank = piece.columns.first(where: { row[$0].glyph == .blank && row[$0].pen.isErasing }) else { return }
    var x = piece.columns.lowerBound
    var last: Int?
    while x < piece.columns.upperBound {
      let start = x
      while x < piece.columns.upperBound, !row[x].looks(like: row[blank]) { x += 1 }
      guard start < x else {
        x += 1
        continue
      }
      // A blank or two cost less than moving the cursor.
      let first = last.map { start - $0 <= 2 ? $0 : start } ?? start
      writer.write(row, first..<x, y: piece.y)
      last = x
    }
  }

  /// Returns the columns of the character after a run; empty at the end of the row and before a film.
  private func next(after columns: Range<Int>, _ row: Span<ShownCell>) -> Range<Int> {
    let start = columns.upperBound
    guard start < row.count, row[start].kind != .film else { return start..<start }
    return start..<(start + 1 < row.count && row[start + 1].glyph.isContinuation ? start + 2 : start + 1)
  }

  /// Returns the piece in the next row on the same background, or with the same characters.
  private func pieceBelow(_ index: Int, _ wanted: [ShownCell], _ width: Int) -> Int? {
    let piece = pieces[index]
    guard piece.kind == .fill || piece.kind == .side, piece.y + 1 < piecesOfRow.count else { return nil }
    func cell(_ piece: Piece, _ x: Int) -> ShownCell { wanted[piece.y * width + x] }
    return piecesOfRow[piece.y + 1].first { next in
      let below = pieces[next]
      guard !below.isWritten, below.kind == piece.kind else { return false }
      return piece.kind == .fill
        ? below.columns.overlaps(piece.columns)
          && cell(below, below.columns.lowerBound).pen.ground == cell(piece, piece.columns.lowerBound).pen.ground
        : below.columns == piece.columns && piece.columns.allSatisfy { cell(below, $0).looks(like: cell(piece, $0)) }
    }
  }
}
