import FeedfallScreen
import WaterfallEngine

struct FailureText: Equatable, Sendable {
  /// Such as `Could not load page 1`.
  var what: String
  /// Such as `the server answered 404 Not Found`.
  var why: String
  /// Such as `Check the address.`
  var advice: String?

  private static let leastReasonWidth = 8
  /// The columns that wrapping may leave free at the end of a line.
  private static let looseness = 10

  var line: String { sentence(why) }

  private func sentence(_ why: String) -> String {
    "\(what): \(why)" + (why.hasSuffix("…") ? "" : ".") + (advice.map { " \($0)" } ?? "")
  }

  /// If there are too many lines, the reason is shortened, because the advice is more useful.
  func lines(width: Int, maximumLines: Int, _ widths: TextWidths) -> [String] {
    let lines = widths.wrapped(sentence(why), width: max(1, width), maximumLines: maximumLines + 1)
    if lines.count <= maximumLines { return lines }
    let others = widths.width(of: sentence("")) + Self.looseness * (maximumLines - 1)
    let room = max(Self.leastReasonWidth, width * maximumLines - others)
    return widths.wrapped(
      sentence(widths.truncated(why, width: room)), width: max(1, width), maximumLines: maximumLines)
  }
}

/// The failure of a tab's sources with its keys: in the middle of an empty tab, else above the cards.
struct FailurePanel: Equatable, Sendable {
  let frame: Rect
  let isCentered: Bool
  let hints: [KeyHint.Placed]
  private let sign: Point?
  private let lines: [Line]

  private struct Line: Equatable {
    var start: Point
    var text: String
  }

  private static let picture = "⚠"
  private static let signWidth = 2
  private static let maximumLines = 5
  /// A line above the cards uses at most this part of the rows.
  private static let rowsPerLine = 3
  private static let maximumCenteredWidth = 60
  /// If less is left beside the keys, they are below the text.
  private static let leastWidthBesideKeys = 30
  private static let gap = 2

  init(_ text: FailureText, keys: [KeyHint], above region: Rect, _ widths: TextWidths) {
    let inside = region.inset(by: Insets(left: 1, right: 1))
    let beside = inside.width - Self.signWidth - (keys.isEmpty ? 0 : keys.width + Self.gap)
    let areKeysBeside = keys.isEmpty || beside >= Self.leastWidthBesideKeys
    let width = areKeysBeside ? beside : inside.width - Self.signWidth
    let maximumLines = max(1, min(Self.maximumLines, region.height / Self.rowsPerLine))
    let words = text.lines(width: width, maximumLines: maximumLines, widths)
    let height = min(region.height, words.count + (areKeysBeside ? 0 : 1))
    frame = Rect(x: region.minX, y: region.minY, width: region.width, height: height)
    isCentered = false
    sign = inside.origin
    lines = words.prefix(height).enumerated().map {
      Line(start: Point(x: inside.minX + Self.signWidth, y: inside.minY + $0), text: $1)
    }
    hints = keys.placed(at: Point(x: max(region.minX, inside.maxX - keys.width), y: frame.maxY - 1))
  }

  init(_ text: FailureText, keys: [KeyHint], inMiddleOf region: Rect, _ widths: TextWidths) {
    let width = min(Self.maximumCenteredWidth, region.width - 2)
    let words = text.lines(width: width, maximumLines: max(1, region.height - 1), widths)
    let isRoomy = words.count + 5 <= region.height
    let height = words.count + (isRoomy ? 4 : 1)
    let top = region.minY + max(0, region.height - height) / 2
    let firstLine = top + (isRoomy ? 2 : 0)
    func start(width: Int, row: Int) -> Point { Point(x: region.minX + max(0, region.width - width) / 2, y: row) }
    frame = region
    isCentered = true
    sign = isRoomy ? start(width: 1, row: top) : nil
    lines = words.enumerated().map { Line(start: start(width: widths.width(of: $1), row: firstLine + $0), text: $1) }
    hints = keys.placed(at: start(width: keys.width, row: top + height - 1))
  }

  func draw(on canvas: inout Canvas) {
    if let sign { canvas.write(Self.picture, at: sign, style: Style(.error)) }
    for line in lines {
      canvas.write(line.text, at: line.start, maxWidth: max(0, frame.maxX - line.start.x), style: Style(.error))
    }
    hints.draw(Style(.key), on: &canvas)
  }
}
