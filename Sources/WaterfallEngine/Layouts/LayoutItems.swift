/// An item of a layout with its place and its size.
public struct LayoutItem: Hashable, Codable, Sendable {
  /// The item's path.
  public var path: ElementPath
  /// The item's frame in the content, in units.
  public var frame: Rect
  /// The size that the host gave the item.
  public var size: ItemSize
}

/// The items of a section by number, each with its frame: a snapshot that later changes of the layout leave alone.
public struct LayoutItems<Base: CollectionLayout>: RandomAccessCollection, Sendable {
  private let layout: Base
  private let section: Int

  fileprivate init(_ layout: Base, section: Int) {
    self.layout = layout
    self.section = section
  }

  /// 0. O(1).
  public var startIndex: Int { 0 }
  /// The number of items. O(1).
  public var endIndex: Int { layout.itemCount(inSection: section) }

  /// The item of a number. O(1), with 8 steps a column.
  public subscript(number: Int) -> LayoutItem {
    let path = ElementPath(section: section, item: number)
    return LayoutItem(
      path: path, frame: layout.layoutAttributesForItem(at: path).frame, size: layout.itemSize(at: path))
  }
}

extension CollectionLayout {
  /// The items of a section with their frames and sizes. O(1).
  public func items(inSection section: Int) -> LayoutItems<Self> { LayoutItems(self, section: section) }
}
