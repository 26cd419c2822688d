#if !canImport(UIKit) && !canImport(AppKit)
  import Foundation

  // The declarations of UIKit that the example of a collection view uses: it compiles where UIKit is missing.

  typealias HostCollectionView = UICollectionView
  typealias HostLayout = UICollectionViewLayout
  typealias HostAttributes = UICollectionViewLayoutAttributes
  typealias HostContext = UICollectionViewLayoutInvalidationContext

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

/// The declarations of AppKit that the example uses, as the source of a module.
let appKitStubs = """
  @_exported import Foundation
  @MainActor open class NSCollectionView {
    public typealias SupplementaryElementKind = String
    public static let elementKindSectionHeader: SupplementaryElementKind = "NSCollectionElementKindSectionHeader"
    public static let elementKindSectionFooter: SupplementaryElementKind = "NSCollectionElementKindSectionFooter"
    public var bounds = NSRect.zero
    public var numberOfSections: Int { 0 }
    public func numberOfItems(inSection section: Int) -> Int { 0 }
  }
  @MainActor open class NSCollectionViewLayoutAttributes {
    public var indexPath: IndexPath?
    public var frame = NSRect.zero
    public convenience init(forItemWith path: IndexPath) { self.init() }
    public convenience init(
      forSupplementaryViewOfKind kind: NSCollectionView.SupplementaryElementKind, with path: IndexPath
    ) { self.init() }
    public init() {}
  }
  @MainActor open class NSCollectionViewLayoutInvalidationContext {
    open var invalidateEverything: Bool { false }
    open var invalidateDataSourceCounts: Bool { false }
  }
  @MainActor open class NSCollectionViewLayout {
    public weak var collectionView: NSCollectionView?
    public init() {}
    open var collectionViewContentSize: NSSize { .zero }
    open func prepare() {}
    open func invalidateLayout(with context: NSCollectionViewLayoutInvalidationContext) {}
    open func layoutAttributesForElements(in rect: NSRect) -> [NSCollectionViewLayoutAttributes] { [] }
    open func layoutAttributesForItem(at path: IndexPath) -> NSCollectionViewLayoutAttributes? { nil }
    open func layoutAttributesForSupplementaryView(
      ofKind kind: NSCollectionView.SupplementaryElementKind, at path: IndexPath
    ) -> NSCollectionViewLayoutAttributes? { nil }
    open func shouldInvalidateLayout(forBoundsChange bounds: NSRect) -> Bool { false }
    open func shouldInvalidateLayout(
      forPreferredLayoutAttributes preferred: NSCollectionViewLayoutAttributes,
      withOriginalAttributes original: NSCollectionViewLayoutAttributes
    ) -> Bool { false }
  }
  """
