import WaterfallEngine

/// Rows that were further up or down in an earlier canvas, because of scrolling.
public struct RowShift: Equatable, Sendable {
  /// The rows in the new canvas.
  public let rows: Range<Int>
  /// How much further down they were in the old canvas; negative for further up.
  public let distance: Int

  public init(rows: Range<Int>, distance: Int) {
    self.rows = rows
    self.distance = distance
  }

  /// All rows that the shift affects, in both canvases.
  public var region: Range<Int> {
    min(rows.lowerBound, rows.lowerBound + distance)..<max(rows.upperBound, rows.upperBound + distance)
  }
}

extension Canvas {
  /// Finds the shift after which the fewest rows differ from `old`; nil if none saves several rows or the sizes differ.
  /// Rows within the shift may differ, such as those with the mark of the selection.
  ///
  /// Complexity: O(number of cells + number of rows squared).
  public func rowShift(from old: Canvas) -> RowShift? {
    guard size == old.size, (0..<size.height).count(where: { !rowIsEqual($0, to: old) }) > 3 else { return nil }
    let search = RowShiftSearch(old: old.rowHashes, new: rowHashes, blank: Canvas(size: rowSize).rowHashes.first)
    return search.best
  }

  private var rowSize: Size { Size(width: size.width, height: 1) }

  private var rowHashes: [UInt64] {
    let bytes = cells.span.bytes
    let width = size.height > 0 ? bytes.byteCount / size.height : 0
    return (0..<size.height).map { bytes.extracting($0 * width..<($0 + 1) * width).hash }
  }
}

extension RawSpan {
  /// A hash that is equal for equal bytes. Complexity: O(number of bytes), eight at a time.
  fileprivate var hash: UInt64 {
    var hash: UInt64 = 0
    var offset = 0
    func mix(_ word: UInt64) {
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
    }
    while offset + 8 <= byteCount {
      mix(word(at: offset))
      offset += 8
    }
    while offset < byteCount {
      mix(UInt64(byte(at: offset)))
      offset += 1
    }
    return hash
  }
}

/// Compares the rows of two canvases by their hashes. A collision costs bytes, but never shows a wrong cell.
private struct RowShiftSearch {
  let old: [UInt64]
  let new: [UInt64]
  let blank: UInt64?

  /// The value of a row that need not be drawn; blank rows are cheap.
  private static let rowValue = 2
  private static let blankValue = 1
  /// The value that is worth the sequences that scroll.
  private static let leastValue = 6

  var best: RowShift? {
    var best: (shift: RowShift, value: Int)?
    for distance in 1 - new.count..<new.count where distance != 0 {
      guard let found = shift(by: distance), found.value > best?.value ?? Self.leastValue - 1 else { continue }
      best = found
    }
    return best?.shift
  }

  /// Returns the rows with the greatest total value for this distance.
  private func shift(by distance: Int) -> (shift: RowShift, value: Int)? {
    var best = (rows: 0..<0, value: 0)
    var (start, sum) = (0, 0)
    for y in max(0, -distance)..<max(0, -distance, min(new.count, new.count - distance)) {
      if sum <= 0 { (start, sum) = (y, 0) }
      sum += value(of: y, shiftedBy: distance)
      if sum > best.value { best = (start..<y + 1, sum) }
    }
    guard !best.rows.isEmpty else { return nil }
    let shift = RowShift(rows: best.rows, distance: distance)
    let lost = shift.region.filter { !shift.rows.contains($0) && new[$0] == old[$0] }.map(weight).reduce(0, +)
    return (shift, best.value - lost)
  }

  /// The drawing cost of the row without the shift minus its cost with it.
  private func value(of y: Int, shiftedBy distance: Int) -> Int {
    switch (new[y] == old[y + distance], new[y] == old[y]) {
    case (true, false): weight(of: y)
    case (false, true): -weight(of: y)
    case (true, true), (false, false): 0
    }
  }

  private func weight(of y: Int) -> Int { new[y] == blank ? Self.blankValue : Self.rowValue }
}
