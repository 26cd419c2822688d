import FeedfallApp
import FeedfallFilters
import FeedfallScreen
import FeedfallSystem
import FeedfallText

struct Configuration: Equatable, Sendable {
  var sources: [Source] = []
  var views: [View] = []
  /// The options in document order, unchecked.
  var options: [Option] = []
  var theme: ThemeSettings?
  var ytDlp = YtDlp()
  /// The sources of `config.toml` that are hidden; only `own.toml` has them.
  var removed: [RemovedSource] = []

  static let maximumSourceCount = 20_000
  static let maximumViewCount = 50

  static let tableKeys = Source.keys + View.keys + ["filter"]

  func source(named name: String) -> Source? { sources.first { $0.name == name } }

  enum Table: String, CaseIterable {
    case source, view, theme
    case ytDlp = "yt-dlp"

    var header: String {
      switch self {
      case .source, .view: "[[\(rawValue)]]"
      case .theme, .ytDlp: "[\(rawValue)]"
      }
    }

    static let headers = allCases.map(\.header).joined(separator: ", ")
  }

  struct Source: Equatable, Sendable {
    var name: String
    /// Whether it is a live list.
    var isList = false
    /// A web address, a `yt-dlp:` address or a path.
    var address: String
    var user: String?
    /// The command that prints the password or key, which `CommandWords` splits.
    var passwordCommand: String?
    /// The user's categories, such as the folders of an imported list; at most 20.
    var tags: [String] = []
    /// Whether the feeds of YouTube's channels include Shorts and streams.
    var includesShorts = true
    /// The proxy for its feed, its videos and its covers; nil for that of the program.
    var proxy: Proxy?
    /// As yt-dlp's `--cookies-from-browser` takes it; nil for that of the program.
    var cookiesFromBrowser: String?
    /// Whether redirects may lead its videos from https to http.
    var allowsHTTP = false
    var query = FilterQuery.empty
    /// Nil for that of the program.
    var refresh: RefreshRule?
    /// The fault that prevents loading: a request could lack its proxy, for example.
    var fault: ConfigurationFault?
  }

  enum Proxy: Equatable, Sendable {
    case none
    case address(ProxyAddress)

    /// Nil for direct requests.
    var address: ProxyAddress? { if case .address(let address) = self { address } else { nil } }
  }

  struct View: Equatable, Sendable {
    var name: String
    var query: FilterQuery
    /// Nil for that of the other tabs.
    var layout: LayoutKind?
  }

  struct Option: Equatable, Sendable {
    let name: String
    /// The option as a command-line argument: `--columns=3`, `--mouse` for true, `--no-mouse` for false.
    let argument: String
    /// The value as TOML: `"no"`, `3` or `true`.
    let value: String
    private let place: TextPlace

    init(name: String, value: String) {
      (self.name, place) = (name, TextPlace(line: 1, column: 1))
      let isBoolean = value == "true" || value == "false"
      argument = isBoolean ? "--\(value == "true" ? "" : "no-")\(name)" : "--\(name)=\(value)"
      // TOML has no numbers such as 03.
      self.value = isBoolean ? value : Int(value).map { "\($0)" } ?? Configuration.quoted(value)
    }

    init(_ entry: TomlValue.Entry) throws(ConfigurationFault) {
      name = entry.key
      place = entry.keyPlace
      (argument, value) =
        switch entry.item.value {
        case .string(let text): ("--\(name)=\(text)", Configuration.quoted(text))
        case .integer(let number): ("--\(name)=\(number)", "\(number)")
        case .number(let number): ("--\(name)=\(number)", "\(number)")
        case .boolean(true): ("--\(name)", "true")
        case .boolean(false): ("--no-\(name)", "false")
        case .table, .array, .moment:
          throw .wrong(name, entry.item, needed: "a text in quotation marks, a number, true or false")
        }
    }

    func faultHidingRest(_ reason: String) -> ConfigurationFault {
      fault(reason, advice: "Correct the ones above first.").hidingRest()
    }

    func fault(_ reason: String, advice: String) -> ConfigurationFault {
      // The keys of a table whose header is missing become options.
      let hidesSource = name == "address" || ConfigurationFault.mayBeSource(name)
      return ConfigurationFault(at: place, reason, advice: advice, keys: [name], hidesSource: hidesSource)
    }
  }
}
