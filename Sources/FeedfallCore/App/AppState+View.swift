import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// Values derived from the state: the selected tab's parts and their places on the screen.
extension AppState {
  var library: Library { _read { yield browsing.library } }

  var tabs: TabList { _read { yield browsing.tabs } }

  var player: PlayerScreen { _read { yield playback.screen } }

  var content: TabContent { browsing.content }

  var details: DetailsScreen? { tabs.selected.details }

  var selectedCard: Card? { browsing.selectedCard }

  /// Whether an alert is visible. Its keys have priority.
  var isAlertShown: Bool { !isFullWindow && browsing.hasShownFailure }

  var alert: Alert? {
    guard isAlertShown else { return nil }
    return AlertWords.text(for: browsing.shownSources, isNamed: library.hasSeveralSources)
      .map { Alert($0, in: regions.whole) }
  }

  var regions: Regions {
    Regions(size: size, isPaneOpen: details != nil, hasTabs: library.hasSeveralSources, hasMiniBar: hasMiniBar)
  }

  var keyContext: KeyContext {
    KeyContext(focus: details == nil ? .cards : showsPlayer ? .player : .details, isAlertShown: isAlertShown)
  }

  var mouseMap: MouseMap {
    MouseMap(regions: regions, alert: alert, corner: player.hasPicture ? corner : nil, details: details)
  }

  // MARK: - Player

  /// Whether the details show the video that plays or was played last.
  var isPlayersCardShown: Bool { playback.isCardShown(in: browsing) }

  /// Whether the details contain the player.
  var showsPlayer: Bool { player.isActive && isPlayersCardShown }

  var isFullWindow: Bool { player.isFullWindow && showsPlayer }

  private var hasMiniBar: Bool { player.isActive && !isPlayersCardShown }

  var panel: PlayerPanel? {
    player.isFullWindow
      ? PlayerPanel(inWindow: Rect(origin: .zero, size: size))
      : regions.pane.map { PlayerPanel(inPane: $0, cellSize: cellSize) }
  }

  /// The place of the picture over the cards.
  var corner: Rect? {
    player.isInCorner && details == nil ? PlayerPanel.corner(of: regions.cards, cellSize: cellSize) : nil
  }

  var playerView: PlayerView {
    PlayerView(
      screen: player, spinner: spinner.picture, position: playback.position(in: browsing),
      isGone: playback.isCardGone(from: browsing), hasColors: videoOutput != .none)
  }

  // MARK: - Details

  /// The marks of a card in the selected tab.
  var cardMarks: (CardSlot) -> CardMarks {
    { [library, session = player.session, playing = playback.card] slot in
      let card = library.store[slot]
      let isPlaying = playing == card.id && session.isUnderWay
      var marks: CardMarks = isPlaying || session.hasResumePosition(for: card.video) ? .begun : []
      if library[card.source].newCards.contains(slot) { marks.insert(.new) }
      return marks
    }
  }

  var detailsView: DetailsView? {
    guard let card = selectedCard, let pane = regions.pane, let frame = showsPlayer ? panel?.text(inPane: pane) : pane
    else { return nil }
    let notes = [detailsNote(of: card), covers.failure(of: card.id).map(DetailsWords.coverNote)]
    let text = DetailsText(
      video: card.video, sourceName: tabs.selected.cards.sourceName(of: card.source), notes: notes.compactMap { $0 },
      width: pane.width)
    return DetailsView(text: text, frame: frame, coverSize: showsPlayer ? nil : detailsCoverSize(of: card.video))
  }

  private func detailsNote(of card: Card) -> String? {
    let request = library[card.source].details
    if let hold = request.hold, card.listed.canBeCompleted { return HoldWords.continues(after: hold) }
    if request.isPending(for: card.video.id) { return DetailsWords.pending(spinner: spinner.picture) }
    return request.failure(of: card.video.id).map(DetailsWords.note)
  }

  /// The size in cells of a cover that scrolls with the text; nil if there is no room for it.
  private func detailsCoverSize(of video: Video) -> Size? {
    regions.pane.flatMap {
      DetailsView.coverSize(aspect: CardMetrics.aspect(of: video), in: $0.size, cellSize: cellSize)
    }
  }

  /// The cover of a card in the details.
  func detailsCover(of card: Card) -> CoverKey? {
    guard let details, !card.video.covers.isEmpty else { return nil }
    let size: Size? =
      if details.showsCover {
        coverFrame(of: card.video, in: regions.whole).size
      } else if showsPlayer {
        panel.map { coverFrame(of: card.video, in: $0.picture).size }
      } else {
        detailsCoverSize(of: card.video)
      }
    return size.map { CoverKey(card: card.id, size: $0) }
  }

  private func hasPlayMark(_ card: Card) -> Bool { card.video.playbackURL != nil || card.video.detailsURL != nil }

  /// The cover in the details, if a click on it plays the video.
  var playButton: Rect? {
    guard let details, !showsPlayer, let card = selectedCard, hasPlayMark(card) else { return nil }
    return details.showsCover
      ? coverFrame(of: card.video, in: regions.whole) : detailsView?.coverFrame(scroll: details.scroll)
  }

