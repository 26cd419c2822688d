import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import WaterfallEngine

extension AppState {
  var library: Library { _read { yield browsing.library } }
  var tabs: TabList { _read { yield browsing.tabs } }
  var toast: Toast {
    _read { yield browsing.toast }
    _modify { yield &browsing.toast }
  }
  var player: PlayerScreen { _read { yield playback.screen } }
  var content: TabContent { browsing.content }
  var details: DetailsScreen? { tabs.selected.details }
  var shownDetails: DetailsScreen? { details ?? (hasPreview ? DetailsScreen() : nil) }

  private var hasPreview: Bool {
    tabs.layout == .list && size.width >= Regions.widthForPreview && tabs.selected.cards.selection != nil
  }
  var selectedCard: Card? { browsing.selectedCard }

  var regions: Regions {
    let hasHeading = tabs.layout == .list && !tabs.selected.cards.cards.isEmpty
    return regions(failureRows: failure.map { $0.isCentered ? 0 : $0.frame.height } ?? 0, hasHeading: hasHeading)
  }

  private func regions(failureRows: Int, hasHeading: Bool = false) -> Regions {
    Regions(
      size: size, isPaneOpen: shownDetails != nil, hasTabs: tabs.visible.count > 1, hasMiniBar: hasMiniBar,
      failureRows: failureRows, hasHeading: hasHeading)
  }

  var areCardsVisible: Bool { regions.showsCards(beside: shownDetails) && !isFullWindow }
  /// Whether a prompt is open below the cards.
  var hasPrompt: Bool { openPrompt.map { $0 != .help && $0 != .sources } ?? false }
  var areSourcesShown: Bool { sourceList.isShown }
  /// Whether the help or the list of sources covers the cards.
  var isCovered: Bool { help != nil || areSourcesShown }
  var keys: Keymaps { browsing.settings.keys }
  var words: Words { browsing.words }

  var focus: Focus { isFullWindow ? .fullWindow : details == nil ? .cards : showsPlayer ? .player : .details }

  var placedFailure: FailurePanel? {
    guard let text = browsing.failureText else { return nil }
    let keys: [KeyHint] =
      switch focus {
      case _ where hasPrompt: []
      case .cards: keys.hints.failure
      case .details: keys.hints.retry
      case .player, .fullWindow: []
      }
    let region = regions(failureRows: 0).cards
    return tabs.selected.cards.cards.isEmpty && !browsing.isFirstLoad && !browsing.excludesAll
      ? FailurePanel(text, keys: keys, inMiddleOf: region, textWidths)
      : FailurePanel(text, keys: keys, above: region, textWidths)
  }

  // MARK: - Player

  /// Whether the details show the video of the player.
  var isPlayersCardShown: Bool { playback.isCardShown(in: browsing) }
  var showsPlayer: Bool { player.isActive && isPlayersCardShown }
  var isFullWindow: Bool { player.isFullWindow && player.isActive }
  private var hasMiniBar: Bool { player.isActive && !isPlayersCardShown && !isFullWindow }
  var playersCard: Card? { playback.shownCard(in: library.store) }

  var panel: PlayerPanel? {
    isFullWindow
      ? PlayerPanel(inWindow: Rect(origin: .zero, size: size))
      : regions.pane.map { PlayerPanel(inPane: $0, cellSize: cellSize) }
  }

  var corner: Rect? {
    guard player.isInCorner, details == nil, !isFullWindow else { return nil }
    let aspect = player.filmShape.aspect ?? playersCard.map(aspect) ?? CardMetrics.usualAspect
    return PlayerPanel.corner(of: regions.cards, aspect: aspect, cellSize: cellSize)
  }

  /// The proportions that a card has in the selected tab, so that the details show its cover alike.
  private func aspect(of card: Card) -> Double {
    let cards = tabs.selected.cards.cards
    let index = library.store.slot(of: card.id).flatMap(cards.index)
    return index.map { cards.shapes[$0].aspect } ?? CardMetrics.aspect(of: card.video)
  }

