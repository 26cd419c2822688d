import FeedfallApp
import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import struct FeedfallApp.AppState

@Suite(.hangLimit) struct CachedPagesTests {
  private let failure = FeedFailure(.temporary, "the network is down")

  private func web() -> Scenario { Scenario.of("films.example", isLocal: false) }

  @Test func `the cached and the fresh page of a web source are requested together`() {
    let scenario = web()
    #expect(scenario.recalls.map(\.cursor) == [.start])
    #expect(scenario.unanswered.map(\.use) == [.revalidated])
    #expect(Scenario.of("file.json").recalls.isEmpty)
  }

  @Test func `a cached page is shown with its age until the fresh one replaces it`() {
    var scenario = web()
    scenario.answerRecall(0, sampleVideos(20), next: .page(1))
    #expect(scenario.screen.contains("Elephants Dream"))
    #expect(scenario.status.contains("cached 3 h ago · refreshing"))
    scenario.answer(0, sampleVideos(7, from: 100) + sampleVideos(13), next: .page(1))
    #expect(scenario.status.contains("7 new"))
    #expect(!scenario.typing("l").status.contains("ago"))
    #expect(scenario.state.cards.cards.count == 20)
  }

  @Test func `fresh cards keep the scroll position`() {
    var scenario = web()
    scenario.answerRecall(0, sampleVideos(40), next: .page(1))
    scenario.type("G")
    let selected = scenario.state.selectedVideo
    scenario.answer(0, sampleVideos(2, from: 100) + sampleVideos(18), next: .page(5))
    #expect(scenario.state.selectedVideo == selected)
    #expect(scenario.state.cards.cards.count == 42)
    scenario.type("m")
    #expect(scenario.awaitedPage == .page(1))
  }

  @Test func `a fresh page wins over a late cached page`() {
    var scenario = web()
    let late = scenario.recalls[0].ticket
    scenario.answer(0, sampleVideos(5))
    #expect(scenario.recalls.isEmpty)
    scenario.handle(.pageArrived(late, FeedPage(videos: sampleVideos(9)), at: UnixTime(seconds: 0)))
    #expect(scenario.state.cards.cards.count == 5)
  }

  @Test func `after a failure of the first page cached cards stay and more cached pages follow`() {
    var scenario = web()
    scenario.answerRecall(0, sampleVideos(2), next: .page(1))
    scenario.fail(0, failure)
    #expect(scenario.screen.contains("the network is down"))
    #expect(scenario.status.contains("cached 3 h ago"))
    #expect(scenario.unanswered.isEmpty)
    #expect(scenario.recalls.map(\.cursor) == [.page(1)])
    scenario.answerRecall(0, sampleVideos(2, from: 2), next: .page(2))
    #expect(scenario.state.cards.cards.count == 4)
    #expect(scenario.recalls.map(\.cursor) == [.page(2)])
    scenario.failRecall(0)
    scenario.type("jkjk")
    #expect(scenario.recalls.isEmpty)
  }

  @Test func `a cycle of cached pages ends`() {
    var scenario = web()
    scenario.answerRecall(0, sampleVideos(2), next: .page(1))
    scenario.fail(0, failure)
    for page in [2, 1, 2, 1] where !scenario.recalls.isEmpty {
      scenario.answerRecall(0, sampleVideos(2), next: .page(page))
    }
    #expect(scenario.recalls.isEmpty)
    #expect(scenario.state.isSettled)
  }

  @Test func `cached pages are shown for waiting sources too`() {
    var scenario = Scenario.of("a", "b", "c", "d", "e", "f", "g", "h", "i", isLocal: false)
    #expect(scenario.recalls.map(\.source) == Array(0..<8))
    for source in 0..<9 {
      scenario.answerRecall(source, [sampleVideo("\(source)", day: 9 - source)], next: source == 8 ? .page(1) : nil)
    }
    #expect(scenario.state.cards.cards.count == 9)
    scenario.endWaits()
    #expect(scenario.unanswered.map(\.source) == Array(0..<8))
    #expect(scenario.unanswered.allSatisfy { $0.cursor == .start })
    scenario.type("m")
    #expect(scenario.unanswered.count == 8)
    scenario.fail(0, failure)
    #expect(scenario.unanswered.map(\.source) == Array(1..<9))
    #expect(scenario.unanswered.allSatisfy { $0.cursor == .start })
  }

  @Test func `a cached page that arrives after the failure is shown`() {
    var scenario = web()
    scenario.fail(0, failure)
    scenario.answerRecall(0, sampleVideos(20))
    #expect(scenario.state.cards.cards.count == 20)
    #expect(scenario.screen.contains("the network is down"))
  }

  @Test func `after a failure cached pages follow, and r requests the page from the server`() {
    var scenario = web()
    scenario.failRecall(0)
    scenario.answer(0, sampleVideos(2), next: .page(1))
    scenario.type("m")
    scenario.fail(0, failure)
    #expect(scenario.recalls.map(\.cursor) == [.page(1)])
    scenario.answerRecall(0, sampleVideos(20, from: 2), next: .page(2), secondsAgo: 200_000)
    #expect(scenario.state.cards.cards.count == 22)
    #expect(scenario.status.contains("cached 2 days ago"))
    scenario.type("r")
    #expect(scenario.unanswered.map(\.cursor) == [.page(1)])
    #expect(scenario.unanswered.map(\.use) == [.whileFresh])
  }

  @Test func `a missing cached page is not a failure`() {
    var scenario = web()
    scenario.failRecall(0)
    #expect(scenario.state.failure == nil)
    scenario.answer(0, sampleVideos(5))
    #expect(scenario.state.isSettled)
    #expect(!scenario.status.contains("new"))
  }

  @Test func `r revalidates the page with the server`() {
    var scenario = web()
    scenario.answer(0, sampleVideos(5))
    scenario.type("r")
    #expect(scenario.unanswered.map(\.use) == [.revalidated])
  }

  @Test func `cached cards of several sources are ordered by date before a server answers`() {
    var scenario = Scenario.of("a", "b", isLocal: false)
    scenario.answerRecall(0, [sampleVideo("a3", day: 3), sampleVideo("a1", day: 1)])
    scenario.answerRecall(1, [sampleVideo("b2", day: 2)])
    #expect(scenario.state.shownVideos.map(\.id) == ["a3", "b2", "a1"])
    #expect(scenario.status.contains("cached 3 h ago · refreshing"))
    scenario.type("2")
    scenario.answer(1, [sampleVideo("b4", day: 4), sampleVideo("b2", day: 2)])
    #expect(scenario.screen.contains("3 b 1 new"))
  }
}
