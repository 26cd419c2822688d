import FeedfallScreen
import WaterfallEngine

/// A click on it performs the key.
struct KeyHint: Equatable, Sendable {
  let key: Key
  /// Split into glyphs once, because the status line is drawn after each key. An arrow takes one cell in any terminal.
  let text: GlyphRun

  init(key: Key, words: String) {
    self.key = key
    text = GlyphRun("\(key.name) \(words)", widths: TextWidths())
  }

  /// In cells.
  var width: Int { text.width }

  struct Placed: Equatable, Sendable {
    var hint: KeyHint
    var frame: Rect
  }
}

private let gap = 2

extension RandomAccessCollection<KeyHint> {
  var width: Int { reduce(0) { $0 + $1.width } + gap * Swift.max(0, count - 1) }

  func countOfLast(inWidth width: Int) -> Int {
    var room = width
    return reversed().prefix { hint in
      defer { room -= hint.width + gap }
      return hint.width <= room
    }.count
  }

  func placed(at start: Point) -> [KeyHint.Placed] {
    var x = start.x
    return map { hint in
      defer { x += hint.width + gap }
      return KeyHint.Placed(hint: hint, frame: Rect(x: x, y: start.y, width: hint.width, height: 1))
    }
  }
}

extension [KeyHint.Placed] {
  func draw(_ style: Style, on canvas: inout Canvas) {
    for place in self { canvas.write(place.hint.text, at: place.frame.origin, style: style) }
  }

  func key(at point: Point) -> Key? { first { $0.frame.contains(point) }?.hint.key }
}
