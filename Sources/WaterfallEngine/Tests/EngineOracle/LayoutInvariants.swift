import WaterfallEngine

extension CollectionLayout {
  /// Returns the violated invariants, a line each; empty for every layout, regardless of the changes before: elements
  /// lie within the content, items and supplementaries keep their distance, sections follow each other, the content's
  /// size is exact, a query finds every element, and pinned elements lie at an edge of the viewport.
  /// O(items × those beside).
  public func invariantViolations() -> [String] {
    outsideContent() + tooClose() + misplacedSections() + outsideColumns() + missedByQuery() + misplacedPins()
  }

  /// All elements in the order of a query. O(items).
  public var allElements: [LayoutAttributes] {
    [layoutAttributes(of: .globalHeader, at: ElementPath(item: 0))].compactMap(\.self)
      + (0..<sectionCount).flatMap(elements(ofSection:))
  }

  private func elements(ofSection section: Int) -> [LayoutAttributes] {
    let elements = metrics(ofSection: section).elements
    func kinds(_ place: ElementPlace) -> [ElementKind] { elements.filter { $0.place == place }.map(\.kind) }
    func existing(_ kinds: [ElementKind], _ item: Int = 0) -> [LayoutAttributes] {
      kinds.compactMap { layoutAttributes(of: $0, at: ElementPath(section: section, item: item)) }
    }
    let before = [.background] + kinds(.behind) + [.header] + kinds(.above)
    let perItem = [.item, .separator] + kinds(.over)
    return existing(before) + (0..<itemCount(inSection: section)).flatMap { existing(perItem, $0) }
      + existing(kinds(.below) + [.footer])
  }

  /// The elements that a query must find, from a comparison with every element. O(items).
  public func elementsByExhaustion(in rect: Rect) -> [LayoutAttributes] {
    allElements.filter { $0.frame.intersects(rect) }
  }

  private func outsideContent() -> [String] {
    let size = contentSize
    return allElements.compactMap { element in
      let frame = element.frame
      let isInside = frame.minX >= 0 && frame.minY >= 0 && frame.maxX <= size.width && frame.maxY <= size.height
      return isInside ? nil : "\(element.kind) \(element.path) at \(frame) is outside of \(size)"
    }
  }

  /// Items with their gaps and supplementaries must not overlap; elements behind and in front of them may.
  private func tooClose() -> [String] {
    let elements = allElements.filter { !$0.frame.isEmpty && (-1...0).contains($0.zIndex) }
      .map { (element: $0, frame: spaced($0)) }.sorted { $0.frame.minY < $1.frame.minY }
    var open: [(element: LayoutAttributes, frame: Rect)] = []
    var found: [String] = []
    for next in elements {
      open.removeAll { $0.frame.maxY <= next.frame.minY }
      for other in open where other.frame.intersects(next.frame) {
        // Only two items of one section need a gap between them.
        let areItems = other.element.kind == .item && next.element.kind == .item
        let isGapDue = areItems && other.element.path.section == next.element.path.section
        guard isGapDue || other.element.frame.intersects(next.element.frame) else { continue }
        found.append(
          "\(other.element.kind) \(other.element.path) is too near to \(next.element.kind) \(next.element.path)")
      }
      open.append(next)
    }
    return found
  }

  private func spaced(_ element: LayoutAttributes) -> Rect {
    var frame = unturned(element.frame)
    guard element.kind == .item else { return turned(frame) }
    frame.size.width += metrics(ofSection: element.path.section).columnSpacing
    frame.size.height += metrics(ofSection: element.path.section).lineSpacing
    return turned(frame)
  }

  /// Sections follow each other, and their heights and the content's are exact.
  private func misplacedSections() -> [String] {
    var found: [String] = []
    let headerBottom = globalHeader.height
    var bottom = sectionCount > 0 ? unturned(frame(ofSection: 0)).minY : headerBottom
    // Only a carousel has a margin before its sections.
    if bottom < headerBottom || bottom != headerBottom && !(self is CarouselLayout) {
      found.append("the sections begin at \(bottom), the global header ends at \(headerBottom)")
    }
    for section in 0..<sectionCount {
      let metrics = metrics(ofSection: section)
      let frame = unturned(frame(ofSection: section))
      let itemsTop = bottom + metrics.headerHeight + metrics.barHeight(isAbove: true) + metrics.insets.top
      let lowest = (0..<itemCount(inSection: section)).map { layoutFrame(section, $0).maxY }.max() ?? itemsTop
      let height =
        lowest + metrics.insets.bottom + metrics.barHeight(isAbove: false) + metrics.footerHeight - bottom
      let expected = Rect(x: 0, y: bottom, width: breadth, height: height)
      if frame != expected { found.append("section \(section) is \(frame), not \(expected)") }
      bottom = frame.maxY
    }
    if contentLength < bottom { found.append("the content is \(contentLength) long, its sections \(bottom)") }
    return found
  }

