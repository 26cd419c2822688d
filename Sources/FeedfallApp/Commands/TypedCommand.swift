import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText

enum TypedCommand: Equatable, Sendable {
  /// Opens an address, a path or a source of the configuration.
  case open(String)
  case close
  case find(String)
  /// Without a service, on the server of the tab. The filter has the conditions of the request.
  case search(SearchService?, SearchRequest, FilterQuery)
  /// One of the lists of the tab's channel.
  case list(ChannelList)
  case subscribe(name: String?)
  case unsubscribe
  case rename(String)
  case tag([String])
  case stop
  case save
  case view(name: String)
  case showTab(Int)
  /// An empty filter includes everything.
  case filter(FilterQuery)
  /// Nil stands for the usual quality.
  case download(DownloadQuality?)
  case mark(MarkOrder)
  case setOption(name: String, value: String)
  case help, quit

  /// Whether it applies only to the cards, not to the list of sources.
  var meansCards: Bool {
    switch self {
    case .close, .list, .view, .filter, .download: true
    case .mark(let order): order.scope == .above || order.scope == .below
    case .open, .find, .search, .subscribe, .unsubscribe, .rename, .tag, .stop, .save, .showTab, .setOption, .help,
      .quit:
      false
    }
  }
}

struct CommandVocabulary: Sendable {
  /// `row` describes each.
  enum Word: String, CaseIterable, Sendable {
    case open, close, find, search
    case list = "channel"
    case subscribe, unsubscribe, rename, tag, stop, save, view
    case filter = "where"
    case download, mark, help, quit

    enum Argument: Equatable, Sendable {
      case none
      case required(String)
      case optional(String)
    }

    var usage: String {
      switch row.argument {
      case .none: rawValue
      case .required(let word): "\(rawValue) \(word)"
      case .optional(let word): "\(rawValue) [\(word)]"
      }
    }
  }

  enum Fault: Error, Equatable, Sendable {
    case unknown(String, similar: String?)
    case missing(Word)
    case unneeded(Word, String)
    case missingValue(LiveOptions.Word)
    case filter(FilterError)
    case quality(String)
    case list(String)
    case mark(String)
    case name(String)
    case tags(String)
  }

  var options: [LiveOptions.Word] = []
  var tabs: [(index: Int, name: String)] = []
  var configuredNames: [String] = []

  func command(_ text: String) throws(Fault) -> TypedCommand {
    let text = text.trimmed
    if let word = Word(rawValue: text.firstWord) { return try command(word, text.rest) }
    if let option = options.first(where: { $0.name == text.firstWord }) {
      guard !text.rest.isEmpty else { throw .missingValue(option) }
      return .setOption(name: option.name, value: text.rest)
    }
    if let named = named(text) { return named }
    if Self.isAddress(text) { return .open(text) }
    if YtDlpSearch(":" + text)?.title != nil { return .open(":" + text) }
    throw .unknown(text, similar: similarName(to: text.firstWord.lowercased(), among: names))
  }

  private func named(_ text: String) -> TypedCommand? {
    if let tab = tabs.first(where: { $0.name.isSame(as: text) }) { return .showTab(tab.index) }
    return configuredNames.first { $0.isSame(as: text) }.map(TypedCommand.open)
  }

  private func command(_ word: Word, _ rest: String) throws(Fault) -> TypedCommand {
    switch word.row.argument {
    case .none where !rest.isEmpty: throw .unneeded(word, rest)
    case .required where rest.isEmpty: throw .missing(word)
    case .none, .required, .optional: break
    }
    switch word {
    case .open: return .open(rest)
    case .close: return .close
    case .find: return .find(rest)
    case .search:
      let (service, request) = SearchRequest.parse(rest)
      guard !request.words.isEmpty else { throw .missing(word) }
      return .search(service, request, try Self.filter(request.filter))
    case .list:
      if let list = ChannelList(rawValue: rest) { return .list(list) }
      // A tab may be called “Channel 4”.
      guard let named = named("\(word.rawValue) \(rest)") else { throw .list(rest) }
      return named
    case .subscribe: return .subscribe(name: rest.isEmpty ? nil : rest)
    case .unsubscribe: return .unsubscribe
    case .rename:
      guard cleanedLine(rest, limit: Self.maximumNameLength) == rest else { throw .name(rest) }
      return .rename(rest)
    case .tag: return .tag(try Self.tags(rest))
    case .stop: return .stop
    case .save: return .save
    case .view: return .view(name: rest)
    case .filter: return .filter(try Self.filter(rest))
    case .download:
      let quality = DownloadQuality(rest)
      guard rest.isEmpty || quality != nil else { throw .quality(rest) }
      return .download(quality)
    case .mark: return .mark(try Self.markOrder(rest))
    case .help: return .help
    case .quit: return .quit
    }
  }

