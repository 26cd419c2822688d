import FeedfallFilters
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The list of all sources and views, in the place of the cards.
struct SourceListScreen: Equatable, Sendable {
  enum Command: Equatable, Sendable {
    case move(CardMove)
    case open, refresh, refreshAll
    case filter, nextOrder, fold
    case pick, pickAll, markWatched, undo
    case keepDropped
    case back, close
  }

  enum Order: CaseIterable, Sendable { case name, unwatched, age }

  enum Row: Hashable, Sendable {
    /// The heading of the sources with a tag, or of those without one.
    case section(String?)
    /// A tab below the heading of a tag.
    case tab(Int, in: String?)

    var tab: Int? { if case .tab(let tab, _) = self { tab } else { nil } }
    fileprivate var tag: String? {
      switch self {
      case .section(let tag), .tab(_, let tag): tag
      }
    }
  }

  private struct Entry: Equatable {
    var tab: Int
    /// Nil for a view and for All.
    var source: SourceID?
    var tags: [String]
    /// Folded.
    var (name, tagText): ([UInt8], [UInt8])
  }

  /// The inputs of the entries.
  private struct NameVersion: Equatable {
    var (names, tabCount): (Int, Int)
  }

  /// The inputs of the rows.
  private struct RowVersion: Equatable {
    var names: NameVersion
    var needle: String
    var order: Order
    var folded: Set<String?>
    var counts: Int?
    var lists: Library.ListVersion?
  }

  private(set) var isShown = false
  /// All and the views in the order of their tabs, then the sources by name.
  private var entries: [Entry] = []
  /// The numbers of sources by tag, and of those without one.
  private var sectionCounts: [String?: Int] = [:]
  private(set) var rows: [Row] = []
  private(set) var selection = 0
  /// The first visible row.
  private(set) var offset = 0
  private var height = 0
  private(set) var order = Order.name
  private(set) var needle = ""
  private(set) var prompt: Prompt?
  private(set) var counts = SourceCounts()
  private var folded: Set<String?> = []
  /// The sources that are selected together.
  private var picks: Set<SourceID> = []
  private var pause = Pause()
  private var (names, version): (NameVersion?, RowVersion?)

  /// Pending keys are handled before the next batch is counted.
  private static let countingPause = Duration.milliseconds(1)

  var hasPrompt: Bool { prompt != nil }
  var selectedRow: Row? { rows.indices.contains(selection) ? rows[selection] : nil }
  var isCounting: Bool { pause.isRunning }
  var visibleRows: Range<Int> { min(offset, rows.count)..<min(rows.count, offset + height) }

  var pickCount: Int { picks.isEmpty ? 0 : entries.count { $0.source.map(picks.contains) == true } }

  func isFolded(_ tag: String?) -> Bool { folded.contains(tag) }

  func isPicked(_ source: SourceID?) -> Bool { source.map(picks.contains) == true }

  /// Selects the row of a tab.
  mutating func open(at tab: Int) {
    (isShown, needle, prompt) = (true, "", nil)
    // The rows may be those of another filter.
    (rows, version) = ([.tab(tab, in: nil)], nil)
    selection = 0
  }

  mutating func close() -> [AppEffect] {
    (isShown, prompt) = (false, nil)
    return pause.cancel()
  }

  // MARK: - Selection

  var meantTabs: MeantTabs {
    let picked = picks.isEmpty ? [] : entries.filter { isPicked($0.source) }.map(\.tab)
    if !picked.isEmpty { return .chosen(picked) }
    switch selectedRow {
    case nil: return .group([])
    case .section(let tag):
      let members = entries.filter { entry in tag.map(entry.tags.contains) ?? entry.tags.isEmpty }
      return .group(members.filter { $0.source != nil }.map(\.tab))
    case .tab(let tab, _): return sources(ofTabs: [tab]).isEmpty ? .group([tab]) : .chosen([tab])
    }
  }

  mutating func pickAndGoOn() {
    for source in sources(ofTabs: [selectedRow?.tab].compactMap(\.self)) where picks.remove(source) == nil {
      picks.insert(source)
    }
    move(.down)
  }

