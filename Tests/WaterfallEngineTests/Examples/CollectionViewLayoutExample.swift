import WaterfallEngine

#if canImport(UIKit)
  import UIKit
#else
  import Foundation
#endif

// The documentation contains this example line by line, which `DocumentationTests` checks.

/// A waterfall for a collection view.
///
/// A reload and another width ask for every height again. Cells that size themselves change one height each, and no
/// cell changes its column.
final class WaterfallCollectionViewLayout: UICollectionViewLayout {
  /// The measures of a section, in units of the scale.
  var metrics: (_ section: Int, _ scale: CoordinateScale<CGFloat>) -> SectionMetrics = { _, scale in
    let space = scale.units(10)
    return SectionMetrics(columnSpacing: space, lineSpacing: space, insets: Insets(all: space))
  }
  /// The height of an item in a column of a width, in points.
  var itemHeight: (_ path: IndexPath, _ width: CGFloat) -> CGFloat = { $1 }

  private var waterfall = ScaledLayout<WaterfallLayout, CGFloat>(breadth: 0)
  private var width: CGFloat = 0
  private var isStale = true

  override func prepare() {
    super.prepare()
    guard let view = collectionView, isStale || view.bounds.width != width else { return }
    isStale = false
    width = view.bounds.width
    waterfall = ScaledLayout(breadth: width)
    do {
      for section in 0..<view.numberOfSections {
        try waterfall.appendSection(metrics(section, waterfall.scale))
        let columnWidth = waterfall.columnWidth(inSection: section)
        let items = 0..<view.numberOfItems(inSection: section)
        let heights = items.map { itemHeight(IndexPath(indexes: [section, $0]), columnWidth) }
        try waterfall.append(itemHeights: heights, toSection: section)
      }
    } catch {
      preconditionFailure("invalid measures: \(error)")
    }
  }

  override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    isStale = isStale || context.invalidateEverything || context.invalidateDataSourceCounts
    super.invalidateLayout(with: context)
  }

  override var collectionViewContentSize: CGSize {
    CGSize(width: waterfall.contentBounds.width, height: waterfall.contentBounds.height)
  }

  override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    let rect = ScaledRect(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height)
    return waterfall.elements(in: rect).compactMap { attributes($0.attributes.kind, $0.attributes.path, $0.frame) }
  }

  override func layoutAttributesForItem(at path: IndexPath) -> UICollectionViewLayoutAttributes? {
    let path = ElementPath(section: path[0], item: path[1])
    return waterfall.base.contains(path) ? attributes(.item, path, waterfall.frame(ofItem: path)) : nil
  }

  override func layoutAttributesForSupplementaryView(
    ofKind kind: String, at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    let kind = kind == UICollectionView.elementKindSectionHeader ? ElementKind.header : .footer
    let path = ElementPath(section: path[0], item: 0)
    guard let found = waterfall.base.layoutAttributes(of: kind, at: path) else { return nil }
    return attributes(kind, path, waterfall.scale.points(found.frame))
  }

  private func attributes(
    _ kind: ElementKind, _ path: ElementPath, _ frame: ScaledRect<CGFloat>
  ) -> UICollectionViewLayoutAttributes? {
    let index = IndexPath(indexes: [path.section, path.item])
    let found: UICollectionViewLayoutAttributes
    switch kind {
    case .item: found = .init(forCellWith: index)
    case .header: found = .init(forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader, with: index)
    case .footer: found = .init(forSupplementaryViewOfKind: UICollectionView.elementKindSectionFooter, with: index)
    default: return nil
    }
    found.frame = CGRect(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    return found
  }

  override func shouldInvalidateLayout(forBoundsChange bounds: CGRect) -> Bool {
    bounds.width != width
  }

  override func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferred: UICollectionViewLayoutAttributes,
    withOriginalAttributes original: UICollectionViewLayoutAttributes
  ) -> Bool {
    let path = ElementPath(section: preferred.indexPath[0], item: preferred.indexPath[1])
    guard waterfall.base.contains(path), preferred.frame.height != original.frame.height else { return false }
    return (try? waterfall.setItemHeights([preferred.frame.height], from: path)) != nil
  }
}
