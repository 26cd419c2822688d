import FeedfallScreen
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct CursorTrackerTests {
  private let size = Size(width: 20, height: 6)

  // As curses selects it, for the widths of characters.
  init() { setlocale(LC_CTYPE, "C.UTF-8") }

  @Test(arguments: 0..<10) func `every cell that random bytes change is damaged`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    var (tracker, model, size) = (CursorTracker(), ScreenModel(size: size), size)
    _ = tracker.damage(by: Array("\u{1B}[H".utf8), on: size)
    for turn in 0..<90 {
      if turn % 30 == 29 {
        size = Size(width: number(12..<24), height: number(4..<9))
        model.resize(to: size)
      }
      var bytes = "\u{1B}[4\(number(0..<8))m"
      for _ in 0..<number(1..<9) {
        bytes +=
          [
            "ab", "x", "深", "e\u{301}", "\r", "\u{8}", "\n", "\u{1B}[\(number(1..<size.height + 1));\(number(1..<13))H",
            "\u{1B}[\(number(1..<13))G", "\u{1B}[\(number(1..<size.height + 1))d", "\u{1B}[K", "\u{1B}[1K", "\u{1B}[J",
            "\u{1B}[\(number(1..<4))X", "\u{1B}[\(number(1..<4))P", "\u{1B}[\(number(1..<4))@",
            "\u{1B}7\u{1B}[2;2Hsome\u{1B}8",
            "\u{1B}[2;4r\u{1B}[\(number(1..<3))S\u{1B}[r", "\u{1B}[1;\(size.height)r\u{1B}[2;1H",
          ][number(0..<19)]
      }
      let before = model
      model.process(Array(bytes.utf8))
      let damage = tracker.damage(by: Array(bytes.utf8), on: size)
      for y in 0..<size.height {
        for x in 0..<size.width where model[x, y] != before[x, y] {
          // A wide character that is cut in two loses its other half, which is in the next frame.
          let near = Rect(x: x - 1, y: y, width: 3, height: 1)
          #expect(damage.overlaps(near), "\(x), \(y) after \(bytes.debugDescription)")
        }
      }
    }
  }

  @Test func `a larger screen does not scroll within the margins of the smaller one`() {
    var tracker = CursorTracker()
    _ = tracker.damage(by: Array("\u{1B}[1;4r\u{1B}[H".utf8), on: Size(width: 20, height: 4))
    let damage = tracker.damage(by: Array("\u{1B}[4;3Ha\u{B}b\u{B}\u{1B}[K".utf8), on: size)
    #expect(damage.rows == [[], [], [], [2..<3], [3..<4], [4..<20]] && !damage.movesRows)
  }

  @Test func `only the cells that are written are damaged`() {
    var tracker = CursorTracker()
    let bytes = "\u{1B}[2;3Hab\u{1B}[38;2;1;2;3mc\u{1B}[4C深\u{1B}[5;20Hx\u{1B}[1;1H"
    let damage = tracker.damage(by: Array(bytes.utf8), on: size)
    #expect(damage.rows == [[], [2..<5, 9..<11], [], [], [19..<20], []] && !damage.movesRows)
  }
}
