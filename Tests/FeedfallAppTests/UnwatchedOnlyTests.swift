import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// The option that hides watched videos.
@Suite(.hangLimit) struct UnwatchedOnlyTests {
  /// Records as an earlier program has left them.
  private func earlier(_ numbers: Int...) -> UserData {
    var data = UserData(device: "a")
    let events = numbers.map { number in
      let value = UserValue.watched(UnixTime(seconds: 1))
      return UserEvent(time: 1_000, device: "a", key: VideoKey(sampleVideo(number)), value: value)
    }
    for event in events { data.apply(event) }
    return data
  }

  private func showing(_ data: UserData, _ names: String..., hidesWatched: Bool = true) -> Scenario {
    var settings = AppSettings(sources: names.map { SourceSettings(name: $0, isLocal: true) })
    (settings.layout, settings.userData, settings.hidesWatched) = (.list, data, hidesWatched)
    var scenario = Scenario(settings, width: 160)
    for source in names.indices { scenario.answer(source, sampleVideos(6)) }
    return scenario
  }

  @Test func `videos that were watched before are hidden, those of this session stay in their places`() {
    var scenario = showing(earlier(1, 4), "a.example")
    #expect(ids(scenario) == [0, 2, 3, 5].map { "film-\($0)" })
    scenario.type("jx")
    #expect(ids(scenario) == [0, 2, 3, 5].map { "film-\($0)" } && scenario.screen.contains("✓"))
    scenario.type("Mr")
    scenario.endWaits()
    #expect(ids(scenario) == [0, 2, 3, 5].map { "film-\($0)" })
    #expect(ids(showing(earlier(1, 4), "a.example", hidesWatched: false)).count == 6)
  }

  @Test func `they are hidden in the tab of all sources, too`() {
    let scenario = showing(earlier(1, 4), "a.example", "b.example")
    #expect(!ids(scenario).contains("film-1") && ids(scenario).contains("film-0"))
  }

  @Test func `a filter that names watched videos shows them`() {
    let scenario = showing(earlier(1, 4), "a.example")
    #expect(ids(scenario.typing("fwatched<Enter>")) == ["film-1", "film-4"])
    #expect(ids(scenario.typing("ftitle:walk<Enter>")).isEmpty)
  }

  @Test func `the Queue shows watched videos`() {
    var data = earlier(1)
    _ = data.change(VideoKey(sampleVideo(1)), [.queued(1)], at: 2_000)
    #expect(ids(showing(data, "a.example").typing("gq")) == ["film-1"])
  }

  @Test func `the tab bar leaves out the sources whose videos are all hidden`() {
    var settings = AppSettings(sources: ["a", "b", "c"].map { SourceSettings(name: "\($0).example", isLocal: true) })
    (settings.layout, settings.userData, settings.hidesWatched) = (.list, earlier(0, 1), true)
    var scenario = Scenario(settings, width: 160)
    scenario.answer(0, sampleVideos(2))
    scenario.answer(1, sampleVideos(2, from: 2))
    scenario.fail(2)
    func bar(_ scenario: Scenario) -> Substring { scenario.screen.prefix { $0 != "\n" } }
    #expect(bar(scenario).contains("2 a.example"))
    scenario.endWaits()
    #expect(bar(scenario).contains("2 b.example") && bar(scenario).contains("3 c.example"))
    #expect(!bar(scenario).contains("a.example") && scenario.typing("2").state.content == .source(SourceID(1)))
    var marked = scenario.typing("M")
    marked.endWaits()
    #expect(bar(marked) == bar(scenario))
    let opened = scenario.typing("b/a.ex<Enter><Enter>")
    #expect(opened.state.content == .source(SourceID(0)))
    for shown in [opened, opened.typing("1")] {
      #expect(bar(shown).contains("2 a.example") && bar(shown).contains("3 b.example"))
    }
    scenario.type("r")
    scenario.answer(0, sampleVideos(1, from: 8) + sampleVideos(2))
    scenario.endWaits()
    #expect(bar(scenario).contains("2 a.example") && bar(scenario).contains("4 c.example"))
  }

  @Test func `a tab that the bar leaves out stays closed after its source`() throws {
    let sources = ["list", "a", "b"].map { name in
      var source = SourceSettings(name: name, isLocal: true)
      (source.address, source.listName) = ("https://\(name).example/", name == "list" ? nil : "list")
      source.list = name == "list" ? [] : nil
      return source
    }
    var settings = AppSettings(sources: sources)
    (settings.layout, settings.userData, settings.hidesWatched) = (.list, earlier(0, 1), true)
    var scenario = Scenario(settings, width: 160)
    scenario.answer(1, sampleVideos(2))
    scenario.answer(2, sampleVideos(2, from: 2))
    scenario.endWaits()
    #expect(scenario.state.tabs.visible == [0, 3])
    var page = FeedPage(videos: [])
    let address = try #require(WebAddress("https://b.example/"))
    page.subscriptions = SubscriptionList([SubscriptionList.Feed(name: "b", address: address)])
    scenario.answer(0, page)
    scenario.type("2")
    scenario.endWaits()
    #expect(scenario.state.tabs.visible == [0, 3] && scenario.state.content == .source(SourceID(2)))
  }

  @Test func `a tab without unwatched videos says so`() {
    let scenario = showing(earlier(0, 1, 2, 3, 4, 5), "a.example")
    #expect(scenario.screen.contains("No unwatched videos. Type :where watched to show the watched ones."))
    #expect(scenario.status.contains("f change the filter  q quit") && !scenario.status.contains("clear it"))
    #expect(scenario.typing("fzebra<Enter>").status.contains("Esc clear it"))
  }

  @Test func `marks of another device hide videos, and unmarked ones return`() {
    var scenario = showing(earlier(1), "a.example")
    var other = UserData(device: "b")
    _ = other.change(VideoKey(sampleVideo(1)), [.watched(UnixTime(seconds: 2))], at: 2_000)
    _ = other.change(VideoKey(sampleVideo(1)), [.watched(nil)], at: 3_000)
    _ = other.change(VideoKey(sampleVideo(2)), [.watched(UnixTime(seconds: 2))], at: 3_000)
    scenario.handle(.recordsChanged(other))
    #expect(ids(scenario) == [0, 1, 3, 4, 5].map { "film-\($0)" })
  }
}
