/// A supplementary element or decoration of a host's own kind, which a section shows in addition to its items, header,
/// footer, background and separators.
public struct SectionElement: Hashable, Sendable {
  /// The place of an element in its section.
  public enum Placement: Hashable, Sendable {
    /// A bar across the section below the header; several lie below each other in their order.
    case aboveItems(height: Int)
    /// A bar across the section above the footer; several lie below each other in their order.
    case belowItems(height: Int)
    /// Behind the whole section.
    case behindSection
    /// Behind the items and the insets around them, but not behind header, footer and bars.
    case behindItems
    /// In a corner of each item and in front of it; never larger than the item.
    case overItems(size: Size, corner: Corner)
  }

  /// A corner of an item, before the layout is turned.
  public enum Corner: Hashable, Sendable, CaseIterable {
    /// The corner at the item's start and left side.
    case topLeft
    /// The corner at the item's start and right side.
    case topRight
    /// The corner at the item's end and left side.
    case bottomLeft
    /// The corner at the item's end and right side.
    case bottomRight
  }

  /// The kind, a `supplementary` or a `decoration`.
  public var kind: ElementKind
  /// The element's place.
  public var placement: Placement

  /// An element of a kind at a place. O(1).
  public init(_ kind: ElementKind, _ placement: Placement) { (self.kind, self.placement) = (kind, placement) }

  var heightAboveItems: Int { if case .aboveItems(let height) = placement { height } else { 0 } }
  var heightBelowItems: Int { if case .belowItems(let height) = placement { height } else { 0 } }
  var isOverItems: Bool { if case .overItems = placement { true } else { false } }
  var isBehind: Bool { placement == .behindSection || placement == .behindItems }

  /// The frame over an item at `frame`; empty for an element that lies elsewhere.
  func frame(over frame: Rect) -> Rect {
    guard case .overItems(let size, let corner) = placement else { return .zero }
    let width = min(size.width, frame.width)
    let height = min(size.height, frame.height)
    let isLeft = corner == .topLeft || corner == .bottomLeft
    let isTop = corner == .topLeft || corner == .topRight
    return Rect(
      x: isLeft ? frame.minX : frame.maxX - width, y: isTop ? frame.minY : frame.maxY - height, width: width,
      height: height)
  }
}
