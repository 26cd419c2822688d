import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct RefreshTests {
  private func videos(_ name: String, _ days: some Sequence<Int>) -> [Video] {
    days.map { sampleVideo("\(name)\($0)", day: $0) }
  }

  // MARK: - Requests of a refresh

  @Test func `a source whose server asked to wait does not hold up the others`() {
    var scenario = Scenario.of("a", "b", isLocal: false)
    scenario.answer(0, videos("a", [2, 1]))
    scenario.fail(1, FeedFailure(.wait(seconds: 3_600), "too many requests"))
    scenario.type("r")
    #expect(scenario.unanswered.map(\.source) == [0])
    #expect(scenario.screen.contains("b: Wait 60 min for the server, then press r."))
    scenario.answer(0, videos("a", [3, 2, 1]))
    #expect(scenario.status.contains("1 new"))
    scenario.type("l")
    #expect(scenario.status.contains("b waits 60 min"))
  }

  @Test(arguments: 1...60)
  func `a refresh requests each source without a hold or a pause`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 2...4, using: &chances)
    let names = (0..<count).map { SourceSettings(name: "s\($0)", isLocal: Bool.random(using: &chances)) }
    var scenario = Scenario(AppSettings(sources: names))
    for _ in 0..<30 {
      if let request = scenario.unanswered.randomElement(using: &chances) {
        switch Int.random(in: 0..<5, using: &chances) {
        case 0: scenario.fail(request.source)
        case 1: scenario.fail(request.source, FeedFailure(.wait(seconds: 3_600), "busy"))
        case 2: scenario.answer(request.source, [], next: Bool.random(using: &chances) ? .page(1) : nil)
        default:
          let next = Bool.random(using: &chances) ? FeedCursor.page(Int.random(in: 1...3, using: &chances)) : nil
          scenario.answer(request.source, videos("s\(request.source)", [5, 4, 3, 2, 1]), next: next)
        }
      }
      if chances.chance(1, in: 3) { scenario.endWaits() }
      if chances.chance(1, in: 4) { scenario.type(chances.chance(1, in: 2) ? "m" : "<Esc>") }
      let free = scenario.state.library.sources.filter {
        $0.loader.wait == nil && $0.refreshPause == nil
      }
      scenario.type("r")
      for source in free {
        let isWaiting = scenario.state.library.waiting.contains(source.id)
        #expect(isWaiting || scenario.unanswered.contains { $0.source == source.id.number }, "\(source.id)")
      }
    }
  }

  // MARK: - Empty answers

  @Test(arguments: [0, 60])
  func `an empty answer to a refresh keeps the list and its selection`(total: Int) {
    var scenario = Scenario.showing(sampleVideos(40)).typing("jjr")
    let selected = scenario.state.selectedVideo
    scenario.answer(FeedPage(videos: [], total: total))
    #expect(scenario.state.cards.cards.count == 40)
    #expect(scenario.state.selectedVideo == selected)
    #expect(scenario.status.contains("The source is empty now · r to refresh"))
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(40)))
    #expect(scenario.state.selectedVideo == selected)
    #expect(scenario.status.contains("Nothing new"))
  }

  @Test(arguments: [(86_399, 40), (86_400, 0)])
  func `a second empty answer replaces the list after a day`(seconds: Int, count: Int) throws {
    var scenario = Scenario.showing(sampleVideos(40))
    for time in [1_000, 1_000 + seconds] {
      scenario.type("r")
      let ticket = try #require(scenario.awaitedTicket)
      scenario.handle(.pageArrived(ticket, FeedPage(videos: []), at: UnixTime(seconds: time)))
    }
    #expect(scenario.state.cards.cards.count == count)
  }

  @Test func `empty pages of a refresh do not end the list`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(9)).typing("r")
    for page in 1...4 { scenario.answer(FeedPage(videos: [], next: .page(page))) }
    #expect(scenario.unanswered.isEmpty && scenario.state.cards.cards.count == 20)
    #expect(scenario.typing("m").awaitedPage == .page(9))
  }

  // MARK: - The end

  @Test func `a refresh finds the videos at the end of a list that has grown`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("m")
    scenario.answer(FeedPage(videos: sampleVideos(5, from: 20)))
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(20), next: .page(1)))
    #expect(scenario.awaitedPage == .page(1))
    scenario.answer(FeedPage(videos: sampleVideos(7, from: 20)))
    #expect(ids(scenario) == sampleVideos(27).map(\.id))
    #expect(scenario.status.contains("2 new"))
  }

  @Test func `loading more at the end requests the last page once more, past the cache`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("m")
    scenario.answer(FeedPage(videos: sampleVideos(5, from: 20)))
    scenario.type("Gm")
    #expect(scenario.awaitedPage == .page(1) && scenario.unanswered.last?.use == .revalidated)
    scenario.answer(FeedPage(videos: sampleVideos(5, from: 20)))
    #expect(scenario.state.cards.cards.count == 25 && scenario.unanswered.isEmpty)
    scenario.type("m")
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 20), next: .page(2)))
    #expect(scenario.state.cards.cards.count == 40)
    #expect(scenario.typing("m").awaitedPage == .page(2))
  }

  // MARK: - All

  /// The first source has answered, and the user has scrolled down.
  private func scrolled(_ layout: LayoutKind, names: String...) -> Scenario {
    var settings = AppSettings(sources: ["a", "b"].map { SourceSettings(name: $0, isLocal: true) })
    settings.layout = layout
    var scenario = Scenario(settings)
    scenario.answer(0, videos("a", stride(from: 80, to: 0, by: -2)))
    scenario.type(String(repeating: layout == .carousel ? "l" : "j", count: layout == .list ? 30 : 9))
    return scenario
  }

  private func cardRows(_ scenario: Scenario) -> [String] {
    scenario.screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast(2).map(String.init)
  }

  @Test(arguments: LayoutKind.allCases)
  func `a late source moves no visible card, and its cards are inserted at the start`(layout: LayoutKind) {
    var scenario = scrolled(layout)
    let (rows, selected) = (cardRows(scenario), scenario.state.selectedVideo)
    scenario.answer(1, videos("b", stride(from: 85, to: 20, by: -2)))
    if layout != .list, layout != .carousel { #expect(cardRows(scenario) == rows) }
    #expect(scenario.state.selectedVideo == selected)
    #expect(!scenario.screen.contains("new"))
    #expect(scenario.screen.contains("30 more · g"))
    scenario.type("gg")
    let days = scenario.state.shownVideos.map { $0.published?.seconds ?? 0 }
    #expect(days.count == 73 && days == days.sorted(by: >))
    #expect(scenario.state.selectedVideo?.id == "b85")
    #expect(!scenario.screen.contains("more · g"))
  }

  @Test func `waiting cards are inserted when the tab is selected again`() {
    var scenario = scrolled(.list)
    scenario.answer(1, videos("b", [79, 77]))
    let selected = scenario.state.selectedVideo
    scenario.type("21")
    #expect(ids(scenario).prefix(4) == ["a80", "b79", "a78", "b77"])
    #expect(scenario.state.selectedVideo == selected)
  }

  @Test func `a filter that is typed finds the cards that wait`() {
    var scenario = scrolled(.list)
    scenario.answer(1, videos("b", [79, 77]))
    let titles = scenario.state.library.sources[1].slots.map { scenario.state.library.store[$0].video.title }
    #expect(scenario.state.shownVideos.allSatisfy { !titles.contains($0.title) })
    scenario.type("f\"\(titles[0])\"")
    #expect(ids(scenario) == ["b79"])
    #expect(!scenario.screen.contains("more · g"))
  }

  // MARK: - The selection

  @Test(arguments: LayoutKind.allCases, [(80, 24), (60, 20), (120, 40)])
  func `a card that leaves a filter clears only its own selection`(layout: LayoutKind, size: (Int, Int)) {
    var chances = SeededGenerator(seed: 7)
    for _ in 0..<12 {
      var scenario = Scenario.showing(sampleVideos(40), width: size.0, height: size.1, layout: layout)
      scenario.type("funwatched<Enter>")
      for _ in 0..<Int.random(in: 1...9, using: &chances) {
        scenario.type(["l", "l", "j", "j", "h", "k"].randomElement(using: &chances) ?? "l")
      }
      guard let index = scenario.state.cards.selection, scenario.state.cards.isMoved else { continue }
      let next = scenario.state.shownVideos[min(index + 1, 39)].id
      scenario.type("x")
      #expect(scenario.state.selectedVideo?.id == (index == 39 ? sampleVideo(38).id : next))
      #expect(scenario.state.cards.selection.map(scenario.state.cards.visibleCards.contains) == true)
    }
  }

  @Test(arguments: LayoutKind.allCases)
  func `records of another device never replace the selection`(layout: LayoutKind) throws {
    var chances = SeededGenerator(seed: 11)
    for _ in 0..<8 {
      var scenario = Scenario.showing(sampleVideos(40), width: 80, height: 24, layout: layout)
      scenario.type("funwatched<Enter>")
      var records = UserData()
      for _ in 0..<14 {
        scenario.type(["l", "j", "k", "<PgDn>", "G", "gg"].randomElement(using: &chances) ?? "l")
        let selected = try #require(scenario.state.selectedCard)
        let others = scenario.state.shownVideos.filter { $0.id != selected.video.id }
        for video in others.shuffled(using: &chances).prefix(3) {
          records.apply(
            UserEvent(time: 1, device: "x", key: VideoKey(video), value: .watched(UnixTime(seconds: 1))))
        }
        scenario.handle(.recordsChanged(records))
        #expect(scenario.state.selectedCard?.id == selected.id)
        #expect(scenario.state.cards.selection.map(scenario.state.cards.visibleCards.contains) == true)
        if scenario.state.cards.cards.count < 5 { break }
      }
    }
  }
}
