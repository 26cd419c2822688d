import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct KeyContextTests {
  @Test func `a failure above the cards handles a key before the cards, and in the details not at all`() {
    let failed = KeyContext(focus: .cards, hasFailure: true)
    let cards = KeyContext(focus: .cards, hasFailure: false)
    #expect(failed.command(for: .escape) == .failure(.dismiss))
    #expect(cards.command(for: .escape) == .cards(.clearSearch))
    #expect(failed.command(for: .character("r")) == .failure(.retry))
    #expect(cards.command(for: .character("r")) == .browse(.refreshOrRetry))
    #expect(KeyContext(focus: .details, hasFailure: true).command(for: .escape) == .details(.close))
    #expect(KeyContext(focus: .player, hasFailure: true).command(for: .escape) == .player(.stop))
  }

  @Test func `the player handles a key before the details around it`() {
    let context = KeyContext(focus: .player, hasFailure: false)
    #expect(context.command(for: .character(" ")) == .player(.control(.togglePause)))
    #expect(context.command(for: .character("i")) == .details(.toggleCover))
    #expect(context.command(for: .character("?")) == .global(.showHelp))
  }

  @Test func `every key has the command of the first keymap in the help that binds it`() {
    for focus in [KeyContext.Focus.cards, .details, .player] {
      for hasFailure in [false, true] {
        let context = KeyContext(focus: focus, hasFailure: hasFailure)
        for (index, section) in context.sections.enumerated() {
          let earlier = context.sections[..<index].flatMap(\.rows).flatMap(\.keys)
          for key in section.rows.flatMap(\.keys) where !earlier.contains(key) {
            #expect(context.command(for: key).map(self.section) == section)
          }
        }
      }
    }
  }

  @Test func `commands that the cards do not handle cancel a pull`() {
    let cards = KeyContext(focus: .cards, hasFailure: false)
    #expect(!cards.cancelsPull(.cards(.moveUp)))
    #expect(cards.cancelsPull(.browse(.play)))
    #expect(!KeyContext(focus: .details, hasFailure: false).cancelsPull(.browse(.play)))
  }

  private func section(of command: KeyContext.Command) -> KeymapSection {
    switch command {
    case .failure: .failure
    case .cards: .cards
    case .details: .details
    case .player: .player
    case .browse: .browse
    case .global: .global
    }
  }
}
