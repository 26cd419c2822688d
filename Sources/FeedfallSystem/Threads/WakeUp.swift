import CFeedfallGuard
import Glibc

/// Wakes a thread that waits in `poll`; any thread may post.
package final class WakeUp: Sendable {
  /// Readable from `post()` until `drain()`.
  package let descriptor: Int32

  /// Returns nil if the process has no descriptors left; `errno` has the reason.
  package init?() {
    descriptor = guard_eventfd()
    if descriptor < 0 { return nil }
  }

  /// Returns a wake-up without which the program cannot run. Ends the program if the process has no descriptors left.
  package static func required() -> WakeUp {
    guard let wakeUp = WakeUp() else {
      let message = "feedfall: Could not start: \(SystemError().message). Raise the limit with ulimit -n.\n"
      try? Files.write(Array(message.utf8)[...], to: STDERR_FILENO)
      exit(EXIT_FAILURE)
    }
    return wakeUp
  }

  deinit { close(descriptor) }

  /// Makes the descriptor readable; never blocks.
  package func post() { guard_eventfd_post(descriptor) }

  package func drain() { guard_eventfd_drain(descriptor) }

  /// Blocks the thread until a post, for at most `limit` (negative for no limit), then drains.
  package func wait(milliseconds limit: Int32 = -1) {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&event, 1, limit)
    drain()
  }
}
