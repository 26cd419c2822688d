import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// A tab of several sources shows each video once.
@Suite(.hangLimit) struct CardTwinTests {
  private func videos(_ days: some Sequence<Int>) -> [Video] { days.map { sampleVideo("v\($0)", day: $0) } }

  private func overlapping(width: Int = 80) -> Scenario {
    var scenario = Scenario.of("alpha.example", "beta.example", width: width)
    scenario.answer(0, videos([9, 7]))
    scenario.answer(1, videos([9, 8, 7]))
    return scenario
  }

  @Test func `All has a video of two sources once, and names both`() {
    let scenario = overlapping(width: 120)
    #expect(ids(scenario) == ["v9", "v8", "v7"])
    #expect(scenario.screen.contains("alpha.example, beta.example"))
    #expect(ids(scenario.typing("3")) == ["v9", "v8", "v7"])
  }

  @Test func `the first source shows the video, whichever answers first`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(1, videos([9, 8, 7]))
    scenario.type("ll")
    #expect(scenario.state.selectedVideo?.id == "v7")
    scenario.answer(0, videos([9, 7]))
    #expect(ids(scenario) == ["v9", "v8", "v7"])
    #expect(scenario.state.selectedCard?.id == CardID(source: SourceID(0), video: "v7"))
  }

  @Test func `the card in the details pane stays`() {
    var scenario = Scenario.of("a", "b", width: 120)
    scenario.answer(1, videos([9, 8]))
    scenario.type("<Enter>")
    scenario.answer(0, videos([9]))
    #expect(ids(scenario) == ["v9", "v8"])
    #expect(scenario.state.selectedCard?.source == SourceID(1))
    #expect(ids(scenario.typing("q")) == ["v9", "v8"])
  }

  @Test func `the filter counts each video once`() {
    #expect(overlapping(width: 160).typing("ftitle:v8").screen.contains("1 of 3"))
    #expect(overlapping(width: 160).typing("Xftitle:v8").screen.contains("1 of 2"))
    #expect(overlapping(width: 160).typing("3ftitle:v8").screen.contains("1 of 3"))
  }

  @Test func `hiding a video removes one card`() {
    let scenario = overlapping(width: 160).typing("X")
    #expect(ids(scenario) == ["v8", "v7"])
    #expect(scenario.status.contains("Hid “Video v9”"))
    #expect(ids(scenario.typing("u")) == ["v9", "v8", "v7"])
  }

  @Test func `a new video of two sources is counted once`() {
    var scenario = overlapping().typing("r")
    scenario.answer(0, videos([10, 9, 7]))
    scenario.answer(1, videos([10, 9, 8, 7]))
    #expect(scenario.status.contains("1 new"))
    #expect(ids(scenario).first == "v10")
  }

  @Test func `the video of the second source is shown once the first one does not list it`() {
    var scenario = overlapping().typing("r")
    scenario.answer(0, videos([6, 5]))
    scenario.answer(1, videos([9, 8, 7]))
    #expect(ids(scenario) == ["v9", "v8", "v7", "v6", "v5"])
  }

  @Test func `a filter that excludes the card of the first source includes that of the second`() {
    var scenario = Scenario.of("a", "b")
    var other = videos([9])
    other[0].title = "Zebra"
    scenario.answer(0, videos([9, 7]))
    scenario.answer(1, other)
    scenario.type("ftitle:zebra<Enter>")
    #expect(scenario.state.shownVideos.map(\.title) == ["Zebra"])
    #expect(ids(scenario.typing("<Esc>")) == ["v9", "v7"])
  }

  @Test func `the tables of twins follow the cards`() {
    var chances = SeededGenerator(seed: 1)
    var store = CardStore()
    store.findTwins()
    var lists: [[CardSlot]] = [[], [], []]
    for step in 0..<300 {
      let source = Int.random(in: 0..<3, using: &chances)
      store.unlist(lists[source])
      lists[source] = store.list(
        videos((0..<8).map { _ in Int.random(in: 0..<30, using: &chances) }), of: SourceID(source))
      if step % 7 == 0 { store.removeUnlisted(keeping: []) }
      for slot in lists.joined() {
        let expected = lists.joined().filter { $0 != slot && store[$0].key == store[slot].key }
        #expect(Set(store.listedTwins(of: slot)) == Set(expected))
      }
    }
  }

  /// Any order of answers, refreshes and changed records.
  @Test(arguments: 1...20)
  func `All has each video once in the order of the dates, and the selected one stays`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 2...4, using: &chances)
    let layouts = LayoutKind.allCases
    var settings = AppSettings(sources: (0..<count).map { SourceSettings(name: "s\($0)", isLocal: true) })
    settings.layout = layouts.randomElement(using: &chances) ?? .list
    var scenario = Scenario(settings, width: Int.random(in: 40...130, using: &chances), height: 30)
    // Each source lists some of the videos of all days up to now, the newest first.
    var newest = 40
    let rests = (0..<count).map { _ in Int.random(in: 1...4, using: &chances) }
    func list(_ source: Int) -> [Video] {
      videos(stride(from: newest, to: 0, by: -1).filter { ($0 * 7 + source) % 4 < rests[source] }).map { video in
        var video = video
        if source > 0, video.id.hasSuffix("3") { video.title = "Other title" }
        return video
      }
    }
    var records = UserData()
    for _ in 0..<60 {
      let before = scenario.state.selectedCard?.key
      var keepsSelection = scenario.state.cards.isMoved
      switch Int.random(in: 0..<7, using: &chances) {
      case 0, 1, 2:
        guard let request = scenario.unanswered.randomElement(using: &chances) else { continue }
        scenario.answer(request.source, list(request.source))
      case 3:
        scenario.type("r")
      case 4:
        newest += Int.random(in: 0...3, using: &chances)
      case 5:
        guard let video = list(0).randomElement(using: &chances) else { continue }
        let (key, isHidden) = (VideoKey(video), Bool.random(using: &chances))
        records.apply(UserEvent(time: 1 + records.count, device: "x", key: key, value: .watched(UnixTime(seconds: 1))))
        if isHidden, key != before {
          records.apply(UserEvent(time: 9, device: "x", key: key, value: .flag(.hidden, true)))
        }
        scenario.handle(.recordsChanged(records))
      default:
        let key = ["j", "k", "l", "<PgDn>", "G", "gg"].randomElement(using: &chances) ?? "j"
        keepsSelection = false
        scenario.type(key)
      }
      check(scenario, before: keepsSelection ? before : nil)
    }
    scenario.type("gg")
    while let request = scenario.unanswered.first { scenario.answer(request.source, list(request.source)) }
    scenario.type("gg")
    let listed = Set(
      (0..<count).flatMap { scenario.state.library[SourceID($0)].slots }.map {
        scenario.state.library.store[$0].key
      })
    let hidden = listed.filter { scenario.state.library.store.userData[$0].has(.hidden) }
    #expect(scenario.state.cards.cards.count == listed.count - hidden.count)
    #expect(scenario.state.tabs.selected.query.lateCount == 0)
  }

  private func check(_ scenario: Scenario, before: VideoKey?) {
    let cards = scenario.state.cards.cards.slots.map { scenario.state.library.store[$0] }
    #expect(Set(cards.map(\.key)).count == cards.count)
    let days = cards.map { $0.video.published?.seconds ?? 0 }
    #expect(days == days.sorted(by: >))
    if let before { #expect(scenario.state.selectedCard?.key == before) }
  }
}
