import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallApp

/// The screen before the first page has arrived.
@Suite(.hangLimit) struct FirstLoadTests {
  @Test(arguments: [LayoutKind.grid, .list, .carousel, .justified])
  func `the first load shows the outlines of cards`(layout: LayoutKind) {
    let scenario = Scenario(layout: layout)
    #expect(scenario.status.contains("Loading…") && scenario.state.cards.selection == nil)
    Golden.expect("first-load-\(layout.rawValue)", scenario.state.draw())
  }

  @Test(arguments: LayoutKind.allCases)
  func `outlines are where the first cards will be`(layout: LayoutKind) throws {
    var scenario = Scenario(layout: layout)
    let outlines = scenario.state.cards.layout.outlines()
    var videos = sampleVideos(20)
    for index in videos.indices {
      videos[index].pictureSize = nil
      videos[index].title = String(repeating: "long title ", count: 20)
    }
    scenario.answer(FeedPage(videos: videos))
    let cards = scenario.state.cards.visibleElements.filter { $0.kind == .item }.map(\.frame)
    #expect(cards.allSatisfy(outlines.contains))
  }
}
