import WaterfallEngine

@propertyWrapper
struct ComparableLayout: Equatable, Sendable {
  var wrappedValue: any CollectionLayout & Equatable

  static func == (left: Self, right: Self) -> Bool { isEqual(left.wrappedValue, right.wrappedValue) }

  private static func isEqual<Layout: Equatable>(_ left: Layout, _ right: Any) -> Bool { right as? Layout == left }
}

/// Converts videos to the engine's sections and sizes, and its results to cards and cells. Lengths and offsets are in
/// rows, in columns for a horizontal layout.
struct CardLayout: Equatable, Sendable {
  let kind: LayoutKind
  let traits: LayoutTraits
  /// A change applies to the layouts made by `emptied`.
  var options: LayoutOptions { didSet { isCurrent = isCurrent && options == oldValue } }
  let viewport: Size
  let cellSize: Size
  @ComparableLayout private(set) var engine: any CollectionLayout & Equatable
  private(set) var header: CollectionHeader?
  /// Whether the cards are in the order of one feed; a change applies to the layouts made by `emptied`.
  var hasFeedGroups = true { didSet { isCurrent = isCurrent && hasFeedGroups == oldValue } }
  /// Whether a layout made by `emptied` would have the same options.
  private var isCurrent = true
  private(set) var sections = CardSections()
  /// Nil before the first cards.
  private var medianAspect: Double?
  private var medianCount = CardLayout.usualMedianCount

  init(
    _ kind: LayoutKind, options: LayoutOptions, viewport: Size, cellSize: Size, header: CollectionHeader? = nil,
    medianAspect: Double? = nil
  ) {
    self.medianAspect = medianAspect
    self.kind = kind
    self.options = options
    self.viewport = viewport
    self.cellSize = cellSize
    traits = kind.traits(options.card)
    self.header = header
    engine = kind.makeEngine(viewport)
    setHeader(header)
  }

  mutating func setHeader(_ header: CollectionHeader?) {
    self.header = header
    guard !isHorizontal else { return }
    let height = header?.height(in: viewport) ?? 0
    mustSucceed { () throws(LayoutError) in
      try engine.setGlobalHeader(GlobalHeader(height: height))
      if engine.sectionCount > 0 { try updateFirstMetrics() }
    }
  }

  private mutating func updateFirstMetrics() throws(LayoutError) {
    var metrics = metrics(ofGroup: sections.header(of: 0), isFirst: true)
    metrics.footerHeight = engine.metrics(ofSection: 0).footerHeight
    try engine.setMetrics(metrics, ofSection: 0)
  }

  /// With the same options and header, and for the same list with the same median aspect.
  func emptied(_ kind: LayoutKind, viewport: Size, cellSize: Size, forNewList isListNew: Bool = false) -> CardLayout {
    var layout = CardLayout(
      kind, options: options, viewport: viewport, cellSize: cellSize, header: header,
      medianAspect: isListNew ? nil : medianAspect)
    layout.hasFeedGroups = hasFeedGroups
    layout.isCurrent = true
    if !isListNew { layout.medianCount = medianCount }
    return layout
  }

  /// With the next cards: the sizes of their covers may have become known since.
  mutating func retakeMedian() { medianAspect = nil }

  func isCurrent(_ store: CardStore) -> Bool { isCurrent && !hasGroups(store) && sections.count <= 1 }

  /// In another order or among the videos of other feeds, the runs of a feed's groups would be short.
  var grouping: LayoutOptions.Grouping { !hasFeedGroups && options.grouping == .feed ? .none : options.grouping }
  var hasHeader: Bool { engine.globalHeader.height > 0 }
  private var isHorizontal: Bool { traits.axis == .horizontal }

  /// Up to the end of the shortest column, where the next card may go.
  var filledLength: Int {
    guard engine.sectionCount > 0 else { return engine.contentLength }
    let ends = engine.columnEnds(inSection: engine.sectionCount - 1)
    return engine.contentLength - (ends.max() ?? 0) + (ends.min() ?? 0)
  }

