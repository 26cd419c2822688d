import CFeedfallCurses
import FeedfallScreen
import WaterfallEngine

/// Writes cells in few bytes: the cursor takes the shortest way, and attributes and colors are selected only where they
/// are visible. All attributes are off at the start.
struct CellWriter {
  private(set) var bytes: [UInt8] = []
  let terminal: Capabilities
  private let links: Links
  let size: Size
  /// The cursor's position; nil if it is unknown, as after the last column.
  private var cursor: Point?
  private var pen = Pen()

  init(_ terminal: Capabilities, _ links: Links, size: Size) {
    (self.terminal, self.links, self.size) = (terminal, links, size)
  }

  /// Call it at the end.
  mutating func reset() {
    if pen != Pen() { select(Pen()) }
  }

  // MARK: - The whole screen

  /// Clears the screen, whose attributes may be on. Returns the cell that it consists of.
  mutating func clear(ground: CellColor) -> ShownCell {
    let known = terminal.selection == .sgr ? Array("\u{1B}[m".utf8) : terminal.reset
    bytes += known
    (pen, cursor) = (Pen(), nil)
    if terminal.erasesInColor { select(Pen(ground: ground)) }
    bytes += terminal.clear
    return ShownCell(glyph: .blank, pen: pen)
  }

  /// Returns the cell that the new rows consist of.
  mutating func scroll(_ shift: RowShift, ground: CellColor) -> ShownCell {
    select(Pen(ground: terminal.erasesInColor ? ground : .standard))
    bytes += terminal.scroll(shift.region, by: shift.distance)
    cursor = nil
    return ShownCell(glyph: .blank, pen: pen)
  }

  // MARK: - Cells

  /// Writes consecutive cells of a row, except for the last one of the screen where that would scroll it.
  mutating func write(_ row: Span<ShownCell>, _ columns: Range<Int>, y: Int) {
    var x = columns.lowerBound
    while x < columns.upperBound {
      let cell = row[x]
      var end = x + 1
      if cell.glyph == .blank {
        while end < columns.upperBound, row[end].glyph == .blank, row[end].pen.paintsBlanks(like: cell.pen) { end += 1 }
        writeBlanks(x..<end, cell.pen, y: y, isLast: end == columns.upperBound)
      } else if cell.glyph.isContinuation {
        // Its first half has written it.
      } else {
        while end < columns.upperBound, row[end].glyph == cell.glyph, row[end].pen == cell.pen { end += 1 }
        writeCharacters(cell, x..<end, y: y, isWide: end < size.width && row[end].glyph.isContinuation)
      }
      x = end
    }
  }

  /// Fills columns with blanks without moving the cursor. Only if the terminal erases cells.
  mutating func erase(_ columns: Range<Int>, _ blank: Pen, y: Int) {
    move(to: Point(x: columns.lowerBound, y: y))
    select(blank, onBlank: true)
    bytes += "\u{1B}[".utf8
    bytes.appendNumber(columns.count)
    bytes.append(UInt8(ascii: "X"))
  }

  private mutating func writeBlanks(_ columns: Range<Int>, _ blank: Pen, y: Int, isLast: Bool) {
    let count = columns.count
    if columns.upperBound == size.width, terminal.erasesRows, blank.isErasing,
      terminal.erasesInColor || blank.ground == .standard,
      count > 3 || y == size.height - 1 && terminal.lastCellScrolls
    {
      move(to: Point(x: columns.lowerBound, y: y))
      select(blank, onBlank: true)
      bytes += "\u{1B}[K".utf8
    } else if count > (isLast ? 4 : 8), terminal.erasesCells, blank.isErasing {
      erase(columns, blank, y: y)
    } else {
      writeCharacters(ShownCell(glyph: .blank, pen: blank), columns, y: y, isWide: false)
    }
  }

  private mutating func writeCharacters(_ cell: ShownCell, _ columns: Range<Int>, y: Int, isWide: Bool) {
    var columns = columns
    if columns.upperBound + (isWide ? 1 : 0) == size.width, y == size.height - 1, terminal.lastCellScrolls {
      if isWide { return writeCharacters(ShownCell(glyph: .blank, pen: cell.pen), columns, y: y, isWide: false) }
      columns = columns.lowerBound..<columns.upperBound - 1
      guard !columns.isEmpty else { return }
    }
    move(to: Point(x: columns.lowerBound, y: y))
    select(cell.pen, onBlank: cell.glyph == .blank)
    let start = bytes.count
    append(cell.glyph)
    let length = bytes.count - start
    let more = columns.count - 1
    if terminal.repeats, cell.glyph.marks == 0, !isWide, more * length > 5 {
      bytes += "\u{1B}[".utf8
      bytes.appendNumber(more)
      bytes.append(UInt8(ascii: "b"))
    } else {
      for _ in 0..<more { append(cell.glyph) }
    }
    let end = columns.upperBound + (isWide ? 1 : 0)
    cursor = end < size.width ? Point(x: end, y: y) : nil
  }

