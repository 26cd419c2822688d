/// Sections one under the other, in layout space: the part that all layouts share.
struct SectionStack<Body: SectionBody>: Equatable, Sendable {
  private(set) var breadth: Int
  let orientation: Orientation
  /// The rule that replaces the sections' own.
  private let columnRule: ColumnRule?
  private(set) var sections: ContiguousArray<Section> = []
  /// The room before the first and behind the last section.
  private(set) var margins = Insets.zero
  /// Before the margin.
  private(set) var header = GlobalHeader(height: 0)

  init(breadth: Int, orientation: Orientation, columnRule: ColumnRule?) {
    self.breadth = breadth.asLength
    (self.orientation, self.columnRule) = (orientation, columnRule)
  }

  var length: Int { sectionsBottom + margins.bottom }
  private var sectionsTop: Int { header.height + margins.top }
  private var sectionsBottom: Int { sections.isEmpty ? sectionsTop : sections[sections.count - 1].bottom }
  var contentSize: Size { orientation.contentSize(breadth: breadth, length: length) }

  private func makeBody(_ metrics: SectionMetrics) -> Body {
    Body(
      columns: ColumnGeometry(metrics, rule: columnRule ?? metrics.columns, breadth: breadth),
      rules: PackingRules(metrics))
  }

  /// A section at its place: header and bars, inset, items, inset, bars and footer, from top to bottom.
  struct Section: Equatable, Sendable {
    private(set) var metrics: SectionMetrics
    fileprivate(set) var top: Int
    private(set) var body: Body
    /// The body's height and number of items; a section whose numbers are stored can be read in place, without a copy
    /// of its arrays.
    private var itemsHeight: Int
    private(set) var itemCount: Int
    /// The elements of the section except items and separators, in the order of a query.
    fileprivate private(set) var elements: [SectionElement] = []
    /// The length of the header, the bars and the inset above the items.
    private var lengthAbove = 0
    /// The length of the inset, the bars and the footer below the items.
    private var lengthBelow = 0

    fileprivate init(metrics: SectionMetrics, top: Int, body: Body) {
      (self.metrics, self.top, self.body) = (metrics, top, body)
      itemsHeight = body.height
      itemCount = body.itemCount
      measure()
    }

    fileprivate mutating func edit(_ change: (inout Body) -> Int) -> Int {
      let row = change(&body)
      itemsHeight = body.height
      itemCount = body.itemCount
      return row
    }

    fileprivate mutating func setMetrics(_ metrics: SectionMetrics) {
      self.metrics = metrics
      measure()
    }

    private mutating func measure() {
      elements = metrics.allElements
      lengthAbove = elements.reduce(metrics.insets.top) { $0 + $1.heightAboveItems }
      lengthBelow = elements.reduce(metrics.insets.bottom) { $0 + $1.heightBelowItems }
    }

    @inline(__always)
    var itemsTop: Int { top + lengthAbove }
    @inline(__always)
    var itemsBottom: Int { itemsTop + itemsHeight }
    @inline(__always)
    var bottom: Int { itemsBottom + lengthBelow }
    /// The bottom of the items' inset, where the bars and the footer begin.
    var insetBottom: Int { itemsBottom + metrics.insets.bottom }
    @inline(__always)
    fileprivate var separatorHeight: Int { min(metrics.separatorHeight, metrics.lineSpacing) }

    func frame(of item: Int) -> Rect { body.frame(of: item).offsetBy(x: 0, y: itemsTop) }

    /// The separator under an item at `frame`; its height is 0 if there is none.
    fileprivate func separator(below frame: Rect) -> Rect {
      let top = frame.maxY + (metrics.lineSpacing - separatorHeight) / 2
      let isBetweenItems = frame.height > 0 && top + separatorHeight <= itemsBottom
      return Rect(x: frame.minX, y: top, width: frame.width, height: isBetweenItems ? separatorHeight : 0)
    }

    /// The rows of an element that belongs to no item.
    fileprivate func rows(of element: SectionElement) -> Range<Int> {
      switch element.placement {
      case .behindSection: return top..<bottom
      case .behindItems: return itemsTop - metrics.insets.top..<insetBottom
      case .aboveItems(let height):
        let start = top + barHeight(before: element, \.heightAboveItems)
        return start..<start + height
      case .belowItems(let height):
        let start = insetBottom + barHeight(before: element, \.heightBelowItems)
        return start..<start + height
      case .overItems: return top..<top
      }
    }

