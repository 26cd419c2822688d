import FeedfallScreen

/// Parses the `[theme]` table. Colors with a fault are omitted.
enum ThemeReader {
  private static let inherit = "inherit"

  static func theme(
    _ entries: [TomlEntry], _ faults: inout [ConfigurationFault], _ isOption: (String) -> Bool
  ) -> ThemeSettings {
    var theme = ThemeSettings()
    for entry in entries {
      do { try set(entry, in: &theme, isOption) } catch { faults.append(error) }
    }
    return theme
  }

  private static func set(
    _ entry: TomlEntry, in theme: inout ThemeSettings, _ isOption: (String) -> Bool
  ) throws(ConfigurationFault) {
    if entry.key == inherit {
      theme.base = try choice(entry)
    } else if let slot = ThemeSettings.Slot(name: entry.key) {
      theme.colors[slot] = try color(entry)
    } else {
      throw .unknown(entry, known: [inherit] + ThemeSettings.Slot.names, below: "[theme]", isOption)
    }
  }

  private static func choice(_ entry: TomlEntry) throws(ConfigurationFault) -> ThemeChoice {
    let text = try entry.string()
    guard let choice = ThemeChoice(rawValue: text) else {
      throw .wrong(
        entry.key, entry.item, value: "\"\(text)\"",
        needed: "one of \(ThemeChoice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  private static func color(_ entry: TomlEntry) throws(ConfigurationFault) -> ThemeSettings.Color {
    let text = try entry.string()
    guard let color = ThemeSettings.Color(text) else {
      throw .wrong(
        entry.key, entry.item, value: "\"\(text)\"",
        needed: "a color such as \"#7aa2f7\", \"red\", \"bright-red\" or \"default\"")
    }
    return color
  }
}
