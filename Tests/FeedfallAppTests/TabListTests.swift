import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// A video published on a day, counted from 1970.
func sampleVideo(_ id: String, day: Int?) -> Video {
  var video = Video(id: id, title: "Video \(id)", playback: .unknown)
  video.published = day.map { UnixTime(seconds: $0 * 86_400) }
  video.channel = "Channel"
  return video
}

@Suite(.hangLimit) struct TabListTests {
  private let failure = FeedFailure(.temporary, "the network is down")

  /// Three sources with ten videos each.
  private func three(width: Int = 80, height: Int = 24) -> Scenario {
    var scenario = Scenario.of("alpha.example", "beta.example", "gamma.example", width: width, height: height)
    for source in 0..<3 { scenario.answer(source, sampleVideos(10, from: source * 100)) }
    return scenario
  }

  private func content(_ scenario: Scenario) -> TabContent { scenario.state.content }

  @Test func `one source has no tabs`() {
    let scenario = Scenario.showing()
    #expect(scenario.state.regions.tabs == nil)
    #expect(scenario.typing("<Tab>2").state.draw() == scenario.state.draw())
  }

  @Test func `Tab and Shift-Tab cycle through the tabs, and a number selects one`() {
    let scenario = three()
    #expect(content(scenario) == .all)
    #expect(content(scenario.typing("<Tab>")) == .source(SourceID(0)))
    #expect(content(scenario.typing("<Tab><Tab><Tab><Tab>")) == .all)
    #expect(content(scenario.typing("<S-Tab>")) == .source(SourceID(2)))
    #expect(content(scenario.typing("3")) == .source(SourceID(1)))
    #expect(content(scenario.typing("9")) == .all)
  }

  @Test func `in the details, Tab and numbers show other tabs, and the details stay open in theirs`() {
    let scenario = three(width: 120).typing("2<Enter>")
    #expect(content(scenario.typing("3")) == .source(SourceID(1)))
    #expect(scenario.typing("<Tab>").state.details == nil)
    let back = scenario.typing("<Tab><S-Tab>")
    #expect(content(back) == .source(SourceID(0)) && back.state.details != nil)
  }

  @Test func `in the player, a number jumps and Tab shows another tab`() {
    let playing = three(width: 120).typing("2 ")
    #expect(content(playing.typing("3")) == .source(SourceID(0)))
    #expect(content(playing.typing("<Tab>")) == .source(SourceID(1)))
  }

  @Test func `in an order that sources do not deliver, the view moves with the selected card`() throws {
    func videos(_ lengths: Range<Int>) -> [Video] {
      lengths.map { Video(id: "\($0)", title: String(repeating: "x", count: $0), playback: .unknown) }
    }
    var scenario = Scenario.showing(videos(30..<36), next: .page(1), width: 60, height: 13)
      .typing("fsort:title<Enter>lm")
    let selected = try #require(scenario.state.selectedVideo).id
    #expect(selected == "31" && scenario.state.cards.isAtTop)
    scenario.answer(FeedPage(videos: videos(1..<21)))
    let cards = scenario.state.cards
    #expect(cards.cards.count == 26 && scenario.state.selectedVideo?.id == selected)
    #expect(cards.visibleCards.contains(try #require(cards.selection)))
  }

