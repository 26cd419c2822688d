import Geometry

/// Sections one under the other: what all layouts have in common.
struct SectionStack<Body: SectionBody>: Sendable {
  let width: Int
  private(set) var sections: ContiguousArray<LayoutSection<Body>> = []

  init(width: Int) { self.width = width.asLength }

  var contentSize: Size { Size(width: width, height: sections.last?.bottom ?? 0) }

  mutating func appendSection(_ metrics: SectionMetrics, rule: ColumnRule) {
    let metrics = metrics.bounded
    let columns = ColumnGeometry(metrics, rule: rule, layoutWidth: width)
    sections.append(
      LayoutSection(
        metrics: metrics, top: contentSize.height,
        body: Body(columns: columns, lineSpacing: metrics.lineSpacing)))
  }

  mutating func append(_ heights: [Int], toSection section: Int) {
    sections[section].body.append(heights)
    moveSections(after: section)
  }

  mutating func setFooterHeight(_ height: Int, ofSection section: Int) {
    sections[section].metrics.footerHeight = height.asLength
    moveSections(after: section)
  }

  private mutating func moveSections(after section: Int) {
    var top = sections[section].bottom
    for below in sections.indices.dropFirst(section + 1) {
      sections[below].top = top
      top = sections[below].bottom
    }
  }
}

extension SectionStack {
  func attributes(at path: ElementPath) -> LayoutAttributes {
    LayoutAttributes(kind: .item, path: path, frame: sections[path.section].frame(of: path.item))
  }

  func frame(ofSection section: Int) -> Rect {
    let section = sections[section]
    return Rect(x: 0, y: section.top, width: width, height: section.bottom - section.top)
  }

  func elements(in rect: Rect) -> [LayoutAttributes] {
    var found: [LayoutAttributes] = []
    let rect = rect.bounded
    guard !rect.isEmpty else { return found }
    var section = sectionIndex(endingBelow: rect.minY)
    while section < sections.count, sections[section].top < rect.maxY {
      collect(section, in: rect, into: &found)
      section += 1
    }
    return found
  }

  private func collect(_ index: Int, in rect: Rect, into found: inout [LayoutAttributes]) {
    let section = sections[index]
    func add(_ kind: LayoutAttributes.Kind, top: Int, height: Int) {
      let frame = Rect(x: 0, y: top, width: width, height: height)
      guard frame.intersects(rect) else { return }
      found.append(LayoutAttributes(kind: kind, path: ElementPath(section: index, item: 0), frame: frame))
    }
    add(.header, top: section.top, height: section.metrics.headerHeight)
    section.body.collect(in: rect, section: index, top: section.itemsTop, into: &found)
    add(.footer, top: section.footerTop, height: section.metrics.footerHeight)
  }

  /// The first section that ends below `row`; the number of sections if none does.
  private func sectionIndex(endingBelow row: Int) -> Int {
    var low = 0
    var high = sections.count
    while low < high {
      let middle = (low + high) / 2
      if sections[middle].bottom > row { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension SectionStack {
  func neighbor(of path: ElementPath, toward direction: Direction, goalRow: inout Int?) -> ElementPath? {
    switch direction {
    case .left: return item(beside: path, by: -1, goalRow: &goalRow)
    case .right: return item(beside: path, by: 1, goalRow: &goalRow)
    case .up:
      goalRow = nil
      return item(above: path)
    case .down:
      goalRow = nil
      return item(below: path)
    }
  }

  private func item(beside path: ElementPath, by step: Int, goalRow: inout Int?) -> ElementPath? {
    let column = sections[path.section].body.column(of: path.item) + step
    guard (0..<sections[path.section].body.usedColumnCount).contains(column) else { return nil }
    let row = goalRow?.asPosition ?? sections[path.section].frame(of: path.item).midY
    goalRow = row
    let item = sections[path.section].body.item(
      inColumn: column, nearestTo: row - sections[path.section].itemsTop)
    return ElementPath(section: path.section, item: item)
  }

  private func item(above path: ElementPath) -> ElementPath? {
    if let item = sections[path.section].body.item(above: path.item) {
      return ElementPath(section: path.section, item: item)
    }
    guard let section = sections[..<path.section].lastIndex(where: { $0.body.itemCount > 0 }) else {
      return nil
    }
    return item(in: section, over: path, row: LayoutLimits.position)
  }

  private func item(below path: ElementPath) -> ElementPath? {
    if let item = sections[path.section].body.item(below: path.item) {
      return ElementPath(section: path.section, item: item)
    }
    let below = sections[(path.section + 1)...]
    guard let section = below.firstIndex(where: { $0.body.itemCount > 0 }) else { return nil }
    return item(in: section, over: path, row: -LayoutLimits.position)
  }

  /// The item of another section in the column nearest to that of `path`.
  private func item(in section: Int, over path: ElementPath, row: Int) -> ElementPath {
    let frame = sections[path.section].body.frame(of: path.item)
    let item = sections[section].item(nearestTo: frame.minX, frame.maxX, row: row)
    return ElementPath(section: section, item: item)
  }

  func item(nearestTo point: Point) -> ElementPath? {
    let x = point.x.asPosition
    let y = point.y.asPosition
    let middle = sectionIndex(endingBelow: y)
    let below = sections[middle...].firstIndex { $0.body.itemCount > 0 }
    let above = sections[..<middle].lastIndex { $0.body.itemCount > 0 }
    guard let section = nearer(above, below, to: y) else { return nil }
    return ElementPath(section: section, item: sections[section].item(nearestTo: x, x + 1, row: y))
  }

  private func nearer(_ above: Int?, _ below: Int?, to row: Int) -> Int? {
    guard let above, let below else { return above ?? below }
    return row - sections[above].bottom < sections[below].top - row ? above : below
  }
}
