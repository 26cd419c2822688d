import FeedfallRecords

/// The videos of a tab that the user has selected together. A video stays selected while the tab does not show it, but
/// commands mean only shown ones.
struct CardPicks: Equatable, Sendable {
  private var keys: Set<VideoKey> = [] { didSet { countedRevision = nil } }
  /// The number of shown cards of selected videos, as of `update`.
  private(set) var count = 0
  private var countedRevision: Int?
  private var drag: Drag?

  private struct Drag: Equatable {
    /// The card on which the mouse was pressed.
    var origin: CardSlot
    var keysBefore: Set<VideoKey>
    var hasBegun = false
  }

  var isEmpty: Bool { keys.isEmpty }

  func contains(_ key: VideoKey) -> Bool { !keys.isEmpty && keys.contains(key) }

  mutating func toggle(_ key: VideoKey) { if keys.remove(key) == nil { keys.insert(key) } }

  /// Selects all videos, or none if all are selected.
  mutating func toggle(_ all: [VideoKey]) {
    if all.allSatisfy(keys.contains) { keys = [] } else { keys.formUnion(all) }
  }

  mutating func clear() { (keys, drag) = ([], nil) }

  /// - Complexity: O(n) in the shown cards after a change, if any video is selected.
  mutating func update(_ cards: CardList, revision: Int, _ store: CardStore) {
    guard countedRevision != revision else { return }
    count = keys.isEmpty ? 0 : cards.slots.count { keys.contains(store[$0].key) }
    countedRevision = revision
  }

  // MARK: - Mouse

  mutating func beginDrag(at origin: CardSlot) { drag = Drag(origin: origin, keysBefore: keys) }

  mutating func endDrag() { drag = nil }

  /// Where a drag to another card began; nil before it has left the pressed card.
  mutating func origin(ofDragTo slot: CardSlot) -> CardSlot? {
    guard var drag, drag.hasBegun || drag.origin != slot else { return nil }
    drag.hasBegun = true
    self.drag = drag
    return drag.origin
  }

  /// Selects the videos over which the mouse was dragged, in addition to those selected before.
  mutating func setDragged(_ dragged: [VideoKey]) { if let drag { keys = drag.keysBefore.union(dragged) } }
}