  /// The covers that the details show for the next and the previous video.
  var neighborCovers: [CoverKey] {
    guard details != nil, !showsPlayer, let selection = tabs.selected.cards.selection else { return [] }
    let cards = tabs.selected.cards.cards
    return [selection + 1, selection - 1].filter((0..<cards.count).contains).compactMap {
      detailsCover(of: library.store[cards[$0]])
    }
  }

  /// The centered place of a cover as large as fits.
  private func coverFrame(of video: Video, in region: Rect) -> Rect {
    let size = coverSize(aspect: CardMetrics.aspect(of: video), within: region.size, cellSize: cellSize)
    return Rect(
      x: region.minX + (region.width - size.width) / 2, y: region.minY + (region.height - size.height) / 2,
      width: size.width, height: size.height)
  }

  var coverSight: CoverDirector.Sight {
    CoverDirector.Sight(
      tab: tabs.selection, cards: tabs.selected.cards, details: details,
      areCardsVisible: regions.showsCards(beside: details), detailsCover: selectedCard.flatMap(detailsCover))
  }

  private func coverView(of card: Card, size: Size) -> CoverView {
    covers.view(of: card.video, card.id, badge: CardFace.badge(of: card.video), size: size)
  }
}

extension AppState {
  // MARK: - Drawing

  /// Renders the screen.
  public func draw() -> Canvas {
    var canvas = Canvas(size: size)
    canvas.isAtRest = covers.isAtRest
    guard size.width >= Regions.minimumSize.width, size.height >= Regions.minimumSize.height else {
      canvas.write(
        truncated(Messages.tooSmall(Regions.minimumSize), width: size.width), at: .zero, style: .plain)
      return canvas
    }
    if isFullWindow, help == nil {
      if let panel {
        playerView.drawFullWindow(panel, cover: stageCover(in: panel.picture), message: toast.text, on: &canvas)
      }
      return canvas
    }
    let regions = regions
    if let row = regions.tabs { tabBar.draw(in: row, on: &canvas) }
    if let help {
      help.draw(in: regions.whole, on: &canvas)
    } else {
      cardsView.draw(in: regions.cards, on: &canvas)
      if let corner { playerView.drawCorner(corner, on: &canvas) }
      if let details { draw(details, regions, on: &canvas) }
      alert?.draw(on: &canvas)
    }
    if let row = regions.miniBar { playerView.drawMiniBar(in: row, on: &canvas) }
    statusLine.draw(in: regions.status, on: &canvas)
    return canvas
  }

  var tabBar: TabBar { tabs.bar(library, spinner: spinner.picture) }

  private var cardsView: CardsView {
    let pull = tabs.selected.cards.pull
    let header = pull.isPulling ? pull.headerState : library.headerState(of: content)
    return CardsView(
      screen: tabs.selected.cards, store: library.store, covers: covers, header: header,
      age: clock.flatMap { library.age(of: content, at: $0) }, footer: library.footerState(of: content),
      isExhausted: browsing.shownSources.allSatisfy(\.isExhausted),
      spinner: spinner.picture)
  }

  private var statusLine: StatusLine {
    let cards = tabs.selected.cards
    let hints = details == nil ? HintWords.cards : showsPlayer ? HintWords.player : HintWords.details
    let count = max(cards.cards.count, library.total(of: content) ?? 0)
    return StatusLine(
      position: cards.selection.map { ($0 + 1, count) },
      spinner: browsing.shownSources.contains { $0.isLoading } ? spinner.picture : nil,
      name: library.name(of: content), facts: library.status(of: content), message: toast.text,
      needle: cards.prompt?.needle, hints: help == nil ? hints : [])
  }

  private func draw(_ details: DetailsScreen, _ regions: Regions, on canvas: inout Canvas) {
    guard let card = selectedCard else { return }
    if details.showsCover {
      canvas.fill(regions.whole, style: .plain)
      let frame = coverFrame(of: card.video, in: regions.whole)
      coverWithPlayMark(of: card, size: frame.size).draw(in: frame, on: &canvas)
      return
    }
    guard let view = detailsView else { return }
    if let divider = regions.divider {
      for y in divider.minY..<divider.maxY {
        canvas.write("│", at: Point(x: divider.minX, y: y), style: Style(.frame))
      }
    } else {
      canvas.fill(regions.whole, style: .plain)
    }
    view.draw(scroll: details.scroll, cover: { coverWithPlayMark(of: card, size: $0) }, on: &canvas)
    guard showsPlayer, let panel else { return }
    playerView.draw(
      in: panel, cover: stageCover(in: panel.picture), hasPage: card.video.pageURL != nil, on: &canvas)
  }

  private func coverWithPlayMark(of card: Card, size: Size) -> CoverView {
    var cover = coverView(of: card, size: size)
    cover.hasPlayMark = hasPlayMark(card)
    return cover
  }

  /// The selected video's cover in the place of the frames.
  private func stageCover(in frame: Rect) -> (video: Rect, view: CoverView)? {
    guard !player.hasPicture, let card = selectedCard else { return nil }
    let place = coverFrame(of: card.video, in: frame)
    return (place, coverView(of: card, size: place.size))
  }
}
