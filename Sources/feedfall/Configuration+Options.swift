import AppCore
import Configuration
import FeedSources
import Glibc

extension Configuration {
  /// The sources that the words of a command line mean: names of what is written down, addresses, files. No word at all
  /// means all that is written down, else the built-in catalogue.
  func sources(named arguments: [String]) -> [NamedSource] {
    if arguments.isEmpty {
      return sources.isEmpty ? [NamedSource()] : sources.map { NamedSource(name: $0.name, argument: $0.address) }
    }
    return arguments.map { argument in
      source(named: argument).map { NamedSource(name: $0.name, argument: $0.address) }
        ?? NamedSource(argument: argument)
    }
  }
}

extension ViewOptions {
  init(_ configuration: Configuration) {
    layout = configuration.layout ?? layout
    cards.order = configuration.order ?? cards.order
    cards.grouping = configuration.grouping ?? cards.grouping
    if let columns = configuration.columns { cards.columns = .count(columns) }
    if let width = configuration.minimumColumnWidth { cards.columns = .minimumWidth(width) }
    usesMouse = configuration.usesMouse ?? usesMouse
    usesColor = configuration.usesColor ?? usesColor
  }
}

extension SourceOptions {
  init(_ configuration: Configuration) {
    self.init()
    pageSize = configuration.pageSize
    timeoutSeconds = configuration.timeoutSeconds ?? timeoutSeconds
  }
}

/// Does something with what the person wrote down; where that is faulty, says so and does nothing.
func withConfiguration(_ body: (Configuration) -> Int32) -> Int32 {
  guard let file = ConfigurationFile.current else { return body(Configuration()) }
  do { return body(try file.read()) } catch {
    complain(error.sentence(in: file))
    return ExitStatus.usage
  }
}

extension ConfigurationFile {
  /// The person's own; nil where there is no place for it.
  static var current: ConfigurationFile? {
    ConfigurationFile { name in getenv(name).map { String(cString: $0) } }
  }
}
