import FeedfallFeeds
import FeedfallLoading
import FeedfallScreen
import WaterfallEngine

/// Draws the cards of a tab with their header and footer.
struct CardsView {
  var screen: CardsScreen
  var store: CardStore
  var covers: CoverDirector
  var header: RefreshState
  /// The seconds since the last update, as of the current pull.
  var age: Int?
  var footer: RefreshState
  /// Whether all pages of all sources are loaded.
  var isExhausted: Bool
  var spinner: String

  func draw(in region: Rect, on canvas: inout Canvas) {
    canvas.clip = region
    defer { canvas.clip = canvas.bounds }
    let metrics = screen.metrics
    let search = TitleSearch(screen.needle)
    let displacement = screen.displacement
    func place(of element: LayoutAttributes) -> Rect {
      element.frame.offsetBy(x: region.minX + displacement.x, y: region.minY + displacement.y)
    }
    let elements = screen.visibleElements
    for rule in elements where rule.kind == .background { drawRule(alongside: place(of: rule), on: &canvas) }
    // Below everything else, so that it is visible in the gutters only.
    if let selected = elements.first(where: isSelected) { drawSelection(around: place(of: selected), on: &canvas) }
    for element in elements {
      let frame = place(of: element)
      switch element.kind {
      case .background: break
      case .header where screen.layout.isHeader(section: element.path.section):
        screen.layout.header?.draw(in: frame, on: &canvas)
      case .header: drawSectionHeader(screen.layout.group(of: element.path.section), in: frame, on: &canvas)
      case .item:
        drawCard(screen.layout.card(at: element.path), in: frame, region, metrics, search, on: &canvas)
      case .footer: drawFooter(in: frame, on: &canvas)
      case .separator, .supplementary, .decoration: break
      }
    }
    drawHeader(in: region, on: &canvas)
    if screen.isHorizontal, screen.isLastCardVisible { drawFooter(in: region.lastRow, on: &canvas) }
    if screen.cards.isEmpty, isExhausted {
      let middle = Rect(x: region.minX, y: region.midY, width: region.width, height: 1)
      draw(Messages.empty, role: .dim, centeredIn: middle, on: &canvas)
    }
  }

  private func drawCard(
    _ index: Int, in frame: Rect, _ region: Rect, _ metrics: CardMetrics, _ search: TitleSearch?,
    on canvas: inout Canvas
  ) {
    let header = index == screen.selection ? screen.layout.headerLength(over: index) : 0
    let slot = screen.cards[index]
    let face = screen.face(of: index, frameWidth: frame.width, metrics, store)
    let view = CardView(
      face: face, shape: screen.cards.shapes[index], metrics: metrics,
      isSelected: index == screen.selection, watched: screen.states[index]?.watched, search: search)
    view.draw(
      in: frame, window: region.inset(by: EdgeInsets(top: header)),
      cover: {
        covers.view(
          of: store[slot].id, title: store[slot].video.title, face.initial, screen.cards.hues[index],
          badge: face.badge, size: $0)
      }, on: &canvas)
  }

  private func isSelected(_ element: LayoutAttributes) -> Bool {
    element.kind == .item && screen.layout.card(at: element.path) == screen.selection
  }

  /// Draws the frame around the selected card if the layout has gutters.
  private func drawSelection(around card: Rect, on canvas: inout Canvas) {
    guard screen.layout.hasGutters else { return }
    canvas.frame(card.inset(by: EdgeInsets(top: -1, left: -1, bottom: -1, right: -1)), style: Style(.selection))
  }

  /// Draws a line alongside a section's cards if there is a margin for it.
  private func drawRule(alongside section: Rect, on canvas: inout Canvas) {
    guard screen.layout.margin > 0 else { return }
    let rows = section.intersection(canvas.clip)
    for y in rows.minY..<rows.maxY {
      canvas.write("│", at: Point(x: section.minX, y: y), style: Style(.frame))
    }
  }

  private func drawSectionHeader(_ group: String?, in row: Rect, on canvas: inout Canvas) {
    canvas.fill(row, style: .plain)
    let title = truncated(group ?? "", width: max(0, row.width - 4))
    let start = Point(x: row.minX + 2, y: row.minY)
    canvas.write("╭", at: row.origin, style: Style(.frame))
    let end = start.x + canvas.write(title, at: start, style: Style(.heading)) + 1
    guard end < row.maxX else { return }
    canvas.write(String(repeating: "─", count: row.maxX - end), at: Point(x: end, y: row.minY), style: Style(.frame))
  }

  private func drawFooter(in row: Rect, on canvas: inout Canvas) {
    guard !screen.cards.isEmpty else { return }
    let words = FooterWords.text(for: footer, spinner: spinner, count: screen.cards.count)
    draw(words, role: footer.role, centeredIn: row, on: &canvas)
  }

  private func drawHeader(in region: Rect, on canvas: inout Canvas) {
    guard screen.shift > 0 else { return }
    let down = screen.isHorizontal ? 0 : screen.shift - 1
    let row = Rect(x: region.minX, y: region.minY + down, width: region.width, height: 1)
    draw(HeaderWords.text(for: header, spinner: spinner, age: age), role: header.role, centeredIn: row, on: &canvas)
  }

  private func draw(_ words: String, role: Role, centeredIn row: Rect, on canvas: inout Canvas) {
    let text = truncated(words, width: row.width)
    let indent = (row.width - cellWidth(of: text)) / 2
    canvas.write(text, at: Point(x: row.minX + indent, y: row.minY), style: Style(role))
  }
}

extension RefreshState {
  /// The role of the text in the header or the footer.
  fileprivate var role: Role {
    switch self {
    case .failed(hold: nil): .error
    case .failed, .holding: .warning
    case .noMoreData: .success
    case .idle, .pulling, .willRefresh, .refreshing: .dim
    }
  }
}

extension Rect {
  fileprivate var lastRow: Rect { Rect(x: minX, y: maxY - 1, width: width, height: min(1, height)) }
}

extension CardsScreen {
  /// The covers on the cards when the view is moved by a distance, in the order of the screen.
  func coverKeys(by distance: Int, _ store: CardStore) -> [CoverKey] {
    let metrics = metrics
    return layout.visibleElements(at: layout.clamped(offset + distance)).compactMap { element in
      guard element.kind == .item else { return nil }
      let index = layout.card(at: element.path)
      // A copy of a card costs more than all the rest.
      let slot = cards[index]
      guard !store[slot].video.covers.isEmpty else { return nil }
      let frame = metrics.coverFrame(in: element.frame, of: cards.shapes[index])
      return frame.flatMap { $0.isEmpty ? nil : CoverKey(card: store[slot].id, size: $0.size) }
    }
  }
}
