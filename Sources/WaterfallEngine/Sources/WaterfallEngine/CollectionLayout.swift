/// A layout: a value that stores the sizes of sections and items and returns their frames. It is always ready; there is
/// no preparation step.
///
/// A layout never asks a view: the host passes sizes and reads frames, in whole units. An invalid size is a
/// `LayoutError`, thrown before anything has changed. A section or path that does not exist is a programming error.
public protocol CollectionLayout: Sendable {
  /// An empty layout whose content is `breadth` units across the direction of scrolling: the width, or the height if it
  /// scrolls sideways; clamped to `0...LayoutLimits.length`. O(1).
  init(breadth: Int, orientation: Orientation)

  /// The content's extent across the direction of scrolling, in units. O(1).
  var breadth: Int { get }
  /// The direction of scrolling, and whether the layout is mirrored. O(1).
  var orientation: Orientation { get }
  /// The size of all sections together. O(1).
  var contentSize: Size { get }
  /// The number of sections, including empty ones. O(1).
  var sectionCount: Int { get }
  /// Returns the number of items in a section. O(1).
  func itemCount(inSection section: Int) -> Int
  /// Returns the measures of a section. O(1).
  func metrics(ofSection section: Int) -> SectionMetrics
  /// Returns the number of columns, at least 1. O(1).
  func columnCount(inSection section: Int) -> Int
  /// Returns the narrowest column's width, in units; without weights the others are at most one unit wider. O(1).
  func columnWidth(inSection section: Int) -> Int
  /// Returns a column's width, in units. O(1).
  func width(ofColumn column: Int, inSection section: Int) -> Int
  /// Returns the content offset at which the lowest item of each column ends; for a column without items, the one at
  /// which its first item would start. Load more near the end of the shortest column. O(columns), in an arrangement
  /// O(columns × items of the last rows).
  func columnEnds(inSection section: Int) -> [Int]
  /// Returns the size that the host gave an item. O(1).
  func itemSize(at path: ElementPath) -> ItemSize
  /// The header above all sections. O(1).
  var globalHeader: GlobalHeader { get }
  /// Returns the frame of the section with its header, insets and footer. O(1).
  func frame(ofSection section: Int) -> Rect

  // MARK: - Changes

  /// Adds an empty section before the one at `index`, or as the last one. Returns the part of the content outside of
  /// which nothing moved. O(columns + sections below).
  @discardableResult
  mutating func insertSection(_ metrics: SectionMetrics, at index: Int) throws(LayoutError) -> Rect
  /// Removes all sections but those of these numbers, and puts these in this order, with their items. Returns the part
  /// of the content outside of which nothing moved. O(sections).
  @discardableResult
  mutating func selectSections(_ numbers: [Int]) -> Rect
  /// Changes the measures of a section. Its items are packed anew if its columns change their places, or the line
  /// spacing, the order or the packing of spans changes. Returns the part of the content outside of which nothing
  /// moved. O(columns + sections below), and O(items of the section) if they are packed anew.
  @discardableResult
  mutating func setMetrics(_ metrics: SectionMetrics, ofSection section: Int) throws(LayoutError) -> Rect
  /// Adds items by their heights, in units, at the end of the section. No other item of the section moves, except those
  /// that an arrangement has open; the sections below move down as a whole. Returns the part of the content outside of
  /// which nothing moved.
  /// O(number added × log columns + columns + sections below), with tolerance × columns.
  @discardableResult
  mutating func append(itemHeights: [Int], toSection section: Int) throws(LayoutError) -> Rect
  /// Inserts items before the one at `path`, or at the section's end. In a waterfall each goes under the column that
  /// the order chooses at that place, and only the items below it in that column move; in a strict order and in a grid
  /// all that follow move on. Returns the part of the content outside of which nothing moved.
  /// O(number added + items behind + sections below); at the end the cost of appending.
  @discardableResult
  mutating func insert(_ items: [ItemSize], at path: ElementPath) throws(LayoutError) -> Rect
  /// Removes items. In a waterfall the items below them in their columns move up; in a strict order and in a grid all
  /// that follow move up. Returns the part of the content outside of which nothing moved.
  /// O(items behind ÷ 8 × items removed + sections below) for up to 8 items of a waterfall without spans: for one item,
  /// about 4 % of the time to lay out those behind. Otherwise O(items behind + sections below).
  @discardableResult
  mutating func remove(items range: Range<Int>, fromSection section: Int) -> Rect
  /// Changes the heights of items, in units, from the one at `path` on. They stay in their columns, and only the items
  /// below them in those move. Returns the part of the content outside of which nothing moved.
  /// O(number of heights + items behind ÷ 8 + sections below), O(items of the blocks) where items span columns, and
  /// O(items behind) in an arrangement and in a grid in which an item has a width of its own.
  @discardableResult
  mutating func setItemHeights(
    _ heights: [Int], from path: ElementPath, areEstimates: Bool
  ) throws(LayoutError) -> Rect
  /// Changes the size of an item: its height, its span, its width. In a waterfall it keeps its first column, as far as
  /// there is room for its span, and only the items below it in its columns move; in a strict order all that follow are
  /// distributed again if the span changes. In a grid all that follow move on if a width changes. Returns the part of
  /// the content outside of which nothing moved. The cost of `setItemHeights` if only the height changes, else O(items
  /// behind + sections below).
  @discardableResult
  mutating func setItemSize(_ size: ItemSize, at path: ElementPath) throws(LayoutError) -> Rect
  /// Places the items from the one at `path` on as if they were appended again, because changed heights, insertions and
  /// removals leave a waterfall's columns uneven. Call it when nothing visible can jump. Returns the part of the
  /// content outside of which nothing moved. O(items behind × log columns + sections below).
  @discardableResult
  mutating func repack(from path: ElementPath) -> Rect
  /// Changes the content's extent across the direction of scrolling, as `init` clamps it. Sections whose columns change
  /// pack their items anew. Returns the part of the content outside of which nothing moved. O(items × log columns).
  @discardableResult
  mutating func setBreadth(_ breadth: Int) -> Rect
  /// Changes the header above all sections. Returns the part of the content outside of which nothing moved.
  /// O(sections).
  @discardableResult
  mutating func setGlobalHeader(_ header: GlobalHeader) throws(LayoutError) -> Rect
  /// Sets the length of the viewport along the scrolling, in units. Only a carousel uses it. O(sections).
  mutating func setViewportLength(_ length: Int)

