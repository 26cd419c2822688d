/// The bounds that keep every sum of lengths far from overflow.
public enum LayoutLimits {
  /// The longest width, height, spacing or inset, in units.
  public static let length = 1_000_000
  /// The most columns of a section.
  public static let columnCount = 1024
  /// The most items of a section: that number of the longest items, with gaps, ends below 2 to the power of 50.
  public static let itemCount = 1 << 28
  /// Positions and distances from outside are clamped to `-position...position` before they are added: more than any
  /// content's height, and three of them still fit into an `Int`.
  static let position = 1 << 60
}

/// An invalid input. A call that throws it has changed nothing.
public enum LayoutError: Error, Hashable, CustomStringConvertible, Sendable {
  /// A measure of a section or of the global header outside of `0...LayoutLimits.length`; the name is the property's.
  case measure(name: String, value: Int)
  /// A height outside of `0...LayoutLimits.length`, with its position in the call's list, or the item's new number
  /// where differences are applied.
  case itemHeight(Int, position: Int)
  /// An item's own width outside of `1...LayoutLimits.length`, with the same position.
  case itemWidth(Int, position: Int)
  /// A span of less than one column, with the same position.
  case itemSpan(Int, position: Int)
  /// A column's weight outside of `1...LayoutLimits.length`.
  case columnWeight(Int, column: Int)
  /// A number of items in a section outside of `0...LayoutLimits.itemCount`.
  case itemCount(Int)
  /// An element of `SectionMetrics.elements` whose kind is the engine's own, or is listed twice.
  case elementKind(ElementKind)
  /// A section of a version of the data whose identifier an earlier one has, by its number.
  case duplicateSection(Int)
  /// An item of a version of the data whose identifier an earlier one has.
  case duplicateItem(ElementPath)
  /// Changes of data other than the layout's: its count of sections or their counts of items differ from the old
  /// version's.
  case outdatedData

  /// O(count), far quicker than laying out.
  static func check(itemHeights: [Int], itemCount: Int) throws(LayoutError) {
    try check(itemCount: itemCount, adding: itemHeights.count)
    var bits = 0
    for height in itemHeights { bits |= height }
    // Checks all heights at once: a negative or too large height has high bits.
    guard bits >> 19 != 0 else { return }
    for (position, height) in itemHeights.enumerated() where height != height.asLength {
      throw .itemHeight(height, position: position)
    }
  }

  /// An error's position is the item's place in the list, or that of `numbers`. O(count).
  static func check(_ items: [ItemSize], itemCount: Int, numbers: [Int]? = nil) throws(LayoutError) {
    try check(itemCount: itemCount, adding: items.count)
    guard !items.allSatisfy(\.isSurelyValid) else { return }
    for (place, item) in items.enumerated() {
      let position = numbers?[place] ?? place
      if item.height != item.height.asLength { throw .itemHeight(item.height, position: position) }
      if let width = item.width, width < 1 || width != width.asLength { throw .itemWidth(width, position: position) }
      if case .columns(let count) = item.span, count < 1 { throw .itemSpan(count, position: position) }
    }
  }

  static func check(measure name: String, _ value: Int) throws(LayoutError) {
    guard value == value.asLength else { throw .measure(name: name, value: value) }
  }

  static func check(itemCount: Int, adding count: Int) throws(LayoutError) {
    guard count >= 0 else { throw .itemCount(count) }
    guard count <= LayoutLimits.itemCount - itemCount else {
      throw .itemCount(Int(clamping: UInt(itemCount) + UInt(count)))
    }
  }

  /// The error in one sentence for the user. O(1).
  public var description: String {
    switch self {
    case .measure(let name, let value):
      "\(name == GlobalHeader.measure ? "a layout" : "a section")'s \(name) cannot be \(value): it is 0 to \(LayoutLimits.length) units"
    case .itemHeight(let height, let position):
      "item \(position) of the list cannot be \(height) units high: a height is 0 to \(LayoutLimits.length)"
    case .itemWidth(let width, let position):
      "item \(position) of the list cannot be \(width) units wide: a width is 1 to \(LayoutLimits.length)"
    case .itemSpan(let span, let position):
      "item \(position) of the list cannot span \(span) columns: it spans at least 1"
    case .columnWeight(let weight, let column):
      "column \(column) cannot weigh \(weight): a weight is 1 to \(LayoutLimits.length)"
    case .itemCount(let count):
      "a section cannot hold \(count) items: it holds 0 to \(LayoutLimits.itemCount)"
    case .elementKind(let kind):
      "a section's elements cannot include \(kind): each is a supplementary element or a decoration, listed once"
    case .duplicateSection(let section): "section \(section) has the identifier of an earlier one"
    case .duplicateItem(let path):
      "item \(path.item) of section \(path.section) has the identifier of an earlier one"
    case .outdatedData:
      "the changes do not begin with the layout's sections and items; compute them again or lay out the new version"
    }
  }
}

// MARK: - Checks

extension SectionMetrics {
  func check() throws(LayoutError) {
    let lengths = [
      ("columnSpacing", columnSpacing), ("lineSpacing", lineSpacing), ("insets.top", insets.top),
      ("insets.left", insets.left), ("insets.bottom", insets.bottom), ("insets.right", insets.right),
      ("headerHeight", headerHeight), ("footerHeight", footerHeight), ("separatorHeight", separatorHeight),
    ]
    for (name, value) in lengths { try LayoutError.check(measure: name, value) }
    if case .tolerance(let tolerance) = order { try LayoutError.check(measure: "tolerance", tolerance) }
    if case .weights(let weights) = columns {
      for (column, weight) in weights.enumerated() where weight < 1 || weight != weight.asLength {
        throw .columnWeight(weight, column: column)
      }
    }
    if !elements.isEmpty { try checkElements() }
  }

  private func checkElements() throws(LayoutError) {
    var kinds: Set<ElementKind> = []
    for element in elements {
      switch element.kind {
      case .supplementary, .decoration:
        guard kinds.insert(element.kind).inserted else { throw .elementKind(element.kind) }
      case .item, .globalHeader, .header, .footer, .background, .separator: throw .elementKind(element.kind)
      }
      switch element.placement {
      case .aboveItems(let height), .belowItems(let height): try LayoutError.check(measure: "elements.height", height)
      case .overItems(let size, _):
        try LayoutError.check(measure: "elements.width", size.width)
        try LayoutError.check(measure: "elements.height", size.height)
      case .behindSection, .behindItems: break
      }
    }
  }
}

extension ItemSize {
  /// Whether a quick check proves the size valid; if not, it may still be.
  @inline(__always)
  fileprivate var isSurelyValid: Bool {
    guard height >> 19 == 0, width == nil else { return false }
    return if case .columns(let count) = span { count > 0 } else { true }
  }
}

// MARK: - Clamping

extension Int {
  var asLength: Int { Swift.min(Swift.max(self, 0), LayoutLimits.length) }

  /// The number clamped to the positions and distances that can be added without overflow.
  var asPosition: Int { Swift.min(Swift.max(self, -LayoutLimits.position), LayoutLimits.position) }
}

extension Rect {
  /// The rectangle with its edges clamped, so that they can be moved and compared without overflow.
  var bounded: Rect {
    let left = origin.x.asPosition
    let top = origin.y.asPosition
    let right = Rect.end(of: origin.x, size.width)
    let bottom = Rect.end(of: origin.y, size.height)
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func end(of start: Int, _ length: Int) -> Int {
    let (sum, overflow) = start.addingReportingOverflow(length)
    guard overflow else { return sum.asPosition }
    return length > 0 ? LayoutLimits.position : -LayoutLimits.position
  }
}
