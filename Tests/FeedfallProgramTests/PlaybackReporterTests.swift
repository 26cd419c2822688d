import FeedfallApp
import FeedfallFeeds
import FeedfallText
import Synchronization
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct PlaybackReporterTests {
  private func load(_ number: Int) throws -> PlayerOrder {
    let address = MediaAddress.web(try #require(WebAddress("https://a.example/\(number)")))
    return .load(PlayRequest(id: PlayID(number), address: address, title: "A video"))
  }

  @Test func `the end of each playback is sent in order, before the program ends`() async throws {
    let sent = Mutex<[String]>([])
    let reporter = PlaybackReporter(on: Worker(), watchedShare: 0.9) { report in
      await Task.yield()
      sent.withLock { $0.append("\(report.address) \(report.moment)") }
    }
    for number in 1...2 {
      reporter.observe(try load(number))
      reporter.observe(.event(PlayID(number), .ready))
    }
    await reporter.close()?.value
    #expect(
      sent.withLock { $0 }.filter { $0.hasSuffix("stopped") } == [
        "https://a.example/1 stopped", "https://a.example/2 stopped",
      ])
  }

  @Test func `servers that do not answer, and do not notice a cancellation, do not block the end`() async throws {
    let gate = Gate()
    let tasks = try (1...4).map { number in
      let reporter = PlaybackReporter(on: Worker(), watchedShare: 0.9) { _ in gate.pass() }
      reporter.observe(try load(number))
      reporter.observe(.event(PlayID(number), .ready))
      return try #require(reporter.close())
    }
    await onThread { Worker().wait(for: tasks, atMost: .milliseconds(1)) }
    #expect(tasks.allSatisfy { $0.isCancelled })
    gate.open()
  }

  // MARK: - The queue

  private func report(_ moment: PlaybackReport.Moment, _ number: Int, _ seconds: Double = 0) throws -> PlaybackReport {
    let address = MediaAddress.web(try #require(WebAddress("https://a.example/\(number)")))
    return PlaybackReport(moment, of: address, seconds: seconds)
  }

  @Test func `a newer report of a video replaces its progress only`() throws {
    var queue = PlaybackReporter.Queue()
    let progress = PlaybackReport.Moment.progress(isPaused: false)
    for number in 1...20 {
      queue.append(try report(.started, number))
      for second in 1...3 { queue.append(try report(progress, number, Double(second))) }
      #expect(queue.reports.last == (try report(progress, number, 3)))
      queue.append(try report(.stopped, number, 4))
    }
    let expected = try (1...20).flatMap { [try report(.started, $0), try report(.stopped, $0, 4)] }
    #expect(queue.reports == expected)
    #expect(queue.removeFirst() == expected[0])
  }

  @Test func `at the end the last report of each video remains`() throws {
    var queue = PlaybackReporter.Queue()
    for moment in [PlaybackReport.Moment.started, .stopped, .started] { queue.append(try report(moment, 1)) }
    queue.append(try report(.stopped, 2))
    queue.append(try report(.stopped, 1, 9))
    queue.dropAllButLast()
    #expect(queue.reports == [try report(.stopped, 2), try report(.stopped, 1, 9)])
    #expect(queue.removeFirst() != nil && queue.removeFirst() != nil && queue.removeFirst() == nil)
  }
}
