import CFeedfall
import Glibc

/// Wakes a thread that waits in `poll`; any thread may post.
package final class WakeUp: Sendable {
  /// Readable from `post()` until `drain()`.
  package let descriptor: Int32

  package init() throws(SystemError) {
    descriptor = guard_eventfd()
    guard descriptor >= 0 else { throw SystemError() }
  }

  /// Returns a wake-up without which the program cannot run. Ends the program if the process has no descriptors left.
  package static func required() -> WakeUp {
    do { return try WakeUp() } catch {
      let message = "feedfall: Could not start: \(error.message). Raise the limit with ulimit -n.\n"
      try? Files.write(Array(message.utf8)[...], to: STDERR_FILENO)
      exit(EXIT_FAILURE)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
  }

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
