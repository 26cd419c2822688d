import FeedfallScreen
import WaterfallEngine

struct Pen: Hashable, BitwiseCopyable {
  var text = CellColor.standard
  var ground = CellColor.standard
  /// The number of the link in `Links`; 0 is none.
  var link: UInt16 = 0
  var attributes: Theme.Attributes = []

  static let onBlanks: Theme.Attributes = [.reverse, .underline]

  @inline(__always)
  func paintsBlanks(like other: Pen) -> Bool {
    ground == other.ground && link == other.link
      && attributes.rawValue & Self.onBlanks.rawValue == other.attributes.rawValue & Self.onBlanks.rawValue
      && (attributes.rawValue & Self.onBlanks.rawValue == 0 || text == other.text)
  }

  /// Whether erased cells look like blanks in this pen.
  @inline(__always)
  var isErasing: Bool { link == 0 && attributes.rawValue & Self.onBlanks.rawValue == 0 }
}

struct ShownCell: BitwiseCopyable {
  /// Terminals may show a disputed cell in another number of cells than the canvas, or join the next one to it.
  enum Kind: UInt8, BitwiseCopyable { case text, disputed, film }

  var glyph: Glyph
  var pen: Pen
  var kind = Kind.text

  static let unknown = ShownCell(glyph: Glyph(base: .max), pen: Pen())
  static let unknownFilm = ShownCell(glyph: unknown.glyph, pen: Pen(), kind: .film)

  @inline(__always)
  func looks(like other: ShownCell) -> Bool {
    glyph == other.glyph && (glyph == .blank ? pen.paintsBlanks(like: other.pen) : pen == other.pen)
  }
}

struct ShownScreen {
  private(set) var size: Size
  private(set) var cells: [ShownCell]
  /// The rows with cells that have become unknown.
  private(set) var staleRows: [Bool]

  init(size: Size, filledWith cell: ShownCell = .unknown) {
    self.size = size
    cells = Array(repeating: cell, count: size.width * size.height)
    staleRows = Array(repeating: true, count: size.height)
  }

  @inline(__always)
  subscript(x: Int, y: Int) -> ShownCell {
    get { cells[y * size.width + x] }
    set { cells[y * size.width + x] = newValue }
  }

  mutating func forgetLinks() {
    for index in cells.indices where cells[index].pen.link != 0 {
      cells[index] = .unknown
      staleRows[index / size.width] = true
    }
  }

  /// Marks cells of a film as unknown; the painter of text leaves them as they are.
  mutating func forgetFilm(_ columns: Range<Int>, row y: Int) {
    for x in columns { self[x, y] = .unknownFilm }
  }

  /// Marks cells as unknown, with the other halves of their wide characters.
  mutating func forget(_ columns: Range<Int>, row y: Int) {
    guard staleRows.indices.contains(y) else { return }
    var columns = columns.clamped(to: 0..<size.width)
    guard !columns.isEmpty else { return }
    if columns.lowerBound > 0, self[columns.lowerBound, y].glyph.isContinuation {
      columns = columns.lowerBound - 1..<columns.upperBound
    }
    if columns.upperBound < size.width, self[columns.upperBound, y].glyph.isContinuation {
      columns = columns.lowerBound..<columns.upperBound + 1
    }
    for x in columns { self[x, y] = .unknown }
    staleRows[y] = true
  }

  mutating func setRow(_ y: Int, _ new: [ShownCell]) {
    for place in y * size.width..<(y + 1) * size.width { cells[place] = new[place] }
    staleRows[y] = false
  }

  /// `blank` is scrolled in.
  mutating func scroll(_ shift: RowShift, blank: ShownCell) {
    let (old, stale) = (cells, staleRows)
    for y in shift.region {
      let source = y + shift.distance
      let isInside = shift.region.contains(source)
      for x in 0..<size.width { cells[y * size.width + x] = isInside ? old[source * size.width + x] : blank }
      staleRows[y] = isInside ? stale[source] : true
    }
  }
}

/// The cells that a frame has changed on the screen, and whose pixels are gone.
struct CellDamage: Equatable {
  private(set) var rows: [[Range<Int>]]
  private(set) var movesRows = false
  private let width: Int

  init(on size: Size) {
    rows = Array(repeating: [], count: size.height)
    width = size.width
  }

  func overlaps(_ area: Rect) -> Bool {
    (max(0, area.minY)..<max(0, min(area.maxY, rows.count))).contains { y in
      rows[y].contains { $0.overlaps(area.minX..<area.maxX) }
    }
  }

  mutating func add(_ columns: Range<Int>, row y: Int) {
    guard rows.indices.contains(y), !columns.isEmpty else { return }
    rows[y].append(columns)
  }

  mutating func addMoved(rows moved: Range<Int>) {
    for y in moved { add(0..<width, row: y) }
    movesRows = true
  }
}
