import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// A search on all services, which are the sources 1 to 6 of one tab.
@Suite(.hangLimit) struct EverywhereTests {
  private var searching: Scenario {
    Scenario.showing(sampleVideos(3), width: 120, height: 40).typing(":search everywhere cats<Enter>")
  }

  /// Three videos of the first service and two of the third; the others have not answered.
  private var merged: Scenario {
    var scenario = searching
    scenario.answer(3, sampleVideos(2, from: 20))
    scenario.answer(1, sampleVideos(3, from: 10))
    return scenario
  }

  private func requested(_ scenario: Scenario) -> [Int] { scenario.unanswered.map(\.source) }

  @Test func `all services are asked at once, for one tab`() {
    #expect(requested(searching) == Array(1...6) && searching.state.tabs.visible.count == 2)
    #expect(searching.state.library.name(of: searching.state.content) == "cats · everywhere")
    for (number, service) in zip(
      1..., ["sepiasearch.org", "archive.org", "media.ccc.de", "commons", "daily", "itunes"])
    {
      #expect(searching.state.library[SourceID(number)].settings.address.contains(service))
    }
  }

  @Test func `with yt-dlp, its services are asked, too`() {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.hasYtDlp = true
    let scenario = Scenario(settings).typing(":search everywhere cats<Enter>")
    #expect(requested(scenario).filter { $0 > 0 } == Array(1...10))
  }

  @Test func `results are merged by rank, whichever service answers first`() {
    #expect(ids(merged) == ["film-10", "film-20", "film-11", "film-21", "film-12"])
    #expect(merged.screen.contains("PeerTube 3 · Internet Archive loading… · media.ccc.de 2 · "))
  }

  @Test func `a failed service shows its reason, and r requests it again`() {
    var scenario = merged
    scenario.fail(2)
    #expect(scenario.screen.contains("Internet Archive failed: the network is down"))
    #expect(scenario.screen.contains("PeerTube 3 · media.ccc.de 2 · Wikimedia Commons loading…"))
    #expect(ids(scenario).count == 5 && !requested(scenario).contains(2))
    scenario.type("r")
    #expect(requested(scenario).contains(2))
  }

  @Test func `each failed service has a line with its whole reason, as far as there is room`() {
    var scenario = merged
    scenario.fail(2, FeedFailure(.permanent, "the server answered 503 Service Unavailable"))
    for source in 4...6 { scenario.fail(source) }
    let rows = scenario.screen.split(separator: "\n").map { String($0).trimmed }
    #expect(rows.contains("Internet Archive failed: the server answered 503 Service Unavailable"))
    #expect(rows.contains("Dailymotion failed: the network is down  +1 more"))
    #expect(rows.contains("PeerTube 3 · media.ccc.de 2") && !scenario.screen.contains("Podcasts failed"))
  }

  @Test func `further pages are appended, also while another service does not answer`() {
    var scenario = searching
    scenario.answer(1, sampleVideos(20, from: 100), next: .page(2))
    scenario.answer(3, sampleVideos(20, from: 200), next: .page(2))
    scenario.type("G")
    scenario.endWaits()
    #expect(scenario.unanswered.filter { $0.cursor == .page(2) }.map(\.source).sorted() == [1, 3])
    let shown = ids(scenario)
    scenario.answer(3, sampleVideos(5, from: 300))
    #expect(ids(scenario) == shown + (300..<305).map { "film-\($0)" })
  }

  @Test func `visible cards do not move when a slow service answers`() {
    var scenario = searching
    scenario.answer(1, sampleVideos(30, from: 100))
    scenario.type("G")
    let shown = ids(scenario)
    scenario.answer(3, sampleVideos(2, from: 200))
    #expect(ids(scenario).starts(with: shown.prefix(29)) && !ids(scenario).prefix(5).contains("film-200"))
    scenario.type("gg")
    #expect(ids(scenario).prefix(4) == ["film-100", "film-200", "film-101", "film-201"])
  }

  @Test func `close closes all of its services`() {
    let closed = merged.typing(":close<Enter>")
    #expect((1...6).allSatisfy { closed.effects.contains(.closeSource(SourceID($0))) })
    #expect(requested(closed).isEmpty && closed.state.tabs.visible.count == 1)
    #expect(closed.state.library.sources.filter { !$0.isClosed }.count == 1)
  }

  @Test func `the same search is selected, not opened again`() {
    let again = merged.typing("1:search everywhere cats<Enter>")
    #expect(again.state.content == merged.state.content && again.state.library.sources.count == 7)
    #expect(merged.typing(":search everywhere dogs<Enter>").state.library.sources.count == 13)
  }

  @Test func `a search in its tab is everywhere`() {
    #expect(merged.typing("sdogs<Enter>").state.library.sources.count == 13)
    #expect(merged.typing("s").screen.contains("Searches everywhere. "))
  }

  @Test func `a subscribed video is shown among the results`() {
    var scenario = Scenario.ofTwoSources(width: 120).typing(":search everywhere cats<Enter>")
    let first = scenario.state.library.sources.count - 6
    scenario.answer(first, sampleVideos(2))
    #expect(ids(scenario) == ["film-0", "film-1"])
    #expect(scenario.typing("1").state.shownVideos.count == 3)
  }

  @Test func `filters and orders apply to all results, which cannot be saved`() {
    #expect(ids(merged.typing("f10<Enter>")) == ["film-10"])
    let sorted = merged.typing(":where sort:title<Enter>")
    #expect(Set(ids(sorted)) == Set(ids(merged)) && ids(sorted) != ids(merged))
    let subscribed = merged.typing(":subscribe<Enter>")
    #expect(!subscribed.effects.contains { if case .changeSubscription = $0 { true } else { false } })
  }

  @Test func `a start with a group has one tab`() {
    var settings = AppSettings(sources: [
      SourceSettings(name: "YouTube", isLocal: false), SourceSettings(name: "PeerTube", isLocal: false),
    ])
    settings.group = "everywhere: cats"
    for index in settings.sources.indices { settings.sources[index].isGrouped = true }
    var scenario = Scenario(settings, width: 100)
    #expect(scenario.state.tabs.visible.count == 1 && requested(scenario) == [0, 1])
    scenario.answer(1, sampleVideos(2, from: 20), title: "Its own title")
    scenario.answer(0, sampleVideos(2, from: 10))
    #expect(ids(scenario) == ["film-10", "film-20", "film-11", "film-21"])
    #expect(scenario.screen.contains("YouTube 2 · PeerTube 2"))
  }
}
