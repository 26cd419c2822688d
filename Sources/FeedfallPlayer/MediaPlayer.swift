import FeedfallPlaying
import FeedfallScreen

/// What plays films: carries out orders without waiting, and tells what happens by the closure that it was made with.
public protocol MediaPlayer: AnyObject {
  /// Carries out an order; never blocks.
  func perform(_ order: PlayerOrder)
  /// Waits until it has passed on the orders that it was given, at most a twentieth of a second.
  func awaitOrders()
  /// Readable for `poll` while there is a frame that was not taken.
  var frameDescriptor: Int32 { get }
  /// The newest whole picture, where there is one that was not taken yet: two rows of pixels for each row of cells.
  func takeFrame() -> PixelBuffer?
  /// Ends it, and waits for that at most half a second.
  func shutDown()
}
