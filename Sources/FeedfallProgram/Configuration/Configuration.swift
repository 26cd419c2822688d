import FeedfallApp
import FeedfallFeeds
import FeedfallFilters
import FeedfallScreen
import FeedfallSystem
import FeedfallText

struct Configuration: Equatable, Sendable {
  var sources: [Source] = []
  var views: [View] = []
  /// The options in document order, unchecked.
  var options: [Option] = []
  var theme: ThemeSettings?
  var ytDlp = YtDlp()
  /// The sources of `config.toml` that are hidden; only `own.toml` has them.
  var removed: [RemovedSource] = []

  static let maximumSourceCount = 20_000
  static let maximumViewCount = 50

  static let tableKeys = Source.keys + View.keys + ["filter"]

  func source(named name: String) -> Source? { sources.first { $0.name == name } }

  enum Table: String, CaseIterable {
    case source, view, theme
    case ytDlp = "yt-dlp"

    var header: String {
      switch self {
      case .source, .view: "[[\(rawValue)]]"
      case .theme, .ytDlp: "[\(rawValue)]"
      }
    }

    static let headers = allCases.map(\.header).joined(separator: ", ")
  }

  struct Source: Equatable, Sendable {
    var name: String
    var isList = false
    /// A web address, a `yt-dlp:` address or a path.
    var address: String
    var user: String?
    /// The command that prints the password or key, which `CommandWords` splits.
    var passwordCommand: String?
    /// The user's categories, such as the folders of an imported list; at most 20.
    var tags: [String] = []
    /// Whether the feeds of YouTube's channels include Shorts and streams.
    var includesShorts = true
    /// The proxy for its feed, its videos and its covers; nil for that of the program.
    var proxy: Proxy?
    /// As yt-dlp's `--cookies-from-browser` takes it; nil for that of the program.
    var cookiesFromBrowser: String?
    /// Whether redirects may lead its videos from https to http.
    var allowsHTTP = false
    var query = FilterQuery.empty
    /// Nil for that of the program.
    var refresh: RefreshRule?
    /// The fault that prevents loading: a request could lack its proxy, for example.
    var fault: ConfigurationFault?
  }

  enum Proxy: Equatable, Sendable {
    case none
    case address(ProxyAddress)

    /// Nil for direct requests.
    var address: ProxyAddress? { if case .address(let address) = self { address } else { nil } }
  }

  struct View: Equatable, Sendable {
    var name: String
    var query: FilterQuery
    /// Nil for that of the other tabs.
    var layout: LayoutKind?

    fileprivate var toml: String {
      "\n[[view]]\nname = \(Configuration.quoted(name))\nwhere = \(Configuration.quoted(query.text))\n"
        + (layout.map { "layout = \(Configuration.quoted($0.rawValue))\n" } ?? "")
    }
  }

  struct Option: Equatable, Sendable {
    let name: String
    /// The option as a command-line argument: `--columns=3`, `--mouse` for true, `--no-mouse` for false.
    let argument: String
    /// The value as TOML: `"no"`, `3` or `true`.
    let value: String
    private let place: TextPlace

    init(name: String, value: String) {
      (self.name, place) = (name, TextPlace(line: 1, column: 1))
      let isBoolean = value == "true" || value == "false"
      argument = isBoolean ? "--\(value == "true" ? "" : "no-")\(name)" : "--\(name)=\(value)"
      // TOML has no numbers such as 03.
      self.value = isBoolean ? value : Int(value).map { "\($0)" } ?? Configuration.quoted(value)
    }

    init(_ entry: TomlValue.Entry) throws(ConfigurationFault) {
      name = entry.key
      place = entry.keyPlace
      (argument, value) =
        switch entry.item.value {
        case .string(let text): ("--\(name)=\(text)", Configuration.quoted(text))
        case .integer(let number): ("--\(name)=\(number)", "\(number)")
        case .number(let number): ("--\(name)=\(number)", "\(number)")
        case .boolean(true): ("--\(name)", "true")
        case .boolean(false): ("--no-\(name)", "false")
        case .table, .array, .moment:
          throw .wrong(name, entry.item, needed: "a text in quotation marks, a number, true or false")
        }
    }

