import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

struct CardsView {
  var screen: CardsScreen
  var words: Words
  var store: CardStore
  var covers: CoverDirector
  var header: RefreshState
  /// In seconds, as of the current pull.
  var age: Int?
  var footer: RefreshState
  var isExhausted: Bool
  var isSearch = false
  var spinner: String
  var isFirstLoad = false
  /// The number of videos, loaded or not.
  var total: Int
  var preview: CoverView.Ground?
  var filtered: Filtered?
  var emptyText: String?

  struct Filtered {
    /// Whether the filter includes them or not.
    var loadedCount: Int
    var isPaused: Bool
    var isTyped: Bool
    var hint: String?
  }

  func draw(in region: Rect, on canvas: inout Canvas) {
    canvas.clip = region
    defer { canvas.clip = canvas.bounds }
    let metrics = screen.metrics
    let search = TitleSearch(screen.needle)
    let displacement = screen.displacement
    func placed(_ frame: Rect) -> Rect {
      frame.offsetBy(x: region.minX + displacement.x, y: region.minY + displacement.y)
    }
    let elements = screen.shownElements
    // Below everything else, so that it is visible in the gutters only.
    if screen.layout.hasGutters, let selected = elements.first(where: isSelected) {
      let frame = placed(selected.frame).inset(by: Insets(top: -1, left: -1, bottom: -1, right: -1))
      canvas.frame(frame, style: Style(.selection))
    }
    for element in elements {
      let frame = placed(element.frame)
      if screen.isSliding {
        // Hides the cards behind the element. The last row of the header may have the edge of the selected card's frame.
        canvas.fill(frame.inset(by: Insets(bottom: element.kind == .globalHeader ? 1 : 0)), style: .plain)
      }
      switch element.kind {
      case .globalHeader:
        screen.layout.header?.draw(in: frame, ofWindow: screen.viewport, picture: covers.picture, on: &canvas)
      case .header: drawHeader(ofSection: element.path.section, in: frame, on: &canvas)
      case .item: drawCard(screen.layout.card(at: element.path), in: frame, region, metrics, search, on: &canvas)
      case .footer: drawFooter(in: frame, on: &canvas)
      case .background, .separator, .supplementary, .decoration: break
      }
    }
    if isFirstLoad {
      for outline in screen.layout.outlines() { canvas.frame(placed(outline), style: Style(.frame)) }
    }
    if screen.isHorizontal, let selection = screen.selection {
      let stage = screen.layout.stage
      let face = screen.face(of: selection, frameWidth: stage.card.width, metrics, store)
      stage.drawText(of: store[screen.cards[selection]].shown, face, search, at: region.origin, on: &canvas)
      stage.drawPosition(selection, of: total, at: region.origin, on: &canvas)
    }
    drawHeader(in: region, on: &canvas)
    if screen.isHorizontal, screen.isLastCardVisible {
      drawFooter(in: region.inset(by: Insets(top: region.height - 1)), on: &canvas)
    }
    if screen.cards.isEmpty, let words = emptyWords { draw(words, inMiddleOf: region, on: &canvas) }
  }

  private var emptyWords: String? {
    if let emptyText { return emptyText }
    guard let filtered, filtered.loadedCount > 0 else {
      if case .paused(let pageCount) = footer { return words.paused(pageCount) }
      return isExhausted ? isSearch ? Words.nothingFound : words.empty : nil
    }
    return filtered.isPaused
      ? words.searched(filtered.loadedCount)
      : words.noMatch(among: filtered.loadedCount, isTyped: filtered.isTyped, hint: filtered.hint)
  }

  private func drawCard(
    _ index: Int, in frame: Rect, _ region: Rect, _ metrics: CardMetrics, _ search: TitleSearch?,
    on canvas: inout Canvas
  ) {
    let isSelected = index == screen.selection
    let header = isSelected ? screen.layout.headerLength(over: index) : 0
    let slot = screen.cards[index]
    let face = screen.face(of: index, frameWidth: frame.width, metrics, store)
    let sign = CardSign(isSelected: isSelected, isPicked: screen.isPicked(index, store))
    if screen.layout.traits.isTable { return face.drawRow(in: frame, sign, search: search, on: &canvas) }
    func cover(_ size: Size) -> CoverView {
      var view = covers.view(
        of: store[slot].id, title: store[slot].title, face.initial, screen.cards.hues[index],
        badge: face.badge, size: size, isScalable: metrics.cover == .whole)
      if isSelected, let preview { view.ground = preview }
      return view
    }
    if metrics.cover == .whole {
      var view = cover(frame.size)
      view.watched = screen.state(of: index).watched
      view.draw(in: frame, on: &canvas)
      if !isSelected { canvas.fade(frame) }
      if sign?.isPicked == true { sign?.draw(at: frame.intersection(region).origin, on: &canvas) }
      return
    }
    let view = CardView(
      face: face, shape: screen.cards.shapes[index], metrics: metrics, sign: sign,
      watched: screen.state(of: index).watched, search: search)
    view.draw(in: frame, window: region.inset(by: Insets(top: header)), cover: cover, on: &canvas)
  }

