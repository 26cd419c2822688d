/// An item and the row of the screen that its top lies on, the column if the layout scrolls sideways: what stays where
/// it is while a layout changes.
public struct Anchor: Hashable, Sendable {
  /// The item that keeps its place.
  public var path: ElementPath
  /// The item's start, in units behind the viewport's start in the direction of scrolling; negative before it.
  public var screenRow: Int

  /// The anchor of an item on a row of the screen. O(1).
  public init(path: ElementPath, screenRow: Int) {
    self.path = path
    self.screenRow = screenRow
  }
}

extension Layout {
  /// The anchor of an item at a content offset. O(log items).
  public func anchor(at path: ElementPath, contentOffset: Int) -> Anchor {
    Anchor(path: path, screenRow: start(of: path) - contentOffset.asPosition)
  }

  /// The anchor of the first item in the viewport: of those whose start is to be seen, else of those that reach into
  /// it; nil when the viewport shows no item. As long as a query.
  public func firstVisibleAnchor(contentOffset: Int, viewportLength: Int) -> Anchor? {
    let viewport = viewport(at: contentOffset, length: viewportLength)
    let anchors = layoutAttributesForElements(in: viewport).filter { $0.kind == .item }
      .map { anchor(at: $0.path, contentOffset: contentOffset) }
    return anchors.first { $0.screenRow >= 0 } ?? anchors.first
  }

  /// The content offset at which the anchor's item lies on the anchor's row, as far as the content reaches; this
  /// may be another layout than the anchor's. An item that is gone is stood in for by the last one before it.
  /// O(log items).
  public func contentOffset(keeping anchor: Anchor, viewportLength: Int) -> Int {
    guard let path = lastItem(upTo: anchor.path) else { return 0 }
    return clampedContentOffset(start(of: path) - anchor.screenRow.asPosition, viewportLength: viewportLength)
  }

  private func start(of path: ElementPath) -> Int {
    orientation.laidOut(layoutAttributesForItem(at: path).frame, in: contentSize).minY
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
