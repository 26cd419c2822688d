import FeedfallScreen
import FeedfallSystem

/// A configuration without its faulty lines.
struct ConfigurationReading: Equatable, Sendable {
  private(set) var configuration = Configuration()
  private(set) var faults: [ConfigurationFault] = []
  /// The fault because of which nothing of the file could be read.
  private(set) var obstacle: ConfigurationFault?
  /// Whether it may have settings of yt-dlp, maybe in a line with a fault.
  private(set) var mayHaveYtDlp = false
  private var addressPlaces: [String: TextPlace] = [:]

  init() {}

  init(_ error: ConfigurationError) {
    faults = error.faults.map { $0.hidingRest() }
    obstacle = faults.first
    mayHaveYtDlp = true
  }

  init(toml bytes: [UInt8], isOwn: Bool = false, isOption: (String) -> Bool = { _ in false }) {
    mayHaveYtDlp = ["yt-dlp", "yt_dlp"].contains { bytes.contains(sequence: $0.utf8) }
    let document = TomlReading(bytes)
    faults = document.faults
    for entry in document.entries { add(entry, isOwn, isOption) }
  }

  private mutating func add(_ entry: TomlValue.Entry, _ isOwn: Bool, _ isOption: (String) -> Bool) {
    switch (entry.key, entry.item.value) {
    case ("removed", .array(let items)) where isOwn:
      configuration.removed = items.prefix(Configuration.maximumSourceCount).compactMap { removed($0) }
    case ("source", _):
      let sources = Configuration.Source.sources(entry, &faults, isOption)
      configuration.sources = sources.map(\.source)
      for (source, place) in sources { addressPlaces[source.name] = place }
    case ("view", _): configuration.views = Configuration.View.views(entry, &faults, isOption)
    case ("theme", .table) where isOwn, ("yt-dlp", .table) where isOwn:
      faults.append(
        entry.item.fault("[\(entry.key)] is not read here", advice: "Move it to \(ConfigurationFile.name)."))
    case ("yt-dlp", .table(let entries)): configuration.ytDlp = YtDlp(entries, &faults, isOption)
    case ("theme", .table(let entries)): configuration.theme = ThemeSettings(entries, &faults, isOption)
    default:
      if let fault = ConfigurationFault.misspelledTable(entry) {
        faults.append(fault)
      } else {
        do { configuration.options.append(try Configuration.Option(entry)) } catch {
          var fault = error
          fault.keys = [entry.key]
          fault.hidesSource = entry.isListOfTables && ConfigurationFault.mayBeSources(entry.key)
          faults.append(fault)
        }
      }
    }
  }

  /// Such as `config.toml:3:11`.
  func origin(ofSource name: String, in file: String) -> String? {
    addressPlaces[name].map { "\(file):\($0.line):\($0.column)" }
  }

  private mutating func removed(_ item: TomlValue.Item) -> Configuration.RemovedSource? {
    var texts: [String: String] = [:]
    if case .table(let entries) = item.value {
      for entry in entries { texts[entry.key] = try? entry.string() }
    }
    guard texts.count == 2, let name = texts["name"], let address = texts["address"] else {
      faults.append(item.fault("the removed source is not valid", advice: "Write its name and its address."))
      return nil
    }
    return Configuration.RemovedSource(name: name, address: address)
  }

  mutating func expand(home: String?) {
    configuration.sources = configuration.sources.map { $0.expanded(home: home) }
    for index in configuration.removed.indices {
      let address = configuration.removed[index].address
      configuration.removed[index].address =
        Configuration.Source(name: "", address: address).expanded(home: home).address
    }
  }
}

extension ThemeSettings {
  private static let inherit = "inherit"

  /// Colors with a fault are omitted.
  fileprivate init(
    _ entries: [TomlValue.Entry], _ faults: inout [ConfigurationFault], _ isOption: (String) -> Bool
  ) {
    self.init()
    for entry in entries {
      do { try set(entry, isOption) } catch { faults.append(error) }
    }
  }

  private mutating func set(_ entry: TomlValue.Entry, _ isOption: (String) -> Bool) throws(ConfigurationFault) {
    if entry.key == Self.inherit {
      base = try entry.themeChoice()
    } else if let slot = ThemeSettings.Slot(name: entry.key) {
      colors[slot] = try entry.color()
    } else {
      throw .unknown(entry, known: [Self.inherit] + ThemeSettings.Slot.names, below: "[theme]", isOption)
    }
  }
}

extension TomlValue.Entry {
  fileprivate func themeChoice() throws(ConfigurationFault) -> ThemeChoice {
    let text = try string()
    if let choice = ThemeChoice(rawValue: text) { return choice }
    let choices = ThemeChoice.allCases.map(\.rawValue).joined(separator: ", ")
    throw .wrong(key, item, value: "\"\(text)\"", needed: "one of \(choices)")
  }

  fileprivate func color() throws(ConfigurationFault) -> ThemeSettings.Color {
    let text = try string()
    if let color = ThemeSettings.Color(text) { return color }
    let needed = "a color such as \"#7aa2f7\", \"red\", \"bright-red\" or \"default\""
    throw .wrong(key, item, value: "\"\(text)\"", needed: needed)
  }
}
