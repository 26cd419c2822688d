import FeedfallApp
import FeedfallSystem
import FeedfallText
import Synchronization

final class MPVInbox: Sendable {
  typealias Answer = (id: PlayID, route: FileRoute)

  private let arrived = WakeUp.required()
  private let closed = WakeUp.required()
  private let sent = WakeUp.required()
  private let state = Mutex(State())

  private struct State {
    var orders: [PlayerOrder] = []
    var answers: [Answer] = []
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

  var descriptor: Int32 { arrived.descriptor }

  /// Returns whether the order is the first that needs mpv, so that the caller must start the reader.
  func enqueue(_ order: PlayerOrder) -> Bool {
    let startsReader = state.withLock { state in
      guard state.isOpen, !state.isShutDown else { return false }
      state.append(order)
      guard case .load = order, !state.hasReader else { return false }
      state.hasReader = true
      return true
    }
    arrived.post()
    return startsReader
  }

  func enqueue(_ route: FileRoute, for id: PlayID) {
    state.withLock { if $0.isOpen { $0.answers.append((id, route)) } }
    arrived.post()
  }

  /// Returns and removes all orders and answers; nil once the reader must end.
  func drain() -> (orders: [PlayerOrder], answers: [Answer])? {
    arrived.drain()
    return state.withLock { state in
      defer { (state.orders, state.answers) = ([], []) }
      state.isSending = !state.orders.isEmpty
      return state.isShutDown ? nil : (state.orders, state.answers)
    }
  }

  /// Must be called by the reader after it has sent the drained orders.
  func didSend() {
    let wasSending = state.withLock { state in
      defer { state.isSending = false }
      return state.isSending
    }
    if wasSending { sent.post() }
  }

  /// Must be called by the reader when it ends.
  func close() {
    state.withLock { $0.isOpen = false }
    closed.post()
  }

  private var isBusy: Bool {
    state.withLock { $0.hasReader && $0.isOpen && ($0.isSending || !$0.orders.isEmpty) }
  }

  func waitUntilSent(milliseconds limit: Int32) {
    let deadline = SuspendingClock.now + .milliseconds(Int(limit))
    while isBusy, case let left = deadline - .now, left > .zero {
      sent.wait(milliseconds: Int32(left / .milliseconds(1)) + 1)
    }
  }

  func shutDown(milliseconds limit: Int32) {
    let hasReader = state.withLock { state in
      state.isShutDown = true
      return state.hasReader && state.isOpen
    }
    guard hasReader else { return }
    arrived.post()
    closed.wait(milliseconds: limit)
  }
}