  private func isSelected(_ element: LayoutAttributes) -> Bool {
    element.kind == .item && screen.layout.card(at: element.path) == screen.selection
  }

  private func drawHeader(ofSection section: Int, in row: Rect, on canvas: inout Canvas) {
    canvas.fill(row, style: .plain)
    let count = " · \(screen.layout.cardCount(ofSection: section))"
    let text = row.inset(by: Insets(left: screen.layout.margin + 1, right: 1))
    let name = canvas.widths.truncated(
      screen.layout.group(of: section) ?? "", width: max(1, text.width - canvas.widths.width(of: count)))
    let end = text.minX + canvas.write(name, at: text.origin, style: Style(.heading))
    canvas.write(count, at: Point(x: end, y: row.minY), maxWidth: max(0, row.maxX - end), style: Style(.dim))
  }

  private func drawFooter(in row: Rect, on canvas: inout Canvas) {
    guard !screen.cards.isEmpty else { return }
    let isPaused = filtered?.isPaused == true && footer == .idle
    let words =
      isPaused
      ? words.searched(filtered?.loadedCount ?? 0)
      : words.footer(for: footer, spinner: spinner, end: Words.end(of: screen.cards, in: store))
    draw(words, role: footer.role, centeredIn: row, on: &canvas)
  }

  private func drawHeader(in region: Rect, on canvas: inout Canvas) {
    guard screen.shift > 0 else { return }
    let down = screen.isHorizontal ? 0 : screen.shift - 1
    let row = Rect(x: region.minX, y: region.minY + down, width: region.width, height: 1)
    draw(words.header(for: header, spinner: spinner, age: age), role: header.role, centeredIn: row, on: &canvas)
  }

  private func draw(_ words: String, inMiddleOf region: Rect, on canvas: inout Canvas) {
    let lines = canvas.widths.wrapped(words, width: max(1, region.width - 2), maximumLines: max(1, region.height))
    let top = region.midY - lines.count / 2
    for (row, line) in lines.enumerated() {
      draw(
        line, role: .dim, centeredIn: Rect(x: region.minX, y: top + row, width: region.width, height: 1), on: &canvas)
    }
  }

  private func draw(_ words: String, role: Role, centeredIn row: Rect, on canvas: inout Canvas) {
    canvas.fill(row, style: .plain)
    let text = canvas.widths.truncated(words, width: row.width)
    let indent = (row.width - canvas.widths.width(of: text)) / 2
    canvas.write(text, at: Point(x: row.minX + indent, y: row.minY), style: Style(role))
  }
}

extension RefreshState {
  fileprivate var role: Role {
    switch self {
    case .failed(hold: nil): .error
    case .failed, .holding: .warning
    case .noMoreData: .success
    case .idle, .pulling, .willRefresh, .refreshing, .paused: .dim
    }
  }
}

extension CardsScreen {
  var headerPicture: (card: Card, key: CoverKey)? {
    guard layout.hasHeader, let header = layout.header, offset < header.height(in: viewport) else { return nil }
    return header.picture(width: viewport.width)
  }

  /// Nil if the frame keeps this size.
  func freeCoverHeight(of slot: CardSlot, in size: Size) -> CoverRequest.FreeHeight? {
    guard layout.isSelfSizing, let index = cards.index(of: slot) else { return nil }
    let (metrics, shape, frame) = (metrics, cards.shapes[index], layout.frame(of: index))
    guard metrics.coverFrame(in: frame, of: shape)?.size == size else { return nil }
    return metrics.freeCoverHeight(of: shape, frameWidth: frame.width)
  }

