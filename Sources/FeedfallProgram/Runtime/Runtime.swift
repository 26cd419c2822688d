import FeedfallApp
import FeedfallScreen
import FeedfallSystem
import FeedfallText
import Glibc

/// The main loop. It passes events from the terminal, signals, timers and the inbox to the state, performs the
/// resulting effects and paints the screen once per turn. Everything runs on the calling thread.
final class Runtime {
  enum Ending: Equatable, Sendable {
    case quit
    /// With a message for standard error.
    case failed(String)
    case signal(Int32)
    /// The terminal has disappeared.
    case terminalClosed
    /// Nothing is pending. Only `run(typing:)` ends this way.
    case idle
  }

  private(set) var state: AppState
  /// The messages about changes by the user that failed after the last paint.
  private(set) var unseenFailures: [String] = []
  /// Sends the last report on playback, after all others.
  private var lastReport: Task<Void, Never>?
  /// The last request with marks to each account.
  private var lastChanges: [String: Task<Void, Never>] = [:]
  private let terminal: TerminalPort
  private let signals: PolledSource<Int32>
  private let video: PolledSource<PixelBuffer>
  private let remote: PolledSource<RemoteCommand>
  private let services: Services
  private let inbox: Inbox
  private let worker: Worker
  /// A separate thread for covers, which are slow, so that they do not delay pages.
  private let coverWorker = Worker()
  private var prefetch: Prefetch
  private let firstPaintTimeout: Duration
  private var tasks = TaskList()
  private var waits = WaitList()
  private var resizing = ResizePace()
  private var paging = PagePace()
  private var ending: Ending?
  private var mustPaint = true
  private var published: NowPlaying?

  /// The commands of other programs in one turn; further ones wait, so that keys are handled first.
  private static let maximumRemoteCount = 16
  /// The time that a change of the configuration may wait for another program. It begins with the request, so that
  /// several requests wait together, and the end of the program with them.
  private static let subscriptionTimeout = Duration.milliseconds(500)
  private var idle: IdleReporter?

  /// - Parameters:
  ///   - worker: runs the services, those for a source on the source's worker. Its threads live until the program ends.
  ///   - firstPaintTimeout: the time that the first paint waits for local pages, so that the screen is painted once.
  ///   - idleReport: idle is without running tasks, waits of less than ten seconds and unprocessed output.
  init(
    state: AppState, terminal: TerminalPort, signals: PolledSource<Int32> = .none,
    video: PolledSource<PixelBuffer> = .none, remote: PolledSource<RemoteCommand> = .none,
    services: Services, inbox: Inbox = Inbox(),
    worker: Worker = Worker(), prefetch: Prefetch = Prefetch(), firstPaintTimeout: Duration = .zero,
    idleReport: ((_ inputCount: Int) -> Void)? = nil
  ) {
    idle = idleReport.map(IdleReporter.init)
    (self.inbox, self.worker, self.prefetch) = (inbox, worker, prefetch)
    (self.firstPaintTimeout, self.state, self.terminal) = (firstPaintTimeout, state, terminal)
    (self.signals, self.video, self.remote, self.services) = (signals, video, remote, services)
  }

  func run() -> Ending {
    start()
    while ending == nil { step() }
    finish()
    return ending ?? .quit
  }

  func run(typing keys: [Key]) -> Ending {
    start()
    runUntilIdle()
    for key in keys where ending == nil { handle(.input(.key(key))) }
    runUntilIdle()
    finish()
    return ending ?? .idle
  }

  private func start() {
    handleSize()
    handleAppearance()
    handle(.started)
    waitForLocalPages()
    paint()
    services.painted()
  }

  private func waitForLocalPages() {
    let deadline = ContinuousClock.now + firstPaintTimeout
    var messages: [LoopMessage] = []
    var isWaiting = true
    while isWaiting, state.awaitedPageCount > 0, ContinuousClock.now < deadline {
      isWaiting = waitForInbox(until: deadline)
      messages += inbox.drain()
      // Waits for all pages, to lay them out once.
      if isWaiting, messages.count < state.awaitedPageCount { continue }
      handle(messages)
      messages = []
    }
    handle(messages)
  }

