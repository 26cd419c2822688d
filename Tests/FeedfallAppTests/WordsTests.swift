import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// Sentences that name keys.
@Suite(.hangLimit) struct WordsTests {
  private typealias Sentence = @Sendable (Words) -> String?

  private static let failures = [
    FeedFailure(.temporary, "no answer", advice: "check the network"), FeedFailure(.wait(seconds: 7), "busy"),
  ]
  private static func file(isWhole: Bool) -> DownloadedFile? {
    var file = FileAddress(path: "/films/a.mp4".utf8).map {
      DownloadedFile(address: $0, byteCount: 7, time: UnixTime(seconds: 5))
    }
    file?.mayBeIncomplete = !isWhole
    return file
  }

  private static let general: [Sentence] = [
    { $0.empty }, { $0.noActiveSearch }, { $0.askToQuit(.playing) }, { $0.askToQuit(.downloads(2)) },
    { $0.askToQuit(.closedScreen) }, { $0.noPage }, { $0.promptNeedsCards }, { $0.promptNeedsWindow },
    { $0.unbound(.go("x")) }, { $0.noMatch(among: 7, isTyped: false, hint: nil) }, { $0.filterExamples },
    { $0.emptySource }, { $0.moreNews(7) }, { $0.done("moved “A”", hides: true) }, { $0.none(.queued) },
    { $0.none(.download) }, { $0.header(for: .failed(hold: nil), spinner: "", age: nil) },
    { $0.header(for: .failed(hold: .seconds(7)), spinner: "", age: nil) },
    { $0.footer(for: .failed(hold: nil), spinner: "", end: "") },
    { $0.footer(for: .failed(hold: .seconds(7)), spinner: "", end: "") }, { $0.searched(7) }, { $0.paused(7) },
    { $0.noPromptForPaste }, { $0.text(.unknown("zzz", similar: nil)) },
    { $0.noChannel(hasPage: true) }, { $0.noViewInOrder("title ▼") },
  ]

  private static let loading: [Sentence] = failures.flatMap { failure -> [Sentence] in
    [
      { $0.detailsNote(failure, after: nil) }, { $0.detailsNote(failure, after: .copy) },
      { $0.coverNote(failure, beside: nil) }, { $0.nextFailed(failure) }, { $0.downloadFailed(failure, "A") },
      { $0.downloadStalled(failure, "A") },
    ]
  }

  private static let playing: [Sentence] = [
    { $0.noAddress("A", hasPage: true, isListed: true) }, { $0.nothingPlays }, { $0.wayBack },
    { $0.playFailed(.timedOut, hasPage: true) }, { $0.playFailed(.notSeekable, hasPage: false) },
    { $0.playFailed(.timedOut, title: "A") }, { $0.loss(from: .pixels, to: .cells) },
    { $0.text(for: .screenshotFailed(reason: "no space")) }, { $0.text(for: .loopMarks(.start(7))) },
  ]

  private static let downloads: [Sentence] = [
    { $0.nothingToRemove }, { words in file(isWhole: false).map { words.downloaded("A", $0) } },
    { file(isWhole: false).map($0.alreadyDownloaded) }, { file(isWhole: true).map($0.alreadyDownloaded) },
    { $0.isDownloading("A") },
    { $0.confirmRemoval(.waiting, "A") }, { $0.text(.isLive, "A") }, { $0.text(.noChoice(.audio), "A") },
    { $0.downloadState(.waiting, waitingFor: .listing(source: nil)) },
  ]

  private static let all = general + loading + playing + downloads

  private static func binding(to key: Key?) -> Keymaps {
    var keymaps = Keymaps.standard
    for name in Layer.allCases.flatMap({ Keymaps.standard[$0].rows }).map(\.name) {
      if let key { keymaps.bind(name, to: key) } else { keymaps.bind(name) }
    }
    return keymaps
  }

  @Test func `every sentence that names a key names that of the user`() throws {
    let words = Words(keys: Self.binding(to: .character("§")))
    for (index, sentence) in Self.all.enumerated() {
      let text = try #require(sentence(words), "\(index)")
      #expect(text.contains("§") && text != sentence(Words(keys: .standard)), "\(text)")
    }
  }

  @Test func `a sentence is complete without the keys that are not bound`() throws {
    let words = Words(keys: Self.binding(to: nil))
    for (index, sentence) in Self.all.enumerated() {
      let text = try #require(sentence(words), "\(index)")
      for rest in ["  ", " .", "Press"] { #expect(!text.contains(rest), "\(text)") }
      #expect(!text.hasSuffix("·") && !text.hasSuffix(" ") && text.contains("(") == text.contains(")"), "\(text)")
    }
    #expect(words.noActiveSearch == "No active search.")
    #expect(words.askToQuit(.playing) == "A video is playing.")
    #expect(words.text(.unknown("zzz", similar: nil)) == "Unknown command: “zzz”. Type :help for all commands.")
  }

  // MARK: - On the screen

  private func scenario(count: Int = 20, width: Int = 120, _ sources: Int = 1) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: false)])
    for (name, key) in [
      ("browse.undo", "U"), ("cards.search", "F"), ("browse.refresh", "R"), ("cards.toggle-queued", "Q"),
      ("browse.download", "L"), ("browse.play", "Z"), ("browse.copy-playback-address", "C"), ("global.help", "H"),
      ("browse.remove-download", "$"), ("player.replay", "W"), ("browse.open-page", "O"), ("global.quit", "E"),
      ("browse.show-playing", "I"), ("cards.load-more", "M"), ("cards.filter", "B"), ("global.type-command", ";"),
    ] {
      #expect(Layer.allCases.contains { settings.keys[$0].rows.contains { $0.name == name } }, "\(name)")
      settings.keys.bind(name, to: .character(Character(key)))
    }
    var scenario = Scenario(settings, width: width, height: 24)
    scenario.answer(FeedPage(videos: sampleVideos(count)))
    return scenario
  }

  @Test(arguments: [
    ("x", "U to undo"), ("n", "No active search. Press F to search titles."),
    ("gq", "The queue is empty. Press Q on a card to add its video."), ("gd", "No downloads. Press L on a card"),
    (",", "Nothing is playing. Press Z to play the selected video."), ("<Enter>", "C copy"), ("<Enter>", "O open"),
    ("gx", "No command has the keys gx. Press H for all keys."), ("Bzzzz<Enter>", "Press B to change the filter."),
    ("$", "This video has not been downloaded. Press L to download it."), ("L", "$ to cancel"),
    ("ZE", "A video is playing. Press E again to quit."), ("Z<Enter>q", "I show player"), ("B", "then H)"),
    (";zzzz<Enter>", "Press ;, then Tab for all commands."), ("", "H help"),
  ])
  func `the screen names the user's keys`(keys: String, text: String) {
    let typed = scenario().typing(keys)
    #expect(typed.screen.contains(text), "\(typed.screen)")
  }

  @Test func `failures and empty tabs name the user's keys`() {
    #expect(scenario(count: 0).screen.contains("No videos. Press R to refresh."))
    var failed = scenario().typing("Z")
    failed.report(.ended(.failed(.timedOut)))
    #expect(failed.screen.contains("Press W to retry, O for its page."), "\(failed.screen)")
  }
}
