import ArgumentParser
import FeedfallApp
import FeedfallFeeds
import FeedfallFilters
import FeedfallMedia
import FeedfallSources
import FeedfallText
import Glibc

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
    let name = "\(cleanedLine(request.words, limit: 40)) · \(service.name)"
    let searches = service.searches(for: request, hasYtDlp: hasYtDlp)
    var selection = UserConfiguration.Selection(
      sources: searches.map { search in
        var source = NamedSource(argument: search.address)
        source.query = query
        return source
      }, views: [], isSearch: true)
    if service == .everywhere {
      selection.group = .init(name: name, sourceNames: searches.map { $0.service.name })
    } else {
      selection.sources[0].name = name
    }
    return selection
  }
}

struct FindCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall find", abstract: "Print the videos ever loaded that have all words, one per line.",
    discussion: """
      Searches the titles, channels, authors and descriptions (their first 4,000 characters) of up to 200,000 videos. \
      Matches in the title come first. A word also matches the start of a longer one, and words between quotation \
      marks are a phrase. Videos of sources with a password are not stored.
      """)

  @Argument(help: ArgumentHelp("The words.", valueName: "word"))
  var words: [String]

  @Option(
    help: ArgumentHelp("The largest number of videos to print (default: all).", valueName: "n"))
  var limit: Int?

  @Flag(help: "Print one JSON object per line.")
  var json = false

  private static let batchCount = 500

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) is out of range. Write a value of at least 1.") }
    guard SearchWords(words.joined(separator: " ")) != nil else {
      throw ValidationError("There is no word to find. Write at least one letter or digit.")
    }
  }

  func run() -> Int32 {
    withConfiguration { configuration in
      guard let records = UserLog.records(sharedFolder: configuration.viewOptions().stateFolder) else {
        return ExitStatus.failure
      }
      let index = VideoIndex.ofUser(executor: Worker())
      let count = forEachVideo(of: index) { found in
        let key = records.key(of: found.video)
        let row = VideoRow(found.video, source: found.source, key: key, record: records[key])
        print(json ? row.json : row.text)
      }
      if let notice = index.dequeueNotice() { printError(notice) }
      if count == 0 { printError("Found no videos: none that was loaded has these words. Use fewer or shorter words.") }
      return count > 0 ? ExitStatus.success : ExitStatus.failure
    }
  }

  private func forEachVideo(of index: VideoIndex, _ body: (FoundVideo) -> Void) -> Int {
    guard let words = SearchWords(words.joined(separator: " ")) else { return 0 }
    var (count, place) = (0, nil as Int?)
    while count < limit ?? .max {
      let found = index.videos(with: words, after: place, limit: min(Self.batchCount, (limit ?? .max) - count))
      guard let last = found.last else { break }
      found.forEach(body)
      count += found.count
      place = last.place
    }
    return count
  }
}

struct PlayNowCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: PlayNowWords.command, abstract: PlayNowWords.abstract, discussion: PlayNowWords.discussion)

  @Argument(help: ArgumentHelp("\(PlayNowWords.argument)", valueName: "word"), completion: NamedSource.completion)
  var words: [String]

  @OptionGroup var options: OptionArguments

  private var source: String? { words.count == 1 && FeedSources.isSource(words[0]) ? words[0] : nil }

  func validate() throws {
    // Addresses and paths may be private: no service gets them as words.
    if words.count > 1, let address = words.first(where: FeedSources.isWrittenAddress) {
      throw ValidationError(PlayNowWords.notAlone(address))
    }
    if source == nil { _ = try WrittenSearch(words) }
  }

  func run() -> Int32 {
    guard isatty(STDOUT_FILENO) == 1 else {
      printError(PlayNowWords.noTerminal)
      return ExitStatus.usage
    }
    return withConfiguration(printsFaults: false) { configuration in
      var view = configuration.viewOptions { options.apply(to: &$0) }
      let feed = configuration.sourceOptions(options.feed)
      view.playing.autoplays = false
      let named = configuration.selection(named: words)
      let isNamed = words.count == 1 && (named.startsWithView || named.sources.contains { $0.name != nil })
      let search = isNamed || source != nil ? nil : try? WrittenSearch(words)
      return Browse(
        configuration, search?.selection(view, feed) ?? named, options: view, feed: feed, playsFirst: true
      ).run()
    }
  }
}
