import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct CardStatesTests {
  /// Returns the states of the visible cards; each must be equal to one that is computed now.
  private func states(_ scenario: Scenario) -> [CardStates.State] {
    let (cards, facts) = (scenario.state.cards, scenario.state.cardFacts)
    return cards.visibleCards.map { card in
      #expect(cards.state(of: card) == facts.state(of: cards.cards[card]))
      return cards.state(of: card)
    }
  }

  /// Handles events after each of which the states must differ from those before it.
  private func follow(_ scenario: inout Scenario, _ changes: [(inout Scenario) -> Void]) {
    for (number, change) in changes.enumerated() {
      let before = states(scenario)
      change(&scenario)
      #expect(states(scenario) != before, "change \(number)")
    }
  }

  @Test func `marks, the queue and undo change the states at once`() {
    var scenario = Scenario.showing(width: 120, height: 40)
    follow(&scenario, ["x", "*", "a", "a", "u", "u", "x"].map { keys in { $0.type(keys) } })
  }

  @Test func `a move in the queue changes the order of the states`() {
    var scenario = Scenario.showing(layout: .list).typing("aj*a2")
    follow(&scenario, ["J", "u"].map { keys in { $0.type(keys) } })
  }

  @Test func `each report of a download changes the states at once`() throws {
    var scenario = Scenario.showing(width: 120, height: 40).typing("d")
    let key = try #require(scenario.state.selectedCard).key
    let reports: [DownloadState?] = [
      .running(DownloadProgress(byteCount: 10, totalByteCount: 100)),
      .running(DownloadProgress(byteCount: 20, totalByteCount: 100)), .failed(FeedFailure(.temporary, "x")), nil,
    ]
    follow(&scenario, reports.map { report in { $0.handle(.downloadChanged(key, report)) } })
  }

  @Test func `records of another device change the states at once`() throws {
    var scenario = Scenario.showing(width: 120, height: 40)
    let key = try #require(scenario.state.selectedCard).key
    var other = UserData()
    let values: [UserValue] = [.flag(.starred, true), .position(50), .watched(UnixTime(seconds: 1))]
    follow(
      &scenario,
      values.enumerated().map { number, value in
        {
          other.apply(UserEvent(time: number + 1, device: "other", key: key, value: value))
          $0.handle(.recordsChanged(other))
        }
      })
  }

  @Test func `the playing video's time and length, and its end, change the states at once`() {
    var scenario = Scenario.showing(width: 120, height: 40)
    follow(
      &scenario,
      [
        { $0.type(" ") }, { $0.report(.ready, .duration(seconds: 100), .time(seconds: 50)) },
        { $0.report(.time(seconds: 51)) }, { $0.report(.duration(seconds: 200)) },
        { $0.report(.time(seconds: 199), .ended(.reachedEnd)) },
      ])
  }

  @Test func `a length and the news of a refresh change the states at once`() {
    var videos = sampleVideos(20)
    videos[0].duration = nil
    videos[0].resumeSeconds = 30
    var scenario = Scenario.showing(videos, width: 120, height: 40)
    let first = sampleVideo(99)
    follow(
      &scenario,
      [
        { scenario in
          scenario.type("r")
          scenario.answer(FeedPage(videos: [first] + videos))
          scenario.type("gg")
        },
        { scenario in
          scenario.type("r")
          scenario.answer(FeedPage(videos: [first] + videos))
        },
        { $0.type("j ") }, { $0.report(.ready, .duration(seconds: 100), .time(seconds: 40)) },
      ])
  }

  @Test func `the states of cards that have scrolled past are dropped`() {
    var states = CardStates()
    let scenario = Scenario.showing(sampleVideos(600), width: 120, height: 40)
    let slots = scenario.state.cards.cards.slots
    var facts = scenario.state.cardFacts
    for start in stride(from: 0, to: 600, by: 10) { states.prepare(Array(slots[start..<start + 10]), facts) }
    #expect(states.count <= 138)
    facts = Scenario.showing(sampleVideos(1)).typing("x").state.cardFacts
    states.prepare([], facts)
    #expect(states.count == 0)
  }
}
