import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// The cards of the session, the sources' lists and the queries over them.
@Suite(.hangLimit) struct LibraryTests {
  private let failure = FeedFailure(.temporary, "the network is down")
  private let source = SourceID(0)

  private func described(_ summary: String) -> Video {
    var video = sampleVideo(0)
    video.summary = summary
    return video
  }

  // MARK: - Details after a refresh

  @Test(arguments: [["a"], ["a", "b"]])
  func `known details stay until a refresh has requested them again`(sources: [String]) {
    var scenario = Scenario(
      AppSettings(sources: sources.map { SourceSettings(name: $0, isLocal: true) }), width: 120, height: 30)
    scenario.answer(0, [sampleVideoWithoutDetails(0)])
    if sources.count > 1 { scenario.answer(1, sampleVideos(3, from: 10)) }
    scenario.type("gg<Enter>")
    if scenario.state.selectedVideo?.id != sampleVideo(0).id { scenario.type("nnn") }
    scenario.answerDetails(.success(described("Old details.")))
    #expect(scenario.screen.contains("Old details."))
    scenario.type("r")
    scenario.answer(0, [sampleVideoWithoutDetails(0)])
    #expect(scenario.screen.contains("Old details."))
    #expect(scenario.awaitedDetails != nil)
    scenario.answerDetails(.success(described("New details.")))
    #expect(scenario.screen.contains("New details."))
  }

