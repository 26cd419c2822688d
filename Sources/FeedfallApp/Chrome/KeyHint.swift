import FeedfallScreen
import WaterfallEngine

/// A click on it performs the key.
struct KeyHint: Equatable, Sendable {
  let key: Key
  /// Split into glyphs once, because the status line is drawn after each key. An arrow takes one cell in any terminal.
  let text: GlyphRun

  init(key: Key, words: String) {
    self.key = key
    text = GlyphRun("\(key.name) \(words)", widths: TextWidths())
  }

  /// In cells.
  var width: Int { text.width }

  struct Placed: Equatable, Sendable {
    var hint: KeyHint
    var frame: Rect
  }
}

private let gap = 2

extension RandomAccessCollection<KeyHint> {
  var width: Int { reduce(0) { $0 + $1.width } + gap * Swift.max(0, count - 1) }

  func countOfLast(inWidth width: Int) -> Int {
    var room = width
    return reversed().prefix { hint in
      defer { room -= hint.width + gap }
      return hint.width <= room
    }.count
  }

  func placed(at start: Point) -> [KeyHint.Placed] {
    var x = start.x
    return map { hint in
      defer { x += hint.width + gap }
      return KeyHint.Placed(hint: hint, frame: Rect(x: x, y: start.y, width: hint.width, height: 1))
    }
  }
}

extension [KeyHint.Placed] {
  func draw(_ style: Style, on canvas: inout Canvas) {
    for place in self { canvas.write(place.hint.text, at: place.frame.origin, style: style) }
  }

  func key(at point: Point) -> Key? { first { $0.frame.contains(point) }?.hint.key }
}

extension Keymap {
  func hint(_ words: String, for command: Command) -> [KeyHint] {
    rows.first { $0.command == command }?.keys.first.map { [KeyHint(key: $0, words: words)] } ?? []
  }
}

/// The hints of the contexts in the status line, the most useful last.
extension KeyHint {
  private static let showHelp = GlobalCommand.keymap.hint("help", for: .showHelp)
  private static let play = BrowseCommand.keymap.hint("play", for: .play)
  private static let quit = GlobalCommand.keymap.hint("quit", for: .quit)
  private static let usual =
    CardsCommand.keymap.hint("details", for: .openDetails) + play + CardsCommand.keymap.hint("search", for: .search)

  static let cards = usual + quit + showHelp
  static let cardsDuringPlayback =
    usual + GlobalCommand.keymap.hint("pause", for: .control(.togglePause)) + quit + showHelp
  /// For a user who has not added a source.
  static let catalogue = usual + GlobalCommand.keymap.hint("open", for: .typeCommand) + quit + showHelp
  static let details =
    BrowseCommand.keymap.hint("copy address", for: .copyPlaybackAddress) + play
    + DetailsCommand.keymap.hint("back", for: .close) + showHelp
  static let player =
    PlayerCommand.keymap.hint("full window", for: .toggleFullWindow)
    + PlayerCommand.keymap.hint("pause", for: .control(.togglePause))
    + PlayerCommand.keymap.hint("stop", for: .stop) + showHelp
  static let emptyTab = BrowseCommand.keymap.hint("refresh", for: .refreshOrRetry) + quit + showHelp
  static let emptyTabWithFailure = retry + quit + showHelp
  static let emptyTabLoading = quit + showHelp
  static let noMatch =
    CardsCommand.keymap.hint("change the filter", for: .filter)
    + CardsCommand.keymap.hint("clear it", for: .clearSearch)
    + quit + showHelp
  static func failedPlayer(hasPage: Bool) -> [KeyHint] {
    (hasPage ? BrowseCommand.keymap.hint("open page", for: .openPage) : [])
      + PlayerCommand.keymap.hint("retry", for: .control(.replay))
      + PlayerCommand.keymap.hint("back", for: .stop) + showHelp
  }
  static let retry = FailureCommand.keymap.hint("retry", for: .retry)
  static let failure = retry + FailureCommand.keymap.hint("dismiss", for: .dismiss)
  static let prompt =
    Prompt.Command.keymap.hint("apply", for: .accept) + Prompt.Command.keymap.hint("cancel", for: .cancel)
  static let command =
    Prompt.Command.keymap.hint("complete", for: .complete) + Prompt.Command.keymap.hint("run", for: .accept)
    + Prompt.Command.keymap.hint("cancel", for: .cancel)
  static let help =
    HelpScreen.Command.keymap.hint("page down", for: .pageDown)
    + HelpScreen.Command.keymap.hint("filter", for: .filter) + HelpScreen.Command.keymap.hint("close", for: .close)
}
