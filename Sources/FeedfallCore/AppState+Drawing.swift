import FeedfallFeeds
import FeedfallLoading
import FeedfallScreen
import WaterfallEngine

extension AppState {
  var regions: Regions {
    Regions(size: size, isPaneOpen: pane != nil, hasTabs: hasSeveralSources, hasMiniBar: hasMiniBar)
  }

  /// The screen as it should be now.
  public func draw() -> Canvas {
    var canvas = Canvas(size: size)
    canvas.isAtRest = stillness.isAtRest
    guard size.width >= Regions.minimumSize.width, size.height >= Regions.minimumSize.height else {
      let need = Regions.minimumSize
      canvas.write(
        truncated("feedfall needs \(need.width)×\(need.height)", width: size.width), at: .zero, style: .plain)
      return canvas
    }
    if isFullWindow, help == nil {
      drawFullWindow(on: &canvas)
      return canvas
    }
    let regions = regions
    if let row = regions.tabs { tabBar.draw(in: row, on: &canvas) }
    if let help {
      help.draw(in: regions.whole, on: &canvas)
    } else {
      drawCards(in: regions.cards, on: &canvas)
      drawCorner(on: &canvas)
      if let pane { draw(pane, regions, on: &canvas) }
      drawAlert(in: regions.whole, on: &canvas)
    }
    if let row = regions.miniBar { playerControls.drawMiniBar(in: row, on: &canvas) }
    statusLine.draw(in: regions.status, on: &canvas)
    return canvas
  }

  // MARK: - Cards

  private func drawCards(in region: Rect, on canvas: inout Canvas) {
    canvas.clip = region
    defer { canvas.clip = canvas.bounds }
    let metrics = waterfall.metrics
    let search = TitleSearch(waterfall.needle)
    let displacement = waterfall.displacement
    for element in waterfall.visibleElements {
      let frame = element.frame.offsetBy(x: region.minX + displacement.x, y: region.minY + displacement.y)
      switch element.kind {
      case .background: drawRule(alongside: frame, on: &canvas)
      case .header: drawSectionHeader(waterfall.layout.group(of: element.path.section), in: frame, on: &canvas)
      case .item:
        let card = waterfall.layout.card(at: element.path)
        let face = waterfall.face(of: card, frameWidth: frame.width, metrics)
        CardView(
          face: face, aspect: waterfall.cards.aspects[card], metrics: metrics, isSelected: card == waterfall.selection,
          search: search, cover: { coverView(of: waterfall.cards.card(at: card), badge: face.badge, size: $0) }
        ).draw(in: frame, on: &canvas)
      case .footer: drawFooter(in: frame, on: &canvas)
      case .separator, .supplementary, .decoration: break
      }
    }
    drawHeader(in: region, on: &canvas)
    if waterfall.kind.isSideways, waterfall.isLastCardSeen { drawFooter(in: region.lastRow, on: &canvas) }
    if waterfall.cards.isEmpty { drawEmptiness(in: region, on: &canvas) }
  }

  /// A section's background: a line along its cards, where there is a margin for it.
  private func drawRule(alongside section: Rect, on canvas: inout Canvas) {
    guard waterfall.layout.margin > 0 else { return }
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
    guard !waterfall.cards.isEmpty else { return }
    let words = FooterWords.text(
      for: footerState, spinner: spinner.picture, count: waterfall.cards.count)
    draw(words, role: .footer, centredIn: row, on: &canvas)
  }

  private func drawHeader(in region: Rect, on canvas: inout Canvas) {
    guard waterfall.shift > 0 else { return }
    let down = waterfall.kind.isSideways ? 0 : waterfall.shift - 1
    let row = Rect(x: region.minX, y: region.minY + down, width: region.width, height: 1)
    let words = HeaderWords.text(for: headerState, spinner: spinner.picture)
    draw(words, role: .header, centredIn: row, on: &canvas)
  }

  private func drawEmptiness(in region: Rect, on canvas: inout Canvas) {
    guard seenSources.allSatisfy(\.isExhausted) else { return }
    let middle = Rect(x: region.minX, y: region.midY, width: region.width, height: 1)
    draw("There are no videos here; r asks again", role: .dim, centredIn: middle, on: &canvas)
  }

