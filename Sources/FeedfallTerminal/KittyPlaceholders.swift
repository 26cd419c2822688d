import FeedfallScreen

/// Pictures as characters that stand for their parts: curses moves, cuts and covers them like all others.
struct KittyPlaceholders: PictureLayer {
  private var store: KittyStore

  init(graphics: KittyGraphics, depth: ColorDepth, salt: UInt8) {
    store = KittyStore(graphics: graphics, depth: depth, salt: salt, usesPlaceholders: true)
  }

  var isUnfinished: Bool { store.isUnfinished }
  var removal: [UInt8] { store.removal }

  func isIdle(for canvas: Canvas) -> Bool { canvas.pictures.isEmpty }

  mutating func dress(_ canvas: Canvas) -> (canvas: Canvas, before: [UInt8]) {
    let pictures = canvas.visiblePictures
    let bytes = store.send(pictures, isAtRest: canvas.isAtRest)
    var dressed = canvas
    dressed.clip = canvas.bounds
    for visible in pictures {
      guard let name = store.use(visible.picture) else { continue }
      let frame = visible.picture.frame
      for part in visible.parts {
        for y in part.minY..<part.maxY {
          for x in part.minX..<part.maxX {
            dressed[x, y] = KittyPlaceholder.cell(name, x: x - frame.minX, y: y - frame.minY)
          }
        }
      }
    }
    return (dressed, bytes)
  }

  mutating func spoiledRows(under canvas: Canvas) -> [Range<Int>] { [] }

  mutating func after(_ canvas: Canvas, cells: [UInt8]) -> [UInt8] {
    store.endFrame()
    return []
  }

  mutating func forget() { store.forget() }
}
