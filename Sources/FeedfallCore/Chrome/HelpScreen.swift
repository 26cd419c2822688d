import FeedfallFilters
import FeedfallScreen
import WaterfallEngine

enum HelpCommand: Equatable, Sendable {
  case scrollDown, scrollUp, pageDown, pageUp, scrollToTop, scrollToEnd, filter, back, close

  static let keymap = Keymap<HelpCommand>(
    title: "Help",
    rows: [
      .init("help.scroll-down", .character("j"), .down, command: .scrollDown, help: "scroll down"),
      .init("help.scroll-up", .character("k"), .up, command: .scrollUp, help: "scroll up"),
      .init(
        "help.page-down", .control("d"), .control("f"), .pageDown, .character(" "), command: .pageDown,
        help: "a page down"),
      .init("help.page-up", .control("u"), .control("b"), .pageUp, command: .pageUp, help: "a page up"),
      .init("help.top", .character("g"), .home, command: .scrollToTop, help: "first key"),
      .init("help.end", .character("G"), .end, command: .scrollToEnd, help: "last key"),
      .init("help.filter", .character("/"), command: .filter, help: "filter the keys"),
      .init("help.back", .escape, command: .back, help: "clear the filter, or close the help"),
      .init("help.close", .character("q"), .character("?"), command: .close, help: "close the help"),
    ])
}

/// The rows of all keymaps and the language of filters, in columns that scroll.
struct HelpScreen: Equatable, Sendable {
  private typealias Line = KeymapSection.Line

  private struct Section: Equatable {
    var title: String
    var lines: [Line]
  }

  private let sections: [Section]
  private var scroll = 0
  /// The filter that is being typed.
  private var prompt: Prompt?
  private var needle = ""

  private static let filters = "Filters"
  private static let maximumColumns = 3
  /// No row is cut off in such a column.
  private static let leastColumnWidth = 60
  private static let keyWidth = 16

  /// The keymaps of the context come first.
  init(context: [KeymapSection]) {
    let keymaps = context + KeymapSection.all.filter { !context.contains($0) }
    let filters = FilterLanguage.examples.map { Line(keys: $0.text, help: $0.meaning) }
    sections = keymaps.flatMap { keymap in
      [Section(title: keymap.title, lines: keymap.lines)]
        + (keymap == .prompt ? [Section(title: Self.filters, lines: filters)] : [])
    }
  }

  // MARK: - Keys

  /// Returns whether the help stays open.
  mutating func handle(_ key: Key, size: Size) -> Bool {
    guard prompt == nil else {
      handlePrompt(key)
      return true
    }
    return HelpCommand.keymap.command(for: key).map { perform($0, size: size) } ?? true
  }

  /// The wheel scrolls.
  mutating func handle(_ mouse: MouseEvent, size: Size) {
    switch mouse.kind {
    case .wheelUp: scroll(by: -CardsScreen.wheelRows, size: size)
    case .wheelDown: scroll(by: CardsScreen.wheelRows, size: size)
    case .press, .drag, .release: break
    }
  }

  mutating func paste(_ text: String) {
    prompt?.insert(text)
    followPrompt()
  }

  private mutating func handlePrompt(_ key: Key) {
    switch prompt?.handle(key) {
    case nil: break
    case .changed: followPrompt()
    case .accepted: prompt = nil
    case .cancelled: (prompt, needle) = (nil, "")
    }
  }

  private mutating func followPrompt() {
    guard let prompt else { return }
    (needle, scroll) = (prompt.needle, 0)
  }

  private mutating func perform(_ command: HelpCommand, size: Size) -> Bool {
    let page = max(1, size.height - 1)
    switch command {
    case .scrollDown: scroll(by: 1, size: size)
    case .scrollUp: scroll(by: -1, size: size)
    case .pageDown: scroll(by: page, size: size)
    case .pageUp: scroll(by: -page, size: size)
    case .scrollToTop: scroll = 0
    case .scrollToEnd: scroll = limit(size: size)
    case .filter: (prompt, needle, scroll) = (Prompt(origin: 0), "", 0)
    case .back where !needle.isEmpty: (needle, scroll) = ("", 0)
    case .back, .close: return false
    }
    return true
  }