  var playerView: PlayerView {
    PlayerView(
      screen: player, words: words, spinner: spinner.picture, widths: textWidths,
      position: playback.position(in: browsing), obstacle: videoOutput.obstacle)
  }

  private var isTooSmall: Bool { size.width < Regions.minimumSize.width || size.height < Regions.minimumSize.height }

  /// Nil also if less than half of the cover is visible.
  var previewPlace: PreviewDirector.Place? {
    guard details == nil, !isCovered, !hasPrompt, !player.isActive, !isTooSmall else { return nil }
    let cards = tabs.selected.cards
    guard let selection = cards.selection, let card = selectedCard, browsing.canPreview(card),
      let cover = cards.coverFrame(of: selection),
      videoOutput.frameSize(forCells: cover.size, cellSize: cellSize) != nil
    else { return nil }
    let visible = cover.intersection(Rect(origin: .zero, size: cards.viewport))
    guard visible.width == cover.width, visible.height * 2 >= cover.height else { return nil }
    let origin = regions.cards.origin
    return PreviewDirector.Place(
      tab: tabs.selection, card: card.id, cover: cover.offsetBy(x: origin.x, y: origin.y), output: videoOutput,
      cellSize: cellSize)
  }

  // MARK: - Details

  var cardFacts: CardStates.Facts {
    CardStates.Facts(library: library, downloads: browsing.downloads, playing: playingCard)
  }

  private var playingCard: CardStates.Playing? {
    guard player.session.isUnderWay, let key = playback.key else { return nil }
    return CardStates.Playing(key: key, time: player.session.shownTime, length: player.session.shownDuration)
  }

  var detailsView: DetailsView? {
    guard let pane = regions.pane, let card = selectedCard, let frame = showsPlayer ? panel?.text(inPane: pane) : pane
    else { return nil }
    let coverSize = showsPlayer ? nil : detailsCoverSize(of: card)
    let rows = frame.height - DetailsView.firstTextRow(below: coverSize)
    let text = detailsText(of: card, size: Size(width: pane.width, height: rows))
    return DetailsView(frame: frame, coverSize: coverSize, lines: detailsLines.lines(of: text), text: text)
  }

  private func detailsText(of card: Card, size: Size) -> DetailsText {
    DetailsText(
      video: card.shown, originalTitle: card.betterTitle == nil ? nil : card.video.title,
      chapters: showsPlayer && card.video.chapters.isEmpty && player.upcomingTitle == nil
        ? player.session.file.chapters : card.video.chapters,
      sourceName: tabs.selected.cards.sourceName(of: card.source), failure: addressFailure(of: card),
      notes: detailsNotes(of: card), stopSeconds: showsPlayer ? 0 : library.store.resumeSeconds(of: card),
      record: library.store.userData[card.key],
      download: words.downloadState(browsing.downloads[card.key], waitingFor: browsing.downloadWait(of: card)),
      copy: copy(of: card), links: tabs.selected.links.flatMap { $0.card == card.id ? $0.links : nil }, words: words,
      now: timeOfDetails(of: card), zone: library.store.zone, size: size, widths: textWidths)
  }

  /// The path of the downloaded file, unless the card is that of the file.
  private func copy(of card: Card) -> String? {
    browsing.downloads[card.key]?.file.flatMap { file in
      card.video.playbackURL?.file.map { $0.name == file.address.name } == true ? nil : Words.path(of: file)
    }
  }

  /// In whole minutes, and only where the text depends on it, because another time means that all is wrapped again.
  private func timeOfDetails(of card: Card) -> UnixTime? {
    guard now > 0, library.store.userData[card.key].watched != nil else { return nil }
    return UnixTime(seconds: now / 60_000 * 60)
  }