  /// In the order of the screen.
  func coverKeys(by distance: Int, _ store: CardStore) -> [CoverKey] {
    // An empty layout makes a section to find the width of a column.
    if cards.isEmpty { return [] }
    let metrics = metrics
    let elements = distance == 0 ? visibleElements : layout.visibleElements(at: layout.clamped(offset + distance))
    return elements.compactMap { element in
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

/// The sign beside the title of a card. It is visible without colors and without a frame.
struct CardSign {
  let isSelected: Bool
  /// Whether the card is one of those that are selected together.
  let isPicked: Bool

  init?(isSelected: Bool, isPicked: Bool) {
    guard isSelected || isPicked else { return nil }
    (self.isSelected, self.isPicked) = (isSelected, isPicked)
  }

  func draw(at point: Point, _ role: Role = .selection, on canvas: inout Canvas) {
    canvas.write(isPicked ? isSelected ? "◈" : "◆" : "▸", at: point, style: Style(role))
  }
}

struct CardView {
  var face: CardFace
  var shape: CardShape
  var metrics: CardMetrics
  var sign: CardSign?
  /// Nil if the video is not begun or its length is unknown.
  var watched: Double?
  var search: TitleSearch?

  /// Only the part in `window` is visible. `cover` returns the cover for a size in cells.
  func draw(in frame: Rect, window: Rect, cover: (Size) -> CoverView, on canvas: inout Canvas) {
    let coverFrame = metrics.coverFrame(in: frame, of: shape)
    let usual = metrics.textFrame(in: frame, below: coverFrame)
    let text = sign?.isSelected == true ? visibleText(usual, of: frame, in: window) : usual
    if let coverFrame {
      var view = cover(coverFrame.size)
      view.hasRoundedTop = true
      view.watched = watched
      view.label = face.label
      if text.minY < usual.minY { view.visibleEnd = max(coverFrame.minY + 1, text.minY) }
      view.draw(in: coverFrame, on: &canvas)
    }
    if text != usual { canvas.fill(text, style: .plain) }
    drawText(in: text, on: &canvas)
  }

  /// The text sticks to the window's edges, over the cover, to be always visible.
  private func visibleText(_ usual: Rect, of frame: Rect, in window: Rect) -> Rect {
    guard !frame.intersection(window).isEmpty else { return usual }
    let rowCount = min(face.rowCount, frame.height)
    let top = max(window.minY, frame.minY, min(usual.minY, window.maxY - rowCount))
    guard top != usual.minY else { return usual }
    let end = min(window.maxY, frame.maxY)
    return Rect(x: usual.minX, y: top, width: usual.width, height: min(rowCount, end - top))
  }

  private func drawText(in frame: Rect, on canvas: inout Canvas) {
    for (row, line) in face.title.enumerated() where row < frame.height {
      drawTitle(line, isFirst: row == 0, at: Point(x: frame.minX, y: frame.minY + row), width: frame.width, on: &canvas)
    }
    guard let meta = face.meta, face.title.count < frame.height, frame.width > 1 else { return }
    let start = Point(x: frame.minX + 1, y: frame.minY + face.title.count)
    canvas.write(meta, at: start, maxWidth: frame.width - 1, style: Style(.dim))
  }

  /// The mark shows the selected card where there is no room for a frame.
  private func drawTitle(_ line: CardFace.Line, isFirst: Bool, at point: Point, width: Int, on canvas: inout Canvas) {
    let free = face.isCentered ? max(0, (width - line.glyphs.width) / 2 - 1) : 0
    let point = Point(x: point.x + free, y: point.y)
    let width = width - free
    if isFirst { sign?.draw(at: point, on: &canvas) }
    let usual: Role = sign != nil ? .selection : face.isWatched ? .dim : .title
    let role = sign?.isSelected == true ? .selected : usual
    let text = Point(x: point.x + 1, y: point.y)
    canvas.write(line.glyphs, at: text, maxWidth: width - 1, style: Style(role))
    search?.drawMatches(in: line.text, at: text, maxWidth: width, on: &canvas)
  }
}

extension TitleSearch {
  func drawMatches(in text: String, at point: Point, maxWidth: Int, on canvas: inout Canvas) {
    var end = text.startIndex
    while let match = match(in: text, from: end) {
      let start = Point(x: point.x + canvas.widths.width(of: String(text[..<match.lowerBound])), y: point.y)
      canvas.write(String(text[match]), at: start, maxWidth: maxWidth, style: Style(.match))
      end = match.upperBound
    }
  }
}
