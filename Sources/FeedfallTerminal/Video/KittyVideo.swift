import FeedfallScreen
import Glibc
import WaterfallEngine

/// Shows the frames of a video as an image of kitty's graphics protocol, with shared memory.
///
/// The image is transmitted and placed once; each further frame replaces its pixels, so that the placements stay and
/// nothing flickers. The visible parts of the region are one placement each.
struct KittyVideo {
  private let graphics = KittyGraphics()
  private var memory = SharedFrames()
  private var region: VideoRegion?
  private var image: Image?
  private var lastNumber = 0

  /// An image in the terminal.
  private struct Image {
    var number: UInt32
    /// In pixels.
    var size: Size
    var placements: [Placement] = []
  }

  private struct Placement: Equatable {
    /// In pixels of the image.
    var source: Rect
    var cells: Rect
  }

  /// The number of the image in the terminal; nil if there is none.
  var number: UInt32? { image?.number }

  /// The bytes that delete the image.
  var removal: [UInt8] { image.map { stringTerminator + graphics.deletion(of: $0.number) } ?? [] }

  /// Forgets the image, because it was removed or the screen was cleared.
  mutating func reset() { image = nil }

  /// Removes frames that the terminal has not read. Call it when the terminal is left.
  mutating func end() {
    reset()
    memory.removeAll()
  }

  /// Returns the bytes that move the last frame to a region; nil removes it.
  mutating func setRegion(_ new: VideoRegion?) -> [UInt8] {
    region = new
    guard new == nil else { return place() }
    defer { reset() }
    return removal
  }

  /// Returns the bytes that show a frame in the region; nil if the terminal has not read the previous ones.
  mutating func paint(_ frame: PixelBuffer) -> [UInt8]? {
    guard region != nil, let name = memory.write(frame.bytes) else { return nil }
    if let image, image.size == frame.size {
      return graphics.replacement(of: image.number, size: frame.size, sharedName: name)
    }
    // The new image covers the old one before that is deleted.
    let deletion = image.map { graphics.deletion(of: $0.number) } ?? []
    let image = Image(number: nextNumber(), size: frame.size)
    self.image = image
    return graphics.transmission(of: frame.size, number: image.number, sharedName: name) + place()
      + deletion
  }

  /// Returns the bytes that change the placements to the visible parts.
  private mutating func place() -> [UInt8] {
    guard let image, let region else { return [] }
    let wanted = region.parts.prefix(VisiblePicture.maximumParts).map {
      Placement(source: $0.pixels(of: image.size, over: region.frame), cells: $0)
    }
    guard wanted != image.placements else { return [] }
    var bytes: [UInt8] = []
    for (index, placement) in wanted.enumerated()
    where !image.placements.indices.contains(index) || image.placements[index] != placement {
      bytes += graphics.placement(
        of: image.number, placement: index + 1, source: placement.source, cells: placement.cells)
    }
    for index in image.placements.indices.dropFirst(wanted.count) {
      bytes += graphics.removal(of: image.number, placement: index + 1)
    }
    self.image?.placements = wanted
    return bytes
  }

  /// Returns a number that covers do not use. The last ones are not reused at once, because their deletion may be pending.
  private mutating func nextNumber() -> UInt32 {
    lastNumber = (lastNumber + 1) % 8
    let salt = UInt32(max(1, UInt8(truncatingIfNeeded: getpid())))
    return salt << 16 | (salt ^ 0x5A) << 8 | UInt32(KittyName.count + lastNumber)
  }
}
