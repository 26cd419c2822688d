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

  @Test func `reports are sent in order, the last one before the program ends`() throws {
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
      sent.withLock { $0 } == [
        "https://a.example/1 started", "https://a.example/1 stopped", "https://a.example/2 started",
        "https://a.example/2 stopped",
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

  @Test func `without sources that store positions there is none`() {
    #expect(PlaybackReporter([], on: Worker()) == nil)
  }
}
