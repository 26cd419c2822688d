/// The header above all sections: part of the content, as a section's header is.
public struct GlobalHeader: Hashable, Codable, Sendable {
  static let measure = "globalHeader.height"

  /// The height in units; 0 leaves the header out. In a layout that scrolls sideways, the length along the scrolling.
  public var height: Int
  /// Whether the header stays at the viewport's start; else it scrolls away with the content.
  public var isSticky: Bool

  /// A header of a height, in units, by default one that scrolls away. O(1).
  public init(height: Int, isSticky: Bool = false) {
    self.height = height
    self.isSticky = isSticky
  }
}

extension SectionStack {
  /// The elements in a viewport, with the sticky ones at its edges: the global header, the header of the section that
  /// lies behind it, and the footer of the section in which the viewport ends. `viewport` is bounded.
  func elements(inViewport viewport: Rect) -> [LayoutAttributes] {
    var found = elements(in: viewport)
    guard !viewport.isEmpty else { return found }
    if header.isSticky, header.height > 0 { pinGlobalHeader(to: viewport, in: &found) }
    let start = viewport.minY + stickyLength
    let first = sectionIndex(endingBelow: start)
    if first < sections.count, sections[first].top < start, sections[first].metrics.isHeaderSticky {
      pinHeader(ofSection: first, to: start, of: viewport, in: &found)
    }
    let last = sectionIndex(endingBelow: viewport.maxY)
    if last < sections.count, sections[last].top < viewport.maxY, sections[last].metrics.isFooterSticky {
      pinFooter(ofSection: last, to: viewport, in: &found)
    }
    return found
  }

  private var stickyLength: Int { header.isSticky ? header.height : 0 }

  private func pinGlobalHeader(to viewport: Rect, in found: inout [LayoutAttributes]) {
    guard var element = attributes(of: .globalHeader, at: ElementPath(item: 0)) else { return }
    element.pin(at: max(0, min(viewport.minY, length - header.height)), zIndex: 3)
    if found.first?.kind == .globalHeader { found.removeFirst() }
    if element.frame.intersects(viewport) { found.insert(element, at: 0) }
  }

  /// The end of the section's items pushes its header out.
  private func pinHeader(
    ofSection section: Int, to row: Int, of viewport: Rect, in found: inout [LayoutAttributes]
  ) {
    guard var element = attributes(of: .header, at: ElementPath(section: section, item: 0)) else { return }
    element.pin(at: max(element.frame.minY, min(row, sections[section].insetBottom - element.frame.height)), zIndex: 2)
    found.removeAll { $0.kind == .header && $0.path.section == section }
    let place = found.firstIndex {
      $0.kind != .globalHeader && ($0.path.section > section || $0.path.section == section && $0.zIndex > -2)
    }
    if element.frame.intersects(viewport) { found.insert(element, at: place ?? found.count) }
  }

  /// The start of the section's items pushes its footer out.
  private func pinFooter(ofSection section: Int, to viewport: Rect, in found: inout [LayoutAttributes]) {
    guard var element = attributes(of: .footer, at: ElementPath(section: section, item: 0)) else { return }
    let itemsTop = sections[section].itemsTop - sections[section].metrics.insets.top
    element.pin(at: min(element.frame.minY, max(viewport.maxY - element.frame.height, itemsTop)), zIndex: 2)
    found.removeAll { $0.kind == .footer && $0.path.section == section }
    if element.frame.intersects(viewport) { found.append(element) }
  }

  /// The length that sticky headers may cover at the viewport's start.
  func stickyHeaderHeight(ofSection section: Int) -> Int {
    stickyLength + (sections[section].metrics.isHeaderSticky ? sections[section].metrics.headerHeight : 0)
  }

  /// The length that a sticky footer may cover at the viewport's end.
  func stickyFooterHeight(ofSection section: Int) -> Int {
    sections[section].metrics.isFooterSticky ? sections[section].metrics.footerHeight : 0
  }
}

extension LayoutAttributes {
  /// Moves the element to a row; in another place than its own it covers others.
  fileprivate mutating func pin(at row: Int, zIndex: Int16) {
    guard row != frame.minY else { return }
    frame.origin.y = row
    isPinned = true
    self.zIndex = zIndex
  }
}
