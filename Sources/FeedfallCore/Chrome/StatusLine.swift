import FeedfallScreen
import WaterfallEngine

/// The last line of the screen: the position, the source, the number of videos, and messages.
struct StatusLine: Sendable {
  /// The selected card's number and the number of cards; nil without cards.
  var position: (number: Int, count: Int)?
  /// While something loads.
  var spinner: String?
  var text: String
  /// The search that is being typed.
  var needle: String?
  var hint: String

  static func count(_ count: Int, total: Int?) -> String {
    if let total, total > count { return "\(count) of \(total) videos" }
    return count == 1 ? "1 video" : "\(count) videos"
  }

  /// The position, padded so that the text beside it does not move.
  private var positionText: String {
    guard let position else { return "" }
    let count = String(position.count)
    let number = String(position.number)
    return String(repeating: " ", count: max(0, count.utf8.count - number.utf8.count)) + number + "/" + count
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    var x = frame.minX
    if let needle { return Self.drawSearch(needle, in: frame, on: &canvas) }
    func write(_ text: String, _ role: Role) {
      let shown = truncated(text, width: max(0, frame.maxX - x))
      x += canvas.write(shown, at: Point(x: x, y: frame.minY), style: Style(role))
    }
    if position != nil { write(positionText + " ", .status) }
    write((spinner ?? " ") + " ", .status)
    write(text, .status)
    guard !hint.isEmpty, x + cellWidth(of: hint) + 2 <= frame.maxX else { return }
    x += 2
    write(hint, .dim)
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
