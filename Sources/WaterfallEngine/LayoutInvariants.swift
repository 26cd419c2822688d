extension Layout {
  /// What is wrong with the layout, a line each; empty when all is well, whatever was done to it: every element lies
  /// within the content, items and supplementaries keep their distance, sections follow each other, the content's size
  /// is exact, and the query agrees. For tests. O(items × those beside).
  public func invariantViolations() -> [String] {
    outsideContent() + tooClose() + misplacedSections() + outsideColumns() + missedByQuery()
  }

  /// All elements in the order of a query. For tests. O(items).
  package var allElements: [LayoutAttributes] {
    (0..<sectionCount).flatMap { section -> [LayoutAttributes] in
      let path = ElementPath(section: section, item: 0)
      let items = (0..<itemCount(inSection: section)).flatMap { item -> [LayoutAttributes] in
        let path = ElementPath(section: section, item: item)
        return [layoutAttributes(of: .item, at: path), layoutAttributes(of: .separator, at: path)].compactMap(\.self)
      }
      let before = [LayoutAttributes.Kind.background, .header].compactMap { layoutAttributes(of: $0, at: path) }
      return before + items + [layoutAttributes(of: .footer, at: path)].compactMap(\.self)
    }
  }

  /// What the query should find, by looking at every element. For tests. O(items).
  package func elementsByLooking(in rect: Rect) -> [LayoutAttributes] {
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

  /// Items with their gaps, and all else but backgrounds, must not overlap.
  private func tooClose() -> [String] {
    let elements = allElements.filter { $0.kind != .background && !$0.frame.isEmpty }
      .map { (element: $0, frame: spaced($0)) }.sorted { $0.frame.minY < $1.frame.minY }
    var open: [(element: LayoutAttributes, frame: Rect)] = []
    var found: [String] = []
    for next in elements {
      open.removeAll { $0.frame.maxY <= next.frame.minY }
      for other in open where other.frame.intersects(next.frame) {
        // Only between two items of a section a gap is due.
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
    var frame = orientation.laidOut(element.frame, in: contentSize)
    guard element.kind == .item else { return orientation.turned(frame, in: contentSize) }
    frame.size.width += metrics(ofSection: element.path.section).columnSpacing
    frame.size.height += metrics(ofSection: element.path.section).lineSpacing
    return orientation.turned(frame, in: contentSize)
  }

  /// Sections follow each other, and their heights and the content's are exact.
  private func misplacedSections() -> [String] {
    var found: [String] = []
    var bottom = sectionCount > 0 ? orientation.laidOut(frame(ofSection: 0), in: contentSize).minY : 0
    for section in 0..<sectionCount {
      let metrics = metrics(ofSection: section)
      let frame = orientation.laidOut(frame(ofSection: section), in: contentSize)
      let itemsTop = bottom + metrics.headerHeight + metrics.insets.top
      let lowest = (0..<itemCount(inSection: section)).map { laidOutFrame(section, $0).maxY }.max() ?? itemsTop
      let height = lowest + metrics.insets.bottom + metrics.footerHeight - bottom
      let expected = Rect(x: 0, y: bottom, width: breadth, height: height)
      if frame != expected { found.append("section \(section) is \(frame), not \(expected)") }
      bottom = frame.maxY
    }
    if contentLength < bottom { found.append("the content is \(contentLength) long, its sections \(bottom)") }
    return found
  }

  private func laidOutFrame(_ section: Int, _ item: Int) -> Rect {
    orientation.laidOut(
      layoutAttributesForItem(at: ElementPath(section: section, item: item)).frame, in: contentSize)
  }

  /// Items reach from where a column starts to where one ends, but where any has a width of its own.
  private func outsideColumns() -> [String] {
    (0..<sectionCount).flatMap { section -> [String] in
      let columns = columnExtents(ofSection: section)
      let starts = Set(columns.map(\.lowerBound))
      let ends = Set(columns.map(\.upperBound))
      let items = 0..<itemCount(inSection: section)
      let widths = items.lazy.compactMap { itemSize(at: ElementPath(section: section, item: $0)).width }
      guard widths.first == nil else { return [] }
      return items.compactMap { item in
        let frame = laidOutFrame(section, item)
        let isInColumns = starts.contains(frame.minX) && ends.contains(frame.maxX)
        return isInColumns ? nil : "item \(section).\(item) at \(frame) is in no column"
      }
    }
  }

  /// The columns from their widths alone, one after the other.
  package func columnExtents(ofSection section: Int) -> [Range<Int>] {
    let metrics = metrics(ofSection: section)
    var x = min(metrics.insets.left, breadth)
    return (0..<columnCount(inSection: section)).map { column in
      let start = x
      x += width(ofColumn: column, inSection: section)
      defer { x += metrics.columnSpacing }
      return start..<x
    }
  }

  private func missedByQuery() -> [String] {
    let content = Rect(origin: .zero, size: contentSize)
    let found = layoutAttributesForElements(in: content)
    let there = elementsByLooking(in: content)
    return found == there ? [] : ["the query finds \(found.count) elements of \(there.count), or in another order"]
  }
}
