import Geometry

/// Where an element lies, and what it is.
public struct LayoutAttributes: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A decoration behind a whole section.
    case background
    case header
    case item
    /// A decoration under the item of the path.
    case separator
    case footer
  }

  public var kind: Kind
  /// Whether a sticky header was moved to the viewport's start: it lies over what it covers.
  public var isPinned = false
  /// The size in thousandths of the usual one: a carousel's items shrink away from its middle.
  public var permille: Int16 = 1000
  /// The item's path; for what belongs to a section only the section counts.
  public var path: ElementPath
  public var frame: Rect

  public init(kind: Kind, path: ElementPath, frame: Rect) {
    self.kind = kind
    self.path = path
    self.frame = frame
  }

  /// 1 for the usual size.
  public var scale: Double { Double(permille) / 1000 }

  /// What is drawn over what, the greater number above: backgrounds, separators, items, pinned headers.
  public var zIndex: Int {
    switch kind {
    case .background: -2
    case .separator: -1
    case .item, .header, .footer: isPinned ? 1 : 0
    }
  }
}
