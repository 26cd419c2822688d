import CFeedfall
import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import Foundation
import Synchronization
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallProgram

/// A scripted terminal, which types when the program is idle.
private final class IdleTerminal {
  let descriptor = guard_eventfd()
  var frames: [Canvas] = []
  /// The input of each reading. A reading without events only wakes the program up.
  var script: [[InputEvent]]
  /// Whether an idle report is valid now. The program ends after an invalid one.
  var expectsReport: (_ inputCount: Int) -> Bool = { _ in true }
  private var isClosed = false
  private(set) var reports: [Int] = []
  private(set) var requestCount = 0
  /// Whether a status query is answered at once; otherwise `answerStatus` answers it.
  var answersAtOnce = true
  private var isAwaitingStatus = false
  /// The remaining time for the answer, in milliseconds.
  var answerTimeout = 10_000

  /// The program ends when the script does.
  init(_ script: [[InputEvent]] = []) { self.script = script }

  deinit { close(descriptor) }

  func wake() { guard_eventfd_post(descriptor) }

  func answerStatus() {
    isAwaitingStatus = false
    wake()
  }

  func report(_ inputCount: Int) {
    reports.append(inputCount)
    isClosed = !expectsReport(inputCount)
    #expect(!isClosed, "an early report after \(inputCount) input events")
    wake()
  }

  var port: TerminalPort {
    var port = TerminalPort(size: Size(width: 80, height: 24))
    port.inputDescriptor = descriptor
    port.read = { [self] in
      guard_eventfd_drain(descriptor)
      guard !script.isEmpty, !isClosed else { return TerminalInput(isClosed: true) }
      let events = script.removeFirst()
      if events.isEmpty, !script.isEmpty { wake() }
      return TerminalInput(events: events)
    }
    port.paint = { [self] in frames.append($0) }
    port.requestStatus = { [self] in
      #expect(!isAwaitingStatus || answerTimeout == 0, "a question is still open")
      requestCount += 1
      isAwaitingStatus = !answersAtOnce
      answerTimeout = 10_000
      return true
    }
    port.statusTimeout = { [self] in isAwaitingStatus ? answerTimeout : nil }
    return port
  }
}

private func services(
  page load: @escaping @Sendable () -> Result<FeedPage, FeedFailure> = { .success(page) }
) -> Services {
  Services(page: { _, _, _ in load() }, details: { .success($1) }, openInBrowser: { _ in })
}

private func runtime(
  _ terminal: IdleTerminal, _ services: Services = services(), port: TerminalPort? = nil,
  signals: Runtime.PolledSource<Int32> = .none,
  inbox: Inbox = Inbox(), reports: Bool = true
) -> Runtime {
  let source = SourceSettings(name: "films.example", isLocal: true)
  return Runtime(
    state: AppState(settings: AppSettings(sources: [source])), terminal: port ?? terminal.port, signals: signals,
    services: services, inbox: inbox, idleReport: reports ? { terminal.report($0) } : nil)
}

/// Readings that only wake the program up, more of them than a query and its answer need.
private let wakeUps: [[InputEvent]] = Array(repeating: [], count: 5)

private func key(_ character: Character) -> InputEvent { .key(.character(character)) }

@Suite(.hangLimit) struct IdleReportTests {
  @Test func `each idle period is reported once, with the number of input events so far`() async {
    await onThread {
      let wheel = InputEvent.mouse(MouseEvent(.wheelDown, at: Point(x: 3, y: 3)))
      let terminal = IdleTerminal(wakeUps + [[key("j"), key("l")]] + wakeUps + [[wheel], [.paste("text")]])
      #expect(runtime(terminal).run() == .terminalClosed)
      #expect(terminal.reports == [0, 2, 3, 4])
      #expect(terminal.requestCount == 4)
    }
  }

