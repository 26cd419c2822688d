import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct KeymapTests {
  private let keys = Keymaps.standard
  private static let shown = Layer.inHelp.map { Keymaps.standard[$0] }

  @Test func `command names are unique and start with their layer`() {
    let names = Layer.allCases.flatMap { keys[$0].rows }.map(\.name)
    #expect(Set(names).count == names.count)
    for layer in Layer.allCases { #expect(Set(keys[layer].rows.map { $0.name.prefix { $0 != "." } }).count == 1) }
  }

  @Test func `every command has a key, a help text and its layer`() {
    for layer in Layer.allCases {
      for row in keys[layer].rows { #expect(!row.keys.isEmpty && !row.help.isEmpty && row.command.layer == layer) }
    }
  }

  @Test func `a key that is bound twice in a layer, or that begins a prefix, is a collision`() {
    #expect(collisions(in: keys).isEmpty)
    var changed = keys
    changed.bind("cards.move-down", to: .character("l"))
    changed.bind("player.pause", to: .character("g"))
    #expect(collisions(in: changed) == ["player.pause", "cards.move-down"])
  }

  /// The names of the commands whose key stands for an earlier one of their layer, or begins a prefix.
  private func collisions(in keys: Keymaps) -> [String] {
    Layer.allCases.flatMap { layer in
      var earlier = layer == .prompt ? [] : Set(Keymaps.prefixes.keys)
      return keys[layer].rows.filter { !$0.keys.allSatisfy { earlier.insert($0).inserted } }.map(\.name)
    }
  }

  // MARK: - Prefixes

  @Test func `after g the status line shows the keys that may follow, which a click performs`() {
    let pending = Scenario.showing(width: 120).typing("Gg")
    let hints = ["gg first card", "gc channel", "gr related", "gl links", "gp playing", "gq Queue", "gh History"]
    for hint in hints + ["gd Downloads"] {
      #expect(pending.status.contains(hint), "\(hint)")
    }
    #expect(pending.typing("g").state.tabs.selected.cards.selection == 0)
    #expect(pending.typing("<Esc>").screen == Scenario.showing(width: 120).typing("G").screen)
    #expect(Scenario.showing().typing("gjj").screen == Scenario.showing().typing("j").screen)
  }

  @Test func `a paste and a click end a prefix`() {
    var pasted = Scenario.showing().typing("g")
    pasted.handle(.input(.paste("https://a.example")))
    #expect(pasted.typing("x").screen.contains("https://a.examplex"))
    var clicked = Scenario.showing().typing("g")
    clicked.handle(.input(.mouse(MouseEvent(.press, at: Point(x: 2, y: 4)))))
    #expect(clicked.state.prefixHints == nil && clicked.typing("j").screen != clicked.screen)
  }

  @Test(arguments: [("q", "The queue is empty"), ("h", "No played videos"), ("d", "No downloads")])
  func `the tabs of records open from the cards, the details, the player and the help`(key: String, text: String) {
    for place in ["", "<Enter>", " ", " f", "?"] {
      #expect(Scenario.showing().typing(place + "g" + key).screen.contains(text), "\(place)")
    }
  }

  @Test func `a key without a meaning after a prefix is named in a message`() {
    #expect(Scenario.showing().typing("gx").screen.contains("No command has the keys gx. Press ? for all keys."))
    #expect(Scenario.showing().typing("?gx").screen.contains("No command has the keys gx."))
    #expect(Scenario.showing().typing("g<C-c>").effects.last == .quit)
    #expect(Scenario.showing().typing("/ag").screen.contains("Search: ag"))
  }

  // MARK: - The user's keys

  @Test func `changed keys act, and hints and help name them`() {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.keys.bind("cards.open-details", to: .character("O"))
    settings.keys.bind("browse.play")
    var scenario = Scenario(settings, width: 120, height: 40)
    scenario.answer(FeedPage(videos: sampleVideos(20)))
    #expect(scenario.typing("O").state.details != nil && scenario.typing("<Enter>").state.details == nil)
    #expect(scenario.status.contains("O details") && !scenario.status.contains("play"))
    #expect(scenario.typing("?").screen.contains(" O                details"))
  }

  // MARK: - Commands

  @Test(arguments: ["", "<Enter>"])
  func `the arrows, Home and End do the same as letters`(place: String) {
    let start = Scenario.showing(width: 60, height: 12).typing(place)
    for (keys, letters) in [
      ("<Right>", "l"), ("<Right><Left>", "lh"), ("<Down>", "j"), ("<Down><Down><Up>", "jjk"), ("<End>", "G"),
      ("<End><Home>", "Ggg"),
    ] { #expect(start.typing(keys).screen == start.typing(letters).screen, "\(keys)") }
  }

  @Test(arguments: [
    (" ", PlayerCommand.control(.togglePause)), ("<Left>", .control(.seek(.by(-5)))),
    ("<Right>", .control(.seek(.by(5)))),
    ("<S-Left>", .control(.seek(.by(-15)))), ("<S-Right>", .control(.seek(.by(15)))), ("0", .control(.seek(.share(0)))),
    ("9", .control(.seek(.share(0.9)))), ("+=", .control(.changeVolume(by: 5))), ("-", .control(.changeVolume(by: -5))),
    ("m", .control(.toggleMute)), ("]", .control(.changeRate(faster: true))),
    ("[", .control(.changeRate(faster: false))),
    ("b", .control(.changeBrightness(by: -5))), ("B", .control(.changeBrightness(by: 5))), ("f", .toggleFullWindow),
    ("z", .control(.toggleFit)), ("w", .control(.togglePresentation(.window))),
    ("ea", .control(.togglePresentation(.soundOnly))), ("P", .pictureInPicture), ("n", .playNext), ("p", .playPrevious),
    ("c", .control(.cycleSubtitles)), ("A", .control(.cycleSoundTracks)), ("H", .control(.cycleHeight)),
    ("N", .control(.toggleAutoplay)), ("s", .control(.takeScreenshot)), ("r", .control(.replay)), ("<Enter>", .leave),
    ("q<Esc>", .stop),
  ])
  func `a key in the player has its command`(script: String, command: PlayerCommand) throws {
    for key in try FeedfallScreen.keys(typed: script) { #expect(keys[.player].command(for: key) == .player(command)) }
  }

  @Test func `the cards bind at most 50 printable keys besides digits`() {
    let keys = [Layer.cards, .browse, .global].flatMap { Keymaps.standard[$0].rows }.flatMap(\.keys).filter {
      $0.typed.map { !$0.isNumber } ?? false
    }
    #expect(Set(keys).count == keys.count && keys.count <= 50)
  }

  @Test func `the details bind keys that the player does not`() {
    for key: Key in [.character("j"), .character("h"), .character("l"), .pageDown, .end] {
      #expect(keys.command(for: key, in: [.player]) == nil && keys.command(for: key, in: [.details]) != nil)
    }
  }

  @Test func `a long text in a narrow help is wrapped`() {
    let lines = rows(Scenario.showing(width: 40, height: 60).typing("?"))
    #expect(lines.contains { $0.hasPrefix(" k ↑           card above; at the top,") })
    #expect(lines.contains { $0.hasPrefix("               pull to refresh") })
  }

  @Test func `the keys in the README exist`() throws {
    let readme = String(decoding: try fileBytes(of: packageRoot + "/README.md"), as: UTF8.self)
    let table = try #require(readme.split(separator: "\n## ").first { $0.hasPrefix("Keys") })
    let known = Set(Self.shown.flatMap(\.lines).flatMap { $0.keys.split(separator: " ") })
    let named = table.matches(of: #/`([^`]+)`/#).flatMap { $0.1.split(separator: " ") }
    #expect(named.count > 20 && known.isSuperset(of: named))
  }

  private func rows(_ scenario: Scenario) -> [Substring] {
    scenario.screen.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `in a small window the help scrolls to its end, and only its own keys close it`() {
    let help = Scenario.showing(width: 40, height: 10).typing("?")
    #expect(!help.screen.contains("anna | bert"))
    #expect(rows(help)[9].contains("Help · 1–9 of "))
    for keys in [String(repeating: "j", count: 500), "G", "<End>", String(repeating: " ", count: 60)] {
      #expect(help.typing(keys).screen.contains("anna | bert"))
      #expect(help.typing(keys + "gg").screen == help.screen)
    }
    #expect(help.typing("jjkk").screen == help.screen)
    for key in ["?", "q", "<Esc>"] { #expect(help.typing(key).state.help == nil) }
    for key in ["<Enter>", "x", "<Tab>"] { #expect(help.typing(key).state.help != nil) }
  }

  @Test(arguments: [("", "Cards", "details"), ("<Enter>", "Details", "back to"), (" ", "Player", "stop;")])
  func `the help begins with the ten most useful keys of the context`(keys: String, title: String, key: String) {
    let lines = rows(Scenario.showing(width: 80, height: 24).typing(keys + "?"))
    #expect(lines[0].hasPrefix(" Most useful") && lines[1...10].contains { $0.contains(key) })
    #expect(lines[12].hasPrefix(" \(title)"))
  }

  @Test func `the help has every command and condition`() {
    let text = Scenario.showing(width: 100, height: 300).typing("?").state.draw().text
    for line in [":subscribe", ":where", "length:20m..90m", "starred"] { #expect(text.contains(line)) }
  }

  @Test func `the help beside a failure begins with its keys, and the global keys precede other contexts`() throws {
    var scenario = Scenario.showing(next: .page(1), height: 200).typing("m")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    let titles = rows(scenario.typing("?")).filter {
      !$0.hasPrefix("  ") && Self.shown.map(\.title).contains(String($0.dropFirst()))
    }
    #expect(
      titles.map { $0.dropFirst() } == [
        "Failure", "Cards", "Cards and details", "Everywhere", "Player", "Details", "List of sources", "Prompts",
        "Help",
      ])
  }

  @Test(arguments: [(80, 1), (120, 2), (180, 3)])
  func `a wide window shows the help in columns`(width: Int, columns: Int) {
    let scenario = Scenario.showing(width: width, height: 200).typing("?")
    let titles = Self.shown.map(\.title)
    let starts = Set(
      rows(scenario).flatMap { row in
        (0..<columns).filter { column in
          titles.contains {
            row.dropFirst(column * (width / columns) + 1).hasPrefix("\($0) ")
              || row.dropFirst(column * (width / columns) + 1) == $0
          }
        }
      })
    #expect(starts == Set(0..<columns))
    for row in Self.shown.flatMap(\.rows) { #expect(scenario.screen.contains(row.help)) }
  }

  @Test func `a filter shows only the keys that contain it`() {
    let help = Scenario.showing(width: 80, height: 24).typing("?/auto")
    #expect(help.screen.contains("toggle autoplay"))
    #expect(help.screen.contains("Filter: auto▏"))
    #expect(!help.screen.contains("close the help"))
    #expect(!help.screen.contains("Cards"))
    #expect(help.typing("q").screen.contains("No match for “autoq”"))
    #expect(help.typing("<Enter>q").state.help == nil)
    let again = help.typing("<Enter>/").screen
    #expect(again == Scenario.showing(width: 80, height: 24).typing("?/").screen)
    let canceled = help.typing("<Esc>")
    #expect(canceled.state.help != nil)
    #expect(canceled.screen == Scenario.showing(width: 80, height: 24).typing("?").screen)
  }

  @Test(arguments: [("<C-l>", AppEffect.repaint), ("<C-z>", .suspend)])
  func `control keys work everywhere`(key: String, effect: AppEffect) {
    for place in ["", "?", "/ab", ":ab", "?/ab", "<Enter>", "<Enter>?", " ", " f"] {
      #expect(Scenario.showing().typing(place + key).effects.last == effect)
    }
  }

  @Test(arguments: ["", "<Enter>", " ", " f"])
  func `Control-C quits if there is nothing to cancel`(place: String) {
    #expect(Scenario.showing().typing(place + "<C-c>").effects.last == .quit)
  }

  @Test(arguments: ["<C-c>", "<C-g>"])
  func `Control-C and Control-G cancel prompts, the help and a failure`(key: String) {
    for place in ["/ab", "fab", ":ab", "?", "?/ab"] {
      let escaped = Scenario.showing().typing(place + "<Esc>")
      let canceled = Scenario.showing().typing(place + key)
      #expect(canceled.screen == escaped.screen && !canceled.effects.contains(.quit), "\(place)")
    }
    var failed = Scenario.showing(next: .page(1)).typing("m")
    failed.fail(FeedFailure(.temporary, "the connection was reset"))
    #expect(failed.typing(key).screen == failed.typing("<Esc>").screen)
    #expect(!failed.typing(key).effects.contains(.quit) && failed.typing(key + "<C-c>").effects.last == .quit)
  }

  @Test func `a key with modifiers that no keymap names changes nothing`() throws {
    let bases: [Key.Base] =
      "abdefgjknpqrsuxADJX:/?*2 ".map { .character($0) } + [
        .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .escape, .tab, .backspace, .delete,
        .function(1),
      ]
    let named = Set(Self.shown.flatMap(\.rows).flatMap(\.keys))
    for place in ["", "/ab", "fab", ":ab", "?", "?/ab", "<Enter>", " ", " f", "x", "a"] {
      let before = Scenario.showing().typing(place)
      for bits: UInt8 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 63] {
        let unnamed = bases.map { Key($0, Key.Modifiers(rawValue: bits)) }.filter { !named.contains($0) }
        var after = before
        for key in unnamed {
          after.handle(.input(.key(key)))
          #expect(after.effects.count == before.effects.count, "\(place) \(key.script)")
        }
        #expect(after.screen == before.screen, "\(place) \(unnamed.map(\.script))")
      }
    }
  }

  @Test func `Esc clears a kept filter of the help before it closes the help`() {
    let kept = Scenario.showing(width: 80, height: 24).typing("?/auto<Enter>")
    #expect(kept.status.contains("filter “auto”"))
    let cleared = kept.typing("<Esc>")
    #expect(cleared.screen == Scenario.showing(width: 80, height: 24).typing("?").screen)
    #expect(cleared.typing("<Esc>").state.help == nil)
    #expect(kept.typing("q").state.help == nil)
  }
}
