import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

private func video(_ title: String, minutes: Int? = nil, day: Int? = nil, group: String? = nil) -> Video {
  var video = Video(id: title, title: title, playback: .unknown)
  video.duration = minutes.map { .seconds($0 * 60) }
  video.published = day.map { UnixTime(seconds: $0 * 86_400) }
  video.group = group
  return video
}

extension Scenario {
  fileprivate var titles: [String] { state.shownVideos.map(\.title) }

  fileprivate var heading: String {
    String(screen.split(separator: "\n", omittingEmptySubsequences: false)[state.regions.heading?.minY ?? 0])
  }

  /// Clicks on the name of a column.
  fileprivate mutating func clickHeading(_ name: String) {
    guard let place = heading.firstRange(of: name), let row = state.regions.heading?.minY else {
      Issue.record("there is no column \(name)")
      return
    }
    let column = heading.distance(from: heading.startIndex, to: place.lowerBound)
    handle(.input(.mouse(MouseEvent(.press, at: Point(x: column, y: row)))))
  }
}

@Suite(.hangLimit) struct CardTableTests {
  private func list(_ videos: [Video] = sampleVideos(60), width: Int = 80, height: Int = 24, next: FeedCursor? = nil)
    -> Scenario
  {
    Scenario.showing(videos, next: next, width: width, height: height, layout: .list)
  }

  @Test(arguments: [
    (20, ["Title"]), (35, ["Title"]), (40, ["Title", "Channel"]), (50, ["Title", "Channel"]),
    (54, ["Title", "Channel", "Length"]),
    (80, ["Title", "Channel", "Length", "Age"]),
  ])
  func `the last columns are omitted in a narrow window`(width: Int, names: [String]) {
    #expect(list(width: width).heading.split(separator: " ").map(String.init) == names)
  }

  @Test func `each mark has its column in a row`() {
    var scenario = list()
    scenario.type("x*ad")
    let row =
      scenario.screen.split(separator: "\n", omittingEmptySubsequences: false)
      .first { $0.contains("0 Elephants Dream") } ?? ""
    #expect(row.hasPrefix("▸✓★◷  0 Elephants Dream") && row.contains(" ↓…"))
    scenario.handle(.downloadChanged(scenario.state.selectedCard?.key ?? VideoKey(text: "x"), nil))
    scenario.type("xj*")
    #expect(scenario.screen.contains("  ★◷  0 Elephants Dream") && scenario.screen.contains("▸ ★   1 "))
  }

  @Test func `the year stands for an unknown date`() {
    var video = sampleVideo(0)
    (video.published, video.year) = (nil, 2006)
    #expect(list([video]).screen.contains(" 2006"))
  }

  @Test(arguments: 20...200)
  func `columns do not overlap and the title has most room`(width: Int) {
    let fields = CardTable(width: width).fields(TextWidths()) { _ in String(repeating: "x", count: width) }
    for (one, next) in zip(fields, fields.dropFirst()) { #expect(one.x + one.text.width + 2 == next.x) }
    #expect(fields.last.map { $0.x + $0.text.width } == width - 1)
    #expect(fields.allSatisfy { $0.text.width <= fields[0].text.width })
  }

  @Test func `lengths end in one column`() {
    let scenario = list([video("A", minutes: 1), video("B", minutes: 100), video("C", minutes: 15)])
    let rows = scenario.screen.split(separator: "\n").dropFirst().prefix(3)
    #expect(Set(rows.map(\.count)).count == 1)
    #expect(rows.map { $0.split(separator: " ").last } == ["1:00", "1:40:00", "15:00"])
  }

  @Test func `a match is marked in the title of its row`() {
    let canvas = list().typing("/sintel<Enter>").state.draw()
    let row = canvas.text.split(separator: "\n").firstIndex { $0.contains("Sintel") }
    let roles = canvas.roles.split(separator: "\n")
    #expect(row.map { roles[$0].contains("mmmmmm") } == true)
  }

  @Test func `a row has a mark of one cell`() {
    var live = video("Live")
    live.live = .live
    let scenario = list([live])
    #expect(scenario.screen.contains("▸     Live "))
    #expect(scenario.screen.contains(" live"))
    #expect(!scenario.screen.contains("((·))"))
  }
}

@Suite(.hangLimit) struct SortingTests {
  private let videos = [
    video("b", minutes: 5, day: 3), video("C", minutes: 60, day: 9), video("a", day: 5), video("d", minutes: 20),
  ]