  @Test func `without reports the terminal is not asked`() async {
    await onThread {
      let terminal = IdleTerminal(wakeUps)
      var port = terminal.port
      let read = port.read
      var isSettled = { false }
      port.read = {
        defer { terminal.wake() }
        return isSettled() ? read() : TerminalInput()
      }
      let runtime = runtime(terminal, port: port, reports: false)
      isSettled = { runtime.state.isSettled && terminal.frames.last?.text.contains("Film 0") == true }
      terminal.wake()
      #expect(runtime.run() == .terminalClosed)
      #expect(terminal.requestCount == 0)
    }
  }

  @Test func `the report waits for the page`() async {
    await onThread {
      let terminal = IdleTerminal()
      terminal.expectsReport = { [unowned terminal] _ in terminal.frames.last?.text.contains("Film 0") == true }
      #expect(runtime(terminal).run() == .terminalClosed)
      #expect(terminal.reports == [0])
    }
  }

  @Test func `the report waits for a cover`() async {
    await onThread {
      let terminal = IdleTerminal()
      let isLoading = Gate()
      let descriptor = terminal.descriptor
      var port = terminal.port
      port.coverStyle = { .pictures(.halves, wantsPixels: false) }
      terminal.script = wakeUps + [[]]
      let read = port.read
      port.read = {
        if terminal.script.count == 1 { isLoading.open() }
        return read()
      }
      var first = FeedPage(videos: [film(0)])
      first.videos[0].covers = WebAddress("https://films.example/0.jpg").map { [Cover(url: $0)] } ?? []
      var services = services { [first] in .success(first) }
      services.cover = { _, _ in
        guard_eventfd_post(descriptor)
        isLoading.pass()
        return .failure(FeedFailure(.temporary, "no answer in 20 s"))
      }
      terminal.expectsReport = { _ in isLoading.isOpen }
      #expect(runtime(terminal, services, port: port).run() == .terminalClosed)
      #expect(terminal.reports == [0])
    }
  }

  @Test func `the report waits for a cancelled task`() async {
    await onThread {
      let isAnswering = Gate()
      // The details are requested and closed.
      let terminal = IdleTerminal([[.key(.enter), key("q")]] + wakeUps + [[]])
      let descriptor = terminal.descriptor
      var port = terminal.port
      let read = port.read
      port.read = {
        if terminal.script.count == 1 { isAnswering.open() }
        return read()
      }
      var video = film(0)
      video.isPartial = true
      var services = services { [video] in .success(FeedPage(videos: [video])) }
      services.details = { _, video in
        guard_eventfd_post(descriptor)
        isAnswering.pass()
        return .success(video)
      }
      terminal.expectsReport = { inputCount in isAnswering.isOpen == (inputCount == 2) }
      #expect(runtime(terminal, services, port: port).run() == .terminalClosed)
      #expect(terminal.reports == [0, 2])
    }
  }

  @Test func `the report waits until the changes are saved`() async {
    await onThread {
      let isWriting = Gate()
      let terminal = IdleTerminal([[key(" ")]] + wakeUps + [[]])
      let descriptor = terminal.descriptor
      let inbox = Inbox()
      var port = terminal.port
      let read = port.read
      port.read = {
        if terminal.script.count == 1 { isWriting.open() }
        return read()
      }
      var services = services()
      services.player = { order in
        guard case .load(let request) = order else { return }
        for event in [PlayEvent.ready, .length(.stated(100)), .time(seconds: 42)] {
          inbox.post(.player(.event(request.id, event)))
        }
      }
      services.writeEvents = {
        guard_eventfd_post(descriptor)
        isWriting.pass()
        return nil
      }
      terminal.expectsReport = { inputCount in isWriting.isOpen == (inputCount == 1) }
      #expect(runtime(terminal, services, port: port, inbox: inbox).run() == .terminalClosed)
      #expect(terminal.reports == [0, 1])
    }
  }

