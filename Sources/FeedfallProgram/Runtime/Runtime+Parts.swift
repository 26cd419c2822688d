import FeedfallApp
import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Synchronization

extension Runtime {
  /// Each task that has not ended, with the ticket of its answer.
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
    mutating func cancel(_ ticket: Ticket) { remove(ticket)?.cancel() }

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

  struct WaitList {
    /// The shortest wait during which the program counts as idle, such as the hold that a server asks for. It also
    /// counts as idle while a message waits to disappear.
    private static let longWait = Duration.seconds(10)

    /// The next one at the end, so that thousands of later ones cost nothing.
    private var entries: [(deadline: ContinuousClock.Instant, wait: Wait, isShort: Bool)] = []

    mutating func add(_ wait: Wait, after duration: Duration) {
      let isShort = duration < Self.longWait && wait.delaysIdle
      let deadline = ContinuousClock.now + duration
      let later = entries.lastIndex { $0.deadline > deadline }
      entries.insert((deadline, wait, isShort), at: later.map { $0 + 1 } ?? 0)
    }

    var hasShortWait: Bool { entries.contains { $0.isShort } }

    mutating func cancel(_ ticket: Ticket) {
      if let index = entries.lastIndex(where: { $0.wait.ticket == ticket }) { entries.remove(at: index) }
    }

    mutating func dequeueElapsed(at now: ContinuousClock.Instant) -> Wait? {
      guard let last = entries.last, last.deadline <= now else { return nil }
      entries.removeLast()
      return last.wait
    }

    var next: ContinuousClock.Instant? { entries.last?.deadline }
  }

  /// Limits how often pages are handled and painted. A refresh of thousands of sources delivers hundreds of pages per
  /// second, and each batch changes all tabs. The first page is shown at once; while others are awaited, later ones are
  /// handled once per frame and painted ten times per second.
  struct PagePace {
    private static let paintInterval = Duration.milliseconds(100)

    private var handled: ContinuousClock.Instant?
    private var painted: ContinuousClock.Instant?
    private(set) var mustPaint = false

    mutating func handle() { (handled, mustPaint) = (.now, true) }

    mutating func paint() {
      if mustPaint { (painted, mustPaint) = (.now, false) }
    }

    /// The end of the pause before further pages are handled; nil without one.
    func handlingDue(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      Self.due(handled, ResizePace.interval, at: now)
    }

    /// The end of the pause before handled pages are painted; nil without one.
    func paintDue(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      Self.due(painted, Self.paintInterval, at: now)
    }

    private static func due(
      _ last: ContinuousClock.Instant?, _ interval: Duration, at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
      last.map { $0 + interval }.flatMap { now < $0 ? $0 : nil }
    }
  }

  /// Limits how often a resize is handled. Dragging a window edge sends hundreds of resizes per second, and each one
  /// repaints the whole screen. The first resize is handled at once, later ones at most once per frame.
  struct ResizePace {
    static let interval = Duration.milliseconds(16)

    private var lastResize: ContinuousClock.Instant?
    private(set) var isPending = false

    mutating func request() { isPending = true }

    func due(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      guard isPending else { return nil }
      return lastResize.map { max(now, $0 + Self.interval) } ?? now
    }

    mutating func dequeue(now: ContinuousClock.Instant) -> Bool {
      guard let due = due(now: now), due <= now else { return false }
      lastResize = now
      isPending = false
      return true
    }
  }

  /// Reports once per idle period, after the terminal has confirmed that it has processed all output.
  struct IdleReporter {
    private enum Phase {
      case active
      /// The terminal was queried for its status, and nothing has happened since.
      case confirming
      /// The period is reported, or the terminal has not answered.
      case ended
    }

    private var phase = Phase.active
    private var inputCount = 0
    private let report: (_ inputCount: Int) -> Void

    init(_ report: @escaping (_ inputCount: Int) -> Void) { self.report = report }

    var isDue: Bool { phase != .ended }