  var maximumRowCount: Int {
    traits.cover == .above(.inRows) ? max(columnCount, viewport.width / CardMetrics.leastWidth) : columnCount
  }

  var viewportLength: Int { isHorizontal ? viewport.width : viewport.height }
  var maximumOffset: Int { engine.clampedContentOffset(.max, viewportLength: viewportLength) }

  private var columnWidth: Int { (engine.sectionCount > 0 ? engine : engineWithSection).columnWidth(inSection: 0) }
  private var columnCount: Int { (engine.sectionCount > 0 ? engine : engineWithSection).columnCount(inSection: 0) }

  private var engineWithSection: any CollectionLayout & Equatable {
    var empty = self
    empty.open(group: nil)
    return empty.engine
  }

  var metrics: CardMetrics {
    CardMetrics(
      traits, columnWidth: isHorizontal ? stage.card.width : columnWidth, cellSize: cellSize,
      columnSpacing: spacing.width, height: viewport.height - 2 * topMargin(isBelowHeader: false),
      medianAspect: medianAspect)
  }

  var stage: CarouselStage { CarouselStage(in: viewport, cellSize: cellSize) }

  // MARK: - Cards

  var isEmpty: Bool { sections.isEmpty }

  /// No other card moves, except those of a last row that is not full.
  mutating func append(_ cards: CardList, _ range: Range<Int>, _ store: CardStore) {
    if medianAspect == nil, !range.isEmpty {
      let first = cards.shapes[range].prefix(medianCount)
      (medianAspect, medianCount) = (CardMetrics.medianAspect(of: first), first.count)
    }
    for run in runs(of: cards, range, store) {
      let change = sections.append(run, columns: columnCount)
      withdraw(change.withdrawnCount)
      if change.opensSection { open(group: sections.header(of: sections.count - 1)) }
      append(cards, change.cards, to: sections.count - 1)
    }
  }

  private mutating func withdraw(_ count: Int) {
    guard count > 0 else { return }
    let (section, end) = (engine.sectionCount - 1, engine.itemCount(inSection: engine.sectionCount - 1))
    if count == end {
      engine.removeSection(at: section)
    } else {
      engine.remove(items: end - count..<end, fromSection: section)
    }
  }

  /// The other cards move as a whole.
  mutating func prepend(_ cards: CardList, count: Int, _ store: CardStore) {
    var added = CardSections()
    for run in runs(of: cards, 0..<count, store) { _ = added.append(run, columns: columnCount) }
    for section in 0..<added.count {
      var metrics = metrics(ofGroup: added.header(of: section), isFirst: section == 0)
      metrics.footerHeight = 0
      mustSucceed { () throws(LayoutError) in try engine.insertSection(metrics, at: section) }
      append(cards, added.cards(of: section, cardCount: count), to: section)
    }
    sections.prepend(added, cardCount: count)
  }

  /// The other cards stay in their columns, as far as the order of the layout allows. Returns false if the layout must
  /// be filled anew, before anything has changed.
  mutating func apply(
    _ difference: CardList.Difference, from old: CardList, to cards: CardList, _ store: CardStore
  ) -> Bool {
    guard isCurrent, !sections.isEmpty, !cards.isEmpty else { return false }
    if hasGroups(store) {
      regroup(from: old, to: cards, isChanged: !difference.isEmpty, store)
      return true
    }
    for range in difference.removals.reversed() { remove(range) }
    for range in difference.insertions { insert(cards, range) }
    let isAppended = difference.removals.isEmpty && difference.insertions.allSatisfy { $0.upperBound == cards.count }
    isUneven = isUneven || !isAppended
    return true
  }

