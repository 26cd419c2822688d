import FeedfallScreen

/// The keymaps of the screen that the user sees, by priority.
struct KeyContext: Equatable, Sendable {
  enum Focus: Equatable, Sendable { case cards, details, player }

  enum Command: Equatable, Sendable {
    case failure(FailureCommand)
    case cards(CardsCommand)
    case details(DetailsCommand)
    case player(PlayerCommand)
    case browse(BrowseCommand)
    case global(GlobalCommand)
  }

  private enum Layer {
    case failure, cards, details, player, browse, global

    func command(for key: Key) -> Command? {
      switch self {
      case .failure: FailureCommand.keymap.command(for: key).map(Command.failure)
      case .cards: CardsCommand.keymap.command(for: key).map(Command.cards)
      case .details: DetailsCommand.keymap.command(for: key).map(Command.details)
      case .player: PlayerCommand.keymap.command(for: key).map(Command.player)
      case .browse: BrowseCommand.keymap.command(for: key).map(Command.browse)
      case .global: GlobalCommand.keymap.command(for: key).map(Command.global)
      }
    }

    var section: KeymapSection {
      switch self {
      case .failure: .failure
      case .cards: .cards
      case .details: .details
      case .player: .player
      case .browse: .browse
      case .global: .global
      }
    }
  }

  let focus: Focus
  /// Whether the cards show a failure.
  let hasFailure: Bool

  private var layers: [Layer] {
    let focused: [Layer] =
      switch focus {
      case .cards: [.cards]
      case .details: [.details]
      case .player: [.player, .details]
      }
    return (hasFailure && focus == .cards ? [.failure] : []) + focused + [.browse, .global]
  }

  func command(for key: Key) -> Command? { layers.lazy.compactMap { $0.command(for: key) }.first }

  /// The keymaps as text, for the help.
  var sections: [KeymapSection] { layers.map(\.section) }

  /// Whether a command cancels a pull: any that the cards do not handle themselves.
  func cancelsPull(_ command: Command) -> Bool {
    if case .cards = command { return false }
    return focus == .cards
  }
}
