import FeedfallScreen
import WaterfallEngine

struct StatusLine: Sendable {
  /// Nil without cards.
  var position: (number: Int, count: Int)?
  var spinner: String?
  var name: String
  var facts: [String]
  /// Without room in the line, it is above it.
  var message: String?
  var search: Prompt.Line?
  /// The last ones are shown first.
  var hints: [KeyHint]
  var widths: TextWidths

  private static let separator = " · "
  private static let gap = 2
  /// The columns of a long name that give way to the facts.
  private static let leastNameWidth = 8

  // MARK: - Drawing

  func draw(in frame: Rect, on canvas: inout Canvas) {
    canvas.fill(frame, style: Style(.status))
    if let spinner { canvas.write(spinner, at: frame.origin, style: Style(.status)) }
    let text = search == nil ? text(withMessage: hasRoomForMessage(in: frame)) : ""
    let textWidth = search?.width(widths) ?? widths.width(of: text)
    let hints = placedHints(in: frame, beside: textWidth)
    let left = Self.line(in: frame)
    let room = max(0, (hints.first.map { $0.frame.minX - Self.gap } ?? left.maxX) - left.minX)
    if let search {
      search.draw(in: Rect(x: left.minX, y: left.minY, width: room, height: 1), on: &canvas)
    } else {
      let shown = textWidth <= room ? text : shortened(text, in: frame, width: room)
      canvas.write(shown, at: left.origin, style: Style(.status))
    }
    if let first = hints.first {
      let start = first.frame.minX
      canvas.fill(Rect(x: start, y: left.minY, width: left.maxX - start, height: 1), style: Style(.hint))
    }
    hints.draw(Style(.hint), on: &canvas)
  }

  private static func line(in frame: Rect) -> Rect { frame.inset(by: Insets(left: 2, right: 1)) }

  /// At the right end of the line; at least the last hint, unless a prompt needs its place.
  func placedHints(in frame: Rect) -> [KeyHint.Placed] {
    placedHints(
      in: frame, beside: search?.width(widths) ?? widths.width(of: text(withMessage: hasRoomForMessage(in: frame))))
  }

  private func placedHints(in frame: Rect, beside textWidth: Int) -> [KeyHint.Placed] {
    let line = Self.line(in: frame)
    let least = search == nil && frame.width >= Regions.minimumSize.width ? 1 : 0
    let shown = hints.suffix(max(least, hints.countOfLast(inWidth: line.width - textWidth - Self.gap)))
    return shown.placed(at: Point(x: line.maxX - shown.width, y: line.minY))
  }

  // MARK: - Text

  /// Padded so that the text beside it does not move.
  private var positionText: String? {
    position.map { position in
      let (number, count) = (TextFormat.count(position.number), TextFormat.count(position.count))
      return String(repeating: " ", count: max(0, count.utf8.count - number.utf8.count))
        + Words.count(position.number, of: position.count)
    }
  }

  private func text(name: String) -> String {
    var text = positionText.map { $0 + Self.separator } ?? ""
    text += name
    for fact in facts { text += Self.separator + fact }
    return text
  }

  private func text(withMessage hasMessage: Bool) -> String {
    text(name: name) + (hasMessage ? message.map { Self.separator + $0 } ?? "" : "")
  }

  private func hasRoomForMessage(in frame: Rect) -> Bool {
    guard message != nil, search == nil else { return false }
    let hint = hints.last.map { $0.width + Self.gap } ?? 0
    return widths.width(of: text(withMessage: true)) <= Self.line(in: frame).width - hint
  }

  /// A long name gives way to the facts, but not to a message.
  private func shortened(_ text: String, in frame: Rect, width: Int) -> String {
    if hasRoomForMessage(in: frame) { return widths.truncated(text, width: width) }
    let nameWidth = max(Self.leastNameWidth, width - widths.width(of: self.text(name: "")))
    return widths.truncated(self.text(name: widths.truncated(name, width: nameWidth)), width: width)
  }

  func note(below frame: Rect) -> StatusLine.Note? {
    (hasRoomForMessage(in: frame) ? nil : message).map { StatusLine.Note(text: $0, role: .status) } ?? search?.note
  }

  struct Note: Equatable, Sendable {
    var text: String
    var role: Role

    private static let maximumLines = 10

    func draw(atBottomOf region: Rect, on canvas: inout Canvas) {
      let width = region.width - 3
      guard width > 0, region.height > 0 else { return }
      let lines = canvas.widths.wrapped(text, width: width, maximumLines: min(Self.maximumLines, region.height))
      let top = region.maxY - lines.count
      canvas.fill(Rect(x: region.minX, y: top, width: region.width, height: lines.count), style: Style(.status))
      for (row, line) in lines.enumerated() {
        canvas.write(line, at: Point(x: region.minX + 2, y: top + row), style: Style(role))
      }
    }
  }
}

extension Prompt {
  struct Line: Equatable, Sendable {
    private let label: String
    private let (before, after): (String, String)
    /// Such as `2 of 14`.
    private let result: String?
    let note: StatusLine.Note?

    private static let cursor = "▏"
    /// The columns of the typed text for which the result gives way.
    private static let leastTypedWidth = 12
    private static let gap = 2

    init(_ label: String, _ prompt: Prompt, result: String?, note: StatusLine.Note? = nil) {
      (self.label, self.result) = (label, result)
      self.note = prompt.isFull ? StatusLine.Note(text: Words.promptIsFull, role: .alert) : note
      (before, after) = (prompt.textBeforeCursor, prompt.textAfterCursor)
    }

    private var start: String { label + ": " }
    private var end: String { result.map { String(repeating: " ", count: Self.gap) + $0 } ?? "" }

    func width(_ widths: TextWidths) -> Int { widths.width(of: start + before + Self.cursor + after + end) }

    func draw(in row: Rect, on canvas: inout Canvas) {
      let widths = canvas.widths
      let typedRoom = row.width - widths.width(of: start + Self.cursor + end)
      let result = typedRoom >= min(Self.leastTypedWidth, widths.width(of: before + after)) ? end : ""
      let typed = typed(in: row.width - widths.width(of: start + Self.cursor + result), widths)
      var x = row.minX
      for (text, role) in [
        (start, Role.hint), (typed.before, .status), (Self.cursor, .hint), (typed.after, .status), (result, .hint),
      ] {
        x += canvas.write(text, at: Point(x: x, y: row.minY), maxWidth: max(0, row.maxX - x), style: Style(role))
      }
    }

    private func typed(in room: Int, _ widths: TextWidths) -> (before: String, after: String) {
      let (beforeWidth, afterWidth) = (widths.width(of: before), widths.width(of: after))
      guard beforeWidth + afterWidth > room else { return (before, after) }
      let shownAfter = min(afterWidth, max(room - beforeWidth, room / 3))
      return (
        widths.truncatedAtStart(before, width: room - shownAfter), widths.truncated(after, width: max(0, shownAfter))
      )
    }
  }
}

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

/// The animation while something loads. When nothing loads, it causes no wake-ups.
struct Spinner: Equatable, Sendable {
  private static let pictures = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  private static let turnTime = Duration.milliseconds(120)

  private var frame = 0
  private var turn = Pause()

  var picture: String { Self.pictures[frame % Self.pictures.count] }

  mutating func waitElapsed(_ ticket: Ticket) { if turn.end(ticket) { frame += 1 } }

  mutating func update(isLoading isNeeded: Bool, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard isNeeded else { return turn.cancel() }
    return turn.isRunning ? [] : turn.begin(Self.turnTime, &tickets, Wait.spinner)
  }
}
