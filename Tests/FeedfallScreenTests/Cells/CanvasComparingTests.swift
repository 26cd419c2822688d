import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct CanvasComparingTests {
  @Test func `a difference in any cell is detected`() {
    let canvas = Canvas(size: Size(width: 13, height: 3))
    for y in 0..<3 {
      for x in 0..<13 {
        var other = canvas
        other[x, y].style.background = .black
        #expect(other != canvas)
        #expect((0..<3).map { other.rowIsEqual($0, to: canvas) } == (0..<3).map { $0 != y })
        #expect(other.changedRuns(inRow: y, from: canvas) == [x..<x + 1])
      }
    }
  }

  @Test func `canvases with the same cells are equal, however they were drawn`() {
    var one = Canvas(size: Size(width: 8, height: 1))
    var other = one
    one.write("a漢b", at: .zero, style: Style(.title))
    other.fill(other.bounds, with: Glyph("x"), style: Style(.cover, foreground: .white))
    other.fill(other.bounds, style: .plain)
    other.write("漢b", at: Point(x: 1, y: 0), style: Style(.title))
    other.write("a", at: .zero, style: Style(.title))
    #expect(one == other)
    #expect(one.changedRuns(inRow: 0, from: other) == [])
  }

  @Test func `changed runs consist of whole characters`() {
    var old = Canvas(size: Size(width: 10, height: 1))
    old.write("ab漢c漢de", at: .zero, style: .plain)
    var new = old
    new.write("x", at: Point(x: 0, y: 0), style: .plain)
    new.write("字", at: Point(x: 2, y: 0), style: .plain)
    new.write("y", at: Point(x: 6, y: 0), style: .plain)
    #expect(new.changedRuns(inRow: 0, from: old) == [0..<1, 2..<4, 5..<7])
  }

  @Test func `changed runs cover all changes and cut no character`() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<500 {
      var old = Canvas(size: Size(width: 12, height: 1))
      old.write(random.text(upTo: 10), at: .zero, style: .plain)
      var new = old
      new.write(random.text(upTo: 4), at: Point(x: .random(in: 0..<12, using: &random), y: 0), style: .plain)
      let runs = new.changedRuns(inRow: 0, from: old)
      let covered = Set(runs.flatMap { Array($0) })
      for x in 0..<12 where !covered.contains(x) { #expect(new[x, 0] == old[x, 0]) }
      for run in runs {
        for edge in [run.lowerBound, run.upperBound] {
          #expect(!new[edge, 0].glyph.isContinuation && !old[edge, 0].glyph.isContinuation)
        }
      }
    }
  }

  @Test func `a canvas of another size differs in all columns`() {
    let old = Canvas(size: Size(width: 3, height: 1))
    let new = Canvas(size: Size(width: 4, height: 2))
    #expect(new != old)
    #expect(!new.rowIsEqual(0, to: old) && !new.rowIsEqual(9, to: new) && !new.rowIsEqual(-1, to: new))
    #expect(new.changedRuns(inRow: 0, from: old) == [0..<4])
    #expect(old.changedRuns(inRow: 1, from: new) == [])
  }
}