    private func barHeight(before element: SectionElement, _ height: (SectionElement) -> Int) -> Int {
      elements.prefix { $0.kind != element.kind }.reduce(0) { $0 + height($1) }
    }
  }

  // A change returns the rows that may look different, before or after it.

  mutating func insertSection(_ metrics: SectionMetrics, at index: Int) -> Range<Int> {
    let top = index < sections.count ? sections[index].top : sectionsBottom
    sections.insert(Section(metrics: metrics, top: top, body: makeBody(metrics)), at: index)
    moveSections(from: index + 1)
    return top..<max(top, length)
  }

  mutating func selectSections(_ numbers: [Int]) -> Range<Int> {
    let oldLength = length
    let isPermutation = numbers.count == sections.count
    let first = numbers.indices.first { numbers[$0] != $0 } ?? numbers.count
    let top = first < sections.count ? sections[first].top : sectionsBottom
    sections = ContiguousArray(numbers.map { sections[$0] })
    moveSections(from: first, stopsEarly: false)
    let last = isPermutation ? numbers.indices.last { numbers[$0] != $0 } : nil
    return top..<(last.map { sections[$0].bottom } ?? max(oldLength, length))
  }

  mutating func setMetrics(_ metrics: SectionMetrics, ofSection section: Int) -> Range<Int> {
    let (top, oldLength) = (sections[section].top, length)
    let old = PackingRules(sections[section].metrics)
    sections[section].setMetrics(metrics)
    let body = makeBody(metrics)
    if body.columns != sections[section].body.columns || PackingRules(metrics) != old {
      _ = sections[section].edit { $0.moveItems(to: body) }
    }
    moveSections(from: section + 1)
    return top..<max(oldLength, length)
  }

  mutating func setBreadth(_ newBreadth: Int) {
    breadth = newBreadth
    for section in sections.indices {
      let body = makeBody(sections[section].metrics)
      guard body.columns != sections[section].body.columns else { continue }
      _ = sections[section].edit { $0.moveItems(to: body) }
    }
    moveSections(from: 0, stopsEarly: false)
  }

  mutating func setMargins(leading: Int, trailing: Int) {
    let new = Insets(top: leading, bottom: trailing)
    guard margins != new else { return }
    margins = new
    moveSections(from: 0)
  }

  mutating func setHeader(_ newHeader: GlobalHeader) -> Range<Int> {
    let (oldHeight, oldLength) = (header.height, length)
    header = newHeader
    moveSections(from: 0)
    return 0..<(header.height == oldHeight ? oldHeight : max(oldLength, length))
  }

  /// Changes the items of a section; `change` returns a row above which nothing has changed.
  @inline(__always)
  mutating func edit(_ section: Int, _ change: (inout Body) -> Int) -> Range<Int> {
    let oldLength = length
    let oldItemsBottom = sections[section].itemsBottom
    let row = sections[section].edit(change)
    moveSections(from: section + 1)
    let newItemsBottom = sections[section].itemsBottom
    // A changed item may add or remove the separator above it.
    let reach = sections[section].separatorHeight > 0 ? sections[section].metrics.lineSpacing : 0
    // The footer lies right below the items, and a new last item below a gap.
    let top = min(sections[section].itemsTop + row, newItemsBottom, oldItemsBottom) - reach
    return top..<(newItemsBottom == oldItemsBottom ? newItemsBottom : max(oldLength, length))
  }

  /// Sections below one that has not moved have not moved either, if only sections above `first` changed.
  private mutating func moveSections(from first: Int, stopsEarly: Bool = true) {
    var top = first > 0 ? sections[first - 1].bottom : sectionsTop
    for section in sections.indices.dropFirst(first) {
      guard sections[section].top != top || !stopsEarly else { return }
      sections[section].top = top
      top = sections[section].bottom
    }
  }

  func attributes(of kind: ElementKind, at path: ElementPath) -> LayoutAttributes? {
    // Sections are not copied: that takes longer than reading them in place.
    let index = path.section
    let frame: Rect
    switch kind {
    case .item: return LayoutAttributes(kind: .item, path: path, frame: sections[index].frame(of: path.item))
    case .globalHeader: frame = bar(top: 0, height: header.height)
    case .separator: frame = sections[index].separator(below: sections[index].frame(of: path.item))
    case .background, .header, .footer, .supplementary, .decoration:
      return sections[index].elements.first { $0.kind == kind }.flatMap { attributes(of: $0, at: path) }
    }
    return frame.height > 0 ? LayoutAttributes(kind: kind, path: path, frame: frame) : nil
  }

