import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct StatusLineTests {
  @Test func `a hidden video counts neither among the shown nor among all`() {
    let hidden = Scenario.showing(sampleVideos(10), total: 40).typing("X")
    #expect(hidden.status.hasPrefix("   1 of 39 · "))
    #expect(hidden.typing("X").status.hasPrefix("   1 of 38 · "))
  }

  @Test(arguments: [80, 100, 200])
  func `a message hides neither the position nor the name nor the help`(width: Int) {
    for message in ["Nothing new", String(repeating: "a long message ", count: 20)] {
      let line = StatusLine(
        position: (1, 20), name: "films.example", facts: ["from 3 h ago"], message: message,
        hints: Keymaps.standard.hints.cards,
        widths: TextWidths())
      let text = drawn(line, width: width)
      #expect(text.hasPrefix("   1 of 20 · films.e") && text.hasSuffix("  ? help"))
      #expect(text.contains(message) || line.note(below: Rect(x: 0, y: 0, width: width, height: 1))?.text == message)
    }
  }

  @Test func `a long message hides no fact`() {
    func text(_ message: String) -> String {
      drawn(
        StatusLine(
          position: (1, 20), name: "films.example", facts: ["3 skipped", "from 3 h ago"], message: message,
          hints: Keymaps.standard.hints.cards.suffix(1), widths: TextWidths()), width: 80)
    }
    #expect(text("Nothing new").hasPrefix("   1 of 20 · films.example · 3 skipped · from 3 h ago · Nothing new  "))
    let message = "Nothing new in any of the sources of this tab"
    #expect(text(message).hasPrefix("   1 of 20 · films.example · 3 skipped · from 3 h ago   "))
  }

  @Test(arguments: [("Enter details", "<Enter>"), ("space play", " "), ("/ search", "/"), ("? help", "?")])
  func `a click on a hint performs its key`(hint: String, key: String) throws {
    let scenario = Scenario.showing()
    let clicked = try clicking(hint, in: scenario)
    #expect(clicked.screen == scenario.typing(key).screen)
    #expect(clicked.screen != scenario.screen)
  }

  @Test func `the hints of the help and of the search can be clicked`() throws {
    let help = Scenario.showing().typing("?")
    #expect(try clicking("^D page down", in: help).screen == help.typing("<PgDn>").screen)
    #expect(try clicking("q close", in: help).state.help == nil)
    let search = Scenario.showing().typing("/sint")
    #expect(try clicking("Esc cancel", in: search).state.cards.prompt == nil)
  }

  @Test func `the wheel scrolls the help`() {
    var help = Scenario.showing(width: 80, height: 12).typing("?")
    help.handle(.input(.mouse(MouseEvent(.wheelDown, at: .zero))))
    #expect(help.screen == Scenario.showing(width: 80, height: 12).typing("?jjj").screen)
    help.handle(.input(.mouse(MouseEvent(.wheelUp, at: .zero))))
    #expect(help.screen == Scenario.showing(width: 80, height: 12).typing("?").screen)
  }

  private func clicking(_ words: String, in scenario: Scenario) throws -> Scenario {
    var scenario = scenario
    let row = Array(scenario.status)
    let start = try #require(row.indices.first { String(row[$0...]).hasPrefix(words) })
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: start, y: scenario.state.size.height - 1)))))
    return scenario
  }

  @Test func `a message without room is in lines above`() {
    let line = StatusLine(
      position: (1, 20), name: "films.example", facts: [], message: "Copied the address of it",
      hints: Keymaps.standard.hints.cards,
      widths: TextWidths())
    #expect(drawn(line, width: 24) == "   1 of 20 · f…  ? help")
    var canvas = Canvas(size: Size(width: 24, height: 4))
    line.note(below: Rect(x: 0, y: 3, width: 24, height: 1))?.draw(atBottomOf: canvas.bounds, on: &canvas)
    #expect(canvas.text == "\n\n  Copied the address of\n  it")
  }

  @Test(arguments: [(40, 15), (20, 6)])
  func `the key of the help is always visible`(width: Int, height: Int) {
    for keys in ["", "fzebra<Enter>", "x", "X"] {
      #expect(Scenario.showing(width: width, height: height).typing(keys).status.hasSuffix("? help"))
    }
  }

  @Test(arguments: [
    (12, 4, "needs 20×6"), (10, 3, "needs 20×6"), (6, 3, "needs\n20×6"), (19, 6, "feedfall needs 20×6"),
  ])
  func `a window that is too small names the size it needs`(width: Int, height: Int, words: String) {
    #expect(Scenario.showing(width: width, height: height).screen.hasPrefix(words))
  }

  @Test func `a large position has separators`() {
    let line = StatusLine(position: (61, 3_000), name: "films", facts: [], hints: [], widths: TextWidths())
    #expect(drawn(line, width: 60) == "     61 of 3,000 · films")
  }

  @Test(arguments: [1, 2, 8, 9, 24, 40, 79, 80, 120, 300])
  func `no width breaks the line`(width: Int) {
    let line = StatusLine(
      position: (1, 20), name: "films.example", facts: ["from 3 h ago"], hints: Keymaps.standard.hints.cards,
      widths: TextWidths())
    let text = drawn(line, width: width)
    #expect(TextWidths().width(of: text) <= width)
    #expect(width < 80 || (text.contains("films.example · from 3 h ago  ") && text.hasSuffix("? help")))
  }

  private func drawn(_ line: StatusLine, width: Int) -> String {
    var canvas = Canvas(size: Size(width: width, height: 1))
    line.draw(in: canvas.bounds, on: &canvas)
    return canvas.text
  }

  @Test func `an empty tab has the keys that help there`() {
    var empty = Scenario()
    #expect(empty.status.hasSuffix("  q quit  ? help"))
    #expect(!empty.status.contains("details"))
    empty.answer(FeedPage(videos: []))
    #expect(empty.status.hasSuffix("  r refresh  q quit  ? help"))
    var failed = Scenario()
    failed.fail(FeedFailure(.temporary, "the network is down"))
    #expect(failed.status.hasSuffix("  r retry  q quit  ? help"))
    #expect(failed.typing("<Esc>").status == failed.status)
  }

  @Test func `after a failure of playback the keys are those that help`() {
    var scenario = Scenario.playing()
    scenario.report(.ended(.failed(.timedOut)))
    #expect(scenario.status.hasSuffix("  o open page  r retry  q back  ? help"))
  }
}
