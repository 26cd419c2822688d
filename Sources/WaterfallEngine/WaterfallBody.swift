import Geometry

/// Items in columns, each under the column that was shortest when it came.
///
/// Every item knows its slot and every slot its item: 13 bytes an item. Each column is a lane, sorted by start
/// whatever heights the items have, so that it can be searched by halving.
struct WaterfallBody: SectionBody {
  let columns: ColumnGeometry
  let lineSpacing: Int
  private(set) var height = 0
  private(set) var usedColumnCount = 0

  /// The place of each item's slot in the pool.
  private(set) var places: ContiguousArray<UInt32> = []
  /// The pool of slots; it may hold more chunks than are opened.
  private(set) var slots: ContiguousArray<Slot> = []
  private(set) var index: ChunkIndex
  /// The place of each lane's next item; the end of a chunk when a new chunk has to be opened first.
  private(set) var nextPlaces: ContiguousArray<UInt32>
  /// Where each column's next item starts, above the column's number: the smallest is the leftmost shortest column.
  private var bottoms: Tournament

  init(columns: ColumnGeometry, lineSpacing: Int) {
    self.columns = columns
    self.lineSpacing = lineSpacing
    index = ChunkIndex(laneCount: columns.count)
    nextPlaces = ContiguousArray(repeating: UInt32(Chunk.itemCount), count: columns.count)
    bottoms = Tournament(count: columns.count) { $0 }
  }

  var itemCount: Int { places.count }

  /// Where the next item of the lane starts.
  func end(of lane: Int) -> Int { bottoms[lane] >> Tournament.numberBits }

  var storedByteCount: Int {
    places.capacity * MemoryLayout<UInt32>.stride + slots.capacity * MemoryLayout<Slot>.stride
      + index.storedByteCount + nextPlaces.capacity * MemoryLayout<UInt32>.stride
      + bottoms.nodes.capacity * MemoryLayout<Int>.stride
  }
}

extension WaterfallBody {
  /// A page of heights at a time, so that what is written first is still in the cache when it is needed again.
  /// O(number of heights × log columns).
  mutating func append(_ heights: [Int]) {
    precondition(heights.count <= LayoutLimits.itemCount - itemCount, "a section holds at most 2^30 items")
    places.growReserve(for: heights.count)
    slots.growReserve(for: missingSlots(for: heights.count))
    var start = 0
    while start < heights.count {
      let end = min(start + 2048, heights.count)
      slots.append(contentsOf: repeatElement(Slot.unused, count: missingSlots(for: end - start)))
      chooseLanes(heights.span.extracting(start..<end))
      WaterfallBody.fillSlots(
        end - start, lineSpacing: lineSpacing, places: &places, slots: &slots, nextPlaces: &nextPlaces,
        index: &index)
      start = end
    }
    usedColumnCount = index.usedLaneCount(from: usedColumnCount)
  }

  /// How many slots the pool lacks for so many more items: only a lane's last chunk is not full.
  private func missingSlots(for count: Int) -> Int {
    max(0, index.mostChunks(itemCount: itemCount + count) * Chunk.slotCount - slots.count)
  }

  /// Appends to `places`, for now, each item's height above the number of its lane: 20 and 12 bits.
  private mutating func chooseLanes(_ heights: Span<Int>) {
    switch columns.count {
    case ...4: chooseLanes(heights, SortedKeys<4> { bottoms[$0] })
    case ...8: chooseLanes(heights, SortedKeys<8> { bottoms[$0] })
    default: chooseLanesOfMany(heights)
    }
  }

  private mutating func chooseLanes<let count: Int>(_ heights: Span<Int>, _ sortedBottoms: SortedKeys<count>) {
    var raised = sortedBottoms
    let spacing = lineSpacing << Tournament.numberBits
    places.append(addingCapacity: heights.count) { places in
      var keys = sortedBottoms
      for number in heights.indices {
        let end = keys.smallest
        let height = heights[number].asItemHeight << Tournament.numberBits
        places.append(UInt32(truncatingIfNeeded: height | end & Tournament.numberMask))
        keys.replaceSmallest(with: end &+ height &+ spacing)
      }
      raised = keys
    }
    raised.write(to: &bottoms)
    height = max(height, raised.greatest >> Tournament.numberBits - lineSpacing)
  }

  private mutating func chooseLanesOfMany(_ heights: Span<Int>) {
    let spacing = lineSpacing << Tournament.numberBits
    var greatest = 0
    for number in heights.indices {
      let end = bottoms.smallest
      let lane = end & Tournament.numberMask
      let height = heights[number].asItemHeight << Tournament.numberBits
      places.append(UInt32(truncatingIfNeeded: height | lane))
      bottoms.replace(lane, with: end + height + spacing)
      greatest = max(greatest, end + height + spacing)
    }
    height = max(height, greatest >> Tournament.numberBits - lineSpacing)
  }

  /// Puts each of the last items into the next slot of the lane that was chosen for it.
  private static func fillSlots(
    _ count: Int, lineSpacing: Int, places allPlaces: inout ContiguousArray<UInt32>,
    slots allSlots: inout ContiguousArray<Slot>, nextPlaces allNextPlaces: inout ContiguousArray<UInt32>,
    index: inout ChunkIndex
  ) {
    let items = allPlaces.count - count..<allPlaces.count
    let spacing = UInt32(lineSpacing)
    var places = allPlaces.mutableSpan
    var slots = allSlots.mutableSpan
    var nextPlaces = allNextPlaces.mutableSpan
    for item in items {
      let choice = places[item]
      let lane = Int(choice) & Tournament.numberMask
      var place = Int(nextPlaces[lane])
      if Chunk.isEnd(place) {
        place = index.open(lane, below: Int(slots[place].start))
        slots[place].start = 0
      }
      slots[place].item = UInt32(truncatingIfNeeded: item)
      slots[place &+ 1].start = slots[place].start &+ choice >> UInt32(Tournament.numberBits) &+ spacing
      places[item] = UInt32(truncatingIfNeeded: place)
      nextPlaces[lane] = UInt32(truncatingIfNeeded: place &+ 1)
    }
  }
}