  /// None while the player shows why it failed, which often is the same reason.
  private func detailsNotes(of card: Card) -> [String] {
    if showsPlayer, player.failure != nil { return [] }
    let failure = library[card.source].details.failure(of: card.id)
    let cover = covers.memory.failure(of: card.id).flatMap { words.coverNote($0, beside: failure) }
    return [detailsNote(of: card), cover].compactMap(\.self)
  }

  private func addressFailure(of card: Card) -> String? {
    let request = library[card.source].details
    guard !showsPlayer, let purpose = request.failedPurpose(of: card.id) else { return nil }
    return request.failure(of: card.id).map { words.detailsNote($0, after: purpose) }
  }

  private func detailsNote(of card: Card) -> String? {
    let request = library[card.source].details
    if addressFailure(of: card) != nil { return nil }
    if let hold = request.hold, card.listed.canBeCompleted { return Words.continues(after: hold) }
    if request.isPending(for: card.id) { return Words.loadingDetails(spinner: spinner.picture) }
    return request.failure(of: card.id).map { words.detailsNote($0, after: nil) }
  }

  private func detailsCoverSize(of card: Card) -> Size? {
    regions.pane.flatMap { DetailsView.coverSize(aspect: aspect(of: card), in: $0.size, cellSize: cellSize) }
  }

  func detailsCover(of card: Card) -> CoverKey? {
    guard !card.video.covers.isEmpty else { return nil }
    let details = shownDetails
    // The player has no picture.
    let isStage = isFullWindow || details?.showsCover == false && showsPlayer
    let room = isStage ? panel?.picture : details == nil ? corner : details?.showsCover == true ? regions.whole : nil
    let size = room.map { coverFrame(of: card, in: $0).size } ?? detailsCoverSize(of: card)
    return size.map { CoverKey(card: card.id, size: $0) }
  }

  private func hasPlayMark(_ card: Card) -> Bool { card.video.playbackURL != nil || card.video.detailsURL != nil }

  /// The cover in the details, if a click on it plays the video.
  var playButton: Rect? {
    guard let details = shownDetails, !showsPlayer, let card = selectedCard, hasPlayMark(card) else { return nil }
    return details.showsCover
      ? coverFrame(of: card, in: regions.whole) : detailsView?.coverFrame(scroll: details.scroll)
  }

  var neighborCovers: [CoverKey] {
    guard shownDetails != nil, !showsPlayer, let selection = tabs.selected.cards.selection else { return [] }
    let cards = tabs.selected.cards.cards
    return [selection + 1, selection - 1].filter((0..<cards.count).contains).compactMap {
      detailsCover(of: library.store[cards[$0]])
    }
  }

  private func coverFrame(of card: Card, in region: Rect) -> Rect {
    region.center(coverSize(aspect: aspect(of: card), within: region.size, cellSize: cellSize))
  }

  var coverSight: CoverDirector.Sight {
    let shown = shownDetails
    let isStage = isFullWindow || shown == nil && corner != nil
    let card = isStage ? (player.isActive && !player.hasPicture ? playersCard : nil) : shown == nil ? nil : selectedCard
    return CoverDirector.Sight(
      tab: tabs.selection, cards: tabs.selected.cards, details: details,
      areCardsVisible: regions.showsCards(beside: shown), detailsCover: card.flatMap(detailsCover))
  }

  private func coverView(of card: Card, size: Size) -> CoverView {
    let cards = tabs.selected.cards.cards
    let hue = library.store.slot(of: card.id).flatMap(cards.index).map { cards.hues[$0] }
    return covers.view(
      of: card.id, title: card.title, TitleInitial(of: card.title, textWidths),
      hue ?? PlaceholderHue(forID: card.video.id), badge: CardFace.badge(of: card.video, [], textWidths), size: size)
  }

  // MARK: - Drawing

