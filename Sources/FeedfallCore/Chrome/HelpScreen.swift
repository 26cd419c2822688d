import FeedfallScreen
import WaterfallEngine

enum HelpCommand: Equatable, Sendable {
  case scrollDown, scrollUp, pageDown, pageUp, close

  static let keymap = Keymap<HelpCommand>(
    title: "Help",
    rows: [
      .init("help.scroll-down", .character("j"), .down, command: .scrollDown, help: "scroll down"),
      .init("help.scroll-up", .character("k"), .up, command: .scrollUp, help: "scroll up"),
      .init(
        "help.page-down", .control("d"), .control("f"), .pageDown, .character(" "), command: .pageDown,
        help: "a page down"),
      .init("help.page-up", .control("u"), .control("b"), .pageUp, command: .pageUp, help: "a page up"),
      .init("help.close", .character("q"), .escape, .character("?"), command: .close, help: "close the help"),
    ])
}

/// The rows of all keymaps, as text that scrolls.
struct HelpScreen: Equatable, Sendable {
  private var scroll = 0

  private static let lines: [KeymapSection.Line] = KeymapSection.all.flatMap { section in
    [KeymapSection.Line(keys: "", help: section.title)] + section.lines + [KeymapSection.Line(keys: "", help: "")]
  }

  /// Returns whether the help stays open. `height` is in rows, including the last one, which has no text.
  mutating func perform(_ command: HelpCommand, height: Int) -> Bool {
    let limit = max(0, Self.lines.count - max(1, height - 1))
    let page = max(1, height - 2)
    switch command {
    case .scrollDown: scroll = min(scroll + 1, limit)
    case .scrollUp: scroll = max(scroll - 1, 0)
    case .pageDown: scroll = min(scroll + page, limit)
    case .pageUp: scroll = max(scroll - page, 0)
    case .close: return false
    }
    return true
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    let keyWidth = min(14, frame.width / 3)
    for (row, line) in Self.lines.dropFirst(scroll).prefix(max(0, frame.height - 1)).enumerated() {
      let y = frame.minY + row
      if line.keys.isEmpty {
        canvas.write(line.help, at: Point(x: frame.minX + 1, y: y), style: Style(.heading))
      } else {
        canvas.write(line.keys, at: Point(x: frame.minX + 1, y: y), maxWidth: keyWidth, style: Style(.key))
        canvas.write(line.help, at: Point(x: frame.minX + 2 + keyWidth, y: y), style: .plain)
      }
    }
    let foot = Point(x: frame.minX + 1, y: frame.maxY - 1)
    canvas.write(Messages.helpFoot, at: foot, style: Style(.dim))
  }
}