  // MARK: - Frames

  /// Returns an element, nil if the section or the layout has none of the kind: its height is 0. O(1), with 8 steps a
  /// column.
  func layoutAttributes(of kind: ElementKind, at path: ElementPath) -> LayoutAttributes?
  /// Returns exactly the elements that touch `rect`: the global header, then by section; in each the background and the
  /// elements behind, the header, the bars above the items, the items by number, each followed by its separator and the
  /// elements over it, the bars below the items, the footer. O(log sections + columns × log items + found × log
  /// columns), regardless of the items' heights.
  func layoutAttributes(in rect: Rect) -> [LayoutAttributes]
  /// Returns the elements that a viewport shows, sticky headers and footers where they are pinned to its edges, a
  /// carousel's items scaled by their distance from its middle; and those up to `overscan` units before and behind it
  /// along the scrolling, to prepare them before they are visible. The cost of a query.
  func layoutAttributes(inViewport viewport: Rect, overscan: Int) -> [LayoutAttributes]
  /// Returns whether scrolling changes elements other than by moving them, so that they must be queried again. O(1).
  func invalidates(forBoundsChangeFrom oldBounds: Rect, to newBounds: Rect) -> Bool
  /// Returns the offset at which scrolling should end instead of the proposed one, in units. Of `velocity` only the
  /// sign counts: positive toward the content's end, 0 for no flick. O(log items).
  func targetContentOffset(forProposed offset: Int, velocity: Int, viewportLength: Int) -> Int

  // MARK: - Navigation

  /// Returns the neighbor of an item in a direction of the screen, nil at the edge. `goal` carries the target row or
  /// column from move to move; start with nil.
  ///
  /// Along the scrolling a move stays in the column, and continues in the nearest column of the next section that has
  /// items. O(log items), off screen too; O(empty sections) more where they are crossed.
  func neighbor(of path: ElementPath, toward direction: Direction, goal: inout NavigationGoal?) -> ElementPath?
  /// Returns the item nearest to a point: in the section nearest to its row, in the column nearest to it, the nearest
  /// item; nil when there are no items. O(log items + log sections), and O(empty sections) where they lie at the point.
  func item(nearestTo point: Point) -> ElementPath?
}

extension CollectionLayout {
  /// An empty layout that scrolls down; a negative width counts as 0. O(1).
  public init(width: Int) { self.init(breadth: width, orientation: .vertical) }

  public mutating func setViewportLength(_ length: Int) {}

  public func invalidates(forBoundsChangeFrom oldBounds: Rect, to newBounds: Rect) -> Bool { false }

