import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

extension CardLayout {
  func card(at path: ElementPath) -> Int { sections.card(at: path) }

  func frame(of card: Int) -> Rect { engine.frame(ofItem: sections.path(ofCard: card)) }

  /// In cells of the viewport, in drawing order.
  func visibleElements(at offset: Int) -> [LayoutAttributes] {
    let seen = seen(at: offset)
    var elements = engine.layoutAttributes(inViewport: seen)
    for index in elements.indices {
      elements[index].frame = elements[index].frame.offsetBy(x: -seen.minX, y: -seen.minY)
    }
    return elements.contains { $0.zIndex != 0 } ? elements.sorted { $0.zIndex < $1.zIndex } : elements
  }

  func seen(at offset: Int) -> Rect { engine.viewport(at: offset, length: viewportLength) }

  func transition(
    from old: CardLayout, at oldOffset: Int, to offset: Int, newIndex: (Int) -> Int?, oldIndex: (Int) -> Int?
  ) -> LayoutTransition {
    LayoutTransition(
      from: old.engine, in: old.seen(at: oldOffset), to: engine, in: seen(at: offset),
      newPath: { newIndex(old.card(at: $0)).map(sections.path) },
      oldPath: { oldIndex(card(at: $0)).map(old.sections.path) })
  }

  func clamped(_ offset: Int) -> Int { engine.clampedContentOffset(offset, viewportLength: viewportLength) }

  func offset(toShow card: Int, from offset: Int, aligned alignment: ScrollAlignment) -> Int {
    engine.contentOffset(
      toShow: sections.path(ofCard: card), currentOffset: offset, viewportLength: viewportLength, aligned: alignment)
  }

  /// Also true if the card at least fills the viewport.
  func shows(_ card: Int, at offset: Int) -> Bool {
    self.offset(toShow: card, from: offset, aligned: .nearest) == offset
  }

  func headerLength(over card: Int) -> Int {
    engine.stickyHeaderLength(ofSection: sections.path(ofCard: card).section)
  }

  /// In the carousel the nearest card snaps into the middle.
  func offset(forProposed offset: Int, velocity: Int) -> Int {
    engine.targetContentOffset(forProposed: offset, velocity: velocity, viewportLength: viewportLength)
  }

  struct Place: Equatable, Sendable {
    var card: Int
    var row: Int
    var isAtTop = false

    func mapped(_ index: (Int) -> Int) -> Place { Place(card: index(card), row: row, isAtTop: isAtTop) }
  }

  func place(of card: Int, at offset: Int) -> Place {
    let anchor = engine.anchor(at: sections.path(ofCard: card), contentOffset: offset)
    return Place(card: card, row: anchor.screenRow, isAtTop: offset == 0)
  }

  func firstPlace(at offset: Int) -> Place? {
    engine.firstVisibleAnchor(contentOffset: offset, viewportLength: viewportLength)
      .map { Place(card: sections.card(at: $0.path), row: $0.screenRow, isAtTop: offset == 0) }
  }

  /// In reading order.
  func visiblePlaces(at offset: Int) -> [Place] {
    engine.visibleAnchors(contentOffset: offset, viewportLength: viewportLength)
      .map { Place(card: sections.card(at: $0.path), row: $0.screenRow, isAtTop: offset == 0) }
  }

  func offset(keeping place: Place) -> Int {
    // A header of another height must not scroll a view that begins with it.
    if place.card == 0, place.isAtTop, hasHeader { return 0 }
    let anchor = ScrollAnchor(path: sections.path(ofCard: place.card), screenRow: place.row)
    return engine.contentOffset(keeping: anchor, viewportLength: viewportLength)
  }

  /// `point` is a cell of the viewport.
  func card(nearestTo point: Point, at offset: Int) -> Int? {
    let seen = seen(at: offset)
    return engine.item(nearestTo: Point(x: seen.minX + point.x, y: seen.minY + point.y)).map(sections.card)
  }

  func neighbor(of card: Int, toward direction: Direction, goal: inout NavigationGoal?) -> Int? {
    engine.neighbor(of: sections.path(ofCard: card), toward: direction, goal: &goal).map(sections.card)
  }