  /// Renders the screen.
  public func draw() -> Canvas {
    var canvas = Canvas(size: size, widths: textWidths)
    canvas.isAtRest = covers.isAtRest
    if isTooSmall {
      let words = Words.tooSmall(Regions.minimumSize, width: size.width, textWidths)
      let lines = textWidths.wrapped(words, width: max(1, size.width), maximumLines: max(1, size.height))
      for (row, line) in lines.enumerated() { canvas.write(line, at: Point(x: 0, y: row), style: .plain) }
      return canvas
    }
    if isFullWindow, !isCovered {
      if let panel {
        playerView.draw(
          panel, cover: stageCover(in: panel.picture), message: toast.text,
          hasPage: playersCard?.video.pageURL != nil, on: &canvas)
      }
      if hasStatusLineInFullWindow { draw(statusLine, in: regions, on: &canvas) }
      return canvas
    }
    let regions = regions
    if let row = regions.tabs { tabBar.draw(in: row, on: &canvas) }
    if let help {
      help.draw(in: regions.whole, on: &canvas)
    } else if areSourcesShown {
      drawSources(in: regions.whole, on: &canvas)
    } else {
      if let row = regions.heading { drawHeading(in: row, on: &canvas) }
      cardsView.draw(in: regions.cards, on: &canvas)
      failure?.draw(on: &canvas)
      if let corner { playerView.drawCorner(corner, cover: stageCover(in: corner), on: &canvas) }
      if let details = shownDetails { draw(details, regions, on: &canvas) }
    }
    if let row = regions.miniBar { playerView.drawMiniBar(in: row, on: &canvas) }
    draw(statusLine, in: regions, on: &canvas)
    return canvas
  }

  private func draw(_ line: StatusLine, in regions: Regions, on canvas: inout Canvas) {
    line.note(below: regions.status)?.draw(atBottomOf: regions.whole, on: &canvas)
    line.draw(in: regions.status, on: &canvas)
  }

  private func drawHeading(in row: Rect, on canvas: inout Canvas) {
    let tab = tabs.selected
    let names = row.inset(by: Insets(left: tab.cards.layout.margin, right: tab.cards.layout.margin))
    tab.cards.table?.drawHeading(
      in: names, order: tab.query.order, hasSources: !tab.cards.sourceNames.isEmpty, on: &canvas)
  }

  var tabBar: TabBar { TabBar(tabs, library, spinner: spinner.picture) }

  private var cardsView: CardsView {
    let pull = tabs.selected.cards.pull
    let header = pull.isPulling ? pull.headerState : library.headerState(of: content)
    return CardsView(
      screen: tabs.selected.cards, words: words, store: library.store, covers: covers, header: header,
      age: clock.flatMap { library.age(of: content, at: $0) }, footer: library.footerState(of: content),
      isExhausted: browsing.shownSources.allSatisfy(\.isExhausted), isSearch: browsing.isSearch,
      spinner: spinner.picture, isFirstLoad: browsing.isFirstLoad, total: videoCount,
      preview: preview.pictureSize.map { .video($0, brightness: player.session.settings.brightness) },
      filtered: filtered, emptyText: tabs.selected.filter.isActive ? nil : emptyText)
  }

  private var emptyText: String? {
    guard tabs.selected.cards.cards.isEmpty else { return nil }
    if let field = library.requiredField(of: content) { return words.none(field) }
    if !browsing.isFirstLoad, browsing.shownSources.contains(where: \.isUntried) { return words.notRefreshed }
    return library.hidesWatched && browsing.excludesAll ? Words.allWatched : nil
  }

  private var filtered: CardsView.Filtered? {
    guard browsing.isFiltered else { return nil }
    let isPaused = browsing.isFilterSearchPaused
    return CardsView.Filtered(
      // Current only where it is shown.
      loadedCount: isPaused || tabs.selected.cards.cards.isEmpty ? browsing.candidates.count : 0, isPaused: isPaused,
      isTyped: hasPrompt, hint: hasPrompt ? nil : tabs.selected.filter.query.foreignOperator?.text)
  }