  @Test func `clicking a tab selects it`() {
    var scenario = three()
    let row = scenario.screen.split(separator: "\n")[0]
    let column = row.distance(from: row.startIndex, to: row.firstRange(of: "beta")!.lowerBound)
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: column, y: 0)))))
    #expect(content(scenario) == .source(SourceID(1)))
  }

  @Test func `a click on a card below the tab bar selects that card`() {
    var scenario = three().typing("2")
    let frame = scenario.state.cards.frame(of: 1)
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: frame.minX, y: frame.maxY)))))
    #expect(scenario.state.cards.selection == 1)
  }

  @Test func `each tab keeps its selection, scroll position and search, and all share the layout`() {
    let scenario = three(height: 14).typing("2G/dream<Enter>").typing("3jj").typing("v")
    let back = scenario.typing("2")
    #expect(back.state.cards.kind == .grid)
    #expect(back.state.cards.needle == "dream")
    #expect(back.state.selectedVideo?.title.contains("Dream") == true)
    #expect(scenario.state.cards.needle == "")
    #expect(back.typing("3").state.cards.selection == scenario.state.cards.selection)
  }

  @Test func `at most eight sources on servers load at once, besides the selected one`() {
    let sources = (0..<11).map { SourceSettings(name: "\($0)", isLocal: false) }
    var scenario = Scenario(AppSettings(sources: sources))
    #expect(scenario.unanswered.map(\.source) == Array(0..<8))
    scenario.type("<S-Tab>")
    #expect(scenario.unanswered.map(\.source) == Array(0..<8) + [10] && scenario.recalls.contains { $0.source == 10 })
    scenario.fail(1)
    #expect(scenario.unanswered.map(\.source) == [0] + Array(2..<8) + [10])
    scenario.answer(0, sampleVideos(3))
    #expect(scenario.unanswered.map(\.source) == Array(2..<8) + [10, 8])
    #expect(!scenario.state.isSettled)
  }

  @Test func `only the selected tab prefetches`() {
    var scenario = Scenario.of("a", "b").typing("2")
    scenario.answer(1, sampleVideos(2), next: .page(1))
    scenario.answer(0, sampleVideos(2, from: 10), next: .page(1))
    scenario.endWaits()
    #expect(scenario.unanswered.map(\.source) == [0])
  }

  @Test func `a source fails on its own, and the All tab names it`() {
    var scenario = three()
    scenario.type("3r")
    scenario.fail(1, failure)
    #expect(scenario.screen.contains("Could not load the videos: the network is down"))
    #expect(scenario.typing("1").screen.contains("Could not load the videos of beta.example: the"))
    scenario.type("2")
    #expect(!scenario.screen.contains("the network is down"))
    #expect(scenario.screen.contains("3 beta.example !"))
  }

  @Test func `in the All tab, r retries the failed sources and refreshes the others`() {
    var scenario = Scenario.of("a", "b", "c")
    scenario.answer(0, sampleVideos(5))
    scenario.fail(1, failure)
    scenario.fail(2, failure)
    #expect(scenario.screen.contains("Could not load 2 of 3 sources: b, c."))
    scenario.type("r")
    #expect(scenario.unanswered.map(\.source) == [1, 2, 0])
    scenario.answer(0, sampleVideos(5))
    scenario.answer(1, sampleVideos(5, from: 10))
    scenario.answer(2, sampleVideos(5, from: 20))
    scenario.type("r")
    #expect(scenario.unanswered.map(\.source) == [0, 1, 2])
    #expect(scenario.unanswered.map(\.use) == [.revalidated, .revalidated, .revalidated])
  }

  @Test func `a refresh leaves other tabs as they are unless a card changes`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos(5))
    scenario.answer(1, sampleVideos(5, from: 10))
    scenario.type("2r")
    scenario.answer(0, sampleVideos(5))
    #expect(!scenario.state.tabs[0].query.isStale && scenario.status.contains("Nothing new"))
    scenario.endWaits()
    scenario.type("r")
    var videos = sampleVideos(5)
    videos[0].title = "Another title"
    scenario.answer(0, videos)
    #expect(scenario.state.tabs[0].query.isStale)
    #expect(scenario.typing("1").screen.contains("Another title"))
  }

  @Test func `at most 32 sources on this machine load at once, beside those on servers`() {
    let sources = (0..<80).map { SourceSettings(name: "\($0)", isLocal: $0 % 2 == 0) }
    let scenario = Scenario(AppSettings(sources: sources))
    #expect(scenario.unanswered.map(\.source) == (0..<64).filter { $0 % 2 == 0 || $0 < 16 })
  }

  @Test func `r refreshes at most eight sources on servers at once`() {
    var scenario = Scenario(AppSettings(sources: (0..<10).map { SourceSettings(name: "\($0)", isLocal: false) }))
    for source in 0..<10 { scenario.answer(source, sampleVideos(2, from: source * 10)) }
    scenario.type("r")
    #expect(scenario.unanswered.map(\.source) == Array(0..<8))
    scenario.answer(0, sampleVideos(2))
    scenario.answer(1, sampleVideos(2, from: 10))
    #expect(!scenario.status.contains("Nothing new"))
    for source in 2..<10 { scenario.answer(source, sampleVideos(2, from: source * 10)) }
    #expect(scenario.status.contains("Nothing new"))
    #expect(scenario.state.isSettled)
  }

  @Test func `a tab shows its number of new videos until it is selected`() {
    var scenario = three()
    scenario.type("2r3")
    scenario.answer(0, sampleVideos(7, from: 500) + sampleVideos(10))
    #expect(scenario.screen.contains("2 alpha.example 7 new"))
    #expect(!scenario.typing("2").screen.contains("alpha.example 7 new"))
  }

  @Test func `an answer reaches its source, whichever tab is selected`() {
    var scenario = Scenario.of("a", "b").typing("3")
    scenario.answer(0, sampleVideos(4), title: "First films")
    #expect(scenario.state.cards.cards.isEmpty)
    #expect(scenario.screen.contains("First films"))
    #expect(scenario.typing("2").state.cards.cards.count == 4)
  }

  @Test(arguments: [(20, 10), (40, 12), (80, 16), (120, 20)])
  func `the tabs`(width: Int, height: Int) {
    var scenario = three(width: width, height: height)
    scenario.type("2r3")
    scenario.answer(
      0, sampleVideos(7, from: 500) + sampleVideos(10), title: "A long title of a feed that tells much of itself")
    scenario.type("4r3")
    scenario.fail(2, failure)
    scenario.type("2r3")
    Golden.expect("tabs-\(width)x\(height)", scenario.state.draw())
  }

  @Test func `names are cut at their ends, and only as far as needed`() {
    let names = ["rain and snow on mountains", "sun over the sea", "clouds in the evening"].map { "\($0) · PeerTube" }
    let row = Scenario.of(names[0], names[1], names[2], width: 60).screen.prefix { $0 != "\n" }
    #expect(row.contains("2 rain an") && row.contains("3 sun over") && row.contains("4 clouds"))
    #expect(!row.contains("Tube"))
    let other = Scenario.of("Lab", "Dropping", "A channel of many words", width: 44)
    #expect(other.screen.prefix { $0 != "\n" }.contains("3 Dropping "))
  }

  @Test func `long names that differ at their ends only are cut in the middle`() {
    let scenario = Scenario.of(
      "A channel with a long name: talks", "A channel with a long name: tests", "A channel with a long name: films")
    let row = scenario.screen.prefix { $0 != "\n" }
    #expect(row.contains("2 A ch") && row.contains("talks") && row.contains("tests") && row.contains("films"))
  }

  @Test func `the end of a full tab bar has the number of the other tabs, and a click on it lists all`() {
    let sources = (0..<3_000).map { SourceSettings(name: "source \($0)", isLocal: true) }
    var scenario = Scenario(AppSettings(sources: sources), width: 60, height: 8)
    let row = scenario.screen.prefix { $0 != "\n" }
    #expect(row.hasSuffix("+2,997") || row.hasSuffix("+2,996") || row.hasSuffix("+2,995"))
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: 57, y: 0)))))
    #expect(scenario.state.areSourcesShown)
    #expect(scenario.typing("b<S-Tab>").screen.prefix { $0 != "\n" }.contains("sour…999"))
  }

  @Test func `with tabs of tags, a source has a tab only while it is selected`() {
    var settings = AppSettings(sources: ["a", "b"].map { SourceSettings(name: $0, isLocal: true) })
    settings.hidesSourceTabs = true
    let scenario = Scenario(settings)
    #expect(scenario.state.regions.tabs == nil)
    let opened = scenario.typing("bj<Enter>")
    #expect(content(opened) == .source(SourceID(0)) && opened.screen.contains("1 All  2 a "))
    #expect(!opened.screen.contains("3 b") && opened.typing("1").state.regions.tabs == nil)
  }

  @Test(arguments: [20, 33, 60])
  func `the tab bar shows the tabs around the selected one`(width: Int) {
    var settings = AppSettings(sources: (0..<12).map { SourceSettings(name: "src \($0)", isLocal: true) })
    settings.layout = .list
    let scenario = Scenario(settings, width: width, height: 8)
    for step in 0..<13 {
      let shown = scenario.typing(String(repeating: "<Tab>", count: step)).state
      let row = shown.draw().text.prefix { $0 != "\n" }
      #expect(row.contains(step == 0 ? "All" : "src \(step - 1) "))
    }
  }
}
