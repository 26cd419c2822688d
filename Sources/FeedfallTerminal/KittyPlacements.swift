import FeedfallScreen
import WaterfallEngine

/// Pictures that are placed over the cells, and moved with them.
struct KittyPlacements: PictureLayer {
  /// A placement is a picture's number and one of its own.
  private struct Place: Hashable, Comparable {
    var number: UInt32
    var placement: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.number, one.placement) < (other.number, other.placement)
    }
  }

  private struct Look: Equatable {
    var source: Rect
    var cells: Rect
  }

  private var store: KittyStore
  private var shown: [Place: Look] = [:]

  init(graphics: KittyGraphics, depth: ColorDepth, salt: UInt8) {
    store = KittyStore(graphics: graphics, depth: depth, salt: salt, usesPlaceholders: false)
  }

  var isUnfinished: Bool { store.isUnfinished }
  var removal: [UInt8] { store.removal }

  func isIdle(for canvas: Canvas) -> Bool { canvas.pictures.isEmpty && shown.isEmpty }

  mutating func dress(_ canvas: Canvas) -> (canvas: Canvas, before: [UInt8]) { (canvas, []) }
  mutating func spoiledRows(under canvas: Canvas) -> [Range<Int>] { [] }

  mutating func after(_ canvas: Canvas, cells: [UInt8]) -> [UInt8] {
    let pictures = canvas.visiblePictures
    var bytes = store.send(pictures, isAtRest: canvas.isAtRest)
    store.endFrame()
    let wanted = looks(of: pictures)
    // The terminal scrolls placements along with the cells, and knows nothing of which belong together.
    let before = CellMovement.scrolls(cells) ? [:] : shown
    for place in shown.keys.sorted() where wanted[place] == nil {
      bytes += store.graphics.removal(of: place.number, placement: place.placement)
    }
    for (place, look) in wanted.sorted(by: { $0.key < $1.key }) where before[place] != look {
      bytes += store.graphics.placement(
        of: place.number, placement: place.placement, source: look.source, cells: look.cells)
    }
    shown = wanted
    return bytes
  }

  private mutating func looks(of pictures: [VisiblePicture]) -> [Place: Look] {
    var looks: [Place: Look] = [:]
    var counts: [UInt32: Int] = [:]
    for visible in pictures {
      guard let name = store.use(visible.picture) else { continue }
      for part in visible.parts.prefix(VisiblePicture.mostParts) {
        let placement = counts[name.number, default: 0] + 1
        counts[name.number] = placement
        looks[Place(number: name.number, placement: placement)] = Look(
          source: visible.picture.pixels(under: part), cells: part)
      }
    }
    return looks
  }

  mutating func forget() {
    store.forget()
    shown = [:]
  }
}
