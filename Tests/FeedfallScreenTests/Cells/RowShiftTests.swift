import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallScreen

extension Canvas {
  fileprivate func rowShift(from old: Canvas) -> RowShift? {
    var (hashes, none) = (RowShift.Hashes?.none, RowShift.Hashes?.none)
    let shift = rowShift(from: old, nil, &hashes)
    // The next search starts from the hashes of this one.
    #expect(hashes == nil || old.rowShift(from: self, hashes, &none) == old.rowShift(from: self, nil, &none))
    return shift
  }
}

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

  @Test func `a shift is found although some of its rows differ`() {
    let one = canvas(["head", "a", "b", "c", "d", "e", "f", "g", "foot 1"])
    let other = canvas(["head", "c", "d", "*e", "f", "g", "h", "*i", "foot 2"])
    #expect(other.rowShift(from: one) == RowShift(rows: 1..<6, distance: 2))
  }

  @Test func `a shift is found although a part of every row differs`() {
    func canvas(from first: Int, framing frame: Range<Int>) -> Canvas {
      var canvas = Canvas(size: Size(width: 60, height: 12))
      for y in 0..<12 {
        for x in 0..<3 { canvas.write("\(x) line \(first + y)", at: Point(x: 20 * x + 2, y: y), style: .plain) }
        for x in [frame.lowerBound, frame.upperBound] { canvas.write("│", at: Point(x: x, y: y), style: .plain) }
      }
      return canvas
    }
    let (one, other) = (canvas(from: 0, framing: 0..<19), canvas(from: 4, framing: 20..<39))
    #expect(other.rowShift(from: one) == RowShift(rows: 0..<8, distance: 4))
    #expect(one.rowShift(from: other) == RowShift(rows: 4..<12, distance: -4))
  }

  @Test func `a shift is found although most rows are new`() {
    let one = canvas(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
    let other = canvas(["h", "i", "j", "k", "l", "m", "n", "o", "p", "q"])
    #expect(other.rowShift(from: one) == RowShift(rows: 0..<3, distance: 7))
  }

  @Test func `a shift that would move as many rows that stay is not found`() {
    let one = canvas(["a", "b", "c", "d", "1", "2", "3", "4", "5"])
    let other = canvas(["b", "c", "d", "x", "1", "2", "3", "4", "5"])
    #expect(other.rowShift(from: one) == RowShift(rows: 0..<3, distance: 1))
    #expect(canvas(["1", "2", "3", "x", "1", "2", "3", "4", "5"]).rowShift(from: one) == nil)
  }

  @Test func `scrolled rows move within the region, and blanks are scrolled in`() {
    let one = canvas(["head", "a", "b", "c", "d", "e", "foot"])
    #expect(one.scrolled(by: RowShift(rows: 1..<4, distance: 2)).text == "head\nc\nd\ne\n\n\nfoot")
    #expect(one.scrolled(by: RowShift(rows: 3..<6, distance: -2)).text == "head\n\n\na\nb\nc\nfoot")
  }

  @Test func `scrolling by the shift of a random scroll makes rows equal`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let rows = (0..<24).map { _ in "\(Int.random(in: 0..<1_000_000, using: &random))" }
      let distance = Int.random(in: 1...8, using: &random)
      let one = canvas(Array(rows[0..<12]))
      let other = canvas(Array(rows[distance..<distance + 12]))
      #expect(other.rowShift(from: one) == RowShift(rows: 0..<12 - distance, distance: distance))
      #expect(one.rowShift(from: other) == RowShift(rows: distance..<12, distance: -distance))
      let scrolled = one.scrolled(by: RowShift(rows: 0..<12 - distance, distance: distance))
      #expect((0..<12).count { other.rowIsEqual($0, to: scrolled) } >= 12 - distance)
    }
  }
}
