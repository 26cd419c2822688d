import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// Cards that are lists, also of each other, and the way back from their tabs.
@Suite(.hangLimit) struct ListCardTests {
  private var results: [Video] {
    var videos = sampleVideos(3)
    guard let address = WebAddress("https://video.example/c/talks") else { return [] }
    videos[1].title = "Talks"
    videos[1].playback = .list(ListLink(.channel, .web(address), videoCount: 120, followerCount: 3_400))
    return videos
  }

  @Test(arguments: ["l<Enter>", "l ", "ll<Left> "]) func `a card that is a list opens as a tab`(keys: String) {
    let opened = Scenario.showing(results, width: 100).typing(keys)
    #expect(opened.effects.contains(.openSource(SourceID(1), .address("https://video.example/c/talks"))))
    #expect(opened.state.library.name(of: opened.state.content) == "Talks")
    #expect(opened.state.player.session.item == nil)
  }

  @Test func `a card that is a list shows its kind and its counts`() {
    let screen = Scenario.showing(results, width: 160).screen
    #expect(screen.contains("Channel") && screen.contains("3.4k subscribers · "))
  }

  @Test(arguments: ["x", "*", "a", "A", "d", "D", "e", "X"]) func `the commands for films do not change a list`(
    key: String
  ) {
    let scenario = Scenario.showing(results, width: 160).typing("l" + key)
    #expect(scenario.screen.contains("This card is a list, not a video. Press Enter to open it."))
    #expect(!scenario.effects.contains { if case .saveEvents = $0 { true } else { false } })
    #expect(scenario.state.library.sources.count == 1)
  }

  @Test func `the status line offers the keys that work on a list`() {
    var scenario = Scenario.showing(results, width: 160)
    #expect(scenario.status.contains("Enter details") && scenario.status.contains("x watched"))
    #expect(scenario.typing("<Enter>l").status.contains("space open"))
    scenario.type("l")
    #expect(scenario.status.contains("Enter open  / search") && !scenario.status.contains("play"))
    #expect(!scenario.status.contains("watched") && !scenario.status.contains("queue"))
    scenario.type("<Enter>")
    scenario.answer(1, results)
    #expect(scenario.typing("l").status.contains("Enter open  Backspace back  / search"))
  }

  @Test func `the details of a list state no length, and its name once`() {
    var videos = results
    (videos[1].duration, videos[1].channel) = (nil, "Talks")
    videos[1].published = UnixTime(rfc3339: "2025-03-09T07:30:00Z")
    let scenario = Scenario.showing(videos, width: 160).typing("<Enter>l")
    #expect(scenario.screen.contains("2025-03-09"))
    #expect(!scenario.screen.contains("length unknown") && !scenario.screen.contains("Talks · 2025"))
    let copied = scenario.typing("y").screen
    #expect(copied.contains("Copied the address of the list: https://video.example/c/talks"))
  }

  @Test func `the end of the list counts lists, or all entries`() {
    func end(_ videos: [Video]) -> String { Scenario.showing(videos).typing("m").screen }
    #expect(end(Array(results[1...1])).contains("End of the list · 1 list"))
    #expect(end(results).contains("End of the list · 3 entries"))
    var lists = sampleVideos(9)
    for index in lists.indices { lists[index].playback = results[1].playback }
    #expect(end(lists).contains("End of the list · 9 lists"))
  }

  @Test func `autoplay skips a list`() {
    var scenario = Scenario.playing(results)
    scenario.type("N")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 99.9), .ended(.reachedEnd))
    #expect(scenario.state.playback.card?.video == results[2].id)
  }

  @Test(arguments: [("type:channel", 1), ("type:playlist", 0), ("type:video", 2), ("unwatched", 2)])
  func `a filter includes lists of a kind, or only videos`(filter: String, count: Int) {
    let shown = Scenario.showing(results, width: 160).typing(":where \(filter)<Enter>").state.tabs.selected.cards
    #expect(shown.cards.count == count)
  }

  @Test func `Backspace goes back to the card from which a tab was opened, step by step`() {
    var scenario = Scenario.showing(results, width: 160).typing("l<Enter>")
    scenario.answer(1, results)
    scenario.type("l<Enter>")
    // The list contains itself.
    #expect(scenario.state.content == .source(SourceID(1)) && scenario.state.library.sources.count == 2)
    scenario.type("<BS>")
    #expect(scenario.state.content == .source(SourceID(0)) && scenario.state.tabs.selected.cards.selection == 1)
    #expect(scenario.typing("<BS>").screen.contains("Could not go back: this tab was not opened from a card."))
  }

  @Test func `lists that contain each other are two tabs, and Backspace leads out of them`() throws {
    var others = results
    others[1].playback = .list(ListLink(.playlist, .web(try #require(WebAddress("https://video.example/c/other")))))
    var scenario = Scenario.showing(results, width: 160).typing("l<Enter>")
    scenario.answer(1, others)
    scenario.type("l<Enter>")
    scenario.answer(2, results)
    scenario.type("l<Enter><Enter><Enter>")
    #expect(scenario.state.content == .source(SourceID(1)) && scenario.state.library.sources.count == 3)
    #expect(scenario.typing("<BS>").state.content == .source(SourceID(0)))
  }

  @Test func `Backspace reports that the tab with the card is closed`() {
    var scenario = Scenario.ofTwoSources(width: 100).typing(":c.example<Enter>")
    scenario.answer(2, results)
    let closed = scenario.typing("l<Enter>4:close<Enter>4<BS>")
    #expect(closed.state.content == .source(SourceID(3)))
    #expect(closed.screen.contains("Could not go back: the tab with the card is closed."))
  }

  @Test func `Backspace returns to the tab of a source that is not in the bar`() {
    var settings = AppSettings(sources: ["a", "b"].map { SourceSettings(name: $0, isLocal: true) })
    settings.hidesSourceTabs = true
    var scenario = Scenario(settings, width: 160)
    scenario.answer(0, results)
    let opened = scenario.typing("bj<Enter>l<Enter>")
    #expect(opened.state.content == .source(SourceID(2)))
    #expect(opened.typing("<BS>").state.content == .source(SourceID(0)))
  }

  @Test func `Backspace shows the details of the card to which it returns`() {
    var videos = (0..<3).map(sampleVideoWithoutDetails)
    videos[0].channelURL = WebAddress("https://video.example/c/talks")
    let other = Scenario.showing(videos, width: 160).typing("c1l<Enter>")
    #expect(other.unansweredDetails.map(\.video.id).last == videos[1].id)
    let back = other.typing("2<BS>")
    #expect(back.state.tabs.selected.details != nil)
    #expect(back.unansweredDetails.map(\.video.id).last == videos[0].id)
  }
}
