import Geometry

/// An item and the row of the screen that its top lies on: what stays where it is while a layout changes.
public struct Anchor: Hashable, Sendable {
  public var path: ElementPath
  /// The item's top, in units below the viewport's top; negative above it.
  public var screenRow: Int

  public init(path: ElementPath, screenRow: Int) {
    self.path = path
    self.screenRow = screenRow
  }
}

extension Layout {
  /// The anchor of an item at a content offset. O(log items).
  public func anchor(at path: ElementPath, contentOffset: Int) -> Anchor {
    let frame = layoutAttributesForItem(at: path).frame
    return Anchor(path: path, screenRow: frame.minY - contentOffset.asPosition)
  }

  /// The anchor of the first item in the viewport: of those whose top is to be seen, else of those that reach into
  /// it; nil when the viewport shows no item. As long as a query.
  public func firstVisibleAnchor(contentOffset: Int, viewportHeight: Int) -> Anchor? {
    let viewport = Rect(x: 0, y: contentOffset, width: width, height: viewportHeight).bounded
    let items = layoutAttributesForElements(in: viewport).filter { $0.kind == .item }
    let first = items.first { $0.frame.minY >= viewport.minY } ?? items.first
    return first.map { anchor(at: $0.path, contentOffset: contentOffset) }
  }

  /// The content offset at which the anchor's item lies on the anchor's row, as far as the content reaches; this
  /// may be another layout than the anchor's. An item that is gone is stood in for by the last one before it.
  /// O(log items).
  public func contentOffset(keeping anchor: Anchor, viewportHeight: Int) -> Int {
    guard let path = lastItem(upTo: anchor.path) else { return 0 }
    let top = layoutAttributesForItem(at: path).frame.minY
    return clampedContentOffset(top - anchor.screenRow.asPosition, viewportHeight: viewportHeight)
  }

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
