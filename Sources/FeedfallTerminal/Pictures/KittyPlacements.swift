import FeedfallScreen
import WaterfallEngine

/// Pictures placed over the cells, and placed again when these move.
struct KittyPlacements: PictureLayer {
  private struct Place: Hashable, Comparable {
    var number: UInt32
    var placement: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.number, one.placement) < (other.number, other.placement)
    }
  }

  private struct Extent: Equatable {
    var source: Rect
    var cells: Rect
  }

  private var store: KittyStore
  /// The placements of the terminal; nil where they may have moved.
  private var shown: [Place: Extent?] = [:]

  init(graphics: KittyGraphics, depth: ColorDepth, salt: UInt8, ground: RGB? = nil) {
    store = KittyStore(graphics: graphics, depth: depth, salt: salt, usesPlaceholders: false, ground: ground)
  }

  var hasPixels: Bool { !shown.isEmpty }
  var awaitsFrame: Bool { store.awaitsFrame }
  var ending: [UInt8] { store.ending }
  var deletions: [[UInt8]] { store.deletions }

  mutating func finish(_ canvas: Canvas, _ pictures: [VisiblePicture], damage: CellDamage) -> [UInt8] {
    // The terminal may have moved or removed placements together with the cells.
    if damage.movesRows { shown = shown.mapValues { _ in nil } }
    guard !store.isTransferring else {
      // Only text may be sent now, and the frame shows the same pictures as the last one.
      for visible in pictures { _ = store.use(visible.picture) }
      return []
    }
    store.beginFrame()
    let wanted = extents(of: pictures)
    var bytes: [UInt8] = []
    for place in shown.keys.sorted() where wanted[place] == nil {
      bytes += store.graphics.removal(of: place.number, placement: place.placement)
    }
    for (place, extent) in wanted.sorted(by: { $0.key < $1.key }) where shown[place] != extent {
      bytes += store.graphics.placement(
        of: place.number, placement: place.placement, source: extent.source, cells: extent.cells)
    }
    shown = wanted
    return bytes
  }

  private mutating func extents(of pictures: [VisiblePicture]) -> [Place: Extent] {
    var extents: [Place: Extent] = [:]
    var counts: [UInt32: Int] = [:]
    for visible in pictures {
      guard let name = store.use(visible.picture) else { continue }
      for part in visible.parts.prefix(VisiblePicture.maximumParts) {
        let placement = counts[name.number, default: 0] + 1
        counts[name.number] = placement
        extents[Place(number: name.number, placement: placement)] = Extent(
          source: visible.picture.pixels(under: part), cells: part)
      }
    }
    return extents
  }

  mutating func beginTransfer(of pictures: [VisiblePicture]) -> OutputParts? { store.beginTransfer(of: pictures) }
  mutating func endTransfer(isComplete: Bool) { store.endTransfer(isComplete: isComplete) }
  mutating func deleteHidden() -> [UInt8] { store.deleteHidden() }

  mutating func reset() {
    store.reset()
    shown = [:]
  }
}
