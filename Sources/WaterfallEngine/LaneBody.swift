/// Items that lie in one column each, without holes: a height and a column for each item, 4 bytes, and for each block
/// of items where every column's next item starts. An item lies where its block's columns start and what comes before
/// it in the block says.
struct LaneBody: SectionBody {
  let columns: ColumnGeometry
  let lineSpacing: Int
  let order: ItemOrder
  var height = 0

  var words: ContiguousArray<ItemWord> = []
  /// Where each column's next item starts, for every block, column by column.
  var starts: ContiguousArray<Int> = []
  /// Where each column's next item starts at the end of all.
  var ends: ContiguousArray<Int>
  var usedColumns = ColumnSet()
  var unusedCount: Int
  /// Whether there may be items that take no row at all, not even a gap.
  var hasFlatItems = false
  /// A block holds two to this power items: about eight for each column.
  let blockBits: Int

  /// The column that the last item has when there are no items: another body's that this one goes on from.
  private var inheritedColumn: Int?

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.init(columns: columns, lineSpacing: rules.lineSpacing, order: rules.order)
  }

  private init(columns: ColumnGeometry, lineSpacing: Int, order: ItemOrder) {
    self.columns = columns
    self.lineSpacing = lineSpacing
    self.order = order
    ends = ContiguousArray(repeating: 0, count: columns.count)
    usedColumns = ColumnSet()
    unusedCount = columns.count
    blockBits = max(5, Int.bitWidth - (8 * columns.count - 1).leadingZeroBitCount)
  }

  /// An empty body that goes on where another one is before an item.
  init(goingOnFrom other: LaneBody, before item: Int) {
    self.init(columns: other.columns, lineSpacing: other.lineSpacing, order: other.order)
    ends = other.ends(before: item)
    inheritedColumn = item > 0 ? other.words[item - 1].column : nil
  }

  var itemCount: Int { words.count }
  var lastColumn: Int? { words.last?.column ?? inheritedColumn }
  var blockSize: Int { 1 << blockBits }
  var blockCount: Int { starts.count / columns.count }

  var storedByteCount: Int {
    words.capacity * MemoryLayout<ItemWord>.stride
      + (starts.capacity + ends.capacity) * MemoryLayout<Int>.stride
  }

  func size(of item: Int) -> ItemSize {
    ItemSize(height: words[item].height, isEstimate: words[item].isEstimate)
  }

  /// Where the column's next item starts at the beginning of a block; after the last block, at the end. O(1).
  @inline(__always)
  func start(ofBlock block: Int, column: Int) -> Int {
    let place = block * columns.count + column
    return place < starts.count ? starts[place] : ends[column]
  }
}
