import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct FailurePanelTests {
  private static let longFailure = FeedFailure(
    .permanent, "Tube/videos/recently-added is not a list of videos on this PeerTube instance",
    advice: "give the address of the instance, a channel, an account, a playlist or a search")

  @Test func `a failure of an empty tab is in its middle`() {
    var scenario = Scenario()
    scenario.fail(Self.longFailure)
    Golden.expect("failure-first", scenario.state.draw())
  }

  @Test(arguments: [(80, 24), (60, 20), (40, 12), (32, 30)])
  func `the sentence of an empty tab is never cut`(width: Int, height: Int) {
    var scenario = Scenario(width: width, height: height)
    scenario.fail(Self.longFailure)
    let words = scenario.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("a playlist or a search. r retry Esc dismiss"))
    #expect(words.contains("Could not load the videos: \(Self.longFailure.reason)."))
  }

  @Test(arguments: [80, 100, 140])
  func `a long failure above the cards keeps its advice`(width: Int) {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1), width: width).typing("m")
    scenario.fail(Self.longFailure)
    #expect(scenario.state.failure?.frame.origin == .zero)
    let rows = scenario.screen.split(separator: "\n", omittingEmptySubsequences: false)
    let keys = ["r retry", "Esc dismiss"]
    let words = rows.prefix(scenario.state.failure?.frame.height ?? 0).joined(separator: " ")
      .replacing(keys[0], with: "").replacing(keys[1], with: "").split(separator: " ").joined(separator: " ")
    #expect(words.hasSuffix("Give the address of the instance, a channel, an account, a playlist or a search."))
    #expect(words.hasPrefix("⚠ Could not load more videos: Tube/videos"))
    #expect(keys.allSatisfy(scenario.screen.contains))
  }

  @Test func `the All tab names the source that failed, whose tab shows a sign`() {
    var scenario = Scenario.of("a", "b", "c")
    scenario.answer(0, sampleVideos(9))
    scenario.answer(2, sampleVideos(9, from: 10))
    scenario.fail(1)
    #expect(scenario.screen.contains("⚠ Could not load the videos of b: the network is"))
    #expect(scenario.screen.contains("3 b !") && !scenario.screen.contains("2 a !"))
    #expect(!scenario.typing("2").screen.contains("Could not load"))
    #expect(scenario.typing("3").screen.contains("  Could not load the videos: the network is down."))
  }

  @Test(arguments: [(80, 24), (40, 15)])
  func `a failure does not hide that nothing matches`(width: Int, height: Int) {
    var scenario = Scenario.of("a", "b", width: width, height: height)
    scenario.answer(0, sampleVideos(9))
    scenario.type("fzebra")
    scenario.fail(1)
    for keys in ["", "<Enter>", "<Enter><Esc>"] {
      let words = scenario.typing(keys).screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("No match among 9 videos."))
      #expect(words.contains("Could not load the videos of b") == !keys.contains("Esc"))
      #expect(!words.contains("Loading failed"))
    }
    #expect(scenario.typing("<Enter>").status.contains("0 of 9"))
  }

  @Test func `after a dismissal only the tab of the source shows its failure`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos(9))
    scenario.fail(1)
    scenario.type("<Esc>")
    #expect(!scenario.status.contains("refresh failed") && scenario.screen.contains("3 b !"))
  }

  @Test func `at 40 columns a failure keeps its cause`() {
    var scenario = Scenario.of("a", "Dead", width: 40, height: 15)
    scenario.answer(0, sampleVideos(9))
    scenario.fail(
      1,
      FeedFailure(
        .temporary, "localhost refused the connection", advice: "check the address and whether the server runs"))
    let words = scenario.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("of Dead: localhost refused the connection. Check the address and whether the server runs."))
  }

  @Test func `several failures are counted and named`() {
    var scenario = Scenario.of("a", "b", "c")
    scenario.answer(0, sampleVideos(9))
    scenario.fail(1)
    scenario.fail(2)
    #expect(scenario.screen.contains("Could not load 2 of 3 sources: b, c."))
  }

  @Test func `a failure moves the cards down and leaves the selected one visible`() throws {
    var scenario = Scenario.showing(sampleVideos(40), next: .page(1)).typing("jjjm")
    let selection = try #require(scenario.state.cards.selection)
    let cards = scenario.screen
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    #expect(scenario.state.cards.selection == selection)
    #expect(scenario.state.cards.visibleCards.contains(selection))
    #expect(scenario.typing("<Esc>").screen == cards.replacing("⠋", with: " "))
  }

  @Test func `the line above the cards has no key that the details use`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1), width: 120).typing("m<Enter>")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    #expect(scenario.screen.contains("r retry") && !scenario.screen.contains("Esc dismiss"))
    scenario.type("<Esc>")
    #expect(scenario.state.details == nil && scenario.screen.contains("Esc dismiss"))
    #expect(scenario.typing("<Esc>").state.failure == nil)
  }

  @Test func `an address that cannot be copied is a failure above the cards, and r requests it again`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)], width: 120).typing("y")
    scenario.answerDetails(
      .failure(FeedFailure(.temporary, "no answer in 10 s from the server", advice: "check the address")))
    #expect(scenario.screen.contains("⚠ Could not load the playback address"))
    #expect(scenario.screen.contains("Check the address."))
    #expect(scenario.typing("<Esc>").state.failure == nil)
    scenario.type("r")
    #expect(scenario.awaitedDetails != nil && scenario.state.failure == nil)
    scenario.answerDetails(.success(sampleVideo(0)))
    #expect(scenario.effects.contains(.copy("https://films.example/0.mp4")))
  }

  @Test func `while a prompt is open, the failure has no keys, and a click in their place types nothing`() throws {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("m")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    let key = try #require(scenario.state.failure?.hints.first).frame
    scenario.type("/")
    #expect(scenario.screen.contains("Could not load more videos") && !scenario.screen.contains("r retry"))
    scenario.handle(.input(.mouse(MouseEvent(.press, at: key.origin))))
    #expect(scenario.state.cards.prompt?.needle == "")
    #expect(scenario.typing("<Esc>").screen.contains("r retry"))
  }

  @Test func `an address that fails after a change of tabs is a failure of its source alone`() {
    var scenario = Scenario.of("a", "b", width: 120)
    scenario.answer(0, sampleVideos(9))
    scenario.answer(1, [sampleVideoWithoutDetails(0)])
    scenario.type("3y2")
    scenario.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    #expect(scenario.state.failure == nil)
    let message = "Could not load the playback address of “0 Elephants Dream”: the network is down. Open the tab “b” to"
    #expect(scenario.screen.contains(message.prefix(60)))
    #expect(scenario.typing("r").awaitedDetails == nil)
    #expect(scenario.typing("3").screen.contains("the playback address of “0 Elephants Dream”: the network"))
    #expect(scenario.typing("1").state.failure != nil)
    #expect(scenario.typing("3r").awaitedDetails != nil)
    #expect(scenario.typing("323").state.failure == nil)
  }

  @Test func `the failure of an address disappears with its card`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)]).typing("ry")
    scenario.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    #expect(scenario.state.failure != nil)
    scenario.answer(FeedPage(videos: sampleVideos(3, from: 5)))
    #expect(scenario.state.failure == nil)
  }
}
