/// Which chunks make up which lane.
struct ChunkIndex: Sendable {
  /// The lane that a chunk of the pool belongs to, and its number there.
  struct Owner: Sendable {
    var lane: UInt32
    var ordinal: UInt32
  }

  private(set) var owners: ContiguousArray<Owner> = []
  /// Each lane's chunks from top to bottom.
  private(set) var lanes: ContiguousArray<ContiguousArray<Chunk>>

  init(laneCount: Int) { lanes = ContiguousArray(repeating: [], count: laneCount) }

  /// The most chunks that `itemCount` items fill: only a lane's last chunk is not full.
  func mostChunks(itemCount: Int) -> Int { min(itemCount, itemCount / Chunk.itemCount + lanes.count) }

  /// How many lanes, of which the first `count` are known to be used, hold items: lanes are used from the left.
  func usedLaneCount(from count: Int) -> Int { lanes[count...].firstIndex { $0.isEmpty } ?? lanes.count }

  func owner(of place: Int) -> Owner { owners[place / Chunk.slotCount] }

  /// Adds a chunk to the lane, so many units below the start of the chunk before it, and answers its first place. O(1).
  mutating func open(_ lane: Int, below distance: Int) -> Int {
    let place = owners.count * Chunk.slotCount
    owners.growReserve(for: 1)
    lanes[lane].growReserve(for: 1)
    owners.append(
      Owner(
        lane: UInt32(truncatingIfNeeded: lane), ordinal: UInt32(truncatingIfNeeded: lanes[lane].count)))
    let base = lanes[lane].last.map { $0.base + distance } ?? 0
    lanes[lane].append(Chunk(base: base, firstPlace: place))
    return place
  }

  /// The number in the lane of the last chunk that starts at or above `row`; 0 if none does. `end` is where the lane
  /// ends. The search sets out from where the chunk is if all are equally high. O(log chunks).
  func lastChunk(of lane: Int, startingAtOrAbove row: Int, end: Int) -> Int {
    let chunks = lanes[lane]
    let share = Double(min(max(row, 0), end)) / Double(max(end, 1))
    let guess = min(Int(share * Double(chunks.count)), chunks.count - 1)
    var low = guess
    var high = guess + 1
    var step = 1
    while low > 0, chunks[low].base > row {
      high = low
      low = max(0, low - step)
      step *= 2
    }
    while high < chunks.count, chunks[high].base <= row {
      low = high
      high = min(chunks.count, high + step)
      step *= 2
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if chunks[middle].base <= row { low = middle } else { high = middle }
    }
    return low
  }

  var storedByteCount: Int {
    lanes.reduce(owners.capacity * MemoryLayout<Owner>.stride) {
      $0 + MemoryLayout<ContiguousArray<Chunk>>.stride + $1.capacity * MemoryLayout<Chunk>.stride
    }
  }
}
