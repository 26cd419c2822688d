import Geometry
import Screen
import VideoFeed
import WaterfallEngine

/// The cards: what is there, how it is laid out, which one is selected and what part of it is seen.
struct WaterfallScreen: Sendable {
  private(set) var cards = CardList()
  private(set) var kind: LayoutKind
  private(set) var layout: any Layout
  /// The selected card's number; there is one whenever there are cards.
  private(set) var selection: Int?
  /// The content's row that is shown first.
  private(set) var offset = 0
  /// The cells that the cards have to themselves.
  private(set) var viewport = Size.zero
  private var cellSize = Size(width: 8, height: 16)
  private let columns: ColumnRule
  /// Where moves to the neighbours mean to go.
  private var goal: NavigationGoal?
  /// Where the anchor was before the window began to change its size; nil again once the person has moved.
  private var homeAnchor: Anchor?
  var needle = ""
  /// Rows of the header that are shown above the first card.
  var headerRows = 0

  init(kind: LayoutKind, columns: ColumnRule) {
    self.kind = kind
    self.columns = columns
    layout = ListLayout(width: 0)
    layout = makeLayout()
  }

  var selectedVideo: Video? { selection.map { cards[$0] } }
  var isAtTop: Bool { offset == 0 }
  /// How many rows the view is moved down by the header.
  var shift: Int { isAtTop ? headerRows : 0 }

  // MARK: - Layout

  var metrics: CardMetrics {
    CardMetrics(kind: kind, columnWidth: layout.columnWidth(inSection: 0), cellSize: cellSize)
  }

  private var sectionMetrics: SectionMetrics {
    var metrics = SectionMetrics()
    metrics.columns = columns
    metrics.columnSpacing = CardMetrics.columnSpacing
    metrics.lineSpacing = CardMetrics.lineSpacing
    metrics.insets = EdgeInsets(left: viewport.width > 40 ? 1 : 0, right: viewport.width > 40 ? 1 : 0)
    metrics.footerHeight = cards.isEmpty ? 0 : 1
    return metrics
  }

  private func makeLayout() -> any Layout {
    var layout: any Layout =
      switch kind {
      case .waterfall: WaterfallLayout(width: viewport.width)
      case .grid: GridLayout(width: viewport.width)
      case .list: ListLayout(width: viewport.width)
      }
    carryOut { () throws(LayoutError) in try layout.appendSection(sectionMetrics) }
    return layout
  }

  private func heights(of range: Range<Int>) -> [Int] {
    let metrics = metrics
    return range.map { metrics.height(aspect: cards.aspects[$0], titleWidth: Int(cards.titleWidths[$0])) }
  }

  /// Lays everything out anew; the selected card, else the first one seen, keeps its row on the screen.
  private mutating func layOut() {
    let anchor = anchor
    layout = makeLayout()
    let heights = heights(of: 0..<cards.count)
    carryOut { () throws(LayoutError) in try layout.append(itemHeights: heights, toSection: 0) }
    goal = nil
    restore(anchor)
  }

  /// Takes another size. However many follow each other, coming back to one shows what it showed.
  mutating func resize(to size: Size, cellSize: Size) {
    guard size != viewport || cellSize != self.cellSize else { return }
    let home = homeAnchor ?? anchor
    let mustLayOut = size.width != viewport.width || cellSize != self.cellSize
    viewport = size
    self.cellSize = cellSize
    if mustLayOut { layOut() }
    restore(home)
    if let selection { show(selection) }
    homeAnchor = home
  }

  mutating func switchLayout(to kind: LayoutKind) {
    self.kind = kind
    layOut()
    if let selection { show(selection) }
  }

  // MARK: - Cards

  /// Adds what is new at the end and returns how many cards that were.
  mutating func append(_ videos: [Video]) -> Int {
    let before = cards.count
    let added = cards.append(videos)
    let heights = heights(of: before..<cards.count)
    carryOut { () throws(LayoutError) in
      if before == 0 { try layout.setFooterHeight(cards.isEmpty ? 0 : 1, ofSection: 0) }
      try layout.append(itemHeights: heights, toSection: 0)
    }
    if selection == nil, !cards.isEmpty { selection = 0 }
    return added
  }

  /// Puts new cards in the place of all others and returns how many there are. The selected video stays selected;
  /// who looked at the top goes on looking at the top.
  mutating func replace(with videos: [Video]) -> Int {
    let selectedID = selectedVideo?.id
    let oldAnchor = anchor
    let wasAtTop = isAtTop
    cards = CardList()
    selection = nil
    homeAnchor = nil
    layout = makeLayout()
    let count = append(videos)
    guard count > 0 else {
      offset = 0
      return 0
    }
    selection = selectedID.flatMap(cards.index(ofID:)) ?? 0
    goal = nil
    guard let selection, let oldAnchor else { return count }
    let anchor = Anchor(path: ElementPath(item: selection), screenRow: oldAnchor.screenRow)
    restore(wasAtTop ? nil : anchor)
    if !isSeen(selection) { if wasAtTop { self.selection = 0 } else { show(selection) } }
    return count
  }

  mutating func complete(_ video: Video) { cards.complete(video) }

