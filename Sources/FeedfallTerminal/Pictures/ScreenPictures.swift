import FeedfallScreen
import Glibc
import WaterfallEngine

/// A layer that is reset or replaced no longer tracks its pictures: the bytes that remove them wait for the next frame.
struct ScreenPictures {
  private(set) var settings = Settings()
  private var layer: (any PictureLayer)?
  private var pendingRemoval: [UInt8] = []
  private var visible: [PlacedPicture] = []
  private var transfer: Transfer?
  private(set) var isSending = false

  var hasPixels: Bool { layer?.hasPixels ?? false }
  var awaitsFrame: Bool { layer?.awaitsFrame ?? false }
  /// Whether only text, or the next part, may be sent.
  var isTransferring: Bool { transfer != nil }

  func shows(_ canvas: Canvas) -> Bool { pendingRemoval.isEmpty && pictures(of: canvas) == visible }

  private func pictures(of canvas: Canvas) -> [PlacedPicture] {
    settings.pictureProtocol == .cells ? [] : canvas.visiblePictures
  }

  var removal: [UInt8] { pendingRemoval + (layer?.removal ?? []) }
  var ending: [UInt8] { layer?.ending ?? [] }
  var deletions: [[UInt8]] { layer?.deletions ?? [] }

  /// Uses a layer for other settings, after `removeAll`. Returns whether that changes the screen.
  mutating func use(_ new: Settings) -> Bool {
    let isVisible = [settings.pictureProtocol, new.pictureProtocol] != [.cells, .cells]
    settings = new
    reset()
    layer = new.makeLayer()
    return isVisible
  }

  // MARK: - Removing

  /// Before the next frame. `video` removes the video's image. Returns whether there is anything to remove.
  mutating func removeAll(andVideo video: [UInt8]) -> Bool {
    let all = removal + video
    reset()
    pendingRemoval = all
    return !all.isEmpty
  }

  mutating func removeLostImage(by removal: [UInt8]) { pendingRemoval += deleteHidden() + removal }

  mutating func deleteHidden() -> [UInt8] { layer?.deleteHidden() ?? [] }

  mutating func reset() {
    layer?.reset()
    (pendingRemoval, visible, transfer, isSending) = ([], [], nil, false)
  }

  // MARK: - Frames

  /// A canvas that does not fit the screen has no pictures. The areas are rewritten; the removal is sent first.
  mutating func beginFrame(_ canvas: Canvas, fits: Bool) -> (cells: Canvas, areas: [Rect], removal: [UInt8]) {
    visible = fits ? pictures(of: canvas) : []
    defer { pendingRemoval = [] }
    return (layer?.prepare(canvas, visible) ?? canvas, layer?.erase(under: canvas, visible) ?? [], pendingRemoval)
  }

  mutating func endFrame(_ canvas: Canvas, damage: CellDamage) -> [UInt8] {
    isSending = isTransferring || canvas.isAtRest && !visible.isEmpty
    return layer?.finish(canvas, visible, damage: damage) ?? []
  }

  // MARK: - Transfers

  mutating func nextPart() -> (bytes: [UInt8], isFirst: Bool)? {
    let isFirst = transfer == nil
    guard var current = transfer ?? layer?.beginTransfer(of: visible).map(Transfer.init) else {
      isSending = false
      return nil
    }
    let bytes = current.next()
    transfer = current.isComplete ? nil : current
    if current.isComplete { layer?.endTransfer(isComplete: true) }
    return (bytes, isFirst)
  }

  mutating func abortTransfer() -> [UInt8] {
    guard let transfer else { return [] }
    self.transfer = nil
    layer?.endTransfer(isComplete: false)
    return transfer.ending
  }

  struct Settings: Equatable {
    var pictureProtocol = PictureProtocol.cells
    var isInTmux = false
    var depth = ColorDepth.none
    var cellSize = TerminalDevice.defaultCell
    var colors = 252
    var ground: RGB?

    init() {}