  /// Selects the sources of all rows, or none if all are selected.
  mutating func pickAll() {
    let all = sources(ofTabs: rows.compactMap(\.tab))
    if all.allSatisfy(picks.contains) { picks.subtract(all) } else { picks.formUnion(all) }
  }

  private func sources(ofTabs tabs: [Int]) -> [SourceID] {
    let wanted = Set(tabs)
    return entries.compactMap { wanted.contains($0.tab) ? $0.source : nil }
  }

  /// Returns false if none are selected.
  mutating func clearPicks() -> Bool {
    defer { picks = [] }
    return pickCount > 0
  }

  // MARK: - Keys and mouse

  mutating func handle(_ input: Prompt.Input) {
    switch prompt?.handle(input) {
    case nil: break
    case .changed: followPrompt()
    case .accepted: prompt = nil
    case .cancelled: (prompt, needle) = (nil, "")
    }
  }

  mutating func paste(_ text: String) {
    prompt?.paste(text)
    followPrompt()
  }

  private mutating func followPrompt() {
    guard let prompt else { return }
    (needle, selection, offset) = (prompt.needle, 0, 0)
  }

  mutating func beginFilter() { prompt = Prompt(needle: needle, acceptsEmptyText: true) }

  /// Returns false if there is no filter.
  mutating func clearFilter() -> Bool {
    defer { needle = "" }
    return !needle.isEmpty
  }

  mutating func chooseNextOrder() {
    let all = Order.allCases
    order = all[((all.firstIndex(of: order) ?? 0) + 1) % all.count]
  }

  /// Folds or unfolds the section of the selected row.
  mutating func fold() {
    guard needle.isEmpty, let row = selectedRow, rows.contains(.section(row.tag)) else { return }
    if folded.remove(row.tag) == nil { folded.insert(row.tag) }
    selection = rows.firstIndex(of: .section(row.tag)) ?? selection
  }

  mutating func move(_ move: CardMove) {
    let page = max(1, height)
    let step =
      switch move {
      case .left, .right: 0
      case .up: -1
      case .down: 1
      case .halfPageUp: -max(1, page / 2)
      case .halfPageDown: max(1, page / 2)
      case .pageUp: -page
      case .pageDown: page
      case .first: -rows.count
      case .last: rows.count
      }
    select(selection + step)
  }

  mutating func select(_ row: Int) { selection = max(0, min(row, rows.count - 1)) }

  /// The selection stays in the window.
  mutating func scroll(by step: Int) {
    offset = max(0, min(offset + step, rows.count - height))
    select(max(offset, min(selection, offset + height - 1)))
  }

  // MARK: - Rows

  /// Call it after each event while the list is shown or the tab bar needs the counts. `height` is in rows.
  mutating func update(_ tabs: TabList, _ library: Library, height: Int, _ tickets: inout TicketOffice) -> [AppEffect] {
    if isShown { updateRows(tabs, library, height: height) }
    guard !pause.isRunning, !counts.isCurrent(in: library) else { return [] }
    return pause.begin(Self.countingPause, &tickets, Wait.counts)
  }

  private mutating func updateRows(_ tabs: TabList, _ library: Library, height: Int) {
    self.height = max(0, height)
    let names = NameVersion(names: library.joined.revision, tabCount: tabs.openCount)
    if names != self.names {
      (entries, self.names) = (Self.entries(tabs, library), names)
    }
    let version = RowVersion(
      names: names, needle: needle, order: order, folded: folded,
      counts: order == .unwatched || library.hidesWatched ? counts.revision : nil,
      lists: order == .age ? library.listVersion : nil)
    if version != self.version {
      self.version = version
      let listed = listed(library)
      sectionCounts = listed.lazy.filter { $0.source != nil }.reduce(into: [:]) { counts, entry in
        for tag in entry.tags.isEmpty ? [nil] : entry.tags.map(Optional.init) { counts[tag, default: 0] += 1 }
      }
      replaceRows(with: rows(listed, library))
    }
    offset = max(0, min(max(min(offset, selection), selection - self.height + 1), rows.count - 1))
  }

  mutating func countingPauseElapsed(_ ticket: Ticket, _ tabs: TabList, _ library: Library) {
    guard pause.end(ticket) else { return }
    counts.update(library, first: rows[visibleRows].compactMap { $0.tab.flatMap { tabs[$0].content.source } })
  }