  private func attributes(of element: SectionElement, at path: ElementPath) -> LayoutAttributes? {
    guard !element.isOverItems else {
      return SectionStack.attributes(of: element, over: sections[path.section].frame(of: path.item), path)
    }
    let rows = sections[path.section].rows(of: element)
    guard !rows.isEmpty else { return nil }
    var attributes = LayoutAttributes(
      kind: element.kind, path: path, frame: bar(top: rows.lowerBound, height: rows.count))
    attributes.zIndex = element.isBehind ? -2 : 0
    return attributes
  }

  /// Returns an element in front of an item at `frame`, nil if it has no size there.
  static func attributes(of element: SectionElement, over frame: Rect, _ path: ElementPath) -> LayoutAttributes? {
    let frame = element.frame(over: frame)
    guard !frame.isEmpty else { return nil }
    var attributes = LayoutAttributes(kind: element.kind, path: path, frame: frame)
    attributes.zIndex = 1
    return attributes
  }

  private func bar(top: Int, height: Int) -> Rect { Rect(x: 0, y: top, width: breadth, height: height) }

  func frame(ofSection section: Int) -> Rect {
    bar(top: sections[section].top, height: sections[section].bottom - sections[section].top)
  }

  /// Returns the elements that touch `rect`, which must be bounded.
  func elements(in rect: Rect) -> [LayoutAttributes] {
    var found: [LayoutAttributes] = []
    guard !rect.isEmpty else { return found }
    if header.height > 0 { append(.globalHeader, of: 0, in: rect, to: &found) }
    var section = sectionIndex(endingBelow: rect.minY)
    while section < sections.count, sections[section].top < rect.maxY {
      collect(section, in: rect, into: &found)
      section += 1
    }
    return found
  }

  private func collect(_ index: Int, in rect: Rect, into found: inout [LayoutAttributes]) {
    let hasElements = !sections[index].elements.isEmpty
    if hasElements { append(of: index, in: rect, to: &found) { $0.isBehind || $0.heightAboveItems > 0 } }
    if sections[index].separatorHeight > 0 || hasElements && sections[index].elements.contains(where: \.isOverItems) {
      collectItemsAndDecorations(index, in: rect, into: &found)
    } else {
      let area = SearchArea(rect: rect, section: index, top: sections[index].itemsTop)
      sections[index].body.collect(in: area, into: &found)
    }
    if hasElements { append(of: index, in: rect, to: &found) { $0.heightBelowItems > 0 } }
  }

  private func append(
    of section: Int, in rect: Rect, to found: inout [LayoutAttributes], where isWanted: (SectionElement) -> Bool
  ) {
    for element in sections[section].elements where isWanted(element) {
      append(element.kind, of: section, in: rect, to: &found)
    }
  }

  private func append(_ kind: ElementKind, of section: Int, in rect: Rect, to found: inout [LayoutAttributes]) {
    let path = ElementPath(section: section, item: 0)
    guard let element = attributes(of: kind, at: path), element.frame.intersects(rect) else { return }
    found.append(element)
  }

  private func collectItemsAndDecorations(_ index: Int, in rect: Rect, into found: inout [LayoutAttributes]) {
    let section = sections[index]
    let elements = section.metrics.elements.filter(\.isOverItems)
    // A separator may be visible where its item is not, which lies at most the spacing above.
    let reach = section.separatorHeight > 0 ? section.metrics.lineSpacing : 0
    let wider = Rect(x: rect.minX, y: rect.minY - reach, width: rect.width, height: rect.height + reach)
    var items: [LayoutAttributes] = []
    section.body.collect(in: SearchArea(rect: wider, section: index, top: section.itemsTop), into: &items)
    for item in items {
      if item.frame.intersects(rect) { found.append(item) }
      let separator = section.separator(below: item.frame)
      if separator.intersects(rect) {
        found.append(LayoutAttributes(kind: .separator, path: item.path, frame: separator))
      }
      for element in elements {
        guard let attributes = SectionStack.attributes(of: element, over: item.frame, item.path),
          attributes.frame.intersects(rect)
        else { continue }
        found.append(attributes)
      }
    }
  }

