import CFeedfallGuard
import FeedfallSystem
import Glibc

/// Takes the pictures out of mpv's pipe as they come, on a thread of its own, and keeps the newest: so mpv never waits for
/// a slow terminal, and what is shown is never old.
enum FrameReader {
  private static let pieceByteCount = 256 << 10

  /// Reads until the pipe's end, which it closes; false where there is no thread to be had.
  static func start(pipe: Int32, into box: FrameBox) -> Bool {
    // As much as an unprivileged program may; with less mpv would wait within a picture.
    guard_widen_pipe(pipe, 1 << 20)
    return DetachedThread.start {
      read(pipe, into: box)
      close(pipe)
    }
  }

  private static func read(_ pipe: Int32, into box: FrameBox) {
    var parser = TctParser()
    withUnsafeTemporaryAllocation(byteCount: pieceByteCount, alignment: 16) { buffer in
      while true {
        let count = Glibc.read(pipe, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        parser.expect(box.size)
        if let picture = parser.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { box.put(picture) }
      }
    }
  }
}
