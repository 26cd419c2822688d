import FeedfallApp
import FeedfallFeeds
import FeedfallFilters
import FeedfallMedia
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Glibc

/// Without the faulty lines. The values of `own.toml` have precedence over those of `config.toml`.
struct UserConfiguration {
  /// Both files together, except for their options.
  let configuration: Configuration
  /// Of `config.toml`.
  let faults: ConfigurationError?
  let ownFaults: ConfigurationError?
  /// The sources, views and options of `config.toml` that ones of `own.toml` replace.
  let replacedNames: [String]
  /// Those of both files, then those of the live lists.
  let sources: [NamedSource]
  /// Those of `config.toml`, then those of `own.toml`. A file without options has none: parsing takes time at the start.
  private let options: [OptionArguments]
  private let lacksProxy: Bool
  private let lacksYtDlp: Bool
  /// Whether the user's marks may be in another folder than the usual one.
  let lacksStateFolder: Bool

  /// Read only if there are faults, because that takes time.
  private static let optionNames = OptionArguments.optionNames

  static func isOption(_ name: String) -> Bool { optionNames.contains(name) }

  /// - Parameter file: nil if the environment names no folder for it.
  init(file: ConfigurationFile?) {
    self.init(
      file?.reading(isOption: Self.isOption), own: file?.own.reading(isOption: Self.isOption),
      storedList: { StoredLists.ofUser?.feeds(at: $0) ?? [] })
  }

  /// - Parameter storedList: returns the stored feeds of the live list at an address.
  init(
    _ main: ConfigurationReading?, own: ConfigurationReading? = nil,
    storedList: (String) -> [SubscriptionList.Feed] = { _ in [] }
  ) {
    let (main, own) = (main ?? ConfigurationReading(), own ?? ConfigurationReading())
    configuration = main.configuration.merging(own.configuration)
    let (mainOptions, ownOptions) = (Self.parse(main.configuration.options), Self.parse(own.configuration.options))
    options = [mainOptions.0, ownOptions.0].compactMap(\.self)
    faults = ConfigurationError(ifAny: main.faults + mainOptions.1)
    ownFaults = ConfigurationError(ifAny: own.faults + ownOptions.1)
    let errors = [faults, ownFaults].compactMap(\.self)
    lacksProxy = errors.contains { $0.concerns(option: "proxy", isOption: Self.isOption) }
    lacksYtDlp = main.mayHaveYtDlp && main.faults.contains { !$0.isInSource }
    lacksStateFolder = errors.contains { $0.concerns(option: "state-folder", isOption: Self.isOption) }
    let (written, replacing) = (main.configuration, own.configuration)
    let ownNames = Set(replacing.sources.map(\.name))
    let ownViewNames = Set(replacing.views.map(\.name))
    replacedNames =
      written.sources.map(\.name).filter(ownNames.contains) + written.views.map(\.name).filter(ownViewNames.contains)
      + (written.options.map(\.name) + (written.theme == nil ? [] : ["theme"])).filter { name in
        replacing.options.contains { $0.name == name }
      }
    var sources = configuration.sources.map { source in
      let isOwn = ownNames.contains(source.name)
      let (reading, file) = isOwn ? (own, ConfigurationFile.ownName) : (main, ConfigurationFile.name)
      var named = NamedSource(source)
      named.fault = source.fault?.failure(in: file)
      named.origin = reading.origin(ofSource: source.name, in: file)
      return named
    }
    sources.appendLists(storedList)
    self.sources = sources
  }

  func sourceOptions(_ arguments: OptionArguments.Feed? = nil) -> SourceOptions {
    var result = SourceOptions(cache: .ofUser())
    for options in options { options.feed.apply(to: &result) }
    var ytDlp = configuration.ytDlp.expanded(home: Environment.process.home)
    ytDlp.isFaulty = ytDlp.isFaulty || lacksYtDlp
    ytDlp.cacheFolder = Environment.process.cacheFolder.map { $0 + "/feedfall" }
    result.ytDlp = YtDlpDirectory(ytDlp)
    if lacksProxy { result.proxies = ProxyDirectory(result.proxies.common.refusing(setting: "the configuration")) }
    arguments?.apply(to: &result)
    return result
  }

  func viewOptions(
    _ environment: Environment = .process, change: (inout ViewOptions) -> Void = { _ in }
  ) -> ViewOptions {
    var result = ViewOptions()
    result.terminal.usesColor = environment["NO_COLOR"] == nil
    result.terminal.theme = configuration.theme ?? result.terminal.theme
    for options in options { options.apply(to: &result) }
    change(&result)
    return result
  }

  /// Finding similar names takes time.
  private static let maximumUnknownCount = 200

