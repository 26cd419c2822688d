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
  var needle: String?
  /// Keys with their meanings; the last ones are shown first.
  var hints: [String]

  private static let separator = " · "
  private static let gap = 2
  /// From this width on, a message hides neither the name nor the last hint.
  private static let leastWidth = 80
  /// The columns of a long name that a message leaves.
  private static let leastNameWidth = 8

  /// The position, padded so that the text beside it does not move.
  private var positionText: String? {
    position.map { position in
      let (number, count) = (String(position.number), String(position.count))
      return String(repeating: " ", count: max(0, count.utf8.count - number.utf8.count)) + "\(number) of \(count)"
    }
  }

  /// The text of a line without end.
  private var wholeText: String {
    let parts = message.map { [name, $0] } ?? [positionText, name].compactMap(\.self) + facts
    return parts.joined(separator: Self.separator)
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    if let needle { return Self.drawSearch(needle, in: frame, on: &canvas) }
    canvas.fill(frame, style: Style(.status))
    canvas.write(spinner ?? " ", at: frame.origin, style: Style(.status))
    let line = frame.inset(by: EdgeInsets(left: 2, right: 1))
    let isWide = frame.width >= Self.leastWidth
    let hints = hints(in: line.width, isWide: isWide)
    let room = line.width - (hints.isEmpty ? 0 : cellWidth(of: hints) + Self.gap)
    canvas.write(text(in: max(0, room), isWide: isWide), at: line.origin, style: Style(.status))
    canvas.write(hints, at: Point(x: line.maxX - cellWidth(of: hints), y: line.minY), style: Style(.hint))
  }

  /// The hints that fit beside the whole text; in a wide line at least the last one.
  private func hints(in width: Int, isWide: Bool) -> String {
    let room = width - cellWidth(of: wholeText) - Self.gap
    let choices = hints.indices.map { hints[$0...].joined(separator: "  ") }
    return choices.first { cellWidth(of: $0) <= room } ?? (isWide ? choices.last : nil) ?? ""
  }

  /// The text in a width. A message shortens the name, or replaces it if the line is not wide.
  private func text(in width: Int, isWide: Bool) -> String {
    guard let message, cellWidth(of: wholeText) > width else { return truncated(wholeText, width: width) }
    guard isWide else { return truncated(message, width: width) }
    let nameWidth = max(Self.leastNameWidth, width - cellWidth(of: Self.separator + message))
    return truncated(truncated(name, width: nameWidth) + Self.separator + message, width: width)
  }

  /// Draws a text that is being typed; of a long one its end.
  static func drawSearch(_ needle: String, in frame: Rect, on canvas: inout Canvas) {
    let room = frame.width - 1
    let shown = cellWidth(of: needle) < room - 1 ? "/" + needle : "/…" + tail(of: needle, width: room - 3)
    let width = canvas.write(shown, at: frame.origin, maxWidth: room, style: Style(.key))
    canvas.write("▏", at: Point(x: frame.minX + width, y: frame.minY), style: Style(.key))
  }

  private static func tail(of text: String, width: Int) -> String {
    var rest = Substring(text)
    while !rest.isEmpty, cellWidth(of: String(rest)) > max(0, width) { rest.removeFirst() }
    return String(rest)
  }
}
