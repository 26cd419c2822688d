import FeedfallFeeds
import FeedfallPlaying
import FeedfallRuntime
import FeedfallText
import Synchronization
import TestSupport
import Testing

@testable import feedfall

@Suite(.hangLimit) struct PlaybackReporterTests {
  private func load(_ number: Int) throws -> PlayerOrder {
    let address = MediaAddress.web(try #require(WebAddress("https://a.example/\(number)")))
    return .load(PlayRequest(id: PlayID(number), address: address, title: "A video"))
  }

  @Test func `the end of each playback is sent in order, before the program ends`() throws {
    let sent = Mutex<[String]>([])
    let source: PlaybackReporter.Source = { report in
      await Task.yield()
      sent.withLock { $0.append("\(report.address) \(report.moment)") }
    }
    let reporter = try #require(PlaybackReporter([source], on: Worker()))
    for number in 1...2 {
      reporter.observe(try load(number))
      reporter.observe(.event(PlayID(number), .ready))
    }
    reporter.close()
    #expect(
      sent.withLock { $0 }.filter { $0.hasSuffix("stopped") } == [
        "https://a.example/1 stopped", "https://a.example/2 stopped",
      ])
  }

  @Test func `a server that does not answer does not block the end`() throws {
    let silence: PlaybackReporter.Source = { _ in
      while !Task.isCancelled { await Task.yield() }
    }
    let reporter = try #require(PlaybackReporter([silence], on: Worker()))
    reporter.observe(try load(1))
    reporter.observe(.event(PlayID(1), .ready))
    reporter.close()
  }

  @Test func `without sources that store positions there is no reporter`() {
    #expect(PlaybackReporter([], on: Worker()) == nil)
  }

  // MARK: - The queue

  private func report(_ moment: PlaybackReport.Moment, _ number: Int, _ seconds: Double = 0) throws -> PlaybackReport {
    let address = MediaAddress.web(try #require(WebAddress("https://a.example/\(number)")))
    return PlaybackReport(moment, of: address, seconds: seconds)
  }

  @Test func `a newer report of a video replaces its progress only`() throws {
    var queue = ReportQueue()
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
    var queue = ReportQueue()
    for moment in [PlaybackReport.Moment.started, .stopped, .started] { queue.append(try report(moment, 1)) }
    queue.append(try report(.stopped, 2))
    queue.append(try report(.stopped, 1, 9))
    queue.dropAllButLast()
    #expect(queue.reports == [try report(.stopped, 2), try report(.stopped, 1, 9)])
    #expect(queue.removeFirst() != nil && queue.removeFirst() != nil && queue.removeFirst() == nil)
  }
}