    func faultHidingRest(_ reason: String) -> ConfigurationFault {
      fault(reason, advice: "Correct the ones above first.").hidingRest()
    }

    func fault(_ reason: String, advice: String) -> ConfigurationFault {
      // The keys of a table whose header is missing become options.
      let hidesSource = name == "address" || ConfigurationFault.mayBeSource(name)
      return ConfigurationFault(at: place, reason, advice: advice, keys: [name], hidesSource: hidesSource)
    }
  }

  private static let header = """
    # Written by feedfall: changes from :subscribe, :unsubscribe, :rename, :tag, :save, :view and import.
    # Your own settings belong in config.toml. feedfall replaces this file, comments included.

    """

  var toml: String {
    let options = options.map { "\(Self.key($0.name)) = \($0.value)\n" }
    let removed = removed.map { entry in
      "\n[[removed]]\nname = \(Self.quoted(entry.name))\naddress = \(Self.quoted(entry.address))\n"
    }
    return ([Self.header] + options + removed + sources.map(\.toml) + views.map(\.toml)).joined()
  }

  private static func key(_ name: String) -> String {
    !name.isEmpty && name.utf8.allSatisfy(\.isBareKey) ? name : quoted(name)
  }

  /// TOML escapes the characters that JSON escapes, and the one for deleting.
  static func quoted(_ text: String) -> String { text.quoted.replacing("\u{7F}", with: "\\u007f") }
}

/// The changes of the sources in `own.toml`. `configured` is the configuration of `config.toml`, which stays as it is.
extension Configuration {
  /// The entries of `own` replace the ones with the same names.
  func merging(_ own: Configuration) -> Configuration {
    var result = self
    let removed = Dictionary(grouping: own.removed, by: \.name)
    result.sources.removeAll { source in removed[source.name]?.contains { $0.isSame(as: source) } == true }
    result.sources = Self.replacing(result.sources, by: own.sources, name: \.name)
    result.views = Self.replacing(result.views, by: own.views, name: \.name)
    return result
  }

  /// New entries are at the end. O(n).
  private static func replacing<Entry>(_ entries: [Entry], by new: [Entry], name: (Entry) -> String) -> [Entry] {
    var result = entries
    let places = Dictionary(entries.enumerated().map { (name($1), $0) }, uniquingKeysWith: { first, _ in first })
    for entry in new {
      if let place = places[name(entry)] { result[place] = entry } else { result.append(entry) }
    }
    return result
  }

  /// Adds a source, or removes the entry that hides it; returns it as it is now, or nil if its address is configured
  /// already. A name that is already in use gets a number.
  ///
  /// - Parameters:
  ///   - name: the name that the user has typed. A hidden source is copied under it, with all its keys.
  ///   - index: the place among the own sources; nil for the end.
  ///   - replaced: the source of `config.toml` that has been hidden since, and whose name it has.
  ///   - isUndo: whether another source may have the address.
  mutating func add(
    _ source: Source, as name: String? = nil, at index: Int? = nil, replacing replaced: RemovedSource? = nil,
    isUndo: Bool = false, to configured: Configuration
  ) throws(ConfigurationError) -> Source? {
    let present = configured.merging(self).sources.filter { $0.isAt(source.address) }
    guard !present.contains(where: { !isUndo || $0.name == source.name }) else { return nil }
    removed.removeAll { $0 == replaced }
    let hidden = configured.sources.filter { other in
      replaced == nil && other.isAt(source.address) && removed.contains { $0.isSame(as: other) }
    }
    let matching = hidden.last { $0.name == name ?? source.name }
    if let shown = matching ?? (name == nil && !isUndo ? hidden.last : nil) {
      removed.removeAll { $0.isSame(as: shown) }
      return shown
    }
    // The text of a faulty source cannot be copied.
    var source = hidden.last { $0.fault == nil } ?? source
    if let name { source.name = name }
    var names = UniqueNames((configured.sources.filter { $0.name != replaced?.name } + sources).map(\.name))
    source.name = names.add(source.name)
    sources.insert(source, at: min(index ?? sources.count, sources.count))
    try Self.checkCount(configured.merging(self).sources.count)
    return source
  }