  /// Returns false if a signal is pending.
  private func waitForInbox(until deadline: ContinuousClock.Instant) -> Bool {
    var polled = [
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    poll(&polled, nfds_t(polled.count), Int32(deadline.milliseconds(from: .now)))
    return polled[1].revents == 0
  }

  private func runUntilIdle() {
    while ending == nil, !(state.isSettled && tasks.isEmpty) { step() }
  }

  // MARK: - One turn of the loop

  private func step() {
    reportIdle()
    let ready = waitForEvents()
    if ready.signals { handleSignals() }
    if ready.room { terminal.continueVideo() }
    if ready.input || terminal.pendingInputTimeout() != nil { handleInput() }
    if ready.remote { handleRemoteCommands() }
    // At the end, `finish` reports the failed changes among the rest and drops the others.
    if ready.inbox, ending == nil { handle(inbox.drain()) }
    if ending == nil, resizing.dequeue(now: .now) { resize() }
    handleElapsedWaits()
    if mustPaint { publish() }
    paint()
    // Frames bypass the state, so they do not cause a paint.
    if ready.frame, ending == nil, let frame = video.next() { terminal.paintVideo(frame) }
  }

  private struct Readiness {
    var input = false
    var inbox = false
    var signals = false
    var frame = false
    /// The terminal has room for the rest of a video frame.
    var room = false
    var remote = false
  }

  private func waitForEvents() -> Readiness {
    let events = Int16(POLLIN)
    // Read once: if the pause of pages ended between two readings, nothing would end the wait.
    let now = ContinuousClock.now
    let videoOutput = terminal.videoOutput()
    let acceptsFrames = videoOutput == nil && terminal.videoDelay() == nil
    var polled = [
      pollfd(fd: terminal.inputDescriptor ?? -1, events: events, revents: 0),
      pollfd(fd: paging.handlingDue(at: now) == nil ? inbox.descriptor : -1, events: events, revents: 0),
      pollfd(fd: signals.descriptor ?? -1, events: events, revents: 0),
      pollfd(fd: acceptsFrames ? video.descriptor ?? -1 : -1, events: events, revents: 0),
      pollfd(fd: videoOutput ?? -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: remote.descriptor ?? -1, events: events, revents: 0),
    ]
    let count = poll(&polled, nfds_t(polled.count), Int32(pollTimeout(at: now) ?? -1))
    guard count > 0 else { return Readiness() }
    let ready = polled.map { $0.revents != 0 }
    return Readiness(
      input: ready[0], inbox: ready[1], signals: ready[2], frame: ready[3], room: ready[4], remote: ready[5])
  }

  /// In milliseconds; nil if there is no deadline.
  private func pollTimeout(at now: ContinuousClock.Instant) -> Int? {
    let paint = paging.mustPaint ? paging.paintDue(at: now) ?? now : nil
    let deadline = [waits.next, resizing.due(now: now), paging.handlingDue(at: now), paint].compactMap { $0 }.min()
    let answerTimeout = idle?.isDue == true && isQuiet ? terminal.statusTimeout() : nil
    return [deadline?.milliseconds(from: now), terminal.pendingInputTimeout(), terminal.videoDelay(), answerTimeout]
      .compactMap { $0 }.min()
  }

  private func reportIdle() {
    guard idle?.isDue == true, ending == nil, isQuiet else { return }
    idle?.advance(terminal)
  }

  /// Whether nothing is pending except waits of ten seconds or more. Video frames do not count.
  private var isQuiet: Bool {
    !mustPaint && !paging.mustPaint && !resizing.isPending && tasks.isIdle && !waits.hasShortWait && inbox.isEmpty
      && terminal.pendingInputTimeout() == nil && terminal.videoOutput() == nil
  }

  /// Handles consecutive pages and failures in one batch, because each may change all tabs.
  private func handle(_ messages: [LoopMessage]) {
    var pages: [AppEvent] = []
    for message in messages {
      if case .taskEnded(let ticket, _) = message { tasks.end(ticket) }
      guard let event = message.event else { continue }
      if event.isPage {
        pages.append(event)
      } else {
        handle(pages)
        pages = []
        handle(event)
      }
    }
    handle(pages)
  }

  private func handle(_ events: [AppEvent]) {
    guard let last = events.last else { return }
    if last.isPage, !tasks.isEmpty { paging.handle() } else { mustPaint = true }
    if case .input = last { idle?.countInput() }
    let effects = state.handle(events, at: SystemClock.milliseconds)
    checkSecondRun(after: last)
    for effect in effects { perform(effect) }
  }

  private func checkSecondRun(after event: AppEvent) {
    #if DEBUG
      if let difference = state.differenceAfterSecondRun(after: event) { preconditionFailure(difference) }
    #endif
  }

  private func handleInput() {
    let input = terminal.read()
    if input.isAppearanceChanged { mustPaint = true }
    for event in input.events where ending == nil { handle(.input(event)) }
    if input.isClosed { ending = ending ?? .terminalClosed }
    let (size, cellSize) = (terminal.size(), terminal.cellSize())
    if cellSize != state.cellSize { handle(.screenChanged(size, cellSize: cellSize)) }
    handleAppearance()
  }

  private func handleRemoteCommands() {
    for _ in 0..<Self.maximumRemoteCount {
      guard ending == nil, let command = remote.next() else { return }
      handle(.remote(command))
    }
  }

  private func publish() {
    guard let nowPlaying = state.nowPlaying, nowPlaying != published else { return }
    published = nowPlaying
    services.publish(nowPlaying)
  }

  private func handleSignals() {
    // A program that is to end must not wait for the foreground.
    while ending == nil, let signal = signals.next() {
      switch signal {
      case SIGWINCH: resizing.request()
      case SIGTSTP: suspend()
      case SIGCONT:
        // Signals are not delivered while the job is stopped, and other programs may have left the screen.
        resizing.request()
        repaint()
      case SIGINT, SIGTERM, SIGHUP, SIGQUIT: ending = .signal(signal)
      default: break
      }
    }
  }

  private func resize() {
    terminal.updateSize()
    handleSize()
  }

  // MARK: - Effects

  private func handle(_ event: AppEvent) { handle([event]) }

  /// Dequeues one by one, because each may cancel others. Times to refresh, which nothing cancels, are handled together:
  /// all have passed when the machine wakes up.
  private func handleElapsedWaits() {
    let now = ContinuousClock.now
    var schedules: [AppEvent] = []
    while let wait = waits.dequeueElapsed(at: now) {
      if case .schedule = wait { schedules.append(.waitElapsed(wait)) } else { handle(wait) }
    }
    handle(schedules)
  }

  private func handle(_ wait: Wait) {
    if case .glide = wait, terminal.isOutputPending() { return handle(.outputDelayed) }
    handle(.waitElapsed(wait))
  }

  private func perform(_ effect: AppEffect) {
    switch effect {
    case .requestPage(let source, let cursor, let use, let ticket):
      let load = prefetch.dequeue(source, cursor, use) ?? { [page = services.page] in await page(source, cursor, use) }
      spawn(ticket, on: worker.worker(of: source)) { _ in
        await load().event({ .pageArrived(ticket, $0, at: UnixTime(seconds: time(nil))) }, { .pageFailed(ticket, $0) })
      }
    case .requestDetails(let source, let video, let ticket):
      spawn(ticket, on: worker.worker(of: source)) {
        await $0.details(source, video).event({ .detailsArrived(ticket, $0) }, { .detailsFailed(ticket, $0) })
      }
    case .openSource(let source, let request): services.openSource(source, request)
    case .closeSource(let source): services.closeSource(source)
    case .changeList(let change):
      services.changeList(change)
      if change.followed != nil { store { $0.saveList(change) } }
    case .saveCommand(let command): store { $0.saveCommand(command) }
    case .changeSubscription(let request):
      let deadline = ContinuousClock.now + Self.subscriptionTimeout
      spawn(nil) { $0.changeSubscription(request, deadline) }
    case .saveSettings(let settings):
      let deadline = ContinuousClock.now + Self.subscriptionTimeout
      spawn(nil) { $0.saveSettings(settings, deadline) }
    case .setOption(let name, let value): spawn(nil) { $0.setOption(name, value) }
    case .setTheme(let theme):
      terminal.setTheme(theme)
      mustPaint = true
    case .requestSegments(let video, let ticket):
      spawn(ticket) {
        await $0.segments(video).event({ .segmentsArrived(ticket, $0) }, { .segmentsFailed(ticket, $0) })
      }
    case .requestTitles(let prefix, let ticket):
      spawn(ticket) {
        await $0.titles(prefix).event({ .titlesArrived(ticket, $0) }, { .titlesFailed(ticket, $0) })
      }
    case .requestCover(let request, let ticket):
      spawn(ticket, on: coverWorker) { [inbox] services in
        await services.cover(request, { inbox.post(.coverSize($0, ticket)) })
          .event({ .coverArrived(ticket, $0) }, { .coverFailed(ticket, $0) })
      }
    case .requestCoverColors(let addresses, let ticket):
      spawn(ticket, on: coverWorker) { .coverColorsArrived(ticket, await $0.coverColors(addresses)) }
    case .cancel(let ticket):
      tasks.cancel(ticket)
      waits.cancel(ticket)
    case .wait(let duration, let wait): waits.add(wait, after: duration)
    case .readClock: handle(.clockRead(UnixTime(seconds: time(nil))))
    case .copy(let text): terminal.copy(text)
    case .openInBrowser(let address): services.openInBrowser(address)
    case .player(let order):
      if case .load = order { dropVideoFrame() }
      services.player(order)
    case .reportPlayback(let report, let ticket):
      lastReport = spawn(nil) { [lastReport] services in
        await lastReport?.value
        if !Task.isCancelled { await services.reportPlayback(report) }
        return .playbackReported(ticket)
      }
    case .readAgreements(let scope, let records, let ticket):
      spawn(ticket) { $0.readAgreements(scope, records, ticket) }
    case .saveAgreements(let sync): spawn(nil) { $0.saveAgreements(sync).map(AppEvent.savingFailed) }
    case .sendMarks(let scope, let change, let ticket):
      lastChanges[scope.text] = spawn(nil) { .marksSent(ticket, await $0.sendMarks(scope, change)) }
    case .readPower(let ticket): spawn(ticket) { .powerRead(ticket, isLow: $0.isPowerLow()) }
    case .saveEvents(let events):
      services.addEvents(events)
      spawn(nil) { await $0.writeEvents().map(AppEvent.savingFailed) }
    case .reportSaving(let ticket): spawn(nil) { .eventsSaved(ticket, failure: $0.savingFailure()) }
    case .saveUndo(let lines): store { $0.saveUndo(lines) }
    case .readFacts(let keys): spawn(nil) { .factsRead($0.readFacts(keys)) }
    case .download(let request): services.download(request)
    case .removeDownload(let key): services.removeDownload(key)
    case .checkDownload(let key): services.checkDownload(key)
    case .savePlace(let place): store { $0.savePlace(place) }
    case .repaint: repaint()
    case .suspend: suspend()
    case .quit: ending = .quit
    case .fail(let message): ending = ending ?? .failed(message)
    }
  }

  @discardableResult
  private func spawn(
    _ ticket: Ticket?, on worker: Worker? = nil, _ operation: @escaping @Sendable (Services) async -> AppEvent?
  ) -> Task<Void, Never> {
    let task = Task.detached(executorPreference: worker ?? self.worker) { [inbox, services] in
      inbox.post(.taskEnded(ticket, await operation(services)))
    }
    tasks.add(task, ticket)
    return task
  }

  private func store(_ operation: @escaping @Sendable (Services) -> Void) {
    spawn(nil) { services in
      operation(services)
      return nil
    }
  }

  private func suspend() {
    handle(.suspending)
    // A stopped process cannot send the outstanding orders to the player.
    services.flushPlayer()
    terminal.suspend()
    handleSize()
    handle(.continued)
  }

  /// Drops the last frame, so that it does not flash before the next video.
  private func dropVideoFrame() {
    _ = video.next()
    terminal.dropVideoFrame()
  }

  private func repaint() {
    terminal.repaintAll()
    mustPaint = true
  }

  private func handleSize() {
    handle(.screenChanged(terminal.size(), cellSize: terminal.cellSize()))
  }

  private func handleAppearance() {
    let style = terminal.coverStyle()
    if style != state.coverStyle { handle(.coverStyleChanged(style)) }
    let output = terminal.videoCapability()
    if output != state.videoOutput { handle(.videoOutputChanged(output)) }
    let widths = terminal.textWidths()
    if widths != state.textWidths { handle(.textWidthsChanged(widths)) }
    let canSlide = terminal.canSlide()
    if canSlide != state.canSlide { handle(.slidingChanged(canSlide)) }
    let hasClipboard = terminal.hasClipboard()
    if hasClipboard != state.hasClipboard { handle(.clipboardChanged(hasClipboard)) }
  }

  private func paint() {
    let isDue = mustPaint || paging.mustPaint && paging.paintDue(at: .now) == nil
    guard isDue, ending == nil, !resizing.isPending else { return }
    mustPaint = false
    paging.paint()
    idle?.restart()
    terminal.paint(state.draw())
  }

  private func finish() {
    handle(.ending)
    tasks.cancelAll()
    handleLast()
  }

  /// Waits for the last requests to servers, all of them together, and saves which marks they have accepted.
  func close(atMost limit: Duration) {
    worker.wait(for: [lastReport].compactMap(\.self) + lastChanges.values, atMost: limit)
    handleLast()
  }

  private func handleLast() {
    // The worker runs the tasks that store changes in order, and this after them.
    if tasks.isWriting { worker.wait {} }
    for event in inbox.drain().compactMap(\.event) {
      if let message = event.failureMessage { unseenFailures.append(message) }
      if case .marksSent = event { handle(event) }
    }
    if tasks.isWriting { worker.wait {} }
  }
}
