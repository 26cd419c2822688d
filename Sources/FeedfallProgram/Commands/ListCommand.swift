import ArgumentParser
import FeedfallFilters
import FeedfallMedia
import FeedfallSources

struct ListCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall list", abstract: "Print the videos of a source, one per line.")

  @Argument(help: NamedSource.help)
  var source: String?

  @OptionGroup var feed: OptionArguments.Feed

  @Option(
    help: ArgumentHelp(
      "The number of pages to load (default: 1, or all of files, folders and the catalogue).", valueName: "n"))
  var pages: Int?

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Print only the videos that a filter includes.", valueName: "filter"),
    transform: FilterQuery.init(argument:))
  var query = FilterQuery.empty

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func validate() throws {
    if let pages, pages < 1 { throw ValidationError("--pages \(pages) is out of range. Write a value of at least 1.") }
  }

  func run() -> Int32 {
    withConfiguration { configuration in
      configuration.run(for: source.map { [$0] } ?? []) { sources, view, records in
        Listing(
          sources: sources, feed: configuration.sourceOptions(feed), query: query, view: view?.query ?? .empty,
          records: records, pageCount: pages, format: json ? .json : .text
        ).run()
      }
    }
  }
}

extension FilterQuery {
  fileprivate init(argument: String) throws(ValidationError) {
    do { try self.init(argument) } catch { throw ValidationError(error.text) }
  }
}
