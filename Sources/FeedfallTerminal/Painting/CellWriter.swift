import FeedfallScreen
import WaterfallEngine

/// Writes areas and the characters on them directly to the terminal: each color is selected once, and the cursor takes
/// the shortest way. Curses selects colors and column again in each row.
struct CellWriter {
  /// Characters of one color in a row.
  struct Ink: Equatable {
    var start: Point
    var color: Int32
    var text: [Unicode.Scalar]
  }

  /// The cursor and the attributes are undefined after them.
  private(set) var bytes: [UInt8] = []
  private let sequences: Sequences
  /// The width of the screen. In the column behind the last one, a terminal waits with the new row.
  private let width: Int
  private var cursor: Point?
  private var foreground: Int32?
  private var background: Int32?

  /// The attributes must be reset when the bytes are written.
  init(_ sequences: Sequences, width: Int) { (self.sequences, self.width) = (sequences, width) }

  /// Fills an area with blanks, then writes characters on them, ordered by rows. `color`: the number of the background,
  /// as in `DirectColorEntry`.
  mutating func fill(_ area: Rect, color: Int32, inks: [Ink] = []) {
    for y in area.minY..<area.maxY {
      move(to: Point(x: area.minX, y: y))
      select(background: color)
      writeBlanks(area.width)
    }
    for ink in inks { write(ink) }
  }

  private mutating func write(_ ink: Ink) {
    // The blanks at the ends are there already.
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " }
    guard let first = ink.text.firstIndex(where: { !isBlank($0) }),
      let last = ink.text.lastIndex(where: { !isBlank($0) })
    else { return }
    move(to: Point(x: ink.start.x + first, y: ink.start.y))
    if foreground != ink.color { bytes += "\u{1B}[\(Sequences.parameters(of: ink.color))m".utf8 }
    foreground = ink.color
    for scalar in ink.text[first...last] { bytes += UTF8.encode(scalar)! }
    cursor?.x += last - first + 1
  }

  private mutating func select(background color: Int32) {
    if background != color { bytes += "\u{1B}[\(Sequences.parameters(of: color, isBackground: true))m".utf8 }
    background = color
  }

  private mutating func writeBlanks(_ count: Int) {
    if sequences.canErase {
      bytes += "\u{1B}[\(count)X".utf8
    } else {
      bytes += (sequences.canRepeat ? " \u{1B}[\(count - 1)b" : String(repeating: " ", count: count)).utf8
      cursor?.x += count
    }
  }

  private mutating func move(to target: Point) {
    let absolute = "\u{1B}[\(target.y + 1);\(target.x + 1)H"
    let relative = cursor.flatMap { way(from: $0, to: target) }
    bytes += relative.flatMap { $0.utf8.count < absolute.utf8.count ? $0 : nil }?.utf8 ?? absolute.utf8
    cursor = target
  }

  private func way(from start: Point, to end: Point) -> String? {
    guard (0..<8).contains(end.y - start.y), start.x < width || start.y == end.y else { return nil }
    return String(repeating: Self.down, count: end.y - start.y) + way(fromColumn: start.x, to: end.x)
  }

  private func way(fromColumn start: Int, to end: Int) -> String {
    let absolute = "\u{1B}[\(end + 1)G"
    let relative =
      switch end - start {
      case 0: ""
      case 1: "\u{1B}[C"
      case -1: "\u{8}"
      case let distance where distance > 0: "\u{1B}[\(distance)C"
      case let distance: "\u{1B}[\(-distance)D"
      }
    return start < width && relative.utf8.count < absolute.utf8.count ? relative : absolute
  }

  /// VT: LF may be changed into CR LF.
  private static let down = "\u{B}"
}

extension CellWriter {
  /// The sequences of a terminal whose entry is a `DirectColorEntry`.
  struct Sequences: Equatable {
    /// Whether erasing (ECH) uses the current background.
    var canErase: Bool
    /// Whether characters can be repeated (REP).
    var canRepeat: Bool

    /// The terminfo strings that a terminal must have.
    static let required = [
      "csr": "\u{1B}[%i%p1%d;%p2%dr", "indn": "\u{1B}[%p1%dS", "rin": "\u{1B}[%p1%dT", "sc": "\u{1B}7", "rc": "\u{1B}8",
      "cup": "\u{1B}[%i%p1%d;%p2%dH",
    ]

    /// Scrolls rows (DECSTBM, SU or SD). The attributes must be reset.
    func scroll(_ shift: RowShift) -> [UInt8] {
      let scroll = shift.distance > 0 ? "\(shift.distance)S" : "\(-shift.distance)T"
      return Array("\u{1B}[\(shift.region.lowerBound + 1);\(shift.region.upperBound)r\u{1B}[\(scroll)\u{1B}[r".utf8)
    }

    /// Returns the parameters of SGR that select a color by its number in a `DirectColorEntry`.
    static func parameters(of color: Int32, isBackground: Bool = false) -> String {
      let start: Int32 = isBackground ? 40 : 30
      return switch color {
      case ..<8: "\(start + color)"
      case ..<16: "\(start + 60 + color - 8)"
      case ..<256: "\(start + 8);5;\(color)"
      default: "\(start + 8);2;\(color >> 16 & 255);\(color >> 8 & 255);\(color & 255)"
      }
    }
  }
}
