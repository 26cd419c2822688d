/// An algorithm that places the items of a section, for a layout of your own: `ArrangedLayout<YourArrangement>`.
///
/// An arrangement says where items lie; sections, headers, decorations, queries, edits, anchors, arrow keys and
/// orientations come with the layout.
public protocol ItemArrangement: Sendable {
  /// Appends the frames of the items that have none yet, `items[frames.count...]`, to `frames`.
  ///
  /// Frames lie in `0...` vertically, counted from the items' top, and in `space.extent` horizontally. The
  /// frames in `frames` are final: a frame depends only on the items before it, unless `firstOpenItem` names its item.
  /// Called once for each change.
  static func place(_ items: [ItemSize], in space: ArrangementSpace, frames: inout [Rect])

  /// Returns the number of the first item that is placed again when items follow: the first of a row that is not full.
  /// By default the number of frames: all items stay.
  static func firstOpenItem(of frames: [Rect]) -> Int
}

extension ItemArrangement {
  /// Returns the number of frames: all items stay when more are appended. O(1).
  public static func firstOpenItem(of frames: [Rect]) -> Int { frames.count }
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
/// A query takes O(log items + found) where items lie about in their order. A change places the items behind it again.
/// In rows from left to right, one below the other, a move takes O(log items + items of a row), elsewhere O(items). An
/// item occupies about 80 bytes.
public struct ArrangedLayout<Arrangement: ItemArrangement>: StackedLayout, Equatable {
  var stack: SectionStack<ArrangedBody<Arrangement>>
}

struct ArrangedBody<Arrangement: ItemArrangement>: SectionBody {
  let columns: ColumnGeometry
  private let space: ArrangementSpace
  private var sizes: [ItemSize] = []
  private var frames: [Rect] = []
  private var extents = ExtentTree()
  private var rows = Rows()
  private(set) var height = 0

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.columns = columns
    space = ArrangementSpace(columns, rules)
  }

  static func == (left: ArrangedBody, right: ArrangedBody) -> Bool {
    left.space == right.space && left.sizes == right.sizes && left.frames == right.frames
  }

  var itemCount: Int { sizes.count }

  func size(of item: Int) -> ItemSize { sizes[item] }
  func frame(of item: Int) -> Rect { frames[item] }

