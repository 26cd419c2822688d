import FeedfallFilters
import FeedfallScreen
import FeedfallText

/// The user's configuration: sources, and options with the names that they have on the command line.
public struct Configuration: Equatable, Sendable {
  public var sources: [ConfiguredSource] = []
  /// The `[[view]]` tables.
  public var views: [ConfiguredView] = []
  /// The options in document order, unchecked.
  public var options: [ConfiguredOption] = []
  /// The `[theme]` table; nil if there is none.
  public var theme: ThemeSettings?

  /// The maximum number of sources.
  public static let maximumSourceCount = 500

  static let maximumViewCount = 50

  /// The keys of `[[source]]` and `[[view]]`.
  public static let tableKeys = SourceReader.keys + ViewReader.keys + ["filter"]

  /// Creates an empty configuration.
  public init() {}

  /// Parses a TOML document. Throws all faults.
  public init(toml bytes: [UInt8]) throws(ConfigurationError) {
    let reading = ConfigurationReading(toml: bytes)
    guard reading.faults.isEmpty else { throw ConfigurationError(reading.faults) }
    self = reading.configuration
  }

  /// Returns the source with this name, if any.
  public func source(named name: String) -> ConfiguredSource? { sources.first { $0.name == name } }
}

/// A source in the configuration.
public struct ConfiguredSource: Equatable, Sendable {
  public var name: String
  /// A web address, a `yt-dlp:` address or a path.
  public var address: String
  /// The user's name at the server.
  public var user: String?
  /// The command that prints the password or key, which `CommandWords` splits.
  public var passwordCommand: String?
  /// The user's categories, such as the folders of an imported list; at most 20.
  public var tags: [String] = []
  /// Whether the feeds of YouTube's channels include Shorts and streams.
  public var includesShorts = true
  /// The proxy for its feed, its videos and its covers; nil for that of the program.
  public var proxy: ConfiguredProxy?
  /// Whether redirects may lead its videos from https to http.
  public var allowsHTTP = false
  /// The filter and the order of its videos.
  public var query = FilterQuery.empty
  /// The fault that prevents loading: a request could lack its proxy, for example.
  public var fault: ConfigurationFault?
}

/// The proxy of a source.
public enum ConfiguredProxy: Equatable, Sendable {
  case none
  case address(ProxyAddress)

  /// Nil for direct requests.
  public var address: ProxyAddress? { if case .address(let address) = self { address } else { nil } }
}

/// A tab of the videos of all sources that a filter includes.
public struct ConfiguredView: Equatable, Sendable {
  public var name: String
  public var query: FilterQuery
}

/// An option in the configuration, such as `columns = 3`.
public struct ConfiguredOption: Equatable, Sendable {
  public let name: String
  /// The option as a command-line argument: `--columns=3`, `--mouse` for true, `--no-mouse` for false.
  public let argument: String
  /// The value as written in a message: `"no"`, `3` or `true`.
  public let value: String
  private let place: TextPlace

  init(_ entry: TomlEntry) throws(ConfigurationFault) {
    name = entry.key
    place = entry.keyPlace
    (argument, value) =
      switch entry.item.value {
      case .string(let text): ("--\(name)=\(text)", "\"\(text)\"")
      case .integer(let number): ("--\(name)=\(number)", "\(number)")
      case .number(let number): ("--\(name)=\(number)", "\(number)")
      case .boolean(true): ("--\(name)", "true")
      case .boolean(false): ("--no-\(name)", "false")
      case .table, .array, .moment:
        throw .wrong(name, entry.item, needed: "a text in quotation marks, a number, true or false")
      }
  }

  /// Returns a fault at the place of the option, because of which the later ones are not read.
  public func faultHidingRest(_ reason: String) -> ConfigurationFault {
    fault(reason, advice: "Correct the ones above first.").hidingRest()
  }

  /// Returns a fault at the place of the option.
  public func fault(_ reason: String, advice: String) -> ConfigurationFault {
    var fault = ConfigurationFault(at: place, reason, advice: advice)
    fault.keys = [name]
    // The keys of a table whose header is missing become options.
    fault.hidesSource = name == "address" || ConfigurationFault.mayBeSource(name)
    return fault
  }
}
