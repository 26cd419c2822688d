import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// Cards that are selected together, and the commands for all of them.
@Suite(.hangLimit) struct SelectionTests {
  private func list(_ count: Int = 6, next: FeedCursor? = nil) -> Scenario {
    .showing(sampleVideos(count), next: next, width: 160, height: 24, layout: .list)
  }

  private func records(_ scenario: Scenario) -> UserData { scenario.state.library.store.userData }

  private func marked(_ mark: Mark, _ scenario: Scenario) -> [Int] {
    (0..<40).filter { records(scenario)[VideoKey(sampleVideo($0))].has(mark) }
  }

  private func saved(_ scenario: Scenario, since count: Int) -> [UserEvent] {
    scenario.effects[count...].flatMap { if case .saveEvents(let events) = $0 { events } else { [UserEvent]() } }
  }

  private func copies(_ scenario: Scenario) -> [String] {
    scenario.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
  }

  private func mouse(_ kind: MouseEvent.Kind, _ row: Int, _ scenario: inout Scenario) {
    let cards = scenario.state.regions.cards
    scenario.handle(.input(.mouse(MouseEvent(kind, at: Point(x: cards.minX + 10, y: cards.minY + row)))))
  }

  // MARK: - Selecting

  @Test func `t selects a card and moves on, and the status line shows the count`() {
    var scenario = list().typing("tt")
    #expect(scenario.status.contains("2 selected") && scenario.state.selectedVideo?.id == "film-2")
    scenario.type("kt")
    #expect(scenario.status.contains("1 selected"))
    scenario.type("ggt")
    #expect(!scenario.status.contains("selected"))
  }

  @Test func `T selects all shown cards, and again none`() {
    var scenario = list().typing("jtT")
    #expect(scenario.status.contains("6 selected"))
    scenario.type("T")
    #expect(!scenario.status.contains("selected"))
  }

  @Test(arguments: LayoutKind.allCases)
  func `selected cards have a sign in each layout`(layout: LayoutKind) {
    let scenario = Scenario.showing(width: 100, height: 40, layout: layout)
    #expect(!scenario.screen.contains("◆") && !scenario.screen.contains("◈"))
    #expect(scenario.typing("t").screen.contains("◆"))
    #expect(scenario.typing("tgg").screen.contains("◈"))
  }

  @Test func `Esc clears the selection, then the search, then the filter`() {
    var scenario = list().typing("f-trailer<Enter>/Sintel<Enter>t")
    #expect(scenario.status.contains("1 selected"))
    scenario.type("<Esc>")
    #expect(!scenario.status.contains("selected") && scenario.state.cards.needle == "Sintel")
    scenario.type("<Esc>")
    #expect(scenario.state.cards.needle.isEmpty && scenario.state.tabs.selected.filter.isActive)
    scenario.type("<Esc>")
    #expect(!scenario.state.tabs.selected.filter.isActive)
  }

  @Test func `a selection survives loading more, orders and filters, and only shown cards count`() {
    var scenario = list(6, next: .page(1)).typing("tt")
    scenario.type("m")
    scenario.answer(FeedPage(videos: sampleVideos(6, from: 6)))
    #expect(scenario.status.contains("2 selected"))
    scenario.type("ftitle:walk<Enter>")
    #expect(ids(scenario).contains("film-1") && scenario.status.contains("1 selected"))
    scenario.type("x")
    #expect(marked(.watched, scenario) == [1])
    scenario.type("<Esc>")
    #expect(!scenario.status.contains("selected"))
  }

  @Test func `if a filter hides the selection, commands apply to the current card`() {
    var scenario = list().typing("tftitle:walk<Enter>")
    #expect(!scenario.status.contains("selected"))
    scenario.type("x")
    #expect(marked(.watched, scenario) == [1])
    #expect(scenario.typing("<Esc>").status.contains("1 selected"))
  }

  @Test func `a drag selects a range, and a click none`() {
    var scenario = list()
    mouse(.press, 1, &scenario)
    mouse(.drag, 1, &scenario)
    mouse(.release, 1, &scenario)
    #expect(!scenario.status.contains("selected"))
    mouse(.press, 1, &scenario)
    for row in [2, 4, 3] { mouse(.drag, row, &scenario) }
    mouse(.release, 3, &scenario)
    #expect(scenario.status.contains("3 selected") && scenario.state.details == nil)
    // Another one adds to it, from below too.
    mouse(.press, 5, &scenario)
    mouse(.drag, 4, &scenario)
    #expect(scenario.status.contains("5 selected"))
    scenario.type("x")
    #expect(marked(.watched, scenario) == [1, 2, 3, 4, 5])
  }

