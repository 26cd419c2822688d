import Geometry

/// Items in columns, each under the column that was shortest when it came.
///
/// Every item has a slot in its lane and every slot its item: 12.9 bytes an item. Lanes are sorted by start, whatever
/// heights the items have, so that each can be searched by halving.
struct WaterfallBody: SectionBody {
  let columns: ColumnGeometry
  let lineSpacing: Int
  private(set) var height = 0
  private(set) var usedColumnCount = 0

  /// The place of each item's slot in the pool.
  private(set) var places: ContiguousArray<UInt32> = []
  /// The pool; it may hold more chunks than are opened.
  private(set) var slots: ContiguousArray<Slot> = []
  private(set) var chunks: ContiguousArray<Chunk> = []
  private(set) var lanes: ContiguousArray<Lane>
  /// Where each column's next item starts, above the column's number: the smallest is the leftmost shortest column.
  private var ends: Tournament

  private static let laneBits = 12
  private static let laneMask = 1 << laneBits - 1

  init(columns: ColumnGeometry, lineSpacing: Int) {
    self.columns = columns
    self.lineSpacing = lineSpacing
    lanes = ContiguousArray(repeating: Lane(), count: columns.count)
    ends = Tournament(count: columns.count)
    for lane in lanes.indices { ends.replace(lane, with: lane) }
  }

  var itemCount: Int { places.count }

  var storedByteCount: Int {
    places.capacity * MemoryLayout<UInt32>.stride + slots.capacity * MemoryLayout<Slot>.stride
      + chunks.capacity * MemoryLayout<Chunk>.stride + ends.nodes.capacity * MemoryLayout<Int>.stride
      + lanes.reduce(0) { $0 + MemoryLayout<Lane>.stride + $1.chunks.capacity * MemoryLayout<UInt32>.stride }
  }
}

extension WaterfallBody {
  /// O(number of heights).
  mutating func append(_ heights: [Int]) {
    precondition(heights.count <= LayoutLimits.itemCount - itemCount, "a section holds at most 2^30 items")
    places.growReserve(for: heights.count)
    slots.growReserve(for: mostSlots(heights.count) - slots.count)
    var rest = heights[...]
    while !rest.isEmpty {
      place(rest.prefix(4096))
      rest = rest.dropFirst(4096)
    }
  }

  /// How many slots the pool has at most after `count` more items: a lane opens a chunk when its last one is full.
  private func mostSlots(_ count: Int) -> Int {
    (chunks.count + min(count, count / Chunk.itemCount + lanes.count)) * Chunk.slotCount
  }

  private mutating func place(_ heights: ArraySlice<Int>) {
    var item = places.count
    places.append(contentsOf: repeatElement(0, count: heights.count))
    let missing = mostSlots(heights.count) - slots.count
    if missing > 0 { slots.append(contentsOf: repeatElement(Slot(start: 0, item: 0), count: missing)) }
    for height in heights {
      let end = ends.smallest
      let lane = end & WaterfallBody.laneMask
      let start = end >> WaterfallBody.laneBits
      if Chunk.isEnd(lanes[lane].next) { openChunk(lane, base: start) }
      let bottom = start + height.asItemHeight
      let place = lanes[lane].next
      slots[place].item = UInt32(truncatingIfNeeded: item)
      slots[place + 1].start = Int32(truncatingIfNeeded: bottom + lineSpacing - lanes[lane].base)
      places[item] = UInt32(truncatingIfNeeded: place)
      lanes[lane].next = place + 1
      ends.replace(lane, with: (bottom + lineSpacing) << WaterfallBody.laneBits | lane)
      self.height = max(self.height, bottom)
      item += 1
    }
  }

  private mutating func openChunk(_ lane: Int, base: Int) {
    if lanes[lane].chunks.isEmpty { usedColumnCount += 1 }
    chunks.growReserve(for: 1)
    chunks.append(Chunk(base: base, lane: UInt32(lane), ordinal: UInt32(lanes[lane].chunks.count)))
    lanes[lane].chunks.append(UInt32(chunks.count - 1))
    lanes[lane].base = base
    lanes[lane].next = (chunks.count - 1) * Chunk.slotCount
  }
}

extension ContiguousArray {
  /// Reserves room for `count` more elements and an eighth: less unused memory than doubling, still O(1) an element.
  mutating func growReserve(for count: Int) {
    let needed = self.count + Swift.max(count, 0)
    if needed > capacity { reserveCapacity(Swift.max(needed, self.count + self.count / 8)) }
  }
}
