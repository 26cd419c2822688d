import FeedfallScreen
import WaterfallEngine

extension AppState {
  mutating func showSources() { sourceList.open(at: tabs.selection) }

  /// The tabs of the selected sources, or else the one in the current row; nil while the list is not shown.
  var meantTabs: MeantTabs? { areSourcesShown ? sourceList.meantTabs : nil }

  /// The sources of the visible rows.
  var visibleSources: [SourceID] {
    guard areSourcesShown else { return [] }
    return sourceList.rows.dropFirst(sourceList.offset).prefix(size.height).compactMap { row in
      row.tab.flatMap { tabs[$0].content.source }
    }
  }

  mutating func updateSources() -> [AppEffect] {
    guard areSourcesShown || tabs.needsCounts else { return [] }
    let height = regions.whole.height - SourceListView.headingRows
    return sourceList.update(tabs, library, height: height, &tickets)
  }

  mutating func perform(_ command: SourceListScreen.Command) -> [AppEffect] {
    switch command {
    case .move(let move): sourceList.move(move)
    case .open: return openSelectedRow()
    case .refresh: return browsing.refresh(tabs: sourceList.meantTabs.tabs)
    case .refreshAll: return browsing.refreshAll()
    case .pick: sourceList.pickAndGoOn()
    case .pickAll: sourceList.pickAll()
    case .markWatched:
      browsing.meantTabs = meantTabs
      defer { browsing.meantTabs = nil }
      return browsing.perform(.watched, at: now)
    case .undo: return browsing.undo(at: now)
    case .filter: sourceList.beginFilter()
    case .nextOrder: sourceList.chooseNextOrder()
    case .fold: sourceList.fold()
    case .keepDropped:
      if let list = askingList { browsing.lists[list]?.refuse() }
    case .back:
      if sourceList.clearPicks() || sourceList.clearFilter() { return [] }
      return library.waiting.hasRefreshes ? browsing.stopRefresh() : sourceList.close()
    case .close: return sourceList.close()
    }
    return []
  }

  private mutating func openSelectedRow() -> [AppEffect] {
    guard let tab = sourceList.selectedRow?.tab else {
      sourceList.fold()
      return []
    }
    if let list = askingList { return browsing.follow(list) }
    // The tab of a list is empty.
    if let list = selectedSource, let count = browsing.lists[list]?.feeds.count {
      return browsing.show(Words.list(library[list].name, count: count))
    }
    return sourceList.close() + browsing.selectTab(tab)
  }

  mutating func mouseArrivedOnSources(_ mouse: MouseEvent, _ regions: Regions) -> [AppEffect] {
    if let row = regions.tabs, row.contains(mouse.position) {
      guard case .tab(let place)? = tabBar.target(of: mouse, in: row) else { return [] }
      return sourceList.close() + browsing.selectTab(atPlace: place)
    }
    switch mouse.kind {
    case .wheelUp: sourceList.scroll(by: -CardsScreen.wheelRows)
    case .wheelDown: sourceList.scroll(by: CardsScreen.wheelRows)
    case .drag, .release: break
    case .press:
      let row = sourceList.offset + mouse.position.y - regions.whole.minY - SourceListView.headingRows
      guard regions.whole.contains(mouse.position), sourceList.visibleRows.contains(row) else { return [] }
      if row == sourceList.selection { return openSelectedRow() }
      sourceList.select(row)
    }
    return []
  }

  // MARK: - Drawing

  func drawSources(in frame: Rect, on canvas: inout Canvas) {
    let questions = browsing.lists.compactMapValues(\.question)
    SourceListView(
      list: sourceList, tabs: tabs, library: library, questions: questions, words: words, spinner: spinner.picture,
      now: clock
    ).draw(in: frame, on: &canvas)
  }

  var sourcesStatusLine: StatusLine {
    let count = sourceList.rows.count
    let result = Words.count(count == 0 ? 0 : sourceList.selection + 1, of: count)
    let progress = library.progress.isShown ? Words.refreshing(library.progress) : nil
    let picked = sourceList.pickCount > 0 ? Words.picked(sourceList.pickCount) : nil
    let filter = sourceList.needle.isEmpty ? nil : Words.filter(sourceList.needle)
    return StatusLine(
      position: count == 0 ? nil : (sourceList.selection + 1, count),
      spinner: library.isLoading ? spinner.picture : nil, name: Words.sources,
      facts: [picked, filter, progress, Words.sourceOrder(sourceList.order), selectedMissed, selectedFailure]
        .compactMap(\.self),
      message: toast.text,
      search: sourceList.prompt.map { Prompt.Line(Words.filterLabel, $0, result: result) }, hints: hints,
      widths: textWidths)
  }

  /// Its row may have no room for it.
  private var selectedFailure: String? {
    guard let source = selectedSource, case .failed(_, let failure, _, _) = library[source].loader.phase else {
      return nil
    }
    return browsing.lists[source] == nil ? Words.failed(failure) : Words.listFailed(failure, of: library[source].name)
  }

  private var selectedMissed: String? {
    let count = selectedSource.map { library.missedCount(of: $0) } ?? 0
    return count > 0 ? Words.missed(count) : nil
  }

  private var selectedSource: SourceID? { sourceList.selectedRow?.tab.flatMap { tabs[$0].content.source } }

  /// The live list of the selected row, if it asks whether to follow an answer.
  var askingList: SourceID? { selectedSource.flatMap { browsing.lists[$0]?.question == nil ? nil : $0 } }
}

extension Browsing {
  fileprivate mutating func refresh(tabs meant: [Int]) -> [AppEffect] {
    refresh(meant.flatMap { library.sources(of: tabs[$0].content).ids() })
  }

  fileprivate mutating func refreshAll() -> [AppEffect] {
    refresh(lists.keys.sorted { $0.number < $1.number } + library.sources(of: .all).ids())
  }
}
