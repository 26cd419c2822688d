/// Rows that look like other rows of an earlier canvas, some rows further up or down: what scrolling leaves the same.
public struct RowShift: Equatable, Sendable {
  /// The rows of the new canvas.
  public let rows: Range<Int>
  /// How much further down they were in the old one; negative for further up.
  public let distance: Int

  public init(rows: Range<Int>, distance: Int) {
    self.rows = rows
    self.distance = distance
  }

  /// The rows that the movement touches, in both canvases.
  public var region: Range<Int> {
    min(rows.lowerBound, rows.lowerBound + distance)..<max(rows.upperBound, rows.upperBound + distance)
  }
}

extension Canvas {
  /// How the greater part of what differs from `old` has moved up or down; nil where it has not, or is of another size.
  ///
  /// Complexity: O(number of cells), mostly much less: rows that differ, differ soon.
  public func rowShift(from old: Canvas) -> RowShift? {
    guard size == old.size else { return nil }
    let changed = (0..<size.height).filter { !rowIsEqual($0, to: old) }
    guard let first = changed.first, let last = changed.last, changed.count > 3 else { return nil }
    // Rows that occur twice, as blank ones do, say nothing: so more than one is asked, and the whole must be large.
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
