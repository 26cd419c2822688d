import Geometry
import Screen

/// The screen's last line: where the cards come from, how many there are, which one is selected, and messages.
struct StatusLine: Equatable, Sendable {
  var left: String
  var right: String
  /// What is being typed into the search.
  var needle: String?
  var hint: String

  static func count(_ count: Int, total: Int?) -> String {
    if let total, total > count { return "\(count) of \(total) videos" }
    return count == 1 ? "1 video" : "\(count) videos"
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    let rightWidth = min(cellWidth(of: right), frame.width)
    let room = max(0, frame.width - rightWidth - 1)
    canvas.write(right, at: Point(x: frame.maxX - rightWidth, y: frame.minY), style: Style(.status))
    if let needle {
      let typed = "/" + needle
      let shown = cellWidth(of: typed) < room ? typed : "/…" + tail(of: needle, width: room - 3)
      let width = canvas.write(shown, at: frame.origin, maxWidth: room, style: Style(.key))
      canvas.write("▏", at: Point(x: frame.minX + width, y: frame.minY), style: Style(.key))
      return
    }
    let text = truncated(left, width: room)
    let used = canvas.write(text, at: frame.origin, style: Style(.status))
    let hintWidth = cellWidth(of: hint)
    guard !hint.isEmpty, used + hintWidth + 4 <= room else { return }
    canvas.write(hint, at: Point(x: frame.minX + used + 2, y: frame.minY), style: Style(.dim))
  }

  private func tail(of text: String, width: Int) -> String {
    var rest = Substring(text)
    while !rest.isEmpty, cellWidth(of: String(rest)) > max(0, width) { rest.removeFirst() }
    return String(rest)
  }
}