  public func targetContentOffset(forProposed offset: Int, velocity: Int, viewportLength: Int) -> Int {
    clampedContentOffset(offset, viewportLength: viewportLength)
  }

  /// Adds an empty section below the others. Returns the part of the content outside of which nothing moved.
  /// O(columns).
  @discardableResult
  public mutating func appendSection(_ metrics: SectionMetrics) throws(LayoutError) -> Rect {
    try insertSection(metrics, at: sectionCount)
  }

  /// Removes a section with its items. Returns the part of the content outside of which nothing moved. O(sections).
  @discardableResult
  public mutating func removeSection(at index: Int) -> Rect {
    var numbers = Array(0..<sectionCount)
    numbers.remove(at: index)
    return selectSections(numbers)
  }

  /// Adds items of any size at the end of a section. Returns the part of the content outside of which nothing moved.
  ///
  /// Up to 8 times the cost of appending heights; with spans up to 1 µs an item in at most 16 columns, O(columns ×
  /// span) in more.
  @discardableResult
  public mutating func append(_ items: [ItemSize], toSection section: Int) throws(LayoutError) -> Rect {
    try insert(items, at: ElementPath(section: section, item: itemCount(inSection: section)))
  }

  /// Adds `count` items of one shape, whose height is a percentage of the column's width; a negative count is a
  /// `LayoutError.itemCount`. Returns the part of the content outside of which nothing moved. The cost of appending.
  @discardableResult
  public mutating func append(
    count: Int, heightPercentOfWidth percent: Int, toSection section: Int
  ) throws(LayoutError) -> Rect {
    try LayoutError.check(itemCount: itemCount(inSection: section), adding: count)
    let height = columnWidth(inSection: section) * percent.asLength / 100
    return try append(itemHeights: [Int](repeating: height, count: count), toSection: section)
  }

  /// Inserts items by their heights, in units. The cost of inserting.
  @discardableResult
  public mutating func insert(itemHeights: [Int], at path: ElementPath) throws(LayoutError) -> Rect {
    try insert(itemHeights.map { ItemSize(height: $0) }, at: path)
  }

  /// Moves an item so that its path becomes `target`; it goes under the column that the order chooses there. Returns
  /// the part of the content outside of which nothing moved. The cost of removing and inserting.
  @discardableResult
  public mutating func moveItem(at path: ElementPath, to target: ElementPath) throws(LayoutError) -> Rect {
    let item = itemSize(at: path)
    let staysInSection = path.section == target.section
    try LayoutError.check([item], itemCount: itemCount(inSection: target.section) - (staysInSection ? 1 : 0))
    let gap = remove(items: path.item..<path.item + 1, fromSection: path.section)
    return try insert([item], at: target).union(gap)
  }

  /// Changes the height of an item, in units. The cost of `setItemHeights`.
  @discardableResult
  public mutating func setItemHeight(_ height: Int, at path: ElementPath) throws(LayoutError) -> Rect {
    try setItemHeights([height], from: path, areEstimates: false)
  }

  /// Changes the height of a section's footer, in units. Returns the part of the content outside of which nothing
  /// moved. O(columns + sections below).
  @discardableResult
  public mutating func setFooterHeight(_ height: Int, ofSection section: Int) throws(LayoutError) -> Rect {
    var metrics = metrics(ofSection: section)
    metrics.footerHeight = height
    return try setMetrics(metrics, ofSection: section)
  }

  /// Returns the frame of an item. O(1), with 8 steps a column.
  public func frame(ofItem path: ElementPath) -> Rect {
    guard let item = layoutAttributes(of: .item, at: path) else { preconditionFailure("there is no item at \(path)") }
    return item.frame
  }

  /// Returns the elements that a viewport shows and no others: `layoutAttributes(inViewport:overscan:)` without
  /// overscan. The cost of a query.
  public func layoutAttributes(inViewport viewport: Rect) -> [LayoutAttributes] {
    layoutAttributes(inViewport: viewport, overscan: 0)
  }

  /// Returns the items in `rect` whose heights are estimates, by number: the items to measure next. Two to three times
  /// the cost of a query.
  public func estimatedItems(in rect: Rect) -> [ElementPath] {
    layoutAttributes(in: rect).filter { $0.kind == .item && itemSize(at: $0.path).isEstimate }.map(\.path)
  }