  /// Adds many sources; returns each as it is now, or nil if its address is configured already. O(n), unless many of
  /// them are hidden.
  mutating func add(_ new: [Source], to configured: Configuration) throws(ConfigurationError) -> [Source?] {
    let present = configured.merging(self).sources
    var known = Set(present.map(\.comparedAddress))
    let hidden = Set(removed.map { Source(name: "", address: $0.address).comparedAddress })
    var names = UniqueNames((configured.sources + sources).map(\.name))
    var count = present.count
    var result: [Source?] = []
    for source in new {
      let address = source.comparedAddress
      guard known.insert(address).inserted else {
        result.append(nil)
        continue
      }
      count += 1
      var added: Source? = source
      if hidden.contains(address) {
        added = try add(source, to: configured)
        if let added { names.insert(added.name) }
      } else {
        try Self.checkCount(count)
        added?.name = names.add(source.name)
        added.map { sources.append($0) }
      }
      result.append(added)
    }
    return result
  }

  private static func checkCount(_ count: Int) throws(ConfigurationError) {
    guard count > maximumSourceCount else { return }
    let reason = "there would be \(count) sources, more than \(maximumSourceCount)"
    throw ConfigurationError(ConfigurationFault(at: nil, reason, advice: "Remove some."))
  }

  enum Change {
    case changed(before: Source, after: Source)
    case notFound
    /// Another source has the new name.
    case nameInUse
  }

  /// Changes the name or the tags of a source. One of `config.toml` is copied, and hidden if it gets another name.
  mutating func change(
    name: String, address: String, in configured: Configuration, _ edit: (inout Source) -> Void
  ) throws(ConfigurationError) -> Change {
    let all = configured.merging(self).sources
    guard let before = all.first(where: { $0.name == name && $0.isAt(address) }) else { return .notFound }
    if let fault = before.fault { throw ConfigurationError(fault) }
    var after = before
    edit(&after)
    if after.name != name {
      if all.contains(where: { $0.name == after.name }) { return .nameInUse }
      // A source of this name that was hidden stays hidden only by its entry.
      if let old = configured.source(named: name), !removed.contains(where: { $0.isSame(as: old) }) {
        removed.append(RemovedSource(name: old.name, address: old.address))
      }
      removed.removeAll { $0.name == after.name && after.isAt($0.address) }
    }
    if let index = sources.firstIndex(where: { $0.name == name }) {
      sources[index] = after
    } else if after != before {
      sources.append(after)
    }
    return .changed(before: before, after: after)
  }

  /// Removes the source with this address; returns nil if there is none. If several have the address, removes the one
  /// with this name, or throws. A source of `config.toml` is hidden.
  ///
  /// - Parameter isNameRequired: whether a source of another name is not removed, even if it is the only one.
  mutating func remove(
    name: String, address: String, isNameRequired: Bool, from configured: Configuration
  ) throws(ConfigurationError) -> Removal? {
    let candidates = configured.merging(self).sources.filter {
      $0.isAt(address) && (!isNameRequired || $0.name == name)
    }
    guard let source = candidates.first(where: { $0.name == name }) ?? candidates.first else { return nil }
    guard candidates.count == 1 || source.name == name else {
      throw ConfigurationError(.ambiguous(count: candidates.count))
    }
    let index = sources.firstIndex { $0.name == source.name }
    if let index { sources.remove(at: index) }
    var removal = Removal(source: source, index: index)
    let hidden = configured.sources.first { $0.name == source.name }
    if let hidden, !removed.contains(where: { $0.isSame(as: hidden) }) {
      // The others belong to sources that `config.toml` no longer has.
      if removed.count >= Self.maximumSourceCount {
        removed.removeAll { entry in !configured.sources.contains { entry.isSame(as: $0) } }
      }
      let entry = RemovedSource(name: hidden.name, address: hidden.address)
      removed.append(entry)
      if index != nil { removal.replaced = entry }
    }
    return removal
  }

