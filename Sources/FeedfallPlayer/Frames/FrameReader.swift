import CFeedfallGuard
import FeedfallSystem
import Glibc

/// Reads mpv's frames on a thread of its own and keeps the newest, so that mpv never waits for a slow terminal and the
/// frame shown is never old.
enum FrameReader {
  private static let bufferByteCount = 256 << 10
  /// The most that an unprivileged process may set; with less, mpv would wait within a frame.
  private static let pipeByteCount: Int32 = 1 << 20

  /// Reads until the end of the pipe, which it closes; returns false if no thread could be created.
  static func start(pipe: Int32, _ frames: FrameBox) -> Bool {
    guard_widen_pipe(pipe, pipeByteCount)
    return DetachedThread.start {
      read(pipe, frames)
      close(pipe)
    }
  }

  private static func read(_ pipe: Int32, _ frames: FrameBox) {
    var parser = TctParser()
    withUnsafeTemporaryAllocation(byteCount: bufferByteCount, alignment: 16) { buffer in
      while true {
        let count = Glibc.read(pipe, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        parser.resize(to: frames.size)
        if let frame = parser.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { frames.replace(with: frame) }
      }
    }
  }
}