  /// Cards that stay in a section stay in their columns. A list that has not changed may have other groups. O(cards).
  private mutating func regroup(from old: CardList, to cards: CardList, isChanged: Bool, _ store: CardStore) {
    var new = CardSections()
    for run in runs(of: cards, 0..<cards.count, store) { _ = new.append(run, columns: columnCount) }
    guard isChanged || new != sections else { return }
    // A copy, because the closures read the layout while its engine changes.
    let (layout, metrics, columns) = (self, metrics, columnCount)
    mustSucceed { () throws(LayoutError) in
      let changes = try BatchChanges(from: sections.version(of: old), to: new.version(of: cards))
      try engine.apply(changes) { id in
        layout.metrics(ofGroup: id.header, isFirst: false)
      } size: { slot in
        layout.size(of: cards.shapes[cards.index(of: slot) ?? 0], metrics, columns: columns)
      }
      for section in 0..<new.count {
        var metrics = layout.metrics(ofGroup: new.header(of: section), isFirst: section == 0)
        if section < new.count - 1 { metrics.footerHeight = 0 }
        if metrics != engine.metrics(ofSection: section) { try engine.setMetrics(metrics, ofSection: section) }
      }
    }
    (sections, isUneven) = (new, true)
  }

  private mutating func remove(_ range: Range<Int>) {
    var end = range.upperBound
    while end > range.lowerBound {
      let last = sections.path(ofCard: end - 1)
      let count = min(end - range.lowerBound, last.item + 1)
      engine.remove(items: last.item + 1 - count..<last.item + 1, fromSection: last.section)
      sections.removeCards(count, fromSection: last.section)
      if engine.itemCount(inSection: last.section) == 0, engine.sectionCount > 1 { removeSection(at: last.section) }
      end -= count
    }
  }

  private mutating func removeSection(at section: Int) {
    let footerHeight = engine.metrics(ofSection: section).footerHeight
    engine.removeSection(at: section)
    sections.removeSection(at: section)
    mustSucceed { () throws(LayoutError) in
      // Only the last section has a footer.
      if section == engine.sectionCount { try engine.setFooterHeight(footerHeight, ofSection: section - 1) }
      if section == 0 { try updateFirstMetrics() }
    }
  }

  private mutating func insert(_ cards: CardList, _ range: Range<Int>) {
    let path = sections.path(ofCard: range.lowerBound)
    let metrics = metrics
    let columns = engine.columnCount(inSection: path.section)
    var sizes: [ItemSize] = []
    for index in range { sizes.append(size(of: cards.shapes[index], metrics, columns: columns)) }
    mustSucceed { () throws(LayoutError) in try engine.insert(sizes, at: path) }
    sections.insertCards(range.count, inSection: path.section)
  }

  /// Cards stay in their columns. Returns false if the layout must be filled anew, because their widths differ, before
  /// anything has changed.
  mutating func setHeights(of changed: [Int], _ cards: CardList) -> Bool {
    guard let first = changed.first, let last = changed.last else { return true }
    let metrics = metrics
    var heights: [Int: Int] = [:]
    for card in changed {
      guard let height = height(of: card, cards.shapes[card], metrics) else { return false }
      heights[card] = height
    }
    // One change per section costs less than one per card.
    var start = first
    while start <= last {
      let path = sections.path(ofCard: start)
      let end = min(last + 1, start + engine.itemCount(inSection: path.section) - path.item)
      var new: [Int] = []
      for card in start..<end {
        new.append(
          heights[card]
            ?? engine.itemSize(at: ElementPath(section: path.section, item: path.item + card - start)).height)
      }
      mustSucceed { () throws(LayoutError) in try engine.setItemHeights(new, from: path, areEstimates: false) }
      start = end
    }
    isUneven = true
    return true
  }

  /// Nil if the shape gives the card another width or span.
  private func height(of card: Int, _ shape: CardShape, _ metrics: CardMetrics) -> Int? {
    let path = sections.path(ofCard: card)
    let (old, new) = (
      engine.itemSize(at: path), size(of: shape, metrics, columns: engine.columnCount(inSection: path.section))
    )
    return old.span == new.span && old.width == new.width ? new.height : nil
  }

  // MARK: - Sizes of covers

