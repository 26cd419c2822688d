import FeedfallApp

/// The tasks that have been started and have not ended, each with the ticket of its answer.
struct TaskList {
  private var entries: [(ticket: Ticket, task: Task<Void, Never>)] = []
  private var runningCount = 0
  private var writingCount = 0

  /// Whether no task with a ticket is pending. Cancelled tasks do not count, because they may never end.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether every task has ended, including those that were cancelled.
  var isIdle: Bool { runningCount == 0 }

  /// Whether a task without a ticket runs: one that stores a change by the user.
  var isWriting: Bool { writingCount > 0 }

  /// A task without a ticket cannot be cancelled and does not affect `isEmpty`.
  mutating func add(_ task: Task<Void, Never>, _ ticket: Ticket?) {
    runningCount += 1
    if let ticket { entries.append((ticket, task)) } else { writingCount += 1 }
  }

  /// The task counts as running until it ends.
  mutating func cancel(_ ticket: Ticket) {
    remove(ticket)?.cancel()
  }

  mutating func end(_ ticket: Ticket?) {
    runningCount -= 1
    if let ticket { remove(ticket) } else { writingCount -= 1 }
  }

  func cancelAll() {
    for entry in entries { entry.task.cancel() }
  }

  @discardableResult
  private mutating func remove(_ ticket: Ticket) -> Task<Void, Never>? {
    guard let index = entries.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return entries.remove(at: index).task
  }
}
