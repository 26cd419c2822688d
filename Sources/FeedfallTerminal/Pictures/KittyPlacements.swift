import FeedfallScreen
import WaterfallEngine

/// Pictures placed over the cells, and placed again when these move.
struct KittyPlacements: PictureLayer {
  /// The key of a placement.
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
  private var shown: [Place: Extent] = [:]

  init(graphics: KittyGraphics, depth: ColorDepth, salt: UInt8, ground: RGB? = nil) {
    store = KittyStore(graphics: graphics, depth: depth, salt: salt, usesPlaceholders: false, ground: ground)
  }

  var isUnfinished: Bool { store.isUnfinished }
  var removal: [UInt8] { store.removal }

  func isIdle(for canvas: Canvas) -> Bool { canvas.pictures.isEmpty && shown.isEmpty }
  var mayScroll: Bool { shown.isEmpty }

  mutating func finish(_ canvas: Canvas, cells: [UInt8]) -> [UInt8] {
    let pictures = canvas.visiblePictures
    var bytes = store.send(pictures, isAtRest: canvas.isAtRest)
    store.endFrame()
    if !store.deletedNumbers.isEmpty { shown = shown.filter { !store.deletedNumbers.contains($0.key.number) } }
    let wanted = extents(of: pictures)
    // The terminal may have scrolled placements together with the cells.
    let before = CellMovement.scrolls(cells) ? [:] : shown
    for place in shown.keys.sorted() where wanted[place] == nil {
      bytes += store.graphics.removal(of: place.number, placement: place.placement)
    }
    for (place, extent) in wanted.sorted(by: { $0.key < $1.key }) where before[place] != extent {
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

  mutating func deleteHidden() -> [UInt8] { store.deleteHidden() }

  mutating func reset() {
    store.reset()
    shown = [:]
  }
}
