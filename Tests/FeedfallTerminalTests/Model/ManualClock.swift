import Glibc

@testable import FeedfallTerminal

/// A clock that only the test advances. Waits end by readiness or by advancing the clock to their limit.
final class ManualClock: TerminalDevice.Clock {
  private(set) var now = 10_000
  /// Whether another thread reads the terminal's output: waits for room then block without a limit.
  var isOutputBeingRead = false
  private var actions: [(time: Int, run: () -> Void)] = []

  /// Advances the time and runs all actions that become due.
  func advance(by milliseconds: Int) {
    let end = now + milliseconds
    while runAction(dueBy: end) {}
    now = end
  }

  /// Schedules an action; actions must be scheduled in the order of their times.
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