  private func list(next: FeedCursor? = nil) -> Scenario {
    Scenario.showing(videos, next: next, width: 80, layout: .list)
  }

  @Test(arguments: [
    ("Title", ["a", "b", "C", "d"], ["d", "C", "b", "a"]),
    ("Length", ["b", "d", "C", "a"], ["C", "d", "b", "a"]),
    ("Age", ["C", "a", "b", "d"], ["b", "a", "C", "d"]),
  ])
  func `a click sorts, the next reverses, the third restores`(name: String, up: [String], down: [String]) {
    var scenario = list()
    scenario.clickHeading(name)
    #expect(scenario.titles == up)
    #expect(scenario.heading.contains("\(name) ▲"))
    scenario.clickHeading(name)
    #expect(scenario.titles == down)
    #expect(scenario.heading.contains("\(name) ▼"))
    scenario.clickHeading(name)
    #expect(scenario.titles == ["b", "C", "a", "d"])
    #expect(!scenario.heading.contains("▲") && !scenario.heading.contains("▼"))
  }

  @Test func `an order that filters do not have is not saved in a view, but the next one with the filter`() throws {
    var scenario = Scenario.ofTwoSources().typing(":where Walk<Enter>vv")
    scenario.clickHeading("Title")
    let ascending = scenario.typing(":view Mine<Enter>")
    scenario.clickHeading("Title")
    let descending = scenario.typing(":view Mine<Enter>")
    let key = try #require(Keymaps.standard.name(of: .cards(.nextOrder)))
    let advice = "Could not save the view: it cannot have the order “title ▼”. Press \(key) for the next one."
    #expect(descending.screen.contains(advice))
    let advised = descending.typing("\(key):view Mine<Enter>").effects
    let view = ViewSettings(name: "Mine", query: try FilterQuery("Walk"), layout: .list)
    #expect(advised.contains(.saveSettings(.view(view))))
    let counts = [ascending, descending].map { scenario in
      scenario.effects.count { if case .saveSettings = $0 { true } else { false } }
    }
    #expect(counts == [1, 0])
  }

  @Test func `titles are sorted by the values of their numbers`() {
    let titles = ["Part 10", "part 2", "Part 007 b", "Part 7 a", "Part", "Part 1"]
    var scenario = Scenario.showing(titles.map { video($0) }, layout: .list)
    scenario.clickHeading("Title")
    #expect(scenario.titles == ["Part", "Part 1", "part 2", "Part 7 a", "Part 007 b", "Part 10"])
  }

  @Test func `the order survives pages and a refresh, and keeps the selected video`() {
    var scenario = list(next: .page(1)).typing("j")
    scenario.clickHeading("Title")
    #expect(scenario.state.selectedVideo?.title == "C")
    scenario.endWaits()
    scenario.answer(FeedPage(videos: [video("aa"), video("z")], next: nil))
    #expect(scenario.titles == ["a", "aa", "b", "C", "d", "z"])
    #expect(scenario.state.selectedVideo?.title == "C")
    scenario.type("r")
    scenario.answer(FeedPage(videos: [video("Ca")] + videos, next: .page(1)))
    #expect(scenario.titles == ["a", "aa", "b", "C", "Ca", "d", "z"])
    #expect(scenario.state.selectedVideo?.title == "C")
    for _ in 0..<2 { scenario.clickHeading("Title") }
    #expect(scenario.state.selectedVideo?.title == "C")
  }

