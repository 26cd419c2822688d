import Geometry

extension Layout {
  /// The section's header, nil when its height is 0. O(1).
  public func layoutAttributesForHeader(ofSection section: Int) -> LayoutAttributes? {
    let height = metrics(ofSection: section).headerHeight
    return supplementary(.header, top: frame(ofSection: section).minY, height: height, section: section)
  }

  /// The section's footer, nil when its height is 0. O(1).
  public func layoutAttributesForFooter(ofSection section: Int) -> LayoutAttributes? {
    let height = metrics(ofSection: section).footerHeight
    return supplementary(
      .footer, top: frame(ofSection: section).maxY - height, height: height, section: section)
  }

  private func supplementary(
    _ kind: LayoutAttributes.Kind, top: Int, height: Int, section: Int
  ) -> LayoutAttributes? {
    guard height > 0 else { return nil }
    return LayoutAttributes(
      kind: kind, path: ElementPath(section: section, item: 0),
      frame: Rect(x: 0, y: top, width: width, height: height))
  }
}
