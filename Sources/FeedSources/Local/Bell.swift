import Glibc

/// Wakes a thread that waits in `poll`.
final class Bell: Sendable {
  /// Readable from a ring on until the silence.
  let descriptor: Int32
  private let rope: Int32

  /// Nil where there are no descriptors left; `errno` says so.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    rope = ends[1]
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