  @Test(arguments: [0, 20])
  func `at its end a sorted list loads one page for each movement of the user`(readAheadCount: Int) {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layout = .list
    settings.sources[0].readAheadCount = readAheadCount
    var scenario = Scenario(settings)
    scenario.answer(FeedPage(videos: (100..<160).map { video("a\($0)") }, next: .page(1)))
    for _ in 0..<2 { scenario.clickHeading("Title") }
    scenario.type("G")
    scenario.endWaits()
    #expect(scenario.awaitedPage == .page(1))
    scenario.answer(FeedPage(videos: (100..<160).map { video("b\($0)") }, next: .page(2)))
    scenario.endWaits()
    #expect(scenario.titles.count == 120)
    #expect(scenario.state.selectedVideo?.title == "a100")
    #expect(scenario.awaitedPage == nil)
    scenario.type("k")
    scenario.endWaits()
    #expect(scenario.awaitedPage == .page(2))
  }

  @Test func `a click finds the names of the columns in a list with an inset`() {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layout = .list
    settings.layoutOptions.inset = Size(width: 12, height: 0)
    var scenario = Scenario(settings, width: 104)
    scenario.answer(FeedPage(videos: videos))
    for name in ["Title", "Length", "Age"] {
      scenario.clickHeading(name)
      #expect(scenario.heading.contains("\(name) ▲"))
    }
  }

  @Test func `sorting keeps the height of the covers in the grid`() {
    var wide = sampleVideos(20)
    var high = sampleVideos(60, from: 100)
    for index in wide.indices { wide[index].pictureSize = PixelSize(width: 1600, height: 900) }
    for index in high.indices { high[index].pictureSize = PixelSize(width: 300, height: 500) }
    let height = Scenario.showing(wide, width: 100, layout: .grid).state.cards.frame(of: 0).height
    var scenario = Scenario.showing(wide, next: .page(1), width: 100, layout: .list).typing("G")
    scenario.endWaits()
    scenario.answer(FeedPage(videos: high))
    scenario.clickHeading("Title")
    scenario.type("vvvv")
    #expect(scenario.state.cards.kind == .grid)
    #expect(scenario.state.cards.cards.count == 80)
    #expect(scenario.state.cards.frame(of: 0).height == height)
  }

  @Test func `each tab has its own order`() {
    var settings = AppSettings(sources: ["one", "two"].map { SourceSettings(name: $0, isLocal: true) })
    settings.layout = .list
    var scenario = Scenario(settings)
    scenario.answer(0, [video("b", day: 1), video("a", day: 2)])
    scenario.answer(1, [video("d", day: 3), video("c", day: 4)])
    #expect(scenario.titles == ["c", "d", "a", "b"])
    scenario.clickHeading("Source")
    #expect(scenario.titles == ["b", "a", "d", "c"])
    #expect(scenario.typing("2").titles == ["b", "a"])
    #expect(!scenario.typing("2").heading.contains("▲"))
    #expect(!scenario.typing("2").heading.contains("Channel"))
    #expect(scenario.typing("21").titles == ["b", "a", "d", "c"])
    for _ in 0..<2 { scenario.clickHeading("Source") }
    #expect(scenario.titles == ["c", "d", "a", "b"])
  }

  @Test func `in the order of a column the groups of the feed are omitted`() {
    let videos = ["b", "c", "a"].map { video($0, group: $0 == "c" ? "Two" : "One") }
    var scenario = Scenario.showing(videos, layout: .list)
    #expect(scenario.screen.contains("Two · 1"))
    scenario.clickHeading("Title")
    #expect(scenario.titles == ["a", "b", "c"])
    #expect(!scenario.screen.contains("Two"))
    for _ in 0..<2 { scenario.clickHeading("Title") }
    #expect(scenario.screen.contains("Two · 1"))
  }

  @Test func `groups that are gathered stay together in the order of a column`() {
    let videos = [("b", "x"), ("c", "y"), ("a", "x"), ("d", "y")].map { title, channel in
      var video = video(title)
      video.channel = channel
      return video
    }
    var scenario = Scenario.showing(videos, layout: .list, grouping: .channel)
    for _ in 0..<2 { scenario.clickHeading("Title") }
    #expect(scenario.titles == ["d", "c", "b", "a"])
    #expect(scenario.screen.contains("x · 2"))
  }
}

@Suite(.hangLimit) struct PreviewTests {
  private func list(width: Int) -> Scenario {
    Scenario.showing(sampleVideos(60), width: width, height: 36, layout: .list)
  }

