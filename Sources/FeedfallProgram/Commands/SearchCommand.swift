import ArgumentParser
import FeedfallFeeds
import FeedfallFilters
import FeedfallSources
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

  func validate() throws { _ = try WrittenSearch(words) }

  func run() -> Int32 {
    guard let search = try? WrittenSearch(words) else { return ExitStatus.usage }
    return withConfiguration(printsFaults: false) { configuration in
      let view = configuration.viewOptions { options.apply(to: &$0) }
      let feed = configuration.sourceOptions(options.feed)
      return Browse(configuration, search.selection(view, feed), options: view, feed: feed).run()
    }
  }
}

/// The words of a search on the command line.
struct WrittenSearch {
  private let service: SearchService?
  private let request: SearchRequest
  private let query: FilterQuery

  init(_ words: [String]) throws {
    // The shell has removed the quotation marks of a phrase.
    (service, request) = SearchRequest.parse(words.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " "))
    guard !request.words.isEmpty else { throw ValidationError("There is no word to search for. Write one.") }
    do { query = try FilterQuery(request.filter) } catch { throw ValidationError(error.text) }
  }

  func selection(_ view: ViewOptions, _ feed: SourceOptions) -> UserConfiguration.Selection {
    let hasYtDlp = feed.ytDlp.common.isInstalled
    let service = service ?? view.search ?? .usual(hasYtDlp: hasYtDlp)
    let name = "\(service.name): \(cleanedLine(request.words, limit: 40))"
    let searches = service.searches(for: request, hasYtDlp: hasYtDlp)
    var selection = UserConfiguration.Selection(
      sources: searches.map { search in
        var source = NamedSource(argument: search.address)
        source.query = query
        return source
      }, views: [])
    if service == .everywhere {
      selection.group = .init(name: name, sourceNames: searches.map { $0.service.name })
    } else {
      selection.sources[0].name = name
    }
    return selection
  }
}
