/// A size that no layout can be made of. Whatever throws it has changed nothing.
public enum LayoutError: Error, Hashable, Sendable {
  /// A measure of a section that is not `0...LayoutLimits.length`; the name is the property's.
  case measure(name: String, value: Int)
  /// A height that is not `0...LayoutLimits.length`, by its place in the call's list.
  case itemHeight(Int, position: Int)
  /// A width of an item of its own that is not `1...LayoutLimits.length`, by its place in the call's list.
  case itemWidth(Int, position: Int)
  /// A span of less than one column, by its place in the call's list.
  case itemSpan(Int, position: Int)
  /// A column's weight that is not `1...LayoutLimits.length`.
  case columnWeight(Int, column: Int)
  /// More than `LayoutLimits.itemCount` items in a section.
  case itemCount(Int)
}

extension LayoutError: CustomStringConvertible {
  /// One sentence for a person. O(1).
  public var description: String {
    switch self {
    case .measure(let name, let value):
      "a section's \(name) cannot be \(value): it is 0 to \(LayoutLimits.length) units"
    case .itemHeight(let height, let position):
      "item \(position) of the list cannot be \(height) units high: a height is 0 to \(LayoutLimits.length)"
    case .itemWidth(let width, let position):
      "item \(position) of the list cannot be \(width) units wide: a width is 1 to \(LayoutLimits.length)"
    case .itemSpan(let span, let position):
      "item \(position) of the list cannot span \(span) columns: it spans at least 1"
    case .columnWeight(let weight, let column):
      "column \(column) cannot weigh \(weight): a weight is 1 to \(LayoutLimits.length)"
    case .itemCount(let count):
      "a section cannot hold \(count) items: it holds at most \(LayoutLimits.itemCount)"
    }
  }
}
