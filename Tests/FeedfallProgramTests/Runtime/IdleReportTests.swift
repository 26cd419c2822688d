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
  private(set) var reports: [Int] = []
  private(set) var requestCount = 0

  /// The program ends when the script does.
  init(_ script: [[InputEvent]] = []) { self.script = script }

  deinit { close(descriptor) }

  func wake() { guard_eventfd_post(descriptor) }

  func report(_ inputCount: Int) {
    reports.append(inputCount)
    wake()
  }

  var port: TerminalPort {
    var port = TerminalPort(size: Size(width: 80, height: 24))
    port.inputDescriptor = descriptor
    port.read = { [self] in
      guard_eventfd_drain(descriptor)
      guard !script.isEmpty else { return TerminalInput(isClosed: true) }
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
  func run(_ services: Services = services()) -> Runtime.Ending {
    runtime(port, services, idleReport: { [unowned self] in report($0) }).run()
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

  @Test func `the report does not wait for a timer of ten seconds or more`() async {
    await onThread {
      let terminal = IdleTerminal()
      let services = services { _ in .failure(FeedFailure(.wait(seconds: 3600), "the server is busy")) }
      #expect(terminal.run(services) == .terminalClosed)
      #expect(terminal.reports == [0])
      #expect(terminal.frames.last?.text.contains("the server is busy") == true)
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
