import FeedfallScreen
import WaterfallEngine

/// The pictures that kitty's protocol has sent to the terminal, for both of the ways in which it can show them.
struct KittyStore {
  let graphics: KittyGraphics
  let depth: ColorDepth
  let salt: UInt8
  let usesPlaceholders: Bool
  private(set) var isUnfinished = false
  private var images = KittyImages()
  /// Whether the screen may be about to be cleared, which would take away what is sent before.
  private var isFresh = true

  init(graphics: KittyGraphics, depth: ColorDepth, salt: UInt8, usesPlaceholders: Bool) {
    self.graphics = graphics
    self.depth = depth
    self.salt = salt
    self.usesPlaceholders = usesPlaceholders
  }

  func name(_ index: Int) -> KittyName { KittyName(index, salt: salt, depth: depth) }

  /// The picture's name, if the terminal has it.
  mutating func use(_ picture: PlacedPicture) -> KittyName? {
    images.use(KittyImages.Key(id: picture.id, size: picture.frame.size)).map(name)
  }

  /// Sends those pictures that the terminal has not, if there is time for it.
  mutating func send(_ pictures: [VisiblePicture], isAtRest: Bool) -> [UInt8] {
    images.beginFrame()
    isUnfinished = false
    let missing = pictures.map(\.picture).filter { use($0) == nil && $0.isForPixels }
    guard isAtRest, !missing.isEmpty else { return [] }
    if isFresh {
      isUnfinished = true
      return []
    }
    var bytes: [UInt8] = []
    for picture in missing {
      if bytes.count >= pictureBytesAFrame {
        isUnfinished = true
        break
      }
      bytes += send(picture)
    }
    return bytes
  }

  private mutating func send(_ picture: PlacedPicture) -> [UInt8] {
    let key = KittyImages.Key(id: picture.id, size: picture.frame.size)
    // The same picture may be on the screen twice.
    guard images.use(key) == nil else { return [] }
    let byteCount = picture.pixels.bytes.count
    var bytes = images.makeRoom(forByteCount: byteCount).flatMap { graphics.deletion(of: name($0).number) }
    if let index = images.add(key, byteCount: byteCount) {
      bytes += graphics.transmission(
        of: picture.pixels, number: name(index).number, placeholders: usesPlaceholders ? picture.frame.size : nil)
    }
    return bytes
  }

  /// To be called when a frame's cells have been written.
  mutating func endFrame() { isFresh = false }

  var removal: [UInt8] {
    let names = images.names
    return names.isEmpty ? [] : stringTerminator + names.flatMap { graphics.deletion(of: name($0).number) }
  }

  mutating func forget() {
    images.removeAll()
    isFresh = true
  }
}
