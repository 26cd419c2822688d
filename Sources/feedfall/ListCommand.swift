import ArgumentParser
import FeedfallSources

/// `feedfall list [SOURCE]`: print the videos of a source.
struct ListCommand: ExitingCommand {
  static let word = "list"

  static let configuration = CommandConfiguration(
    commandName: "feedfall list", abstract: "Print the videos of a source, one per line.")

  @Argument(help: NamedSource.help)
  var source: String?

  @OptionGroup var feed: SourceArguments

  @Option(help: ArgumentHelp("The number of pages to load.", valueName: "n"))
  var pages = 1

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func validate() throws {
    guard pages >= 1 else { throw ValidationError("--pages \(pages) is out of range. Write a value of at least 1.") }
  }

  func run() -> Int32 {
    withConfiguration { configuration in
      Listing(
        sources: configuration.sources(named: source.map { [$0] } ?? []), feed: configuration.sourceOptions(feed),
        pageCount: pages, format: json ? .json : .text
      ).run()
    }
  }
}