  @Test func `a drag that begins elsewhere selects nothing`() {
    var scenario = list()
    mouse(.drag, 2, &scenario)
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: 3, y: 23)))))
    mouse(.drag, 2, &scenario)
    #expect(!scenario.status.contains("selected"))
  }

  // MARK: - Marks

  @Test(arguments: [("x", Mark.watched), ("*", .starred), ("a", .queued), ("X", .hidden)])
  func `a mark applies to the whole selection, and one u undoes it`(key: String, mark: Mark) {
    var scenario = list().typing("ttjt" + key)
    #expect(marked(mark, scenario) == [0, 1, 3])
    scenario.endSaving()
    #expect(scenario.status.contains("3 videos") && scenario.status.contains(". Press u to undo."))
    scenario.type("u")
    #expect(marked(mark, scenario).isEmpty && ids(scenario).count == 6)
  }

  @Test func `a key sets the mark for all of a mixed selection, and removes it with the next press`() {
    var scenario = list().typing("j*kttt*")
    #expect(marked(.starred, scenario) == [0, 1, 2])
    scenario.endSaving()
    #expect(scenario.status.contains("2 videos starred"))
    scenario.type("*")
    #expect(marked(.starred, scenario).isEmpty)
    scenario.type("u")
    #expect(marked(.starred, scenario) == [0, 1, 2])
    scenario.type("u")
    #expect(marked(.starred, scenario) == [1])
  }

  @Test func `A puts the selection first in the queue, in its order`() {
    var scenario = list().typing("GajjggttA")
    #expect(records(scenario).queuedKeys == [0, 1, 5].map { VideoKey(sampleVideo($0)) })
    #expect(scenario.typing("A").status.contains("These videos are first in the queue already"))
    scenario.type("u")
    #expect(records(scenario).queuedKeys == [VideoKey(sampleVideo(5))])
  }

  @Test func `queued and starred videos of a selection have their titles stored, watched ones not`() {
    for (key, count) in [("x", 0), ("a", 2), ("*", 2), ("X", 0)] {
      let before = list().typing("tt")
      let events = saved(before.typing(key), since: before.effects.count)
      #expect(events.count { $0.value.field == .video } == count, "\(key)")
    }
  }

  @Test func `the message about many marks waits until they are written`() {
    var scenario = list().typing("ttx")
    #expect(!scenario.status.contains("marked as"))
    var failed = scenario
    failed.endSaving(failure: "/state: No space left on device")
    #expect(failed.status.contains("Could not save your marks: /state: No space left"))
    scenario.endSaving()
    #expect(scenario.status.contains("2 videos marked as watched. Press u to undo."))
  }

  @Test func `a change that was undone before it was written is not reported`() {
    var scenario = list().typing("ttxu")
    scenario.endSaving()
    #expect(scenario.status.contains("Undone: 2 videos marked as watched"))
  }

  // MARK: - Addresses and downloads

  @Test func `y and Y copy one address in each line`() {
    let scenario = list().typing("ttyY")
    #expect(copies(scenario).first == "https://films.example/0.mp4\nhttps://films.example/1.mp4")
    #expect(copies(scenario).last == "https://films.example/0.jpg\nhttps://films.example/1.jpg")
    #expect(list().typing("tty").status.contains("Copied 2 playback addresses"))
  }

  @Test func `as many addresses are copied as a terminal accepts`() throws {
    let scenario = list(3_000).typing("Ty")
    let text = try #require(copies(scenario).last)
    let count = text.split(separator: "\n").count
    #expect(text.utf8.count <= 64 << 10 && count > 1_000 && count < 3_000)
    #expect(scenario.status.contains("Copied \(TextFormat.count(count)) of 3,000 playback addresses"))
  }

  @Test func `a missing clipboard, or missing addresses, are reported`() {
    let bare = Scenario.showing(width: 200, hasClipboard: false).typing("tty")
    #expect(bare.status.contains("no clipboard support") && copies(bare).isEmpty)
    let lacking = Scenario.showing((0..<3).map(sampleVideoWithoutDetails), width: 200, layout: .list).typing("Ty")
    #expect(lacking.status.contains("have no playback addresses yet") || copies(lacking).count == 1)
  }

  @Test func `d downloads the selection, and D pressed twice deletes it`() {
    var scenario = list().typing("ttd")
    #expect(downloads(scenario).map(\.title).count == 2)
    #expect(scenario.status.contains("Downloading 2 videos"))
    #expect(scenario.typing("d").status.contains("Nothing to download: the 2 videos"))
    scenario.type("D")
    #expect(scenario.status.contains("Press D again to delete 2 downloads."))
    let before = scenario.effects.count
    scenario.type("D")
    #expect(scenario.effects[before...].count { if case .removeDownload = $0 { true } else { false } } == 2)
  }

  @Test func `too many downloads at once are refused`() {
    let scenario = list(201).typing("Td")
    #expect(downloads(scenario).isEmpty && scenario.status.contains("Could not download 201 videos"))
    #expect(downloads(list(200).typing("Td")).count == 200)
  }

  // MARK: - Commands for one card

  @Test func `playing and details apply to the current card`() {
    let scenario = list().typing("tt")
    #expect(scenario.typing("<Enter>").state.selectedVideo?.id == "film-2")
    #expect(scenario.typing(" ").loads.map(\.title) == [sampleVideo(2).title])
  }

  @Test func `in the full window a mark applies to the playing video`() {
    var scenario = Scenario.playing().typing("q").typing("<Esc>ttggj f")
    scenario.type("x")
    #expect(marked(.watched, scenario).count == 1)
  }
}
