import CFeedfall
import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import Foundation
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

  /// The program ends when the script does.
  init(_ script: [[InputEvent]] = []) { self.script = script }

  deinit { close(descriptor) }

  func wake() { guard_eventfd_post(descriptor) }

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
      requestCount += 1
      return true
    }
    return port
  }

  /// Runs a program that reports to the terminal.
  func run(_ port: TerminalPort? = nil, _ services: Services = services(), inbox: Inbox = Inbox()) -> Runtime.Ending {
    runtime(port ?? self.port, services, inbox: inbox, idleReport: { [unowned self] in report($0) }).run()
  }
}

/// Readings that only wake the program up, more of them than a query and its answer need.
private let wakeUps: [[InputEvent]] = Array(repeating: [], count: 5)

private func key(_ character: Character) -> InputEvent { .key(.character(character)) }

@Suite(.hangLimit) struct IdleReportTests {
  @Test func `each idle period is reported once, with the number of input events so far`() async {
    await onThread {
      let wheel = InputEvent.mouse(MouseEvent(.wheelDown, at: Point(x: 3, y: 3)))
      let terminal = IdleTerminal(wakeUps + [[key("j"), key("l")]] + wakeUps + [[wheel], [.paste("text")]])
      #expect(terminal.run() == .terminalClosed)
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
      let runtime = runtime(port)
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
      #expect(terminal.run() == .terminalClosed)
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
      var services = services { [video] _ in .success(FeedPage(videos: [video])) }
      services.details = { _, video in
        guard_eventfd_post(descriptor)
        isAnswering.pass()
        return .success(video)
      }
      terminal.expectsReport = { inputCount in isAnswering.isOpen == (inputCount == 2) }
      #expect(terminal.run(port, services) == .terminalClosed)
      #expect(terminal.reports == [0, 2])
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
      #expect(terminal.run(port, inbox: inbox) == .terminalClosed)
      #expect(terminal.reports == [0, 1])
    }
  }

  @Test func `the report does not wait for a timer of ten seconds or more`() async {
    await onThread {
      let terminal = IdleTerminal()
      let services = services { _ in .failure(FeedFailure(.wait(seconds: 3600), "the server is busy")) }
      #expect(terminal.run(nil, services) == .terminalClosed)
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
      #expect(terminal.run(port) == .terminalClosed)
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
      #expect(terminal.run(port) == .terminalClosed)
      #expect(terminal.reports == [0, 1])
    }
  }

  // MARK: - The terminal's answer

  /// Each call of `advance` is a turn of the main loop in which nothing else is pending.
  private final class Status {
    var acceptsQuery = true
    /// The remaining time for the answer, in milliseconds; nil once it has arrived.
    var timeout: Int?
    var queryCount = 0
    var reports: [Int] = []

    var port: TerminalPort {
      var port = TerminalPort(size: Size(width: 80, height: 24))
      port.requestStatus = { [self] in
        guard acceptsQuery else { return false }
        (queryCount, timeout) = (queryCount + 1, 10_000)
        return true
      }
      port.statusTimeout = { [self] in timeout }
      return port
    }
  }

  private func reporter(_ status: Status) -> Runtime.IdleReporter { .init { status.reports.append($0) } }

  @Test func `a period is reported once its own query is answered`() {
    let status = Status()
    var reporter = reporter(status)
    reporter.advance(status.port)
    reporter.countInput()
    reporter.restart()
    reporter.advance(status.port)
    #expect(status.queryCount == 1, "the first query is open")
    status.timeout = nil
    reporter.advance(status.port)
    #expect(status.queryCount == 2 && status.reports == [])
    status.timeout = nil
    reporter.advance(status.port)
    #expect(status.queryCount == 2 && status.reports == [1] && !reporter.isDue)
  }

  @Test func `a lost answer ends its period without a report, and the next one is reported`() {
    let status = Status()
    var reporter = reporter(status)
    reporter.advance(status.port)
    status.timeout = 0
    reporter.advance(status.port)
    #expect(!reporter.isDue && status.reports == [] && status.queryCount == 1)
    reporter.restart()
    reporter.advance(status.port)
    status.timeout = nil
    reporter.advance(status.port)
    #expect(status.queryCount == 2 && status.reports == [0])
  }

  @Test func `a terminal that cannot be asked is asked again later`() {
    let status = Status()
    var reporter = reporter(status)
    status.acceptsQuery = false
    for _ in 1...2 { reporter.advance(status.port) }
    #expect(reporter.isDue && status.reports == [])
    status.acceptsQuery = true
    reporter.advance(status.port)
    status.timeout = nil
    reporter.advance(status.port)
    #expect(status.reports == [0])
  }
}
