/// A carousel: one row that scrolls sideways, its items as long as their heights and as high as the layout, or one
/// column in a vertical orientation. The items in a viewport shrink with their distance from its middle: an item's
/// scale is 1 - distance ÷ viewport's length × 0.5. Margins before the first and behind the last item let both lie in
/// the middle.
public struct CarouselLayout: StackedLayout, Equatable {
  var stack: SectionStack<LaneBody>
  /// The length of the viewport along the scrolling.
  public private(set) var viewportLength = 0

  static var columnRule: ColumnRule? { .count(1) }

  init(stack: SectionStack<LaneBody>) { self.stack = stack }

  /// An empty carousel in a viewport; a negative size counts as 0. O(1).
  public init(viewport: Size, orientation: Orientation = .horizontal) {
    let isVertical = orientation.axis == .vertical
    self.init(breadth: isVertical ? viewport.width : viewport.height, orientation: orientation)
    viewportLength = (isVertical ? viewport.height : viewport.width).asLength
  }

  /// Sets the length of the viewport, which determines the margins at the ends. O(sections).
  public mutating func setViewportLength(_ length: Int) {
    viewportLength = length.asLength
    itemsChanged()
  }

  /// Sets the margins so that the first and the last item can lie in the middle.
  mutating func itemsChanged() {
    guard let first = firstItem, let last = lastItem else { return stack.setMargins(leading: 0, trailing: 0) }
    let before = stack.sections[first.section].frame(of: first.item).minY - stack.margins.top
    let lastFrame = stack.sections[last.section].frame(of: last.item)
    let behind = stack.length - stack.margins.bottom - lastFrame.maxY
    stack.setMargins(
      leading: max(0, (viewportLength - itemSize(at: first).height) / 2 - before),
      trailing: max(0, (viewportLength - lastFrame.height + 1) / 2 - behind))
  }

  /// Returns whether the bounds changed: every scroll changes the items' sizes. O(1).
  public func invalidates(forBoundsChangeFrom oldBounds: Rect, to newBounds: Rect) -> Bool { oldBounds != newBounds }

  /// Returns the elements in a viewport and `overscan` units around it, the items scaled by their distance from the
  /// viewport's middle. The cost of a query.
  public func layoutAttributes(inViewport viewport: Rect, overscan: Int) -> [LayoutAttributes] {
    let rows = toLayout(viewport)
    return toScreen(
      stack.elements(inViewport: rows, overscan: overscan).flatMap { scaled($0, in: rows) }
        .filter { $0.frame.intersects(rows.extended(by: overscan)) })
  }

  /// Scales an item, and places the elements over it in the corners of the scaled item.
  private func scaled(_ element: LayoutAttributes, in viewport: Rect) -> [LayoutAttributes] {
    guard element.kind != .globalHeader else { return [element] }
    let elementsOverItems = stack.sections[element.path.section].metrics.elements.filter(\.isOverItems)
    guard element.kind == .item else { return elementsOverItems.contains { $0.kind == element.kind } ? [] : [element] }
    let item = scaledItem(element, in: viewport)
    let above = elementsOverItems.compactMap { placed -> LayoutAttributes? in
      var attributes = SectionStack<LaneBody>.attributes(of: placed, over: item.frame, item.path)
      attributes?.permille = item.permille
      return attributes
    }
    return [item] + above
  }

  private func scaledItem(_ item: LayoutAttributes, in viewport: Rect) -> LayoutAttributes {
    guard viewport.height > 0 else { return item }
    var item = item
    let frame = item.frame
    // Twice the distance: whole numbers have no halves.
    let distance = abs(2 * frame.minY + frame.height - 2 * viewport.minY - viewport.height)
    item.permille = CarouselLayout.permille(atTwiceTheDistance: distance, viewport.height)
    let size = Size(width: scaled(frame.width, to: item.permille), height: scaled(frame.height, to: item.permille))
    item.frame = Rect(
      x: frame.minX + (frame.width - size.width) / 2, y: frame.minY + (frame.height - size.height) / 2,
      width: size.width, height: size.height)
    return item
  }

  /// A length of at least one unit stays at least one unit while the scale is not 0.
  private func scaled(_ length: Int, to permille: Int16) -> Int {
    max(min(length, Int(permille), 1), length * Int(permille) / 1000)
  }

  private static func permille(atTwiceTheDistance distance: Int, _ viewportLength: Int) -> Int16 {
    guard distance / 4 < viewportLength else { return 0 }
    // The product may take more bits than an `Int` has.
    let product = distance.multipliedFullWidth(by: 250)
    return Int16(1000 - viewportLength.dividingFullWidth(product).quotient)
  }

  /// Returns the offset that centers the nearest item; a flick never ends before its proposed end, unless there is
  /// nothing further. O(log items).
  public func targetContentOffset(forProposed offset: Int, velocity: Int, viewportLength: Int) -> Int {
    let length = max(0, viewportLength.asLength)
    let middle = clampedContentOffset(offset, viewportLength: length) + length / 2
    guard let nearest = stack.item(nearestTo: Point(x: 0, y: middle)) else { return 0 }
    let candidates = [neighbor(of: nearest, by: .up), nearest, neighbor(of: nearest, by: .down)].compactMap(\.self)
      .map(center)
    let ahead = candidates.filter { velocity > 0 ? $0 >= middle : velocity < 0 ? $0 <= middle : true }
    let target = (ahead.isEmpty ? candidates : ahead).min { abs($0 - middle) < abs($1 - middle) } ?? middle
    return clampedContentOffset(target - length / 2, viewportLength: length)
  }

  private func center(of path: ElementPath) -> Int {
    let frame = stack.sections[path.section].frame(of: path.item)
    return frame.minY + frame.height / 2
  }

  private func neighbor(of path: ElementPath, by direction: Direction) -> ElementPath? {
    var goal: NavigationGoal?
    return stack.neighbor(of: path, toward: direction, goal: &goal)
  }
}
