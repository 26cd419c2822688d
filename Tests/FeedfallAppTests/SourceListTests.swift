import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct SourceListTests {
  private static func source(_ name: String, tags: String...) -> SourceSettings {
    var source = SourceSettings(name: name, isLocal: true)
    (source.address, source.tags) = ("https://\(name).example", tags)
    return source
  }

  /// Three loaded sources with three, two and one videos, of which the last has failed to refresh.
  private func three(tags: [[String]] = [[], [], []], width: Int = 100, height: Int = 14) -> Scenario {
    let sources = zip(["talks", "films", "news"], tags).map { name, tags in
      var source = Self.source(name)
      source.tags = tags
      return source
    }
    var scenario = Scenario(AppSettings(sources: sources), width: width, height: height)
    for source in 0..<3 { scenario.answer(source, sampleVideos(3 - source, from: source * 10)) }
    return scenario
  }

  private func opened(_ scenario: Scenario, _ keys: String = "b") -> Scenario {
    var scenario = scenario.typing(keys)
    scenario.endWaits()
    return scenario
  }

  private func lines(_ scenario: Scenario) -> [String] {
    scenario.screen.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  /// The first words of the rows.
  private func names(_ scenario: Scenario) -> [String] {
    lines(scenario).dropFirst(2).dropLast().compactMap { line in
      line.split { " ▸".contains($0) }.first.map { String($0) }
    }
  }

  @Test func `b shows a row for each tab, with its unwatched videos, and b closes the list`() throws {
    let scenario = three()
    let list = opened(scenario)
    #expect(names(list) == ["All", "films", "news", "talks"])
    let films = try #require(lines(list).first { $0.contains("films ") && $0.contains(" 2 ") })
    #expect(films.contains("just now") || !films.contains("failed"))
    #expect(list.status.contains("1 of 4 · Sources"))
    for key in ["b", "q", "<Esc>", "<C-c>"] { #expect(list.typing(key).screen == scenario.screen, "\(key)") }
  }

  @Test func `marks change the number of unwatched videos`() throws {
    var watched = three().typing("2x")
    watched.endWaits()
    let list = opened(watched)
    let talks = try #require(lines(list).first { $0.contains("talks") && !$0.contains("All") })
    #expect(talks.split(separator: " ").contains("2"))
  }

  /// Whether the videos of each source are counted again after a change.
  private func changed(_ before: Scenario, _ after: Scenario) -> [Bool] {
    zip(before.state.library.sources, after.state.library.sources).map { $0.revision != $1.revision }
  }

  @Test func `a mark changes only the counts of the sources that list the video`() {
    let scenario = three()
    #expect(changed(scenario, scenario.typing("2x")) == [true, false, false])
    #expect(changed(scenario, scenario.typing("2xu")) == [true, false, false])
    #expect(changed(scenario, scenario.typing("3M")) == [false, true, false])
    #expect(changed(scenario, scenario.typing("M")) == [true, true, true])
    var shared = scenario.typing("4r")
    shared.answer(2, sampleVideos(2))
    #expect(changed(shared, shared.typing("2x")) == [true, false, true])
  }

  @Test func `a page of a new source changes only its own count`() {
    let videos = (1...3).map { (day: Int) in sampleVideo("\(day)", day: day) }
    let sources = ["talks", "films"].map { name in
      var source = SourceSettings(name: name, isLocal: false)
      source.address = "https://\(name).example"
      source.isSubscription = true
      return source
    }
    var settings = AppSettings(sources: sources)
    settings.newSourceCount = 1
    var scenario = Scenario(settings, width: 100, height: 14)
    func answer(_ source: Int) {
      for request in scenario.unanswered where request.source == source {
        scenario.handle(.pageArrived(request.ticket, FeedPage(videos: videos), at: UnixTime(seconds: 10 * 86_400)))
      }
    }
    answer(0)
    let before = scenario
    answer(1)
    #expect(scenario.state.library.store.readBefore.count == 2)
    #expect(changed(before, scenario) == [false, true])
    #expect(opened(scenario).state.sourceList.counts[SourceID(0)]?.unwatched == 1)
  }

  @Test func `a subscription to a source without dates changes its count`() {
    var settings = AppSettings(sources: [SourceSettings(name: "a", isLocal: false)])
    settings.newSourceCount = 1
    var scenario = Scenario(settings, width: 100, height: 14).typing(":open https://c.example/feed<Enter>")
    scenario.answer(1, sampleVideos(3))
    var list = opened(scenario)
    #expect(list.state.sourceList.counts[SourceID(1)]?.unwatched == 3)
    let source = list.state.library[SourceID(1)]
    let request = SubscriptionRequest(.add, name: source.ownName, address: source.settings.address)
    list.handle(.subscriptionChanged(.added(Subscription(name: "C", address: source.settings.address)), request))
    list.endWaits()
    #expect(list.state.sourceList.counts[SourceID(1)]?.unwatched == 1)
  }

  @Test func `lists do not count as unwatched videos`() throws {
    var videos = sampleVideos(3)
    videos[0].playback = .list(ListLink(.channel, .web(try #require(WebAddress("https://video.example/c")))))
    var scenario = Scenario(AppSettings(sources: [Self.source("talks"), Self.source("films")]), width: 100, height: 14)
    scenario.answer(0, videos)
    let talks = try #require(lines(opened(scenario)).first { $0.contains("talks") && !$0.contains("All") })
    #expect(talks.split(separator: " ").contains("2"))
  }

  @Test func `Enter shows the tab of the row, and so does a second click`() {
    let list = opened(three())
    #expect(list.typing("jj<Enter>").state.content == .source(SourceID(2)))
    var clicked = list
    clicked.handle(.input(.mouse(MouseEvent(.press, at: Point(x: 5, y: 4)))))
    #expect(clicked.state.areSourcesShown)
    clicked.handle(.input(.mouse(MouseEvent(.press, at: Point(x: 5, y: 4)))))
    #expect(!clicked.state.areSourcesShown && clicked.state.content == .source(SourceID(2)))
  }

  @Test func `the row of the shown tab is selected`() {
    let list = opened(three().typing("3"))
    #expect(list.typing("<Enter>").state.content == .source(SourceID(1)))
  }

  @Test func `letters in their order filter, and the best match comes first`() {
    let list = opened(three(tags: [["science"], [], []]))
    #expect(names(list.typing("/ns")) == ["news"])
    #expect(names(list.typing("/sci")) == ["talks"])
    #expect(list.typing("/xyz").screen.contains("No match for “xyz”"))
    #expect(list.typing("/ns<Enter><Enter>").state.content == .source(SourceID(2)))
    for keys in ["/ns<Enter><Esc>", "/ns<Esc>"] {
      let cleared = list.typing(keys).state.sourceList
      #expect(cleared.rows == list.state.sourceList.rows && cleared.selectedRow?.tab == 3)
    }
  }

  @Test func `the sources of a tag stand below its name, and z folds them`() {
    let list = opened(three(tags: [["a", "b"], ["b"], []]))
    #expect(list.screen.contains("▾ a · 1") && list.screen.contains("▾ b · 2") && list.screen.contains("▾ no tag · 1"))
    let folded = list.typing("jjz")
    #expect(folded.screen.contains("▸ a · 1"))
    #expect(names(folded).count == names(list).count - 1)
    #expect(folded.typing("z").state.sourceList.rows == list.state.sourceList.rows)
    #expect(folded.typing("<Enter>").state.sourceList.rows == list.state.sourceList.rows)
  }

  @Test func `S sorts by name, by unwatched videos and by age`() {
    let list = opened(three())
    #expect(names(list.typing("S")) == ["All", "talks", "films", "news"])
    #expect(list.typing("S").status.contains("by unwatched videos"))
    #expect(list.typing("SSS").screen == list.screen)
  }

  @Test func `names with numbers are in the order of the numbers`() {
    let sources = ["talk-1004", "Talk-104", "talk-9"].map { Self.source($0) }
    let list = opened(Scenario(AppSettings(sources: sources), width: 100, height: 14))
    #expect(names(list) == ["All", "talk-9", "Talk-104", "talk-1004"])
  }

  @Test func `r refreshes the source of the row, R all of them`() {
    let list = opened(three())
    #expect(list.typing("jr").unanswered.map(\.source) == [1])
    #expect(list.typing("R").unanswered.map(\.source) == [0, 1, 2])
  }

  private func watchedCount(_ scenario: Scenario) -> Int {
    scenario.effects.reduce(0) { count, effect in
      guard case .saveEvents(let events) = effect else { return count }
      return count + events.count { $0.value.field == .watched }
    }
  }

  @Test(arguments: [("j", 2), ("jtt", 3), ("T", 6), ("jt<Esc>", 1), ("", 6), ("TT", 6)])
  func `M marks the videos of the selected sources, or of the row, and u undoes it`(keys: String, count: Int) {
    let list = opened(three())
    let marked = list.typing(keys + "M")
    #expect(watchedCount(marked) == count && marked.state.areSourcesShown)
    #expect(watchedCount(marked.typing("u")) == 2 * count)
  }

  @Test func `t selects a source and moves on, Esc clears the selection before it closes the list`() {
    let picked = opened(three()).typing("jtt")
    #expect(picked.screen.contains("◆ films") && picked.status.contains("2 selected"))
    #expect(picked.typing("r").unanswered.map(\.source) == [1, 2])
    let cleared = picked.typing("<Esc>")
    #expect(cleared.state.areSourcesShown && !cleared.status.contains("selected"))
    #expect(!cleared.typing("<Esc>").state.areSourcesShown)
  }

  @Test func `commands for subscriptions apply to the selected sources, and never to those of a view`() {
    func requests(_ scenario: Scenario) -> [String] {
      scenario.effects.compactMap { effect in
        if case .changeSubscription(let request) = effect { request.name } else { nil }
      }
    }
    let list = opened(three())
    #expect(requests(list.typing("jtt:tag a<Enter>")) == ["films", "news"])
    #expect(requests(list.typing("j:unsubscribe<Enter>")) == ["films"])
    for keys in [":where >1h<Enter>", ":mark watched above<Enter>", ":download<Enter>"] {
      #expect(list.typing(keys).screen.contains("This command works only in the cards."))
    }
    let refused = list.typing(":unsubscribe<Enter>")
    #expect(requests(refused).isEmpty)
    #expect(refused.screen.contains("This row is not a source. Select one, or several with t."))
    let several = list.typing("T:rename x<Enter>")
    #expect(requests(several).isEmpty && several.screen.contains("Could not rename: several sources are selected."))
    #expect(watchedCount(list.typing("j:mark watched<Enter>")) == 2)
  }

  @Test func `u undoes a change of several sources at once`() {
    var tagged = opened(three()).typing("jtt:tag a<Enter>")
    for effect in tagged.effects {
      guard case .changeSubscription(let request) = effect else { continue }
      let before = Subscription(name: request.name, address: request.address)
      var after = before
      after.tags = ["a"]
      tagged.handle(.subscriptionChanged(.changed(before: before, after: after), request))
    }
    #expect(tagged.screen.contains("2 sources changed"))
    let undone = tagged.typing("u").effects.dropFirst(tagged.effects.count)
    #expect(undone.count { if case .changeSubscription(let request) = $0 { request.isUndo } else { false } } == 2)
  }

  @Test func `with unwatched-only, sources without unwatched videos are found by letters only`() {
    var settings = AppSettings(sources: ["talks", "films"].map { Self.source($0) })
    settings.hidesWatched = true
    var scenario = Scenario(settings, width: 100, height: 14)
    for source in 0..<2 { scenario.answer(source, sampleVideos(2, from: source * 10)) }
    var list = opened(scenario)
    #expect(names(list) == ["All", "films", "talks"])
    list.type("jM")
    list.endWaits()
    #expect(names(list) == ["All", "talks"])
    #expect(names(list.typing("/film")) == ["films"])
  }

  @Test func `M on a view marks the videos that it shows`() {
    let list = opened(three().typing("2a"))
    #expect(watchedCount(list.typing("/queue<Enter>M")) == 1)
  }

  @Test func `a failure is named in its row and completely in the status line`() {
    var list = opened(three()).typing("jr")
    list.fail(1, FeedFailure(.temporary, "the network is down"))
    #expect(list.screen.contains("failed: the network is"))
    #expect(list.status.contains("failed: the network is down"))
  }

  @Test func `in a narrow window only the names remain`() {
    let list = opened(three(width: 24))
    #expect(names(list) == ["All", "films", "news", "talks"] && !list.screen.contains("Tags"))
  }

  @Test func `commands with a colon, the help and the tabs of records work in the list`() {
    let list = opened(three())
    #expect(list.typing("?").screen.contains("List of sources"))
    #expect(list.typing("?q").screen == list.screen)
    #expect(list.typing(":talks<Enter>").state.content == .source(SourceID(0)))
    #expect(!list.typing(":talks<Enter>").state.areSourcesShown)
    #expect(list.typing("gq").screen.contains("The queue is empty"))
    #expect(list.typing("x").screen == list.screen)
  }

  @Test func `moving keeps the selection in the window`() {
    let sources = (0..<200).map { Self.source("source \(1_000 + $0)") }
    var scenario = Scenario(AppSettings(sources: sources), width: 60, height: 12)
    for source in 0..<200 where scenario.unanswered.contains(where: { $0.source == source }) {
      scenario.answer(source, [])
    }
    let list = opened(scenario)
    for keys in ["G", "<PgDn><PgDn>", "<C-d>", String(repeating: "j", count: 30), "Ggg", "G<PgUp>k"] {
      let state = list.typing(keys).state.sourceList
      #expect(state.visibleRows.contains(state.selection), "\(keys)")
      #expect(state.visibleRows.count == 9)
    }
    var wheel = list
    for _ in 0..<3 { wheel.handle(.input(.mouse(MouseEvent(.wheelDown, at: Point(x: 5, y: 5))))) }
    #expect(wheel.state.sourceList.offset == 9 && wheel.state.sourceList.selection == 9)
  }

  @Test func `a page that arrives keeps the selected row`() {
    var list = opened(three()).typing("SSjr")
    let selected = list.state.sourceList.selectedRow
    list.answer(list.unanswered[0].source, sampleVideos(5, from: 40))
    list.endWaits()
    #expect(list.state.sourceList.selectedRow == selected && list.state.areSourcesShown)
  }

  @Test func `many sources are counted in batches`() {
    var sources = (0..<3).map { Self.source("\($0)") }
    for index in sources.indices { sources[index].readAheadCount = 0 }
    var scenario = Scenario(AppSettings(sources: sources), width: 100, height: 14)
    for source in 0..<3 { scenario.answer(source, sampleVideos(6_000, from: source * 10_000)) }
    scenario = scenario.typing("2x1b")
    for _ in 0..<3 where scenario.state.sourceList.isCounting { scenario.endWaits() }
    #expect(!scenario.state.sourceList.isCounting)
    #expect(scenario.screen.contains("5,999") && scenario.screen.contains("6,000"))
  }
}

@Suite(.hangLimit) struct FuzzyMatchTests {
  private func score(_ needle: String, _ text: String) -> Int? {
    FuzzyMatch(needle).flatMap { $0.score(in: folded(text)) }
  }

  @Test func `letters match in their order only, without case and diacritics`() {
    #expect(score("cfe", "Café") != nil && score("efc", "Café") == nil && score("ÉF", "le fée") != nil)
    #expect(FuzzyMatch("  ") == nil)
  }

  @Test func `starts of words and consecutive letters score more`() throws {
    #expect(try #require(score("mp", "Media Player")) > (try #require(score("mp", "compare"))))
    #expect(try #require(score("news", "The news")) > (try #require(score("news", "nine west"))))
    #expect(try #require(score("ab", "axb ab")) > (try #require(score("ab", "axb xb"))))
  }

  @Test func `a long text of letters and a long needle end`() {
    #expect(score(String(repeating: "a", count: 100_000), String(repeating: "a", count: 1_000)) != nil)
    #expect(score("ab", String(repeating: "a", count: 10_000)) == nil)
  }
}
