/// The key hints in the status line, the most useful last.
enum HintWords {
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
    PromptCommand.keymap.hint("apply", for: .accept) + PromptCommand.keymap.hint("cancel", for: .cancel)
  static let command =
    PromptCommand.keymap.hint("complete", for: .complete) + PromptCommand.keymap.hint("run", for: .accept)
    + PromptCommand.keymap.hint("cancel", for: .cancel)
  static let help =
    HelpCommand.keymap.hint("page down", for: .pageDown)
    + HelpCommand.keymap.hint("filter", for: .filter) + HelpCommand.keymap.hint("close", for: .close)
}