    /// Begins a new period. Every event leads to a paint, so the caller does this when it paints.
    mutating func restart() { phase = .active }

    mutating func countInput() { inputCount += 1 }

    /// Queries the terminal's status, or reports once it has answered. Call it only while nothing else is pending.
    mutating func advance(_ terminal: TerminalPort) {
      // An answer to a query from an earlier period says nothing about later output.
      guard !isAwaitingAnswer(terminal) else { return }
      if phase == .active {
        guard terminal.requestStatus() else { return }
        phase = .confirming
      }
      guard phase == .confirming, !isAwaitingAnswer(terminal) else { return }
      phase = .ended
      if terminal.statusTimeout() == nil { report(inputCount) }
    }

    private func isAwaitingAnswer(_ terminal: TerminalPort) -> Bool { terminal.statusTimeout() ?? 0 > 0 }
  }

  /// First pages whose loading begins before the main loop. Each answers one request: a later one needs current data.
  struct Prefetch {
    typealias Answer = Result<FeedPage, FeedFailure>

    private struct Request: Hashable {
      var source: SourceID
      var use: CacheUse
    }

    private var tasks: [Request: Task<Answer, Never>] = [:]

    mutating func begin(_ source: SourceID, _ use: CacheUse, by services: Services, on worker: Worker) {
      tasks[Request(source: source, use: use)] = Task.detached(executorPreference: worker.worker(of: source)) {
        [page = services.page] in
        await page(source, .start, use)
      }
    }

    /// Cancelling the wait ends the loading; nil for a page that was not begun.
    mutating func dequeue(
      _ source: SourceID, _ cursor: FeedCursor, _ use: CacheUse
    ) -> (@Sendable () async -> Answer)? {
      guard cursor == .start, let task = tasks.removeValue(forKey: Request(source: source, use: use)) else {
        return nil
      }
      return {
        await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          task.cancel()
        }
      }
    }
  }

  /// A source that the main loop polls: of video frames, signals, or commands.
  struct PolledSource<Element> {
    /// Readable while an element is available.
    var descriptor: Int32?
    var next: () -> Element?

    static var none: PolledSource { PolledSource(descriptor: nil, next: { nil }) }
  }
}

extension ContinuousClock.Instant {
  /// At most 1,000,000; 0 if it has passed. Rounded up, so that `poll` does not return early.
  func milliseconds(from now: ContinuousClock.Instant) -> Int {
    guard now < self else { return 0 }
    let left = (self - now).components
    return Int(min(left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1, 1_000_000))
  }
}

extension Result {
  func event(_ arrived: (Success) -> AppEvent, _ failed: (Failure) -> AppEvent) -> AppEvent {
    switch self {
    case .success(let value): arrived(value)
    case .failure(let failure): failed(failure)
    }
  }
}

enum LoopMessage: Sendable {
  case event(AppEvent)
  case taskEnded(Ticket?, AppEvent?)

  var event: AppEvent? {
    switch self {
    case .event(let event): event
    case .taskEnded(_, let event): event
    }
  }
}

typealias Inbox = MessageQueue<LoopMessage>

extension MessageQueue<LoopMessage> {
  func post(_ event: AppEvent) { post(.event(event)) }
}

/// A thread-safe queue of messages to one thread, such as the main loop, which polls its descriptor and drains it.
final class MessageQueue<Message: Sendable>: Sendable {
  private let wakeUp = WakeUp.required()
  private let messages = Mutex<[Message]>([])

  /// Readable while the queue is not empty.
  var descriptor: Int32 { wakeUp.descriptor }

  func post(_ message: Message) {
    let wasEmpty = messages.withLock { messages in
      defer { messages.append(message) }
      return messages.isEmpty
    }
    if wasEmpty { wakeUp.post() }
  }

  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Blocks the thread until a post; `drain` must follow.
  func wait() { wakeUp.wait() }

  func drain() -> [Message] {
    wakeUp.drain()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
