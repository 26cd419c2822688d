import CFeedfall
import FeedfallSystem
import Glibc
import WaterfallEngine

/// Reads mpv's output for terminals on its own thread and stores the newest frame.
///
/// mpv therefore never waits for a slow terminal, and the shown frame is never old.
enum FrameReader {
  private static let bufferByteCount = 256 << 10
  /// The most that an unprivileged process may set; with less, mpv would wait within a frame.
  private static let pipeByteCount: Int32 = 1 << 20

  /// The most bytes per second for each cell: two colors and a character, 120 times.
  private static let byteRatePerCell = 120 * 45
  /// The most bytes per second besides the cells.
  private static let baseByteRate = 8 << 20

  /// Reads until the end of the pipe, which it closes; returns false if no thread could be created.
  ///
  /// - Parameter flooded: is posted when more bytes arrive than any video needs; then the reading ends.
  static func start(pipe: Int32, _ frames: FrameBox, flooded: WakeUp) -> Bool {
    guard_widen_pipe(pipe, pipeByteCount)
    return DetachedThread.start {
      if !read(pipe, frames) { flooded.post() }
      close(pipe)
    }
  }

  /// Returns false if too many bytes arrive.
  private static func read(_ pipe: Int32, _ frames: FrameBox) -> Bool {
    var parser = TctParser()
    var gauge = FloodGauge()
    return withUnsafeTemporaryAllocation(byteCount: bufferByteCount, alignment: 16) { buffer in
      while true {
        let count = Glibc.read(pipe, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return true }
        let size = Size(width: frames.size.width, height: frames.size.height / 2)
        let rate = baseByteRate + size.width * size.height * byteRatePerCell
        guard gauge.accepts(count, rate: rate, burst: rate, at: .now) else { return false }
        parser.resize(to: size)
        if let frame = parser.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { frames.replace(with: frame) }
      }
    }
  }
}
