import FeedfallScreen
import Glibc
import WaterfallEngine

/// Shows the pictures of canvases as pixels over cells.
///
/// A frame consists of the cells of the canvas that `prepare` returns, and the bytes of `finish`. Pictures that the terminal
/// does not have yet are transferred between frames.
protocol PictureLayer {
  /// Whether the terminal has pixels over cells, so that rows must not move and `finish` needs the damage.
  var hasPixels: Bool { get }
  /// Whether transferred pictures appear only with another frame.
  var awaitsFrame: Bool { get }
  /// Returns the canvas to write.
  mutating func prepare(_ canvas: Canvas, _ pictures: [VisiblePicture]) -> Canvas
  /// Returns the cells to rewrite, because they are under pixels that must disappear.
  mutating func erase(under canvas: Canvas, _ pictures: [VisiblePicture]) -> [Rect]
  /// Returns the bytes that show the pictures, to send after the cells that caused the damage.
  mutating func finish(_ canvas: Canvas, _ pictures: [VisiblePicture], damage: CellDamage) -> [UInt8]
  /// Returns the bytes that transfer the first missing picture of the last frame; nil if there is none, or if another
  /// frame must come first.
  mutating func beginTransfer(of pictures: [VisiblePicture]) -> OutputParts?
  mutating func endTransfer(isComplete: Bool)
  /// The bytes that terminate a sequence that was cut off; empty if nothing was sent.
  var ending: [UInt8] { get }
  var deletions: [[UInt8]] { get }
  /// Deletes the pictures that are not on the screen, and returns the bytes for that. Call it before deleting an image of a
  /// video: kitty before 0.28 deletes all images without placements together with any other image.
  mutating func deleteHidden() -> [UInt8]
  /// Discards all state, because the screen was cleared or another program used it.
  mutating func reset()
}

extension PictureLayer {
  var awaitsFrame: Bool { false }
  mutating func prepare(_ canvas: Canvas, _ pictures: [VisiblePicture]) -> Canvas { canvas }
  mutating func erase(under canvas: Canvas, _ pictures: [VisiblePicture]) -> [Rect] { [] }
  mutating func deleteHidden() -> [UInt8] { [] }
  var ending: [UInt8] { [] }
  var deletions: [[UInt8]] { [] }
  /// The bytes that remove all pictures, even if one was cut off.
  var removal: [UInt8] { ending + deletions.flatMap { $0 } }
}

struct PictureSettings: Equatable {
  var pictureProtocol = PictureProtocol.cells
  var isInTmux = false
  var depth = ColorDepth.none
  var cellSize = TerminalDevice.defaultCell
  var colors = 252
  /// The screen's background, if known.
  var ground: RGB?

  func makeLayer() -> any PictureLayer {
    let graphics = KittyGraphics(isInTmux: isInTmux)
    // Other programs may show pictures in the same terminal.
    let salt = UInt8(truncatingIfNeeded: getpid())
    return switch pictureProtocol {
    case .cells: CellPictures()
    case .sixel: SixelPictures(cellSize: cellSize, colors: colors, ground: ground)
    case .kittyPlacements: KittyPlacements(graphics: graphics, depth: depth, salt: salt, ground: ground)
    case .kittyPlaceholders: KittyPlaceholders(graphics: graphics, depth: depth, salt: salt)
    }
  }
}

extension PictureSettings {
  /// Without enough colors there are no pixels.
  init(for terminal: TerminalIdentity, choice: PictureChoice, depth: ColorDepth, cellSize: Size, ground: RGB?) {
    pictureProtocol = depth.isFine ? terminal.pictureProtocol(for: choice) : .cells
    isInTmux = terminal.isTmux
    colors = max(2, min(252, terminal.colorRegisters))
    self.depth = depth
    self.cellSize = cellSize
    self.ground = ground
  }
}

/// The limit on bytes of pictures that are sent before input is read.
let pictureBytesAtOnce = 256 * 1024

/// Ends a sequence that was cut off; has no effect otherwise.
let stringTerminator: [UInt8] = [0x1B, UInt8(ascii: "\\")]

/// Pictures as characters: the canvas's cells are shown as they are.
struct CellPictures: PictureLayer {
  var hasPixels: Bool { false }
  mutating func finish(_ canvas: Canvas, _ pictures: [VisiblePicture], damage: CellDamage) -> [UInt8] { [] }
  mutating func beginTransfer(of pictures: [VisiblePicture]) -> OutputParts? { nil }
  mutating func endTransfer(isComplete: Bool) {}
  mutating func reset() {}
}

extension PlacedPicture {
  /// Whether every protocol supports its size.
  var isSupported: Bool {
    let (columns, rows) = (frame.width, frame.height)
    return (1...KittyPlaceholder.maximumSize).contains(columns) && (1...KittyPlaceholder.maximumSize).contains(rows)
      && pixels.bytes.count <= KittyImages.capacity / 4
  }

  /// Returns the shown pixels with the background in rounded corners; nil leaves them square.
  func pixels(on ground: RGB?) -> PixelBuffer {
    guard let ground, let top = RoundedTop(of: self) else { return shownPixels }
    return top.filled(shownPixels, with: ground)
  }

  /// Returns the pixels over a part of its cells; at least one.
  func pixels(under part: Rect) -> Rect { part.pixels(of: pixels.size, over: frame) }
}

extension Rect {
  /// Returns the pixels of a picture over these cells; at least one.
  ///
  /// - Parameters:
  ///   - size: the picture's size in pixels.
  ///   - frame: all cells of the picture.
  func pixels(of size: Size, over frame: Rect) -> Rect {
    let across = Self.stretch(minX - frame.minX, width, of: frame.width, pixels: size.width)
    let down = Self.stretch(minY - frame.minY, height, of: frame.height, pixels: size.height)
    return Rect(x: across.start, y: down.start, width: across.length, height: down.length)
  }

  private static func stretch(
    _ start: Int, _ length: Int, of cells: Int, pixels: Int
  ) -> (start: Int, length: Int) {
    let first = min(start * pixels / cells, pixels - 1)
    return (first, max(1, min(pixels, (start + length) * pixels / cells) - first))
  }
}

extension VisiblePicture {
  /// The limit on visible parts; further ones stay cells.
  static let maximumParts = 8
}
