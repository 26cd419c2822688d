/// A carousel: one row that scrolls sideways, its items as long as their heights say and as high as the layout, or one
/// column if it is turned so. What is seen in a viewport shrinks with its distance from the middle: an item's scale is
/// 1 - distance ÷ viewport's length × 0.5. Room before the first and behind the last item lets both lie in the middle.
public struct CarouselLayout: StackedLayout {
  var stack: SectionStack<LaneBody>
  /// How much of the content is seen at once in the direction of scrolling.
  public private(set) var viewportLength = 0

  static var columnRule: ColumnRule? { .count(1) }

  init(stack: SectionStack<LaneBody>) { self.stack = stack }

  /// An empty carousel in a viewport; a negative size counts as 0. O(1).
  public init(viewport: Size, orientation: Orientation = .horizontal) {
    let isVertical = orientation.axis == .vertical
    self.init(breadth: isVertical ? viewport.width : viewport.height, orientation: orientation)
    viewportLength = (isVertical ? viewport.height : viewport.width).asLength
  }

  /// Tells the carousel how much of it is seen at once, so that its ends can lie in the middle. O(sections).
  public mutating func setViewportLength(_ length: Int) {
    viewportLength = length.asLength
    itemsChanged()
  }

  /// Makes room for the first and the last item to lie in the middle.
  mutating func itemsChanged() {
    guard let first = firstItem, let last = lastItem else { return stack.setMargins(leading: 0, trailing: 0) }
    let before = stack.sections[first.section].frame(of: first.item).minY - stack.margins.leading
    let lastFrame = stack.sections[last.section].frame(of: last.item)
    let behind = stack.length - stack.margins.trailing - lastFrame.maxY
    stack.setMargins(
      leading: max(0, (viewportLength - itemSize(at: first).height) / 2 - before),
      trailing: max(0, (viewportLength - lastFrame.height + 1) / 2 - behind))
  }
}

extension CarouselLayout {
  /// What is seen changes with every scroll. O(1).
  public func invalidates(forBoundsChangeFrom oldBounds: Rect, to newBounds: Rect) -> Bool { oldBounds != newBounds }

  /// Copies of the items' attributes, as large as their distance from the viewport's middle makes them. As long as a
  /// query.
  public func layoutAttributes(inViewport viewport: Rect) -> [LayoutAttributes] {
    let rows = laidOut(viewport)
    let seen = stack.elements(inViewport: rows).map { shrunk($0, in: rows) }.filter { $0.frame.intersects(rows) }
    return turned(seen)
  }

  private func shrunk(_ element: LayoutAttributes, in viewport: Rect) -> LayoutAttributes {
    guard element.kind == .item, viewport.height > 0 else { return element }
    var element = element
    let frame = element.frame
    // Twice the distance: whole numbers have no halves.
    let distance = abs(2 * frame.minY + frame.height - 2 * viewport.minY - viewport.height)
    element.permille = CarouselLayout.permille(atTwiceTheDistance: distance, viewport.height)
    let size = Size(
      width: shrunk(frame.width, to: element.permille), height: shrunk(frame.height, to: element.permille))
    element.frame = Rect(
      x: frame.minX + (frame.width - size.width) / 2, y: frame.minY + (frame.height - size.height) / 2,
      width: size.width, height: size.height)
    return element
  }

  /// What has any length keeps a unit of it as long as it is there at all.
  private func shrunk(_ length: Int, to permille: Int16) -> Int {
    max(min(length, Int(permille), 1), length * Int(permille) / 1000)
  }

  private static func permille(atTwiceTheDistance distance: Int, _ viewportLength: Int) -> Int16 {
    guard distance / 4 < viewportLength else { return 0 }
    // Viewports may be so long that the product takes more bits than a number has.
    let product = distance.multipliedFullWidth(by: 250)
    return Int16(1000 - viewportLength.dividingFullWidth(product).quotient)
  }

  /// The offset that puts the nearest item into the middle; a flick never goes back behind where it would end, unless
  /// there is nothing further. O(log items).
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
    var none: NavigationGoal?
    return stack.neighbor(of: path, toward: direction, goal: &none)
  }
}
