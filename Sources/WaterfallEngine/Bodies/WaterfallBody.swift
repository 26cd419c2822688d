/// A waterfall's items: a `LaneBody` until one of them spans columns, because that takes a third of the memory and time
/// of a `PlacedBody`.
struct WaterfallBody: SectionBody {
  private let rules: PackingRules
  /// All items while none spans columns.
  private var plain: LaneBody
  /// All items once one spans columns: one body or none. Copying an array is cheap; copying a body retains each of its
  /// arrays.
  private var wide: ContiguousArray<PlacedBody> = []

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.rules = rules
    plain = LaneBody(columns: columns, rules: rules)
  }

  private var isPlain: Bool { wide.isEmpty }

  var columns: ColumnGeometry { plain.columns }
  var itemCount: Int { isPlain ? plain.itemCount : wide[0].itemCount }
  var height: Int { isPlain ? plain.height : wide[0].height }
  var storedByteCount: Int { isPlain ? plain.storedByteCount : wide[0].storedByteCount }

  func size(of item: Int) -> ItemSize { isPlain ? plain.size(of: item) : wide[0].size(of: item) }

  @inline(__always)
  func frame(of item: Int) -> Rect { isPlain ? plain.frame(of: item) : wide[0].frame(of: item) }

  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    if isPlain { plain.collect(in: area, into: &found) } else { wide[0].collect(in: area, into: &found) }
  }
}

// MARK: - Changes

extension WaterfallBody {
  mutating func append(_ heights: [Int]) -> Int {
    isPlain ? plain.append(heights) : wide[0].append(heights)
  }

  mutating func insert(_ items: [ItemSize], at index: Int) -> Int {
    if isPlain, items.contains(where: { $0.span != .columns(1) }) { placeItems() }
    return isPlain ? plain.insert(items, at: index) : wide[0].insert(items, at: index)
  }

  /// Replaces the plain body without moving its items. O(items).
  private mutating func placeItems() {
    wide = [PlacedBody(adopting: plain, rules: rules)]
    plain = LaneBody(columns: columns, rules: rules)
  }

  mutating func remove(_ range: Range<Int>) -> Int {
    isPlain ? plain.remove(range) : wide[0].remove(range)
  }

  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int {
    isPlain
      ? plain.setHeights(heights, from: index, areEstimates: areEstimates)
      : wide[0].setHeights(heights, from: index, areEstimates: areEstimates)
  }

  mutating func repack(from index: Int) -> Int {
    isPlain ? plain.repack(from: index) : wide[0].repack(from: index)
  }
}

// MARK: - Navigation

extension WaterfallBody {
  @inline(__always)
  func item(above item: Int, goal: inout NavigationGoal?) -> Int? {
    isPlain ? plain.item(above: item, goal: &goal) : wide[0].item(above: item, goal: &goal)
  }

  @inline(__always)
  func item(below item: Int, goal: inout NavigationGoal?) -> Int? {
    isPlain ? plain.item(below: item, goal: &goal) : wide[0].item(below: item, goal: &goal)
  }

  @inline(__always)
  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    isPlain
      ? plain.item(beside: item, step: step, top: top, goal: &goal)
      : wide[0].item(beside: item, step: step, top: top, goal: &goal)
  }

  func lane(of item: Int, column: Int?) -> Range<Int> {
    isPlain ? plain.lane(of: item, column: column) : wide[0].lane(of: item, column: column)
  }

  func column(nearestTo lane: Range<Int>) -> Int? {
    isPlain ? plain.column(nearestTo: lane) : wide[0].column(nearestTo: lane)
  }

  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    isPlain ? plain.item(nearestTo: minX, maxX, row: row) : wide[0].item(nearestTo: minX, maxX, row: row)
  }
}