  // MARK: - Where things are

  func frame(of item: Int) -> Rect { layout.layoutAttributesForItem(at: ElementPath(item: item)).frame }

  var maximumOffset: Int { max(0, layout.contentSize.height - viewport.height) }

  private func isSeen(_ item: Int) -> Bool {
    let frame = frame(of: item)
    return frame.minY >= offset && min(frame.maxY, frame.minY + viewport.height) <= offset + viewport.height
  }

  private var anchor: Anchor? {
    if let selection { return layout.anchor(at: ElementPath(item: selection), contentOffset: offset) }
    return layout.firstVisibleAnchor(contentOffset: offset, viewportLength: viewport.height)
  }

  var visibleItems: [LayoutAttributes] {
    visibleElements.filter { $0.kind == .item }
  }

  var visibleElements: [LayoutAttributes] {
    layout.layoutAttributesForElements(
      in: Rect(x: 0, y: offset, width: viewport.width, height: viewport.height))
  }

  private mutating func restore(_ anchor: Anchor?) {
    offset = anchor.map { layout.contentOffset(keeping: $0, viewportLength: viewport.height) } ?? 0
  }

  // MARK: - Scrolling

  private mutating func scroll(to offset: Int) {
    homeAnchor = nil
    self.offset = layout.clampedContentOffset(offset, viewportLength: viewport.height)
  }

  /// Shows the footer as well, unless the selected card, in a short column, would go out of sight for it.
  private mutating func scrollToEnd() {
    scroll(to: maximumOffset)
    if let selection, frame(of: selection).maxY <= offset { show(selection) }
  }

  /// Moves the view no further than it takes to see the card, its top first.
  mutating func show(_ item: Int) {
    homeAnchor = nil
    offset = layout.contentOffset(
      toShow: frame(of: item), currentOffset: offset, viewportLength: viewport.height, aligned: .nearest)
  }

  /// Moves the view by rows; a selected card that goes out of sight hands the selection to the nearest one seen.
  mutating func scrollView(by rows: Int) {
    scroll(to: offset + rows)
    guard let selection, !isSeen(selection) else { return }
    let column = frame(of: selection).midX
    let edge = rows > 0 ? offset : offset + viewport.height - 1
    guard let nearest = layout.item(nearestTo: Point(x: column, y: edge))?.item else { return }
    self.selection = nearest
    goal = nil
    guard !isSeen(nearest) else { return }
    var none: NavigationGoal?
    let path = ElementPath(item: nearest)
    let inner = layout.neighbor(of: path, toward: rows > 0 ? .down : .up, goal: &none)?.item
    if let inner, isSeen(inner) { self.selection = inner }
  }

  // MARK: - Selecting

  mutating func select(_ item: Int) {
    selection = item
    goal = nil
    show(item)
  }

  /// Moves the selection to the neighbour; false at the edge.
  mutating func move(_ direction: Direction) -> Bool {
    guard let selection else { return false }
    let path = ElementPath(item: selection)
    guard let target = layout.neighbor(of: path, toward: direction, goal: &goal) else {
      if direction == .down { scrollToEnd() }
      if direction == .up { scroll(to: 0) }
      return false
    }
    self.selection = target.item
    show(target.item)
    return true
  }

  /// Moves the selection about as many rows up or down, within its column.
  mutating func move(_ direction: Direction, byRows rows: Int) {
    guard let selection else { return }
    let path = ElementPath(item: selection)
    guard let target = layout.item(pageFrom: path, by: direction == .up ? -rows : rows) else {
      _ = move(direction)
      return
    }
    select(target.item)
  }

  mutating func selectFirst() {
    guard !cards.isEmpty else { return }
    select(0)
    scroll(to: 0)
  }

  mutating func selectLast() {
    guard !cards.isEmpty else { return }
    select(cards.count - 1)
    scrollToEnd()
  }

  /// The card at a cell of the screen.
  func item(at point: Point) -> Int? {
    let content = Point(x: point.x, y: point.y + offset - shift)
    return visibleItems.first { $0.frame.contains(content) }?.path.item
  }

  /// Whether so little lies behind what is seen that more should be loaded.
  func isNearEnd(_ readAhead: ReadAhead) -> Bool {
    switch readAhead {
    case .screens(let screens):
      layout.contentSize.height - (offset + viewport.height) < screens * viewport.height
    case .cards(let count):
      cards.count - (visibleItems.last?.path.item ?? selection ?? 0) < count
    }
  }

  /// The next card whose title holds the needle, from `start` on and around the end.
  func match(from start: Int, forward: Bool) -> Int? {
    let count = cards.count
    guard count > 0, let search = TitleSearch(needle) else { return nil }
    for step in 0..<count {
      let item = ((start + (forward ? step : -step)) % count + count) % count
      if search.match(in: cards[item].title) != nil { return item }
    }
    return nil
  }
}

/// Every size that a screen asks for is bounded by the terminal's, so that no layout refuses it.
private func carryOut(_ change: () throws(LayoutError) -> Void) {
  do { try change() } catch { preconditionFailure("the cards cannot be laid out: \(error)") }
}
