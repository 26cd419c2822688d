import FeedfallFeeds

/// A configuration without its faulty lines.
public struct ConfigurationReading: Equatable, Sendable {
  public private(set) var configuration = Configuration()
  public private(set) var faults: [ConfigurationFault] = []
  /// The place of the address of each source, by the source's name.
  private var addressPlaces: [String: TextPlace] = [:]

  /// An empty configuration with no faults: there is no file.
  public init() {}

  /// The configuration of a file that cannot be read.
  init(_ error: ConfigurationError) { faults = error.faults.map { $0.hidingRest() } }

  /// - Parameter isOption: whether a key is the name of an option. The command line declares the options and knows their
  ///   values, which are not checked here.
  init(toml bytes: [UInt8], isOption: (String) -> Bool = { _ in false }) {
    let document = TomlReading(bytes)
    faults = document.faults
    for entry in document.entries { add(entry, isOption) }
  }

  private mutating func add(_ entry: TomlEntry, _ isOption: (String) -> Bool) {
    switch (entry.key, entry.item.value) {
    case ("source", _):
      let sources = SourceReader.sources(entry, &faults, isOption)
      configuration.sources = sources.map(\.source)
      for (source, place) in sources { addressPlaces[source.name] = place }
    case ("view", _): configuration.views = ViewReader.views(entry, &faults, isOption)
    case ("theme", .table(let entries)): configuration.theme = ThemeReader.theme(entries, &faults, isOption)
    default:
      if let fault = ConfigurationFault.misspelledTable(entry) {
        faults.append(fault)
      } else {
        do { configuration.options.append(try ConfiguredOption(entry)) } catch {
          var fault = error
          fault.keys = [entry.key]
          fault.hidesSource = entry.isListOfTables && ConfigurationFault.mayBeSources(entry.key)
          faults.append(fault)
        }
      }
    }
  }

  /// The place of a source's address, such as `config.toml:3:11`.
  public func origin(ofSource name: String, in file: String) -> String? {
    addressPlaces[name].map { "\(file):\($0.line):\($0.column)" }
  }

  mutating func expand(home: String?) {
    for index in configuration.sources.indices { configuration.sources[index].expand(home: home) }
  }
}