  /// Where each card has a height of its own, it takes its cover's proportions while it is shown.
  var isSelfSizing: Bool { traits.cover == .above(.own) }

  /// Returns false if that would move a card that begins in the row of the `fixed` card or above it, or make the
  /// content end within the view. Otherwise only cards below have moved.
  mutating func adopt(_ shape: CardShape, of card: Int, keeping fixed: Int, offset: Int) -> Bool {
    let (path, fixedPath) = (sections.path(ofCard: card), sections.path(ofCard: fixed))
    guard path.section >= fixedPath.section, let height = height(of: card, shape, metrics) else { return false }
    let (frame, row) = (frame(of: card), frame(of: fixed).minY)
    let isBelow =
      path.section > fixedPath.section || frame.maxY + engine.metrics(ofSection: path.section).lineSpacing > row
    let shrinking = max(0, engine.itemSize(at: path).height - height)
    guard isBelow, shrinking == 0 || offset <= maximumOffset - shrinking || offset == 0 else { return false }
    mustSucceed { () throws(LayoutError) in try engine.setItemHeight(height, at: path) }
    isUneven = true
    return true
  }

  private(set) var isUneven = false

  private static let maximumTail = 256

  /// Places the cards behind the window as if they were appended anew, so that the columns end evenly, once they are
  /// few. O(1) before, O(their number) then.
  mutating func evenOut(behind offset: Int) {
    guard isUneven, kind == .waterfall, !sections.isEmpty else { return }
    let section = engine.sectionCount - 1
    let end = offset + viewportLength
    func isBehind(_ item: Int) -> Bool { engine.frame(ofItem: ElementPath(section: section, item: item)).minY >= end }
    let count = engine.itemCount(inSection: section)
    guard count <= Self.maximumTail || !isBehind(count - Self.maximumTail) else { return }
    var first = count
    while first > 0, isBehind(first - 1) { first -= 1 }
    isUneven = false
    if first < count { engine.repack(from: ElementPath(section: section, item: first)) }
  }

  /// Whether any card may be in a group. Horizontal layouts have no headers, and thus no groups.
  func hasGroups(_ store: CardStore) -> Bool {
    !isHorizontal && (grouping == .feed ? store.hasGroups : grouping != .none)
  }

  private func runs(of cards: CardList, _ range: Range<Int>, _ store: CardStore) -> [CardSections.Run] {
    guard hasGroups(store) else { return range.isEmpty ? [] : [CardSections.Run(group: nil, cards: range)] }
    var runs: [CardSections.Run] = []
    for card in range {
      let group = grouping.group(of: store[cards[card]].video, in: store.zone)
      if let last = runs.last, last.group == group {
        runs[runs.count - 1].cards = last.cards.lowerBound..<card + 1
      } else {
        runs.append(CardSections.Run(group: group, cards: card..<card + 1))
      }
    }
    return runs
  }

  private mutating func append(_ cards: CardList, _ range: Range<Int>, to section: Int) {
    let metrics = metrics
    let columns = engine.columnCount(inSection: section)
    if let heights = metrics.heights(of: cards.shapes[range], columns: columns) {
      mustSucceed { () throws(LayoutError) in try engine.append(itemHeights: heights, toSection: section) }
      return
    }
    // A loop, because a closure would copy the layout.
    var sizes: [ItemSize] = []
    sizes.reserveCapacity(range.count)
    for index in range { sizes.append(size(of: cards.shapes[index], metrics, columns: columns)) }
    mustSucceed { () throws(LayoutError) in try engine.append(sizes, toSection: section) }
  }

  private func size(of shape: CardShape, _ metrics: CardMetrics, columns: Int) -> ItemSize {
    let span = min(metrics.span(of: shape), columns)
    let width = metrics.columnWidth * span + spacing.width * (span - 1)
    return ItemSize(
      height: metrics.length(of: shape, width: width), span: .columns(span),
      width: metrics.ownWidth(of: shape) ?? (span > 1 && traits.spans == .widths ? width : nil))
  }

