#if !canImport(UIKit)
  import Foundation

  // The declarations of UIKit that the example of a collection view uses: it compiles where UIKit is missing.

  @MainActor class UICollectionView {
    static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
    static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"
    var bounds = CGRect.zero
    /// The number of items of each section.
    var itemCounts: [Int] = []
    var numberOfSections: Int { itemCounts.count }
    func numberOfItems(inSection section: Int) -> Int { itemCounts[section] }
  }

  @MainActor class UICollectionViewLayoutAttributes {
    let indexPath: IndexPath
    let representedElementKind: String?
    var frame = CGRect.zero
    init(forCellWith indexPath: IndexPath) { (self.indexPath, representedElementKind) = (indexPath, nil) }
    init(forSupplementaryViewOfKind kind: String, with indexPath: IndexPath) {
      (self.indexPath, representedElementKind) = (indexPath, kind)
    }
  }

  @MainActor class UICollectionViewLayoutInvalidationContext {
    var invalidateEverything = false
    var invalidateDataSourceCounts = false
  }

  @MainActor class UICollectionViewLayout {
    var collectionView: UICollectionView?
    var collectionViewContentSize: CGSize { .zero }
    func prepare() {}
    func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {}
    func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? { nil }
    func layoutAttributesForItem(at path: IndexPath) -> UICollectionViewLayoutAttributes? { nil }
    func layoutAttributesForSupplementaryView(
      ofKind kind: String, at path: IndexPath
    ) -> UICollectionViewLayoutAttributes? { nil }
    func shouldInvalidateLayout(forBoundsChange bounds: CGRect) -> Bool { false }
    func shouldInvalidateLayout(
      forPreferredLayoutAttributes preferred: UICollectionViewLayoutAttributes,
      withOriginalAttributes original: UICollectionViewLayoutAttributes
    ) -> Bool { false }
  }
#endif
