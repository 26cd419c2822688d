import FeedfallPlaying
import FeedfallScreen

/// One row of the table that keys and help are made of.
struct KeyBinding: Sendable {
  var keys: [Key]
  var command: Command
  /// What the help says.
  var help: String
}

/// Where keys go.
enum KeyContext: CaseIterable, Sendable {
  case everywhere
  case cards
  case pane
  /// The pane shows what plays.
  case player

  var title: String {
    switch self {
    case .everywhere: "Everywhere"
    case .cards: "Cards"
    case .pane: "Detail pane"
    case .player: "Player"
    }
  }
}

/// The one table of keys.
enum Keymap {
  static func bindings(in context: KeyContext) -> [KeyBinding] {
    switch context {
    case .everywhere: everywhere
    case .cards: cards
    case .pane: pane
    case .player: Self.player
    }
  }

  /// The command of a key: the context's own row first, then the row that holds everywhere.
  static func command(for key: Key, in context: KeyContext) -> Command? {
    for row in bindings(in: context) where row.keys.contains(key) { return row.command }
    for row in everywhere where row.keys.contains(key) { return row.command }
    return nil
  }

  private static let everywhere: [KeyBinding] = [
    KeyBinding(keys: [.character("?")], command: .toggleHelp, help: "this help"),
    KeyBinding(keys: [.control("l")], command: .repaint, help: "paint the screen anew"),
    KeyBinding(keys: [.control("z")], command: .suspend, help: "suspend; fg comes back"),
    KeyBinding(keys: [.control("c")], command: .quit, help: "quit at once"),
  ]

  private static let cards: [KeyBinding] = cardKeys + tabKeys

  private static let tabKeys: [KeyBinding] =
    [
      KeyBinding(keys: [.tab], command: .nextTab, help: "next source"),
      KeyBinding(keys: [.backTab], command: .previousTab, help: "previous source"),
    ]
    + (1...9).map { number in
      KeyBinding(
        keys: [.character(Character(String(number)))], command: .tab(number), help: "the source with this number")
    }

  private static let cardKeys: [KeyBinding] = [
    KeyBinding(keys: [.character("h"), .left], command: .moveLeft, help: "card to the left"),
    KeyBinding(keys: [.character("l"), .right], command: .moveRight, help: "card to the right"),
    KeyBinding(
      keys: [.character("k"), .up], command: .moveUp, help: "card above; past the top, pull to refresh"),
    KeyBinding(keys: [.character("j"), .down], command: .moveDown, help: "card below"),
    KeyBinding(keys: [.control("d")], command: .halfPageDown, help: "half a page down"),
    KeyBinding(keys: [.control("u")], command: .halfPageUp, help: "half a page up"),
    KeyBinding(keys: [.control("f"), .pageDown], command: .pageDown, help: "a page down"),
    KeyBinding(keys: [.control("b"), .pageUp], command: .pageUp, help: "a page up"),
    KeyBinding(keys: [.character("g"), .home], command: .first, help: "first card"),
    KeyBinding(keys: [.character("G"), .end], command: .last, help: "last card"),
    KeyBinding(keys: [.enter], command: .openPane, help: "details"),
    KeyBinding(keys: [.character(" ")], command: .play, help: "play"),
    KeyBinding(keys: [.character("p")], command: .showPlayer, help: "to the video that plays"),
    KeyBinding(keys: [.character("P")], command: .toggleCorner, help: "its picture in the corner, and away"),
    KeyBinding(keys: [.character("r")], command: .refreshOrRetry, help: "refresh, or retry what failed"),
    KeyBinding(keys: [.character("m")], command: .loadMore, help: "load more"),
    KeyBinding(keys: [.character("v")], command: .nextLayout, help: "next layout"),
    KeyBinding(keys: [.character("V")], command: .previousLayout, help: "previous layout"),
    KeyBinding(keys: [.character("/")], command: .search, help: "search in titles"),
    KeyBinding(keys: [.character("n")], command: .nextMatch, help: "next match"),
    KeyBinding(keys: [.character("N")], command: .previousMatch, help: "previous match"),
    KeyBinding(keys: [.character("y")], command: .copyPlayback, help: "copy the playback address"),
    KeyBinding(keys: [.character("Y")], command: .copyCover, help: "copy the cover address"),
    KeyBinding(keys: [.character("o")], command: .openPage, help: "open the page in the browser"),
    KeyBinding(keys: [.escape], command: .dismiss, help: "dismiss an alert, end a search"),
    KeyBinding(keys: [.character("q")], command: .quit, help: "quit"),
  ]

  private static let pane: [KeyBinding] =
    scrolling + [
      KeyBinding(keys: [.character("h"), .left], command: .previousVideo, help: "previous video"),
      KeyBinding(keys: [.character("l"), .right], command: .nextVideo, help: "next video"),
      KeyBinding(keys: [.character("i")], command: .toggleCover, help: "cover over the whole window, and back"),
      KeyBinding(keys: [.character(" ")], command: .play, help: "play"),
      KeyBinding(keys: [.character("p")], command: .showPlayer, help: "to the video that plays"),
    ] + addresses + [
      KeyBinding(keys: [.character("r")], command: .refreshOrRetry, help: "retry what failed, or refresh"),
      KeyBinding(keys: [.character("q"), .escape], command: .closePane, help: "back to the cards"),
    ]

  static let scrolling: [KeyBinding] = [
    KeyBinding(keys: [.character("j"), .down], command: .moveDown, help: "scroll down"),
    KeyBinding(keys: [.character("k"), .up], command: .moveUp, help: "scroll up"),
    KeyBinding(keys: [.control("d")], command: .halfPageDown, help: "half a page down"),
    KeyBinding(keys: [.control("u")], command: .halfPageUp, help: "half a page up"),
    KeyBinding(keys: [.control("f"), .pageDown], command: .pageDown, help: "a page down"),
    KeyBinding(keys: [.control("b"), .pageUp], command: .pageUp, help: "a page up"),
    KeyBinding(keys: [.character("g"), .home], command: .first, help: "top of the text"),
    KeyBinding(keys: [.character("G"), .end], command: .last, help: "end of the text"),
  ]

  static let addresses: [KeyBinding] = [
    KeyBinding(keys: [.character("y")], command: .copyPlayback, help: "copy the playback address"),
    KeyBinding(keys: [.character("Y")], command: .copyCover, help: "copy the cover address"),
    KeyBinding(keys: [.character("o")], command: .openPage, help: "open the page in the browser"),
  ]
}