  /// Reads twice as many rows from the end until items reach into all columns. O(columns × items of these rows).
  var columnEnds: [Int] {
    var first = frames.last?.minY ?? 0
    while true {
      var ends = [Int?](repeating: nil, count: space.columns.count)
      extents.visitBlocks(from: first, to: height) { block in
        for frame in frames[ExtentTree.items(ofBlock: block, count: itemCount)] where frame.maxY >= first {
          for (number, column) in space.columns.enumerated()
          where frame.minX < column.upperBound && frame.maxX > column.lowerBound {
            ends[number] = max(ends[number] ?? 0, frame.maxY)
          }
        }
      }
      guard first > 0, ends.contains(nil) else { return ends.map { $0 ?? 0 } }
      first = max(0, first - (height - first + 1))
    }
  }

  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    extents.visitBlocks(from: area.rows.lowerBound, to: area.rows.upperBound) { block in
      for item in ExtentTree.items(ofBlock: block, count: itemCount) {
        guard frames[item].offsetBy(x: 0, y: area.top).intersects(area.rect) else { continue }
        found.append(area.attributes(of: item, frames[item]))
      }
    }
  }

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

  mutating func setSize(_ size: ItemSize, of item: Int) -> Int {
    sizes[item] = size
    return place(from: item)
  }

  mutating func repack(from index: Int) -> Int { place(from: index) }

  /// Places the items from `changed` on, and those before it that are open.
  private mutating func place(from changed: Int) -> Int {
    let oldTop = top(ofItemsFrom: changed)
    frames.removeSubrange(changed...)
    let first = Arrangement.firstOpenItem(of: frames)
    precondition((0...changed).contains(first), "\(Arrangement.self) must name an item that has a frame, not \(first)")
    let openTop = top(ofItemsFrom: first)
    frames.removeSubrange(first...)
    Arrangement.place(sizes, in: space, frames: &frames)
    precondition(frames.count == sizes.count, "\(Arrangement.self) must place every item")
    let extent = space.extent
    for frame in frames[first...] {
      let fits = frame.minX >= extent.lowerBound && frame.maxX <= extent.upperBound && frame.width >= 0
      let isBelowTop = frame.minY >= 0 && frame.height >= 0 && frame.maxY <= LayoutLimits.position
      precondition(fits && isBelowTop, "\(Arrangement.self) must place items within the section, not at \(frame)")
    }
    measure(from: first)
    return min(oldTop, openTop, top(ofItemsFrom: first))
  }

  private func top(ofItemsFrom first: Int) -> Int { frames[first...].lazy.map(\.minY).min() ?? height }

  private mutating func measure(from first: Int) {
    let blocks = ExtentTree.blocks(from: max(0, first - 1), count: itemCount)
    extents.truncate(to: blocks.upperBound)
    for block in blocks {
      let items = ExtentTree.items(ofBlock: block, count: itemCount)
      let extent = frames[items].reduce(into: ExtentTree.Extent()) {
        $0.widen(by: ExtentTree.Extent(top: $1.minY, bottom: $1.maxY))
      }
      extents.set(extent, ofBlock: block)
    }
    rows.update(frames, from: first)
    height = max(0, extents.bottom)
  }

  /// The order of items along one axis; the item's number is the last part of the key.
  private typealias Key = (start: Int, end: Int, item: Int)

  private func rowKey(_ item: Int) -> Key { (frames[item].minY, frames[item].maxY, item) }
  private func columnKey(_ item: Int) -> Key { (frames[item].minX, frames[item].maxX, item) }

  /// Items without extent cover their start.
  private func covers(_ key: Key, _ position: Int) -> Bool {
    key.start <= position && position < max(key.end, key.start + 1)
  }

  func item(from item: Int, step: Int, goal: inout NavigationGoal?) -> Int? {
    let lane = goal?.lane ?? frames[item].minX..<frames[item].maxX
    goal = NavigationGoal(lane: lane)
    guard !rows.areComplete else { return self.item(ofRow: row(of: item) + step, nearestTo: lane) }
    let x = (lane.lowerBound + lane.upperBound) / 2
    return next(to: item, step: step, rowKey) { covers(columnKey($0), x) }
  }

  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    guard !rows.areComplete else {
      return rows.items(ofRow: row(of: item)).contains(item + step) ? (item + step, 0) : nil
    }
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

  private func row(of item: Int) -> Int { rows.lastRow { $0 <= item } }

  /// The item of a row whose center is nearest to that of an extent. O(items of the row).
  private func item(ofRow row: Int, nearestTo lane: Range<Int>) -> Int? {
    let center = lane.lowerBound + lane.upperBound
    func distance(_ item: Int) -> Int { abs(frames[item].minX + frames[item].maxX - center) }
    return rows.items(ofRow: row).min { distance($0) < distance($1) }
  }

  /// In rows the nearest of the nearest row; elsewhere the nearest across the scrolling, of those the nearest along it,
  /// in O(items).
  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    let row = min(max(row, 0), height)
    func distanceAlong(_ item: Int) -> Int { max(0, frames[item].minY - row, row - frames[item].maxY + 1) }
    if rows.areComplete {
      let upper = rows.lastRow { frames[$0].minY <= row }
      let items = [upper, upper + 1].compactMap { item(ofRow: $0, nearestTo: minX..<maxX) }
      return items.min { distanceAlong($0) < distanceAlong($1) } ?? 0
    }
    let x = (minX + maxX) / 2
    func distance(_ item: Int) -> (Int, Int) {
      (max(0, frames[item].minX - x, x - frames[item].maxX + 1), distanceAlong(item))
    }
    return frames.indices.min { distance($0) < distance($1) } ?? 0
  }

  /// The rows of items that follow each other in rows, from left to right and one row below the other; other items are
  /// in no rows.
  struct Rows: Sendable {
    private var firstItems: ContiguousArray<UInt32> = []
    private var itemCount = 0
    /// The first item that is in no row.
    private var firstOutside: Int?

    var areComplete: Bool { firstOutside == nil }

    /// Finds the rows again for the items from `first` on. O(items from there on + items of a row).
    mutating func update(_ frames: [Rect], from first: Int) {
      if let firstOutside, firstOutside < first { return }
      firstOutside = nil
      while let last = firstItems.last, last >= first { firstItems.removeLast() }
      itemCount = frames.count
      let start = firstItems.popLast().map { Int($0) } ?? 0
      var bottom = firstItems.last.map { frames[Int($0)..<start].reduce(0) { max($0, $1.maxY) } } ?? 0
      for item in start..<frames.count {
        let frame = frames[item]
        let isInRow = item > start && frame.minY == frames[item - 1].minY && frame.minX >= frames[item - 1].maxX
        guard frame.width > 0, isInRow || frame.minY >= bottom else {
          firstOutside = item
          return
        }
        if !isInRow { firstItems.append(UInt32(item)) }
        bottom = max(bottom, frame.maxY)
      }
    }

    func items(ofRow row: Int) -> Range<Int> {
      guard firstItems.indices.contains(row) else { return 0..<0 }
      return Int(firstItems[row])..<(row + 1 < firstItems.count ? Int(firstItems[row + 1]) : itemCount)
    }

    /// The last row whose first item satisfies `isReached`, as those of all rows before do; the first if none does.
    /// O(log rows).
    func lastRow(where isReached: (_ firstItem: Int) -> Bool) -> Int {
      max(0, firstItems.indices.partitioningIndex { !isReached(Int(firstItems[$0])) } - 1)
    }
  }
}

// MARK: - Changes

// MARK: - Navigation

// MARK: - Rows
