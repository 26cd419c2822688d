/// A slot of a lane: an item and where it starts, in units below the start of its chunk.
struct Slot: Sendable {
  var start: UInt32
  var item: UInt32

  /// Starts below every item.
  static let unused = Slot(start: .max, item: 0)
}

/// 32 slots of one lane, at a place in the pool of slots that is a multiple of 32: 31 items, and a last slot that
/// only says where the last item ends. An item's height is the distance to the next start, less the spacing, so that
/// no heights are stored.
struct Chunk: Sendable {
  static let slotCount = 32
  static let itemCount = slotCount - 1

  /// Where the first item starts, below the items' top.
  var base: Int
  var firstPlace: Int

  static func isEnd(_ place: Int) -> Bool { place & itemCount == itemCount }
}