  /// Nil unless the text begins a search.
  static func search(in text: String) -> (service: SearchService?, request: SearchRequest)? {
    let (text, start) = (text.drop { $0 == " " }, Word.search.rawValue + " ")
    return text.hasPrefix(start) ? SearchRequest.parse(String(text.dropFirst(start.count))) : nil
  }

  private static func markOrder(_ text: String) throws(Fault) -> MarkOrder {
    guard let marking = Marking(text.firstWord) else { throw .mark(text.firstWord) }
    switch text.rest {
    case "": return MarkOrder(marking: marking)
    case above: return MarkOrder(marking: marking, scope: .above)
    case below: return MarkOrder(marking: marking, scope: .below)
    case let condition: return MarkOrder(marking: marking, scope: .matching(try filter(condition)))
    }
  }

  private static let (above, below) = ("above", "below")

  private static let maximumNameLength = 80

  /// Separated by commas, or else by blanks.
  private static func tags(_ text: String) throws(Fault) -> [String] {
    let parts = text.contains(",") ? text.split(separator: ",") : text.split(whereSeparator: \.isWhitespace)
    let tags = parts.map { String($0).trimmed }.filter { !$0.isEmpty }.reduce(into: [String]()) { tags, tag in
      if !tags.contains(tag) { tags.append(tag) }
    }
    guard tags.count <= SubscriptionRequest.Change.maximumTagCount,
      tags.allSatisfy({ cleanedLine($0, limit: maximumNameLength) == $0 })
    else { throw .tags(text) }
    return tags
  }

  private static func filter(_ text: String) throws(Fault) -> FilterQuery {
    do { return try FilterQuery(text) } catch { throw .filter(error) }
  }

  static func isAddress(_ text: String) -> Bool {
    let starts = ["/", "./", "../", "~/"]
    if starts.contains(where: text.hasPrefix) || SourcePrefix.split(text) != nil || YtDlpSearch(text) != nil
      || TypedAddress.shortForm(text) != nil
    {
      return true
    }
    return text.contains("://") || (!text.contains(" ") && WebAddress(typed: text) != nil)
  }

  private var names: [String] {
    Word.allCases.map(\.rawValue) + options.map(\.name) + sourceNames.map { $0.lowercased() }
  }

  private var sourceNames: [String] {
    let open = tabs.map(\.name)
    return open + configuredNames.filter { name in !open.contains { $0.isSame(as: name) } }
  }

  func completions(of text: String) -> [String] {
    let typed = text.drop { $0 == " " }
    let option = options.first { $0.name == typed.prefix { $0 != " " } }
    let words =
      Word.allCases.map(\.rawValue) + options.map(\.name) + YtDlpSearch.ownLists.map { String($0.name.dropFirst()) }
    var values = option.map { option in option.values.map { "\(option.name) \($0)" } } ?? []
    let search = Word.search.rawValue + " "
    if typed.hasPrefix(search) { values += SearchService.allCases.map { search + $0.rawValue + " " } }
    let list = Word.list.rawValue + " "
    if typed.hasPrefix(list) { values += ChannelList.allCases.map { list + $0.rawValue } }
    let mark = Word.mark.rawValue + " "
    if typed.hasPrefix(mark) {
      let scopes = ["", " " + Self.above, " " + Self.below]
      values += Marking.all.flatMap { marking in scopes.map { mark + marking.name + $0 } }
    }
    return ((typed.contains(" ") ? values : words) + sourceNames).filter { $0.hasPrefix(ignoringCase: typed) }
  }

  /// Of commands and options.
  var usages: [(name: String, usage: String, help: String)] {
    Word.allCases.map { ($0.rawValue, $0.usage, $0.row.help) } + options.map { ($0.name, $0.usage, $0.help) }
  }

  func help(for text: String) -> String? {
    let name = text.trimmed.firstWord
    return usages.first { $0.name == name }.map { "\($0.usage): \($0.help)" }
  }
}

extension String {
  fileprivate var firstWord: String { String(prefix { !$0.isWhitespace }) }
  fileprivate var rest: String { String(drop { !$0.isWhitespace }.drop(while: \.isWhitespace)) }

  fileprivate func isSame(as other: String) -> Bool { lowercased() == other.lowercased() }

  fileprivate func hasPrefix(ignoringCase prefix: Substring) -> Bool { lowercased().hasPrefix(prefix.lowercased()) }
}
