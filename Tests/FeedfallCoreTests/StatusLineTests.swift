import FeedfallFeeds
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallCore

@Suite(.hangLimit) struct StatusLineTests {
  @Test func `position and source are on the left, the keys of the context on the right`() {
    let cards = Scenario.showing()
    #expect(cards.status.hasPrefix("   1 of 20 · films.example  "))
    #expect(cards.status.hasSuffix("  Enter details  space play  / search  ? help"))
    #expect(cards.typing("<Enter>").status.hasSuffix("  y copy address  space play  q back  ? help"))
    #expect(cards.typing(" ").status.hasSuffix("  f full window  space pause  q stop  ? help"))
  }

  @Test func `the whole line has its own background`() {
    let roles = Scenario.showing().state.draw().roles.split(separator: "\n").last
    #expect(roles?.allSatisfy { $0 == "u" || $0 == "q" } == true)
  }

  @Test(arguments: [80, 100, 200])
  func `a message hides neither the name nor the help`(width: Int) {
    for message in ["Nothing new", String(repeating: "a long message ", count: 20)] {
      let line = StatusLine(
        position: (1, 20), name: "films.example", facts: [], message: message, hints: HintWords.cards)
      let text = drawn(line, width: width)
      #expect(text.hasPrefix("  films.e") && text.contains(message.prefix(11)) && text.hasSuffix("  ? help"))
    }
  }

  @Test func `a narrow line shows the message alone`() {
    let line = StatusLine(
      position: (1, 20), name: "films.example", facts: [], message: "Copied the address", hints: HintWords.cards)
    #expect(drawn(line, width: 24) == "  Copied the address")
  }

  @Test(arguments: 1...300)
  func `no width breaks the line`(width: Int) {
    let line = StatusLine(
      position: (1, 20), name: "films.example", facts: ["from 3 h ago"], hints: HintWords.cards)
    let text = drawn(line, width: width)
    #expect(cellWidth(of: text) <= width)
    #expect(width < 80 || (text.contains("films.example · from 3 h ago  ") && text.hasSuffix("? help")))
  }

  private func drawn(_ line: StatusLine, width: Int) -> String {
    var canvas = Canvas(size: Size(width: width, height: 1))
    line.draw(in: canvas.bounds, on: &canvas)
    return canvas.text
  }
}
