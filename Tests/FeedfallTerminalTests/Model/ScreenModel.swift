import FeedfallScreen
import WaterfallEngine

/// A terminal's screen: the subset of xterm that the program uses.
struct ScreenModel {
  /// The SGR parameters of a color; empty for the default.
  typealias Color = [Int]

  struct Cell: Equatable {
    var text = " "
    var foreground = Color()
    var background = Color()
    var isReversed = false
    /// The parameters of SGR that are on: bold (1), dim (2) and underlined (4).
    var attributes: Set<Int> = []
    /// The parameters and the address of its link (OSC 8), separated by a semicolon.
    var link: String?
    /// The piece of a sixel picture over it.
    var sixel: SixelPiece?
  }

  /// A cell of a sixel picture, which is erased with the cell below it.
  struct SixelPiece: Equatable {
    var picture: Int
    var place: Point
  }

  private struct Pen {
    var x = 0
    var y = 0
    var isWrapping = false
    var look = Cell()
    var link: String?
  }

  private(set) var size: Size
  private(set) var cells: [Cell]
  /// Unknown or invalid sequences.
  private(set) var faults: [String] = []
  /// The number of unanswered status queries.
  private(set) var queryCount = 0
  /// The unanswered queries for the cursor, as their answers.
  private var cursorReports: [String] = []
  /// How many cells a character takes; 0 joins it to the one before the cursor.
  var width: (Unicode.Scalar) -> Int = ScreenModel.usualWidth
  /// Whether a character in the last column moves the cursor to the next row (`am` without `xenl`).
  var wrapsAtOnce = false
  var kitty = KittyModel()
  /// The sixel pictures in order, each with the cell of its corner.
  private(set) var sixels: [(corner: Point, bytes: [UInt8])] = []
  /// Whether sixels were drawn since the screen was cleared: xterm shows erased ones again where rows move.
  private var mayHoldSixels = false
  private var pen = Pen()
  private var savedPen = Pen()
  private var margins: Range<Int>
  private var rest: [UInt8] = []
  private var lastText = " "

  /// The width in most terminals, which is that of the canvas.
  static func usualWidth(_ scalar: Unicode.Scalar) -> Int {
    scalar.properties.generalCategory == .nonspacingMark
      ? 0 : GlyphRun(String(scalar), widths: TextWidths()).width == 2 ? 2 : 1
  }

  init(size: Size) {
    self.size = size
    cells = Array(repeating: Cell(), count: size.width * size.height)
    margins = 0..<size.height
  }

  subscript(x: Int, y: Int) -> Cell {
    get { cells[y * size.width + x] }
    set { cells[y * size.width + x] = newValue }
  }

  mutating func drainQueryCount() -> Int {
    defer { queryCount = 0 }
    return queryCount
  }

  mutating func drainCursorReports() -> [String] {
    defer { cursorReports = [] }
    return cursorReports
  }

  /// Resizes the screen and keeps its contents at the upper left.
  mutating func resize(to new: Size) {
    var model = ScreenModel(size: new)
    for y in 0..<min(size.height, new.height) {
      for x in 0..<min(size.width, new.width) { model[x, y] = self[x, y] }
    }
    model.faults = faults
    model.queryCount = queryCount
    model.rest = rest
    model.kitty = kitty
    model.sixels = sixels
    (model.width, model.wrapsAtOnce) = (width, wrapsAtOnce)
    model.mayHoldSixels = mayHoldSixels
    self = model
  }

  mutating func process(_ bytes: [UInt8]) {
    rest += bytes
    var index = 0
    while index < rest.count, let next = step(index) { index = next }
    rest.removeFirst(index)
  }

  /// Whether a sequence or a character is incomplete.
  var isWithinSequence: Bool { !rest.isEmpty }

  private mutating func step(_ index: Int) -> Int? {
    let byte = rest[index]
    switch byte {
    case 0x1B: return sequence(index)
    case 0x08: pen.x = max(0, pen.x - 1)
    case 0x09: pen.x = min(size.width - 1, (pen.x / 8 + 1) * 8)
    case 0x0A, 0x0B: lineFeed()
    case 0x0D: pen.x = 0
    // SI selects the character set that is selected already.
    case 0x0F: break
    case ..<0x20: faults.append("control \(byte)")
    default: return character(index)
    }
    pen.isWrapping = false
    return index + 1
  }

  private mutating func character(_ index: Int) -> Int? {
    let length =
      switch rest[index] {
      case ..<0x80: 1
      case ..<0xE0: 2
      case ..<0xF0: 3
      default: 4
      }
    guard index + length <= rest.count else { return nil }
    let bytes = rest[index..<index + length]
    guard let text = String(validating: bytes, as: UTF8.self) else {
      faults.append("bytes \(Array(bytes)) are no character")
      return index + 1
    }
    write(text)
    return index + length
  }

