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

  @Test func `a tab without unwatched videos says so`() {
    let scenario = showing(earlier(0, 1, 2, 3, 4, 5), "a.example")
    #expect(scenario.screen.contains("No unwatched videos. Type :where watched to show the watched ones."))
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
