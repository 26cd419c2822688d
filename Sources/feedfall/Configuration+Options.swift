import FeedfallConfiguration
import FeedfallCore
import FeedfallFeeds
import FeedfallPlaying
import FeedfallSources
import FeedfallSystem
import FeedfallText
import FeedfallWeb

extension Configuration {
  /// Returns the sources for command-line arguments, which are names of configured sources, addresses or files. Without
  /// arguments, returns all configured sources, or the built-in catalogue if there are none.
  func sources(named arguments: [String]) -> [NamedSource] {
    if arguments.isEmpty {
      return sources.isEmpty ? [NamedSource()] : sources.map { NamedSource($0) }
    }
    return arguments.flatMap { argument in
      source(named: argument).map { [NamedSource($0)] }
        ?? NamedSource.all(inList: argument) ?? [NamedSource(argument: argument)]
    }
  }
}

extension NamedSource {
  fileprivate init(_ source: ConfiguredSource) {
    self.init(name: source.name, argument: source.address)
    login = source.passwordCommand.map { SourceLogin(user: source.user, passwordCommand: $0) }
  }

  /// Returns the feeds of an `.opml` file, or nil if the file is not a valid feed list.
  fileprivate static func all(inList path: String) -> [NamedSource]? {
    guard path.lowercased().hasSuffix(".opml"), let bytes = try? DocumentFile.bytes(ofArgument: path),
      let feeds = try? SubscriptionList(opml: bytes).feeds, !feeds.isEmpty
    else { return nil }
    return feeds.prefix(Configuration.maximumSourceCount).map { feed in
      NamedSource(name: feed.name.isEmpty ? nil : feed.name, argument: feed.address.text)
    }
  }
}

extension ViewOptions {
  init(_ configuration: Configuration, _ environment: Environment = .process) {
    layout = configuration.layout ?? layout
    cards.order = configuration.order ?? cards.order
    cards.grouping = configuration.grouping ?? cards.grouping
    if let columns = configuration.columns { cards.columns = .count(columns) }
    if let width = configuration.minimumColumnWidth { cards.columns = .minimumWidth(width) }
    terminal.usesMouse = configuration.usesMouse ?? terminal.usesMouse
    terminal.usesColor = configuration.usesColor ?? (environment["NO_COLOR"] == nil)
    terminal.pictures = configuration.pictures ?? terminal.pictures
    playing.maximumHeight = configuration.filmHeight
    playing.autoplays = configuration.autoplays ?? false
    usesPlayerConfiguration = configuration.usesPlayerConfiguration ?? usesPlayerConfiguration
  }
}

extension SourceOptions {
  init(_ configuration: Configuration) {
    self.init(cache: .ofUser())
    pageSize = configuration.pageSize
    timeoutSeconds = configuration.timeoutSeconds ?? timeoutSeconds
  }
}

/// Calls `body` with the user's configuration and returns its exit status. If the configuration is faulty, prints the
/// fault and returns `ExitStatus.usage`.
func withConfiguration(_ body: (Configuration) -> Int32) -> Int32 {
  guard let file = ConfigurationFile.current else { return body(Configuration()) }
  do { return body(try file.read()) } catch {
    printError(error.message("Could not read", file))
    return ExitStatus.usage
  }
}

extension ConfigurationFile {
  /// The user's configuration file; nil if the environment names no folder for it.
  static var current: ConfigurationFile? { ConfigurationFile() }
}
