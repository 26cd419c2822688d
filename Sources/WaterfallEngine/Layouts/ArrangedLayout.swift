/// An algorithm that places the items of a section, for a layout of your own: `ArrangedLayout<YourArrangement>`.
///
/// An arrangement says where items lie; sections, headers, decorations, queries, edits, anchors, arrow keys and
/// orientations come with the layout.
public protocol ItemArrangement: Sendable {
  /// Appends the frames of the items that have none yet, `items[frames.count...]`, to `frames`.
  ///
  /// Frames lie in `0...` vertically, counted from the items' top, and in `space.extent` horizontally. An item's frame
  /// depends only on the items before it: the frames in `frames` are final. Called once for each change.
  static func place(_ items: [ItemSize], in space: ArrangementSpace, frames: inout [Rect])
}

/// The space in which an arrangement places the items of a section.
public struct ArrangementSpace: Hashable, Sendable {
  /// The horizontal extent of each column, from left to right; there is at least one.
  public let columns: [Range<Int>]
  /// The distance between two columns.
  public let columnSpacing: Int
  /// The distance between two lines.
  public let lineSpacing: Int

  /// The horizontal extent between the section's side insets.
  public var extent: Range<Int> { columns[0].lowerBound..<columns[columns.count - 1].upperBound }

  init(_ columns: ColumnGeometry, _ rules: PackingRules) {
    self.columns = (0..<columns.count).map { columns.x(of: $0)..<columns.x(of: $0) + columns.width(of: $0) }
    columnSpacing = columns.spacing
    lineSpacing = rules.lineSpacing
  }
}

/// A layout whose items lie where an `ItemArrangement` places them.
///
/// A query takes O(log items + found) where items lie about in their order. A change places the items behind it again;
/// a move takes O(items). An item occupies about 80 bytes.
public struct ArrangedLayout<Arrangement: ItemArrangement>: StackedLayout, Equatable {
  var stack: SectionStack<ArrangedBody<Arrangement>>

  static var alignsItemsToColumns: Bool { false }
}

/// Items with a frame each.
struct ArrangedBody<Arrangement: ItemArrangement>: SectionBody {
  let columns: ColumnGeometry
  private let space: ArrangementSpace
  private var sizes: [ItemSize] = []
  private var frames: [Rect] = []
  private var extents = ExtentTree()
  private(set) var height = 0

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.columns = columns
    space = ArrangementSpace(columns, rules)
  }

  static func == (left: ArrangedBody, right: ArrangedBody) -> Bool {
    left.space == right.space && left.sizes == right.sizes && left.frames == right.frames
  }

  var itemCount: Int { sizes.count }

  var storedByteCount: Int {
    sizes.capacity * MemoryLayout<ItemSize>.stride + frames.capacity * MemoryLayout<Rect>.stride
      + extents.storedByteCount
  }

  func size(of item: Int) -> ItemSize { sizes[item] }
  func frame(of item: Int) -> Rect { frames[item] }

  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    extents.visitBlocks(from: area.rows.lowerBound, to: area.rows.upperBound) { block in
      for item in ExtentTree.items(ofBlock: block, count: itemCount) {
        guard frames[item].offsetBy(x: 0, y: area.top).intersects(area.rect) else { continue }
        found.append(area.attributes(of: item, frames[item]))
      }
    }
  }
}

// MARK: - Changes

extension ArrangedBody {
  mutating func append(_ heights: [Int]) -> Int { insert(heights.map { ItemSize(height: $0) }, at: itemCount) }

  mutating func insert(_ items: [ItemSize], at index: Int) -> Int {
    sizes.insert(contentsOf: items, at: index)
    return place(from: index)
  }

  mutating func remove(_ range: Range<Int>) -> Int {
    sizes.removeSubrange(range)
    return place(from: range.lowerBound)
  }

  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int {
    for (number, height) in heights.enumerated() {
      sizes[index + number].height = height
      sizes[index + number].isEstimate = areEstimates
    }
    return place(from: index)
  }

  mutating func repack(from index: Int) -> Int { place(from: index) }

