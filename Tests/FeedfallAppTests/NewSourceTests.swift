import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// All but the newest videos of a new source count as watched.
@Suite(.hangLimit) struct NewSourceTests {
  private static let address = "https://a.example/feed"
  private static let scope = FeedScope(source: address).text
  private static let (day, now) = (86_400, 100 * 86_400)

  /// The first one is the newest, published today.
  private static func videos(_ count: Int, from first: Int = 0) -> [Video] {
    sampleVideos(count, from: first).map { video in
      var video = video
      video.published = UnixTime(seconds: now - (Int(video.id.dropFirst(5)) ?? 0) * day)
      return video
    }
  }

  private func start(
    _ data: UserData = UserData(device: "a"), newest count: Int? = 2, isConfigured: Bool = true, isLocal: Bool = false
  ) -> Scenario {
    var source = SourceSettings(name: "A", isLocal: isLocal)
    (source.address, source.givenName, source.isSubscription) = (Self.address, "A", isConfigured)
    var settings = AppSettings(sources: [source])
    (settings.layout, settings.userData, settings.newSourceCount) = (.list, data, count)
    return Scenario(settings, width: 160)
  }

  private func answer(_ scenario: inout Scenario, _ videos: [Video], next: FeedCursor? = nil) {
    guard let ticket = scenario.awaitedTicket else { return }
    scenario.handle(.pageArrived(ticket, FeedPage(videos: videos, next: next), at: UnixTime(seconds: Self.now)))
  }

  private func loaded(_ scenario: Scenario, _ videos: [Video] = videos(6)) -> Scenario {
    var scenario = scenario
    scenario.failRecall(0)
    answer(&scenario, videos)
    return scenario
  }

  private func unwatched(_ scenario: Scenario) -> [String] { ids(scenario.typing("funwatched<Enter>")) }
  private func records(_ scenario: Scenario) -> UserData { scenario.state.library.store.userData }
  private func events(_ scenario: Scenario) -> [UserEvent] {
    scenario.effects.flatMap { if case .saveEvents(let events) = $0 { events } else { [UserEvent]() } }
  }

