/// An item of a layout with its place and its size.
public struct LayoutItem: Hashable, Codable, Sendable {
  /// The item's path.
  public var path: ElementPath
  /// The item's frame in the content, in units.
  public var frame: Rect
  /// The size that the host gave the item.
  public var size: ItemSize

  /// An item with its place and its size. O(1).
  public init(path: ElementPath, frame: Rect, size: ItemSize) {
    (self.path, self.frame, self.size) = (path, frame, size)
  }
}

/// A section: its items by number, each with its frame. It is a snapshot that later changes of the layout leave alone.
public struct LayoutItems<Base: CollectionLayout>: RandomAccessCollection, Sendable {
  private let layout: Base
  /// The section's number, from 0.
  public let section: Int

  fileprivate init(_ layout: Base, section: Int) {
    self.layout = layout
    self.section = section
  }

  /// The measures of the section. O(1).
  public var metrics: SectionMetrics { layout.metrics(ofSection: section) }
  /// The frame of the section with its header, insets and footer, in units. O(1).
  public var frame: Rect { layout.frame(ofSection: section) }

  /// 0. O(1).
  public var startIndex: Int { 0 }
  /// The number of items. O(1).
  public var endIndex: Int { layout.itemCount(inSection: section) }

  /// The item of a number. O(1), with 8 steps a column.
  public subscript(number: Int) -> LayoutItem {
    let path = ElementPath(section: section, item: number)
    return LayoutItem(
      path: path, frame: layout.frame(ofItem: path), size: layout.itemSize(at: path))
  }
}

/// The sections of a layout, each with its items: a snapshot that later changes of the layout leave alone.
public struct LayoutSections<Base: CollectionLayout>: RandomAccessCollection, Sendable {
  fileprivate let layout: Base

  /// 0. O(1).
  public var startIndex: Int { 0 }
  /// The number of sections. O(1).
  public var endIndex: Int { layout.sectionCount }

  /// The section of a number. O(1).
  public subscript(number: Int) -> LayoutItems<Base> { layout.items(inSection: number) }
}

extension CollectionLayout {
  /// The sections with their items, including empty ones. O(1).
  public var sections: LayoutSections<Self> { LayoutSections(layout: self) }

  /// The items of a section with their frames and sizes. O(1).
  public func items(inSection section: Int) -> LayoutItems<Self> { LayoutItems(self, section: section) }
}