  /// A card of the same column.
  func card(pageFrom card: Int, by length: Int) -> Int? {
    engine.item(pageFrom: sections.path(ofCard: card), by: length).map(sections.card)
  }
}

struct CarouselStage: Equatable, Sendable {
  private enum Part { case title, meta, dots, gap, summary, gapAboveDots }

  /// The most important first; a low window omits the last ones.
  private static let priorities: [Part] = [
    .title, .meta, .dots, .gap, .summary, .title, .summary, .summary, .gapAboveDots,
  ]
  private static let maximumDots = 15
  private static let usualTextWidth = 60
  private static let maximumSummary = 1_000

  /// 16 to 9, as large as possible beside its neighbors and above its text.
  let card: Size
  let top: Int
  private let viewport: Size
  private let parts: ArraySlice<Part>

  init(in viewport: Size, cellSize: Size) {
    self.viewport = viewport
    // The first and the last row belong to the header and the footer.
    let height = max(1, viewport.height - 2)
    let leastWidth = min(viewport.width, CardMetrics.leastWidth)
    var width = max(leastWidth, viewport.width * 3 / 5)
    var cover = pictureHeight(forWidth: width, aspect: CardMetrics.usualAspect, cellSize: cellSize)
    parts = Self.priorities.prefix(height - min(cover, max(1, height / 2)))
    let room = max(1, height - parts.count)
    if cover > room {
      width = max(1, leastWidth, width * room / cover)
      cover = room
    }
    card = Size(width: width, height: cover)
    top = min(1, max(0, viewport.height - 1)) + max(0, (height - cover - parts.count) / 2)
  }

  private func count(_ part: Part) -> Int { parts.count { $0 == part } }

  var textWidth: Int { max(1, min(viewport.width - 2, max(card.width, Self.usualTextWidth))) }

  /// `face` has the text's width.
  func drawText(
    of video: Video, _ face: CardFace, _ search: TitleSearch?, at origin: Point, on canvas: inout Canvas
  ) {
    var y = origin.y + top + card.height + count(.gap)
    func draw(_ run: GlyphRun, _ role: Role, matchesIn title: String? = nil) {
      let start = Point(x: origin.x + (viewport.width - run.width) / 2, y: y)
      canvas.write(run, at: start, style: Style(role))
      if let title { search?.drawMatches(in: title, at: start, maxWidth: run.width, on: &canvas) }
      y += 1
    }
    let lines = count(.title)
    let title =
      face.title.count > lines
      ? [canvas.widths.truncated(video.title, width: textWidth)].map { CardFace.Line($0, canvas.widths) } : face.title
    for line in title.prefix(lines) { draw(line.glyphs, .selected, matchesIn: line.text) }
    if count(.meta) > 0, let meta = face.meta { draw(meta, .dim) }
    guard let summary = video.summary, count(.summary) > 0 else { return }
    let words = summary.prefix(Self.maximumSummary).split(whereSeparator: \.isNewline).joined(separator: " ")
    for line in canvas.widths.wrapped(words, width: textWidth, maximumLines: count(.summary)) {
      draw(GlyphRun(line, widths: canvas.widths), .plain)
    }
  }

  func drawPosition(_ selection: Int, of total: Int, at origin: Point, on canvas: inout Canvas) {
    guard count(.dots) > 0, total > 1 else { return }
    let y = origin.y + top + card.height + parts.count - 1
    // With the gap.
    let dotWidth = canvas.widths.width(of: "●") + 1
    let hasDots = total <= Self.maximumDots && dotWidth * total < viewport.width
    let words = Words.position(selection + 1, of: total)
    let width = hasDots ? dotWidth * total - 1 : canvas.widths.width(of: words)
    let x = origin.x + (viewport.width - width) / 2
    guard hasDots else {
      canvas.write(words, at: Point(x: x, y: y), style: Style(.dim))
      return
    }
    for number in 0..<total {
      let style = Style(number == selection ? .selection : .dim)
      canvas.write(number == selection ? "●" : "○", at: Point(x: x + dotWidth * number, y: y), style: style)
    }
  }
}
