import FeedfallScreen
import WaterfallEngine

/// If not all tabs fit, those around the selected one are shown.
struct TabBar: Equatable, Sendable {
  struct Item: Equatable, Sendable {
    var name: String
    var newsCount = 0
    var hasFailed = false
    var spinner: String?
  }

  var items: [Item]
  var selection: Int
  var widths: TextWidths

  private struct Place {
    var tab: Int
    var x: Int
    var pieces: [Piece]
    var width: Int
  }

  private struct Piece {
    var text: String
    var role: Role
  }

  /// The maximum widths of names to try until all tabs fit.
  private static let nameWidths = [32, 24, 18, 14, 11, 9, 7]
  private static let leastWidth = 3
  /// From this width of names on there is room for words.
  private static let wideNameWidth = 14

  init(_ tabs: TabList, _ library: Library, spinner: String) {
    items = tabs.visible.map { index in
      let newsCount = index == tabs.selection ? 0 : tabs[index].newsCount
      let content = tabs[index].content
      let feeds = content.isOfJoined ? nil : library.sources(of: content)
      return Item(
        name: library.name(of: content), newsCount: newsCount, hasFailed: feeds?.contains(where: \.hasFailed) == true,
        spinner: feeds?.contains(where: \.isLoading) == true ? spinner : nil)
    }
    selection = tabs.visible.firstIndex(of: tabs.selection) ?? 0
    widths = library.store.widths
  }

  func draw(in row: Rect, on canvas: inout Canvas) {
    guard row.height > 0 else { return }
    let places = places(width: row.width)
    for place in places {
      var x = row.minX + place.x
      for piece in place.pieces {
        let text = widths.truncated(piece.text, width: max(0, row.maxX - x))
        x += canvas.write(text, at: Point(x: x, y: row.minY), style: Style(piece.role))
      }
    }
    drawEdges(places, in: row, on: &canvas)
  }

  /// The place of the tab that the mouse selects.
  func tab(for mouse: MouseEvent, in row: Rect) -> Int? {
    switch mouse.kind {
    case .wheelUp: selection - 1
    case .wheelDown: selection + 1
    case .press: tab(at: mouse.position.x, width: row.width)
    case .drag, .release: nil
    }
  }

  func tab(at x: Int, width: Int) -> Int? {
    places(width: width).first { ($0.x..<$0.x + $0.width).contains(x) }?.tab
  }

  private func drawEdges(_ places: [Place], in row: Rect, on canvas: inout Canvas) {
    if let first = places.first, first.tab > 0 { canvas.write("‹", at: row.origin, style: Style(.key)) }
    if let last = places.last, last.tab < items.count - 1 {
      canvas.write("›", at: Point(x: row.maxX - 1, y: row.minY), style: Style(.key))
    }
  }

  private func places(width: Int) -> [Place] {
    for nameWidth in Self.nameWidths where items.count * Self.leastWidth <= width {
      let places = row(of: 0..<items.count, nameWidth: nameWidth, from: 0)
      if let last = places.last, last.x + last.width <= width { return places }
    }
    return places(aroundSelection: width)
  }

  private func places(aroundSelection width: Int) -> [Place] {
    let nameWidth = Self.nameWidths[Self.nameWidths.count - 1]
    func tabWidth(_ tab: Int) -> Int { self.width(of: pieces(of: tab, nameWidth: nameWidth)) }
    var room = width - 2 - tabWidth(selection)
    var first = selection
    while first > 0, room >= tabWidth(first - 1) {
      first -= 1
      room -= tabWidth(first)
    }
    var end = selection + 1
    while end < items.count, room >= tabWidth(end) {
      room -= tabWidth(end)
      end += 1
    }
    return row(of: first..<end, nameWidth: nameWidth, from: 1)
  }

  private func row(of tabs: Range<Int>, nameWidth: Int, from start: Int) -> [Place] {
    var x = start
    return tabs.map { tab in
      let pieces = pieces(of: tab, nameWidth: nameWidth)
      let width = self.width(of: pieces)
      defer { x += width }
      return Place(tab: tab, x: x, pieces: pieces, width: width)
    }
  }

  private func width(of pieces: [Piece]) -> Int { pieces.reduce(0) { $0 + widths.width(of: $1.text) } }

  /// Names often differ at their ends only.
  private func shortened(_ name: String, width: Int) -> String {
    widths.width(of: name) <= width ? name : widths.truncatedInMiddle(name, width: width)
  }

  /// ` 2 Name 7 new `; the first nine tabs show the number of their key.
  private func pieces(of tab: Int, nameWidth: Int) -> [Piece] {
    let item = items[tab]
    let number = tab < 9 ? "\(tab + 1) " : ""
    var pieces = [
      Piece(
        text: " \(number)\(shortened(item.name, width: nameWidth)) ", role: tab == selection ? .selectedTab : .tab)
    ]
    if let spinner = item.spinner {
      pieces.append(Piece(text: "\(spinner) ", role: .progress))
    } else if item.hasFailed {
      pieces.append(Piece(text: "! ", role: .error))
    }
    if item.newsCount > 0 {
      let count = TextFormat.count(item.newsCount)
      let words = nameWidth >= Self.wideNameWidth ? Words.newsInTab(count) : "+\(count)"
      pieces.append(Piece(text: "\(words) ", role: .heading))
    }
    return pieces
  }
}
