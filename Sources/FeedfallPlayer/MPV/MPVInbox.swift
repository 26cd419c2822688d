import CFeedfallGuard
import FeedfallPlaying
import Glibc
import Synchronization

/// What the thread that speaks with mpv is told by others.
final class MPVInbox: Sendable {
  /// Readable when there is something in it; -1 where the machine has no descriptors left.
  let descriptor = guard_eventfd()
  private let ended = guard_eventfd()
  private let passedOn = guard_eventfd()
  private let state = Mutex(State())

  private struct State {
    var orders: [PlayerOrder] = []
    var isOpen = true
    var hasReader = false
    var isShutDown = false
    /// Whether the reader has orders that it has not passed on yet.
    var isReading = false

    /// Of settings that nobody has read yet, only the last one of a kind counts.
    mutating func add(_ order: PlayerOrder) {
      if case .configure(let last) = orders.last, case .configure(let new) = order,
        last.presentation.kind == new.presentation.kind
      {
        orders.removeLast()
      }
      orders.append(order)
    }
  }

  deinit {
    for descriptor in [descriptor, ended, passedOn] where descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Puts an order in; true where it is the first that needs a reader.
  func put(_ order: PlayerOrder) -> Bool {
    let needsReader = state.withLock { state in
      guard state.isOpen, !state.isShutDown else { return false }
      state.add(order)
      guard case .load = order, !state.hasReader else { return false }
      state.hasReader = true
      return true
    }
    guard_eventfd_post(descriptor)
    return needsReader
  }

  /// Takes what is there; nil once the reader is to end.
  func take() -> [PlayerOrder]? {
    guard_eventfd_drain(descriptor)
    return state.withLock { state in
      defer { state.orders = [] }
      state.isReading = !state.orders.isEmpty
      return state.isShutDown ? nil : state.orders
    }
  }

  /// The reader has passed on what it took.
  func notePassedOn() {
    let hasPassedOn = state.withLock { state in
      defer { state.isReading = false }
      return state.isReading
    }
    if hasPassedOn { guard_eventfd_post(passedOn) }
  }

  private var isBusy: Bool {
    state.withLock { $0.hasReader && $0.isOpen && ($0.isReading || !$0.orders.isEmpty) }
  }

  /// Waits until nothing is left to be passed on, but not longer.
  func awaitPassingOn(milliseconds time: Int32) {
    let end = ContinuousClock.now + .milliseconds(Int(time))
    while isBusy, case let left = end - .now, left > .zero {
      var passing = pollfd(fd: passedOn, events: Int16(POLLIN), revents: 0)
      poll(&passing, 1, Int32(left / .milliseconds(1)) + 1)
      guard_eventfd_drain(passedOn)
    }
  }

  /// The reader has ended.
  func close() {
    state.withLock { $0.isOpen = false }
    guard_eventfd_post(ended)
  }

  /// Ends the reader and waits for that, but not longer.
  func shutDown(waitingMilliseconds time: Int32) {
    let hasReader = state.withLock { state in
      state.isShutDown = true
      return state.hasReader && state.isOpen
    }
    guard hasReader else { return }
    guard_eventfd_post(descriptor)
    var end = pollfd(fd: ended, events: Int16(POLLIN), revents: 0)
    poll(&end, 1, time)
  }
}
