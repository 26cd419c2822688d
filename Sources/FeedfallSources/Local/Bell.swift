import FeedfallSystem
import Glibc

/// Wakes a thread that waits in `poll`.
final class Bell: Sendable {
  /// Readable from a ring on until the silence.
  let descriptor: Int32
  private let rope: Int32

  /// Nil where there are no descriptors left; `errno` says so.
  init?() {
    guard let (reading, writing) = makePipe() else { return nil }
    for end in [reading, writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    descriptor = reading
    rope = writing
  }

  deinit {
    close(descriptor)
    close(rope)
  }

  func ring() {
    var stroke: UInt8 = 1
    write(rope, &stroke, 1)
  }

  func silence() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { strokes in
      while read(descriptor, strokes.baseAddress, strokes.count) > 0 {}
    }
  }
}
