import CFeedfallGuard
import Glibc

/// Wakes a thread that waits in `poll`; any thread may post.
package final class WakeUp: Sendable {
  /// Readable from `post()` until `drain()`.
  package let descriptor: Int32

  /// Nil where the process has no descriptors left; `errno` says so.
  package init?() {
    descriptor = guard_eventfd()
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Makes the descriptor readable; never blocks.
  package func post() { guard_eventfd_post(descriptor) }

  package func drain() { guard_eventfd_drain(descriptor) }
}
