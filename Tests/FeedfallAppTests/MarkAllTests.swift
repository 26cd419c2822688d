import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// Marks of all shown videos, and the way to the unwatched ones.
@Suite(.hangLimit) struct MarkAllTests {
  private func list(_ videos: [Video] = sampleVideos(6), next: FeedCursor? = nil) -> Scenario {
    .showing(videos, next: next, width: 160, height: 24, layout: .list)
  }

  private func dated(_ number: Int, _ seconds: Int) -> Video {
    var video = sampleVideo(number)
    video.published = UnixTime(seconds: seconds)
    return video
  }

  private func marked(_ mark: Mark, _ scenario: Scenario) -> [Int] {
    (0..<40).filter { scenario.state.library.store.userData[VideoKey(sampleVideo($0))].has(mark) }
  }

  private func events(_ scenario: Scenario) -> [UserEvent] {
    scenario.effects.flatMap { if case .saveEvents(let events) = $0 { events } else { [UserEvent]() } }
  }

  @Test func `M marks all shown videos in their order, with one event for each`() {
    var scenario = list().typing("M")
    scenario.endSaving()
    #expect(scenario.status.contains("6 videos marked as watched. Press u to undo."))
    #expect(events(scenario).map(\.key) == sampleVideos(6).map { VideoKey($0) })
    #expect(scenario.typing("M").status.contains("All 6 videos are watched already"))
    scenario.type("u")
    #expect(marked(.watched, scenario).isEmpty)
  }

  @Test func `M marks only what the filter includes, or the selection`() {
    #expect(marked(.watched, list().typing("ftitle:walk<Enter>M")) == [1])
    #expect(marked(.watched, list().typing("ttM")) == [0, 1])
  }

  @Test func `an empty tab has nothing to mark`() {
    #expect(list([]).typing("M").status.contains("There are no videos to mark"))
  }

  @Test func `a page that arrives after the key adds nothing`() {
    var scenario = list(next: .page(1)).typing("m")
    scenario.type("M")
    scenario.answer(FeedPage(videos: sampleVideos(6, from: 6)))
    scenario.endSaving()
    #expect(ids(scenario).count == 12 && marked(.watched, scenario) == Array(0..<6))
    #expect(scenario.status.contains("6 videos marked as watched"))
  }

  @Test func `a refresh that runs adds nothing, also in the tab of all sources`() {
    var scenario = Scenario.ofTwoSources()
    scenario.type("r")
    scenario.endWaits()
    let shown = Set(ids(scenario))
    scenario.type("M")
    while let source = scenario.unanswered.first?.source { scenario.answer(source, sampleVideos(10)) }
    let records = scenario.state.library.store.userData
    #expect(records.keys(with: .watched).count == shown.count)
  }

  @Test func `the marks of 10,000 videos store no titles, and page and undo leave it so`() {
    var scenario = list(sampleVideos(10_000)).typing("M")
    #expect(events(scenario).count == 10_000)
    scenario.type("r")
    scenario.endWaits()
    if scenario.awaitedPage != nil { scenario.answer(FeedPage(videos: sampleVideos(10_000))) }
    #expect(events(scenario).count == 10_000)
    scenario.type("u")
    #expect(events(scenario).count == 20_000 && !events(scenario).contains { $0.value.field == .video })
    #expect(scenario.state.library.store.userData.keys(with: .watched).isEmpty)
  }

  // MARK: - :mark

  @Test(arguments: [
    (":mark watched<Enter>", Mark.watched, [0, 1, 2, 3, 4, 5]), (":mark watched above<Enter>", .watched, [0, 1]),
    (":mark watched below<Enter>", .watched, [3, 4, 5]), (":mark starred title:walk<Enter>", .starred, [1]),
    (":mark queued<Enter>", .queued, [0, 1, 2, 3, 4, 5]), (":mark hidden below<Enter>", .hidden, [3, 4, 5]),
    (":mark watched<Enter>:mark unwatched above<Enter>", .watched, [2, 3, 4, 5]),
    ("tt:mark starred<Enter>", .starred, [2, 3]), ("t:mark starred above<Enter>", .starred, [0, 1, 2]),
  ])
  func `the typed command marks the named videos`(keys: String, mark: Mark, numbers: [Int]) {
    let scenario = list().typing("jj" + keys)
    #expect(marked(mark, scenario) == numbers)
  }

  @Test func `the videos before a date are marked, of those that are shown`() {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layout = .list
    var scenario = Scenario(settings, width: 160)
    let now = 100 * 86_400
    scenario.answer(FeedPage(videos: (0..<6).map { dated($0, now - $0 * 7 * 86_400) }))
    scenario.handle(.clockRead(UnixTime(seconds: now)), at: now * 1_000)
    scenario.type("f-title:5<Enter>:mark watched before:2w<Enter>")
    #expect(marked(.watched, scenario) == [3, 4])
  }

  @Test(arguments: [
    (":mark<Enter>", "mark needs an argument"), (":mark seen<Enter>", "“seen” is not a mark. Write watched, unwatched"),
    (":mark downloaded<Enter>", "is not a mark"), (":mark watched sort:x<Enter>", "Could not filter"),
    (":mark unwatched<Enter>", "All 6 videos are unwatched already"),
    (":mark watched above<Enter>", "There are no videos to mark"),
  ])
  func `a faulty command is explained`(keys: String, text: String) {
    let scenario = list().typing(keys)
    #expect(scenario.screen.contains(text) && marked(.watched, scenario).isEmpty, "\(scenario.status)")
  }

  @Test func `completions name the marks and above and below`() {
    let all = CommandVocabulary().completions(of: "mark un")
    #expect(all.contains("mark unwatched above") && all.contains("mark unhidden below"))
  }

  // MARK: - Unwatched videos

  @Test func `w and W select the next and the previous unwatched video, once round`() {
    var scenario = list().typing("xjjx")
    scenario.type("ggw")
    #expect(scenario.state.selectedVideo?.id == "film-1")
    scenario.type("w")
    #expect(scenario.state.selectedVideo?.id == "film-3")
    scenario.type("WW")
    #expect(scenario.state.selectedVideo?.id == "film-5")
    scenario.type("w")
    #expect(scenario.state.selectedVideo?.id == "film-1")
  }

  @Test func `w reports that there is no unwatched video`() {
    #expect(list().typing("Mw").status.contains("There is no other unwatched video in any tab"))
    #expect(list([sampleVideo(0)]).typing("wW").status.contains("There is no other unwatched video in any tab"))
    #expect(list([]).typing("w").status.contains("There is no other unwatched video in any tab"))
  }

  @Test func `w continues in the next tab, and W returns`() {
    var scenario = Scenario.of("a.example", "b.example", width: 160)
    scenario.answer(0, sampleVideos(3))
    scenario.answer(1, sampleVideos(3, from: 3))
    scenario.type("2Gw")
    #expect(scenario.state.tabs.selection == 2 && scenario.state.selectedVideo?.id == "film-3")
    scenario.type("W")
    #expect(scenario.state.tabs.selection == 1 && scenario.state.selectedVideo?.id == "film-2")
    // Past the last tab, the first one follows.
    scenario.type("3Gw")
    #expect(scenario.state.tabs.selection == 0)
  }
}
