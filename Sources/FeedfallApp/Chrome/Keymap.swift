import FeedfallScreen
import FeedfallText

/// The command that a key stands for. Its layer performs it.
enum Command: Equatable, Sendable {
  case answer(RedirectQuestion.Answer)
  case prompt(Prompt.Command)
  case help(HelpScreen.Command)
  case sources(SourceListScreen.Command)
  case failure(FailureCommand)
  case player(PlayerCommand)
  case details(DetailsCommand)
  case cards(CardsCommand)
  case browse(BrowseCommand)
  case global(GlobalCommand)

  var layer: Layer {
    switch self {
    case .answer: .answer
    case .prompt: .prompt
    case .help: .help
    case .sources: .sources
    case .failure: .failure
    case .player: .player
    case .details: .details
    case .cards: .cards
    case .browse: .browse
    case .global: .global
    }
  }
}

/// A command with its keys and words. `Keymap` declares the rows of each layer.
struct KeyRow<Command: Equatable & Sendable>: Equatable, Sendable {
  /// Stable, for the user's keys, such as "cards.move-down"; declared without the layer.
  let name: String
  fileprivate(set) var keys: [Key]
  let command: Command
  let help: String
  /// The help in a word or two, for the status line.
  let hint: String

  init(_ name: String, _ keys: Key..., command: Command, help: String, hint: String? = nil) {
    self.init(name, keys: keys, command: command, help: help, hint: hint)
  }

  private init(_ name: String, keys: [Key], command: Command, help: String, hint: String?) {
    (self.name, self.keys, self.command, self.help, self.hint) = (name, keys, command, help, hint ?? help)
  }

  func map<Other>(in layer: String, _ transform: (Command) -> Other) -> KeyRow<Other> {
    KeyRow<Other>("\(layer).\(name)", keys: keys, command: transform(command), help: help, hint: hint)
  }
}

/// The keys of one layer.
struct Keymap: Equatable, Sendable {
  /// A line of text: consecutive rows with the same help share one.
  struct Line: Equatable, Sendable {
    var keys: String
    var help: String
  }

  /// The heading in the help.
  let title: String
  fileprivate(set) var rows: [KeyRow<Command>]

  /// The names of the commands begin with `layer`.
  init<Part>(_ layer: String, title: String, _ command: (Part) -> Command, rows: [KeyRow<Part>]) {
    (self.title, self.rows) = (title, rows.map { $0.map(in: layer, command) })
  }

  func command(for key: Key) -> Command? { rows.first { $0.keys.contains(key) }?.command }

  var lines: [Line] {
    var lines: [Line] = []
    var first = ""
    for row in rows where !row.keys.isEmpty {
      let names = row.keys.map(\.name)
      if let last = lines.indices.last, lines[last].help == row.help {
        lines[last].keys = "\(first)–\(names[names.count - 1])"
      } else {
        first = names[0]
        lines.append(Line(keys: names.joined(separator: " "), help: row.help))
      }
    }
    return lines
  }
}

/// The keys of all layers, which the lookup of keys, hints, messages and the help ask.
public struct Keymaps: Equatable, Sendable {
  // A reference, because the state is copied and its keys are asked several times for each event.
  private var tables: Tables

  private final class Tables: Sendable {
    let keymaps: [Keymap]
    let hints: KeyHints

    init(_ keymaps: [Keymap]) { (self.keymaps, hints) = (keymaps, KeyHints(keymaps)) }
  }

  static let standard = Keymaps(
    tables: Tables([.player, .details, .cards, .browse, .sources, .failure, .prompt, .help, .global, .answer]))

  public static func == (left: Self, right: Self) -> Bool {
    left.tables === right.tables || left.tables.keymaps == right.tables.keymaps
  }

  var hints: KeyHints { _read { yield tables.hints } }

  subscript(layer: Layer) -> Keymap { _read { yield tables.keymaps[layer.rawValue] } }

  /// The prefixes by the key that begins them. A prefix counts as a modifier of the next key.
  static let prefixes: [Key: Key.Modifiers] = [.character("g"): .go]

  func command(for key: Key, in layers: [Layer]) -> Command? { layers.firstNonNil { self[$0].command(for: key) } }

  /// The key to name in messages; nil for a command without a key.
  func name(of command: Command) -> String? { tables.keymaps.row(of: command)?.keys.first?.name }

  /// The line of the help for a hint.
  func line(of hint: KeyHint, in layers: [Layer]) -> Keymap.Line? {
    layers.lazy.flatMap { self[$0].rows }.first { $0.keys.contains(hint.key) }.map { row in
      Keymap.Line(keys: row.keys.map(\.name).joined(separator: " "), help: row.help)
    }
  }

  /// The hints for the keys that may follow a prefix.
  func hints(after prefix: Key.Modifiers, in layers: [Layer]) -> [KeyHint] {
    var keys: Set<Key> = []
    return layers.flatMap { layer in
      self[layer].rows.compactMap { row in
        row.keys.first { $0.modifiers == prefix && keys.insert($0).inserted }.map { KeyHint(key: $0, words: row.hint) }
      }
    }
  }

  /// Replaces the keys of a command, such as "cards.move-down"; without keys it is unbound.
  mutating func bind(_ name: String, to keys: Key...) {
    var keymaps = tables.keymaps
    for layer in keymaps.indices {
      for row in keymaps[layer].rows.indices where keymaps[layer].rows[row].name == name {
        keymaps[layer].rows[row].keys = keys
      }
    }
    tables = Tables(keymaps)
  }
}

extension [Keymap] {
  fileprivate func row(of command: Command) -> KeyRow<Command>? {
    self[command.layer.rawValue].rows.first { $0.command == command && !$0.keys.isEmpty }
  }

  /// The hint for a command; none if it has no key.
  func hint(_ command: Command, _ words: String? = nil) -> [KeyHint] {
    guard let row = row(of: command), let key = row.keys.first else { return [] }
    return [KeyHint(key: key, words: words ?? row.hint)]
  }
}
