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
  func run() -> Runtime.Ending { runtime(port, idleReport: { [unowned self] in report($0) }).run() }
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
}