  private func draw(_ words: String, role: Role, centredIn row: Rect, on canvas: inout Canvas) {
    let text = truncated(words, width: row.width)
    let indent = (row.width - cellWidth(of: text)) / 2
    canvas.write(text, at: Point(x: row.minX + indent, y: row.minY), style: Style(role))
  }

  // MARK: - Pane

  var paneContent: DetailPane.Content? {
    guard let video = waterfall.selectedVideo, let region = regions.pane else { return nil }
    let text = DetailText(
      video: video, sourceName: waterfall.selection.flatMap(waterfall.sourceName), detailsNote: detailsNote(of: video),
      width: region.width)
    return DetailPane.Content(coverSize: showsPlayer ? nil : paneCoverSize(of: video), lines: text.lines)
  }

  /// The size in cells of a video's cover that scrolls with the pane's text; nil where there is no room for it.
  func paneCoverSize(of video: Video) -> Size? {
    regions.pane.flatMap {
      DetailPane.coverSize(aspect: CardMetrics.aspect(of: video), in: $0.size, cellSize: cellSize)
    }
  }

  /// The part of the pane that scrolls.
  var textRegion: Rect? {
    guard let region = regions.pane else { return nil }
    return showsPlayer ? panel?.text(inPane: region) : region
  }

  private func detailsNote(of video: Video) -> String? {
    if let hold = details.hold, video.canBeCompleted { return DetailsWords.note(whileHeld: hold) }
    if details.isUnderWay(for: video.id) { return "\(spinner.picture) asking for the rest…" }
    return details.failure(of: video.id).map(DetailsWords.note)
  }

  private func draw(_ pane: DetailPane, _ regions: Regions, on canvas: inout Canvas) {
    if pane.showsCover { return drawCover(in: regions.whole, on: &canvas) }
    guard let region = textRegion, let content = paneContent else { return }
    if let divider = regions.divider {
      for y in divider.minY..<divider.maxY {
        canvas.write("│", at: Point(x: divider.minX, y: y), style: Style(.frame))
      }
    } else {
      canvas.fill(regions.whole, style: .plain)
    }
    pane.draw(content, cover: content.coverSize.flatMap(selectedCover), in: region, on: &canvas)
    if showsPlayer, let panel { drawPlayer(panel, on: &canvas) }
  }

  /// The selected video's cover as it stands by itself.
  private func selectedCover(size: Size) -> CoverView? {
    guard let card = waterfall.selectedCard else { return nil }
    var cover = coverView(of: card, badge: CardFace.badge(of: card.video), size: size)
    cover.hasPlayMark = card.video.playbackURL != nil || card.video.detailsURL != nil
    return cover
  }

  /// The selected video's cover as large as it fits.
  private func drawCover(in region: Rect, on canvas: inout Canvas) {
    canvas.fill(region, style: .plain)
    guard let video = waterfall.selectedVideo else { return }
    let frame = largeCoverFrame(of: video)
    selectedCover(size: frame.size)?.draw(in: frame, on: &canvas)
  }

  /// Where a cover lies that has the whole window.
  func largeCoverFrame(of video: Video) -> Rect {
    let region = regions.whole
    let size = coverSize(aspect: CardMetrics.aspect(of: video), within: region.size, cellSize: cellSize)
    return Rect(
      origin: Point(
        x: region.minX + (region.width - size.width) / 2, y: region.minY + (region.height - size.height) / 2),
      size: size)
  }

  // MARK: - Alert and status

  private func drawAlert(in region: Rect, on canvas: inout Canvas) {
    guard let words = AlertWords.text(for: seenSources, isNamed: hasSeveralSources) else { return }
    let lines = wrapped(words, width: max(1, region.width - 2), maximumLines: 4)
    let top = region.maxY - lines.count
    canvas.fill(Rect(x: region.minX, y: top, width: region.width, height: lines.count), style: Style(.alert))
    for (row, line) in lines.enumerated() {
      canvas.write(line, at: Point(x: region.minX + 1, y: top + row), style: Style(.alert))
    }
  }
}

extension Rect {
  fileprivate var lastRow: Rect { Rect(x: minX, y: maxY - 1, width: width, height: min(1, height)) }
}
