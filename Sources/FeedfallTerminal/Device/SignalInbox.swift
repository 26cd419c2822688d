import CFeedfall
import Glibc

/// The signals INT, TERM, HUP, QUIT, WINCH, TSTP and CONT as a descriptor instead of handlers.
///
/// Create it before any other thread starts: earlier threads do not inherit the signal mask.
public final class SignalInbox {
  /// The descriptor to poll; readable when a signal is pending.
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

  /// Returns the number of the next pending signal, or nil if there is none.
  public func next() -> Int32? {
    let number = guard_signalfd_next(descriptor)
    return number == 0 ? nil : number
  }

  /// Ends the program with the signal's default action. Close the terminal first.
  public func dieBy(_ signal: Int32) -> Never { guard_die_by(signal) }
}