  /// About a page: the tab of all sources is laid out once several pages have arrived.
  private static let usualMedianCount = 20

  private var spacing: Size { Self.bounded(options.spacing) }

  var hasGutters: Bool { !traits.isTable && !isHorizontal && spacing.width > 0 && spacing.height > 0 }

  /// The free rows above the cards of a section, for the upper edge of a frame. The header of a feed ends with one.
  private func topMargin(isBelowHeader: Bool) -> Int {
    if let inset = options.inset { return Self.bounded(inset).height }
    return hasGutters && !isBelowHeader && viewport.height > Self.leastHeightForMargin ? 1 : 0
  }

  private static let leastHeightForMargin = 12

  var margin: Int {
    guard let inset = options.inset else { return traits.isTable || viewport.width <= 40 ? 0 : 1 }
    return min(Self.bounded(inset).width, max(0, viewport.width - CardMetrics.leastWidth) / 2)
  }

  private static func bounded(_ size: Size) -> Size {
    let range = 0...LayoutOptions.maximumSpacing
    return Size(
      width: min(max(size.width, range.lowerBound), range.upperBound),
      height: min(max(size.height, range.lowerBound), range.upperBound))
  }

  private mutating func open(group: String?) {
    let metrics = metrics(ofGroup: group, isFirst: engine.sectionCount == 0)
    mustSucceed { () throws(LayoutError) in
      // Only the last section has a footer.
      if engine.sectionCount > 0 { try engine.setFooterHeight(0, ofSection: engine.sectionCount - 1) }
      try engine.appendSection(metrics)
    }
  }

  private func metrics(ofGroup group: String?, isFirst: Bool) -> SectionMetrics {
    var metrics = SectionMetrics()
    metrics.columns = options.columns
    metrics.columnSpacing = spacing.width
    metrics.lineSpacing = traits.isTable ? 0 : spacing.height
    metrics.order = options.order
    metrics.spanPacking = .reordering(within: 9)
    if isHorizontal {
      let stage = stage
      metrics.lineSpacing = spacing.width
      metrics.insets = Insets(left: stage.top, right: max(0, viewport.height - stage.top - stage.card.height))
    } else {
      let rows = Self.bounded(options.inset ?? .zero).height
      let hasGroup = group != nil
      metrics.insets = Insets(
        top: isFirst || hasGroup ? topMargin(isBelowHeader: hasHeader && !hasGroup) : rows, left: margin,
        // A row of air above the next group, or for the lower edge of a frame above the footer.
        bottom: max(rows, hasGroup || hasGutters ? 1 : 0), right: margin)
      metrics.footerHeight = 1
      metrics.headerHeight = hasGroup ? 1 : 0
      metrics.isHeaderSticky = hasGroup
    }
    return metrics
  }

  func outlines() -> [Rect] {
    var empty = emptied(kind, viewport: viewport, cellSize: cellSize)
    empty.open(group: nil)
    let section = empty.engine.sectionCount - 1
    let (metrics, columns) = (metrics, empty.engine.columnCount(inSection: section))
    let size = size(of: .usual, metrics, columns: columns)
    // The row behind the visible ones fills the last of these.
    let count = min(Self.maximumOutlines, columns * (viewportLength / max(1, size.height) + 2))
    mustSucceed { () throws(LayoutError) in
      try empty.engine.append(Array(repeating: size, count: count), toSection: section)
    }
    return empty.visibleElements(at: 0).filter { $0.kind == .item }.map(\.frame)
  }

  private static let maximumOutlines = 500

  func group(of section: Int) -> String? { sections.header(of: section) }

  func label(of card: Int) -> String? { sections.label(ofCard: card) }

  func cardCount(ofSection section: Int) -> Int { engine.itemCount(inSection: section) }
}

/// The terminal's size bounds all sizes, so no layout throws.
private func mustSucceed(_ change: () throws(LayoutError) -> Void) {
  do { try change() } catch { preconditionFailure("the cards cannot be laid out: \(error)") }
}
