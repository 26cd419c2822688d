import Screen
import Testing

@testable import AppCore

/// The table of keys as the documentation gives it.
struct KeyTableTests {
  static let everywhere: [(String, Command)] = [
    ("?", .toggleHelp), ("<C-l>", .repaint), ("<C-z>", .suspend), ("<C-c>", .quit),
  ]

  static let cards: [(String, Command)] = [
    ("h<Left>", .moveLeft), ("l<Right>", .moveRight), ("k<Up>", .moveUp), ("j<Down>", .moveDown),
    ("<C-d>", .halfPageDown), ("<C-u>", .halfPageUp), ("<C-f><PgDn>", .pageDown), ("<C-b><PgUp>", .pageUp),
    ("g<Home>", .first), ("G<End>", .last), ("<Enter>", .openPane), (" ", .play), ("r", .refreshOrRetry),
    ("m", .loadMore), ("v", .nextLayout), ("V", .previousLayout), ("/", .search), ("n", .nextMatch),
    ("<Tab>", .nextTab), ("<S-Tab>", .previousTab), ("1", .tab(1)), ("9", .tab(9)), ("N", .previousMatch),
    ("y", .copyPlayback), ("Y", .copyCover), ("o", .openPage), ("<Esc>", .dismiss), ("q", .quit),
  ]

  static let pane: [(String, Command)] = [
    ("j<Down>", .moveDown), ("k<Up>", .moveUp), ("<C-d>", .halfPageDown), ("<C-u>", .halfPageUp),
    ("<C-f><PgDn>", .pageDown), ("<C-b><PgUp>", .pageUp), ("g<Home>", .first), ("G<End>", .last),
    ("h<Left>", .previousVideo), ("l<Right>", .nextVideo), ("i", .toggleCover), (" ", .play), ("y", .copyPlayback),
    ("Y", .copyCover), ("o", .openPage), ("r", .refreshOrRetry), ("q<Esc>", .closePane),
  ]

  @Test func `each key has its command in each context`() throws {
    for (context, table) in [(KeyContext.cards, Self.cards), (.pane, Self.pane)] {
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
    let text = Scenario.showing(width: 100, height: 80).typing("?").state.draw().text
    for context in KeyContext.allCases {
      for row in Keymap.bindings(in: context) { #expect(text.contains(row.help)) }
    }
  }

  @Test func `in a small window the help scrolls to its end and any other key closes it`() {
    let help = Scenario.showing(width: 40, height: 10).typing("?")
    #expect(!help.state.draw().text.contains("quit at once"))
    #expect(help.typing(String(repeating: "j", count: 80)).state.draw().text.contains("quit at once"))
    #expect(help.typing("jjkk").state.draw().text == help.state.draw().text)
    for key in ["?", "q", "<Esc>", "<Enter>"] { #expect(help.typing(key).state.help == nil) }
  }

  @Test(arguments: [("<C-l>", AppEffect.repaint), ("<C-z>", .suspend), ("<C-c>", .quit)])
  func `control keys work everywhere`(key: String, effect: AppEffect) {
    for place in ["", "?", "/ab", "<Enter>", "<Enter>?"] {
      #expect(Scenario.showing().typing(place + key).effects.last == effect)
    }
  }
}