  private mutating func write(_ text: String) {
    let width = text.unicodeScalars.first.map(width) ?? 1
    guard width > 0 else { return join(text) }
    lastText = text
    if pen.isWrapping || pen.x + width > size.width {
      pen.x = 0
      lineFeed()
    }
    var cell = pen.look
    cell.link = pen.link
    cutCharacter(at: pen.x)
    cutCharacter(at: pen.x + width)
    for part in 0..<width {
      cell.text = part == 0 ? text : ""
      self[pen.x + part, pen.y] = cell
    }
    pen.isWrapping = pen.x + width == size.width
    pen.x = min(pen.x + width, size.width - 1)
    if wrapsAtOnce, pen.isWrapping {
      (pen.x, pen.isWrapping) = (0, false)
      lineFeed()
    }
  }

  /// Blanks both halves of a wide character if the second one is in this column.
  private mutating func cutCharacter(at x: Int) {
    guard x > 0, x < size.width, self[x, pen.y].text == "" else { return }
    self[x - 1, pen.y].text = " "
    self[x, pen.y].text = " "
  }

  private mutating func join(_ mark: String) {
    var x = pen.isWrapping ? pen.x : pen.x - 1
    if x > 0, self[x, pen.y].text.isEmpty { x -= 1 }
    if x >= 0 { self[x, pen.y].text.unicodeScalars.append(contentsOf: mark.unicodeScalars) }
  }

  private mutating func lineFeed() {
    if pen.y == margins.upperBound - 1 { scroll(margins, by: 1) } else { pen.y = min(size.height - 1, pen.y + 1) }
  }

  private mutating func scroll(_ rows: Range<Int>, by count: Int) {
    if mayHoldSixels { faults.append("rows move while there may be sixels") }
    if kitty.images.values.contains(where: { !$0.placements.isEmpty }) { faults.append("rows move under placements") }
    let old = cells
    var blank = Cell()
    blank.background = pen.look.background
    for y in rows {
      for x in 0..<size.width {
        self[x, y] = rows.contains(y + count) ? old[(y + count) * size.width + x] : blank
      }
    }
  }

