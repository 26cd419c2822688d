extension SectionStack {
  func attributes(of kind: LayoutAttributes.Kind, at path: ElementPath) -> LayoutAttributes? {
    let frame = frame(of: kind, at: path)
    guard kind == .item || frame.height > 0 else { return nil }
    return LayoutAttributes(kind: kind, path: path, frame: frame)
  }

  /// Without height where there is none. Sections are not copied: that takes longer than to look at them.
  private func frame(of kind: LayoutAttributes.Kind, at path: ElementPath) -> Rect {
    let index = path.section
    switch kind {
    case .item: return sections[index].frame(of: path.item)
    case .background: return sections[index].metrics.hasBackground ? frame(ofSection: index) : .zero
    case .header: return bar(top: sections[index].top, height: sections[index].metrics.headerHeight)
    case .footer: return bar(top: sections[index].footerTop, height: sections[index].metrics.footerHeight)
    case .separator: return sections[index].separator(below: sections[index].frame(of: path.item))
    }
  }

  private func bar(top: Int, height: Int) -> Rect { Rect(x: 0, y: top, width: breadth, height: height) }

  func frame(ofSection section: Int) -> Rect {
    bar(top: sections[section].top, height: sections[section].bottom - sections[section].top)
  }

  /// `rect` is bounded.
  func elements(in rect: Rect) -> [LayoutAttributes] {
    var found: [LayoutAttributes] = []
    guard !rect.isEmpty else { return found }
    var section = sectionIndex(endingBelow: rect.minY)
    while section < sections.count, sections[section].top < rect.maxY {
      collect(section, in: rect, into: &found)
      section += 1
    }
    return found
  }

  private func collect(_ index: Int, in rect: Rect, into found: inout [LayoutAttributes]) {
    if sections[index].metrics.hasBackground { add(.background, of: index, in: rect, to: &found) }
    if sections[index].metrics.headerHeight > 0 { add(.header, of: index, in: rect, to: &found) }
    if sections[index].separatorHeight > 0 {
      collectItemsAndSeparators(index, in: rect, into: &found)
    } else {
      let area = SearchArea(rect: rect, section: index, top: sections[index].itemsTop)
      sections[index].body.collect(in: area, into: &found)
    }
    if sections[index].metrics.footerHeight > 0 { add(.footer, of: index, in: rect, to: &found) }
  }

  private func add(
    _ kind: LayoutAttributes.Kind, of section: Int, in rect: Rect, to found: inout [LayoutAttributes]
  ) {
    let path = ElementPath(section: section, item: 0)
    guard let element = attributes(of: kind, at: path), element.frame.intersects(rect) else { return }
    found.append(element)
  }

  private func collectItemsAndSeparators(_ index: Int, in rect: Rect, into found: inout [LayoutAttributes]) {
    let section = sections[index]
    // A separator may be seen where its item is not, which lies at most the spacing above.
    let reach = section.metrics.lineSpacing
    let wider = Rect(x: rect.minX, y: rect.minY - reach, width: rect.width, height: rect.height + reach)
    var items: [LayoutAttributes] = []
    section.body.collect(in: SearchArea(rect: wider, section: index, top: section.itemsTop), into: &items)
    for item in items {
      if item.frame.intersects(rect) { found.append(item) }
      let separator = section.separator(below: item.frame)
      guard separator.intersects(rect) else { continue }
      found.append(LayoutAttributes(kind: .separator, path: item.path, frame: separator))
    }
  }

  /// The first section that ends below `row`; the number of sections if none does. O(log sections).
  func sectionIndex(endingBelow row: Int) -> Int {
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
  /// The elements in a viewport, with the header of the section that it starts in where it is to be seen.
  /// `viewport` is bounded.
  func elements(inViewport viewport: Rect) -> [LayoutAttributes] {
    var found = elements(in: viewport)
    let index = sectionIndex(endingBelow: viewport.minY)
    guard !viewport.isEmpty, index < sections.count, sections[index].top < viewport.minY,
      sections[index].metrics.isHeaderSticky,
      var header = attributes(of: .header, at: ElementPath(section: index, item: 0))
    else { return found }
    header.frame.origin.y = sections[index].pinnedHeaderTop(at: viewport.minY)
    header.isPinned = header.frame.minY != sections[index].top
    found.removeAll { $0.kind == .header && $0.path.section == index }
    let place = found.first?.kind == .background && found.first?.path.section == index ? 1 : 0
    if header.frame.intersects(viewport) { found.insert(header, at: place) }
    return found
  }

  /// How much of the viewport's start a sticky header may cover.
  func stickyHeaderHeight(ofSection section: Int) -> Int {
    sections[section].metrics.isHeaderSticky ? sections[section].metrics.headerHeight : 0
  }
}