  @Test func `from 110 columns on, the details of the selected video are beside the list`() {
    #expect(!list(width: 109).screen.contains("What happens in film 0."))
    #expect(list(width: 110).screen.contains("What happens in film 0."))
    #expect(list(width: 110).typing("jj").screen.contains("What happens in film 2."))
    #expect(!Scenario.showing(width: 200, height: 50).screen.contains("What happens"))
  }

  @Test func `Enter opens the details in the same place`() throws {
    let before = list(width: 120)
    let after = before.typing("<Enter>")
    #expect(before.state.details == nil && after.state.details != nil)
    let pane = try #require(before.state.regions.pane)
    #expect(after.state.regions == before.state.regions)
    let (one, other) = (before.state.draw(), after.state.draw())
    #expect(
      (pane.minY..<pane.maxY).allSatisfy { y in (pane.minX..<pane.maxX).allSatisfy { one[$0, y] == other[$0, y] } })
    #expect(after.typing("q").state.details == nil)
    #expect(after.typing("q").screen == before.screen)
  }

  @Test func `the cover of the selected video is requested`() {
    var scenario = list(width: 120)
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    #expect(
      scenario.awaitedCovers.first?.request.addresses
        == scenario.state.selectedVideo?.covers.map(\.url))
  }

  @Test func `a click on the details beside the list opens them`() throws {
    var scenario = list(width: 120)
    let pane = try #require(scenario.state.regions.pane)
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: pane.minX + 2, y: pane.maxY - 1)))))
    #expect(scenario.state.details != nil)
  }

  private func clickCover(_ scenario: inout Scenario) throws {
    let cover = try #require(scenario.state.playButton)
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: cover.midX, y: cover.midY)))))
  }

  @Test func `a click on the cover beside the list plays the video, but does not pause it`() throws {
    var scenario = list(width: 120).typing(" ")
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)), .duration(seconds: 100), .time(seconds: 60))
    scenario.type("<Enter>")
    var other = scenario.typing("j")
    #expect(scenario.state.details == nil)
    try clickCover(&scenario)
    #expect(scenario.state.showsPlayer && !scenario.orders().contains(.pause))
    try clickCover(&other)
    #expect(other.state.showsPlayer && other.loads.count == 2)
  }

  @Test func `the wheel over the details beside the list moves the list`() throws {
    var scenario = list(width: 120)
    let pane = try #require(scenario.state.regions.pane)
    scenario.handle(.input(.mouse(MouseEvent(.wheelDown, at: Point(x: pane.minX + 2, y: pane.minY + 2)))))
    #expect(scenario.state.cards.offset == CardsScreen.wheelRows && scenario.state.details == nil)
  }

  private func heading(ofChannels channels: [String?]) -> String {
    let videos = channels.enumerated().map { number, channel in
      var film = video("\(number)")
      film.channel = channel
      return film
    }
    return Scenario.showing(videos, layout: .list).heading
  }

  @Test func `the channel is a column only where channels differ`() {
    #expect(heading(ofChannels: ["One", "Two"]).contains("Channel"))
    for channels in [[nil, nil], ["One", "One"], ["One", nil]] {
      #expect(!heading(ofChannels: channels).contains("Channel"))
      #expect(heading(ofChannels: channels).contains("Length"))
    }
  }

  @Test func `a page with another channel adds the column to all rows`() {
    var (first, second) = (video("a"), video("b"))
    (first.channel, second.channel) = ("One", "Two")
    var scenario = Scenario.showing([first], next: .page(1), layout: .list).typing("m")
    #expect(!scenario.screen.contains("One"))
    scenario.answer(FeedPage(videos: [second]))
    #expect(scenario.heading.contains("Channel") && scenario.screen.contains("One"))
  }
}