  private mutating func sequence(_ index: Int) -> Int? {
    guard index + 1 < rest.count else { return nil }
    switch rest[index + 1] {
    case UInt8(ascii: "["): return control(index)
    case UInt8(ascii: "7"): savedPen = pen
    case UInt8(ascii: "8"): pen = savedPen
    case UInt8(ascii: "M"): if pen.y == margins.lowerBound { scroll(margins, by: -1) } else { pen.y -= 1 }
    case UInt8(ascii: "("): return index + 2 < rest.count ? index + 3 : nil
    case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "\\"): break
    case UInt8(ascii: "]"), UInt8(ascii: "P"):
      if rest[index...].starts(with: "\u{1B}Ptmux;".utf8) { return passthrough(index) }
      guard let end = rest[index...].firstRange(of: [0x1B, UInt8(ascii: "\\")]) else { return nil }
      if rest[index...].starts(with: "\u{1B}P0;1;0q".utf8) { draw(Array(rest[index..<end.upperBound])) }
      setLink(String(decoding: rest[index + 1..<end.lowerBound], as: UTF8.self))
      return end.upperBound
    case UInt8(ascii: "_"):
      guard let end = rest[index...].firstRange(of: [0x1B, UInt8(ascii: "\\")]) else { return nil }
      let text = String(decoding: rest[index + 2..<end.lowerBound], as: UTF8.self)
      if text.hasPrefix("G") { kitty.process(String(text.dropFirst()), at: Point(x: pen.x, y: pen.y)) }
      return end.upperBound
    default: faults.append("ESC \(rest[index + 1])")
    }
    return index + 2
  }

  /// Carries out a sequence in which each ESC is doubled.
  private mutating func passthrough(_ index: Int) -> Int? {
    var inner: [UInt8] = []
    var end = index + "\u{1B}Ptmux;".utf8.count
    while end + 1 < rest.count {
      if rest[end] == 0x1B, rest[end + 1] == UInt8(ascii: "\\") {
        let text = String(decoding: inner.dropFirst(2).dropLast(2), as: UTF8.self)
        if text.hasPrefix("G") { kitty.process(String(text.dropFirst()), at: Point(x: pen.x, y: pen.y)) }
        return end + 2
      }
      inner.append(rest[end])
      end += rest[end] == 0x1B ? 2 : 1
    }
    return nil
  }

  /// Draws a sixel picture over cells of 8 by 16 pixels.
  private mutating func draw(_ sixel: [UInt8]) {
    let corner = Point(x: pen.x, y: pen.y)
    sixels.append((corner, sixel))
    mayHoldSixels = true
    let lengths = String(decoding: sixel.prefix(40), as: UTF8.self).split(separator: ";").dropFirst(4)
    let numbers = lengths.prefix(2).compactMap { Int($0.prefix { ("0"..."9").contains($0) }) }
    guard numbers.count == 2 else { return faults.append("a sixel picture without a size") }
    let area = Rect(
      x: corner.x, y: corner.y, width: (numbers[0] + 7) / 8, height: (numbers[1] + 15) / 16)
    // A picture in the last row scrolls the screen.
    guard area.maxX <= size.width, area.maxY < size.height else { return faults.append("a sixel picture in \(area)") }
    let name = sixel.hashValue
    for y in area.minY..<area.maxY {
      for x in area.minX..<area.maxX {
        self[x, y].sixel = SixelPiece(picture: name, place: Point(x: x - corner.x, y: y - corner.y))
      }
    }
  }

  private mutating func setLink(_ sequence: String) {
    guard sequence.hasPrefix("]8;") else { return }
    pen.link = sequence == "]8;;" ? nil : String(sequence.dropFirst(3))
  }

  private mutating func control(_ index: Int) -> Int? {
    guard let end = rest[(index + 2)...].firstIndex(where: { $0 >= 0x40 || $0 == 0x1B }) else { return nil }
    let text = String(decoding: rest[index + 2..<end], as: UTF8.self)
    guard rest[end] != 0x1B else {
      faults.append("CSI \(text) is cut off")
      return end
    }
    let final = String(UnicodeScalar(rest[end]))
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    if text.contains(where: { "?>$".contains($0) }) { return end + 1 }
    carryOut(final, numbers)
    if !"mtcn".contains(final) { pen.isWrapping = false }
    return end + 1
  }

  private mutating func carryOut(_ final: String, _ numbers: [Int]) {
    let count = max(1, numbers.first ?? 1)
    switch final {
    case "H": place(x: max(1, numbers.count > 1 ? numbers[1] : 1) - 1, y: count - 1)
    case "d": place(x: pen.x, y: count - 1)
    case "G": place(x: count - 1, y: pen.y)
    case "A": place(x: pen.x, y: pen.y - count)
    case "B": place(x: pen.x, y: pen.y + count)
    case "C": place(x: pen.x + count, y: pen.y)
    case "D": place(x: pen.x - count, y: pen.y)
    case "Z": place(x: max(0, (pen.x - 1) / 8 * 8), y: pen.y)
    case "m": select(numbers.isEmpty ? [0] : numbers)
    case "J":
      if numbers.first == 2 {
        kitty.clear()
        mayHoldSixels = false
      }
      erase(numbers.first ?? 0, upTo: pen.y * size.width + pen.x, within: 0..<cells.count)
    case "K":
      erase(
        numbers.first ?? 0, upTo: pen.y * size.width + pen.x, within: pen.y * size.width..<(pen.y + 1) * size.width)
    case "X": blank(pen.y * size.width + pen.x..<pen.y * size.width + min(size.width, pen.x + count))
    case "P": shift(by: count)
    case "@": shift(by: -count)
    case "b": for _ in 0..<count { write(lastText) }
    case "r":
      let end = numbers.count > 1 ? numbers[1] : size.height
      // Terminals ignore the region of a larger screen.
      if count <= end, end <= size.height { margins = count - 1..<end }
      place(x: 0, y: 0)
    case "S": scroll(margins, by: count)
    case "T": scroll(margins, by: -count)
    case "L": scroll(pen.y..<margins.upperBound, by: -count)
    case "M": scroll(pen.y..<margins.upperBound, by: count)
    case "n" where numbers.first == 6: cursorReports.append("\u{1B}[\(pen.y + 1);\(pen.x + 1)R")
    case "n": queryCount += 1
    case "t", "c", "l", "h": break
    default: faults.append("CSI \(numbers) \(final)")
    }
  }

  private mutating func place(x: Int, y: Int) {
    if x < 0 || y < 0 || x >= size.width || y >= size.height { faults.append("the cursor goes to \(x), \(y)") }
    pen.x = max(0, min(size.width - 1, x))
    pen.y = max(0, min(size.height - 1, y))
  }

  private mutating func blank(_ range: Range<Int>) {
    for index in range { cells[index] = Cell(background: pen.look.background) }
  }

  private mutating func erase(_ kind: Int, upTo place: Int, within range: Range<Int>) {
    switch kind {
    case 0: blank(place..<range.upperBound)
    case 1: blank(range.lowerBound..<place + 1)
    default: blank(range)
    }
  }

  private mutating func shift(by count: Int) {
    let row = (0..<size.width).map { self[$0, pen.y] }
    for x in pen.x..<size.width {
      let source = x + count
      self[x, pen.y] =
        source >= pen.x && source < size.width ? row[source] : Cell(background: pen.look.background)
    }
  }

  private mutating func select(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: pen.look = Cell()
      case 1, 2, 4: pen.look.attributes.insert(number)
      case 22: pen.look.attributes.subtract([1, 2])
      case 24: pen.look.attributes.remove(4)
      case 7: pen.look.isReversed = true
      case 27: pen.look.isReversed = false
      case 30...37, 90...97: pen.look.foreground = [number]
      case 40...47, 100...107: pen.look.background = [number]
      case 39: pen.look.foreground = []
      case 49: pen.look.background = []
      case 38, 48:
        let length = rest.first == 2 ? 4 : 2
        let color = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        if number == 38 { pen.look.foreground = color } else { pen.look.background = color }
      default: break
      }
    }
  }
}
