import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct RowShiftTests {
  private func canvas(_ rows: [String], width: Int = 12) -> Canvas {
    var canvas = Canvas(size: Size(width: width, height: rows.count))
    for (y, row) in rows.enumerated() { canvas.write(row, at: Point(x: 0, y: y), style: .plain) }
    return canvas
  }

  @Test func `a shift between a header and a footer is found in both directions`() {
    let one = canvas(["head", "a", "b", "c", "d", "e", "foot"])
    let other = canvas(["head", "c", "d", "e", "f", "g", "foot"])
    #expect(other.rowShift(from: one) == RowShift(rows: 1..<4, distance: 2))
    #expect(one.rowShift(from: other) == RowShift(rows: 3..<6, distance: -2))
    #expect(RowShift(rows: 1..<4, distance: 2).region == 1..<6)
    #expect(RowShift(rows: 3..<6, distance: -2).region == 1..<6)
  }

  @Test func `no shift is found for small changes or mostly new rows`() {
    let one = canvas(["a", "b", "c", "d", "e", "f"])
    #expect(one.rowShift(from: one) == nil)
    #expect(canvas(["a", "c", "b", "d", "e", "f"]).rowShift(from: one) == nil)
    #expect(canvas(["b", "c", "u", "v", "w", "x"]).rowShift(from: one) == nil)
    #expect(canvas(["b", "c", "d", "e", "f", "g"], width: 13).rowShift(from: one) == nil)
  }

  @Test func `equal rows in other places do not hide a shift`() {
    let one = canvas(["a", "", "b", "", "c", "", "d", ""])
    let other = canvas(["", "b", "", "c", "", "d", "", "e"])
    #expect(other.rowShift(from: one) == RowShift(rows: 0..<7, distance: 1))
  }

  @Test func `all rows of a shift are equal in both canvases`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      let rows = (0..<12).map { _ in ["", "a", "b", "ccc"].randomElement(using: &random) ?? "" }
      let one = canvas(rows)
      let start = Int.random(in: 0..<12, using: &random)
      let other = canvas(Array((rows + rows)[start..<start + 12]))
      guard let shift = other.rowShift(from: one) else { continue }
      #expect((0..<12).contains(shift.region.lowerBound) && (1...12).contains(shift.region.upperBound))
      for y in shift.rows {
        for x in 0..<12 { #expect(other[x, y] == one[x, y + shift.distance]) }
      }
    }
  }
}