  /// Leaves out an option that is not valid, or not with the ones before, as a fault.
  private static func parse(_ options: [Configuration.Option]) -> (OptionArguments?, [ConfigurationFault]) {
    guard !options.isEmpty else { return (nil, []) }
    if let all = try? OptionArguments.parse(options.map(\.argument)) { return (all, []) }
    var (parsed, valid, faults) = (nil as OptionArguments?, [String](), [ConfigurationFault]())
    for option in options {
      // There may be thousands, as in the configuration of another program, and parsing each takes milliseconds.
      guard isOption(option.name) else {
        guard faults.count < maximumUnknownCount else {
          faults.append(option.faultHidingRest("there are too many unknown options to read the rest"))
          return (parsed, faults)
        }
        faults.append(unknown(option))
        continue
      }
      do {
        parsed = try OptionArguments.parse(valid + [option.argument])
        valid.append(option.argument)
      } catch { faults.append(fault(of: option, error)) }
    }
    return (parsed, faults)
  }

  private static func unknown(_ option: Configuration.Option) -> ConfigurationFault {
    if Configuration.tableKeys.contains(option.name) {
      return option.fault("\"\(option.name)\" is not an option", advice: "Write it below a [[source]] or a [[view]].")
    }
    let similar = FeedfallText.similarName(to: option.name, among: optionNames)
    return option.fault(
      "\"\(option.name)\" is not known",
      advice: similar.map { "Did you mean \"\($0)\"?" } ?? "feedfall --help lists all options.")
  }

  /// Words an error of the argument parser for the configuration, where options have no dashes.
  private static func fault(of option: Configuration.Option, _ error: any Error) -> ConfigurationFault {
    let message = OptionArguments.message(for: error).replacing("--", with: "").replacing("'", with: "\"")
    let value = "\"\(option.name)\" cannot be \(option.value)"
    if message.contains("does not take any value") { return option.fault(value, advice: "Write true or false.") }
    if message.hasPrefix("Missing value") {
      return option.fault(value, advice: "Write one of its values, which feedfall --help lists.")
    }
    if let colon = message.firstRange(of: "\": ") {
      return option.fault(value, advice: String(message[colon.upperBound...]))
    }
    return option.fault(message.prefix(1).lowercased() + message.dropFirst(), advice: "")
  }

  struct Selection: Equatable {
    var sources: [NamedSource]
    var views: [ViewSettings]
    /// Whether the arguments name only views, the first of which is shown first.
    var startsWithView = false
    /// Whether sources of the configuration may be missing, because they could not be read.
    var lacksSources = false
    var notices: [String] = []
    /// Whether the sources are those of a search.
    var isSearch = false
    /// The tab that shows all sources together; nil if each has one.
    var group: Group?

    struct Group: Equatable {
      var name: String
      var sourceNames: [String]
    }

    var firstView: ViewSettings? { startsWithView ? views.first : nil }

    func printNotices() {
      for notice in notices { printError(notice) }
    }

    /// Fails if sources may be missing, and does not use the built-in catalogue in their place. Live lists are not
    /// requested.
    func run(_ body: ([NamedSource]) -> Int32) -> Int32 {
      let sources = self.sources.filter { $0.list == nil }
      guard !sources.isEmpty || self.sources.isEmpty else {
        printError(LiveListWords.notLoaded)
        return ExitStatus.failure
      }
      guard lacksSources else { return body(sources) }
      if sources != [NamedSource()] { _ = body(sources) }
      return ExitStatus.failure
    }
  }

  /// Fails if the records or the list of downloads cannot be read.
  func run(
    for arguments: [String], _ body: ([NamedSource], _ view: ViewSettings?, _ records: UserData) -> Int32
  ) -> Int32 {
    let selection = selection(named: arguments)
    selection.printNotices()
    guard var records = UserLog.records(sharedFolder: viewOptions().stateFolder) else { return ExitStatus.failure }
    let downloads = DownloadList.ofUser().load()
    let isKnown = printFault(of: downloads)
    records.mark(downloads.states)
    let status = selection.run { body($0, selection.firstView, records) }
    return isKnown ? status : ExitStatus.failure
  }

  /// Without arguments all sources and views; if only views are named, these with all sources.
  func selection(named arguments: [String]) -> Selection {
    let named = arguments.map { (argument: $0, view: view(named: $0)) }
    let sourceArguments = named.filter { $0.view == nil }.map { $0.argument }
    let (sources, notices) = sources(named: sourceArguments)
    let views = arguments.isEmpty ? configuration.views : named.compactMap { $0.view }
    return Selection(
      sources: sources, views: views.map { ViewSettings($0) },
      startsWithView: !arguments.isEmpty && views.count == arguments.count,
      lacksSources: sourceArguments.isEmpty && [faults, ownFaults].contains { $0?.hidesSources == true },
      notices: notices)
  }