  /// The records of the next program, as it reads them from the log.
  private func restarted(_ scenarios: Scenario...) -> UserData {
    var data = UserData(device: "a")
    let lines = scenarios.flatMap(events).map(\.line).joined()
    Array(lines.utf8).withUnsafeBufferPointer { _ = data.read($0, of: "a", now: Self.now * 1_000) }
    return data
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 2), (6, 6), (1_000, 6)])
  func `the newest videos count as unwatched, the others as watched, with one event for the source`(
    count: Int, unwatchedCount: Int
  ) {
    let scenario = loaded(start(newest: count))
    #expect(unwatched(scenario) == (0..<unwatchedCount).map { "film-\($0)" })
    #expect(events(scenario).map(\.key.text) == [Self.scope])
    #expect(records(scenario).keys(with: .watched).isEmpty)
  }

  @Test func `the new sources of pages that arrive together are saved together, each with its time`() {
    let sources = (0..<3).map { number in
      var source = SourceSettings(name: "s\(number)", isLocal: false)
      (source.address, source.isSubscription) = ("https://s\(number).example/feed", true)
      return source
    }
    var settings = AppSettings(sources: sources)
    (settings.userData, settings.newSourceCount) = (UserData(device: "a"), 2)
    let scenario = Scenario(settings)
    let pages = scenario.unanswered.map { request in
      let page = FeedPage(videos: Self.videos(6, from: 10 * request.source))
      return AppEvent.pageArrived(request.ticket, page, at: UnixTime(seconds: Self.now))
    }
    var state = scenario.state
    let saved: [[UserEvent]] = state.handle(pages).compactMap {
      if case .saveEvents(let events) = $0 { events } else { nil }
    }
    #expect(saved.map { $0.map(\.key.text) } == [sources.map { FeedScope(source: $0.address).text }])
    let limits = (0..<3).compactMap { state.library.store.readBefore[SourceID($0)] }
    #expect(limits == (0..<3).map { UnixTime(seconds: Self.now - (10 * $0 + 1) * Self.day) })
  }

  @Test func `older videos of later pages count as watched, and newer ones do not`() throws {
    var scenario = start()
    scenario.failRecall(0)
    answer(&scenario, Self.videos(4, from: 2), next: .page(1))
    scenario.type("m")
    answer(&scenario, Self.videos(4, from: 6))
    #expect(unwatched(scenario) == ["film-2", "film-3"])
    let next = loaded(start(restarted(scenario)), Self.videos(8))
    #expect(unwatched(next) == ["film-0", "film-1", "film-2", "film-3"])
    #expect(events(next).isEmpty)
  }

  @Test func `all videos count as they are with the option, in local sources and in named ones without subscription`() {
    for scenario in [start(newest: nil), start(isConfigured: false)] {
      #expect(unwatched(loaded(scenario)).count == 6 && events(loaded(scenario)).isEmpty)
    }
    var local = start(isLocal: true)
    answer(&local, Self.videos(6))
    #expect(unwatched(local).count == 6)
  }

  @Test func `the sources of a user with records from an earlier version are known as they are`() {
    var data = UserData(device: "a")
    _ = data.change(VideoKey(text: "other 1"), [.flag(.starred, true)], at: 1)
    let scenario = loaded(start(data))
    #expect(unwatched(scenario).count == 6)
    #expect(records(scenario).readBefore(ofSource: Self.scope)?.seconds == 0)
    #expect(unwatched(loaded(start(restarted(scenario)))).count == 6)
  }

  @Test func `a source that follows the first record is new`() {
    // The first session has no source of the configuration.
    let first = loaded(start(isConfigured: false)).typing("*")
    #expect(events(first).contains { $0.value.field == .readBefore })
    #expect(unwatched(loaded(start(restarted(first)))) == ["film-0", "film-1"])
  }

  @Test func `the first answered page decides, also after a cached one, unless the records know the source`() {
    func answered(_ data: UserData) -> Scenario {
      var scenario = start(data)
      scenario.answerRecall(0, Self.videos(6))
      #expect(unwatched(scenario).count == 6)
      answer(&scenario, Self.videos(7))
      return scenario
    }
    #expect(unwatched(answered(UserData(device: "a"))) == ["film-0", "film-1"])
    var data = UserData(device: "a")
    _ = data.addSources([Self.scope], readBefore: UnixTime(seconds: 0), at: 1)
    #expect(unwatched(answered(data)).count == 7)
  }

  @Test(arguments: [(0, 0), (2, 2), (6, 6)])
  func `of videos without dates, those after the first ones are marked, once`(count: Int, unwatchedCount: Int) {
    let scenario = loaded(start(newest: count), sampleVideos(6))
    #expect(unwatched(scenario) == (0..<unwatchedCount).map { "film-\($0)" })
    #expect(events(scenario).count == 1 + 6 - unwatchedCount)
    #expect(events(scenario).allSatisfy { $0.value.field == .watched || $0.value.field == .readBefore })
    let later = loaded(start(restarted(scenario), newest: count), [sampleVideo(9)] + sampleVideos(6))
    #expect(unwatched(later) == ["film-9"] + unwatched(scenario) && events(later).isEmpty)
  }

  @Test func `a video counts as watched once its date is known, also while a filter is used`() {
    var data = UserData(device: "a")
    _ = data.addSources([Self.scope], readBefore: UnixTime(seconds: Self.now - 2 * Self.day), at: 1)
    var videos = Self.videos(6)
    videos[5].published = nil
    var scenario = loaded(start(data), videos).typing("funwatched<Enter>")
    #expect(ids(scenario) == ["film-0", "film-1", "film-2", "film-5"])
    scenario.type("r")
    answer(&scenario, Self.videos(6))
    #expect(ids(scenario) == ["film-0", "film-1", "film-2"])
  }

  @Test func `videos with and without dates start as watched by themselves`() {
    var videos = Self.videos(6)
    for index in [0, 4] { videos[index].published = nil }
    #expect(unwatched(loaded(start(), videos)) == ["film-0", "film-1", "film-2"])
  }

  @Test func `a video without a date that the user has begun or unmarked stays unwatched, here and elsewhere`() {
    let videos = sampleVideos(6)
    var data = UserData(device: "a")
    _ = data.addSources(["other"], readBefore: UnixTime(seconds: 0), at: 1)
    _ = data.change(VideoKey(videos[3]), [.position(5)], at: 1)
    var other = UserData(device: "b")
    _ = other.change(VideoKey(videos[4]), [.watched(UnixTime(seconds: 5))], at: 5_000)
    _ = other.change(VideoKey(videos[4]), [.watched(nil)], at: 6_000)
    var scenario = loaded(start(data), videos)
    #expect(unwatched(scenario) == ["film-0", "film-1", "film-3"])
    scenario.handle(.recordsChanged(other))
    #expect(unwatched(scenario) == ["film-0", "film-1", "film-3", "film-4"])
    let unmarked = scenario.typing("GxggGx")
    #expect(unwatched(scenario.typing("Gx")).last == "film-5" && unwatched(unmarked) == unwatched(scenario))
  }

  @Test func `videos without dates that start as watched were not watched in this session`() {
    let scenario = loaded(start(), sampleVideos(6))
    #expect(!records(scenario).isWatchedHere(VideoKey(sampleVideo(5))))
  }

  @Test func `dates of the future move nothing`() {
    var videos = Self.videos(6)
    for index in 0..<3 { videos[index].published = UnixTime(seconds: Int.max) }
    for index in 3..<6 { videos[index].published = UnixTime(seconds: .min) }
    #expect(unwatched(loaded(start(), videos)) == ["film-0", "film-1", "film-2"])
  }

  @Test func `x marks a video that counts as watched as unwatched, u undoes it, and both are stored`() {
    var scenario = loaded(start()).typing("jjjx")
    #expect(unwatched(scenario) == ["film-0", "film-1", "film-3"])
    #expect(events(scenario).contains { $0.value == .watched(nil) })
    #expect(unwatched(loaded(start(restarted(scenario)))) == ["film-0", "film-1", "film-3"])
    scenario.type("u")
    #expect(unwatched(scenario) == ["film-0", "film-1"])
    #expect(unwatched(loaded(start(restarted(scenario)))) == ["film-0", "film-1"])
  }

  @Test func `M adds no records for videos that count as watched, and :mark unwatched applies to all of them`() {
    var scenario = loaded(start()).typing("M")
    #expect(records(scenario).keys(with: .watched).count == 2 && unwatched(scenario).isEmpty)
    scenario.type(":mark unwatched<Enter>")
    #expect(unwatched(scenario).count == 6)
    scenario.type("uu")
    #expect(unwatched(scenario) == ["film-0", "film-1"])
  }

  @Test func `a begun video does not count as watched`() {
    var data = restarted(loaded(start()))
    _ = data.change(VideoKey(Self.videos(6)[4]), [.position(5)], at: 1)
    #expect(unwatched(loaded(start(data))) == ["film-0", "film-1", "film-4"])
  }

  @Test func `another device makes a source known`() {
    var scenario = loaded(start(newest: 6))
    var other = UserData(device: "b")
    let time = UnixTime(seconds: Self.now - Self.day)
    _ = other.addSources([Self.scope], readBefore: time, at: (Self.now + 1) * 1_000)
    scenario.handle(.recordsChanged(other))
    #expect(unwatched(scenario) == ["film-0", "film-1"])
  }
}
