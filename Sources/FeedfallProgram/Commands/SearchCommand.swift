import ArgumentParser
import FeedfallFeeds
import FeedfallFilters
import FeedfallText

struct SearchCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall search", abstract: "Search a service, and show the results.",
    discussion: """
      The first word can be a service: \(SearchService.allCases.map(\.rawValue).joined(separator: ", ")). Conditions \
      such as since:1m, ">20m" or sort:views filter the results; YouTube and PeerTube get them, too. In a pipe, the \
      results are printed as by feedfall list.
      """)

  @Argument(help: ArgumentHelp("The service, words and conditions.", valueName: "word"))
  var words: [String]

  @OptionGroup var options: OptionArguments

  private var parsed: (service: SearchService?, request: SearchRequest) {
    // The shell has removed the quotation marks of a phrase.
    SearchRequest.parse(words.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " "))
  }

  func validate() throws {
    guard !parsed.request.words.isEmpty else { throw ValidationError("There is no word to search for. Write one.") }
    do { _ = try FilterQuery(parsed.request.filter) } catch { throw ValidationError(error.text) }
  }

  func run() -> Int32 {
    withConfiguration(printsFaults: false) { configuration in
      let view = configuration.viewOptions { options.apply(to: &$0) }
      let feed = configuration.sourceOptions(options.feed)
      let usual = view.search ?? (feed.ytDlp.common.isInstalled ? .youtube : .peertube)
      let (service, request) = parsed
      var source = NamedSource(argument: (service ?? usual).address(of: request))
      source.name = "\((service ?? usual).name): \(cleanedLine(request.words, limit: 40))"
      source.query = (try? FilterQuery(request.filter)) ?? .empty
      let selection = UserConfiguration.Selection(sources: [source], views: [])
      return Browse(configuration, selection, options: view, feed: feed).run()
    }
  }
}
