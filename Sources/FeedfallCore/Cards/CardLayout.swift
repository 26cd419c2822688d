import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

/// The layout of the cards: converts videos to the engine's sections and sizes, and its results to cards and cells.
///
/// Lengths and offsets are in rows, in columns for a horizontal layout.
struct CardLayout: Sendable {
  let kind: LayoutKind
  let traits: LayoutTraits
  /// A change applies to the layouts made by `emptied`.
  var options: LayoutOptions {
    didSet { isCurrent = isCurrent && options == oldValue }
  }
  let viewport: Size
  let cellSize: Size
  private(set) var engine: any CollectionLayout
  /// Above the cards of a vertical layout; a change applies to the layouts made by `emptied`.
  var header: CollectionHeader? {
    didSet { isCurrent = isCurrent && header == oldValue }
  }
  /// Whether the cards are in the order of one feed; a change applies to the layouts made by `emptied`.
  var hasFeedGroups = true {
    didSet { isCurrent = isCurrent && hasFeedGroups == oldValue }
  }
  /// Whether a layout made by `emptied` with the same cards appended would be the same.
  private(set) var isCurrent = true
  private var sections = CardSections()
  /// The median aspect of the first cards; nil before them.
  private var medianAspect: Double?

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
    engine = traits.makeEngine(viewport)
    guard traits.axis == .vertical, let height = header?.height(in: viewport) else { return }
    mustSucceed { () throws(LayoutError) in try engine.setGlobalHeader(GlobalHeader(height: height)) }
  }

  /// A layout without cards that has the same options and header, and for the same list the same median aspect.
  func emptied(_ kind: LayoutKind, viewport: Size, cellSize: Size, forNewList isListNew: Bool = false) -> CardLayout {
    var layout = CardLayout(
      kind, options: options, viewport: viewport, cellSize: cellSize, header: header,
      medianAspect: isListNew ? nil : medianAspect)
    layout.hasFeedGroups = hasFeedGroups
    layout.isCurrent = true
    return layout
  }

  /// Whether this layout is up to date and has the options, the size and the header of another one.
  func isCurrent(like other: CardLayout, _ store: CardStore) -> Bool {
    isCurrent && kind == other.kind && options == other.options && viewport == other.viewport
      && cellSize == other.cellSize && header == other.header && hasFeedGroups == other.hasFeedGroups
      && medianAspect == other.medianAspect && !hasGroups(store)
  }

  /// In another order or among the videos of other feeds, the runs of a feed's groups would be short.
  var grouping: Grouping { !hasFeedGroups && options.grouping == .feed ? .none : options.grouping }

  var hasHeader: Bool { engine.globalHeader.height > 0 }

  private var isHorizontal: Bool { traits.axis == .horizontal }

  /// The viewport's length in the direction of scrolling.
  var viewportLength: Int { isHorizontal ? viewport.width : viewport.height }
  var maximumOffset: Int { engine.clampedContentOffset(.max, viewportLength: viewportLength) }

  /// The width of the narrowest column, also before there is any card.
  private var columnWidth: Int {
    guard engine.sectionCount == 0 else { return engine.columnWidth(inSection: 0) }
    var empty = self
    empty.open(group: nil)
    return empty.engine.columnWidth(inSection: 0)
  }

  var metrics: CardMetrics {
    CardMetrics(
      traits, columnWidth: isHorizontal ? stage.card.width : columnWidth, cellSize: cellSize,
      columnSpacing: spacing.width, height: viewport.height - 2 * topMargin(isBelowHeader: false),
      medianAspect: medianAspect)
  }

  /// The middle of the carousel.
  var stage: CarouselStage { CarouselStage(in: viewport, cellSize: cellSize) }

  // MARK: - Cards

  var isEmpty: Bool { sections.isEmpty }

  /// Appends the cards of a range; no other card moves, except those of a last row that is not full.
  mutating func append(_ cards: CardList, _ range: Range<Int>, _ store: CardStore) {
    if medianAspect == nil, !range.isEmpty {
      medianAspect = CardMetrics.medianAspect(of: cards.shapes[range].prefix(Self.medianCount))
    }
    for run in runs(of: cards, range, store) {
      let section = sections.section(forCard: run.cards.lowerBound, of: run.group)
      if section == engine.sectionCount { open(group: run.group) }
      append(cards, run.cards, to: section)
    }
  }

  /// Inserts the first cards before all others, in their own sections: the others move as a whole.
  mutating func prepend(_ cards: CardList, count: Int, _ store: CardStore) {
    isCurrent = false
    sections.shift(by: count)
    for (section, run) in runs(of: cards, 0..<count, store).enumerated() {
      sections.insert(run.group, firstCard: run.cards.lowerBound, at: section)
      var metrics = metrics(ofGroup: run.group, isFirst: section == 0)
      metrics.footerHeight = 0
      mustSucceed { () throws(LayoutError) in try engine.insertSection(metrics, at: section) }
      append(cards, run.cards, to: section)
    }
  }

  /// Whether any card may be in a group. Horizontal layouts have no headers, and thus no groups.
  func hasGroups(_ store: CardStore) -> Bool {
    !isHorizontal && (grouping == .feed ? store.hasGroups : grouping != .none)
  }

  /// Splits a range into runs of consecutive cards of one group.
  private func runs(
    of cards: CardList, _ range: Range<Int>, _ store: CardStore
  ) -> [(group: String?, cards: Range<Int>)] {
    guard hasGroups(store) else { return range.isEmpty ? [] : [(nil, range)] }
    var runs: [(group: String?, cards: Range<Int>)] = []
    for card in range {
      let group = grouping.group(of: store[cards[card]].video)
      if let last = runs.last, last.group == group {
        runs[runs.count - 1].cards = last.cards.lowerBound..<card + 1
      } else {
        runs.append((group, card..<card + 1))
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
  private static let medianCount = 20

  private var spacing: Size { Self.bounded(options.spacing) }

  /// Whether there is room for a frame between the cards.
  var hasGutters: Bool { !traits.isTable && !isHorizontal && spacing.width > 0 && spacing.height > 0 }

  /// The free rows above the cards of a section, for the upper edge of a frame. The header of a feed ends with one.
  private func topMargin(isBelowHeader: Bool) -> Int {
    if let inset = options.inset { return Self.bounded(inset).height }
    return hasGutters && !isBelowHeader && viewport.height > Self.leastHeightForMargin ? 1 : 0
  }

  private static let leastHeightForMargin = 12

  /// The free columns on the left and the right of the cards, which leave room for a narrow card.
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

  /// The frames of usual cards that fill the viewport, to be shown until there are cards.
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

  /// The group that a section's cards share.
  func group(of section: Int) -> String? { sections.group(of: section) }

  func cardCount(ofSection section: Int) -> Int { engine.itemCount(inSection: section) }

  // MARK: - Geometry

  func card(at path: ElementPath) -> Int { sections.card(at: path) }

  /// A card's frame in the content.
  func frame(of card: Int) -> Rect { engine.frame(ofItem: sections.path(ofCard: card)) }

  /// The visible elements in cells of the viewport, in drawing order.
  func visibleElements(at offset: Int) -> [LayoutAttributes] {
    let seen = seen(at: offset)
    var elements = engine.layoutAttributes(inViewport: seen)
    for index in elements.indices {
      elements[index].frame = elements[index].frame.offsetBy(x: -seen.minX, y: -seen.minY)
    }
    return elements.contains { $0.zIndex != 0 } ? elements.sorted { $0.zIndex < $1.zIndex } : elements
  }

  /// The visible part of the content.
  func seen(at offset: Int) -> Rect { engine.viewport(at: offset, length: viewportLength) }

  /// The movements of the visible cards from their places in another layout.
  func transition(
    from old: CardLayout, at oldOffset: Int, to offset: Int, newIndex: (Int) -> Int?, oldIndex: (Int) -> Int?
  ) -> LayoutTransition {
    LayoutTransition(
      from: old.engine, in: old.seen(at: oldOffset), to: engine, in: seen(at: offset),
      newPath: { newIndex(old.card(at: $0)).map(sections.path) },
      oldPath: { oldIndex(card(at: $0)).map(old.sections.path) })
  }

  func clamped(_ offset: Int) -> Int { engine.clampedContentOffset(offset, viewportLength: viewportLength) }

  /// The offset that shows a card.
  func offset(toShow card: Int, from offset: Int, aligned alignment: ScrollAlignment) -> Int {
    engine.contentOffset(
      toShow: sections.path(ofCard: card), currentOffset: offset, viewportLength: viewportLength, aligned: alignment)
  }

  /// Whether a card is entirely visible, or at least fills the viewport.
  func shows(_ card: Int, at offset: Int) -> Bool {
    self.offset(toShow: card, from: offset, aligned: .nearest) == offset
  }

  /// The rows that the sticky header above a card may cover.
  func headerLength(over card: Int) -> Int {
    engine.stickyHeaderLength(ofSection: sections.path(ofCard: card).section)
  }

  /// The offset at which scrolling ends: in the carousel the nearest card snaps into the middle.
  func offset(forProposed offset: Int, velocity: Int) -> Int {
    engine.targetContentOffset(forProposed: offset, velocity: velocity, viewportLength: viewportLength)
  }

  /// A card and its distance from the viewport's start.
  struct Place: Equatable, Sendable {
    var card: Int
    var row: Int
    /// Whether the view begins at the top of the content.
    var isAtTop = false

    func mapped(_ index: (Int) -> Int) -> Place { Place(card: index(card), row: row, isAtTop: isAtTop) }
  }

  func place(of card: Int, at offset: Int) -> Place {
    let anchor = engine.anchor(at: sections.path(ofCard: card), contentOffset: offset)
    return Place(card: card, row: anchor.screenRow, isAtTop: offset == 0)
  }

  /// The place of the first visible card.
  func firstPlace(at offset: Int) -> Place? {
    engine.firstVisibleAnchor(contentOffset: offset, viewportLength: viewportLength)
      .map { Place(card: sections.card(at: $0.path), row: $0.screenRow, isAtTop: offset == 0) }
  }

  /// The offset that restores a card's place, as far as the content allows.
  func offset(keeping place: Place) -> Int {
    // A header of another height must not scroll a view that begins with it.
    if place.card == 0, place.isAtTop, hasHeader { return 0 }
    let anchor = ScrollAnchor(path: sections.path(ofCard: place.card), screenRow: place.row)
    return engine.contentOffset(keeping: anchor, viewportLength: viewportLength)
  }

  /// The card nearest to a cell of the viewport.
  func card(nearestTo point: Point, at offset: Int) -> Int? {
    let seen = seen(at: offset)
    return engine.item(nearestTo: Point(x: seen.minX + point.x, y: seen.minY + point.y)).map(sections.card)
  }

  func neighbor(of card: Int, toward direction: Direction, goal: inout NavigationGoal?) -> Int? {
    engine.neighbor(of: sections.path(ofCard: card), toward: direction, goal: &goal).map(sections.card)
  }

  /// The card of the same column about `length` further along the axis.
  func card(pageFrom card: Int, by length: Int) -> Int? {
    engine.item(pageFrom: sections.path(ofCard: card), by: length).map(sections.card)
  }
}

/// The terminal's size bounds all sizes, so no layout throws.
private func mustSucceed(_ change: () throws(LayoutError) -> Void) {
  do { try change() } catch { preconditionFailure("the cards cannot be laid out: \(error)") }
}
