import CFeedfallCurses
import WaterfallEngine

/// Follows the terminal's cursor through the bytes of frames to find the cells that these change, in the same way as
/// the terminal: curses also erases ends of rows, shifts characters, and moves the cursor by writing characters again.
///
/// Bytes whose effect is not known, or that begin at an unknown position, damage the whole screen.
struct CursorTracker {
  /// The column is the screen's width after a character in the last one. Nil if it is unknown.
  private var cursor: Point?
  private var saved: Point?
  /// The first and the last row that scroll; nil for all rows.
  private var margins: Range<Int>?
  /// The size of the screen. A terminal that is resized moves the cursor and forgets the margins.
  private var size: Size?

  /// Forgets the position, because bytes were written that the tracker has not seen.
  mutating func forget() { self = CursorTracker() }

  /// Returns the cells that the bytes change. If they are not needed, returns none and forgets the position.
  mutating func damage(by bytes: [UInt8], on size: Size, isNeeded: Bool) -> CellDamage {
    if isNeeded { return damage(by: bytes, on: size) }
    forget()
    return CellDamage(on: size)
  }

  mutating func damage(by bytes: [UInt8], on size: Size) -> CellDamage {
    if size != self.size {
      forget()
      self.size = size
    }
    var damage = CellDamage(on: size)
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        switch bytes[index] {
        case 0x1B: index = sequence(bytes, index, size, &damage)
        case ..<0x20: index = control(bytes, index, size, &damage)
        default: index = character(bytes, index, size, &damage)
        }
      }
    }
    return damage
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  // MARK: - Characters

  private mutating func character(_ bytes: Bytes, _ index: Int, _ size: Size, _ damage: inout CellDamage) -> Int {
    let length =
      switch bytes[index] {
      case ..<0xC0: 1
      case ..<0xE0: 2
      case ..<0xF0: 3
      default: 4
      }
    let end = min(index + length, bytes.count)
    guard length > 1 else {
      write(1, size, &damage)
      return end
    }
    let scalar = bytes[(index + 1)..<end].reduce(UInt32(bytes[index] & (0x7F >> UInt8(length)))) {
      $0 << 6 | UInt32($1 & 0x3F)
    }
    write(Int(wcwidth(wchar_t(truncatingIfNeeded: scalar))), size, &damage)
    return end
  }

  private mutating func write(_ width: Int, _ size: Size, _ damage: inout CellDamage) {
    guard width != 0 else { return }
    guard var start = cursor, width > 0 else { return damageAll(size, &damage) }
    if start.x + width > size.width {
      lineFeed(size, &damage)
      start = Point(x: 0, y: cursor?.y ?? 0)
    }
    damage.add(start.x..<start.x + width, row: start.y)
    cursor = Point(x: start.x + width, y: start.y)
  }

  // MARK: - Controls

  private mutating func control(_ bytes: Bytes, _ index: Int, _ size: Size, _ damage: inout CellDamage) -> Int {
    switch bytes[index] {
    case 0x08: move(size) { $0.x -= 1 }
    case 0x09: move(size) { $0.x = ($0.x / 8 + 1) * 8 }
    case 0x0A, 0x0B: lineFeed(size, &damage)
    case 0x0D: cursor?.x = 0
    case 0x00, 0x0E, 0x0F: break
    default: damageAll(size, &damage)
    }
    return index + 1
  }

  private mutating func lineFeed(_ size: Size, _ damage: inout CellDamage) {
    guard let y = cursor?.y else { return damageAll(size, &damage) }
    let region = margins ?? 0..<size.height
    if y == region.upperBound - 1 { return damage.addMoved(rows: region) }
    move(size) { $0.y += 1 }
  }

  private mutating func move(_ size: Size, _ change: (inout Point) -> Void) {
    guard var point = cursor else { return }
    point.x = min(point.x, size.width - 1)
    change(&point)
    cursor = Point(x: max(0, min(point.x, size.width - 1)), y: max(0, min(point.y, size.height - 1)))
  }

  private mutating func damageAll(_ size: Size, _ damage: inout CellDamage) {
    cursor = nil
    damage.addMoved(rows: 0..<size.height)
  }

  // MARK: - Sequences

  private mutating func sequence(_ bytes: Bytes, _ index: Int, _ size: Size, _ damage: inout CellDamage) -> Int {
    guard index + 1 < bytes.count else {
      damageAll(size, &damage)
      return index + 1
    }
    switch bytes[index + 1] {
    case UInt8(ascii: "["): return controlSequence(bytes, index + 2, size, &damage)
    case UInt8(ascii: "7"): saved = cursor
    case UInt8(ascii: "8"): cursor = saved
    case UInt8(ascii: "("), UInt8(ascii: ")"): return index + 3
    case UInt8(ascii: "="), UInt8(ascii: ">"): break
    default: damageAll(size, &damage)
    }
    return index + 2
  }

  private mutating func controlSequence(
    _ bytes: Bytes, _ start: Int, _ size: Size, _ damage: inout CellDamage
  ) -> Int {
    guard let end = bytes[start...].firstIndex(where: { $0 >= 0x40 }) else {
      damageAll(size, &damage)
      return bytes.count
    }
    if bytes[end] == UInt8(ascii: "m") { return end + 1 }
    let isPrivate = bytes[start..<end].contains { !(0x30...0x3B).contains($0) }
    guard !isPrivate else { return end + 1 }
    let numbers = bytes[start..<end].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      $0.reduce(0) { min($0 * 10 + Int($1 & 0xF), 9999) }
    }
    carryOut(bytes[end], numbers, size, &damage)
    return end + 1
  }

  private mutating func carryOut(_ final: UInt8, _ numbers: [Int], _ size: Size, _ damage: inout CellDamage) {
    let count = max(1, numbers.first ?? 1)
    switch Character(UnicodeScalar(final)) {
    case "H":
      cursor = Point(x: 0, y: 0)
      move(size) { $0 = Point(x: (numbers.count > 1 ? max(1, numbers[1]) : 1) - 1, y: count - 1) }
    case "d": move(size) { $0.y = count - 1 }
    case "G": move(size) { $0.x = count - 1 }
    case "A": move(size) { $0.y -= count }
    case "B": move(size) { $0.y += count }
    case "C": move(size) { $0.x += count }
    case "D": move(size) { $0.x -= count }
    case "Z": move(size) { for _ in 0..<min(count, size.width) { $0.x = ($0.x - 1) / 8 * 8 } }
    case "X": change(size, &damage) { $0.x..<$0.x + count }
    case "@", "P": change(size, &damage) { $0.x..<size.width }
    case "K":
      change(size, &damage) {
        [0..<size.width, $0.x..<size.width, 0..<$0.x + 1][[1, 2, 0][min(numbers.first ?? 0, 2)]]
      }
    case "J": clear(numbers.first ?? 0, size, &damage)
    case "b": for _ in 0..<count { write(1, size, &damage) }
    case "r":
      let bottom = numbers.count > 1 && numbers[1] > 0 ? min(numbers[1], size.height) : size.height
      margins = count - 1 < bottom ? count - 1..<bottom : nil
      cursor = Point(x: 0, y: 0)
    case "S", "T", "L", "M": damage.addMoved(rows: margins ?? 0..<size.height)
    default: damageAll(size, &damage)
    }
  }

  private mutating func change(_ size: Size, _ damage: inout CellDamage, _ columns: (Point) -> Range<Int>) {
    move(size) { _ in }
    guard let cursor else { return damageAll(size, &damage) }
    damage.add(columns(cursor), row: cursor.y)
  }

  private mutating func clear(_ kind: Int, _ size: Size, _ damage: inout CellDamage) {
    move(size) { _ in }
    guard kind == 0, let cursor else { return damage.addMoved(rows: 0..<size.height) }
    damage.add(cursor.x..<size.width, row: cursor.y)
    damage.add(rows: min(cursor.y + 1, size.height)..<size.height)
  }
}

/// The cells that bytes have changed on the screen, and whose pixels and links are gone.
struct CellDamage: Equatable {
  private(set) var rows: [[Range<Int>]]
  /// Whether rows may have moved.
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
    let columns = columns.clamped(to: 0..<width)
    guard rows.indices.contains(y), !columns.isEmpty else { return }
    guard let last = rows[y].last, last.lowerBound <= columns.lowerBound, columns.lowerBound <= last.upperBound else {
      return rows[y].append(columns)
    }
    rows[y][rows[y].count - 1] = last.lowerBound..<max(last.upperBound, columns.upperBound)
  }

  mutating func formUnion(_ other: CellDamage) {
    for (y, ranges) in other.rows.enumerated() { for columns in ranges { add(columns, row: y) } }
    movesRows = movesRows || other.movesRows
  }

  mutating func add(rows changed: Range<Int>) {
    for y in changed { add(0..<width, row: y) }
  }

  mutating func addMoved(rows moved: Range<Int>) {
    add(rows: moved)
    movesRows = true
  }
}
