import FeedfallScreen

/// A key that a screen's keymap does not bind is looked up in the keymaps behind it, and last in that of
/// `GlobalCommand`.
struct Keymap<Command: Equatable & Sendable>: Sendable {
  struct Row: Equatable, Sendable {
    /// The stable name for configuration files, such as "cards.move-down".
    let name: String
    let keys: [Key]
    let command: Command
    let help: String

    init(_ name: String, _ keys: Key..., command: Command, help: String) {
      (self.name, self.keys, self.command, self.help) = (name, keys, command, help)
    }
  }

  let title: String
  let rows: [Row]

  func command(for key: Key) -> Command? {
    for row in rows where row.keys.contains(key) { return row.command }
    return nil
  }

  /// Empty for a command without a key.
  func keyName(for command: Command) -> String {
    rows.first { $0.command == command }?.keys.first?.name ?? ""
  }
}

struct KeymapSection: Equatable, Sendable {
  struct Row: Equatable, Sendable {
    var name: String
    var keys: [Key]
    var help: String
  }

  /// Consecutive rows with the same help share a line.
  struct Line: Equatable, Sendable {
    var keys: String
    var help: String
  }

  var title: String
  var rows: [Row]

  init(_ keymap: Keymap<some Equatable & Sendable>) {
    title = keymap.title
    rows = keymap.rows.map { Row(name: $0.name, keys: $0.keys, help: $0.help) }
  }

  static let player = KeymapSection(PlayerCommand.keymap)
  static let details = KeymapSection(DetailsCommand.keymap)
  static let cards = KeymapSection(CardsCommand.keymap)
  static let browse = KeymapSection(BrowseCommand.keymap)
  static let failure = KeymapSection(FailureCommand.keymap)
  static let prompt = KeymapSection(Prompt.Command.keymap)
  static let global = KeymapSection(GlobalCommand.keymap)

  static let all = [
    player, details, cards, browse, failure, .prompt, KeymapSection(HelpScreen.Command.keymap),
    global,
  ]

  var lines: [Line] {
    var lines: [Line] = []
    var first = ""
    for row in rows {
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
