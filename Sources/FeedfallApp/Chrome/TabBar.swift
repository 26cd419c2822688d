import FeedfallScreen
import WaterfallEngine

/// If not all tabs fit, those around the selected one are shown, and the number of the others at the end.
struct TabBar: Sendable {
  enum Target: Equatable, Sendable {
    /// The place of a tab.
    case tab(Int)
    /// The number of the tabs without room.
    case others
  }

  private let tabs: TabList
  private let library: Library
  private let spinner: String
  private let selection: Int
  private let widths: TextWidths

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
  private static let nameWidths = [32, 28, 24, 21, 18, 16, 14, 12, 11, 10, 9, 8, 7]
  private static let leastWidth = 3
  /// From this width of names on there is room for words.
  private static let wideNameWidth = 14

  init(_ tabs: TabList, _ library: Library, spinner: String) {
    (self.tabs, self.library, self.spinner) = (tabs, library, spinner)
    selection = tabs.visible.firstIndex(of: tabs.selection) ?? 0
    widths = library.store.widths
  }

  private var count: Int { tabs.visible.count }

  func draw(in row: Rect, on canvas: inout Canvas) {
    guard row.height > 0 else { return }
    let places = places(width: row.width)
    let end = row.minX + endOfTabs(places, width: row.width)
    for place in places {
      var x = row.minX + place.x
      for piece in place.pieces {
        let text = widths.truncated(piece.text, width: max(0, end - x))
        x += canvas.write(text, at: Point(x: x, y: row.minY), style: Style(piece.role))
      }
    }
    if let first = places.first, first.tab > 0 { canvas.write("‹", at: row.origin, style: Style(.key)) }
    if places.count < count {
      canvas.write(Words.otherTabs(count - places.count), at: Point(x: end, y: row.minY), style: Style(.key))
    }
  }

  func target(of mouse: MouseEvent, in row: Rect) -> Target? {
    switch mouse.kind {
    case .wheelUp: .tab(selection - 1)
    case .wheelDown: .tab(selection + 1)
    case .press: target(at: mouse.position.x - row.minX, width: row.width)
    case .drag, .release: nil
    }
  }

  private func target(at x: Int, width: Int) -> Target? {
    let places = places(width: width)
    if places.count < count, x >= endOfTabs(places, width: width) { return .others }
    return places.first { ($0.x..<$0.x + $0.width).contains(x) }.map { .tab($0.tab) }
  }

  private func endOfTabs(_ places: [Place], width: Int) -> Int {
    places.count < count ? max(0, width - Words.otherTabs(count - places.count).utf8.count) : width
  }

  private func places(width: Int) -> [Place] {
    let all = count * Self.leastWidth <= width ? widestRow(of: 0..<count, from: 0, until: width) : nil
    return all ?? places(aroundSelection: width)
  }

  /// The row with the longest names that fit; nil if even the shortest ones do not.
  private func widestRow(of tabs: Range<Int>, from start: Int, until end: Int) -> [Place]? {
    Self.nameWidths.lazy.map { row(of: tabs, nameWidth: $0, from: start) }
      .first { row in row.allSatisfy { $0.x + $0.width <= end } }
  }

  private func places(aroundSelection width: Int) -> [Place] {
    let nameWidth = Self.nameWidths[Self.nameWidths.count - 1]
    func tabWidth(_ tab: Int) -> Int {
      self.width(of: pieces(of: tab, widths.truncatedInMiddle(name(of: tab), width: nameWidth), nameWidth: nameWidth))
    }
    var room = width - 1 - Words.otherTabs(count).utf8.count - tabWidth(selection)
    var first = selection
    while first > 0, case let width = tabWidth(first - 1), width <= room {
      (first, room) = (first - 1, room - width)
    }
    var end = selection + 1
    while end < count, case let width = tabWidth(end), width <= room {
      (end, room) = (end + 1, room - width)
    }
    let shortest = row(of: first..<end, nameWidth: nameWidth, from: 1)
    return widestRow(of: first..<end, from: 1, until: endOfTabs(shortest, width: width)) ?? shortest
  }

  private func row(of tabs: Range<Int>, nameWidth: Int, from start: Int) -> [Place] {
    var x = start
    return zip(tabs, names(of: tabs, width: nameWidth)).map { tab, name in
      let pieces = pieces(of: tab, name, nameWidth: nameWidth)
      let width = self.width(of: pieces)
      defer { x += width }
      return Place(tab: tab, x: x, pieces: pieces, width: width)
    }
  }

  private func name(of place: Int) -> String { library.name(of: tabs[tabs.visible[place]].content) }

  /// Names are cut at their ends; those that would then be equal are cut in the middle, because only their ends differ.
  private func names(of tabs: Range<Int>, width: Int) -> [String] {
    let names = tabs.map(name(of:))
    let cut = names.map { widths.truncated($0, width: width) }
    let counts: [String: Int] = cut.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return zip(names, cut).map { name, cut in
      counts[cut] == 1 ? cut : widths.truncatedInMiddle(name, width: width)
    }
  }

  private func width(of pieces: [Piece]) -> Int { pieces.reduce(0) { $0 + widths.width(of: $1.text) } }

  /// ` 2 Name 7 new `; the first nine show the number of their key. Only tabs with room are read: there may be thousands.
  private func pieces(of place: Int, _ name: String, nameWidth: Int) -> [Piece] {
    let tab = tabs.visible[place]
    let content = tabs[tab].content
    let feeds = content.isOfJoined ? nil : library.sources(of: content)
    let number = place < 9 ? "\(place + 1) " : ""
    var pieces = [Piece(text: " \(number)\(name) ", role: place == selection ? .selectedTab : .tab)]
    if feeds?.contains(where: \.isLoading) == true {
      pieces.append(Piece(text: "\(spinner) ", role: .progress))
    } else if feeds?.contains(where: \.hasFailed) == true {
      pieces.append(Piece(text: "! ", role: .error))
    }
    if tabs[tab].newsCount > 0, tab != tabs.selection {
      let count = TextFormat.count(tabs[tab].newsCount)
      let words = nameWidth >= Self.wideNameWidth ? Words.newsInTab(count) : "+\(count)"
      pieces.append(Piece(text: "\(words) ", role: .heading))
    }
    return pieces
  }
}