  @Test func `known details survive a failed request after a refresh`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)], width: 120, height: 30).typing("<Enter>")
    scenario.answerDetails(.success(described("Old details.")))
    scenario.type("r")
    scenario.answer(FeedPage(videos: [sampleVideoWithoutDetails(0)]))
    scenario.answerDetails(.failure(failure))
    #expect(scenario.screen.contains("Old details."))
    #expect(scenario.screen.contains("Could not load the details"))
    #expect(scenario.state.selectedVideo?.playbackURL == sampleVideo(0).playbackURL)
  }

  @Test func `the request after a refresh is for the video as it is listed`() throws {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)]).typing("<Enter>")
    scenario.answerDetails(.success(sampleVideo(0)))
    scenario.type("r")
    scenario.answer(FeedPage(videos: [sampleVideoWithoutDetails(0)]))
    let requests = scenario.effects.compactMap { effect -> Video? in
      if case .requestDetails(_, let video, _) = effect { video } else { nil }
    }
    #expect(requests == [sampleVideoWithoutDetails(0), sampleVideoWithoutDetails(0)])
  }

  // MARK: - Refreshed titles

  @Test func `a title that a refresh makes longer fits its card in the tab of all`() {
    var scenario = Scenario.of("a", "b", height: 30)
    scenario.answer(0, (0..<30).map { titled("Short", "a\($0)", day: 100 - $0) })
    scenario.answer(1, (0..<30).map { titled("Short", "b\($0)", day: 100 - $0) })
    scenario.type("Gr")
    let selected = scenario.state.selectedVideo?.id
    scenario.answer(0, (0..<30).map { titled("A long title on a second line", "a\($0)", day: 100 - $0) })
    #expect(scenario.state.selectedVideo?.id == selected)
    let cards = scenario.state.cards
    for element in cards.visibleElements where element.kind == .item {
      let index = cards.layout.card(at: element.path)
      let face = cards.face(of: index, frameWidth: element.frame.width, cards.metrics, scenario.state.library.store)
      let cover = cards.metrics.coverFrame(in: element.frame, of: cards.cards.shapes[index])?.height ?? 0
      #expect(element.frame.height == cover + face.title.count + 1)
    }
  }

  private func titled(_ title: String, _ id: String, day: Int) -> Video {
    var video = Video(id: id, title: title, playback: .unknown)
    video.published = UnixTime(seconds: day * 86_400)
    return video
  }

  // MARK: - IDs

  @Test func `a video on a later page with the ID of another one is listed`() {
    func video(_ title: String, _ number: Int) -> Video {
      var video = sampleVideo(number)
      (video.id, video.title) = ("x", title)
      video.pageURL = WebAddress("https://films.example/\(number)")
      return video
    }
    var store = CardStore()
    #expect(store.list([video("A", 1)], of: source).count == 1)
    let other = store.list([video("B", 2), video("B", 2)], of: source)
    #expect(other.map { store[$0].video.title } == ["B"])
    #expect(store.list([video("B", 2), video("A", 1)], of: source).isEmpty)
    // When a page is loaded again, a new title or another server does not make another video.
    #expect(store.list([video("A, corrected", 1)], of: source, as: .newer).isEmpty)
    #expect(store.list([video("A, corrected", 1)], of: source).count == 1)
  }

  private static func shared(_ id: Int, _ title: Int, _ number: Int) -> Video {
    var video = Video(id: "id\(id)", title: "T\(title)", playback: .unknown)
    video.pageURL = WebAddress("https://films.example/\(number)")
    video.scope = FeedScope(text: "films.example#1")
    return video
  }

  @Test(arguments: 1...40)
  func `the keys of videos that share an ID do not depend on their order and pages`(seed: Int) throws {
    var chances = SeededGenerator(seed: UInt64(seed))
    var videos = (0..<Int.random(in: 1...30, using: &chances)).map { _ in
      Self.shared(
        Int.random(in: 0..<5, using: &chances), Int.random(in: 0..<3, using: &chances),
        Int.random(in: 0..<3, using: &chances))
    }
    var known: [String: VideoKey] = [:]
    for _ in 0..<5 {
      videos.shuffle(using: &chances)
      var (store, slots, rest) = (CardStore(), [CardSlot](), videos[...])
      while !rest.isEmpty {
        let page = rest.prefix(Int.random(in: 1...8, using: &chances))
        rest = rest.dropFirst(page.count)
        slots += store.list(Array(page), of: source)
      }
      #expect(Set(slots).count == slots.count)
      for slot in slots {
        let video = store[slot].video
        let facts = "\(video.sharedID ?? video.id) \(video.title) \(video.pageURL?.text ?? "")"
        #expect(known.updateValue(store[slot].key, forKey: facts).map { $0 == store[slot].key } ?? true)
      }
      #expect(slots.count == known.count)
      #expect(Set(slots.map { store[$0].key }).count == slots.count)
    }
  }

  @Test func `a new video with the ID of one that has left the first page does not get its card and marks`() throws {
    let (old, new) = (Self.shared(1, 1, 1), Self.shared(1, 2, 2))
    var store = CardStore()
    let slots = store.list([old], of: source)
    let key = store[slots[0]].key
    store.userData.apply(UserEvent(time: 1, device: "a", key: key, value: .flag(.starred, true)))
    store.userData.apply(UserEvent(time: 1, device: "a", key: key, value: .video(StoredVideo(old))))
    store.unlist(slots)
    let page = store.list([new], of: source)
    #expect(page.map { store[$0].video.title } == ["T2"] && page != slots)
    #expect(!store.record(of: page[0]).has(.starred))
    #expect(store.relist(slots) == slots)
    #expect(store.record(of: slots[0]).has(.starred) && store[slots[0]].video.title == "T1")
  }

  @Test(arguments: 1...40)
  func `any refreshes of videos that share an ID keep the card of each`(seed: Int) throws {
    var chances = SeededGenerator(seed: UInt64(seed))
    var (store, videos) = (CardStore(), [Video]())
    for _ in 0..<20 {
      let video = Self.shared(
        Int.random(in: 0..<5, using: &chances), Int.random(in: 0..<3, using: &chances),
        Int.random(in: 0..<3, using: &chances))
      if !videos.contains(video) { videos.append(video) }
    }
    let slots = videos.flatMap { store.list([$0], of: source) }
    #expect(slots.count == videos.count)
    for _ in 0..<20 {
      let places = videos.indices.shuffled(using: &chances).prefix(Int.random(in: 1...8, using: &chances))
      let page = places.map { place in
        var video = videos[place]
        let isShared = places.contains { $0 != place && videos[$0].id == video.id }
        if isShared { video.id = video.distinctID }
        return video
      }
      let isListed = Bool.random(using: &chances)
      if !isListed { store.unlist(slots) }
      let listed = store.list(page, of: source, as: isListed ? .newer : .next)
      #expect(listed == (isListed ? [] : places.map { slots[$0] }))
      #expect(page.map { store.slot(of: $0, of: source) } == places.map { slots[$0] })
      #expect(isListed || store.relist(slots).count == slots.count - places.count)
      #expect(slots.map { store[$0].video.title } == videos.map(\.title))
    }
  }

  @Test func `a card keeps its record when a further page has another video with its ID`() throws {
    let (first, other) = (Self.shared(1, 1, 1), Self.shared(1, 2, 2))
    var (store, renamed) = (CardStore(), first)
    renamed.title = "T1, corrected"
    let slot = try #require(store.list([first], of: source).first)
    let key = store[slot].key
    store.userData.apply(UserEvent(time: 1, device: "a", key: key, value: .flag(.starred, true)))
    store.userData.apply(UserEvent(time: 2, device: "a", key: key, value: .video(StoredVideo(renamed))))
    let page = store.list([other], of: source)
    #expect(store[slot].key == key && page.map { store.record(of: $0).has(.starred) } == [false])
    // Unless the record is that of the other video.
    var swapped = CardStore()
    let earlier = try #require(swapped.list([first], of: source).first)
    swapped.userData.apply(UserEvent(time: 1, device: "a", key: key, value: .flag(.starred, true)))
    swapped.userData.apply(UserEvent(time: 2, device: "a", key: key, value: .video(StoredVideo(other))))
    let later = swapped.list([other], of: source)
    #expect(!swapped.record(of: earlier).has(.starred) && later.map { swapped.record(of: $0).has(.starred) } == [true])
  }

  @Test func `IDs that differ in Unicode normalization only are two cards`() {
    var store = CardStore()
    let ids = ["\u{E9}", "e\u{301}"]
    #expect(store.list(ids.map { sampleVideo($0, day: 1) }, of: source).count == 2)
  }

  @Test func `closed sources do not influence the names`() {
    var library = Library(settings: [SourceSettings(name: "a", isLocal: true)])
    for name in ["b", "c"] {
      let id = library.open(SourceSettings(name: name, isLocal: true))
      _ = library.close([id])
    }
    #expect(library.sources.allSatisfy { $0.distinction == nil })
  }

  // MARK: - Memory

  @Test(arguments: [1, 2])
  func `cards that refreshes have dropped are removed`(sources: Int) {
    var scenario = Scenario(
      AppSettings(sources: (0..<sources).map { SourceSettings(name: "\($0)", isLocal: true) }), width: 80, height: 24)
    for source in 0..<sources { scenario.answer(source, sampleVideos(400, from: source * 400)) }
    for round in 1...20 {
      scenario.type("ggr")
      for source in 0..<sources { scenario.answer(source, sampleVideos(400, from: (round * sources + source) * 400)) }
    }
    #expect(scenario.state.library.store.count <= 2 * sources * 400 + 1_400)
    #expect(scenario.state.shownVideos.count == sources * 400)
    #expect(Set(scenario.state.shownVideos.map(\.id)).count == sources * 400)
  }

  @Test func `videos of two feeds with one ID are two cards of a source`() throws {
    let addresses = ["https://a.example/feed", "https://b.example/feed"]
    let videos = try addresses.map { address in
      var video = sampleVideo(1)
      video.id = "1"
      video.scope = FeedScope(try #require(WebAddress(address)))
      return video
    }
    var store = CardStore()
    let slots = store.list(videos, of: source)
    #expect(slots.map { store[$0].key } == videos.map { VideoKey($0) })
    #expect(slots.map { store.slot(of: store[$0].id) } == slots)
    #expect(store.list(videos, of: source).isEmpty)
  }

  // MARK: - Totals

  @Test func `a total near the largest number does not overflow`() {
    var scenario = Scenario.of("a")
    scenario.answer(FeedPage(videos: sampleVideos(60), next: .page(1), total: .max))
    scenario.type("Gr")
    scenario.answer(FeedPage(videos: sampleVideos(59, from: 100) + sampleVideos(1), next: .page(1)))
    #expect(scenario.state.library.sources[0].total == .max)
  }

  // MARK: - Queries

  /// No source delivers its videos in this order.
  private let longest = CardOrder.column(.length, isDescending: true)

  private func lasting(_ minutes: Int?, _ id: String) -> Video {
    var video = Video(id: id, title: id, playback: .unknown)
    video.duration = minutes.map { .seconds($0 * 60) }
    return video
  }

  private func collected(_ query: inout CardQuery, _ library: Library) -> [String] {
    guard case .replace(let slots) = query.collect(from: library) else { return [] }
    return slots.map { library.store[$0].video.id }
  }

  @Test func `an order that the sources do not deliver holds no card back`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, [lasting(60, "a60"), lasting(20, "a20")], next: .page(1))
    scenario.answer(1, [lasting(7, "b7"), lasting(nil, "b-"), lasting(70, "b70")], next: .page(1))
    var query = CardQuery(.all, order: longest)
    #expect(scenario.state.library.continuing(.all) == [SourceID(0), SourceID(1)])
    #expect(collected(&query, scenario.state.library) == ["b70", "a60", "a20", "b7", "b-"])
    #expect(query.holders(among: scenario.state.library.continuing(.all)) == [SourceID(0), SourceID(1)])
  }
}