  @inline(__always)
  private mutating func append(_ glyph: Glyph) {
    if glyph.base < 0x80 {
      bytes.append(UInt8(glyph.base))
    } else if let scalar = Unicode.Scalar(glyph.base), let encoded = UTF8.encode(scalar) {
      for byte in encoded { bytes.append(byte) }
    }
    guard glyph.marks != 0 else { return }
    for mark in glyph.scalars.dropFirst() where wcwidth(wchar_t(mark.value)) == 0 { bytes += UTF8.encode(mark)! }
  }

  /// Writes cells that terminals may show in another number of cells, and the one after them, which a wider one would
  /// cover: first blanks, then each at its own address, so that a different width moves nothing.
  mutating func writeDisputed(_ row: Span<ShownCell>, _ columns: Range<Int>, next: Range<Int>, y: Int) {
    for x in columns {
      let blank = ShownCell(glyph: .blank, pen: row[x].pen)
      writeCharacters(blank, x..<x + 1, y: y, isWide: false)
    }
    for x in columns where !row[x].glyph.isContinuation && row[x].glyph != .blank {
      // A glyph that is wider than its cells would wrap at the end of the row; each mark may take a cell.
      let room = size.width - x - (y == size.height - 1 && terminal.lastCellScrolls ? 1 : 0)
      let isWide = x + 1 < row.count && row[x + 1].glyph.isContinuation
      let width = isWide || Self.mayBeWider(row[x].glyph) ? 2 : 1
      guard width <= room else { continue }
      cursor = nil
      move(to: Point(x: x, y: y))
      select(row[x].pen)
      for scalar in row[x].glyph.scalars.prefix(1 + room - width) { bytes += UTF8.encode(scalar)! }
    }
    cursor = nil
    if !next.isEmpty { write(row, next, y: y) }
  }

  private static func mayBeWider(_ glyph: Glyph) -> Bool {
    var uncertain = TextWidths.UncertainGlyphs()
    let base = Glyph(base: glyph.base)
    return uncertain.contains(base) || base.isAmbiguous
  }

  // MARK: - Films

  /// Writes a cell of a film. Returns the cell that it shows, whose colors may differ by the tolerance.
  mutating func write(_ wanted: FilmCell, at place: Point, tolerance: Int, hasBlocks: Bool) -> ShownCell {
    func selected(_ text: CellColor, _ ground: CellColor) -> Pen {
      Pen(
        text: pen.text.matches(text, tolerance: tolerance) ? pen.text : text,
        ground: pen.ground.matches(ground, tolerance: tolerance) ? pen.ground : ground)
    }
    func cost(_ new: Pen) -> Int { (new.text == pen.text ? 0 : 1) + (new.ground == pen.ground ? 0 : 1) }
    move(to: place)
    cursor = place.x + 1 < size.width ? Point(x: place.x + 1, y: place.y) : nil
    var new: Pen
    var quarters = wanted.quarters
    if wanted.first == wanted.second {
      new = selected(pen.text, wanted.first)
      quarters = 0
      let canStay = pen.text != .standard && pen.text.matches(wanted.first, tolerance: tolerance)
      if hasBlocks, new.ground != pen.ground, canStay { (new, quarters) = (pen, FilmCell.whole) }
    } else {
      new = selected(wanted.first, wanted.second)
      // The default background cannot be the color of a character.
      if wanted.second != .standard {
        let other = selected(wanted.second, wanted.first)
        if wanted.first == .standard || cost(other) <= cost(new) {
          (new, quarters) = (other, FilmCell.whole & ~quarters)
        }
      }
    }
    select(new)
    let glyph = quarters == 0 ? Glyph.blank : Glyph(base: 0x2500 | UInt32(FilmCell.blocks[Int(quarters)]))
    if quarters == 0 {
      bytes.append(UInt8(ascii: " "))
    } else {
      bytes.append(0xE2)
      bytes.append(0x96)
      bytes.append(FilmCell.blocks[Int(quarters)])
    }
    return ShownCell(glyph: glyph, pen: new, kind: .film)
  }

  // MARK: - The cursor

  @inline(__always)
  private mutating func move(to target: Point) {
    guard cursor != target else { return }
    defer { cursor = target }
    guard terminal.movesRelatively, let cursor, case let down = target.y - cursor.y, down >= 0, down < 4 else {
      return terminal.appendAddress(target, to: &bytes)
    }
    for _ in 0..<down { bytes.append(0x0B) }  // VT: LF may be changed into CR LF.
    let distance = target.x - cursor.x
    if distance == 0 { return }
    if target.x == 0 { return bytes.append(0x0D) }
    if distance < 0, distance > -4 {
      for _ in distance..<0 { bytes.append(0x08) }
      return
    }
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    let isAbsolute = target.x < 9 && abs(distance) > 9 || target.x < 99 && abs(distance) > 99
    if isAbsolute { bytes.appendNumber(target.x + 1) } else if distance != 1 { bytes.appendNumber(abs(distance)) }
    bytes.append(isAbsolute ? UInt8(ascii: "G") : distance > 0 ? UInt8(ascii: "C") : UInt8(ascii: "D"))
  }

