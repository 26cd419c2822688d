import WaterfallEngine

/// Rows that were further up or down in an earlier canvas, because of scrolling.
public struct RowShift: Equatable, Sendable {
  /// The rows in the new canvas.
  public let rows: Range<Int>
  /// How much further down they were in the old canvas; negative for further up.
  public let distance: Int

  /// All rows that the shift affects, in both canvases.
  public var region: Range<Int> {
    min(rows.lowerBound, rows.lowerBound + distance)..<max(rows.upperBound, rows.upperBound + distance)
  }

  /// The hashes of a canvas, which the next search needs again.
  public struct Hashes: Sendable { fileprivate let strips: [UInt32] }

  /// Compares strips of the rows of two canvases by their hashes, because a change beside the other cards does not
  /// prevent their scrolling. A collision costs bytes, but never shows a wrong cell.
  fileprivate struct Search {
    static let stripCount = 16
    /// The value of a strip that need not be drawn; blank ones are cheap.
    private static let stripValue: Int32 = 2
    private static let blankValue: Int32 = 1
    /// The value that is worth the sequences that scroll.
    private static let leastValue: Int32 = 6

    // Numbers of 32 bits, of which the compiler compares several at a time.
    private let old: [UInt32]
    private let new: [UInt32]
    private let values: [Int32]
    /// The values of those that are in the old canvas at the same place.
    private let kept: [Int32]

    init(old: [UInt32], new: [UInt32], blank: [UInt32]) {
      (self.old, self.new) = (old, new)
      values = new.indices.map { new[$0] == blank[$0 % Self.stripCount] ? Self.blankValue : Self.stripValue }
      kept = new.indices.map { [values] in new[$0] == old[$0] ? values[$0] : 0 }
    }

    private var rowCount: Int { new.count / Self.stripCount }

    var best: RowShift? {
      var best: (shift: RowShift, value: Int32)?
      for distance in 1 - rowCount..<rowCount where distance != 0 {
        guard let found = shift(by: distance), found.value > best?.value ?? Self.leastValue - 1 else { continue }
        best = found
      }
      return best?.shift
    }

    /// Returns the rows with the greatest total value for this distance.
    private func shift(by distance: Int) -> (shift: RowShift, value: Int32)? {
      var best = (rows: 0..<0, value: Int32(0))
      var (start, sum) = (0, Int32(0))
      for y in max(0, -distance)..<max(0, -distance, min(rowCount, rowCount - distance)) {
        if sum <= 0 { (start, sum) = (y, 0) }
        sum += value(of: y, shiftedBy: distance)
        if sum > best.value { best = (start..<y + 1, sum) }
      }
      guard !best.rows.isEmpty else { return nil }
      let shift = RowShift(rows: best.rows, distance: distance)
      return (shift, best.value - shift.region.filter { !shift.rows.contains($0) }.reduce(0) { $0 + lostValue(of: $1) })
    }

    private func strips(ofRow y: Int) -> Range<Int> { y * Self.stripCount..<(y + 1) * Self.stripCount }

    /// The value of the strips that the shift replaces by blanks, but that stay.
    private func lostValue(of y: Int) -> Int32 {
      strips(ofRow: y).reduce(0) { $0 + (values[$1] == Self.stripValue ? kept[$1] : 0) }
    }

    /// The drawing cost of the row without the shift minus its cost with it.
    private func value(of y: Int, shiftedBy distance: Int) -> Int32 {
      let (strips, shifted) = (strips(ofRow: y), strips(ofRow: y + distance))
      let (new, old) = (new.span.extracting(strips), old.span.extracting(shifted))
      let (values, kept) = (values.span.extracting(strips), kept.span.extracting(strips))
      var value: Int32 = 0
      for strip in 0..<Self.stripCount { value &+= (new[strip] == old[strip] ? values[strip] : 0) &- kept[strip] }
      return value
    }
  }
}

extension Canvas {
  /// Finds the shift after which the fewest cells differ from `old`; nil if none saves several rows or the sizes
  /// differ. Rows within the shift may differ, such as those with the frame of the selection.
  /// `hashes` are those of `old`, nil if unknown; `newHashes` becomes those of this canvas, if they were needed.
  /// Complexity: O(number of cells + number of rows squared).
  public func rowShift(from old: Canvas, _ hashes: RowShift.Hashes?, _ newHashes: inout RowShift.Hashes?) -> RowShift? {
    guard size == old.size, (0..<size.height).count(where: { !rowIsEqual($0, to: old) }) > 3 else { return nil }
    let strips = stripHashes
    newHashes = RowShift.Hashes(strips: strips)
    let blank = Canvas(size: Size(width: size.width, height: 1)).stripHashes
    return RowShift.Search(old: hashes?.strips ?? old.stripHashes, new: strips, blank: blank).best
  }

  private var stripHashes: [UInt32] {
    let bytes = cells.span.bytes
    let row = size.height > 0 ? bytes.byteCount / size.height : 0
    let cell = size.width > 0 ? row / size.width : 0
    return (0..<size.height).flatMap { y in
      (0..<RowShift.Search.stripCount).map { strip in
        let columns =
          strip * size.width / RowShift.Search.stripCount..<(strip + 1) * size.width / RowShift.Search.stripCount
        return bytes.extracting(y * row + columns.lowerBound * cell..<y * row + columns.upperBound * cell).hash
      }
    }
  }
}

extension RawSpan {
  /// Complexity: O(number of bytes), eight at a time.
  fileprivate var hash: UInt32 {
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
    return UInt32(truncatingIfNeeded: hash)
  }
}