  /// The first item of all, nil when there is none. O(sections).
  public var firstItem: ElementPath? {
    for section in 0..<sectionCount where itemCount(inSection: section) > 0 {
      return ElementPath(section: section, item: 0)
    }
    return nil
  }

  /// The last item of all, nil when there is none. O(sections).
  public var lastItem: ElementPath? {
    for section in (0..<sectionCount).reversed() where itemCount(inSection: section) > 0 {
      return ElementPath(section: section, item: itemCount(inSection: section) - 1)
    }
    return nil
  }

  /// Returns whether the data has an item at `path`. O(1).
  public func contains(_ path: ElementPath) -> Bool {
    (0..<sectionCount).contains(path.section) && (0..<itemCount(inSection: path.section)).contains(path.item)
  }

  /// Returns the item of the same column about `distance` units further toward the content's end, or its start if
  /// negative: a page is the viewport's length, half a page half of it. At least one item further, at most the column's
  /// last; nil when the column ends here. O(log items).
  public func item(pageFrom path: ElementPath, by distance: Int) -> ElementPath? {
    let content = contentSize
    let frame = orientation.toLayout(self.frame(ofItem: path), in: content)
    let target = Rect(x: frame.midX, y: frame.midY + distance.asPosition, width: 1, height: 1)
    if let found = item(nearestTo: orientation.toScreen(target, in: content).origin), found != path { return found }
    var goal: NavigationGoal?
    return neighbor(of: path, toward: orientation.toScreen(distance < 0 ? .up : .down), goal: &goal)
  }

  /// Returns the length that the global header and the section's header cover at the viewport's start while they are
  /// pinned. O(1).
  public func stickyHeaderLength(ofSection section: Int) -> Int {
    let metrics = metrics(ofSection: section)
    return (globalHeader.isSticky ? globalHeader.height : 0) + (metrics.isHeaderSticky ? metrics.headerHeight : 0)
  }

  /// Returns the length that the section's footer covers at the viewport's end while it is pinned. O(1).
  public func stickyFooterLength(ofSection section: Int) -> Int {
    let metrics = metrics(ofSection: section)
    return metrics.isFooterSticky ? metrics.footerHeight : 0
  }

  /// The content's extent along the scrolling, in units. O(1).
  public var contentLength: Int { orientation.axis == .vertical ? contentSize.height : contentSize.width }

  /// Returns the visible part of the content at a content offset, which counts from the content's start: from the right
  /// in a mirrored layout that scrolls sideways. O(1).
  public func viewport(at contentOffset: Int, length: Int) -> Rect {
    let viewport = Rect(x: 0, y: contentOffset, width: breadth, height: length).bounded
    return orientation.toScreen(viewport, in: contentSize)
  }

  /// Returns the offset clamped to the content: from 0 to where the content's end meets the viewport's. O(1).
  public func clampedContentOffset(_ offset: Int, viewportLength: Int) -> Int {
    min(max(offset, 0), max(0, contentLength - viewportLength.asPosition))
  }

  /// Returns the content offset that shows `frame`, within the content. O(1).
  public func contentOffset(
    toShow frame: Rect, currentOffset: Int, viewportLength: Int, aligned alignment: ScrollAlignment
  ) -> Int {
    let frame = orientation.toLayout(frame.bounded, in: contentSize)
    return contentOffset(toShowRows: frame, currentOffset, viewportLength, alignment)
  }

  /// Returns the content offset that shows an item, within the content and not under the headers and the footer that
  /// are pinned around it, unless that leaves no room. O(1), with 8 steps a column.
  public func contentOffset(
    toShow path: ElementPath, currentOffset: Int, viewportLength: Int, aligned alignment: ScrollAlignment
  ) -> Int {
    var frame = orientation.toLayout(frame(ofItem: path), in: contentSize)
    let header = stickyHeaderLength(ofSection: path.section)
    let footer = stickyFooterLength(ofSection: path.section)
    let coveredAbove = header < viewportLength ? header : 0
    let coveredBelow = coveredAbove + footer < viewportLength ? footer : 0
    frame.origin.y -= coveredAbove
    frame.size.height += coveredAbove + coveredBelow
    return contentOffset(toShowRows: frame, currentOffset, viewportLength, alignment)
  }

  private func contentOffset(
    toShowRows frame: Rect, _ currentOffset: Int, _ viewportLength: Int, _ alignment: ScrollAlignment
  ) -> Int {
    let viewportLength = max(0, viewportLength.asPosition)
    let top = frame.minY
    let bottom = frame.maxY - viewportLength
    let offset =
      switch alignment {
      case .top: top
      case .center: top - (viewportLength - frame.height) / 2
      case .bottom: bottom
      case .nearest: nearestOffset(currentOffset.asPosition, top: top, bottom: bottom)
      }
    return clampedContentOffset(offset, viewportLength: viewportLength)
  }

