import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// Draws the visible rows of the list of sources below the names of its columns.
struct SourceListView {
  enum Column: CaseIterable { case name, tags, unwatched, new, state }

  private struct Place {
    var column: Column
    var x: Int
    var width: Int
    var isNumeric: Bool { column == .unwatched || column == .new }
  }

  private struct Text {
    var text: String
    var role: Role
  }

  let list: SourceListScreen
  let tabs: TabList
  let library: Library
  /// Of live lists.
  let questions: [SourceID: LiveList.Question]
  let words: Words
  let spinner: String
  let now: UnixTime?

  private static let nameOffset = 2
  private static let leastNameWidth = 16
  private static let gap = 2
  static let headingRows = 1

  /// In a narrow window, the last ones are omitted.
  private static func widths(in width: Int) -> [(Column, Int)] {
    [(.unwatched, 9), (.state, min(max(width / 4, 12), 40)), (.new, 5), (.tags, min(max(width / 6, 8), 24))]
  }

  private static func places(in width: Int) -> [Place] {
    var nameWidth = max(1, width - nameOffset - 1)
    var chosen: [Column: Int] = [:]
    for (column, wanted) in widths(in: width) {
      guard nameWidth - wanted - gap >= leastNameWidth else { break }
      nameWidth -= wanted + gap
      chosen[column] = wanted
    }
    chosen[.name] = nameWidth
    var x = nameOffset
    return Column.allCases.compactMap { column in
      chosen[column].map { width in
        defer { x += width + gap }
        return Place(column: column, x: x, width: width)
      }
    }
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    let places = Self.places(in: frame.width)
    for place in places {
      let role: Role = place.column == list.order.column ? .selection : .dim
      draw(Text(text: place.column.title, role: role), at: place, y: frame.minY, in: frame, on: &canvas)
    }
    for index in list.visibleRows {
      let y = frame.minY + Self.headingRows + index - list.offset
      let row = Rect(x: frame.minX, y: y, width: frame.width, height: 1)
      let isSelected = index == list.selection
      if isSelected { canvas.fill(row, style: Style(.selectedRow)) }
      let source = list.rows[index].tab.flatMap { tabs[$0].content.source }
      CardSign(isSelected: isSelected, isPicked: list.isPicked(source))?
        .draw(at: row.origin, isSelected ? .selectedRow : .selection, on: &canvas)
      if let source, let question = questions[source] {
        let text = words.question(question, of: library[source].name)
        let place = Place(column: .name, x: Self.nameOffset, width: max(1, frame.width - Self.nameOffset - 1))
        draw(Text(text: text, role: isSelected ? .selectedRow : .warning), at: place, y: y, in: frame, on: &canvas)
        continue
      }
      for place in places {
        guard var text = text(of: list.rows[index], place.column) else { continue }
        if isSelected { text.role = .selectedRow }
        draw(text, at: place, y: y, in: frame, on: &canvas)
      }
    }
    if list.rows.isEmpty {
      let start = Point(x: frame.minX + Self.nameOffset, y: frame.minY + Self.headingRows)
      canvas.write(Words.noMatch(for: list.needle), at: start, style: Style(.dim))
    }
  }

  private func draw(_ text: Text, at place: Place, y: Int, in frame: Rect, on canvas: inout Canvas) {
    let run = GlyphRun(canvas.widths.truncated(text.text, width: place.width), widths: canvas.widths)
    let indent = place.isNumeric ? place.width - run.width : 0
    canvas.write(run, at: Point(x: frame.minX + place.x + indent, y: y), style: Style(text.role))
  }

  private func text(of row: SourceListScreen.Row, _ column: Column) -> Text? {
    switch row {
    case .section(let tag):
      guard column == .name else { return nil }
      return Text(
        text: Words.section(tag, count: list.sectionCount(tag), isFolded: list.isFolded(tag)), role: .heading)
    case .tab(let tab, _): return text(ofTab: tabs[tab].content, column)
    }
  }

  private func text(ofTab content: TabContent, _ column: Column) -> Text? {
    let count = content.source.flatMap { list.counts[$0] }
    switch (column, content.source) {
    case (.name, _): return Text(text: library.name(of: content), role: count?.unwatched == 0 ? .dim : .title)
    case (_, nil): return nil
    case (.unwatched, let source?) where library[source].settings.list != nil: return nil
    case (.tags, let source?): return Text(text: library[source].settings.tags.joined(separator: ", "), role: .dim)
    case (.unwatched, _): return count.map { Text(text: TextFormat.count($0.unwatched), role: .dim) }
    case (.new, _):
      return count.flatMap { $0.new > 0 ? Text(text: "+\(TextFormat.count($0.new))", role: .heading) : nil }
    case (.state, let source?): return state(of: source)
    }
  }

  private func state(of source: SourceID) -> Text? {
    let state = library[source]
    if case .failed(_, let failure, _, _) = state.loader.phase {
      return Text(text: Words.failed(failure), role: .error)
    }
    if state.isLoading { return Text(text: Words.loading(spinner: spinner), role: .progress) }
    if library.waiting.contains(source) { return Text(text: Words.waitsForOthers, role: .dim) }
    let missed = library.missedCount(of: source)
    let texts = [missed > 0 ? Words.missed(missed) : nil, age(of: state)].compactMap(\.self)
    return texts.isEmpty ? nil : Text(text: texts.joined(separator: " · "), role: .dim)
  }

  private func age(of source: SourceState) -> String? {
    guard let now, let time = source.updatedAt else { return nil }
    let (age, overflow) = now.seconds.subtractingReportingOverflow(time.seconds)
    return overflow ? nil : TextFormat.ago(max(0, age))
  }
}

extension SourceListScreen.Order {
  fileprivate var column: SourceListView.Column {
    switch self {
    case .name: .name
    case .unwatched: .unwatched
    case .age: .state
    }
  }
}
