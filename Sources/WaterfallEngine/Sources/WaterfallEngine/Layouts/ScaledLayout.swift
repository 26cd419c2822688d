/// A layout in a host's floating-point coordinates, called points: `ScaledLayout<WaterfallLayout, Double>`.
///
/// The layout counts in whole units, by default 64 in a point, and this type only converts: there is one implementation
/// of packing, queries and navigation. A given length is rounded to the nearest unit, and a returned one is exact.
public struct ScaledLayout<Base: CollectionLayout, Coordinate: BinaryFloatingPoint & Sendable>: Sendable {
  /// The relation between points and units.
  public let scale: CoordinateScale<Coordinate>
  /// The layout in units: read what has no lengths here, such as neighbors and the number of items.
  public private(set) var base: Base

  /// An empty layout whose content is `breadth` points across the direction of scrolling, rounded down to whole units so
  /// that nothing reaches over the edge. O(1).
  public init(
    breadth: Coordinate, orientation: Orientation = .vertical, scale: CoordinateScale<Coordinate> = CoordinateScale()
  ) {
    self.init(Base(breadth: scale.units(breadth, .down), orientation: orientation), scale: scale)
  }

  /// A layout whose units are those of a scale. O(1).
  public init(_ base: Base, scale: CoordinateScale<Coordinate> = CoordinateScale()) {
    self.base = base
    self.scale = scale
  }

  /// The rectangle of all sections together, in points. O(1).
  public var contentBounds: ScaledRect<Coordinate> { scale.points(Rect(origin: .zero, size: base.contentSize)) }

  /// Returns the narrowest column's width, in points. O(1).
  public func columnWidth(inSection section: Int) -> Coordinate { scale.points(base.columnWidth(inSection: section)) }
}

extension ScaledLayout: Equatable where Base: Equatable {}
extension ScaledLayout: Codable where Base: Codable {}

// MARK: - Changes

extension ScaledLayout {
  /// Makes a change in units; convert lengths with `scale`. Returns the part of the content outside of which nothing
  /// moved, in points. The cost of the change.
  @discardableResult
  public mutating func change<Failure: Error>(
    _ body: (_ base: inout Base, _ scale: CoordinateScale<Coordinate>) throws(Failure) -> Rect
  ) throws(Failure) -> ScaledRect<Coordinate> {
    scale.points(try body(&base, scale))
  }

  /// Adds an empty section by its measures in units: `SectionMetrics(lineSpacing: scale.units(7.5))`. Returns the part of
  /// the content outside of which nothing moved, in points. O(columns).
  @discardableResult
  public mutating func appendSection(_ metrics: SectionMetrics) throws(LayoutError) -> ScaledRect<Coordinate> {
    scale.points(try base.appendSection(metrics))
  }

  /// Adds items by their heights, in points, at the end of the section. Returns the part of the content outside of which
  /// nothing moved, in points. The cost of `CollectionLayout.append(itemHeights:toSection:)`.
  @discardableResult
  public mutating func append(
    itemHeights: [Coordinate], toSection section: Int
  ) throws(LayoutError) -> ScaledRect<Coordinate> {
    scale.points(try base.append(itemHeights: itemHeights.map { scale.units($0) }, toSection: section))
  }

  /// Changes the heights of items, in points, from the one at `path` on. Returns the part of the content outside of which
  /// nothing moved, in points. The cost of `CollectionLayout.setItemHeights(_:from:areEstimates:)`.
  @discardableResult
  public mutating func setItemHeights(
    _ heights: [Coordinate], from path: ElementPath, areEstimates: Bool = false
  ) throws(LayoutError) -> ScaledRect<Coordinate> {
    scale.points(
      try base.setItemHeights(heights.map { scale.units($0) }, from: path, areEstimates: areEstimates))
  }

  /// Changes the content's extent across the direction of scrolling, in points, as `init` rounds it. Returns the part of
  /// the content outside of which nothing moved, in points. The cost of `CollectionLayout.setBreadth(_:)`.
  @discardableResult
  public mutating func setBreadth(_ breadth: Coordinate) -> ScaledRect<Coordinate> {
    scale.points(base.setBreadth(scale.units(breadth, .down)))
  }
}

// MARK: - Reading

extension ScaledLayout {
  /// Returns the frame of an item, in points. O(1), with 8 steps a column.
  public func frame(ofItem path: ElementPath) -> ScaledRect<Coordinate> {
    scale.points(base.frame(ofItem: path))
  }

  /// Returns exactly the elements that touch `rect`, in points, each with its frame in points. The cost of
  /// `CollectionLayout.layoutAttributes(in:)`.
  public func elements(
    in rect: ScaledRect<Coordinate>
  ) -> [(attributes: LayoutAttributes, frame: ScaledRect<Coordinate>)] {
    base.layoutAttributes(in: scale.units(rect)).map { ($0, scale.points($0.frame)) }
  }

  /// Returns the elements that a viewport in points shows, and those in the overscan before and behind it, each with its
  /// frame in points. The cost of `CollectionLayout.layoutAttributes(inViewport:overscan:)`.
  public func elements(
    inViewport viewport: ScaledRect<Coordinate>, overscan: Coordinate = 0
  ) -> [(attributes: LayoutAttributes, frame: ScaledRect<Coordinate>)] {
    base.layoutAttributes(inViewport: scale.units(viewport), overscan: scale.units(overscan)).map {
      ($0, scale.points($0.frame))
    }
  }

