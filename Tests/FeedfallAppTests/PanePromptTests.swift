import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// The keys of the cards while the details are open.
@Suite(.hangLimit) struct PanePromptTests {
  private func changes(_ scenario: Scenario) -> Bool {
    scenario.effects.contains { effect in
      switch effect {
      case .download, .removeDownload, .saveEvents, .quit: true
      default: false
      }
    }
  }

  private func pane(width: Int = 120) -> Scenario {
    .showing(sampleVideos(9), width: width, height: 40).typing("<Enter>")
  }

  @Test(arguments: ["/dx", "fXd"])
  func `a text for a prompt beside the details is no command`(text: String) {
    let scenario = pane().typing(text)
    #expect(!changes(scenario))
    #expect(scenario.state.hasPrompt && scenario.state.details != nil)
    #expect(scenario.typing("<Esc>").state.details != nil)
  }

  @Test func `a search beside the details shows the match, and Esc the first video again`() {
    let scenario = pane().typing("/spring")
    #expect(scenario.state.selectedVideo?.id == "film-6" && scenario.state.details != nil)
    #expect(scenario.typing("<Esc>").state.selectedVideo?.id == "film-0")
    let found = scenario.typing("<Enter>")
    #expect(found.state.selectedVideo?.id == "film-6" && !found.state.hasPrompt)
  }

  @Test func `details are requested once the text is complete`() {
    var scenario = Scenario.showing(
      [sampleVideo(0)] + (1..<9).map(sampleVideoWithoutDetails), width: 120, height: 40
    ).typing("<Enter>/spr")
    #expect(scenario.awaitedDetails == nil)
    scenario.type("<Enter>")
    #expect(scenario.unansweredDetails.map(\.video.id) == ["film-6"])
  }

  @Test func `a filter that excludes all while it is typed leaves the details open`() {
    let scenario = pane().typing("fzzz")
    #expect(scenario.state.shownVideos.isEmpty)
    #expect(scenario.typing("<Esc>").state.details != nil)
    #expect(scenario.typing("<Enter>").state.details == nil)
  }

  @Test(arguments: [("<Enter>", 80), ("<Enter>i", 120), (" f", 120)], ["/dx", "/Xd", "/quit"])
  func `letters for a prompt that cannot be opened do nothing`(screen: (keys: String, width: Int), text: String) throws
  {
    var scenario = Scenario.showing(sampleVideos(9), width: screen.width, height: 40)
    for key in try keys(typed: screen.keys) { scenario.handle(.input(.key(key)), at: 1_000) }
    if !scenario.loads.isEmpty { scenario.report(.ready) }
    let before = scenario.effects.count
    for (index, key) in try keys(typed: text).enumerated() {
      scenario.handle(.input(.key(key)), at: 2_000 + index * 300)
      if index == 0 { #expect(scenario.screen.contains("cover")) }
    }
    #expect(!scenario.effects[before...].contains { if case .saveEvents = $0 { true } else { false } })
    #expect(!changes(scenario) && !scenario.state.hasPrompt)
  }

  @Test func `a key after a pause is a command again`() throws {
    var scenario = Scenario.showing(sampleVideos(9), width: 80, height: 40).typing("<Enter>")
    for (key, time) in [("/", 1_000), ("d", 1_400), ("d", 2_500)] {
      for key in try keys(typed: key) { scenario.handle(.input(.key(key)), at: time) }
    }
    #expect(scenario.effects.count { if case .download = $0 { true } else { false } } == 1)
  }

  @Test(arguments: ["a", "A", "J", "K", "c", "n", "S", "v", "V", "P"])
  func `no key of the cards is silent in the details`(key: String) {
    let scenario = pane()
    #expect(scenario.typing(key).screen != scenario.screen)
  }

  @Test func `s and m in the details search the server and load more`() {
    let scenario = Scenario.showing(sampleVideos(9), next: .page(1), width: 120, height: 40).typing("<Enter>")
    #expect(scenario.typing("m").awaitedPage == .page(1))
    #expect(scenario.typing("s").screen != scenario.screen)
  }
}
