/// Items of which some span columns, each with its top: 14 bytes an item.
struct PlacedBody: SectionBody {
  let columns: ColumnGeometry
  let rules: PackingRules
  private(set) var words: ContiguousArray<ItemWord> = []
  /// How many columns the host wants the item to span; `full` for all.
  private(set) var wantedSpans: ContiguousArray<UInt16> = []
  private(set) var tops: ContiguousArray<Int> = []
  private var packer: SpanPacker
  private(set) var usedColumns = ColumnSet()
  private var usedCount = 0
  private(set) var extents = ExtentTree()

  private static let full = UInt16.max

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.columns = columns
    self.rules = rules
    packer = SpanPacker(columnCount: columns.count, rules: rules)
  }

  /// The items stay where they are. O(items).
  init(takingOver body: LaneBody, rules: PackingRules) {
    self.init(columns: body.columns, rules: rules)
    words = body.words
    wantedSpans = ContiguousArray(repeating: 1, count: body.itemCount)
    var ends = ContiguousArray(repeating: 0, count: columns.count)
    for word in words {
      tops.append(ends[word.column])
      ends[word.column] += word.height + rules.lineSpacing
    }
    for item in 0..<itemCount { packer.add(columns(of: item), bottom: bottom(of: item)) }
    measure(from: 0)
  }

  var itemCount: Int { words.count }
  var height: Int { packer.height }

  var storedByteCount: Int {
    words.capacity * MemoryLayout<ItemWord>.stride + wantedSpans.capacity * MemoryLayout<UInt16>.stride
      + tops.capacity * MemoryLayout<Int>.stride + extents.storedByteCount
  }

  func columns(of item: Int) -> Range<Int> {
    let column = words[item].column
    return column..<column + span(of: item)
  }

  private func span(of item: Int) -> Int { min(Int(wantedSpans[item]), columns.count) }

  func bottom(of item: Int) -> Int { tops[item] + words[item].height }

  func size(of item: Int) -> ItemSize {
    let span = wantedSpans[item]
    return ItemSize(
      height: words[item].height, span: span == PlacedBody.full ? .full : .columns(Int(span)),
      isEstimate: words[item].isEstimate)
  }

  func frame(of item: Int) -> Rect {
    let columns = columns(of: item)
    return Rect(
      x: self.columns.x(of: columns.lowerBound), y: tops[item],
      width: self.columns.width(of: columns.lowerBound, spanning: columns.count), height: words[item].height)
  }

  /// O(log items + found), where items lie about in their order.
  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    let rows = area.rows
    extents.visitBlocks(from: rows.lowerBound, to: rows.upperBound) { block in
      for item in items(ofBlock: block) {
        guard tops[item] < rows.upperBound, bottom(of: item) > rows.lowerBound else { continue }
        let frame = frame(of: item)
        guard frame.offsetBy(x: 0, y: area.top).intersects(area.rect) else { continue }
        found.append(area.attributes(of: item, frame))
      }
    }
  }

  func items(ofBlock block: Int) -> Range<Int> {
    let first = block * ExtentTree.blockSize
    return first..<min(first + ExtentTree.blockSize, itemCount)
  }
}

extension PlacedBody {
  mutating func append(_ heights: [Int]) { append(heights.map { ItemSize(height: $0) }) }

  /// About 10 ns an item in order, up to 1 µs where items may go first.
  private mutating func append(_ items: [ItemSize]) {
    let first = itemCount
    words.growReserve(for: items.count)
    wantedSpans.growReserve(for: items.count)
    tops.growReserve(for: items.count)
    if packer.reach == 0 {
      PlacedBody.place(
        items, columnCount: columns.count, words: &words, wantedSpans: &wantedSpans, tops: &tops, packer: &packer)
    } else {
      for item in items { appendUnplaced(item) }
      let places = packer.placeAll((first..<itemCount).map { (words[$0].height, span(of: $0)) })
      for (number, place) in places.enumerated() { put(first + number, at: place) }
    }
    measure(from: first)
  }

  private static func place(
    _ items: [ItemSize], columnCount: Int, words: inout ContiguousArray<ItemWord>,
    wantedSpans: inout ContiguousArray<UInt16>, tops: inout ContiguousArray<Int>, packer: inout SpanPacker
  ) {
    words.append(addingCapacity: items.count) { words in
      wantedSpans.append(addingCapacity: items.count) { spans in
        tops.append(addingCapacity: items.count) { tops in
          for item in items {
            let wanted = wantedSpan(item.span)
            let place = packer.place(height: item.height, span: min(Int(wanted), columnCount))
            words.append(ItemWord(height: item.height, column: place.column, isEstimate: item.isEstimate))
            spans.append(wanted)
            tops.append(place.top)
          }
        }
      }
    }
  }

