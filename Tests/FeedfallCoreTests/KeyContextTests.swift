import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallCore

@Suite(.hangLimit) struct KeyContextTests {
  @Test func `an alert handles a key before the focused screen`() {
    let (alert, cards) = (KeyContext(focus: .cards, isAlertShown: true), KeyContext(focus: .cards, isAlertShown: false))
    #expect(alert.command(for: .escape) == .alert(.dismiss))
    #expect(cards.command(for: .escape) == .cards(.clearSearch))
    #expect(alert.command(for: .character("r")) == .alert(.retry))
    #expect(cards.command(for: .character("r")) == .browse(.refreshOrRetry))
  }

  @Test func `the player handles a key before the details around it`() {
    let context = KeyContext(focus: .player, isAlertShown: false)
    #expect(context.command(for: .character(" ")) == .player(.control(.togglePause)))
    #expect(context.command(for: .character("i")) == .details(.toggleCover))
    #expect(context.command(for: .character("?")) == .global(.showHelp))
  }

  @Test func `every key has the command of the first keymap in the help that binds it`() {
    for focus in [KeyContext.Focus.cards, .details, .player] {
      for isAlertShown in [false, true] {
        let context = KeyContext(focus: focus, isAlertShown: isAlertShown)
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
    let cards = KeyContext(focus: .cards, isAlertShown: false)
    #expect(!cards.cancelsPull(.cards(.moveUp)))
    #expect(cards.cancelsPull(.browse(.play)))
    #expect(!KeyContext(focus: .details, isAlertShown: false).cancelsPull(.browse(.play)))
  }

  private func section(of command: KeyContext.Command) -> KeymapSection {
    switch command {
    case .alert: .alert
    case .cards: .cards
    case .details: .details
    case .player: .player
    case .browse: .browse
    case .global: .global
    }
  }
}
