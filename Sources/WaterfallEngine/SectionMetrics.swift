import Geometry

/// The measures of a section; heights of 0 leave the header or footer out.
///
/// A layout takes every length into `0...LayoutLimits.length` and answers with the measures that it uses.
public struct SectionMetrics: Hashable, Sendable {
  public var columns: ColumnRule = .count(2)
  public var columnSpacing = 10
  public var lineSpacing = 10
  public var insets = EdgeInsets(all: 10)
  public var headerHeight = 0
  public var footerHeight = 0

  public init() {}
}

extension SectionMetrics {
  var bounded: SectionMetrics {
    var metrics = self
    metrics.columnSpacing = columnSpacing.asLength
    metrics.lineSpacing = lineSpacing.asLength
    metrics.insets = EdgeInsets(
      top: insets.top.asLength, left: insets.left.asLength,
      bottom: insets.bottom.asLength, right: insets.right.asLength)
    metrics.headerHeight = headerHeight.asLength
    metrics.footerHeight = footerHeight.asLength
    return metrics
  }
}