  /// With `unwatched-only`, those with unwatched videos.
  private func listed(_ library: Library) -> [Entry] {
    guard library.hidesWatched else { return entries }
    return entries.filter { $0.source.map { counts[$0]?.unwatched != 0 || library[$0].settings.list != nil } ?? true }
  }

  private mutating func replaceRows(with new: [Row]) {
    let selected = selectedRow
    rows = new
    let same = selected.flatMap { row in
      new.firstIndex(of: row) ?? row.tab.flatMap { tab in new.firstIndex { $0.tab == tab } }
    }
    select(needle.isEmpty || prompt == nil ? same ?? selection : selection)
  }

  private static func entries(_ tabs: TabList, _ library: Library) -> [Entry] {
    func entry(_ tab: Int, _ tags: [String] = []) -> Entry {
      let content = tabs[tab].content
      return Entry(
        tab: tab, source: content.source, tags: tags, name: FeedfallFilters.folded(library.name(of: content)),
        tagText: FeedfallFilters.folded(tags.joined(separator: " ")))
    }
    let sources = tabs.indices.compactMap { index in
      tabs[index].content.source.flatMap { library[$0].isClosed ? nil : entry(index, library[$0].settings.tags) }
    }
    return tabs.visible.filter { tabs[$0].content.source == nil }.map { entry($0) }
      + sources.sorted { $0.name[...].precedesNaturally($1.name[...]) }
  }

  /// A filter by letters finds the others as well.
  private func rows(_ listed: [Entry], _ library: Library) -> [Row] {
    if let match = FuzzyMatch(needle) {
      let found = ordered(entries[...], library).compactMap { entry in
        Self.score(of: entry, match).map { (entry: entry, score: $0) }
      }
      return found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
        .map { .tab($0.element.entry.tab, in: nil) }
    }
    let start = listed.firstIndex { $0.source != nil } ?? listed.count
    return listed[..<start].map { .tab($0.tab, in: nil) } + sections(of: ordered(listed[start...], library))
  }

  /// A match in the tags counts less than one in the name.
  private static func score(of entry: Entry, _ match: FuzzyMatch) -> Int? {
    [match.score(in: entry.name), match.score(in: entry.tagText).map { $0 / 2 }].compactMap(\.self).max()
  }

  /// A source is in the section of each of its tags.
  private func sections(of entries: [Entry]) -> [Row] {
    var tabs: [String: [Int]] = [:]
    for entry in entries { for tag in entry.tags { tabs[tag, default: []].append(entry.tab) } }
    let others = entries.filter(\.tags.isEmpty).map(\.tab)
    guard !tabs.isEmpty else { return others.map { .tab($0, in: nil) } }
    let tags: [String?] = tabs.keys.sorted() + (others.isEmpty ? [] : [nil])
    return tags.flatMap { tag in
      [.section(tag)] + (folded.contains(tag) ? [] : (tag.map { tabs[$0] ?? [] } ?? others).map { .tab($0, in: tag) })
    }
  }

  private func ordered(_ entries: ArraySlice<Entry>, _ library: Library) -> [Entry] {
    func sorted(_ key: (SourceID) -> Int?) -> [Entry] {
      let keys = entries.map { $0.source.map { key($0) ?? .min } ?? .max }
      return zip(keys, entries).enumerated().sorted { ($1.element.0, $0.offset) < ($0.element.0, $1.offset) }
        .map(\.element.1)
    }
    return switch order {
    case .name: Array(entries)
    case .unwatched: sorted { counts[$0]?.unwatched }
    case .age: sorted { library[$0].updatedAt?.seconds }
    }
  }

  func sectionCount(_ tag: String?) -> Int { sectionCounts[tag] ?? 0 }
}

/// The tabs that a command in the list of sources means.
enum MeantTabs: Equatable, Sendable {
  /// The source of the selected row, or those that are selected together.
  case chosen([Int])
  /// A view, All, or the sources of a tag.
  case group([Int])

  var tabs: [Int] {
    switch self {
    case .chosen(let tabs), .group(let tabs): tabs
    }
  }
}
