import FeedfallLoading

/// The tasks that have been started and have not ended, each with the ticket of its answer.
struct TaskList {
  private var entries: [(ticket: Ticket, task: Task<Void, Never>)] = []
  private var runningCount = 0

  /// Whether no task is left whose answer is wanted. A cancelled task may never answer, so it does not count.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether every task has ended, including those that were cancelled.
  var isIdle: Bool { runningCount == 0 }

  /// Counts a task until `end`. Without a ticket nobody waits for it or cancels it.
  mutating func add(_ task: Task<Void, Never>, _ ticket: Ticket?) {
    runningCount += 1
    if let ticket { entries.append((ticket, task)) }
  }

  /// Cancels the task with this ticket. It counts as running until it ends.
  mutating func cancel(_ ticket: Ticket) {
    remove(ticket)?.cancel()
  }

  /// Removes a task that has ended.
  mutating func end(_ ticket: Ticket?) {
    runningCount -= 1
    if let ticket { remove(ticket) }
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
