/// What a host says about an item.
public struct ItemSize: Hashable, Sendable {
  /// How much of the section's breadth an item takes.
  public enum Span: Hashable, Sendable {
    /// So many columns, all there are if there are fewer.
    case columns(Int)
    /// All columns.
    case full
  }

  /// In units; in a layout that scrolls sideways the length along the scrolling.
  public var height: Int
  /// Heeded by a waterfall.
  public var span: Span
  /// The item's own width, nil for the column's. Heeded by a grid, whose rows then hold as many items as fit.
  public var width: Int?
  /// Whether the height is a guess that a better one may follow.
  public var isEstimate: Bool

  /// The size of an item: as a rule one column wide, and measured. O(1).
  public init(height: Int, span: Span = .columns(1), width: Int? = nil, isEstimate: Bool = false) {
    self.height = height
    self.span = span
    self.width = width
    self.isEstimate = isEstimate
  }
}
