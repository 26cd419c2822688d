import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct RefreshRuleTests {
  private func program(_ count: Int, _ change: (inout SourceSettings, Int) -> Void = { _, _ in }) -> Scenario {
    let sources = (0..<count).map { number in
      var source = SourceSettings(name: "s\(number)", isLocal: false)
      change(&source, number)
      return source
    }
    return Scenario(AppSettings(sources: sources), width: 160)
  }

  private func schedules(_ scenario: Scenario) -> [Wait] {
    scenario.openWaits.filter { if case .schedule = $0 { true } else { false } }
  }

  /// The durations of the waits before refreshes by time.
  private func times(_ scenario: Scenario) -> [Duration] {
    scenario.effects.compactMap { if case .wait(let time, .schedule) = $0 { time } else { nil } }
  }

  @Test(arguments: [
    ("start", RefreshRule.start), ("manual", .manual), ("30m", .every(minutes: 30)), ("2h", .every(minutes: 120)),
    ("1d", .every(minutes: 1_440)), ("30d", .every(minutes: 43_200)),
  ])
  func `rules are parsed`(text: String, rule: RefreshRule) {
    #expect(RefreshRule(text) == rule && RefreshRule(rule.text) == rule)
  }

  @Test(arguments: ["", "m", "4m", "31d", "-30m", "+30m", "30", "1.5h", "9999999999999999999m", "30 m", "never"])
  func `other texts are refused`(text: String) { #expect(RefreshRule(text) == nil) }

  @Test func `at most two sources of a host load at once`() {
    var scenario = program(5) { source, number in source.address = "https://\(number < 4 ? "a" : "b").example/\(number)"
    }
    #expect(scenario.unanswered.map(\.source) == [0, 1, 4])
    scenario.answer(1, [])
    #expect(scenario.unanswered.map(\.source) == [0, 4, 2])
    scenario.fail(0)
    #expect(scenario.unanswered.map(\.source) == [4, 2, 3])
  }

  /// No server has answered: eight refreshes are pending, two of them on one host.
  private var hanging: Scenario {
    program(12) { source, number in
      source.address = number < 3 ? "https://www.youtube.com/@\(number)" : "https://s\(number).example/"
    }
  }

  @Test func `a search, an opened address and a selected tab do not wait for servers that do not answer`() {
    let pending = hanging.unanswered.map(\.source)
    #expect(pending == [0, 1, 3, 4, 5, 6, 7, 8])
    for (address, source) in [("https://www.youtube.com/@x", 12), ("https://s11.example/", 11)] {
      #expect(hanging.typing(":open \(address)<Enter>").unanswered.map(\.source) == pending + [source])
    }
    #expect(hanging.typing(":search youtube rain<Enter>").unanswered.map(\.source) == pending + [12])
    #expect(hanging.typing("4").unanswered.map(\.source) == pending + [2])
  }

  @Test(arguments: [("r", FeedCursor.start), ("m", .page(1))])
  func `in the tab of one source, r and m do not wait for servers that do not answer`(key: String, cursor: FeedCursor) {
    var scenario = hanging.typing(":open https://c.example/feed<Enter>")
    scenario.answer(12, sampleVideos(200), next: .page(1))
    #expect(!scenario.unanswered.contains { $0.source == 12 })
    scenario.type(key)
    #expect(scenario.unanswered.filter { $0.source == 12 }.map(\.cursor) == [cursor])
  }

  @Test func `refreshes in the background wait for opened tabs, whose requests have a limit, too`() {
    var scenario = hanging
    for number in 0..<70 { scenario.type(":open https://c.example/\(number)<Enter>") }
    func backgroundCount() -> Int { scenario.unanswered.count { $0.source < 12 } }
    #expect(scenario.unanswered.count == 64 && backgroundCount() == 8)
    scenario.fail(3)
    #expect(scenario.unanswered.count == 64 && backgroundCount() == 7)
  }

  @Test func `sources that publish often are refreshed first`() {
    var scenario = program(12)
    for source in 0..<4 { scenario.failRecall(source) }
    for source in 8..<12 {
      let days = source == 10 ? [9, 8] : [9, 2]
      scenario.answerRecall(source, days.map { sampleVideo("\(source) \($0)", day: $0) })
    }
    scenario.answer(0, [])
    #expect(scenario.unanswered.last?.source == 10)
  }

  @Test func `a manual source shows its cached page, and only r requests it`() {
    var scenario = program(2) { source, number in if number == 1 { source.refresh = .manual } }
    #expect(scenario.unanswered.map(\.source) == [0] && scenario.recalls.map(\.source) == [0, 1])
    scenario.answerRecall(1, sampleVideos(3))
    #expect(scenario.typing("3").state.cards.cards.count == 3)
    #expect(scenario.typing("3").unanswered.map(\.source) == [0])
    #expect(scenario.typing("3r").unanswered.map(\.source) == [0, 1])
  }

  @Test func `a manual source without a cached page is empty`() {
    var scenario = program(1) { source, _ in source.refresh = .manual }
    scenario.failRecall(0)
    #expect(scenario.screen.contains("Press r to refresh") && scenario.state.isSettled)
  }

  @Test func `a source is refreshed again after its time, also after a failure`() throws {
    var scenario = program(2) { source, number in if number == 0 { source.refresh = .every(minutes: 30) } }
    #expect(schedules(scenario).isEmpty)
    scenario.answer(0, sampleVideos(2))
    scenario.answer(1, sampleVideos(2))
    for time in times(scenario) { #expect((.seconds(1_620)...Duration.seconds(1_980)).contains(time)) }
    for _ in 0..<2 {
      let wait = try #require(schedules(scenario).first)
      #expect(schedules(scenario).count == 1 && scenario.unanswered.isEmpty)
      scenario.end(wait)
      #expect(scenario.unanswered.map(\.source) == [0])
      scenario.fail(0)
    }
  }

  @Test func `a source that is subscribed to is refreshed by time, until its subscription ends`() throws {
    var settings = AppSettings(sources: [SourceSettings(name: "a", isLocal: false)])
    settings.refresh = .every(minutes: 30)
    var scenario = Scenario(settings, width: 160).typing(":open https://c.example/feed<Enter>")
    scenario.answer(1, sampleVideos(2))
    #expect(schedules(scenario).isEmpty)
    let opened = scenario.state.library[SourceID(1)]
    let request = SubscriptionRequest(.add, name: opened.ownName, address: opened.settings.address)
    var subscription = Subscription(name: "Late", address: opened.settings.address)
    scenario.handle(.subscriptionChanged(.added(subscription), request))
    let time = try #require(times(scenario).first)
    #expect((.seconds(1_620)...Duration.seconds(1_980)).contains(time))
    scenario.end(try #require(schedules(scenario).first))
    #expect(scenario.unanswered.map(\.source) == [0, 1])
    scenario.answer(1, sampleVideos(2))
    var removed = scenario
    removed.handle(
      .subscriptionChanged(
        .removed(name: "Late"), SubscriptionRequest(.remove, name: "Late", address: opened.settings.address)))
    removed.end(try #require(schedules(removed).first))
    #expect(removed.unanswered.map(\.source) == [0] && schedules(removed).isEmpty)
    // The rule of the source has precedence over the option.
    subscription.refresh = .manual
    settings.subscriptions = [subscription]
    var manual = Scenario(settings, width: 160).typing(":open Late<Enter>")
    manual.answer(1, sampleVideos(2))
    #expect(schedules(manual).isEmpty)
  }

  @Test func `a subscription is refreshed by time although a further page waits for others`() {
    var settings = AppSettings(sources: (0..<20).map { SourceSettings(name: "s\($0)", isLocal: false) })
    settings.refresh = .every(minutes: 30)
    var scenario = Scenario(settings, width: 160).typing(":open https://c.example/feed<Enter>")
    scenario.answer(20, sampleVideos(200), next: .page(1))
    var browsing = scenario.state.browsing
    browsing.library.enqueue([SourceID(20)], for: .loadMoreRequested)
    #expect(browsing.library.waiting.contains(SourceID(20)))
    let opened = browsing.library[SourceID(20)]
    let request = SubscriptionRequest(.add, name: opened.ownName, address: opened.settings.address)
    let subscription = Subscription(name: "C", address: opened.settings.address)
    let effects = browsing.updateSubscriptions(.added(subscription), request, at: 0)
    let isScheduled = effects.contains { if case .wait(_, .schedule) = $0 { true } else { false } }
    #expect(isScheduled)
  }

  @Test func `the times of sources differ, so that not all are refreshed at once`() {
    var scenario = program(8) { source, _ in source.refresh = .every(minutes: 60) }
    for source in 0..<8 { scenario.answer(source, []) }
    #expect(Set(times(scenario)).count > 4)
  }

  @Test func `times to refresh that pass together lead to the requests of one by one`() {
    var scenario = program(12) { source, _ in source.refresh = .every(minutes: 60) }
    for source in 0..<12 { scenario.answer(source, []) }
    var together = scenario.state
    let waits = schedules(scenario)
    #expect(waits.count == 12)
    let effects = together.handle(waits.map { .waitElapsed($0) })
    let requested: [Int] = effects.compactMap {
      if case .requestPage(let source, _, _, _) = $0 { source.number } else { nil }
    }
    for wait in waits { scenario.end(wait) }
    #expect(requested == scenario.unanswered.map(\.source) && requested.count == 8)
  }

  @Test func `failures that arrive together make room together`() {
    var scenario = program(6) { source, number in
      source.address = "https://\(number % 2 == 0 ? "a" : "b").example/\(number)"
    }
    scenario.answerRecall(5, [9, 8].map { (day: Int) in sampleVideo("\(day)", day: day) })
    let failure = FeedFailure(.temporary, "the network is down")
    var together = scenario.state
    let effects = together.handle(scenario.unanswered.prefix(2).map { .pageFailed($0.ticket, failure) })
    let requested: [Int] = effects.compactMap {
      if case .requestPage(let source, _, _, _) = $0 { source.number } else { nil }
    }
    #expect(requested == [5, 4])
    scenario.fail(0)
    scenario.fail(1)
    #expect(scenario.unanswered.map(\.source) == [2, 3, 4, 5])
  }

  @Test func `the sources of visible rows are requested before others`() {
    var sources = (0..<60).map { SourceSettings(name: String(100 + $0), isLocal: false) }
    for index in sources.indices { sources[index].address = "https://s\(index).example/" }
    var scenario = Scenario(AppSettings(sources: sources), width: 160)
    scenario.type("bG")
    scenario.answer(0, [])
    #expect(scenario.unanswered.last.map { $0.source >= 60 - 24 } == true)
    scenario.type("b")
    scenario.answer(1, [])
    #expect(scenario.unanswered.last?.source == 8)
  }

  @Test(arguments: ["r", "m"])
  func `failed sources are requested again within the limits`(key: String) {
    var scenario = program(20)
    for source in 0..<20 { scenario.fail(source) }
    scenario.type(key)
    #expect(scenario.unanswered.map(\.source) == Array(0..<8))
    scenario.fail(0)
    #expect(scenario.unanswered.map(\.source) == Array(1..<9))
  }

  @Test func `at the end of many lists, m requests their last pages within the limits`() {
    var scenario = program(20)
    func areExhausted() -> Bool { scenario.state.browsing.shownSources.allSatisfy(\.isExhausted) }
    for _ in 0..<20 where !areExhausted() {
      while let request = scenario.unanswered.first {
        let isFirst = request.cursor == .start
        let videos = sampleVideos(1, from: request.source + (isFirst ? 0 : 100))
        scenario.answer(request.source, videos, next: isFirst && request.source >= 10 ? .page(1) : nil)
      }
      if !areExhausted() { scenario.type("m") }
    }
    #expect(areExhausted())
    scenario.type("m")
    #expect(scenario.unanswered.map(\.source) == Array(10..<18))
    var cursors: [Int: FeedCursor] = [:]
    while let request = scenario.unanswered.first {
      #expect(scenario.unanswered.count <= 8)
      cursors[request.source] = request.cursor
      scenario.fail(request.source)
    }
    #expect(cursors.count == 20 && cursors.allSatisfy { $0.value == ($0.key < 10 ? FeedCursor.start : .page(1)) })
  }

  @Test func `autoplay requests further pages of many sources within the limits`() {
    var scenario = program(20)
    for source in 0..<20 {
      scenario.answer(source, [sampleVideo("\(source)", day: 20 - source)], next: .page(1))
    }
    var state = scenario.state
    let isAwaited = state.browsing.requestMore(for: .all)
    _ = state.handle([.clockRead(UnixTime(seconds: 1))])
    #expect(isAwaited && state.library.waiting.count == 12)
    #expect(state.library.sources.statuses.count(where: \.isPageRequested) == 8)
  }

  @Test func `stop counts and ends refreshes alone, and without one Esc stops nothing`() {
    var scenario = program(20)
    for source in 0..<20 {
      scenario.answer(source, [sampleVideo("\(source)", day: 20 - source)], next: .page(1))
    }
    var browsing = scenario.state.browsing
    _ = browsing.requestMore(for: .all)
    let count = browsing.library.waiting.count
    browsing.library.enqueue([SourceID(5)])
    let stopped = browsing.library.stopRefresh().count
    _ = browsing.clearFilterOrStop()
    #expect(stopped == 1 && count > 10 && browsing.library.waiting.count == count - 1)
  }

  @Test func `r replaces a waiting request for another page`() {
    var waiting = WaitingSources()
    let source = SourceState(id: SourceID(0), settings: SourceSettings(name: "a", isLocal: true))
    waiting.append(source, for: .loadMoreRequested)
    waiting.append(source)
    waiting.append(source, for: .loadMoreRequested)
    let event = waiting.remove(source.id)
    #expect(event == .refreshRequested && waiting.isEmpty)
  }

  @Test func `further pages are requested before refreshes`() {
    var waiting = WaitingSources()
    for (number, event) in [FeedLoader.Event.refreshRequested, .windowNotFull].enumerated() {
      let settings = SourceSettings(name: "a", isLocal: true)
      waiting.append(SourceState(id: SourceID(number), settings: settings), for: event)
    }
    let next = waiting.dequeue(PageQuota(), preferred: [])
    #expect(next?.source == SourceID(1) && next?.event == .windowNotFull)
  }

  @Test func `an answer to a request that was replaced is no failure of the new one`() {
    var scenario = Scenario.of("a", isLocal: false)
    scenario.answer(0, sampleVideos(2), next: .page(1))
    scenario.type("m")
    guard let old = scenario.awaitedTicket else { return }
    scenario.type("r")
    scenario.handle(.pageFailed(old, FeedFailure(.temporary, "cancelled")))
    #expect(scenario.unanswered.count == 1 && scenario.state.library.progress.doneCount == 0)
  }

  @Test func `R pauses all sources by one wait`() {
    var scenario = program(12)
    for source in 0..<12 { scenario.answer(source, sampleVideos(1, from: source)) }
    func pauses() -> Int { scenario.openWaits.count { if case .refresh = $0 { true } else { false } } }
    scenario.endWaits()
    scenario.type("bR")
    #expect(pauses() == 1 && scenario.unanswered.count == 8)
    for source in 0..<12 { scenario.answer(source, sampleVideos(1, from: source)) }
    scenario.type("R")
    #expect(scenario.unanswered.isEmpty)
    scenario.endWaits()
    scenario.type("R")
    #expect(pauses() == 1 && scenario.unanswered.count == 8)
  }

  @Test func `the progress of many sources is shown, and stop and Esc end it`() {
    var scenario = program(20)
    #expect(scenario.status.contains("Refreshing 0 of 20"))
    scenario.answer(0, [])
    scenario.fail(1)
    #expect(scenario.status.contains("Refreshing 2 of 20 · 1 failed"))
    for keys in [":stop<Enter>", "<Esc><Esc>"] {
      var stopped = scenario.typing(keys)
      #expect(stopped.screen.contains("Stopped: 10 sources were not refreshed. Press r to refresh."), "\(keys)")
      for source in 2..<10 { stopped.answer(source, []) }
      #expect(stopped.unanswered.isEmpty && !stopped.status.contains("Refreshing"))
    }
    #expect(program(2).typing(":stop<Enter>").screen.contains("Nothing to stop"))
    #expect(!program(5).status.contains("Refreshing"))
  }

  @Test func `in the list of sources, Esc clears the selection, stops the refresh, and then closes the list`() {
    let list = program(20).typing("bjt")
    let cleared = list.typing("<Esc>")
    #expect(!cleared.status.contains("selected") && !cleared.screen.contains("Stopped"))
    let stopped = cleared.typing("<Esc>")
    #expect(stopped.state.areSourcesShown && stopped.screen.contains("Stopped: 12 sources were not refreshed."))
    #expect(!stopped.typing("<Esc>").state.areSourcesShown)
    for key in ["b", "q"] {
      let closed = list.typing(key).state
      #expect(!closed.areSourcesShown && !closed.library.waiting.isEmpty)
    }
  }

  @Test func `r requests the sources again after a stop`() {
    var scenario = program(20).typing(":stop<Enter>")
    for source in 0..<8 { scenario.answer(source, sampleVideos(1, from: source)) }
    scenario.endWaits()
    scenario.type("r")
    #expect(scenario.unanswered.count == 8 && scenario.status.contains("Refreshing 0 of 20"))
  }

  /// The first source has 1,000 videos, the others have four. The counts of cards after each page.
  private func videoCounts(afterPages count: Int, of total: Int, scrolled: Bool = false) -> (Scenario, [Int]) {
    var scenario = program(total)
    var counts: [Int] = []
    for source in 0..<count {
      scenario.answer(source, page(of: source))
      if scrolled, source == 10 { scenario.type("<PgDn>") }
      counts.append(ids(scenario).count)
    }
    return (scenario, counts)
  }

  private func page(of source: Int) -> [Video] {
    source == 0 ? sampleVideos(1_000) : sampleVideos(4, from: 996 + 4 * source)
  }

  @Test func `pages of many sources are shown together, and all at the end`() {
    let (scenario, counts) = videoCounts(afterPages: 40, of: 40)
    #expect(counts[0] == 1_000 && Set(counts).count < 20 && counts == counts.sorted())
    #expect(Set(ids(scenario)).count == 1_156)
  }

  @Test func `each page of a small library is shown at once`() {
    var scenario = program(40)
    for source in 0..<40 {
      scenario.answer(source, sampleVideos(4, from: 4 * source))
      #expect(ids(scenario).count == 4 * (source + 1))
    }
  }

  @Test func `pages of new sources are shown together, too, if watched videos are hidden`() {
    let sources = (0..<40).map { number in
      var source = SourceSettings(name: "s\(number)", isLocal: false)
      (source.address, source.isSubscription) = ("https://s\(number).example/feed", true)
      return source
    }
    var settings = AppSettings(sources: sources)
    (settings.hidesWatched, settings.newSourceCount) = (true, 1)
    var scenario = Scenario(settings, width: 160)
    var counts: [Int] = []
    for source in 0..<40 {
      scenario.answer(source, page(of: source))
      counts.append(ids(scenario).count)
    }
    #expect(Set(counts).count < 20 && counts == counts.sorted() && counts.last == 40)
  }

  @Test func `a further page that the user requests is shown at once`() {
    var scenario = program(60)
    scenario.answer(0, sampleVideos(1_000), next: .page(1))
    scenario.answer(1, sampleVideos(1, from: 1_000))
    #expect(ids(scenario).count == 1_000)
    scenario.type("m")
    for source in 2..<60 where !scenario.unanswered.contains(where: { $0.cursor == .page(1) }) {
      scenario.answer(source, [])
    }
    scenario.answer(0, sampleVideos(1, from: 1_001))
    #expect(ids(scenario).count == 1_002)
  }

  @Test func `waiting pages are shown once the user scrolls, and with the next picture of the spinner`() {
    let (before, counts) = videoCounts(afterPages: 2, of: 60)
    #expect(counts == [1_000, 1_000])
    #expect(ids(before.typing("<PgDn>")).count == 1_004)
    var turned = before
    for case .spinner(let ticket) in before.openWaits { turned.end(.spinner(ticket)) }
    #expect(ids(turned).count == 1_004)
    #expect(ids(before.typing("21")).count == 1_004)
    let marked = before.typing("bM").state.library.store.userData
    #expect(marked.keys(with: .watched).count == 1_004)
    let (_, scrolled) = videoCounts(afterPages: 20, of: 60, scrolled: true)
    #expect(scrolled[10...].elementsEqual((10..<20).map { 1_000 + 4 * $0 }))
  }
}
