import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallCore

/// A start without a network.
@Suite(.hangLimit) struct OfflineTests {
  private let words = "Offline: covers and videos need the network"

  private var failure: FeedFailure {
    var failure = FeedFailure(.temporary, "the name films.example was not found")
    failure.isOffline = true
    return failure
  }

  private func showingCovers(_ count: Int) -> Scenario {
    var scenario = Scenario.showing(sampleVideos(count))
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    return scenario
  }

  private func fail(_ failure: FeedFailure, _ scenario: inout Scenario) {
    guard let ticket = scenario.awaitedCovers.first?.ticket else { return }
    scenario.forgetCover(ticket)
    scenario.handle(.coverFailed(ticket, failure))
  }

  @Test func `it is reported once, when all covers have failed`() {
    var scenario = showingCovers(3)
    #expect(scenario.awaitedCovers.count == 3)
    fail(failure, &scenario)
    fail(failure, &scenario)
    #expect(!scenario.status.contains("Offline"))
    fail(failure, &scenario)
    #expect(scenario.status.contains(words))
    scenario.type("j")
    scenario.rest()
    #expect(!scenario.status.contains("Offline"))
  }

  @Test func `a server that is missing while others answer is no missing network`() {
    var scenario = showingCovers(3)
    fail(failure, &scenario)
    scenario.answerCover()
    fail(failure, &scenario)
    #expect(scenario.awaitedCovers.isEmpty && !scenario.status.contains("Offline"))
  }

  @Test func `a cover that a server refuses is no missing network`() {
    var scenario = showingCovers(1)
    fail(FeedFailure(.permanent, "the server answered 404 Not Found"), &scenario)
    #expect(!scenario.status.contains("Offline"))
  }

  @Test func `it is reported with cached pages, in whatever order they arrive`() {
    for isPageFirst in [true, false] {
      var scenario = Scenario.of("films.example", isLocal: false, width: 120)
      if isPageFirst { scenario.answerRecall(0, sampleVideos(5)) }
      scenario.fail(0, failure)
      #expect(scenario.status.contains(words) == isPageFirst)
      if !isPageFirst { scenario.answerRecall(0, sampleVideos(5)) }
      #expect(scenario.status.contains(words))
    }
  }

  @Test func `a wrong address among sources that answer is no missing network`() {
    var scenario = Scenario.of("a", "b", isLocal: false)
    scenario.answer(0, sampleVideos(5))
    scenario.fail(1, failure)
    #expect(!scenario.status.contains("Offline"))
  }

  @Test func `a wrong address beside a local folder is no missing network of the folder`() {
    let sources = [
      SourceSettings(name: "folder", isLocal: true), SourceSettings(name: "films.example", isLocal: false),
    ]
    var scenario = Scenario(AppSettings(sources: sources), width: 120)
    scenario.answer(0, sampleVideos(5))
    scenario.type("2")
    scenario.fail(1, failure)
    #expect(!scenario.status.contains("Offline"))
  }

  @Test func `it is reported when all servers are missing, and none before that`() {
    for isOffline in [true, false] {
      var scenario = Scenario.of("a", "b", isLocal: false, width: 120)
      scenario.answerRecall(0, sampleVideos(5))
      scenario.fail(0, failure)
      #expect(!scenario.status.contains("Offline"))
      scenario.fail(1, isOffline ? failure : FeedFailure(.permanent, "the server answered 404 Not Found"))
      #expect(scenario.status.contains(words) == isOffline)
    }
  }
}
