/// A slot of a lane: an item and where it starts, in units below the start of its chunk.
struct Slot: Sendable {
  var start: Int32
  var item: UInt32
}

/// 32 slots of one lane: 31 items, and a last slot that only says where the last item ends. An item's height is the
/// distance to the next start, less the spacing, so that no heights are stored.
struct Chunk: Sendable {
  static let slotCount = 32
  static let itemCount = slotCount - 1

  /// Where the first item starts, below the items' top.
  var base: Int
  var lane: UInt32
  /// The chunk's number in its lane.
  var ordinal: UInt32

  static func isEnd(_ place: Int) -> Bool { place % slotCount == itemCount }
}

/// The items of one column from top to bottom, in chunks of a pool that all lanes share.
struct Lane: Sendable {
  var chunks: ContiguousArray<UInt32> = []
  /// The place in the pool of the next item; the end of a chunk when a new chunk has to be opened first.
  var next = Chunk.itemCount
  /// The base of the last chunk.
  var base = 0
}
