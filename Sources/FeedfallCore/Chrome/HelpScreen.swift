import FeedfallScreen
import WaterfallEngine

/// All keys, made from the table of keys itself.
struct HelpScreen: Equatable, Sendable {
  enum Outcome: Equatable { case stay, close }
  private var scroll = 0

  private struct Line: Equatable {
    var keys: String
    var words: String
  }

  private static var lines: [Line] {
    KeyContext.allCases.reversed().flatMap { context in
      [Line(keys: "", words: context.title)]
        + rows(Keymap.bindings(in: context)) + [Line(keys: "", words: "")]
    }
  }

  /// What many keys do in the same way has one line.
  private static func rows(_ bindings: [KeyBinding]) -> [Line] {
    bindings.chunked { $0.help == $1.help }.map { rows in
      let keys = rows.flatMap(\.keys).map(\.name)
      let isMany = rows.count > 1
      return Line(
        keys: isMany ? "\(keys[0])–\(keys[keys.count - 1])" : keys.joined(separator: " "), words: rows[0].help)
    }
  }

  mutating func handle(_ key: Key, height: Int) -> Outcome {
    let limit = max(0, Self.lines.count - max(1, height - 1))
    switch key {
    case .character("j"), .down: scroll = min(scroll + 1, limit)
    case .character("k"), .up: scroll = max(scroll - 1, 0)
    case .control("d"), .control("f"), .pageDown, .character(" "): scroll = min(scroll + max(1, height - 2), limit)
    case .control("u"), .control("b"), .pageUp: scroll = max(scroll - max(1, height - 2), 0)
    case .character, .control, .left, .right, .shiftLeft, .shiftRight, .home, .end, .enter, .escape, .tab, .backTab,
      .backspace, .delete, .function:
      return .close
    }
    return .stay
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    let keyWidth = min(14, frame.width / 3)
    for (row, line) in Self.lines.dropFirst(scroll).prefix(max(0, frame.height - 1)).enumerated() {
      let y = frame.minY + row
      if line.keys.isEmpty {
        canvas.write(line.words, at: Point(x: frame.minX + 1, y: y), style: Style(.heading))
      } else {
        canvas.write(line.keys, at: Point(x: frame.minX + 1, y: y), maxWidth: keyWidth, style: Style(.key))
        canvas.write(line.words, at: Point(x: frame.minX + 2 + keyWidth, y: y), style: .plain)
      }
    }
    let foot = Point(x: frame.minX + 1, y: frame.maxY - 1)
    canvas.write("j k scroll · any other key comes back", at: foot, style: Style(.dim))
  }
}

extension [KeyBinding] {
  /// The bindings in runs of those that belong together.
  fileprivate func chunked(_ belongTogether: (Element, Element) -> Bool) -> [[Element]] {
    var chunks: [[Element]] = []
    for element in self {
      if let last = chunks.last?.last, belongTogether(last, element) {
        chunks[chunks.count - 1].append(element)
      } else {
        chunks.append([element])
      }
    }
    return chunks
  }
}
