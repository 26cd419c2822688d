import Synchronization

/// Lets a few requests at a time go to each server; the others wait in their order.
final class ServerGate: Sendable {
  private typealias Waiter = (number: Int, continuation: CheckedContinuation<Bool, Never>)

  private struct Line {
    var underWayCount = 0
    var waiting: [Waiter] = []
  }
  private struct State {
    var lines: [String: Line] = [:]
    var lastNumber = 0
  }
  private let places: Int
  private let state = Mutex(State())

  init(places: Int) {
    self.places = places
  }

  /// How many callers wait for a place.
  var waitingCount: Int { state.withLock { $0.lines.values.reduce(0) { $0 + $1.waiting.count } } }

  /// Does what asks a server, when there is a place for it; nil where its task is cancelled before.
  func pass<Value>(to server: String, _ ask: () async -> Value) async -> Value? {
    guard await enter(server) else { return nil }
    defer { leave(server) }
    return await ask()
  }

  /// Takes a place; false where the task is cancelled before there is one.
  private func enter(_ server: String) async -> Bool {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let isIn = enterAtOnce(server, else: (number, continuation)) { continuation.resume(returning: isIn) }
      }
    } onCancel: {
      giveUp(number, server)?.resume(returning: false)
    }
  }

  /// Whether there is a place, or else the task is cancelled; nil where it waits in the line now.
  private func enterAtOnce(_ server: String, else waiter: Waiter) -> Bool? {
    state.withLock { state in
      if Task.isCancelled { return false }
      var line = state.lines[server] ?? Line()
      defer { state.lines[server] = line }
      guard line.underWayCount == places else {
        line.underWayCount += 1
        return true
      }
      line.waiting.append(waiter)
      return nil
    }
  }

  private func giveUp(_ number: Int, _ server: String) -> CheckedContinuation<Bool, Never>? {
    state.withLock { state in
      guard let index = state.lines[server]?.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return state.lines[server]?.waiting.remove(at: index).continuation
    }
  }

  /// Gives the place to who has waited longest.
  private func leave(_ server: String) {
    let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
      guard var line = state.lines[server] else { return nil }
      guard line.waiting.isEmpty else {
        defer { state.lines[server] = line }
        return line.waiting.removeFirst().continuation
      }
      line.underWayCount -= 1
      state.lines[server] = line.underWayCount == 0 ? nil : line
      return nil
    }
    next?.resume(returning: true)
  }
}