  private var hasStatusLineInFullWindow: Bool { openPrompt == .command || pendingPrefix != nil }

  var placedHints: [KeyHint.Placed] {
    guard isCovered || !isFullWindow || hasStatusLineInFullWindow else { return [] }
    let isFailureVisible = !isCovered && regions.showsCards(beside: details)
    return statusLine.placedHints(in: regions.status) + (isFailureVisible ? failure?.hints ?? [] : [])
  }

  var hints: [KeyHint] {
    switch openPrompt {
    case .command: return keys.hints.command
    case .links: return keys.hints.links
    case .filter, .search, .help, .sources: return keys.hints.prompt
    case nil where areSourcesShown: return askingList == nil ? keys.hints.sources : keys.hints.droppingList
    case nil: break
    }
    // Lists cannot be selected together.
    let isList = tabs.selected.cards.picks.isEmpty && selectedCard?.isList == true
    return switch focus {
    case .cards where tabs.selected.cards.cards.isEmpty: emptyTabHints
    case .cards where isList: tabs.selected.origin == nil ? keys.hints.list : keys.hints.listWithWayBack
    case .details where isList: keys.hints.listDetails
    case .cards where player.session.isUnderWay: keys.hints.cardsDuringPlayback
    case .cards: browsing.isCatalogue ? keys.hints.catalogue : keys.hints.cards
    case .details: keys.hints.details
    case .player where player.failure != nil, .fullWindow where player.failure != nil:
      playersCard?.video.pageURL == nil ? keys.hints.failedPlayer : keys.hints.failedPlayerWithPage
    case .player, .fullWindow: keys.hints.player
    }
  }

  private var emptyTabHints: [KeyHint] {
    if browsing.isFirstLoad { return keys.hints.emptyTabLoading }
    // A failure has the key that would clear the filter, and only a filter that was typed can be cleared.
    if browsing.excludesAll {
      return failure == nil && tabs.selected.filter.isActive ? keys.hints.noMatchOfFilter : keys.hints.noMatch
    }
    return browsing.shownSources.contains(where: \.hasFailed) ? keys.hints.emptyTabWithFailure : keys.hints.emptyTab
  }

  /// Loaded or not, without those that are hidden.
  private var videoCount: Int {
    let count = tabs.selected.cards.cards.count
    guard !browsing.isFiltered, let total = library.total(of: content) else { return count }
    return max(count, total - (library.loadedCount(of: content) - count))
  }

  private var statusLine: StatusLine {
    if let prefixHints {
      return StatusLine(name: "", facts: [], message: toast.text, hints: prefixHints, widths: textWidths)
    }
    if let help { return help.statusLine(size: regions.whole.size, keys.hints, message: toast.text) }
    if areSourcesShown, openPrompt != .command { return sourcesStatusLine }
    let pickCount = tabs.selected.cards.picks.count
    let result = tabs.selected.cards.prompt == nil ? tabs.selected.cards.searchResult : nil
    let search = result.map { words.keptSearch(tabs.selected.cards.needle, result: $0) }
    let download = browsing.downloads.summary.map { Words.downloadSummary($0.count, percent: $0.percent) }
    let facts = [offlineFact, pickCount > 0 ? Words.picked(pickCount) : nil, search, download].compactMap(\.self)
    return StatusLine(
      position: tabs.selected.cards.selection.map { ($0 + 1, videoCount) }
        ?? (browsing.excludesAll ? (0, browsing.candidates.count) : nil),
      spinner: browsing.shownSources.contains { $0.isLoading } ? spinner.picture : nil, name: library.name(of: content),
      facts: browsing.settings.unreadable.map(Words.unreadable) + facts + filterFacts + browsing.status,
      message: toast.text, search: promptLine, hints: hints, widths: textWidths)
  }