    /// Without enough colors there are no pixels.
    init(for terminal: TerminalIdentity, choice: PictureChoice, depth: ColorDepth, cellSize: Size, ground: RGB?) {
      pictureProtocol = depth.isFine ? terminal.pictureProtocol(for: choice) : .cells
      isInTmux = terminal.isTmux
      colors = max(2, min(252, terminal.colorRegisters))
      (self.depth, self.cellSize, self.ground) = (depth, cellSize, ground)
    }

    func makeLayer() -> (any PictureLayer)? {
      let graphics = KittyGraphics(isInTmux: isInTmux)
      // Other programs may show pictures in the same terminal.
      let salt = UInt8(truncatingIfNeeded: getpid())
      return switch pictureProtocol {
      case .cells: nil
      case .sixel: SixelPictures(cellSize: cellSize, colors: colors, ground: ground)
      case .kittyPlacements:
        KittyPictures(graphics: graphics, depth: depth, salt: salt, usesPlaceholders: false, ground: ground)
      case .kittyPlaceholders: KittyPictures(graphics: graphics, depth: depth, salt: salt, usesPlaceholders: true)
      }
    }
  }

  private struct Transfer {
    private let parts: OutputParts
    private var sentCount = 0

    /// The limit on bytes per write. A key waits until they are sent.
    private static let maximumByteCount = 32 * 1024

    init(_ parts: OutputParts) { self.parts = parts }

    var isComplete: Bool { sentCount == parts.ends.count }
    var ending: [UInt8] { parts.ending }

    mutating func next() -> [UInt8] {
      let start = sentCount == 0 ? 0 : parts.ends[sentCount - 1]
      repeat { sentCount += 1 } while !isComplete && parts.ends[sentCount] - start <= Self.maximumByteCount
      return Array(parts.bytes[start..<parts.ends[sentCount - 1]])
    }
  }
}

/// A frame consists of the cells of the canvas that `prepare` returns, and the bytes of `finish`. Pictures that the
/// terminal does not have yet are transferred between frames.
protocol PictureLayer {
  /// Whether the terminal has pixels over cells, so that rows must not move and `finish` needs the damage.
  var hasPixels: Bool { get }
  /// Whether transferred pictures appear only with another frame.
  var awaitsFrame: Bool { get }
  mutating func prepare(_ canvas: Canvas, _ pictures: [PlacedPicture]) -> Canvas
  /// Returns the cells to rewrite, because they are under pixels that must disappear.
  mutating func erase(under canvas: Canvas, _ pictures: [PlacedPicture]) -> [Rect]
  /// Returns the bytes that show the pictures, to send after the cells that caused the damage.
  mutating func finish(_ canvas: Canvas, _ pictures: [PlacedPicture], damage: CellDamage) -> [UInt8]
  /// Returns the bytes that transfer the first missing picture of the last frame; nil if there is none, or if another
  /// frame must come first.
  mutating func beginTransfer(of pictures: [PlacedPicture]) -> OutputParts?
  mutating func endTransfer(isComplete: Bool)
  /// The bytes that terminate a sequence that was cut off; empty if nothing was sent.
  var ending: [UInt8] { get }
  var deletions: [[UInt8]] { get }
  /// Deletes the pictures that are not on the screen, and returns the bytes for that. Call it before deleting an image
  /// of a video: kitty before 0.28 deletes all images without placements together with any other image.
  mutating func deleteHidden() -> [UInt8]
  /// Discards all state, because the screen was cleared or another program used it.
  mutating func reset()
}

extension PictureLayer {
  var awaitsFrame: Bool { false }
  mutating func prepare(_ canvas: Canvas, _ pictures: [PlacedPicture]) -> Canvas { canvas }
  mutating func erase(under canvas: Canvas, _ pictures: [PlacedPicture]) -> [Rect] { [] }
  mutating func deleteHidden() -> [UInt8] { [] }
  var ending: [UInt8] { [] }
  var deletions: [[UInt8]] { [] }
  var removal: [UInt8] { ending + deletions.flatMap { $0 } }
}

/// The limit on bytes of pictures that are sent before input is read.
let pictureBytesAtOnce = 256 * 1024