  @Test func `the report waits for events in the inbox`() async {
    await onThread {
      let terminal = IdleTerminal([[key("y")]])
      let (inbox, size) = (Inbox(), Size(width: 40, height: 12))
      var port = terminal.port
      port.copy = { _ in inbox.post(.screenChanged(size, cellSize: Size(width: 8, height: 16))) }
      terminal.expectsReport = { [unowned terminal] inputCount in
        (terminal.frames.last?.size == size) == (inputCount == 1)
      }
      #expect(runtime(terminal, port: port, inbox: inbox).run() == .terminalClosed)
      #expect(terminal.reports == [0, 1])
    }
  }

  @Test func `the report waits for a timer of less than ten seconds`() async {
    await onThread {
      let terminal = IdleTerminal([[key("k"), key("k")]])
      let runtime = runtime(terminal)
      terminal.expectsReport = { _ in runtime.state.isSettled }
      #expect(runtime.run() == .terminalClosed)
      #expect(terminal.reports == [0, 2])
    }
  }

  @Test func `the report does not wait for a timer of ten seconds or more`() async {
    await onThread {
      let terminal = IdleTerminal()
      let services = services { .failure(FeedFailure(.wait(seconds: 3600), "the server is busy")) }
      #expect(runtime(terminal, services).run() == .terminalClosed)
      #expect(terminal.reports == [0])
      #expect(terminal.frames.last?.text.contains("the server is busy") == true)
    }
  }

  @Test func `the report waits for the rest of an escape sequence`() async {
    await onThread {
      let terminal = IdleTerminal([[key("?")]])
      var port = terminal.port
      let read = port.read
      // Three readings after the key find no input.
      var readingsLeft = 4
      port.pendingInputTimeout = { (1...3).contains(readingsLeft) ? 0 : nil }
      port.read = {
        readingsLeft = max(0, readingsLeft - 1)
        return (0...2).contains(readingsLeft) && !terminal.reports.contains(1) ? TerminalInput() : read()
      }
      terminal.expectsReport = { inputCount in readingsLeft == (inputCount == 1 ? 0 : 4) }
      #expect(runtime(terminal, port: port).run() == .terminalClosed)
      #expect(terminal.reports == [0, 1])
    }
  }

  @Test func `the report waits until the terminal has room for the rest of a frame`() async {
    await onThread {
      let terminal = IdleTerminal([[key("j")]])
      let room = guard_eventfd()
      defer { close(room) }
      var port = terminal.port
      var isHolding = false
      let paint = port.paint
      port.paint = {
        paint($0)
        isHolding = true
      }
      port.videoOutput = { isHolding ? room : nil }
      port.continueVideo = { isHolding = false }
      terminal.expectsReport = { _ in !isHolding }
      #expect(runtime(terminal, port: port).run() == .terminalClosed)
      #expect(terminal.reports == [0, 1])
    }
  }

  @Test func `the terminal's status is queried once the last size is painted`() async {
    await onThread {
      let descriptor = guard_eventfd()
      defer { close(descriptor) }
      let terminal = IdleTerminal()
      terminal.answersAtOnce = false
      var port = terminal.port
      let (read, request) = (port.read, port.requestStatus)
      port.read = {
        // The answer to the first query also wakes the program up.
        guard terminal.reports.isEmpty else { return read() }
        guard_eventfd_drain(terminal.descriptor)
        return TerminalInput()
      }
      var updateCount = 0
      port.updateSize = { updateCount += 1 }
      port.requestStatus = {
        defer {
          if terminal.requestCount == 1 { guard_eventfd_post(descriptor) } else { terminal.answerStatus() }
        }
        #expect(updateCount == (terminal.requestCount == 0 ? 0 : 2))
        return request()
      }
      // A paint precedes the second signal. The answer follows soon after it, while `Runtime.ResizePace` still delays the size.
      var pending = [SIGWINCH, SIGWINCH]
      var isOver = false
      let signals = Runtime.PolledSource<Int32>(descriptor: descriptor) {
        isOver.toggle()
        guard isOver else { return nil }
        if pending.count == 1 {
          guard_eventfd_drain(descriptor)
          terminal.answerStatus()
        }
        return pending.popLast()
      }
      #expect(runtime(terminal, port: port, signals: signals).run() == .terminalClosed)
      #expect(terminal.reports == [0])
    }
  }

