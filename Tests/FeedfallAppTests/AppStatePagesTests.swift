import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// Pages that arrive together.
@Suite(.hangLimit) struct AppStatePagesTests {
  @Test(arguments: 1...30)
  func `pages in batches lead to the same cards as one by one`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    var alone = scenario(&chances)
    alone.type(["", "", "2", "G", "jjjj", "G<Enter>", "S"].randomElement(using: &chances) ?? "")
    if Bool.random(using: &chances) { alone.type("r") }
    var together = alone.state
    let events = events(answering: alone, &chances)
    for event in events { alone.handle(event) }
    for batch in batches(of: events, &chances) { _ = together.handle(batch) }
    for key in "12345 1" where key != " " {
      alone.type(String(key))
      _ = together.handle([.input(.key(.character(key)))])
      let haveSameCards = cards(of: together) == cards(of: alone.state)
      #expect(haveSameCards)
      #expect(together.cards.selection == alone.state.cards.selection)
      #expect(together.cards.offset == alone.state.cards.offset)
      #expect(
        together.tabs.indices.map { together.tabs[$0].newsCount }
          == alone.state.tabs.indices.map { alone.state.tabs[$0].newsCount })
    }
  }

  @Test func `first pages that arrive together change the cards less often than one by one`() {
    var scenario = Scenario.of("a", "b", "c")
    let events = scenario.unanswered.map { request in
      AppEvent.pageArrived(
        request.ticket, FeedPage(videos: sampleVideos(3, from: 10 * request.source)), at: UnixTime(seconds: 0))
    }
    var together = scenario.state
    #expect(together.handle(Array(events.dropLast())).isEmpty)
    _ = together.handle([events[2]])
    for event in events { scenario.handle(event) }
    #expect(together.draw().text == scenario.state.draw().text)
    #expect(together.cards.revision < scenario.state.cards.revision)
  }

  /// A program with some sources, of which some have answered.
  private func scenario(_ chances: inout SeededGenerator) -> Scenario {
    let sources = (0..<Int.random(in: 2...6, using: &chances)).map {
      SourceSettings(name: "source \($0)", isLocal: Bool.random(using: &chances))
    }
    var scenario = Scenario(AppSettings(sources: sources))
    for event in events(answering: scenario, &chances) where Bool.random(using: &chances) { scenario.handle(event) }
    return scenario
  }

  /// The answers to all pending requests, in any order.
  private func events(answering scenario: Scenario, _ chances: inout SeededGenerator) -> [AppEvent] {
    (scenario.unanswered + scenario.recalls).map { request in
      if Int.random(in: 0..<6, using: &chances) == 0 {
        return .pageFailed(request.ticket, FeedFailure(.temporary, "the network is down"))
      }
      var page = page(&chances)
      if request.use == .onlyIfCached { page.savedAt = UnixTime(seconds: 1_000) }
      return .pageArrived(request.ticket, page, at: UnixTime(seconds: 2_000))
    }.shuffled(using: &chances)
  }

  private func page(_ chances: inout SeededGenerator) -> FeedPage {
    let count = [0, 1, 7, 40].randomElement(using: &chances) ?? 0
    let videos = (0..<count).map { _ in
      let number = Int.random(in: 0..<60, using: &chances)
      var video = sampleVideo(number)
      video.published = number % 4 == 0 ? nil : UnixTime(seconds: number / 5 * 86_400)
      return video
    }
    return FeedPage(videos: videos, next: Bool.random(using: &chances) ? .page(1) : nil)
  }

  private func batches(of events: [AppEvent], _ chances: inout SeededGenerator) -> [[AppEvent]] {
    events.reduce(into: []) { batches, event in
      if batches.isEmpty || Int.random(in: 0..<4, using: &chances) == 0 { batches.append([]) }
      batches[batches.count - 1].append(event)
    }
  }

  private func cards(of state: AppState) -> [CardID] { state.cards.cards.slots.map { state.library.store[$0].id } }
}