  /// - Parameter arguments: names of configured sources, addresses or files.
  private func sources(named arguments: [String]) -> ([NamedSource], notices: [String]) {
    let configured = configuration.sources
    if arguments.isEmpty { return (configured.isEmpty ? [NamedSource()] : sources, []) }
    var (sources, notices) = ([NamedSource](), [String]())
    for argument in arguments {
      if let source = source(named: argument) {
        sources += self.sources.filter { $0.name == source.name }.prefix(1)
        sources += self.sources.filter { $0.listName == source.name }
      } else if let source = self.sources.first(where: { $0.listName != nil && $0.name == argument }),
        !Self.isFile(argument)
      {
        sources.append(source)
      } else if let list = SubscriptionList(path: argument) {
        sources += list.feeds.prefix(Configuration.maximumSourceCount).map { NamedSource($0) }
        if let notice = list.notice { notices.append("\(cleanedLine(argument)): \(notice)") }
      } else {
        let address = Self.isFile(argument) ? nil : TypedAddress.shortForm(argument)
        sources.append(
          NamedSource(argument: address ?? argument.lastingAddress, similarName: similarName(to: argument)))
      }
    }
    return (sources, notices)
  }

  /// In this order: a source with exactly this name, a view, a file, a source whose name differs only in case.
  private func source(named name: String) -> Configuration.Source? {
    configuration.source(named: name)
      ?? (Self.isFile(name) ? nil : configuration.sources.first { Self.isSame($0.name, name) })
  }

  private func view(named name: String) -> Configuration.View? {
    guard configuration.source(named: name) == nil else { return nil }
    return configuration.views.first { $0.name == name }
      ?? (source(named: name) == nil && !Self.isFile(name)
        ? configuration.views.first { Self.isSame($0.name, name) } : nil)
  }

  private func similarName(to name: String) -> String? {
    let names = configuration.sources.map(\.name) + configuration.views.map(\.name)
    let lowercased = FeedfallText.similarName(to: name.lowercased(), among: names.map { $0.lowercased() })
    return names.first { $0.lowercased() == lowercased }
  }

  private static func isSame(_ name: String, _ other: String) -> Bool { folded(name) == folded(other) }

  private static func isFile(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The argument with which the completions of shells request the names of sources and views.
  static let namesWord = "__names"

  /// Reads no options, and reports no faults: the user is still typing.
  static func printNames() -> Int32 {
    guard let file = ConfigurationFile() else { return ExitStatus.success }
    let configuration = file.reading().configuration.merging(file.own.reading().configuration)
    for name in configuration.sources.map(\.name) + configuration.views.map(\.name) { print(name) }
    return ExitStatus.success
  }

  var notice: String? {
    let file = ConfigurationFile()
    let notices = [
      faults?.notice(file?.shownPath ?? ""), ownFaults?.notice(file?.own.shownPath ?? ""),
    ]
    return notices.compactMap(\.self).joined(separator: " ").nonEmpty
  }
}

extension ViewSettings {
  fileprivate init(_ view: Configuration.View) { self.init(name: view.name, query: view.query, layout: view.layout) }
}

extension String {
  /// The file's address if the text is an alias for its path, which must not be stored.
  var lastingAddress: String { PathAlias.target(of: self).flatMap { FileAddress(path: $0)?.text } ?? self }
}

extension NamedSource {
  init(_ source: Configuration.Source) {
    self.init(name: source.name, argument: source.address)
    login = source.passwordCommand.map { SourceLogin(user: source.user, passwordCommand: $0) }
    (list, includesShorts) = (source.isList ? [] : nil, source.includesShorts)
    (proxy, cookiesFromBrowser) = (source.proxy, source.cookiesFromBrowser)
    allowsHTTP = source.allowsHTTP
    (query, tags, refresh) = (source.query, source.tags, source.refresh)
    fault = source.fault?.failure(in: ConfigurationFile.name)
  }

  fileprivate init(_ feed: SubscriptionList.Feed) {
    self.init(name: feed.name.nonEmpty, argument: feed.address.text)
    tags = Configuration.Source(feed).tags
  }
}

extension SubscriptionList {
  fileprivate init?(path: String) {
    guard path.lowercased().hasSuffix(".opml"), let bytes = try? Files.bytes(ofArgument: path),
      let list = try? SubscriptionList(opml: bytes), !list.feeds.isEmpty
    else { return nil }
    self = list
  }

  fileprivate var notice: String? {
    let limit = Configuration.maximumSourceCount
    let count = isCut ? "more than \(feeds.count)" : "\(feeds.count)"
    let dropped = feeds.count > limit ? "Opened only the first \(limit) of \(count) feeds. Split the list." : nil
    let entries = skippedCount == 1 ? "1 entry" : "\(skippedCount) entries"
    let skipped = skippedCount > 0 ? "Skipped \(entries) without a web address." : nil
    return [dropped, skipped].compactMap(\.self).joined(separator: " ").nonEmpty
  }
}

func withConfiguration(printsFaults: Bool = true, _ body: (UserConfiguration) -> Int32) -> Int32 {
  let configuration = UserConfiguration(file: ConfigurationFile())
  if printsFaults, let notice = configuration.notice { printError(notice) }
  return body(configuration)
}