  @Test func `events before the answer lead to another query`() async {
    await onThread {
      let terminal = IdleTerminal([[key("j")]])
      terminal.answersAtOnce = false
      var port = terminal.port
      let request = port.requestStatus
      port.requestStatus = {
        defer { if terminal.requestCount == 1 { terminal.wake() } else { terminal.answerStatus() } }
        return request()
      }
      let paint = port.paint
      var lateAnswers = 1
      port.paint = {
        paint($0)
        // The key has been handled; now the first answer arrives.
        guard terminal.script.isEmpty, lateAnswers > 0 else { return }
        lateAnswers -= 1
        terminal.answerStatus()
      }
      #expect(runtime(terminal, port: port).run() == .terminalClosed)
      #expect(terminal.reports == [1])
      #expect(terminal.requestCount == 2)
    }
  }

  @Test func `a terminal that does not answer is queried once, and nothing is reported`() async {
    await onThread {
      let terminal = IdleTerminal(wakeUps)
      terminal.answersAtOnce = false
      var port = terminal.port
      let request = port.requestStatus
      port.requestStatus = {
        terminal.wake()
        return request()
      }
      let read = port.read
      port.read = {
        defer { if terminal.script.isEmpty { terminal.wake() } }
        return read()
      }
      #expect(runtime(terminal, port: port).run() == .terminalClosed)
      #expect(terminal.reports == [])
      #expect(terminal.requestCount == 1)
    }
  }

  @Test func `after a lost answer the next idle period is reported`() async {
    await onThread {
      let terminal = IdleTerminal([[key("j")]])
      terminal.answersAtOnce = false
      var port = terminal.port
      let request = port.requestStatus
      port.requestStatus = {
        defer {
          // The first answer is lost.
          if terminal.requestCount == 1 { terminal.answerTimeout = 0 } else { terminal.answerStatus() }
          terminal.wake()
        }
        return request()
      }
      #expect(runtime(terminal, port: port).run() == .terminalClosed)
      #expect(terminal.reports == [1])
      #expect(terminal.requestCount == 2)
    }
  }

  @Test func `a period that begins before an answer is given up is reported after that`() async {
    await onThread {
      let terminal = IdleTerminal([[key("j")]])
      terminal.answersAtOnce = false
      var port = terminal.port
      let request = port.requestStatus
      port.requestStatus = {
        defer { if terminal.requestCount == 1 { terminal.wake() } else { terminal.answerStatus() } }
        return request()
      }
      // The main loop sleeps at most this long.
      let timeout = port.statusTimeout
      var questions = 0
      port.statusTimeout = {
        guard terminal.script.isEmpty, terminal.requestCount == 1 else { return timeout() }
        questions += 1
        terminal.answerTimeout = questions > 3 ? 0 : 1
        return timeout()
      }
      #expect(runtime(terminal, port: port).run() == .terminalClosed)
      #expect(terminal.reports == [1])
    }
  }

  @Test func `a terminal that cannot be asked is asked again later`() async {
    await onThread {
      let terminal = IdleTerminal([[], []])
      var port = terminal.port
      var refusals = 2
      let request = port.requestStatus
      port.requestStatus = {
        guard refusals > 0 else { return request() }
        refusals -= 1
        terminal.wake()
        return false
      }
      terminal.expectsReport = { _ in refusals == 0 }
      #expect(runtime(terminal, port: port).run() == .terminalClosed)
      #expect(terminal.reports == [0])
    }
  }
}
