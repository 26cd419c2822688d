import Geometry

/// A waterfall's items: in one column each as long as none is to span more, which takes a third of the memory and of
/// the time.
struct WaterfallBody: SectionBody {
  private let metrics: SectionMetrics
  private var plain: LaneBody
  /// All items, as soon as one of them is to span columns.
  private var placed: PlacedBody?

  init(columns: ColumnGeometry, metrics: SectionMetrics) {
    self.metrics = metrics
    plain = LaneBody(columns: columns, metrics: metrics)
  }

  var columns: ColumnGeometry { plain.columns }
  var itemCount: Int { placed?.itemCount ?? plain.itemCount }
  var height: Int { placed?.height ?? plain.height }
  var storedByteCount: Int { placed?.storedByteCount ?? plain.storedByteCount }

  func size(of item: Int) -> ItemSize { placed?.size(of: item) ?? plain.size(of: item) }

  @inline(__always)
  func frame(of item: Int) -> Rect { placed?.frame(of: item) ?? plain.frame(of: item) }

  @inline(__always)
  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    if let placed { placed.collect(in: area, into: &found) } else { plain.collect(in: area, into: &found) }
  }
}

extension WaterfallBody {
  mutating func append(_ heights: [Int]) {
    if placed == nil { plain.append(heights) } else { placed?.append(heights) }
  }

  mutating func insert(_ items: [ItemSize], at index: Int) {
    if placed == nil, items.contains(where: { $0.span != .columns(1) }) { placeItems() }
    if placed == nil { plain.insert(items, at: index) } else { placed?.insert(items, at: index) }
  }

  /// The items so far stay where they are. O(items).
  private mutating func placeItems() {
    placed = PlacedBody(takingOver: plain, metrics: metrics)
    plain = LaneBody(columns: columns, metrics: metrics)
  }

  mutating func remove(_ range: Range<Int>) {
    if placed == nil { plain.remove(range) } else { placed?.remove(range) }
  }

  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) {
    if placed == nil {
      plain.setHeights(heights, from: index, areEstimates: areEstimates)
    } else {
      placed?.setHeights(heights, from: index, areEstimates: areEstimates)
    }
  }

  mutating func repack(from index: Int) {
    if placed == nil { plain.repack(from: index) } else { placed?.repack(from: index) }
  }

  func top(ofItemsFrom index: Int) -> Int {
    placed?.top(ofItemsFrom: index) ?? plain.top(ofItemsFrom: index)
  }
}

extension WaterfallBody {
  func item(above item: Int, goal: inout NavigationGoal?) -> Int? {
    if let placed { placed.item(above: item, goal: &goal) } else { plain.item(above: item, goal: &goal) }
  }

  func item(below item: Int, goal: inout NavigationGoal?) -> Int? {
    if let placed { placed.item(below: item, goal: &goal) } else { plain.item(below: item, goal: &goal) }
  }

  func item(beside item: Int, step: Int, top: Int, goal: NavigationGoal) -> (item: Int, column: Int)? {
    if let placed { return placed.item(beside: item, step: step, top: top, goal: goal) }
    return plain.item(beside: item, step: step, top: top, goal: goal)
  }

  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    placed?.item(nearestTo: minX, maxX, row: row) ?? plain.item(nearestTo: minX, maxX, row: row)
  }
}
