import WaterfallEngine

#if !canImport(UIKit) && !canImport(AppKit)
  import Foundation
#endif

// The documentation contains this example line by line, which `DocumentationTests` checks.

#if canImport(UIKit)
  import UIKit
  typealias HostCollectionView = UICollectionView
  typealias HostLayout = UICollectionViewLayout
  typealias HostAttributes = UICollectionViewLayoutAttributes
  typealias HostContext = UICollectionViewLayoutInvalidationContext
#elseif canImport(AppKit)
  import AppKit
  typealias HostCollectionView = NSCollectionView
  typealias HostLayout = NSCollectionViewLayout
  typealias HostAttributes = NSCollectionViewLayoutAttributes
  typealias HostContext = NSCollectionViewLayoutInvalidationContext
  extension NSCollectionViewLayoutAttributes {
    convenience init(forCellWith path: IndexPath) { self.init(forItemWith: path) }
  }
#endif

/// A waterfall for a collection view.
///
/// A reload and another width ask for every height again. Cells that size themselves change one height each, and no
/// cell changes its column.
final class WaterfallCollectionViewLayout: HostLayout {
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

  override func invalidateLayout(with context: HostContext) {
    isStale = isStale || context.invalidateEverything || context.invalidateDataSourceCounts
    super.invalidateLayout(with: context)
  }

  override var collectionViewContentSize: CGSize {
    CGSize(width: waterfall.contentBounds.width, height: waterfall.contentBounds.height)
  }

  override func layoutAttributesForElements(in rect: CGRect) -> [HostAttributes] {
    let rect = ScaledRect(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height)
    return waterfall.elements(in: rect).compactMap { attributes($0.attributes.kind, $0.attributes.path, $0.frame) }
  }

  override func layoutAttributesForItem(at path: IndexPath) -> HostAttributes? {
    let path = ElementPath(section: path[0], item: path[1])
    return waterfall.base.contains(path) ? attributes(.item, path, waterfall.frame(ofItem: path)) : nil
  }

  override func layoutAttributesForSupplementaryView(ofKind kind: String, at path: IndexPath) -> HostAttributes? {
    let kind = kind == HostCollectionView.elementKindSectionHeader ? ElementKind.header : .footer
    let path = ElementPath(section: path[0], item: 0)
    guard let found = waterfall.base.layoutAttributes(of: kind, at: path) else { return nil }
    return attributes(kind, path, waterfall.scale.points(found.frame))
  }

  private func attributes(_ kind: ElementKind, _ path: ElementPath, _ frame: ScaledRect<CGFloat>) -> HostAttributes? {
    let index = IndexPath(indexes: [path.section, path.item])
    let found: HostAttributes
    switch kind {
    case .item: found = .init(forCellWith: index)
    case .header: found = .init(forSupplementaryViewOfKind: HostCollectionView.elementKindSectionHeader, with: index)
    case .footer: found = .init(forSupplementaryViewOfKind: HostCollectionView.elementKindSectionFooter, with: index)
    default: return nil
    }
    found.frame = CGRect(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    return found
  }

  override func shouldInvalidateLayout(forBoundsChange bounds: CGRect) -> Bool {
    bounds.width != width
  }

  override func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferred: HostAttributes, withOriginalAttributes original: HostAttributes
  ) -> Bool {
    // AppKit's index path is optional.
    let index: IndexPath? = preferred.indexPath
    guard let path = index.map({ ElementPath(section: $0[0], item: $0[1]) }), waterfall.base.contains(path),
      preferred.frame.height != original.frame.height
    else { return false }
    return (try? waterfall.setItemHeights([preferred.frame.height], from: path)) != nil
  }
}