  private func layoutFrame(_ section: Int, _ item: Int) -> Rect {
    unturned(frame(ofItem: ElementPath(section: section, item: item)))
  }

  /// Items reach from where a column starts to where one ends, unless any has a width of its own.
  private func outsideColumns() -> [String] {
    let isInColumns =
      self is WaterfallLayout || self is RowGridLayout || self is ListLayout || self is CarouselLayout
    guard isInColumns else { return [] }
    return (0..<sectionCount).flatMap { section -> [String] in
      let columns = columnExtents(ofSection: section)
      let starts = Set(columns.map(\.lowerBound))
      let ends = Set(columns.map(\.upperBound))
      let items = 0..<itemCount(inSection: section)
      let widths = items.lazy.compactMap { itemSize(at: ElementPath(section: section, item: $0)).width }
      guard widths.first == nil else { return [] }
      return items.compactMap { item in
        let frame = layoutFrame(section, item)
        let isInColumns = starts.contains(frame.minX) && ends.contains(frame.maxX)
        return isInColumns ? nil : "item \(section).\(item) at \(frame) is in no column"
      }
    }
  }

  /// The columns computed from their widths alone, one after the other.
  public func columnExtents(ofSection section: Int) -> [Range<Int>] {
    let metrics = metrics(ofSection: section)
    var x = min(metrics.insets.left, breadth)
    return (0..<columnCount(inSection: section)).map { column in
      let start = x
      x += width(ofColumn: column, inSection: section)
      defer { x += metrics.columnSpacing }
      return start..<x
    }
  }

  /// Pinned elements lie in their sections and at an edge of the viewport, or are pushed out of it by their sections'
  /// ends; a pinned header lies below the global one.
  private func misplacedPins() -> [String] {
    let length = max(1, contentLength / 3)
    let starts = (0..<sectionCount).flatMap { section in
      let frame = unturned(frame(ofSection: section))
      return [frame.minY - length, frame.minY - length / 2, frame.minY + 1, frame.midY, frame.maxY - 1]
    }
    return starts.flatMap { start in
      layoutAttributes(inViewport: viewport(at: start, length: length)).filter(\.isPinned).compactMap { element in
        let frame = unturned(element.frame)
        let isInPlace =
          switch element.kind {
          case .globalHeader: frame.minY == min(max(start, 0), contentLength - frame.height)
          case .header: frame.minY <= start + stickyHeaderLength(ofSection: element.path.section) - frame.height
          default: frame.maxY >= start + length
          }
        let bounds =
          element.kind == .globalHeader
          ? Rect(origin: .zero, size: contentSize) : self.frame(ofSection: element.path.section)
        return isInPlace && bounds.intersection(element.frame) == element.frame
          ? nil : "\(element.kind) \(element.path) is pinned at \(element.frame) in the viewport at \(start)"
      }
    }
  }

  private func missedByQuery() -> [String] {
    let content = Rect(origin: .zero, size: contentSize)
    let found = layoutAttributes(in: content)
    let expected = elementsByExhaustion(in: content)
    return found == expected
      ? [] : ["the query finds \(found.count) elements of \(expected.count), or in another order"]
  }

  /// The frame on the screen.
  func turned(_ frame: Rect) -> Rect {
    var frame = frame
    if orientation.axis == .horizontal {
      frame = Rect(x: frame.minY, y: frame.minX, width: frame.height, height: frame.width)
    }
    if orientation.isMirrored { frame.origin.x = contentSize.width - frame.maxX }
    return frame
  }

  /// The frame before the layout is turned.
  public func unturned(_ frame: Rect) -> Rect {
    let frame = orientation.isMirrored ? frame.mirrored(in: contentSize.width) : frame
    return orientation.axis == .vertical ? frame : frame.transposed
  }
}

extension SectionMetrics {
  /// The height of the host's own bars above or below the items.
  public func barHeight(isAbove: Bool) -> Int {
    elements.reduce(0) { sum, element in
      switch element.placement {
      case .aboveItems(let height): sum + (isAbove ? height : 0)
      case .belowItems(let height): sum + (isAbove ? 0 : height)
      case .behindSection, .behindItems, .overItems: sum
      }
    }
  }
}

/// The places of a section's own elements in the order of a query.
private enum ElementPlace {
  case behind, above, over, below
}

extension SectionElement {
  fileprivate var place: ElementPlace {
    switch placement {
    case .behindSection, .behindItems: .behind
    case .aboveItems: .above
    case .overItems: .over
    case .belowItems: .below
    }
  }
}
