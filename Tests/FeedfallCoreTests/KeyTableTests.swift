import FeedfallPlaying
import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallCore

/// The table of keys as the documentation gives it.
@Suite(.hangLimit) struct KeyTableTests {
  static let everywhere: [(String, Command)] = [
    ("?", .toggleHelp), ("<C-l>", .repaint), ("<C-z>", .suspend), ("<C-c>", .quit),
  ]

  static let cards: [(String, Command)] = [
    ("h<Left>", .moveLeft), ("l<Right>", .moveRight), ("k<Up>", .moveUp), ("j<Down>", .moveDown),
    ("<C-d>", .halfPageDown), ("<C-u>", .halfPageUp), ("<C-f><PgDn>", .pageDown), ("<C-b><PgUp>", .pageUp),
    ("g<Home>", .first), ("G<End>", .last), ("<Enter>", .openPane), (" ", .play), ("r", .refreshOrRetry),
    ("p", .showPlayer), ("P", .toggleCorner), ("m", .loadMore), ("v", .nextLayout), ("V", .previousLayout),
    ("/", .search), ("n", .nextMatch),
    ("<Tab>", .nextTab), ("<S-Tab>", .previousTab), ("1", .tab(1)), ("9", .tab(9)), ("N", .previousMatch),
    ("y", .copyPlayback), ("Y", .copyCover), ("o", .openPage), ("<Esc>", .dismiss), ("q", .quit),
  ]

  static let pane: [(String, Command)] = [
    ("j<Down>", .moveDown), ("k<Up>", .moveUp), ("<C-d>", .halfPageDown), ("<C-u>", .halfPageUp),
    ("<C-f><PgDn>", .pageDown), ("<C-b><PgUp>", .pageUp), ("g<Home>", .first), ("G<End>", .last),
    ("h<Left>", .previousVideo), ("l<Right>", .nextVideo), ("i", .toggleCover), (" ", .play), ("y", .copyPlayback),
    ("Y", .copyCover), ("o", .openPage), ("r", .refreshOrRetry), ("q<Esc>", .closePane), ("p", .showPlayer),
  ]

  static let player: [(String, Command)] = [
    (" ", .player(.togglePause)), ("<Left>", .player(.seek(.by(-5)))), ("<Right>", .player(.seek(.by(5)))),
    ("<S-Left>", .player(.seek(.by(-15)))), ("<S-Right>", .player(.seek(.by(15)))),
    ("0", .player(.seek(.share(0)))), ("9", .player(.seek(.share(0.9)))), ("+=", .player(.changeVolume(by: 5))),
    ("-", .player(.changeVolume(by: -5))), ("m", .player(.toggleMute)), ("]", .player(.changeRate(faster: true))),
    ("[", .player(.changeRate(faster: false))), ("b", .player(.changeBrightness(by: -5))),
    ("B", .player(.changeBrightness(by: 5))), ("f", .toggleFullWindow), ("z", .player(.toggleFit)),
    ("w", .player(.togglePresentation(.window))), ("a", .player(.togglePresentation(.soundOnly))),
    ("P", .toggleCorner), ("n", .playNext), ("p", .playPrevious), ("c", .player(.cycleSubtitles)),
    ("A", .player(.cycleSoundTracks)), ("H", .player(.cycleHeight)), ("N", .player(.toggleAutoplay)),
    ("s", .player(.takeScreenshot)), ("r", .player(.replay)), ("<Enter>", .leavePlayer), ("q<Esc>", .stopPlayer),
    ("j<Down>", .moveDown), ("k<Up>", .moveUp), ("<C-d>", .halfPageDown), ("<C-u>", .halfPageUp),
    ("<C-f><PgDn>", .pageDown), ("<C-b><PgUp>", .pageUp), ("g<Home>", .first), ("G<End>", .last),
    ("h", .previousVideo), ("l", .nextVideo), ("y", .copyPlayback), ("Y", .copyCover), ("o", .openPage),
  ]

  @Test func `each key has its command in each context`() throws {
    for (context, table) in [(KeyContext.cards, Self.cards), (.pane, Self.pane), (.player, Self.player)] {
      for (script, command) in table + Self.everywhere {
        for key in try keys(typed: script) { #expect(Keymap.command(for: key, in: context) == command) }
      }
    }
  }

  @Test(arguments: KeyContext.allCases)
  func `no key stands twice`(context: KeyContext) {
    let keys = Keymap.bindings(in: context).flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test func `the help shows every row`() {
    let text = Scenario.showing(width: 100, height: 140).typing("?").state.draw().text
    for context in KeyContext.allCases {
      for row in Keymap.bindings(in: context) { #expect(text.contains(row.help)) }
    }
  }

  @Test func `in a small window the help scrolls to its end and any other key closes it`() {
    let help = Scenario.showing(width: 40, height: 10).typing("?")
    #expect(!help.state.draw().text.contains("quit at once"))
    #expect(help.typing(String(repeating: "j", count: 140)).state.draw().text.contains("quit at once"))
    #expect(help.typing("jjkk").state.draw().text == help.state.draw().text)
    for key in ["?", "q", "<Esc>", "<Enter>"] { #expect(help.typing(key).state.help == nil) }
  }

  @Test(arguments: [("<C-l>", AppEffect.repaint), ("<C-z>", .suspend), ("<C-c>", .quit)])
  func `control keys work everywhere`(key: String, effect: AppEffect) {
    for place in ["", "?", "/ab", "<Enter>", "<Enter>?", " ", " f"] {
      #expect(Scenario.showing().typing(place + key).effects.last == effect)
    }
  }
}
