import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct TitleDirectorTests {
  private static let youTubeIDs = (0..<6).map { "video-\($0)-abc" }

  /// All but the last two are on YouTube.
  private static let videos: [Video] = (0..<8).map { number in
    var video = sampleVideo(number)
    video.pageURL = number < 6 ? WebAddress("https://www.youtube.com/watch?v=\(youTubeIDs[number])") : nil
    return video
  }

  private func showing(isOn: Bool = true) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.requestsTitles = isOn
    settings.layout = .list
    var scenario = Scenario(settings, width: 100, height: 24)
    scenario.answer(FeedPage(videos: Self.videos))
    return scenario
  }

  private func requests(_ scenario: Scenario) -> [(prefix: String, ticket: Ticket)] {
    scenario.effects.compactMap {
      if case .requestTitles(let prefix, let ticket) = $0 { (prefix, ticket) } else { nil }
    }
  }

  private func rest(_ scenario: inout Scenario) {
    for case .titles(let ticket) in scenario.openWaits { scenario.end(.titles(ticket)) }
  }

  private func pauses(_ scenario: Scenario) -> [Duration] {
    scenario.effects.compactMap { if case .wait(let time, .titles) = $0 { time } else { nil } }
  }

  @Test func `nothing is requested unless the user wants other titles`() {
    var scenario = showing(isOn: false)
    rest(&scenario)
    #expect(requests(scenario).isEmpty && pauses(scenario).isEmpty)
  }

  @Test func `visible videos on YouTube are requested two at a time, each start of a hash once`() {
    var scenario = showing()
    #expect(requests(scenario).isEmpty)
    rest(&scenario)
    let prefixes = Self.youTubeIDs.map(SponsorBlock.hashPrefix)
    #expect(requests(scenario).map(\.prefix) == Array(prefixes.prefix(2)))
    for number in 0..<6 {
      scenario.handle(.titlesArrived(requests(scenario)[number].ticket, [:]))
    }
    #expect(requests(scenario).map(\.prefix) == prefixes)
    scenario.type("jjG")
    rest(&scenario)
    #expect(requests(scenario).count == 6)
  }

  @Test func `a title replaces the one on the card, which the details still name`() {
    var scenario = showing()
    rest(&scenario)
    scenario.handle(.titlesArrived(requests(scenario)[0].ticket, [Self.youTubeIDs[0]: "A quiet film"]))
    #expect(scenario.screen.contains("A quiet film"))
    #expect(!scenario.screen.contains("0 Elephants Dream"))
    #expect(scenario.state.selectedVideo?.title == "0 Elephants Dream")
    let details = scenario.typing("<Enter>")
    #expect(details.screen.contains("A quiet film"))
    #expect(details.screen.contains("Original title: 0 Elephants Dream"))
    #expect(!details.typing("l").screen.contains("Original title"))
  }

  @Test func `search and filter use the shown title`() {
    var scenario = showing()
    rest(&scenario)
    scenario.handle(.titlesArrived(requests(scenario)[1].ticket, [Self.youTubeIDs[1]: "A quiet film"]))
    #expect(scenario.typing("/quiet<Enter>").state.cards.selection == 1)
    #expect(ids(scenario.typing("ftitle:quiet<Enter>")) == ["film-1"])
    #expect(ids(scenario.typing("ftitle:november<Enter>")).isEmpty)
  }

  @Test func `a refresh keeps the title`() {
    var scenario = showing()
    rest(&scenario)
    scenario.handle(.titlesArrived(requests(scenario)[0].ticket, [Self.youTubeIDs[0]: "A quiet film"]))
    scenario.type("r")
    scenario.answer(FeedPage(videos: Self.videos))
    #expect(scenario.screen.contains("A quiet film"))
    #expect(ids(scenario).count == 8)
  }

  @Test func `the first failure is reported, and requests pause ever longer`() {
    let failure = FeedFailure(.temporary, "the network is down")
    var scenario = showing()
    rest(&scenario)
    let before = pauses(scenario).count
    scenario.handle(.titlesFailed(requests(scenario)[0].ticket, failure))
    #expect(
      scenario.screen.contains("Could not load titles from DeArrow: the network is down. The original titles stay."))
    scenario.type("j")
    scenario.handle(.titlesFailed(requests(scenario)[1].ticket, failure))
    #expect(!scenario.screen.contains("DeArrow"))
    #expect(requests(scenario).count == 2)
    #expect(pauses(scenario).dropFirst(before) == [.seconds(60), .seconds(120)])
    rest(&scenario)
    #expect(requests(scenario).count == 4)
  }

  @Test func `an answer for an old ticket changes nothing`() {
    var scenario = showing()
    rest(&scenario)
    let ticket = requests(scenario)[0].ticket
    scenario.handle(.titlesArrived(ticket, [:]))
    scenario.handle(.titlesArrived(ticket, [Self.youTubeIDs[0]: "A quiet film"]))
    #expect(!scenario.screen.contains("A quiet film"))
  }
}
