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
  /// The frames since the image was transmitted or placed again.
  private var frameCount = 0
  /// The oldest unread object when the terminal last reported progress.
  private var suspect: String?
  private var losses = Losses()

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

  /// The lost images: another program has cleared the screen, or the terminal has evicted the image.
  private struct Losses {
    private var framesSince = recovery
    private(set) var areTooMany = false

    /// A terminal that loses images at shorter intervals, in frames, shows no video.
    private static let recovery = 90

    mutating func countFrame() { framesSince = min(framesSince + 1, Self.recovery) }

    mutating func add() {
      areTooMany = framesSince < Self.recovery
      framesSince = 0
    }
  }

  /// Other programs may remove the placements. Placing the image again changes nothing otherwise.
  private static let placementInterval = 30

  /// Whether the terminal has lost the image twice in a short time; `retry` makes another attempt.
  var hasFailed: Bool { losses.areTooMany }

  mutating func retry() { losses = Losses() }

  /// The number of the image in the terminal; nil if there is none.
  var number: UInt32? { image?.number }

  /// The bytes that delete the image.
  var removal: [UInt8] { image.map { stringTerminator + graphics.deletion(of: $0.number) } ?? [] }

  /// Forgets the image and returns the bytes that delete it. The terminal still reads the frames before these.
  mutating func remove() -> [UInt8] {
    defer { image = nil }
    return removal
  }

  /// Forgets the image, because it was removed or the screen was cleared. Removes frames that the terminal has not read.
  mutating func reset() {
    image = nil
    suspect = nil
    memory.removeAll()
  }

  /// Handles an error of a command. Returns whether the image is lost, so that the frame must be painted again.
  mutating func handleError(number: Int) -> Bool {
    guard let image, image.number == number else { return false }
    lose()
    return true
  }

  /// Handles that the terminal has processed a frame. Returns whether the image is lost: then objects stay unread. One of
  /// a later frame may be unread only once, because answers and frames have the same order.
  mutating func handleProgress() -> Bool {
    guard image != nil else {
      memory.removeAll()
      return false
    }
    let oldest = memory.oldestUnread
    guard let oldest, oldest == suspect else {
      suspect = oldest
      return false
    }
    lose()
    return true
  }

  private mutating func lose() {
    reset()
    losses.add()
  }

  /// Returns the bytes that move the last frame to a region; nil removes it.
  mutating func setRegion(_ new: VideoRegion?) -> [UInt8] {
    region = new
    guard new == nil else { return place() }
    return remove()
  }

  /// Returns the bytes that show a frame in the region; nil if the terminal has not read the previous ones.
  mutating func paint(_ frame: PixelBuffer) -> [UInt8]? {
    guard region != nil, let name = memory.write(frame.bytes) else { return nil }
    losses.countFrame()
    if let image, image.size == frame.size {
      frameCount = (frameCount + 1) % Self.placementInterval
      return graphics.replacement(of: image.number, size: frame.size, sharedName: name)
        + (frameCount == 0 ? place(again: true) : [])
    }
    // The new image covers the old one before that is deleted.
    let deletion = image.map { graphics.deletion(of: $0.number) } ?? []
    let image = Image(number: nextNumber(), size: frame.size)
    self.image = image
    frameCount = 0
    return graphics.transmission(of: frame.size, number: image.number, sharedName: name) + place()
      + deletion
  }

  /// Returns the bytes that change the placements to the visible parts. `again`: whether to repeat those that are right.
  private mutating func place(again: Bool = false) -> [UInt8] {
    guard let image, let region else { return [] }
    let wanted = region.parts.prefix(VisiblePicture.maximumParts).map {
      Placement(source: $0.pixels(of: image.size, over: region.frame), cells: $0)
    }
    guard again || wanted != image.placements else { return [] }
    var bytes: [UInt8] = []
    for (index, placement) in wanted.enumerated()
    where again || !image.placements.indices.contains(index) || image.placements[index] != placement {
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
