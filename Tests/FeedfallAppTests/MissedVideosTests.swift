import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// Videos that leave their feed unseen are counted.
@Suite(.hangLimit) struct MissedVideosTests {
  private static let scope = FeedScope(source: "https://talks.example/feed").text
  private static let now = 2_000_000

  private static func source(_ name: String) -> SourceSettings {
    var source = SourceSettings(name: name, isLocal: false)
    (source.address, source.givenName) = ("https://\(name).example/feed", name)
    source.isSubscription = true
    return source
  }

  /// Two sources, of which the first one shows a cached page.
  private func cached(
    _ videos: [Video] = sampleVideos(6), _ data: UserData = UserData(device: "a"),
    change: (inout SourceSettings) -> Void = { _ in }
  ) -> Scenario {
    var settings = AppSettings(sources: ["talks", "films"].map(Self.source))
    settings.userData = data
    change(&settings.sources[0])
    var scenario = Scenario(settings, width: 100, height: 14)
    scenario.answerRecall(0, videos)
    return scenario
  }

  private func answer(
    _ scenario: inout Scenario, _ videos: [Video], next: FeedCursor? = nil, source: Int = 0, at now: Int = Self.now
  ) {
    guard let request = scenario.unanswered.last(where: { $0.source == source }) else { return }
    let page = FeedPage(videos: videos, next: next)
    scenario.handle(.pageArrived(request.ticket, page, at: UnixTime(seconds: now)))
  }

  /// Four of the six videos have left the feed.
  private func missingFour(_ data: UserData = UserData(device: "a"), at now: Int = Self.now) -> Scenario {
    var scenario = cached(sampleVideos(6), data)
    answer(&scenario, sampleVideos(3, from: 4), at: now)
    return scenario
  }

  private func missed(_ scenario: Scenario) -> Int { scenario.state.library.missedCount(of: SourceID(0)) }

  /// The records of the next program, as it reads them from the log of a device.
  private func restarted(_ scenario: Scenario, of device: String = "a") -> UserData {
    var data = UserData(device: "a")
    let events = scenario.effects.flatMap { if case .saveEvents(let events) = $0 { events } else { [UserEvent]() } }
    Array(events.map(\.line).joined().utf8).withUnsafeBufferPointer {
      _ = data.read($0, of: device, now: Self.now * 1_000)
    }
    return data
  }

  @Test func `missed videos are counted, and the list of sources shows their number`() {
    let scenario = missingFour()
    #expect(missed(scenario) == 4)
    #expect(scenario.state.library.store.userData.keys(with: .watched).isEmpty)
    let list = scenario.typing("b")
    #expect(list.screen.contains("4 missed · just now") && !list.status.contains("missed"))
    #expect(list.typing("jj").status.contains("4 missed"))
  }

  @Test func `the number survives a restart, and grows`() {
    // The cached page of the next program is from this time.
    var next = cached(sampleVideos(3, from: 4), restarted(missingFour(at: 1_000_000)))
    #expect(missed(next) == 4)
    answer(&next, sampleVideos(1, from: 9))
    #expect(missed(next) == 7)
  }

  @Test func `a refresh counts missed videos`() {
    var scenario = missingFour().typing("r")
    answer(&scenario, sampleVideos(2, from: 6), at: Self.now + 60)
    #expect(missed(scenario) == 6)
  }

  @Test func `videos with a record are not counted`() {
    var data = UserData(device: "a")
    let values: [UserValue] = [.watched(UnixTime(seconds: 5)), .flag(.hidden, true), .position(9)]
    for (video, value) in zip(sampleVideos(3), values) { _ = data.change(VideoKey(video), [value], at: 1) }
    #expect(missed(missingFour(data)) == 1)
  }

  @Test func `lists, and videos that the filter of the source excludes, are not counted`() throws {
    var videos = sampleVideos(6)
    videos[0].playback = .list(ListLink(.channel, .web(try #require(WebAddress("https://video.example/c")))))
    let query = try FilterQuery("-walk")
    var scenario = cached(videos) { $0.query = query }
    answer(&scenario, sampleVideos(3, from: 4))
    #expect(missed(scenario) == 2)
  }

  @Test func `videos that another source lists are not counted`() {
    var scenario = cached()
    answer(&scenario, sampleVideos(2), source: 1)
    answer(&scenario, sampleVideos(3, from: 4))
    #expect(missed(scenario) == 2)
  }

  @Test func `a feed of several pages, and an empty page, count none`() {
    let pages: [(videos: [Video], next: FeedCursor?)] = [(sampleVideos(3, from: 4), .page(1)), ([], nil)]
    for page in pages {
      var scenario = cached()
      answer(&scenario, page.videos, next: page.next)
      #expect(missed(scenario) == 0)
    }
  }

  @Test func `a source that is not in the configuration counts none`() {
    var scenario = cached { $0.isSubscription = false }
    answer(&scenario, sampleVideos(3, from: 4))
    #expect(missed(scenario) == 0)
  }

  @Test func `opening the tab reports the number and clears it, also from the list while the tab is shown`() {
    let scenario = missingFour()
    let opened = scenario.typing("2")
    #expect(opened.screen.contains("4 videos left this feed unwatched."))
    #expect(missed(opened) == 0 && restarted(opened).missedCount(ofSource: Self.scope) == 0)
    var shown = scenario.typing("2r")
    answer(&shown, sampleVideos(1, from: 9), at: Self.now + 60)
    #expect(missed(shown) == 3)
    #expect(missed(shown.typing("b<Enter>")) == 0)
  }

  @Test func `the number is cleared at the time of the key, not at that of the shown ages`() throws {
    var scenario = missingFour()
    let time = (Self.now + 59) * 1_000 + 1
    for key in try keys(typed: "2") { scenario.handle(.input(.key(key)), at: time) }
    let events = scenario.effects.flatMap { if case .saveEvents(let events) = $0 { events } else { [UserEvent]() } }
    #expect(events.last?.value == .missed(nil) && events.last?.time == time)
  }

  @Test func `M on the source clears the number, and u restores it with the marks`() {
    let marked = missingFour().typing("bjjM")
    #expect(missed(marked) == 0 && restarted(marked).missedCount(ofSource: Self.scope) == 0)
    let undone = marked.typing("u")
    #expect(missed(undone) == 4 && undone.state.library.store.userData.keys(with: .watched).isEmpty)
  }

  @Test func `M clears the number of a source whose videos are watched`() {
    var data = UserData(device: "a")
    for video in sampleVideos(3, from: 4) {
      _ = data.change(VideoKey(video), [.watched(UnixTime(seconds: 5))], at: 1)
    }
    var marked = missingFour(data).typing("bjjM")
    marked.endSaving()
    #expect(missed(marked) == 0 && marked.status.contains("Missed videos cleared. Press u to undo."))
    #expect(missed(marked.typing("u")) == 4)
  }

  @Test func `M in All clears the numbers of all sources, unless a filter or a selection restricts it`() {
    var scenario = missingFour()
    answer(&scenario, sampleVideos(2, from: 20), source: 1)
    #expect(missed(scenario.typing("M")) == 0)
    #expect(missed(scenario.typing("f>1m<Enter>M")) == 4 && missed(scenario.typing("tM")) == 4)
  }

  @Test(arguments: ["a", "b"])
  func `a list that is older than the number of another program or device adds nothing`(device: String) {
    let data = restarted(missingFour(), of: device)
    #expect(missed(missingFour(data)) == 4)
    var later = missingFour(data).typing("r")
    answer(&later, sampleVideos(2, from: 6), at: Self.now + 60)
    #expect(missed(later) == 6)
  }
}
