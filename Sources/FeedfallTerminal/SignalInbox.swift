import CFeedfallGuard
import Glibc

/// The signals INT, TERM, HUP, QUIT, WINCH, TSTP and CONT as a descriptor instead of handlers.
///
/// Make it first in the program: threads that exist before it could still be interrupted by them.
public final class SignalInbox {
  /// Readable for `poll` when a signal is there.
  public let descriptor: Int32

  /// Blocks the signals in this thread and all later ones, ignores SIGPIPE, and opens the descriptor.
  public init() {
    guard_block_signals()
    descriptor = guard_signalfd()
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
  }

  /// The next signal's number, or nil when there is none.
  public func next() -> Int32? {
    let number = guard_signalfd_next(descriptor)
    return number == 0 ? nil : number
  }

  /// Ends the program by the signal's default action; the terminal must have been closed.
  public func dieBy(_ signal: Int32) -> Never {
    guard_die_by(signal)
  }
}