  // MARK: - The pen

  @inline(__always)
  private mutating func select(_ wanted: Pen, onBlank: Bool = false) {
    if pen == wanted || onBlank && pen.paintsBlanks(like: wanted) { return }
    change(to: wanted, onBlank: onBlank)
  }

  private mutating func change(to wanted: Pen, onBlank: Bool) {
    if wanted.link != pen.link { bytes += links.sequence(wanted.link) }
    guard terminal.selection == .sgr else {
      if pen.text != wanted.text || pen.ground != wanted.ground || pen.attributes != wanted.attributes {
        bytes += terminal.reselection(wanted)
      }
      pen = wanted
      return
    }
    var new = wanted
    if onBlank, wanted.attributes.isDisjoint(with: Pen.onBlanks) {
      new.text = pen.text
      new.attributes.formUnion(pen.attributes.subtracting(Pen.onBlanks))
    }
    defer { pen = new }
    let removed = pen.attributes.subtracting(new.attributes)
    let removesColor =
      pen.text != .standard && new.text == .standard || pen.ground != .standard && new.ground == .standard
    guard pen.text != new.text || pen.ground != new.ground || pen.attributes != new.attributes else { return }
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    let isPlain = new.text == .standard && new.ground == .standard && new.attributes.isEmpty
    let mustReset =
      isPlain || !removed.isEmpty && (!terminal.canEndAttributes || new.ground == .standard)
      || removesColor && !terminal.canEndColors
    if mustReset {
      if onBlank, wanted.attributes.isDisjoint(with: Pen.onBlanks) {
        new = Pen(ground: wanted.ground, link: wanted.link)
      }
      pen = Pen(link: new.link)
      if new.text != .standard || new.ground != .standard || !new.attributes.isEmpty {
        bytes += "0;".utf8
      } else {
        return bytes.append(UInt8(ascii: "m"))
      }
    }
    appendParameters(to: new)
    bytes[bytes.count - 1] = UInt8(ascii: "m")
  }

  /// Appends the parameters that change the pen, each with a semicolon after it.
  private mutating func appendParameters(to new: Pen) {
    var kept = pen.attributes
    for (ending, ended) in Self.endings where !kept.intersection(ended).isSubset(of: new.attributes) {
      bytes += ending
      kept.subtract(ended)
    }
    for (attribute, number) in Self.attributes where new.attributes.contains(attribute) && !kept.contains(attribute) {
      bytes.append(number)
      bytes.append(UInt8(ascii: ";"))
    }
    for (start, old, color) in [(UInt8(30), pen.text, new.text), (40, pen.ground, new.ground)] where old != color {
      color.appendParameters(from: start, brightByIndex: terminal.brightByIndex, to: &bytes)
      bytes.append(UInt8(ascii: ";"))
    }
  }

  private static let endings: [([UInt8], Theme.Attributes)] = [
    (Array("22;".utf8), [.bold, .dim]), (Array("24;".utf8), .underline), (Array("27;".utf8), .reverse),
  ]
  private static let attributes: [(Theme.Attributes, UInt8)] = [
    (.bold, UInt8(ascii: "1")), (.dim, UInt8(ascii: "2")), (.underline, UInt8(ascii: "4")),
    (.reverse, UInt8(ascii: "7")),
  ]
}

/// The numbers of the addresses that cells are links to (OSC 8).
final class Links {
  private var numbers: [String: UInt16] = [:]
  private var sequences: [[UInt8]] = [Links.end]

  static let end = Array("\u{1B}]8;;\u{1B}\\".utf8)

  private static let maximumLength = 2048
  private static let maximumCount = 4096
  private static let schemes = ["https://", "http://", "file://"]

  /// Whether `removeAll` is due. Cells that the terminal shows with a link must be forgotten then.
  var isFull: Bool { sequences.count > Self.maximumCount }

  func removeAll() { (numbers, sequences) = ([:], [Self.end]) }

  func number(of address: String) -> UInt16 {
    if let known = numbers[address] { return known }
    guard Self.isSafe(address), sequences.count < Int(UInt16.max) else { return 0 }
    let number = UInt16(sequences.count)
    numbers[address] = number
    // Parts with the same number are one link.
    sequences.append(Array("\u{1B}]8;id=\(number);\(address)\u{1B}\\".utf8))
    return number
  }

  /// Returns the sequence that starts a link; for 0, the one that ends it.
  func sequence(_ number: UInt16) -> [UInt8] { sequences[Int(number)] }

  /// Whether the address cannot end its sequence, and a terminal may open it.
  private static func isSafe(_ address: String) -> Bool {
    address.utf8.count <= maximumLength && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && schemes.contains { address.hasPrefix($0) }
  }
}