  /// Shown without a network, except in the tab of a folder or file, which needs none.
  private var offlineFact: String? {
    switch network.outage {
    case nil: nil
    case .servers where browsing.isLocal: nil
    case .servers, .covers: Words.offline(for: network.duration(at: clock))
    }
  }

  private var filterFacts: [String] {
    let filter = tabs.selected.filter.isActive ? Words.filter(tabs.selected.filter.query.text) : nil
    let unknownCount = lengths.unknownCount(ofTab: tabs.selection)
    let unknown = unknownCount > 0 ? Words.unknownLengths(unknownCount) : nil
    return [filter, tabs.selected.orderName.map(Words.sorted), unknown].compactMap(\.self)
  }

  private var promptLine: Prompt.Line? {
    switch openPrompt {
    case .command:
      let place = commandPrompt.prompt.flatMap { browsing.searchPlace(for: $0.needle) }
      return commandPrompt.line(browsing.vocabulary, searchPlace: place)
    case .filter:
      let result = Words.count(tabs.selected.cards.cards.count, of: browsing.candidates.count)
      return tabs.selected.filter.prompt.map {
        Prompt.Line(Words.filterLabel, $0, result: result, note: filterNote(for: $0))
      }
    case .search:
      return tabs.selected.cards.prompt.map {
        Prompt.Line(Words.searchLabel, $0, result: tabs.selected.cards.searchResult)
      }
    case .links:
      return tabs.selected.links.map { links in
        let note = links.address.map { StatusLine.Note(text: $0.description, role: .hint) }
        return Prompt.Line(Words.linkLabel, links.prompt, result: Words.links(links.links.addresses.count), note: note)
      }
    case .help, .sources, nil: return nil
    }
  }

  private func filterNote(for prompt: Prompt) -> StatusLine.Note? {
    let filter = tabs.selected.filter
    let alert = filter.error?.text ?? (tabs.selected.query.isIncomplete ? Words.slowExpression : nil)
    if let alert { return StatusLine.Note(text: alert, role: .alert) }
    if prompt.needle.isEmpty { return StatusLine.Note(text: words.filterExamples, role: .hint) }
    let foreign = tabs.selected.cards.cards.isEmpty ? filter.query.foreignOperator?.text : nil
    let hint = filter.completions.isEmpty ? foreign : Words.completions(filter.completions)
    return hint.map { StatusLine.Note(text: $0, role: .hint) }
  }

  private func draw(_ details: DetailsScreen, _ regions: Regions, on canvas: inout Canvas) {
    guard let card = selectedCard else { return }
    if details.showsCover {
      canvas.fill(regions.whole, style: .plain)
      let frame = coverFrame(of: card, in: regions.whole)
      coverWithPlayMark(of: card, size: frame.size).draw(in: frame, on: &canvas)
      return
    }
    guard let view = detailsView else { return }
    if let divider = regions.divider {
      canvas.fill(divider, with: Glyph("│"), style: Style(.frame))
    } else {
      canvas.fill(regions.whole, style: .plain)
    }
    view.draw(scroll: details.scroll, cover: { coverWithPlayMark(of: card, size: $0) }, on: &canvas)
    guard showsPlayer, let panel else { return }
    playerView.draw(panel, cover: stageCover(in: panel.picture), hasPage: card.video.pageURL != nil, on: &canvas)
  }

  private func coverWithPlayMark(of card: Card, size: Size) -> CoverView {
    var cover = coverView(of: card, size: size)
    cover.hasPlayMark = hasPlayMark(card)
    return cover
  }

  private func stageCover(in frame: Rect) -> (video: Rect, view: CoverView)? {
    guard !player.hasPicture, let card = isFullWindow || details == nil ? playersCard : selectedCard else { return nil }
    let room = frame.inset(by: Insets(bottom: min(playerView.obstacleLines(width: frame.width).count, frame.height)))
    let place = coverFrame(of: card, in: room)
    return (place, coverView(of: card, size: place.size))
  }
}