  private mutating func appendUnplaced(_ item: ItemSize) {
    words.append(ItemWord(height: item.height, column: 0, isEstimate: item.isEstimate))
    wantedSpans.append(PlacedBody.wantedSpan(item.span))
    tops.append(0)
  }

  private static func wantedSpan(_ span: ItemSize.Span) -> UInt16 {
    switch span {
    case .full: full
    case .columns(let count): UInt16(min(count, LayoutLimits.columnCount))
    }
  }

  private mutating func put(_ item: Int, at place: SpanPacker.Place) {
    words[item] = ItemWord(height: words[item].height, column: place.column, isEstimate: words[item].isEstimate)
    tops[item] = place.top
  }

  /// Keeps what is known about the items from `first` on.
  private mutating func measure(from first: Int) {
    noteColumns(from: first)
    for block in first / ExtentTree.blockSize..<(itemCount + ExtentTree.blockSize - 1) / ExtentTree.blockSize {
      extents.set(extent(ofBlock: block), ofBlock: block)
    }
  }

  private func extent(ofBlock block: Int) -> ExtentTree.Extent {
    let words = words.span
    let tops = tops.span
    var extent = ExtentTree.Extent()
    for item in items(ofBlock: block) {
      extent.widen(by: ExtentTree.Extent(top: tops[item], bottom: tops[item] + words[item].height))
    }
    return extent
  }

  private mutating func noteColumns(from first: Int) {
    var item = first
    while usedCount < columns.count, item < itemCount {
      for column in columns(of: item) where !usedColumns[column] {
        usedColumns.insert(column)
        usedCount += 1
      }
      item += 1
    }
  }
}

extension PlacedBody {
  /// New items go where the order says below those before them, and push down what lies there. O(items + items below × log items).
  mutating func insert(_ items: [ItemSize], at index: Int) {
    guard index < itemCount else { return append(items) }
    let oldRow = top(ofItemsFrom: index)
    var packer = packerBehind(index)
    var inserted = PlacedBody(columns: columns, rules: rules)
    for item in items { inserted.appendUnplaced(item) }
    for item in 0..<items.count {
      let place = packer.place(height: items[item].height, span: inserted.span(of: item))
      inserted.put(item, at: place)
    }
    words.insert(contentsOf: inserted.words, at: index)
    wantedSpans.insert(contentsOf: inserted.wantedSpans, at: index)
    tops.insert(contentsOf: inserted.tops, at: index)
    let row = min(oldRow, tops[index..<index + items.count].min() ?? oldRow)
    settle(from: row, settlingOrder(from: row, newItems: index..<index + items.count))
  }

  /// What lies below in the same columns moves up. O(items + items below × log items).
  mutating func remove(_ range: Range<Int>) {
    guard let row = tops[range].min() else { return }
    words.removeSubrange(range)
    wantedSpans.removeSubrange(range)
    tops.removeSubrange(range)
    settle(from: row, settlingOrder(from: row))
  }

  /// O(items + items below × log items); O(number of heights) if none is another one.
  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) {
    let changed = heights.indices.filter { heights[$0] != words[index + $0].height }
    let row = changed.map { tops[index + $0] }.min()
    let order = row.map { settlingOrder(from: $0) } ?? []
    for (number, height) in heights.enumerated() {
      words[index + number].setHeight(height, isEstimate: areEstimates)
    }
    if let row { settle(from: row, order) }
  }

  /// Up to 1 µs an item from `index` on.
  mutating func repack(from index: Int) {
    let items = (index..<itemCount).map(size)
    packer = packerBehind(index)
    words.removeSubrange(index...)
    wantedSpans.removeSubrange(index...)
    tops.removeSubrange(index...)
    remeasure()
    append(items)
  }

  func top(ofItemsFrom index: Int) -> Int { index < itemCount ? tops[index...].min() ?? 0 : 0 }

  private func packerBehind(_ index: Int) -> SpanPacker {
    var packer = SpanPacker(columnCount: columns.count, rules: rules)
    for item in 0..<index { packer.add(columns(of: item), bottom: bottom(of: item)) }
    return packer
  }

  /// Lets the items from a row on fall up in their columns, in this order.
  private mutating func settle(from row: Int, _ order: [Int]) {
    packer = SpanPacker(columnCount: columns.count, rules: rules)
    for item in 0..<itemCount where tops[item] < row { packer.add(columns(of: item), bottom: bottom(of: item)) }
    for item in order { tops[item] = packer.drop(columns(of: item), height: words[item].height) }
    remeasure()
  }

  private mutating func remeasure() {
    usedColumns = ColumnSet()
    usedCount = 0
    extents = ExtentTree()
    measure(from: 0)
    if itemCount > 0 { packer.add(columns(of: itemCount - 1), bottom: 0) }
  }
}