  private mutating func scroll(by rows: Int, size: Size) {
    let limit = limit(size: size)
    scroll = min(max(min(scroll, limit) + rows, 0), limit)
  }

  private func limit(size: Size) -> Int { limit(rowCount: columns(width: size.width).rowCount, height: size.height) }

  private func limit(rowCount: Int, height: Int) -> Int { max(0, rowCount - max(1, height)) }

  // MARK: - Columns

  /// The sections with a row that contains the filter, each as its lines.
  private var blocks: [[Line]] {
    let search = TitleSearch(needle)
    return sections.compactMap { section in
      let lines = section.lines.filter { line in
        search.map { $0.match(in: line.help) != nil || $0.match(in: line.keys) != nil } ?? true
      }
      return lines.isEmpty ? nil : [Line(keys: "", help: section.title)] + lines + [Line(keys: "", help: "")]
    }
  }

  /// Distributes whole sections in their order over columns that are as low as possible.
  private func columns(width: Int) -> [[Line]] {
    let blocks = blocks
    let count = min(Self.maximumColumns, max(1, width / Self.leastColumnWidth))
    var height = blocks.map(\.count).max() ?? 0
    var columns = Self.columns(of: blocks, height: height)
    while columns.count > count {
      height += 1
      columns = Self.columns(of: blocks, height: height)
    }
    return columns
  }

  private static func columns(of blocks: [[Line]], height: Int) -> [[Line]] {
    blocks.reduce(into: []) { columns, block in
      if let last = columns.last, last.count + block.count <= height {
        columns[columns.count - 1] += block
      } else {
        columns.append(block)
      }
    }
  }

  // MARK: - Drawing

  /// The status line while the help is shown: the visible rows, and the filter.
  func statusLine(size: Size) -> StatusLine {
    let count = columns(width: size.width).rowCount
    let first = min(scroll, limit(rowCount: count, height: size.height))
    let rows = count > size.height ? "\(first + 1)–\(min(first + size.height, count)) of \(count)" : nil
    let filter = needle.isEmpty ? nil : "\(Messages.filterLabel.lowercased()) “\(needle)”"
    return StatusLine(
      name: HelpCommand.keymap.title, facts: [rows, filter].compactMap(\.self),
      search: prompt.map { PromptLine(Messages.filterLabel, $0, result: rows) },
      hints: prompt == nil ? HintWords.help : HintWords.prompt)
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    let columns = columns(width: frame.width)
    let first = min(scroll, limit(rowCount: columns.rowCount, height: frame.height))
    let width = frame.width / max(1, columns.count)
    for (column, lines) in columns.enumerated() {
      for (row, line) in lines.dropFirst(first).prefix(max(0, frame.height)).enumerated() {
        draw(
          line, in: Rect(x: frame.minX + column * width, y: frame.minY + row, width: width, height: 1), on: &canvas)
      }
    }
    if columns.isEmpty {
      canvas.write(Messages.noMatch(for: needle), at: Point(x: frame.minX + 1, y: frame.minY), style: Style(.dim))
    }
  }

  private func draw(_ line: Line, in row: Rect, on canvas: inout Canvas) {
    let start = Point(x: row.minX + 1, y: row.minY)
    guard !line.keys.isEmpty else {
      canvas.write(truncated(line.help, width: max(0, row.width - 1)), at: start, style: Style(.heading))
      return
    }
    let keyWidth = min(Self.keyWidth, row.width / 3)
    canvas.write(truncated(line.keys, width: keyWidth), at: start, style: Style(.key))
    let help = Point(x: start.x + keyWidth + 1, y: row.minY)
    canvas.write(truncated(line.help, width: max(0, row.width - keyWidth - 2)), at: help, style: .plain)
  }
}

extension [[KeymapSection.Line]] {
  /// The number of rows of the highest column, without the empty one below the last section.
  fileprivate var rowCount: Int { self.map { $0.count - 1 }.max() ?? 0 }
}
