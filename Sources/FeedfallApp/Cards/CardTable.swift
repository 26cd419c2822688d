import FeedfallScreen
import WaterfallEngine

struct CardTable: Equatable, Sendable {
  private struct Place: Equatable {
    var column: CardOrder.Column
    var x: Int
    var width: Int
    var end: Int { x + width }
  }
  /// In cells.
  let width: Int
  private let places: [Place]

  static let markColumn = 1
  /// Each of the four marks has a column.
  fileprivate static let titleOffset = 6
  private static let gap = 2
  static let leastTitleWidth = 20

  init(width: Int, hasChannel: Bool = true) {
    self.width = width
    // A blank at the end.
    var titleWidth = max(1, width - Self.titleOffset - 1)
    var columns: [(CardOrder.Column, width: Int)] = []
    for (column, wanted) in Self.widths(in: width) where hasChannel || column != .channel {
      guard titleWidth - wanted - Self.gap >= Self.leastTitleWidth else { break }
      titleWidth -= wanted + Self.gap
      columns.append((column, wanted))
    }
    var places = [Place(column: .title, x: Self.titleOffset, width: titleWidth)]
    for (column, width) in columns {
      places.append(Place(column: column, x: places[places.count - 1].end + Self.gap, width: width))
    }
    self.places = places
  }

  /// In a narrow table, the last ones are omitted.
  private static func widths(in width: Int) -> [(CardOrder.Column, Int)] {
    [(.channel, min(max(width / 4, 10), 24)), (.length, 8), (.age, 8)]
  }

  var titleWidth: Int { places[0].width }
  var titleEnd: Int { places[0].end }

  func fields(_ widths: TextWidths, _ text: (CardOrder.Column) -> String?) -> [CardFace.Field] {
    places.compactMap { place in
      text(place.column).map { text in
        let run = GlyphRun(widths.truncated(text, width: place.width), widths: widths)
        return CardFace.Field(x: place.x + (place.column.isNumeric ? place.width - run.width : 0), text: run)
      }
    }
  }

  /// `hasSources`: whether the channel is a source.
  func drawHeading(in row: Rect, order: CardOrder, hasSources: Bool, on canvas: inout Canvas) {
    let headings = fields(canvas.widths) { column in
      column.name(isSource: hasSources) + (order.column == column ? " " + order.sign : "")
    }
    for (place, field) in zip(places, headings) {
      let style = Style(order.column == place.column ? .selection : .dim)
      canvas.write(field.text, at: Point(x: row.minX + field.x, y: row.minY), style: style)
    }
  }

  /// `x` is the distance from the heading's start; the gap behind a column belongs to it.
  func column(at x: Int) -> CardOrder.Column? { places.first { $0.x <= x && x < $0.end + Self.gap }?.column }
}

extension CardFace {
  func drawRow(in frame: Rect, _ sign: CardSign?, search: TitleSearch?, on canvas: inout Canvas) {
    let x = frame.minX + CardTable.titleOffset
    let role: (Role, Role) =
      switch sign {
      case .selected, .selectedAndPicked: (.selectedRow, .selectedRow)
      case .picked: (.selection, .dim)
      case nil: (isWatched ? .dim : .title, .dim)
      }
    if sign?.isSelected == true { canvas.fill(frame, style: Style(.selectedRow)) }
    sign?.draw(at: frame.origin, role.0, on: &canvas)
    for line in title {
      canvas.write(line.glyphs, at: Point(x: x, y: frame.minY), style: Style(role.0))
      search?.drawMatches(in: line.text, at: Point(x: x, y: frame.minY), maxWidth: frame.maxX - x, on: &canvas)
    }
    for field in fields {
      canvas.write(field.text, at: Point(x: frame.minX + field.x, y: frame.minY), style: Style(role.1))
    }
  }
}
