import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct ScaledLayoutTests {
  @Test func `floating-point layouts agree with an implementation of their documentation in the same coordinates`()
    throws
  {
    var generator = SeededGenerator(seed: 80)
    for number in 0..<2000 {
      let scale = CoordinateScale<Double>(unitsPerPoint: [1, 2, 64, 1024][number % 4])
      let orientation = Orientation.all.randomElement(using: &generator) ?? .vertical
      var layout = ScaledLayout<WaterfallLayout, Double>(
        breadth: .random(in: 0...90, using: &generator), orientation: orientation, scale: scale)
      try layout.appendSection(.points(scale, using: &generator))
      let items = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        (
          height: Double.random(in: 0...9, using: &generator),
          span: generator.chance(1, in: 9) ? ItemSize.Span.columns(2) : .columns(1)
        )
      }
      try layout.change { base, scale throws(LayoutError) in
        try base.append(items.map { ItemSize(height: scale.units($0.height), span: $0.span) }, toSection: 0)
      }
      if let mismatch = EngineOracle.mismatch(in: layout, items) {
        Issue.record("layout \(number): \(mismatch)")
        return
      }
    }
  }

  @Test func `columns fill every width exactly, and meet without a gap`() throws {
    var generator = SeededGenerator(seed: 81)
    for count in 1...16 {
      let breadth = Double.random(in: 40...1500, using: &generator)
      var layout = ScaledLayout<WaterfallLayout, Double>(breadth: breadth)
      try layout.appendSection(SectionMetrics(columns: .count(count), columnSpacing: 0, insets: .zero))
      try layout.append(itemHeights: [Double](repeating: 10.1, count: count), toSection: 0)
      let frames = (0..<count).map { layout.frame(ofItem: ElementPath(item: $0)) }
      #expect(frames.map(\.x) == [0] + frames.dropLast().map(\.maxX))
      #expect(frames.last?.maxX == layout.contentBounds.width)
      #expect(layout.contentBounds.width <= breadth && breadth - layout.contentBounds.width < 1.0 / 64)
    }
  }

  @Test func `positions are exact far down`() throws {
    var layout = ScaledLayout<WaterfallLayout, Double>(breadth: 100)
    try layout.appendSection(SectionMetrics(columns: .count(1), lineSpacing: 0, insets: .zero))
    try layout.append(itemHeights: [Double](repeating: 15_624.984375, count: 20_000), toSection: 0)
    #expect(layout.frame(ofItem: ElementPath(item: 19_999)).y == 19_999 * 15_624.984375)
  }

  @Test func `a query in points finds what its rectangle touches, by any fraction`() throws {
    var layout = ScaledLayout<WaterfallLayout, Double>(breadth: 20)
    try layout.appendSection(SectionMetrics(columns: .count(2), columnSpacing: 0, lineSpacing: 0, insets: .zero))
    try layout.append(itemHeights: [10.5, 10.25, 3, 3], toSection: 0)
    func found(_ y: Double, _ height: Double) -> [Int] {
      layout.elements(in: ScaledRect(x: 0, y: y, width: 20, height: height)).map(\.attributes.path.item)
    }
    #expect(found(10.25, 0.01) == [0, 2])
    #expect(found(10.24, 0.001) == [0, 1])
    #expect(found(0, 10.2500001) == [0, 1, 2])
    #expect(layout.elements(inViewport: layout.contentBounds).map(\.frame.y) == [0, 0, 10.25, 10.5])
  }

  @Test func `a changed height moves the items below, and an anchor holds the position`() throws {
    var layout = ScaledLayout<WaterfallLayout, Double>(breadth: 20)
    try layout.appendSection(SectionMetrics(columns: .count(1), lineSpacing: 0, insets: .zero))
    try layout.append(itemHeights: [Double](repeating: 7.5, count: 20), toSection: 0)
    let anchor = try #require(layout.firstVisibleAnchor(contentOffset: 30.25, viewportLength: 20))
    #expect(anchor.path.item == 5)
    let changed = try layout.setItemHeights([9.25], from: ElementPath(item: 1))
    #expect(changed.y <= 7.5 && changed.maxY == 151.75)
    #expect(layout.contentOffset(keeping: anchor, viewportLength: 20) == 32)
    #expect(layout.setBreadth(10.5).width == 20)
    #expect(layout.columnWidth(inSection: 0) == 10.5)
  }

  @Test func `a carousel in points ends a scroll at an item`() throws {
    var layout = ScaledLayout<CarouselLayout, Double>(breadth: 10, orientation: .horizontal)
    try layout.appendSection(SectionMetrics(lineSpacing: 0, insets: .zero))
    try layout.append(itemHeights: [10.5, 10.5, 10.5], toSection: 0)
    layout.change { base, scale in
      base.setViewportLength(scale.units(10.5))
      return .zero
    }
    #expect(layout.targetContentOffset(forProposed: 11.2, velocity: 0.1, viewportLength: 10.5) == 21)
    #expect(layout.targetContentOffset(forProposed: 11.2, velocity: 0, viewportLength: 10.5) == 10.5)
    #expect(layout.targetContentOffset(forProposed: 11.2, velocity: -3, viewportLength: 10.5) == 10.5)
  }

  @Test func `NaN, infinite and too long lengths are errors`() throws {
    var layout = ScaledLayout<WaterfallLayout, Double>(breadth: .nan)
    #expect(layout.contentBounds.width == 0)
    layout.setBreadth(Double.infinity)
    #expect(layout.contentBounds.width == 15_625)
    try layout.appendSection(SectionMetrics())
    for height in [Double.nan, .infinity, -.infinity, -0.01, 15_625.01, .greatestFiniteMagnitude] {
      #expect(throws: LayoutError.self) { try layout.append(itemHeights: [height], toSection: 0) }
    }
    try layout.append(itemHeights: [1], toSection: 0)
    let huge = ScaledRect<Double>(x: -.infinity, y: .nan, width: .infinity, height: .greatestFiniteMagnitude)
    #expect(layout.elements(in: huge).isEmpty)
    #expect(layout.firstVisibleAnchor(contentOffset: .nan, viewportLength: .infinity) == nil)
    #expect(CoordinateScale<Float16>(unitsPerPoint: .max).units(.infinity) == 1 << 60)
  }

  @Test(arguments: [3, 7, 10, 64]) func `a rectangle of whole units converts to those units and back`(units: Int) {
    func check<Coordinate: BinaryFloatingPoint & Sendable>(_: Coordinate.Type) -> Rect? {
      let scale = CoordinateScale<Coordinate>(unitsPerPoint: units)
      for start in -100...200 {
        for length in 0...200 {
          let rect = Rect(x: start, y: -start, width: length, height: 200 - length)
          guard scale.units(scale.points(rect)) == rect else { return rect }
        }
      }
      return nil
    }
    #expect(check(Double.self) == nil)
    #expect(check(Float.self) == nil)
  }

  @Test(arguments: [3, 7, 10]) func `a query for an item's frame finds no neighbor that only touches it`(
    units: Int
  ) throws {
    var layout = ScaledLayout<WaterfallLayout, Double>(breadth: 20, scale: CoordinateScale(unitsPerPoint: units))
    try layout.appendSection(SectionMetrics(columns: .count(1), lineSpacing: 0, insets: .zero))
    try layout.append(itemHeights: (1...100).map { [scale = layout.scale] in scale.points($0) }, toSection: 0)
    for item in 0..<100 {
      let found = layout.elements(in: layout.frame(ofItem: ElementPath(item: item)))
      #expect(found.map(\.attributes.path.item) == [item])
    }
  }

  @Test(arguments: [3, 7, 10]) func `a breadth that the layout returned is that breadth again`(units: Int) {
    let scale = CoordinateScale<Double>(unitsPerPoint: units)
    let changed = (0...2000).filter { breadth in
      var layout = ScaledLayout<WaterfallLayout, Double>(breadth: scale.points(breadth), scale: scale)
      layout.setBreadth(layout.contentBounds.width)
      return layout.base.breadth != breadth
    }
    #expect(changed.isEmpty)
  }

  @Test func `a rectangle that reaches into a unit covers it in every scale`() {
    for units in [3, 7, 10, 64] {
      let scale = CoordinateScale<Double>(unitsPerPoint: units)
      let rect = ScaledRect(x: 0.9999999, y: -0.0000001, width: 9.0000002, height: 9)
      #expect(scale.units(rect) == Rect(x: units - 1, y: -1, width: 9 * units + 2, height: 9 * units + 1))
    }
  }

  @Test func `pixels are whole units where a point has two or three`() throws {
    var layout = ScaledLayout<WaterfallLayout, Double>(breadth: 100, scale: CoordinateScale(unitsPerPoint: 3))
    try layout.appendSection(SectionMetrics(columns: .count(3), columnSpacing: 1, insets: .zero))
    try layout.append(itemHeights: [10.4, 10.4, 10.4], toSection: 0)
    for item in 0..<3 {
      let frame = layout.frame(ofItem: ElementPath(item: item))
      #expect([frame.x, frame.maxX, frame.height].allSatisfy { abs(($0 * 3).rounded() - $0 * 3) < 1e-9 })
    }
  }
}

extension SectionMetrics {
  /// Random measures in fractions of a point.
  fileprivate static func points(
    _ scale: CoordinateScale<Double>, using generator: inout SeededGenerator
  ) -> SectionMetrics {
    func length() -> Int { scale.units(.random(in: 0...3, using: &generator)) }
    return SectionMetrics(
      columns: .count(.random(in: 1...9, using: &generator)), columnSpacing: length(), lineSpacing: length(),
      insets: Insets(top: length(), left: length(), bottom: length(), right: length()), headerHeight: length(),
      order: [.shortest, .leftToRight, .rightToLeft, .tolerance(length())].randomElement(using: &generator)
        ?? .shortest,
      spanPacking: .inOrder)
  }
}
