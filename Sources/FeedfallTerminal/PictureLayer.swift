import FeedfallScreen
import WaterfallEngine

/// What the terminal shows in pixels over the cells, and the bytes that make it show what a canvas wants.
///
/// A frame is written as `before`, the cells of the canvas that `dress` answers, and `after`.
protocol PictureLayer {
  /// Whether there is nothing to do for this canvas.
  func isIdle(for canvas: Canvas) -> Bool
  /// The canvas as it is to be written, and what the terminal needs before.
  mutating func dress(_ canvas: Canvas) -> (canvas: Canvas, before: [UInt8])
  /// The rows whose cells are to be written anew, because pixels that are not to be seen any more lie over them.
  mutating func spoiledRows(under canvas: Canvas) -> [Range<Int>]
  /// What makes the terminal show the pictures, now that it has the cells.
  mutating func after(_ canvas: Canvas, cells: [UInt8]) -> [UInt8]
  /// Whether there is more to send than one frame should take.
  var isUnfinished: Bool { get }
  /// Takes all pictures away, also when the terminal is in the midst of one.
  var removal: [UInt8] { get }
  /// The screen is cleared, or another program has had it: nothing of what the terminal had counts.
  mutating func forget()
}

/// How many bytes of pictures one frame takes, so that keys are not kept waiting; one picture may have more.
let pictureBytesAFrame = 256 * 1024

/// Ends a sequence that was cut off; says nothing where none was.
let stringTerminator: [UInt8] = [0x1B, UInt8(ascii: "\\")]

/// Pictures as characters: what the program draws is all.
struct CellPictures: PictureLayer {
  func isIdle(for canvas: Canvas) -> Bool { true }
  mutating func dress(_ canvas: Canvas) -> (canvas: Canvas, before: [UInt8]) { (canvas, []) }
  mutating func spoiledRows(under canvas: Canvas) -> [Range<Int>] { [] }
  mutating func after(_ canvas: Canvas, cells: [UInt8]) -> [UInt8] { [] }
  var isUnfinished: Bool { false }
  var removal: [UInt8] { [] }
  mutating func forget() {}
}