  /// Returns the anchor of the first item in the viewport, whose offset and length are in points; nil when the viewport
  /// shows no item. The cost of a query.
  public func firstVisibleAnchor(contentOffset: Coordinate, viewportLength: Coordinate) -> ScrollAnchor? {
    base.firstVisibleAnchor(contentOffset: scale.units(contentOffset), viewportLength: scale.units(viewportLength))
  }

  /// Returns the content offset in points at which the anchor's item lies where it lay. O(log items).
  public func contentOffset(keeping anchor: ScrollAnchor, viewportLength: Coordinate) -> Coordinate {
    scale.points(base.contentOffset(keeping: anchor, viewportLength: scale.units(viewportLength)))
  }

  /// Returns the offset in points at which scrolling should end instead of the proposed one; of `velocity` only the sign
  /// counts. O(log items).
  public func targetContentOffset(
    forProposed offset: Coordinate, velocity: Coordinate, viewportLength: Coordinate
  ) -> Coordinate {
    scale.points(
      base.targetContentOffset(
        forProposed: scale.units(offset), velocity: velocity > 0 ? 1 : velocity < 0 ? -1 : 0,
        viewportLength: scale.units(viewportLength)))
  }
}

// MARK: - Values

/// The relation between a host's floating-point coordinates, called points, and the whole units of a layout.
///
/// With the default of 64 units, as with every power of two, converted units are exact in a `Double` for every possible
/// content, and a `Float` holds positions up to 262,144 points exactly. The longest length is `LayoutLimits.length` units,
/// 15,625 points. To align frames with pixels, count in pixels: 2 or 3 units in a point.
public struct CoordinateScale<Coordinate: BinaryFloatingPoint & Sendable>: Hashable, Codable, Sendable {
  /// A decoded number may be any.
  private let number: Int

  /// The number of units in a point, `1...LayoutLimits.length`.
  public var unitsPerPoint: Int { max(1, number.asLength) }

  /// A scale, by default of 64 units in a point; other numbers than `1...LayoutLimits.length` are clamped. O(1).
  public init(unitsPerPoint: Int = 64) { number = max(1, unitsPerPoint.asLength) }

  /// Returns a length or position in units, rounded to the nearest; huge ones are clamped, and not-a-number becomes a
  /// negative length, which no layout accepts. O(1).
  public func units(_ points: Coordinate) -> Int {
    clamped((points * Coordinate(unitsPerPoint)).rounded(.toNearestOrAwayFromZero))
  }

  /// Converts a length, or a sum of `first` and another length, so that converted units become the same units again: the
  /// errors of a division, of the sum and of the product, of half a last place each, are no fraction of a unit.
  func units(_ points: Coordinate, _ rule: FloatingPointRoundingRule, sumOf first: Coordinate = 0) -> Int {
    let scale = Coordinate(unitsPerPoint)
    let units = points * scale
    let nearest = units.rounded(.toNearestOrAwayFromZero)
    let error = isExact ? 0 : 4 * max(abs(units), abs(first * scale)).ulp
    return clamped(abs(units - nearest) <= error ? nearest : units.rounded(rule))
  }

  /// Powers of two divide without an error.
  private var isExact: Bool { unitsPerPoint.nonzeroBitCount == 1 }

  private func clamped(_ units: Coordinate) -> Int {
    let limit = Coordinate(LayoutLimits.position)
    guard units > -limit else { return -LayoutLimits.position }
    return units < limit ? Int(units) : LayoutLimits.position
  }

  /// Returns the smallest rectangle in units that covers one in points, apart from errors of rounding. O(1).
  public func units(_ rect: ScaledRect<Coordinate>) -> Rect {
    let (left, top) = (units(rect.x, .down), units(rect.y, .down))
    let (right, bottom) = (units(rect.maxX, .up, sumOf: rect.x), units(rect.maxY, .up, sumOf: rect.y))
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns a length or position in points. O(1).
  public func points(_ units: Int) -> Coordinate { Coordinate(units) / Coordinate(unitsPerPoint) }

  /// Returns a rectangle in points. O(1).
  public func points(_ rect: Rect) -> ScaledRect<Coordinate> {
    ScaledRect(x: points(rect.minX), y: points(rect.minY), width: points(rect.width), height: points(rect.height))
  }
}

/// A rectangle in a host's floating-point coordinates.
public struct ScaledRect<Coordinate: BinaryFloatingPoint & Sendable>: Hashable, Sendable {
  /// The left edge.
  public var x: Coordinate
  /// The top edge.
  public var y: Coordinate
  /// The horizontal extent.
  public var width: Coordinate
  /// The vertical extent.
  public var height: Coordinate

  /// The rectangle with these edges and extents. O(1).
  public init(x: Coordinate, y: Coordinate, width: Coordinate, height: Coordinate) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The right edge.
  public var maxX: Coordinate { x + width }
  /// The bottom edge.
  public var maxY: Coordinate { y + height }
}

extension ScaledRect: Codable where Coordinate: Codable {}