  /// Sets options that the command line has accepted.
  mutating func set(_ values: [String: String]) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let replaced = [name] + (SavedSettings.alternatives[name].map { [$0] } ?? [])
      options.removeAll { replaced.contains($0.name) }
      options.append(Option(name: name, value: value))
    }
  }

  mutating func set(_ view: View) throws(ConfigurationError) {
    guard views.contains(where: { $0.name == view.name }) || views.count < Self.maximumViewCount else {
      let reason = "there are \(views.count) views already"
      throw ConfigurationError(ConfigurationFault(at: nil, reason, advice: "Remove some."))
    }
    views = Self.replacing(views, by: [view], name: \.name)
  }

  /// Names of sources, to which a list may add the same one thousands of times.
  struct UniqueNames {
    private(set) var names: Set<String>
    /// The last number behind each name.
    private var numbers: [String: Int] = [:]

    init(_ names: some Sequence<String>) { self.names = Set(names) }

    mutating func insert(_ name: String) { names.insert(name) }

    /// Adds a name, with a number if it is in use.
    mutating func add(_ name: String) -> String {
      // Names have at most 80 characters; the rest is room for the number.
      let name = cleanedLine(name, limit: 72)
      var (unique, number) = (name, numbers[name] ?? 1)
      while !names.insert(unique).inserted {
        number += 1
        unique = "\(name) \(number)"
      }
      numbers[name] = number
      return unique
    }
  }

  struct RemovedSource: Equatable, Sendable {
    var name: String
    var address: String

    func isSame(as source: Source) -> Bool { source.name == name && source.isAt(address) }
  }

  struct Removal: Equatable, Sendable {
    var source: Source
    /// Its place among the own sources; nil for a source of `config.toml`, which is hidden.
    var index: Int?
    /// The source of `config.toml` with the name of an own one, which was hidden together with it.
    var replaced: RemovedSource?
  }
}

extension Configuration.Source {
  init(_ feed: SubscriptionList.Feed) {
    self.init(name: feed.name.isEmpty ? feed.address.shownHost : feed.name, address: feed.address.text)
    tags = feed.tags.filter(Self.isTag).prefix(Self.maximumTagCount).map(\.self)
  }

  /// Whether the source has this address, in whatever form both are written. A path must not begin with `~/`.
  func isAt(_ address: String) -> Bool { comparedAddress == Self(name: "", address: address).comparedAddress }

  var comparedAddress: String { WebAddress(typed: address)?.text ?? address }

  fileprivate var toml: String {
    func line(_ key: String, _ text: String?) -> String { text.map { "\(key) = \(Configuration.quoted($0))\n" } ?? "" }
    let tags = tags.map { Configuration.quoted($0) }.joined(separator: ", ")
    return "\n[[source]]\n" + line("name", name) + line("address", address) + line("user", user)
      + line("password-command", passwordCommand) + (tags.isEmpty ? "" : "tags = [\(tags)]\n")
      + (includesShorts ? "" : "shorts = false\n") + line("proxy", proxy.map { $0.address?.text ?? "none" })
      + line("refresh", refresh?.text) + line("cookies-from-browser", cookiesFromBrowser)
      + (isList ? "list = true\n" : "") + (allowsHTTP ? "allow-http = true\n" : "")
      + line("where", query == .empty ? nil : query.text)
  }
}
