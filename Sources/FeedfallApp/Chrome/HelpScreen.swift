import FeedfallFilters
import FeedfallScreen
import WaterfallEngine

struct HelpScreen: Equatable, Sendable {
  enum Command: Equatable, Sendable {
    case scrollDown, scrollUp, pageDown, pageUp, scrollToTop, scrollToEnd, filter, back, close
  }

  private typealias Line = Keymap.Line

  /// A title, keys with their text, the rest of a text, or nothing.
  fileprivate struct Row: Equatable {
    var keys = ""
    var text = ""
    var role = Role.plain
  }

  private struct Section: Equatable {
    var title: String
    var lines: [Line]
  }

  private let sections: [Section]
  var widths: TextWidths
  private var scroll = 0
  private var prompt: Prompt?
  private var needle = ""

  private static let maximumColumns = 3
  /// No row is cut off in such a column.
  private static let leastColumnWidth = 60
  private static let keyWidth = 16
  private static let usefulCount = 10
  private static let maximumRows = 8

  /// The most useful keys of the context come first, then its keymaps.
  init(_ keys: Keymaps, _ layers: [Layer], mostUseful: [KeyHint], _ vocabulary: CommandVocabulary, _ widths: TextWidths)
  {
    self.widths = widths
    let keymaps = layers + Layer.inHelp.filter { !layers.contains($0) }
    let end: [FeedfallApp.Command?] = [.global(.quit), .global(.showHelp)]
    let hints = mostUseful.reversed().filter { !end.contains(keys.command(for: $0.key, in: layers)) }
    let useful = hints.prefix(Self.usefulCount).compactMap { keys.line(of: $0, in: layers) }
    let commands = vocabulary.usages.map { Line(keys: ":" + $0.name, help: $0.help) }
    let filters = FilterLanguage.examples.map { Line(keys: $0.text, help: $0.meaning) }
    sections =
      [Section(title: Words.mostUsefulKeys, lines: useful)]
      + keymaps.map { Section(title: keys[$0].title, lines: keys[$0].lines) }
      + [Section(title: Words.commands, lines: commands), Section(title: Words.filters, lines: filters)]
  }

  // MARK: - Keys

  var hasPrompt: Bool { prompt != nil }

  mutating func handle(_ mouse: MouseEvent, size: Size) {
    switch mouse.kind {
    case .wheelUp: scroll(by: -CardsScreen.wheelRows, size: size)
    case .wheelDown: scroll(by: CardsScreen.wheelRows, size: size)
    case .press, .drag, .release: break
    }
  }

  mutating func paste(_ text: String) {
    prompt?.paste(text)
    followPrompt()
  }

  mutating func handle(_ input: Prompt.Input) {
    switch prompt?.handle(input) {
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

  /// Returns whether the help stays open.
  mutating func perform(_ command: Command, size: Size) -> Bool {
    let page = max(1, size.height - 1)
    switch command {
    case .scrollDown: scroll(by: 1, size: size)
    case .scrollUp: scroll(by: -1, size: size)
    case .pageDown: scroll(by: page, size: size)
    case .pageUp: scroll(by: -page, size: size)
    case .scrollToTop: scroll = 0
    case .scrollToEnd: scroll = limit(size: size)
    case .filter: (prompt, needle, scroll) = (Prompt(), "", 0)
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

  private func blocks(width: Int) -> [[Row]] {
    let search = TitleSearch(needle)
    return sections.compactMap { section in
      let lines = section.lines.filter { line in
        search.map { $0.match(in: line.help) != nil || $0.match(in: line.keys) != nil } ?? true
      }
      let title = widths.truncated(section.title, width: max(0, width - 1))
      return lines.isEmpty
        ? nil : [Row(text: title, role: .heading)] + lines.flatMap { rows(of: $0, width: width) } + [Row()]
    }
  }

  private static func keyWidth(in width: Int) -> Int { min(keyWidth, width / 3) }

  private func rows(of line: Line, width: Int) -> [Row] {
    let keyWidth = Self.keyWidth(in: width)
    let texts = widths.wrapped(line.help, width: max(1, width - keyWidth - 2), maximumLines: Self.maximumRows)
    return texts.enumerated().map { index, text in
      Row(keys: index == 0 ? widths.truncated(line.keys, width: keyWidth) : "", text: text)
    }
  }

  /// Whole sections in their order, in columns that are as low as possible.
  private func columns(width: Int) -> [[Row]] {
    let count = min(Self.maximumColumns, max(1, width / Self.leastColumnWidth))
    let blocks = blocks(width: width / count)
    let least = blocks.map(\.count).max() ?? 0
    return (least...).lazy.map { Self.columns(of: blocks, height: $0) }.first { $0.count <= count } ?? []
  }

  private static func columns(of blocks: [[Row]], height: Int) -> [[Row]] {
    blocks.reduce(into: []) { columns, block in
      if let last = columns.last, last.count + block.count <= height {
        columns[columns.count - 1] += block
      } else {
        columns.append(block)
      }
    }
  }

  // MARK: - Drawing

  func statusLine(size: Size, _ hints: KeyHints, message: String?) -> StatusLine {
    let count = columns(width: size.width).rowCount
    let first = min(scroll, limit(rowCount: count, height: size.height))
    let rows = count > size.height ? Words.rows(first + 1...min(first + size.height, count), of: count) : nil
    let filter = needle.isEmpty ? nil : Words.filter(needle)
    return StatusLine(
      name: Words.help, facts: [rows, filter].compactMap(\.self),
      message: message, search: prompt.map { Prompt.Line(Words.filterLabel, $0, result: rows) },
      hints: prompt == nil ? hints.help : hints.prompt, widths: widths)
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    let columns = columns(width: frame.width)
    let first = min(scroll, limit(rowCount: columns.rowCount, height: frame.height))
    let width = frame.width / max(1, columns.count)
    for (column, rows) in columns.enumerated() {
      for (y, row) in rows.dropFirst(first).prefix(max(0, frame.height)).enumerated() {
        draw(row, in: Rect(x: frame.minX + column * width, y: frame.minY + y, width: width, height: 1), on: &canvas)
      }
    }
    if columns.isEmpty {
      canvas.write(Words.noMatch(for: needle), at: Point(x: frame.minX + 1, y: frame.minY), style: Style(.dim))
    }
  }

  private func draw(_ row: Row, in frame: Rect, on canvas: inout Canvas) {
    let start = Point(x: frame.minX + 1, y: frame.minY)
    canvas.write(row.keys, at: start, style: Style(.key))
    let indent = row.role == .heading ? 0 : Self.keyWidth(in: frame.width) + 1
    canvas.write(row.text, at: Point(x: start.x + indent, y: start.y), style: Style(row.role))
  }
}

extension [[HelpScreen.Row]] {
  /// Without the empty row below the last section.
  fileprivate var rowCount: Int { self.map { $0.count - 1 }.max() ?? 0 }
}
