import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct LinkPromptTests {
  private static func video(_ summary: String?) -> Video {
    var video = sampleVideo(0)
    video.summary = summary
    return video
  }

  private static let three = """
    Intro
    Site: https://site.example/
    Talk: https://youtu.be/aaaaaaaaaaa and
    https://b.example/
    """

  private func showing(_ summary: String?, width: Int = 100, hasBrowser: Bool = true) -> Scenario {
    .showing([Self.video(summary), sampleVideo(1)], width: width, hasBrowser: hasBrowser)
  }

  private func opened(_ scenario: Scenario) -> [String] {
    scenario.effects.compactMap {
      switch $0 {
      case .openInBrowser(let page): "browser \(page)"
      case .openSource(_, .address(let text)): "tab \(text)"
      default: nil
      }
    }
  }

  @Test func `gl shows the lines with links, and a number opens one in the browser`() {
    let scenario = showing(Self.three).typing("gl")
    #expect(scenario.screen.contains("Site: https://site.example/ [1]"))
    #expect(scenario.screen.contains("https://b.example/ [3]"))
    #expect(!scenario.screen.contains("Intro"))
    #expect(scenario.status.contains("Link: ▏  3 links"))
    #expect(opened(scenario).isEmpty)
    let chosen = scenario.typing("3")
    #expect(opened(chosen) == ["browser https://b.example/"])
    #expect(chosen.state.details == nil)
    #expect(chosen.state.openPrompt == nil)
  }

  @Test func `a link to a video opens as a tab`() {
    let scenario = showing(Self.three).typing("gl2")
    #expect(opened(scenario) == ["tab https://youtu.be/aaaaaaaaaaa"])
    #expect(scenario.state.content == .source(SourceID(1)))
  }

  @Test func `a number that may continue waits for another digit or Enter`() {
    let scenario = showing((1...12).map { "https://a.example/\($0)" }.joined(separator: "\n")).typing("gl1")
    #expect(opened(scenario).isEmpty)
    #expect(scenario.screen.contains("https://a.example/1 [1]"))
    #expect(opened(scenario.typing("<Enter>")) == ["browser https://a.example/1"])
    #expect(opened(scenario.typing("2")) == ["browser https://a.example/12"])
    #expect(opened(scenario.typing("9")).isEmpty)
    #expect(opened(scenario.typing("<BS>5")) == ["browser https://a.example/5"])
    #expect(opened(scenario.typing("x<Enter>")) == ["browser https://a.example/1"])
  }

  @Test(arguments: ["<Esc>", "<Enter>", "<BS>", "<C-c>"])
  func `the details return as they were`(key: String) {
    let cards = showing(Self.three)
    #expect(cards.typing("gl" + key).screen == cards.screen)
    let details = showing(Self.three).typing("<Enter>j")
    #expect(details.typing("gl" + key).state.details == details.state.details)
    #expect(details.typing("gl" + key).screen == details.screen)
  }

  @Test func `a single link is shown before it opens`() {
    let scenario = showing("https://a.example/").typing("gl")
    #expect(opened(scenario).isEmpty)
    #expect(scenario.status.contains("1 link"))
    #expect(opened(scenario.typing("1")) == ["browser https://a.example/"])
  }

  @Test func `a description without links, or none, is reported`() {
    #expect(showing("Nothing here").typing("gl").screen.contains("The description has no links"))
    #expect(showing(nil).typing("gl").screen.contains("This video has no description"))
  }

  @Test func `a description is requested first, and its failure reported`() {
    let listed = Scenario.showing([sampleVideoWithoutDetails(0), sampleVideo(1)], width: 100).typing("gl")
    #expect(listed.unansweredDetails.count == 1)
    #expect(listed.screen.contains("Looking up the description of “0 Elephants Dream”"))
    var answered = listed
    answered.answerDetails(.success(Self.video(Self.three)))
    #expect(answered.screen.contains("https://b.example/ [3]"))
    var failed = listed
    failed.answerDetails(.failure(FeedFailure(.temporary, "the network is down")))
    #expect(failed.screen.contains("Could not load the description: the network is down. Press gl to retry."))
    var left = listed.typing("l")
    #expect(left.state.tabs.selected.cards.selection == 1)
    left.answerDetails(.success(Self.video(Self.three)))
    #expect(left.state.openPrompt == nil)
  }

  @Test func `the full window gives way to the links of its video`() {
    var videos = sampleVideos(3)
    videos[0].summary = Self.three
    let scenario = Scenario.playing(videos).typing("fgl")
    #expect(!scenario.state.isFullWindow)
    #expect(scenario.screen.contains("https://b.example/ [3]"))
  }

  // MARK: - Related videos

  private func invidious(_ number: Int) -> Video {
    var video = sampleVideo(number)
    let (page, details) = (
      WebAddress("https://www.youtube.com/watch?v=aaaaaaaaaaa"),
      WebAddress("https://inv.example/api/v1/videos/aaaaaaaaaaa")
    )
    video.pageURL = page
    video.playback = details.map { .details($0, page: page) } ?? .unknown
    return video
  }

  @Test func `gr opens the related videos as a tab, without a request for details`() {
    let scenario = Scenario.showing([invidious(0)], width: 100).typing("gr")
    #expect(opened(scenario) == ["tab https://inv.example/api/v1/videos/aaaaaaaaaaa#related=aaaaaaaaaaa"])
    #expect(scenario.state.library.name(of: scenario.state.content) == "Related to “0 Elephants Dream”")
    #expect(scenario.unansweredDetails.isEmpty)
  }

  @Test func `without related videos, gr opens the channel, or reports that there is none`() {
    var video = sampleVideo(0)
    #expect(
      Scenario.showing([video], width: 120).typing("gr").screen.contains(
        "Could not find related videos: the feed names none, and no channel. Press o to open its page."))
    video.channelURL = WebAddress("https://films.example/channel")
    #expect(opened(Scenario.showing([video]).typing("gr")) == ["tab https://films.example/channel"])
  }

  @Test func `a video of PeerTube needs its tags first, once`() {
    let uuid = "9c9de5e8-0a1e-484a-b099-e80766180a6d"
    var video = sampleVideoWithoutDetails(0)
    video.pageURL = WebAddress("https://tube.example/w/\(uuid)")
    video.channelURL = WebAddress("https://tube.example/c/films")
    var scenario = Scenario.showing([video], width: 100).typing("gr")
    #expect(scenario.unansweredDetails.count == 1)
    #expect(scenario.screen.contains("Looking up the related videos"))
    var details = sampleVideo(0)
    (details.pageURL, details.channelURL) = (video.pageURL, video.channelURL)
    scenario.answerDetails(.success(details))
    #expect(opened(scenario) == ["tab https://tube.example/c/films"])
    #expect(scenario.unansweredDetails.isEmpty)
  }
}
