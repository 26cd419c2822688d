import FeedfallText
import Synchronization

/// Asks for each address once at a time: the first one asks, and who comes meanwhile waits for its answer.
///
/// Where the first one is cancelled, one of those who wait asks in its place. So no task is needed but theirs.
final class SharedRequests: Sendable {
  private typealias Waiter = (number: Int, continuation: CheckedContinuation<PictureAnswer?, Never>)

  private struct State {
    /// Who waits, for each address that is being asked.
    var waiting: [MediaAddress: [Waiter]] = [:]
    var lastNumber = 0
  }
  private let state = Mutex(State())

  /// How many callers wait for another caller's answer.
  var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  func answer(for address: MediaAddress, by ask: () async -> PictureAnswer) async -> PictureAnswer {
    while !Task.isCancelled {
      if begin(address) {
        let answer = await ask()
        end(address, answer)
        return answer
      }
      if let answer = await follow(address) { return answer }
    }
    return .cancelled
  }

  /// Whether there was nobody who asks already.
  private func begin(_ address: MediaAddress) -> Bool {
    state.withLock { state in
      guard state.waiting[address] == nil else { return false }
      state.waiting[address] = []
      return true
    }
  }

  private func end(_ address: MediaAddress, _ answer: PictureAnswer) {
    let waiting = state.withLock { $0.waiting.removeValue(forKey: address) } ?? []
    for waiter in waiting { waiter.continuation.resume(returning: answer == .cancelled ? nil : answer) }
  }

  /// Waits for another's answer; nil where none will come, or the task is cancelled.
  private func follow(_ address: MediaAddress) async -> PictureAnswer? {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          guard !Task.isCancelled, state.waiting[address] != nil else { return false }
          state.waiting[address]?.append((number, continuation))
          return true
        }
        if !waits { continuation.resume(returning: nil) }
      }
    } onCancel: {
      giveUp(number, address)?.resume(returning: nil)
    }
  }

  private func giveUp(_ number: Int, _ address: MediaAddress) -> CheckedContinuation<PictureAnswer?, Never>? {
    state.withLock { state in
      guard let index = state.waiting[address]?.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting[address]?.remove(at: index).continuation
    }
  }
}
