import FeedfallScreen
import WaterfallEngine

/// The last line of the screen: the position, the source and its state, a message, and the most useful keys.
struct StatusLine: Sendable {
  /// The selected card's number and the number of cards; nil without cards.
  var position: (number: Int, count: Int)?
  /// While something loads.
  var spinner: String?
  /// The name of the source.
  var name: String
  /// The state of the source, such as its age.
  var facts: [String]
  /// A message that is shown for a few seconds.
  var message: String?
  /// The search that is being typed.
  var search: PromptLine?
  /// The last ones are shown first.
  var hints: [KeyHint]

  private static let separator = " · "
  private static let gap = 2
  /// From this width on, a message hides neither the position nor the name nor the last hint.
  private static let leastWidth = 80
  /// The columns of a long name that a message leaves.
  private static let leastNameWidth = 8

  // MARK: - Drawing

  func draw(in frame: Rect, on canvas: inout Canvas) {
    canvas.fill(frame, style: Style(.status))
    canvas.write(spinner ?? " ", at: frame.origin, style: Style(.status))
    let hints = placedHints(in: frame)
    let left = Self.line(in: frame)
    let room = max(0, (hints.first.map { $0.frame.minX - Self.gap } ?? left.maxX) - left.minX)
    if let search {
      search.draw(in: Rect(x: left.minX, y: left.minY, width: room, height: 1), on: &canvas)
    } else {
      canvas.write(text(in: room, isWide: frame.width >= Self.leastWidth), at: left.origin, style: Style(.status))
    }
    if let first = hints.first {
      let start = first.frame.minX
      canvas.fill(Rect(x: start, y: left.minY, width: left.maxX - start, height: 1), style: Style(.hint))
    }
    hints.draw(Style(.hint), on: &canvas)
  }

  private static func line(in frame: Rect) -> Rect { frame.inset(by: Insets(left: 2, right: 1)) }

  /// The hints that fit, at the right end of the line; in a wide line at least the last one.
  func placedHints(in frame: Rect) -> [PlacedHint] {
    let line = Self.line(in: frame)
    let room = line.width - leastTextWidth - Self.gap
    let choices = hints.indices.map { Array(hints[$0...]) }
    let last = frame.width >= Self.leastWidth ? choices.last : nil
    guard let shown = choices.first(where: { $0.width <= room }) ?? last else { return [] }
    return shown.placed(at: Point(x: line.maxX - shown.width, y: line.minY))
  }

  // MARK: - Text

  /// The position, padded so that the text beside it does not move.
  private var positionText: String? {
    position.map { position in
      let (number, count) = (String(position.number), String(position.count))
      return String(repeating: " ", count: max(0, count.utf8.count - number.utf8.count)) + "\(number) of \(count)"
    }
  }

  private func text(name: String, facts: some Collection<String>) -> String {
    ([positionText, name].compactMap(\.self) + facts + [message].compactMap(\.self)).joined(separator: Self.separator)
  }

  /// The width to which the text is shortened before hints give way to it.
  private var leastTextWidth: Int {
    if let search { return search.width }
    return message == nil
      ? cellWidth(of: text(name: name, facts: facts))
      : cellWidth(of: text(name: truncated(name, width: Self.leastNameWidth), facts: []))
  }

  /// The text in a width. A message shortens the facts, then the name, and is cut last; if the line is not wide, it
  /// replaces them.
  private func text(in width: Int, isWide: Bool) -> String {
    let choices = (0...facts.count).lazy.map { text(name: name, facts: facts.dropLast($0)) }
    if let fitting = choices.first(where: { cellWidth(of: $0) <= width }) { return fitting }
    guard let message else { return truncated(text(name: name, facts: facts), width: width) }
    let others = cellWidth(of: text(name: "", facts: []))
    let nameWidth = max(Self.leastNameWidth, width - others)
    guard isWide || others + nameWidth <= width else { return truncated(message, width: width) }
    return truncated(text(name: truncated(name, width: nameWidth), facts: []), width: width)
  }
}

/// A text that is being typed, with its label and its result.
struct PromptLine: Equatable, Sendable {
  var label: String
  var needle: String
  /// Such as `2 of 14`.
  var result: String?
  /// The fault of the text, in place of the result.
  var error: String?

  private static let cursor = "▏"
  private static let gap = 2

  private var start: String { label + ": " }
  private var end: String { (error ?? result).map { String(repeating: " ", count: Self.gap) + $0 } ?? "" }

  var width: Int { cellWidth(of: start + needle + Self.cursor + end) }

  /// Draws the prompt; of a long text its end. A fault is shown at the cost of the text.
  func draw(in row: Rect, on canvas: inout Canvas) {
    let shown = error == nil ? end : truncated(end, width: max(0, row.width * 3 / 4))
    let result = error != nil || cellWidth(of: end) * 2 <= row.width ? shown : ""
    let room = row.width - cellWidth(of: start + Self.cursor + result)
    let typed = cellWidth(of: needle) <= room ? needle : "…" + Self.tail(of: needle, width: room - 1)
    var x = row.minX
    for (text, role) in [
      (start, Role.hint), (typed, .status), (Self.cursor, .hint), (result, error == nil ? .hint : .alert),
    ] {
      x += canvas.write(text, at: Point(x: x, y: row.minY), maxWidth: max(0, row.maxX - x), style: Style(role))
    }
  }

  private static func tail(of text: String, width: Int) -> String {
    var rest = Substring(text)
    while !rest.isEmpty, cellWidth(of: String(rest)) > max(0, width) { rest.removeFirst() }
    return String(rest)
  }
}
