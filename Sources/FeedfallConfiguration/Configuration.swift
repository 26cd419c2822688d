import FeedfallCore
import FeedfallScreen
import WaterfallEngine

/// The user's configuration: sources, and defaults for command-line options.
public struct Configuration: Equatable, Sendable {
  public var sources: [ConfiguredSource] = []
  public var layout: LayoutKind?
  public var order: ItemOrder?
  public var grouping: Grouping?
  public var columns: Int?
  public var minimumColumnWidth: Int?
  public var pageSize: Int?
  public var timeoutSeconds: Double?
  public var usesMouse: Bool?
  public var usesColor: Bool?
  public var pictures: PictureChoice?
  /// The maximum video height in pixels. It applies to videos that are available in several sizes.
  public var filmHeight: Int?
  /// Whether the next video plays when one has ended.
  public var autoplays: Bool?
  /// Whether the user's mpv configuration applies to mpv windows.
  public var usesPlayerConfiguration: Bool?

  /// The maximum number of sources.
  public static let maximumSourceCount = 500

  /// Creates an empty configuration.
  public init() {}

  /// Parses a TOML document. Throws the first fault.
  public init(toml bytes: [UInt8]) throws(ConfigurationFault) {
    let entries = try TomlValue.document(bytes)
    for entry in entries { try apply(entry) }
    guard columns == nil || minimumColumnWidth == nil else {
      let place = entries.last { $0.key == Key.columns.rawValue || $0.key == Key.minimumColumnWidth.rawValue }?.keyPlace
      throw ConfigurationFault(
        at: place, "\"columns\" and \"min-column-width\" exclude each other", advice: "Remove one of them.")
    }
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
}

/// The valid ranges of options, on the command line and in the configuration.
public enum OptionLimits {
  public static let columns = 1...100
  public static let minimumColumnWidth = 4...1000
  public static let pageSize = 1...1000
  public static let timeoutSeconds = 0.1...3600.0
  public static let firstPage = 0...1_000_000
  public static let filmHeight = 144...4320

  /// The limits of a range in words, such as `0.1 to 3600`.
  public static func words<Value>(_ limits: ClosedRange<Value>) -> String {
    let words = [limits.lowerBound, limits.upperBound].map { bound in
      let digits = "\(bound)"
      return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    }
    return words.joined(separator: " to ")
  }
}

extension Configuration {
  private enum Key: String, CaseIterable {
    case source, layout, order, group, columns
    case minimumColumnWidth = "min-column-width"
    case pageSize = "page-size"
    case timeout, mouse, color, images
    case filmHeight = "film-height"
    case autoplays = "play-on"
    case usesPlayerConfiguration = "mpv-config"
  }

  private mutating func apply(_ entry: TomlEntry) throws(ConfigurationFault) {
    guard let key = Key(rawValue: entry.key) else {
      throw .unknown(entry.key, at: entry.keyPlace, known: Key.allCases.map(\.rawValue))
    }
    switch key {
    case .source: sources = try SourceReader.sources(entry)
    case .layout: layout = try entry.choice(LayoutKind.allCases)
    case .group: grouping = try entry.choice(Grouping.allCases)
    case .order: order = try Self.order(entry)
    case .columns: columns = try entry.integer(OptionLimits.columns)
    case .minimumColumnWidth: minimumColumnWidth = try entry.integer(OptionLimits.minimumColumnWidth)
    case .pageSize: pageSize = try entry.integer(OptionLimits.pageSize)
    case .timeout: timeoutSeconds = try entry.number(OptionLimits.timeoutSeconds)
    case .mouse: usesMouse = try entry.boolean()
    case .color: usesColor = try entry.boolean()
    case .images: pictures = try entry.choice(PictureChoice.allCases)
    case .filmHeight: filmHeight = try entry.integer(OptionLimits.filmHeight)
    case .autoplays: autoplays = try entry.boolean()
    case .usesPlayerConfiguration: usesPlayerConfiguration = try entry.boolean()
    }
  }

  private static func order(_ entry: TomlEntry) throws(ConfigurationFault) -> ItemOrder {
    let text = try entry.string()
    guard let order = ItemOrder(written: text) else {
      throw .wrong(entry.key, entry.item, value: "\"\(text)\"", needed: ItemOrder.writtenForms)
    }
    return order
  }
}

extension ItemOrder {
  /// Parses an order such as `tolerance=4`. Returns nil if the text is invalid.
  public init?(written text: String) {
    let tolerance = "tolerance="
    switch text {
    case "shortest": self = .shortest
    case "left-to-right": self = .leftToRight
    case "right-to-left": self = .rightToLeft
    case _ where text.hasPrefix(tolerance):
      guard let rows = Int(text.dropFirst(tolerance.count)), (0...1000).contains(rows) else { return nil }
      self = .tolerance(rows)
    default: return nil
    }
  }

  /// The forms that `init(written:)` accepts, for messages.
  public static let writtenForms = "shortest, left-to-right, right-to-left, or tolerance=ROWS with 0 to 1000 rows"
}
