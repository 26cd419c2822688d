import Glibc

@testable import FeedfallTerminal

/// A clock that only the test moves, and waits that nothing ends but their limit.
final class ManualClock: TerminalClock {
  private(set) var now = 10_000
  /// While another thread reads the terminal's output, it makes room however late the machine lets it run.
  var isOutputBeingRead = false
  private var actions: [(time: Int, run: () -> Void)] = []

  /// Moves the time on and runs the actions that are due by then.
  func advance(by milliseconds: Int) {
    let end = now + milliseconds
    while runAction(dueBy: end) {}
    now = end
  }

  /// Runs an action when the clock has moved on by this time; actions are scheduled in their order.
  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) {
    precondition(actions.last.map { $0.time <= now + milliseconds } ?? true)
    actions.append((now + milliseconds, action))
  }

  func wait(for descriptor: Int32, events: Int32, milliseconds: Int) -> Bool {
    let end = now + milliseconds
    let isEndless = isOutputBeingRead && events == POLLOUT
    while !isReady(descriptor, events, waits: isEndless) {
      guard runAction(dueBy: end) else {
        now = end
        return false
      }
    }
    return true
  }

  private func runAction(dueBy end: Int) -> Bool {
    guard let action = actions.first, action.time <= end else { return false }
    actions.removeFirst()
    now = max(now, action.time)
    action.run()
    return true
  }

  private func isReady(_ descriptor: Int32, _ events: Int32, waits: Bool) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&polled, 1, waits ? -1 : 0) > 0
  }
}
