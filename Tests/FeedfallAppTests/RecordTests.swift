import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct RecordTests {
  /// The values of all events that were to be saved.
  private func saved(_ scenario: Scenario) -> [UserValue] {
    scenario.effects.flatMap { effect -> [UserValue] in
      if case .saveEvents(let events) = effect { events.map(\.value).filter { $0.field != .video } } else { [] }
    }
  }

  @Test func `x marks a video as watched, and a second time as unwatched`() {
    var scenario = Scenario.showing().typing("x")
    #expect(scenario.screen.contains("Channel 0 · ✓"))
    #expect(scenario.screen.contains("Marked “0 Elephants Dream” as watched · u to undo"))
    scenario.type("x")
    #expect(!scenario.screen.contains("✓"))
    #expect(saved(scenario) == [.watched(UnixTime(seconds: 0)), .watched(nil)])
  }

  @Test func `a star is shown in the cards, the list and the details`() {
    let scenario = Scenario.showing(width: 120, height: 40).typing("*j")
    #expect(scenario.screen.contains("Channel 0 · ★"))
    #expect(Scenario.showing(layout: .list).typing("*").screen.contains("★"))
    #expect(Scenario.showing(width: 120, height: 40).typing("*<Enter>").screen.contains("Starred"))
    #expect(saved(scenario) == [.flag(.starred, true)])
  }

  @Test func `marks work in the details and in the player`() {
    for scenario in [Scenario.showing().typing("<Enter>x*"), Scenario.playing().typing("x*")] {
      #expect(saved(scenario).contains(.flag(.starred, true)) && saved(scenario).contains { $0.field == .watched })
    }
  }

  @Test func `a video leaves a filter that a mark excludes, and returns when the mark is undone`() {
    var scenario = Scenario.showing().typing("funwatched<Enter>j")
    let all = ids(scenario)
    let id = scenario.state.selectedCard?.video.id
    scenario.type("x")
    #expect(ids(scenario) == all.filter { $0 != id })
    #expect(scenario.state.selectedCard != nil)
    scenario.type("u")
    #expect(ids(scenario) == all)
  }

  @Test(arguments: ["<Enter>", "<Enter>x"])
  func `the details are not wrapped again while the minute lasts`(keys: String) {
    var state = Scenario.showing(width: 120, height: 40).typing(keys).state
    let minute = 60_000 * 1_000
    _ = state.handle([.clockRead(UnixTime(seconds: 0))], at: minute)
    let text = state.detailsView?.text
    _ = state.handle([.clockRead(UnixTime(seconds: 59))], at: minute + 59_000)
    #expect(text != nil && state.detailsView?.text == text)
  }

  @Test func `hiding a video says how to show it again`() {
    let hidden = Scenario.showing(width: 160).typing("X")
    #expect(hidden.status.contains("Hid “0 Elephants Dream” · u to undo · f, then hidden, to show it"))
    let shown = hidden.typing("fhidden<Enter>")
    #expect(shown.state.selectedVideo?.id == "film-0")
    #expect(shown.typing("X").status.contains("filter “hidden” · Showed “0 Elephants Dream” again · u to undo"))
  }

  @Test func `a hidden video disappears, the next one is selected, and undo brings it back`() {
    var scenario = Scenario.showing().typing("lX")
    let all = sampleVideos(20).map(\.id)
    #expect(ids(scenario) == all.filter { $0 != all[1] })
    #expect(scenario.state.selectedCard?.video.id == all[2])
    scenario.type("llu")
    #expect(ids(scenario) == all)
    #expect(scenario.state.selectedCard?.video.id == all[1])
  }

  @Test func `all videos of a tab can be hidden`() {
    let scenario = Scenario.showing(sampleVideos(2)).typing("XXX")
    #expect(ids(scenario).isEmpty && scenario.state.selectedCard == nil)
    #expect(ids(scenario.typing("u")).count == 1)
  }

  @Test func `records that another device has changed are shown`() throws {
    var scenario = Scenario.showing()
    let card = try #require(scenario.state.selectedCard)
    var other = UserData()
    other.apply(UserEvent(time: 5, device: "other", key: card.key, value: .flag(.starred, true)))
    scenario.handle(.recordsChanged(other))
    #expect(scenario.screen.contains("Channel 0 · ★"))
    other.apply(UserEvent(time: 6, device: "other", key: card.key, value: .flag(.hidden, true)))
    scenario.handle(.recordsChanged(other))
    #expect(!ids(scenario).contains(card.video.id))
    #expect(saved(scenario).isEmpty)
  }

  @Test func `a video played to its end is marked as watched, once the next one plays`() {
    var scenario = Scenario.playing()
    scenario.report(.time(seconds: 100), .ended(.reachedEnd))
    #expect(saved(scenario).contains { $0.field == .watched })
    #expect(scenario.status.contains("Marked “0 Elephants Dream” as watched · u to undo"))
    scenario.type("u")
    #expect(saved(scenario).last == .watched(nil))
  }

  @Test func `a mark of the player is no step of the user's undo list once its line has gone`() {
    var scenario = Scenario.playing(width: 160).typing("<Enter>j*")
    scenario.report(.time(seconds: 99.9), .ended(.reachedEnd))
    scenario.type("ggu")
    #expect(scenario.status.contains("Undone: starred “"))
    #expect(
      saved(scenario).contains { $0 == .watched(UnixTime(seconds: 0)) } && !saved(scenario).contains(.watched(nil)))
  }

  @Test func `the next video keeps the line about the mark of the one before`() {
    var scenario = Scenario.playing(width: 160).typing("N")
    scenario.report(.time(seconds: 99.9), .ended(.reachedEnd))
    #expect(scenario.loads.count == 2 && scenario.status.contains("as watched · u to undo"))
    let last = Scenario.playing([sampleVideo(0)]).typing("N")
    scenario = last
    scenario.report(.time(seconds: 99.9), .ended(.reachedEnd))
    let words = "The last video of the list has ended · Marked “0 Elephants Dream” as watched · u to undo"
    #expect(scenario.screen.contains(words))
  }

  /// Any order of the user's changes, ends of the player, other keys and undos.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `u undoes exactly the change that the message offers`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var scenario = Scenario.showing(sampleVideos(4), width: 120, height: 24, layout: .list)
    var changes: [String] = []
    var playersMark: String?
    for _ in 0..<40 {
      let shownMark = playersMark
      playersMark = nil
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        scenario.type(["*", "x", "a"].randomElement(using: &random) ?? "*")
        offer(scenario).map { changes.append($0) }
      case 2:
        scenario.type(" ")
        scenario.report(.ready, .duration(seconds: 100), .time(seconds: 50), .time(seconds: 99.9), .ended(.reachedEnd))
        playersMark = offer(scenario)
      case 3: scenario.type(["j", "k", "gg", "<Esc>"].randomElement(using: &random) ?? "j")
      default:
        scenario.type("u")
        func isUndone(_ change: String) -> Bool {
          scenario.status.contains("Undone: \(change.prefix(1).lowercased() + change.dropFirst())")
        }
        if let shownMark {
          #expect(isUndone(shownMark))
        } else {
          // The player may have changed again what the last ones have changed.
          let undone = changes.lastIndex(where: isUndone)
          #expect(undone != nil || scenario.status.contains("Nothing to undo"))
          changes.removeSubrange((undone ?? 0)...)
        }
      }
    }
  }

  /// The change that the status line offers to undo.
  private func offer(_ scenario: Scenario) -> String? {
    let parts = scenario.status.split(separator: " · ").map(String.init)
    return parts.firstIndex { $0.hasPrefix("u to undo") }.flatMap { $0 > 0 ? parts[$0 - 1] : nil }
  }

  @Test func `a failure to save is reported with its reason`() {
    var scenario = Scenario.showing(width: 120)
    scenario.handle(.savingFailed("/proc/x: No such file or directory"))
    #expect(
      scenario.screen.contains("Could not save your marks: /proc/x: No such file or directory. Check the folder."))
  }

  @Test func `a failure to send marks is reported with what follows`() {
    #expect(
      Words.sendingFailed(FeedFailure(.temporary, "no answer in 10 s", advice: "check the network"))
        == "Could not send your marks: no answer in 10 s. They are sent later.")
    #expect(
      Words.sendingFailed(FeedFailure(.permanent, "the server refused the login", advice: "check user"))
        == "Could not send your marks: the server refused the login. Check user.")
  }

  @Test func `a message about the configuration is shown until the next key`() {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.notice = "Could not read config.toml:3:1: “x” is not known."
    var scenario = Scenario(settings, width: 120)
    scenario.answer(FeedPage(videos: sampleVideos(20), next: nil, total: nil))
    scenario.handle(.savingFailed("no room"))
    #expect(scenario.screen.contains("Could not save your marks") && !scenario.screen.contains("config.toml"))
    for case .toast(let ticket) in scenario.openWaits { scenario.handle(.waitElapsed(.toast(ticket))) }
    #expect(scenario.screen.contains("config.toml:3:1: “x” is not known."))
    #expect(!scenario.typing("j").screen.contains("config.toml"))
  }

  @Test(arguments: [
    (AppSettings.UnreadableFile.Fault.notSaved, "Could not save new marks: no room.", "marks not saved"),
    (.notRead, "Could not read your marks: no permission.", "marks not read"),
  ])
  func `marks that cannot be saved or read are named until the program ends`(
    fault: AppSettings.UnreadableFile.Fault, message: String, fact: String
  ) {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.unreadable = [AppSettings.UnreadableFile(contents: "marks", fault, message: message)]
    var scenario = Scenario(settings, width: 120)
    #expect(scenario.screen.contains(message))
    scenario.answer(FeedPage(videos: sampleVideos(20), next: nil, total: nil))
    scenario.type("jjj")
    #expect(!scenario.screen.contains("Could not read") && scenario.screen.contains(fact))
  }
}
