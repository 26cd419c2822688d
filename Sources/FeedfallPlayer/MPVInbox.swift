import CFeedfallGuard
import FeedfallPlaying
import Glibc
import Synchronization

/// The orders for the thread that communicates with mpv.
final class MPVInbox: Sendable {
  /// Readable while there are orders; -1 if no descriptor could be opened.
  let descriptor = guard_eventfd()
  private let closed = guard_eventfd()
  private let sent = guard_eventfd()
  private let state = Mutex(State())

  enum Enqueued {
    /// The order is the first that needs mpv, so the caller must start the reader.
    case startsReader
    case waits
  }

  private struct State {
    var orders: [PlayerOrder] = []
    var isOpen = true
    var hasReader = false
    var isShutDown = false
    /// Whether the reader has drained orders that it has not sent yet.
    var isSending = false

    /// A configuration replaces one that nothing has read yet, so that a dragged window causes few changes. A change
    /// from cells to a window is not replaced: the cells are the fallback.
    mutating func append(_ order: PlayerOrder) {
      if case .configure(let last) = orders.last, case .configure(let new) = order,
        last.presentation.kind == new.presentation.kind
      {
        orders.removeLast()
      }
      orders.append(order)
    }
  }

  deinit {
    for descriptor in [descriptor, closed, sent] where descriptor >= 0 { Glibc.close(descriptor) }
  }

  func enqueue(_ order: PlayerOrder) -> Enqueued {
    let result = state.withLock { state -> Enqueued in
      guard state.isOpen, !state.isShutDown else { return .waits }
      state.append(order)
      guard case .load = order, !state.hasReader else { return .waits }
      state.hasReader = true
      return .startsReader
    }
    guard_eventfd_post(descriptor)
    return result
  }

  // MARK: - The reader

  /// Returns and removes all orders; nil once the reader must end.
  func drain() -> [PlayerOrder]? {
    guard_eventfd_drain(descriptor)
    return state.withLock { state in
      defer { state.orders = [] }
      state.isSending = !state.orders.isEmpty
      return state.isShutDown ? nil : state.orders
    }
  }

  /// Must be called by the reader after it has sent the drained orders.
  func didSend() {
    let wasSending = state.withLock { state in
      defer { state.isSending = false }
      return state.isSending
    }
    if wasSending { guard_eventfd_post(sent) }
  }

  /// Must be called by the reader when it ends.
  func close() {
    state.withLock { $0.isOpen = false }
    guard_eventfd_post(closed)
  }

  // MARK: - Waiting

  private var isBusy: Bool {
    state.withLock { $0.hasReader && $0.isOpen && ($0.isSending || !$0.orders.isEmpty) }
  }

  /// Waits until the reader has sent all orders, at most this long.
  func waitUntilSent(milliseconds limit: Int32) {
    let deadline = ContinuousClock.now + .milliseconds(Int(limit))
    while isBusy, case let left = deadline - .now, left > .zero {
      var event = pollfd(fd: sent, events: Int16(POLLIN), revents: 0)
      poll(&event, 1, Int32(left / .milliseconds(1)) + 1)
      guard_eventfd_drain(sent)
    }
  }

  /// Ends the reader and waits for that, at most this long.
  func shutDown(milliseconds limit: Int32) {
    let hasReader = state.withLock { state in
      state.isShutDown = true
      return state.hasReader && state.isOpen
    }
    guard hasReader else { return }
    guard_eventfd_post(descriptor)
    var event = pollfd(fd: closed, events: Int16(POLLIN), revents: 0)
    poll(&event, 1, limit)
  }
}
