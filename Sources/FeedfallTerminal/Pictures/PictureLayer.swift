import FeedfallScreen
import WaterfallEngine

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
