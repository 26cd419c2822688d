import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// The tabs of records: queue, history and views of marked videos.
@Suite(.hangLimit) struct QueueTests {
  private func tabs(_ scenario: Scenario) -> Substring { scenario.screen.prefix { $0 != "\n" } }

  private func list(_ count: Int = 6) -> Scenario {
    .showing(sampleVideos(count), width: 100, height: 24, layout: .list)
  }

  /// Records of the videos of another session, whose feed no longer lists them.
  private func records(_ values: [UserValue], of videos: [Video]) -> UserData {
    var data = UserData(device: "a")
    for (number, video) in videos.enumerated() {
      _ = data.change(VideoKey(video), values, at: number)
      _ = data.describe(VideoKey(video), video, at: number)
    }
    return data
  }

  private func showing(_ data: UserData, views: [ViewSettings] = [], _ videos: [Video] = sampleVideos(3)) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layout = .list
    settings.views = views
    settings.userData = data
    var scenario = Scenario(settings, width: 100, height: 24)
    scenario.answer(FeedPage(videos: videos))
    return scenario
  }

  // MARK: - Queue

  @Test func `the Queue tab appears with the first queued video, and lists the videos in the order of their addition`()
  {
    var scenario = list().typing("jjj")
    #expect(!scenario.screen.contains("Queue"))
    scenario.type("a")
    #expect(tabs(scenario).contains(" 2 Queue"))
    #expect(scenario.screen.contains("◷") && scenario.status.contains("Queued “"))
    scenario.type("ggja2")
    #expect(ids(scenario) == ["film-3", "film-1"])
  }

  @Test func `a removes a queued video, u returns it, and an empty queue says how to fill it`() {
    var scenario = list().typing("aja2a")
    #expect(ids(scenario) == ["film-1"])
    scenario.type("a")
    #expect(ids(scenario).isEmpty)
    #expect(scenario.screen.contains("The queue is empty. Press a on a card to add its video."))
    scenario.type("u")
    #expect(ids(scenario) == ["film-1"])
    scenario.type("a1")
    #expect(!tabs(scenario).contains("Queue"))
  }

  @Test func `a adds and removes in turn, also in the details`() {
    for place in ["", "<Enter>"] {
      #expect(list().typing(place + "a").status.contains("Queued “0"))
      #expect(list().typing(place + "aa").status.contains("Removed “0"))
      #expect(list().typing(place + "aaau").state.library.store.userData.queuedKeys.isEmpty)
    }
  }

  @Test func `A puts a video at the head of the queue, and u puts it back`() {
    var scenario = list().typing("ajaja")
    scenario.type("kA2")
    #expect(ids(scenario) == ["film-1", "film-0", "film-2"])
    scenario.type("u")
    #expect(ids(scenario) == ["film-0", "film-1", "film-2"])
    scenario.type("1GA2")
    #expect(ids(scenario) == ["film-5", "film-0", "film-1", "film-2"])
    #expect(scenario.typing("ggA").status.contains("first video of the queue"))
  }

  @Test func `J and K move the selected video, in the Queue tab only`() {
    var scenario = list().typing("ajajaja2")
    #expect(ids(scenario) == ["film-0", "film-1", "film-2", "film-3"])
    scenario.type("JJ")
    #expect(ids(scenario) == ["film-1", "film-2", "film-0", "film-3"])
    #expect(scenario.state.selectedVideo?.id == "film-0")
    scenario.type("K")
    #expect(ids(scenario) == ["film-1", "film-0", "film-2", "film-3"])
    scenario.type("u")
    #expect(ids(scenario) == ["film-1", "film-2", "film-0", "film-3"])
    #expect(scenario.typing("ggK").status.contains("This is the first video of the queue"))
    #expect(scenario.typing("GJ").status.contains("This is the last video of the queue"))
    #expect(scenario.typing("SJ").status.contains("Only the Queue tab in its own order can be reordered"))
    #expect(scenario.typing("1J").status.contains("Only the Queue tab in its own order can be reordered"))
  }

  @Test func `the order of the queue in another tab does not allow moves`() {
    let scenario = Scenario.showing(sampleVideos(6), width: 140, height: 24, layout: .list)
      .typing("ajafsort:queue<Enter>J")
    #expect(scenario.status.contains("Only the Queue tab in its own order can be reordered"))
    #expect(scenario.typing("GK").state.library.store.userData.queuedKeys.count == 2)
  }

  @Test func `facts that arrive after the mark are stored`() throws {
    let listed = sampleVideoWithoutDetails(1)
    var detailed = listed
    detailed.playback = .direct([MediaFile(url: try #require(WebAddress("https://cdn.example/1.mp4")))])
    var scenario = showing(UserData(device: "a"), [listed]).typing("* ")
    scenario.answerDetails(.success(detailed))
    let records = scenario.state.library.store.userData
    let stored = try #require(records.storedVideo(VideoKey(listed)))
    #expect(stored == StoredVideo(detailed) && stored != StoredVideo(listed))
  }

  /// The titles of the videos whose facts were to be saved.
  private func storedTitles(_ scenario: Scenario) -> [String] {
    scenario.effects.flatMap { effect -> [String] in
      guard case .saveEvents(let events) = effect else { return [] }
      return events.compactMap { $0.value.video?.video($0.key)?.title }
    }
  }

  @Test func `facts that a later page changes are stored, and shown once the video has left its feed`() throws {
    var (old, new) = (sampleVideo(1), sampleVideo(1))
    (old.title, old.duration, old.published) = ("Old title", nil, nil)
    new.title = "New title"
    let scenario = showing(records([.played(UnixTime(seconds: 5))], of: [old]), [sampleVideo(0), new])
    #expect(storedTitles(scenario) == ["New title"])
    let later = showing(scenario.state.library.store.userData, [sampleVideo(0)]).typing("2")
    let shown = try #require(later.state.shownVideos.first)
    #expect(shown.title == "New title" && shown.duration == new.duration && shown.published == new.published)
    #expect(storedTitles(later).isEmpty)
  }

  /// Two loaded pages, the first video starred, the selection far below, and a refresh under way.
  private func starredAbove(_ video: Video) -> Scenario {
    var scenario = Scenario.showing([video] + sampleVideos(19, from: 1), next: .page(1), layout: .list).typing("*m")
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 20), next: .page(2)))
    return scenario.typing("Gr")
  }

  private func storedTitle(_ scenario: Scenario, _ video: Video) -> String? {
    let key = VideoKey(video)
    return scenario.state.library.store.userData.storedVideo(key)?.video(key)?.title
  }

  @Test func `facts that a refresh changes are stored although the list keeps its cards`() {
    var scenario = starredAbove(sampleVideo(0))
    var renamed = sampleVideo(0)
    renamed.title = "New title"
    var duplicate = renamed
    duplicate.title = "Another title"
    scenario.answer(FeedPage(videos: [renamed] + sampleVideos(19, from: 1) + [duplicate], next: .page(1)))
    #expect(scenario.state.cards.cards.count == 40 && storedTitles(scenario) == [sampleVideo(0).title, "New title"])
    scenario.type("ggm")
    // On a further page, a video with another title is another one.
    scenario.answer(FeedPage(videos: [duplicate], next: .page(3)))
    #expect(storedTitle(scenario, renamed) == "New title" && scenario.state.cards.cards.count == 41)
    #expect(scenario.state.library.store.userData[VideoKey(renamed)].has(.starred))
    let store = scenario.state.library.store
    let cards = sampleVideos(1).map { store.slot(of: $0, of: SourceID(0)) }
    #expect(cards.compactMap { $0 }.map { store.record(of: $0).has(.starred) } == [true])
  }

  @Test func `another video with the ID of a recorded one does not change the facts of its record`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1), layout: .list).typing("*m")
    var other = sampleVideo(20)
    other.id = sampleVideo(0).id
    scenario.answer(FeedPage(videos: [other] + sampleVideos(19, from: 21), next: .page(2)))
    #expect(scenario.state.cards.cards.count == 40)
    #expect(storedTitle(scenario, sampleVideo(0)) == sampleVideo(0).title)
    #expect(storedTitles(scenario) == [sampleVideo(0).title])
  }

  @Test func `details of a card that a refresh has not changed keep the title of the refresh`() {
    let listed = sampleVideoWithoutDetails(0)
    var scenario = starredAbove(listed)
    var renamed = listed
    renamed.title = "New title"
    scenario.answer(FeedPage(videos: [renamed] + sampleVideos(19, from: 1), next: .page(1)))
    scenario.type("gg<Enter>")
    var detailed = sampleVideo(0)
    detailed.duration = .seconds(3_000)
    scenario.answerDetails(.success(detailed))
    #expect(storedTitle(scenario, listed) == "New title")
    let key = VideoKey(listed)
    let stored = scenario.state.library.store.userData.storedVideo(key)?.video(key)
    #expect(stored?.duration == .seconds(3_000) && stored?.playbackURL == detailed.playbackURL)
  }

  @Test func `a refresh does not replace facts of the details by those of the list`() throws {
    var listed = sampleVideoWithoutDetails(0)
    listed.published = UnixTime(seconds: 0)
    var scenario = Scenario.showing([listed] + sampleVideos(19, from: 1), next: .page(1), layout: .list)
    scenario.type("*<Enter>")
    var detailed = sampleVideo(0)
    (detailed.published, detailed.duration) = (UnixTime(seconds: 5 * 86_400), .seconds(60))
    scenario.answerDetails(.success(detailed))
    let key = VideoKey(listed)
    let stored = scenario.state.library.store.userData.storedVideo(key)
    #expect(stored?.video(key)?.published == detailed.published && stored?.video(key)?.duration == .seconds(60))
    scenario.type("<Esc>m")
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 20), next: .page(2)))
    scenario.type("Gr")
    scenario.answer(FeedPage(videos: [listed] + sampleVideos(19, from: 1), next: .page(1)))
    #expect(scenario.state.library.store.userData.storedVideo(key) == stored)
  }

  @Test func `two sources that list a video under two titles do not overwrite each other's facts`() {
    let sources = ["a", "b"].map { name in
      var source = SourceSettings(name: name, isLocal: false)
      source.address = "https://\(name).example/feed?token=secret"
      return source
    }
    var renamed = sampleVideo(0)
    renamed.title = "Another title"
    var scenario = Scenario(AppSettings(sources: sources), width: 100, height: 24)
    func answer() {
      for (source, video) in [(0, sampleVideo(0)), (1, renamed)] {
        if scenario.recalls.contains(where: { $0.source == source }) { scenario.answerRecall(source, [video]) }
        if scenario.unanswered.contains(where: { $0.source == source }) { scenario.answer(source, [video]) }
      }
    }
    answer()
    scenario.type("*")
    let first = storedTitles(scenario)
    for _ in 0..<2 {
      for tab in "23" {
        scenario.type("\(tab)r")
        answer()
      }
    }
    #expect(first.count == 1 && storedTitles(scenario) == first)
    #expect(!scenario.effects.contains { "\($0)".contains("secret") })
  }

  @Test func `a cached page does not replace facts`() {
    var cached = sampleVideo(1)
    cached.title = "Old title"
    var settings = AppSettings(sources: [SourceSettings(name: "a", isLocal: false)])
    settings.userData = records([.queued(1)], of: [sampleVideo(1)])
    var scenario = Scenario(settings, width: 100, height: 24)
    scenario.answerRecall(0, [cached])
    #expect(storedTitles(scenario).isEmpty)
    scenario.answer(0, [cached])
    #expect(storedTitles(scenario) == ["Old title"])
  }

  @Test func `a length that the player finds after the mark is stored`() throws {
    var video = sampleVideo(0)
    video.duration = nil
    var scenario = showing(UserData(device: "a"), [video]).typing("a ")
    scenario.report(.ready, .duration(seconds: 100))
    let stored = try #require(scenario.state.library.store.userData.storedVideo(VideoKey(video)))
    #expect(stored.video(VideoKey(video))?.duration == .seconds(100))
  }

  @Test func `a video that has left its feed has the length of its record`() {
    var video = sampleVideo(8)
    video.duration = nil
    let data = records([.queued(1), .duration(90)], of: [video])
    #expect(showing(data).typing("2").state.shownVideos.first?.duration == .seconds(90))
  }

  @Test func `the keys of the queue have their own meanings in the player`() {
    let scenario = Scenario.playing().typing("aA")
    #expect(!scenario.state.library.store.userData.hasValues(of: .queued))
  }

  @Test func `playback goes on in the order of the queue, and a watched video leaves it`() {
    var scenario = list().typing("jjjagga2 ")
    #expect(scenario.loads.last?.title == sampleVideo(3).title)
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 100), .ended(.reachedEnd))
    #expect(scenario.loads.last?.title == sampleVideo(0).title)
    #expect(scenario.state.library.store.userData.queuedKeys == [VideoKey(sampleVideo(0))])
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 100), .ended(.reachedEnd))
    #expect(scenario.loads.count == 2 && !scenario.state.library.store.userData.hasValues(of: .queued))
    scenario.type("u<Esc>")
    #expect(ids(scenario) == ["film-0"])
  }

  @Test func `outside the queue playback ends with the video`() {
    var scenario = list().typing("a ")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 100), .ended(.reachedEnd))
    #expect(scenario.loads.count == 1)
  }

  // MARK: - Videos that have left their feeds

  @Test func `the queue shows and plays videos that have left their feeds`() {
    var data = records([], of: [])
    for number in [8, 1, 7] {
      _ = data.change(VideoKey(sampleVideo(number)), [.queued(data.nextPlace)], at: 1)
      _ = data.describe(VideoKey(sampleVideo(number)), sampleVideo(number), at: 1)
    }
    let scenario = showing(data).typing("2")
    #expect(scenario.state.shownVideos.map(\.title) == [8, 1, 7].map { sampleVideo($0).title })
    #expect(scenario.typing(" ").loads.last?.title == sampleVideo(8).title)
    #expect(scenario.typing("<Enter>").state.details != nil)
    #expect(scenario.typing("Gr1").state.shownVideos.count == 3)
  }

  @Test func `a length that is found while a video plays from the queue is shown there`() {
    var video = sampleVideo(8)
    video.duration = nil
    var scenario = showing(records([.queued(1)], of: [video])).typing("2 ")
    scenario.report(.ready, .length(.stated(75)), .time(seconds: 10))
    scenario.type("<Enter>")
    #expect(scenario.screen.contains("1:15"))
  }

  @Test func `the history lists the played videos, the last one first`() {
    var data = records([], of: [])
    for number in [1, 8, 7] {
      let played = UnixTime(seconds: 1_000 - number)
      _ = data.change(VideoKey(sampleVideo(number)), [.played(played)], at: 1)
      _ = data.describe(VideoKey(sampleVideo(number)), sampleVideo(number), at: 1)
    }
    let scenario = showing(data)
    #expect(tabs(scenario).contains(" 2 History"))
    #expect(scenario.typing("2").state.shownVideos.map(\.title) == [1, 7, 8].map { sampleVideo($0).title })
    #expect(scenario.typing("2X").state.shownVideos.count == 2)
    #expect(scenario.typing("2Xu").state.shownVideos.count == 3)
  }

  @Test func `a mark adds no video to the history`() {
    var data = records([.played(UnixTime(seconds: 1))], of: [sampleVideo(1)])
    _ = data.change(VideoKey(sampleVideo(2)), [.watched(UnixTime(seconds: 2)), .flag(.starred, true)], at: 2)
    #expect(ids(showing(data).typing("2")) == ["film-1"])
    #expect(!tabs(showing(UserData(device: "a")).typing("x")).contains("History"))
  }

  @Test func `a playback adds its video to the history, also if it is left early`() throws {
    var scenario = showing(UserData(device: "a")).typing("j ")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 10))
    #expect(tabs(scenario).contains(" 2 History"))
    let saved = scenario.effects.flatMap { if case .saveEvents(let events) = $0 { events } else { [UserEvent]() } }
    scenario.report(.time(seconds: 20), .time(seconds: 30))
    scenario.type("<Esc><Esc>2")
    #expect(ids(scenario) == ["film-1"])
    let all = scenario.effects.flatMap { if case .saveEvents(let events) = $0 { events } else { [UserEvent]() } }
    #expect([saved, all].map { $0.count { $0.value.field == .played } } == [1, 1])
  }

  @Test func `a record without stored facts is not shown unless a feed lists its video`() {
    var data = UserData(device: "a")
    for number in [1, 8] { _ = data.change(VideoKey(sampleVideo(number)), [.played(UnixTime(seconds: 1))], at: 1) }
    #expect(ids(showing(data).typing("2")) == ["film-1"])
  }

  @Test func `History shows all played videos, also those whose facts memory does not hold`() throws {
    var data = UserData(device: "a")
    var stored: [VideoKey: StoredVideo] = [:]
    let channel = String(repeating: "c", count: 4_000)
    // More than 8 MB of facts.
    for number in 0..<2_500 {
      let key = VideoKey(text: "https://old.example/\(number)")
      stored[key] = StoredVideo(unchecked: "{\"title\":\"Old \(number)\",\"channel\":\"\(channel)\"}")
      data.apply(UserEvent(time: number, device: "a", key: key, value: .played(UnixTime(seconds: number))))
      data.apply(UserEvent(time: number, device: "a", key: key, value: .video(stored[key])))
    }
    var scenario = showing(data).typing("2")
    let shownCount = scenario.state.shownVideos.count
    let requests = scenario.effects.compactMap { if case .readFacts(let keys) = $0 { keys } else { nil } }
    let keys = try #require(requests.first)
    #expect(requests.count == 1 && shownCount > 0 && keys.count + shownCount == 2_500)
    var facts = UserData(factsOf: keys)
    for key in keys { facts.apply(UserEvent(time: 1, device: "a", key: key, value: .video(stored[key]))) }
    scenario.handle(.factsRead(facts))
    #expect(scenario.state.shownVideos.count == 2_500)
    #expect(scenario.state.shownVideos.last?.title == "Old 0")
    scenario.type("12")
    #expect(scenario.effects.count { if case .readFacts = $0 { true } else { false } } == 1)
  }

  @Test func `a mark stores the facts once`() {
    let stored = list().typing("*x").effects.flatMap { effect -> [UserValue] in
      if case .saveEvents(let events) = effect { events.map(\.value).filter { $0.field == .video } } else { [] }
    }
    #expect(stored == [.video(StoredVideo(sampleVideo(0)))])
  }

  @Test func `a view of starred videos includes those that have left their feeds`() throws {
    let data = records([.flag(.starred, true)], of: [sampleVideo(8), sampleVideo(1)])
    let views = [ViewSettings(name: "Best", query: try FilterQuery("starred sort:oldest"))]
    let scenario = showing(data, views: views).typing("2")
    #expect(Set(scenario.state.shownVideos.map(\.title)) == [sampleVideo(8).title, sampleVideo(1).title])
  }

  @Test func `a video of two sources is in the queue once`() {
    var scenario = Scenario.of("a", "b", width: 100)
    scenario.answer(0, sampleVideos(2))
    scenario.answer(1, sampleVideos(2))
    scenario.type("a4")
    #expect(ids(scenario) == ["film-0"])
  }

  @Test func `a feed that lists a restored video replaces its card`() {
    let data = records([.queued(1)], of: [sampleVideo(1)])
    var settings = AppSettings(sources: ["a", "b"].map { SourceSettings(name: $0, isLocal: true) })
    settings.userData = data
    var scenario = Scenario(settings, width: 100, height: 24)
    scenario.answer(0, [])
    scenario.type("4")
    #expect(scenario.state.shownVideos.map(\.title) == [sampleVideo(1).title])
    #expect(ids(scenario) != ["film-1"])
    scenario.answer(1, sampleVideos(3))
    #expect(ids(scenario) == ["film-1"])
  }

  @Test func `a video that plays goes on in the card with which its feed replaces a restored one`() {
    let data = records([.queued(1)], of: [sampleVideo(1)])
    var more = data
    _ = more.change(VideoKey(sampleVideo(2)), [.queued(2)], at: 9)
    _ = more.describe(VideoKey(sampleVideo(2)), sampleVideo(2), at: 9)
    var settings = AppSettings(sources: ["a", "b"].map { SourceSettings(name: $0, isLocal: true) })
    settings.layout = .list
    settings.userData = more
    var scenario = Scenario(settings, width: 100, height: 24)
    scenario.answer(0, [])
    scenario.type("4 ")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 10))
    scenario.answer(1, sampleVideos(3))
    let position = scenario.state.playback.position(in: scenario.state.browsing)
    #expect(ids(scenario) == ["film-1", "film-2"] && position?.number == 1)
    #expect(scenario.state.details != nil && scenario.state.selectedVideo?.id == "film-1")
    scenario.type(" ")
    #expect(scenario.loads.count == 1)
    scenario.report(.time(seconds: 100), .ended(.reachedEnd))
    #expect(scenario.loads.last?.title == sampleVideo(2).title)
  }

  @Test func `the filter of a source hides no video of the queue and the history`() throws {
    var data = records([.queued(1), .played(UnixTime(seconds: 5))], of: [sampleVideo(1)])
    _ = data.change(VideoKey(sampleVideo(8)), [.queued(2)], at: 9)
    _ = data.describe(VideoKey(sampleVideo(8)), sampleVideo(8), at: 9)
    var source = SourceSettings(name: "films.example", isLocal: true)
    source.query = try FilterQuery("nothing-has-this-title")
    var settings = AppSettings(sources: [source])
    settings.userData = data
    var scenario = Scenario(settings, width: 100, height: 24)
    scenario.answer(FeedPage(videos: sampleVideos(3)))
    #expect(ids(scenario).isEmpty && ids(scenario.typing("2")).count == 2 && ids(scenario.typing("3")) == ["film-1"])
  }

  @Test func `a video that is played again moves to the start of the history`() throws {
    var data = records([], of: [])
    for number in [0, 1, 2] {
      _ = data.change(VideoKey(sampleVideo(number)), [.played(UnixTime(seconds: 10 - number))], at: 1)
    }
    var scenario = showing(data).typing("2G ")
    #expect(ids(scenario) == ["film-0", "film-1", "film-2"])
    scenario.report(.ready, .duration(seconds: 100))
    let id = try #require(scenario.loads.last?.id)
    scenario.handle(.player(.event(id, .time(seconds: 100))), at: 50_000)
    scenario.handle(.player(.event(id, .ended(.reachedEnd))), at: 50_000)
    scenario.type("<Esc><Esc>")
    #expect(ids(scenario) == ["film-2", "film-0", "film-1"])
  }

  // MARK: - Places

  @Test func `a mark keeps the released cards, although a source continues that had failed`() {
    var scenario = Scenario.of("a", "b", width: 100, height: 40)
    scenario.answer(0, [9, 5, 1].map { (day: Int) in sampleVideo("a\(day)", day: day) })
    scenario.answer(1, [sampleVideo("b8", day: 8)], next: .page(1))
    scenario.endWaits()
    scenario.fail(1)
    let all = ids(scenario)
    #expect(all == ["a9", "b8", "a5", "a1"])
    scenario.type("<Esc>m")
    scenario.type("X")
    #expect(ids(scenario).count == 3 && ids(scenario).contains("a1"))
  }

  @Test(arguments: ["classic", "carousel"]) func `a cover shows the marks where no line is below the title`(
    name: String
  ) {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    if name == "classic" { settings.layoutOptions.card = .classic } else { settings.layout = .carousel }
    var scenario = Scenario(settings, width: 100, height: 30)
    scenario.answer(FeedPage(videos: sampleVideos(6)))
    #expect(scenario.typing("x").screen.contains("✓ 1:01"))
  }
}
