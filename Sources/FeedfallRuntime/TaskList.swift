import FeedfallLoading

/// What is under way: a handful of tasks, each with the ticket that it answers to.
struct TaskList {
  private var entries: [(ticket: Ticket, task: Task<Void, Never>)] = []

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ task: Task<Void, Never>, _ ticket: Ticket) {
    entries.append((ticket, task))
  }

  /// Takes the task out; nil if there is none of this ticket.
  @discardableResult
  mutating func remove(_ ticket: Ticket) -> Task<Void, Never>? {
    guard let index = entries.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return entries.remove(at: index).task
  }

  func cancelAll() {
    for entry in entries { entry.task.cancel() }
  }
}