  private mutating func place(from first: Int) -> Int {
    let isAppending = first == frames.count
    let oldTop = top(ofItemsFrom: first)
    frames.removeSubrange(first...)
    Arrangement.place(sizes, in: space, frames: &frames)
    precondition(frames.count == sizes.count, "\(Arrangement.self) must place every item")
    let extent = space.extent
    for frame in frames[first...] {
      let fits = frame.minX >= extent.lowerBound && frame.maxX <= extent.upperBound && frame.width >= 0
      let isBelowTop = frame.minY >= 0 && frame.height >= 0 && frame.maxY <= LayoutLimits.position
      precondition(fits && isBelowTop, "\(Arrangement.self) must place items within the section, not at \(frame)")
    }
    measure(from: isAppending ? first : 0)
    return min(oldTop, top(ofItemsFrom: first))
  }

  private func top(ofItemsFrom first: Int) -> Int { frames[first...].lazy.map(\.minY).min() ?? height }

  /// Updates the height and the extents for the items from `first` on.
  private mutating func measure(from first: Int) {
    if first == 0 { (extents, height) = (ExtentTree(), 0) }
    height = frames[first...].reduce(height) { max($0, $1.maxY) }
    for block in ExtentTree.blocks(from: first, count: itemCount) {
      let items = ExtentTree.items(ofBlock: block, count: itemCount)
      let extent = frames[items].reduce(into: ExtentTree.Extent()) {
        $0.widen(by: ExtentTree.Extent(top: $1.minY, bottom: $1.maxY))
      }
      extents.set(extent, ofBlock: block)
    }
  }
}

// MARK: - Navigation

extension ArrangedBody {
  /// The order of items along one axis; the item's number is the last part of the key.
  private typealias Key = (start: Int, end: Int, item: Int)

  private func rowKey(_ item: Int) -> Key { (frames[item].minY, frames[item].maxY, item) }
  private func columnKey(_ item: Int) -> Key { (frames[item].minX, frames[item].maxX, item) }

  /// Items without extent cover their start.
  private func covers(_ key: Key, _ position: Int) -> Bool {
    key.start <= position && position < max(key.end, key.start + 1)
  }

  func item(above item: Int, goal: inout NavigationGoal?) -> Int? { self.item(from: item, step: -1, goal: &goal) }
  func item(below item: Int, goal: inout NavigationGoal?) -> Int? { self.item(from: item, step: 1, goal: &goal) }

  private func item(from item: Int, step: Int, goal: inout NavigationGoal?) -> Int? {
    let lane = goal?.lane ?? frames[item].minX..<frames[item].maxX
    goal = NavigationGoal(lane: lane)
    let x = (lane.lowerBound + lane.upperBound) / 2
    return next(to: item, step: step, rowKey) { covers(columnKey($0), x) }
  }

  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    let row = goal.row(for: frames[item], top: top) - top
    return next(to: item, step: step, columnKey) { covers(rowKey($0), row) }.map { ($0, 0) }
  }

  /// Returns the next item in the order of the keys, of the items on a line and the first one at each place beyond its
  /// ends: the opposite moves pass the same items. O(items).
  private func next(to item: Int, step: Int, _ key: (Int) -> Key, isOnLine: (Int) -> Bool) -> Int? {
    let starts = frames.indices.filter(isOnLine).map { key($0).start }
    let (first, last) = (starts.min() ?? .max, starts.max() ?? .min)
    let own = key(item)
    var placesBeyond: Set<Range<Int>> = [own.start..<own.end]
    var best: Key?
    for other in frames.indices where other != item {
      let key = key(other)
      if !isOnLine(other) {
        let isBeyond = key.start < first || key.start > last
        guard isBeyond, placesBeyond.insert(key.start..<key.end).inserted else { continue }
      }
      guard step > 0 ? key > own : key < own else { continue }
      if best.map({ step > 0 ? key < $0 : key > $0 }) ?? true { best = key }
    }
    return best?.item
  }

  /// The nearest across the scrolling, of those the nearest along it. O(items).
  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    let x = (minX + maxX) / 2
    let row = min(max(row, 0), height)
    func distance(_ frame: Rect) -> (Int, Int) {
      (max(0, frame.minX - x, x - frame.maxX + 1), max(0, frame.minY - row, row - frame.maxY + 1))
    }
    return frames.indices.min { distance(frames[$0]) < distance(frames[$1]) } ?? 0
  }
}
