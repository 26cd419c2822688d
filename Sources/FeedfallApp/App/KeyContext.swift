import FeedfallScreen

struct KeyContext: Equatable, Sendable {
  enum Focus: Equatable, Sendable {
    case cards, details, player
    case fullWindow
  }

  enum Command: Equatable, Sendable {
    case failure(FailureCommand)
    case cards(CardsCommand)
    case details(DetailsCommand)
    case player(PlayerCommand)
    case browse(BrowseCommand)
    case global(GlobalCommand)

    var closesScreen: Bool {
      switch self {
      case .details(.close), .player(.stop): true
      default: false
      }
    }
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
  let hasFailure: Bool

  private var layers: [Layer] {
    let focused: [Layer] =
      switch focus {
      case .cards: [.cards]
      // The cards beside the details have the other keys.
      case .details: [.details, .cards]
      case .player: [.player, .details, .cards]
      case .fullWindow: [.player]
      }
    return (hasFailure && focus == .cards ? [.failure] : []) + focused + [.browse, .global]
  }

  func command(for key: Key) -> Command? { layers.lazy.compactMap { $0.command(for: key) }.first }

  /// Whether a key opens a prompt for the cards, or has no meaning but this.
  func wantsPrompt(_ key: Key) -> Bool {
    switch command(for: key) {
    case .cards(let command): command.opensPrompt
    case nil: CardsCommand.keymap.command(for: key)?.opensPrompt == true
    default: false
    }
  }

  var sections: [KeymapSection] { layers.map(\.section) }

  /// Whether a command cancels a pull: any that the cards do not handle themselves.
  func cancelsPull(_ command: Command) -> Bool {
    if case .cards = command { return false }
    return focus == .cards
  }
}

extension AppState {
  /// The text that the user types for a prompt that could not be opened: its letters are no commands.
  struct RefusedText: Equatable, Sendable {
    /// When its last letter arrived, in milliseconds since 1970.
    private var time: Int?
    private(set) var isNew = false

    /// In milliseconds.
    private static let pause = 600

    mutating func contains(_ key: Key, opensPrompt: Bool, at now: Int) -> Bool {
      let goesOn = key.typed != nil && time.map { (0..<Self.pause).contains(now - $0) } == true
      isNew = opensPrompt && !goesOn
      time = opensPrompt || goesOn ? now : nil
      return time != nil
    }
  }
}
