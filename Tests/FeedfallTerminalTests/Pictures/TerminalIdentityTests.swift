import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct TerminalIdentityTests {
  /// Answers recorded from real terminals.
  @Test(arguments: [
    (["XTerm(379)"], false, PictureProtocol.cells), (["XTerm(379)"], true, .sixel),
    (["kitty(0.26.5)"], false, .kittyPlacements), (["kitty(0.28.0)"], false, .kittyPlaceholders),
    (["kitty(0.31.0)"], false, .kittyPlaceholders), (["kitty(1.0)"], false, .kittyPlaceholders),
    (["ghostty 1.0.1"], false, .kittyPlaceholders), (["Konsole 22.12.3"], false, .kittyPlacements),
    (["Konsole 21.08.1"], false, .cells), (["foot(1.13.1)"], true, .sixel),
    (["WezTerm 20230712-072601-f4abf8fd"], true, .sixel), (["tmux 3.3a"], false, .cells),
    (["tmux 3.4"], true, .cells), (["tmux 3.3a", "kitty(0.31.0)"], false, .kittyPlaceholders),
    (["tmux 3.3a", "kitty(0.26.5)"], true, .cells), (["tmux 3.3a", "ghostty 1.1"], false, .kittyPlaceholders),
    (["tmux 3.3a", "XTerm(379)"], true, .cells), ([], false, .cells), ([], true, .sixel),
    (["kitty"], false, .kittyPlacements),
    (["kitty(99999999999999999999.9)"], false, .kittyPlacements), ([""], false, .cells),
  ])
  func `the picture protocol follows from the terminal's name`(
    names: [String], hasSixel: Bool, expected: PictureProtocol
  ) {
    var identity = TerminalIdentity()
    for name in names { identity.setName(name) }
    identity.hasSixel = hasSixel
    #expect(identity.pictureProtocol(for: .auto) == expected)
  }

  @Test(arguments: [
    (["WezTerm 20230712-072601-f4abf8fd"], BlockGlyphs.sextants), (["WezTerm 20210502-154244"], .eighths),
    (["foot(1.13.1)"], .sextants), (["foot(1.20.0)"], .octants), (["XTerm(379)"], .eighths), (["kitty"], .sextants),
    (["kitty(0.39.1)"], .sextants), (["kitty(0.40.0)"], .octants), (["ghostty 1.0.2-main+5cb2fa6f"], .sextants),
    (["ghostty 1.2.0"], .octants), (["VTE(7802)"], .eighths), (["tmux 3.3a"], .eighths),
    (["tmux 3.3a", "WezTerm 20230712"], .sextants), (["tmux 3.3a", "kitty(0.40.0)"], .sextants), ([], .eighths),
  ])
  func `the block characters follow from the terminal's name`(names: [String], glyphs: BlockGlyphs) {
    var identity = TerminalIdentity()
    for name in names { identity.setName(name) }
    #expect(identity.glyphs == glyphs)
  }

  @Test func `the user's choice overrides the protocol`() {
    var identity = TerminalIdentity()
    identity.hasSixel = true
    #expect(identity.pictureProtocol(for: .kitty) == .kittyPlaceholders)
    #expect(identity.pictureProtocol(for: .sixel) == .sixel)
    for choice in [PictureChoice.cells, .symbols, .none] { #expect(identity.pictureProtocol(for: choice) == .cells) }
    identity.setName("kitty(0.26.5)")
    #expect(identity.pictureProtocol(for: .kitty) == .kittyPlacements)
  }
}
