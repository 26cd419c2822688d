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
  /// Finds the shift that explains most of the rows that differ from `old`; nil if there is none or the sizes differ.
  ///
  /// Complexity: O(number of cells), usually much less because rows differ early.
  public func rowShift(from old: Canvas) -> RowShift? {
    guard size == old.size else { return nil }
    let changed = (0..<size.height).filter { !rowIsEqual($0, to: old) }
    guard let first = changed.first, let last = changed.last, changed.count > 3 else { return nil }
    // Equal rows, such as blank ones, are ambiguous: so try several probes and require that the shift is large.
    for probe in [changed.count / 2, changed.count / 4, changed.count * 3 / 4].map({ changed[$0] }) {
      for source in first...last where source != probe && rowIsEqual(probe, to: old, at: source) {
        let rows = shiftedRows(around: probe, by: source - probe, from: old, within: first...last)
        if rows.count * 2 > changed.count { return RowShift(rows: rows, distance: source - probe) }
      }
    }
    return nil
  }

  private func shiftedRows(
    around probe: Int, by distance: Int, from old: Canvas, within changed: ClosedRange<Int>
  ) -> Range<Int> {
    func isShifted(_ y: Int) -> Bool {
      changed.contains(y) && changed.contains(y + distance) && rowIsEqual(y, to: old, at: y + distance)
    }
    var rows = probe..<probe + 1
    while isShifted(rows.lowerBound - 1) { rows = rows.lowerBound - 1..<rows.upperBound }
    while isShifted(rows.upperBound) { rows = rows.lowerBound..<rows.upperBound + 1 }
    return rows
  }
}