  /// `top` and `bottom` are the offsets at which the frame's edges meet those of the viewport.
  private func nearestOffset(_ offset: Int, top: Int, bottom: Int) -> Int {
    guard top >= bottom else { return (top...bottom).contains(offset) ? offset : top }
    return min(max(offset, bottom), top)
  }

  /// Returns the anchor of an item at a content offset. O(log items).
  public func anchor(at path: ElementPath, contentOffset: Int) -> ScrollAnchor {
    ScrollAnchor(path: path, screenRow: start(of: path) - contentOffset.asPosition)
  }

  /// Returns the anchor of the first item in the viewport: the first whose start is visible, else the first that
  /// reaches into it; nil when the viewport shows no item. The cost of a query.
  public func firstVisibleAnchor(contentOffset: Int, viewportLength: Int) -> ScrollAnchor? {
    let content = contentSize
    var reaching: ScrollAnchor?
    for element in layoutAttributes(in: viewport(at: contentOffset, length: viewportLength))
    where element.kind == .item {
      let row = orientation.toLayout(element.frame, in: content).minY - contentOffset.asPosition
      guard row < 0 else { return ScrollAnchor(path: element.path, screenRow: row) }
      if reaching == nil { reaching = ScrollAnchor(path: element.path, screenRow: row) }
    }
    return reaching
  }

  /// Returns the anchors of the items in the viewport in reading order: by row, then by column. The cost of a query,
  /// and O(found × log found).
  public func visibleAnchors(contentOffset: Int, viewportLength: Int) -> [ScrollAnchor] {
    let content = contentSize
    return layoutAttributes(in: viewport(at: contentOffset, length: viewportLength))
      .filter { $0.kind == .item }
      .map { (frame: orientation.toLayout($0.frame, in: content), path: $0.path) }
      .sorted { ($0.frame.minY, $0.frame.minX, $0.path) < ($1.frame.minY, $1.frame.minX, $1.path) }
      .map { ScrollAnchor(path: $0.path, screenRow: $0.frame.minY - contentOffset.asPosition) }
  }

  /// Returns the content offset at which the anchor's item lies on the anchor's row, as far as the content reaches; the
  /// anchor may come from another layout. If the path is behind the last item of its section, that item is kept. O(log
  /// items).
  public func contentOffset(keeping anchor: ScrollAnchor, viewportLength: Int) -> Int {
    guard let path = lastItem(upTo: anchor.path) else { return 0 }
    return clampedContentOffset(start(of: path) - anchor.screenRow.asPosition, viewportLength: viewportLength)
  }

  /// Returns the content offset at which the first anchor whose item is still there lies on its own row, as far as the
  /// content reaches; if all items are gone, the current offset. O(anchors + log items).
  ///
  /// - Parameters:
  ///   - anchors: anchors from before a change, the most important first: that of the selected item, then the visible
  ///     ones in reading order.
  ///   - currentOffset: the content offset before the change.
  ///   - viewportLength: the viewport's length along the scrolling, in units.
  ///   - newPath: returns the path of an old item after the change, nil if it was removed.
  public func contentOffset(
    keepingFirstOf anchors: [ScrollAnchor], currentOffset: Int, viewportLength: Int,
    newPath: (ElementPath) -> ElementPath?
  ) -> Int {
    for anchor in anchors {
      guard let path = newPath(anchor.path), contains(path) else { continue }
      return contentOffset(
        keeping: ScrollAnchor(path: path, screenRow: anchor.screenRow), viewportLength: viewportLength)
    }
    return clampedContentOffset(currentOffset, viewportLength: viewportLength)
  }

  private func start(of path: ElementPath) -> Int { orientation.toLayout(frame(ofItem: path), in: contentSize).minY }

  private func lastItem(upTo path: ElementPath) -> ElementPath? {
    guard !contains(path) else { return path }
    for section in (0..<sectionCount).reversed() where section <= path.section {
      let count = itemCount(inSection: section)
      let item = section == path.section ? min(path.item, count - 1) : count - 1
      if item >= 0 { return ElementPath(section: section, item: item) }
    }
    return firstItem
  }
}

// MARK: - Changes

// MARK: - Elements

// MARK: - Navigation

// MARK: - Scrolling

// MARK: - Anchors
