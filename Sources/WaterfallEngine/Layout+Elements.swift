extension Layout {
  /// Where an item lies. O(1), with 8 steps a column.
  public func layoutAttributesForItem(at path: ElementPath) -> LayoutAttributes {
    guard let item = layoutAttributes(of: .item, at: path) else { preconditionFailure("there is no item at \(path)") }
    return item
  }

  /// The section's header, nil when its height is 0. O(1).
  public func layoutAttributesForHeader(ofSection section: Int) -> LayoutAttributes? {
    layoutAttributes(of: .header, at: ElementPath(section: section, item: 0))
  }

  /// The section's footer, nil when its height is 0. O(1).
  public func layoutAttributesForFooter(ofSection section: Int) -> LayoutAttributes? {
    layoutAttributes(of: .footer, at: ElementPath(section: section, item: 0))
  }

  /// The items in `rect` whose heights are estimates, by number: those to measure next. As long as a query.
  public func estimatedItems(in rect: Rect) -> [ElementPath] {
    layoutAttributesForElements(in: rect).filter { $0.kind == .item && itemSize(at: $0.path).isEstimate }.map(\.path)
  }
}