  /// The first section that ends below `row`; the number of sections if none does. O(log sections).
  func sectionIndex(endingBelow row: Int) -> Int {
    sections.indices.partitioningIndex { sections[$0].bottom > row }
  }

  /// Returns the neighbor of an item; `direction` is that of layout space.
  func neighbor(of path: ElementPath, toward direction: Direction, goal: inout NavigationGoal?) -> ElementPath? {
    switch direction {
    case .left: item(beside: path, step: -1, goal: &goal)
    case .right: item(beside: path, step: 1, goal: &goal)
    case .up: item(from: path, step: -1, goal: &goal)
    case .down: item(from: path, step: 1, goal: &goal)
    }
  }

  private func item(beside path: ElementPath, step: Int, goal: inout NavigationGoal?) -> ElementPath? {
    var sideways = goal ?? NavigationGoal()
    sideways.lane = nil
    if sideways.row == nil {
      sideways.origin = path
    } else if sideways.origin?.section != path.section {
      sideways.origin = nil
    }
    sideways.row = sideways.row?.asPosition
    let top = sections[path.section].itemsTop
    guard let found = sections[path.section].body.item(beside: path.item, step: step, top: top, goal: &sideways)
    else { return nil }
    sideways.column = found.column
    goal = sideways
    return ElementPath(section: path.section, item: found.item)
  }

  @inline(__always)
  private func item(from path: ElementPath, step: Int, goal: inout NavigationGoal?) -> ElementPath? {
    let lane = goal?.lane
    let next = sections[path.section].body.item(from: path.item, step: step, goal: &goal)
    if let lane {
      goal = goal ?? NavigationGoal()
      goal?.lane = lane
    }
    if let next { return ElementPath(section: path.section, item: next) }
    let nonempty =
      step < 0
      ? sections[..<path.section].lastIndex { $0.itemCount > 0 }
      : sections[(path.section + 1)...].firstIndex { $0.itemCount > 0 }
    guard let nonempty else { return nil }
    return item(in: nonempty, from: path, step: step, lane: lane, goal: &goal)
  }

  /// The outermost item of another section in the column nearest to the one where the moves began.
  private func item(
    in section: Int, from path: ElementPath, step: Int, lane: Range<Int>?, goal: inout NavigationGoal?
  ) -> ElementPath {
    let lane = lane ?? sections[path.section].body.lane(of: path.item, column: goal?.column)
    goal = NavigationGoal(column: sections[section].body.column(nearestTo: lane), lane: lane)
    let row = -step * LayoutLimits.position
    var item = sections[section].body.item(nearestTo: lane.lowerBound, lane.upperBound, row: row)
    // Items without height may lie in the same row.
    var along = goal
    while let next = sections[section].body.item(from: item, step: -step, goal: &along) { item = next }
    return ElementPath(section: section, item: item)
  }

  /// Returns the item nearest to a bounded point.
  func item(nearestTo point: Point) -> ElementPath? {
    let (x, y) = (point.x, point.y)
    let middle = sectionIndex(endingBelow: y)
    let below = sections[middle...].firstIndex { $0.itemCount > 0 }
    let above = sections[..<middle].lastIndex { $0.itemCount > 0 }
    guard let section = nearer(above, below, to: y) else { return nil }
    let row = y - sections[section].itemsTop
    return ElementPath(section: section, item: sections[section].body.item(nearestTo: x, x + 1, row: row))
  }

  private func nearer(_ above: Int?, _ below: Int?, to row: Int) -> Int? {
    guard let above, let below else { return above ?? below }
    return row - sections[above].bottom < sections[below].top - row ? above : below
  }
}

extension SectionMetrics {
  fileprivate var allElements: [SectionElement] {
    guard hasBackground || headerHeight > 0 || footerHeight > 0 || !elements.isEmpty else { return [] }
    var all = hasBackground ? [SectionElement(.background, .behindSection)] : []
    all += elements.filter(\.isBehind)
    if headerHeight > 0 { all.append(SectionElement(.header, .aboveItems(height: headerHeight))) }
    all += elements.filter { !$0.isBehind }
    if footerHeight > 0 { all.append(SectionElement(.footer, .belowItems(height: footerHeight))) }
    return all
  }
}

// MARK: - Changes

// MARK: - Elements

// MARK: - Navigation
