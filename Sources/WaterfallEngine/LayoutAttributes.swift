/// Where an element lies, and what it is.
public struct LayoutAttributes: Hashable, Sendable {
  /// What an element is, in the order of a query.
  public enum Kind: Hashable, Sendable {
    /// A decoration behind a whole section.
    case background
    /// A section's header.
    case header
    /// An item of the data.
    case item
    /// A decoration under the item of the path.
    case separator
    /// A section's footer.
    case footer
  }

  /// What the element is.
  public var kind: Kind
  /// Whether a sticky header was moved to the viewport's start: it lies over what it covers.
  public var isPinned = false
  /// The size in thousandths of the usual one: a carousel's items shrink away from its middle.
  public var permille: Int16 = 1000
  /// The item's path; for what belongs to a section only the section counts.
  public var path: ElementPath
  /// Where the element lies in the content.
  public var frame: Rect

  /// An element of the usual size that is not pinned. O(1).
  public init(kind: Kind, path: ElementPath, frame: Rect) {
    self.kind = kind
    self.path = path
    self.frame = frame
  }

  /// The size as a share of the usual one, 1 for the usual size. O(1).
  public var scale: Double { Double(permille) / 1000 }

  /// What is drawn over what, the greater number above: backgrounds, separators, items, pinned headers. O(1).
  public var zIndex: Int {
    switch kind {
    case .background: -2
    case .separator: -1
    case .item, .header, .footer: isPinned ? 1 : 0
    }
  }
}