/// Ends a sequence that was cut off; has no effect otherwise.
let stringTerminator: [UInt8] = [0x1B, UInt8(ascii: "\\")]

extension PlacedPicture {
  /// The limit on visible parts; further ones stay cells.
  static let maximumParts = 8

  /// Whether every protocol supports its size.
  var isSupported: Bool {
    let (columns, rows) = (frame.width, frame.height)
    return (1...KittyPictures.maximumSize).contains(columns) && (1...KittyPictures.maximumSize).contains(rows)
      && pixels.bytes.count <= KittyPictures.Images.capacity / 4
  }

  /// Returns the shown pixels with the background in rounded corners; nil leaves them square.
  func pixels(on ground: RGB?) -> PixelBuffer {
    guard let ground, let top = RoundedTop(of: self) else { return shownPixels }
    return top.filled(shownPixels, with: ground)
  }

  func pixels(under part: Rect) -> Rect { part.pixels(of: pixels.size, over: frame) }

  /// Rounds the upper corners of a picture by half a cell's width.
  struct RoundedTop {
    /// In pixels.
    private let radius: Int

    init?(of picture: PlacedPicture) {
      let radius = picture.pixels.size.width / max(1, picture.frame.width) / 2
      guard picture.hasRoundedTop, radius > 0, radius <= picture.pixels.size.height else { return nil }
      self.radius = radius
    }

    func filled(_ pixels: PixelBuffer, with ground: RGB) -> PixelBuffer {
      var bytes = pixels.bytes
      forEachPixel(width: pixels.size.width) { pixel, opacity in
        for (offset, color) in [ground.red, ground.green, ground.blue].enumerated() {
          let mixed = Int(bytes[3 * pixel + offset]) * opacity + Int(color) * (255 - opacity)
          bytes[3 * pixel + offset] = UInt8((mixed + 127) / 255)
        }
      }
      return PixelBuffer(size: pixels.size, bytes: bytes) ?? pixels
    }

    /// In four bytes a pixel: red, green, blue and opacity.
    func transparent(_ pixels: PixelBuffer) -> [UInt8] {
      let source = pixels.bytes
      var bytes = [UInt8](repeating: 255, count: source.count / 3 * 4)
      for pixel in 0..<source.count / 3 {
        for channel in 0..<3 { bytes[4 * pixel + channel] = source[3 * pixel + channel] }
      }
      forEachPixel(width: pixels.size.width) { pixel, opacity in bytes[4 * pixel + 3] = UInt8(opacity) }
      return bytes
    }

    private func forEachPixel(width: Int, body: (_ pixel: Int, _ opacity: Int) -> Void) {
      for y in 0..<radius {
        for x in 0..<radius {
          let opacity = opacity(x: x, y: y)
          body(y * width + x, opacity)
          body((y + 1) * width - 1 - x, opacity)
        }
      }
    }

    /// From 0 to 255: how much of a pixel of the left corner is inside of the arc, by sixteen samples.
    private func opacity(x: Int, y: Int) -> Int {
      var inside = 0
      for sample in 0..<16 {
        let across = 8 * (radius - x) - 2 * (sample & 3) - 1
        let down = 8 * (radius - y) - 2 * (sample >> 2) - 1
        if across * across + down * down <= 64 * radius * radius { inside += 1 }
      }
      return inside * 255 / 16
    }
  }
}

extension Rect {
  /// At least one pixel. `size`: the picture's, in pixels. `frame`: all of its cells.
  func pixels(of size: Size, over frame: Rect) -> Rect {
    let across = Self.stretch(minX - frame.minX, width, of: frame.width, pixels: size.width)
    let down = Self.stretch(minY - frame.minY, height, of: frame.height, pixels: size.height)
    return Rect(x: across.start, y: down.start, width: across.length, height: down.length)
  }

  private static func stretch(_ start: Int, _ length: Int, of cells: Int, pixels: Int) -> (start: Int, length: Int) {
    let first = min(start * pixels / cells, pixels - 1)
    return (first, max(1, min(pixels, (start + length) * pixels / cells) - first))
  }
}
