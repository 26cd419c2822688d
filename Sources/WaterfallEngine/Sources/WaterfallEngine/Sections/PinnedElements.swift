/// The header above all sections: part of the content, as a section's header is.
public struct GlobalHeader: Hashable, Sendable {
  static let measure = "globalHeader.height"

  /// The height in units; 0 leaves the header out. In a layout that scrolls sideways, the length along the scrolling.
  public var height: Int
  /// Whether the header stays at the viewport's start; else it scrolls away with the content.
  public var isSticky: Bool

  /// A header of a height, in units, by default one that scrolls away. O(1).
  public init(height: Int, isSticky: Bool = false) { (self.height, self.isSticky) = (height, isSticky) }
}

extension SectionStack {
  /// The elements in a viewport, with the sticky ones at its edges: the global header, the header of the section that
  /// lies behind it, and the footer of the section in which the viewport ends; and those in the overscan around it.
  /// `viewport` is bounded.
  func elements(inViewport viewport: Rect, overscan: Int) -> [LayoutAttributes] {
    let searched = viewport.extended(by: overscan)
    var found = elements(in: searched)
    guard !viewport.isEmpty else { return found }
    if header.isSticky, header.height > 0 {
      pin(.globalHeader, 0, in: searched, zIndex: 3, among: &found) { max(0, min(viewport.minY, length - $0.height)) }
    }
    let start = viewport.minY + (header.isSticky ? header.height : 0)
    let first = sectionIndex(endingBelow: start)
    if first < sections.count, sections[first].top < start, sections[first].metrics.isHeaderSticky {
      // The end of the section's items pushes its header out.
      let end = sections[first].insetBottom
      pin(.header, first, in: searched, zIndex: 2, among: &found) { max($0.minY, min(start, end - $0.height)) }
    }
    let last = sectionIndex(endingBelow: viewport.maxY)
    if last < sections.count, sections[last].top < viewport.maxY, sections[last].metrics.isFooterSticky {
      // The start of the section's items pushes its footer out.
      let start = sections[last].itemsTop - sections[last].metrics.insets.top
      pin(.footer, last, in: searched, zIndex: 2, among: &found) { min($0.minY, max(viewport.maxY - $0.height, start)) }
    }
    return found
  }

  private func pin(
    _ kind: ElementKind, _ section: Int, in searched: Rect, zIndex: Int16, among found: inout [LayoutAttributes],
    row: (Rect) -> Int
  ) {
    guard var element = attributes(of: kind, at: ElementPath(section: section, item: 0)) else { return }
    element.pin(at: row(element.frame), zIndex: zIndex)
    found.removeAll { $0.kind == kind && $0.path.section == section }
    let place =
      switch kind {
      case .globalHeader: 0
      case .header:
        found.firstIndex {
          $0.kind != .globalHeader && ($0.path.section > section || $0.path.section == section && $0.zIndex > -2)
        } ?? found.count
      default: found.count
      }
    if element.frame.intersects(searched) { found.insert(element, at: place) }
  }
}

extension Rect {
  func extended(by overscan: Int) -> Rect {
    let overscan = max(0, overscan.asPosition)
    return Rect(x: minX, y: minY - overscan, width: width, height: height + 2 * overscan)
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
