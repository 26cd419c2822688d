import FeedfallApp
import FeedfallFeeds
import FeedfallFilters
import FeedfallSystem
import FeedfallText

extension Configuration.Source {
  private static let longestUser = 200

  private enum Key: String, CaseIterable {
    case name, address, list, user
    case passwordCommand = "password-command"
    case tags, shorts, proxy
    case cookiesFromBrowser = "cookies-from-browser"
    case allowHTTP = "allow-http"
    case refresh
    case filter = "where"
    case sort

    /// Whether a source must not be loaded without its value: a request could bypass its proxy, for example.
    var isEssential: Bool {
      switch self {
      case .name, .address, .user, .passwordCommand, .proxy, .cookiesFromBrowser: true
      case .list, .tags, .shorts, .allowHTTP, .refresh, .filter, .sort: false
      }
    }

    /// For the manual.
    var meaning: String {
      switch self {
      case .name: "the name of its tab; `feedfall NAME` shows only this source"
      case .address: "an address, or a path that starts with `/` or `~/`"
      case .list: LiveListWords.meaning
      case .user: "the user of its login (`feedfall help services`)"
      case .passwordCommand: "the command that prints the password or the key of its login"
      case .tags: "your categories, such as `[\"news\"]`: `tag:news` filters by them, `import` and `export` keep them"
      case .shorts: "whether a channel of YouTube includes Shorts and streams (default: `true`)"
      case .proxy: "its proxy, or `none`; also for its videos and covers"
      case .cookiesFromBrowser: "the browser whose cookies yt-dlp uses for it, such as `firefox`"
      case .allowHTTP: "whether its videos may be redirected from https to http (default: `false`)"
      case .refresh: RefreshRule.meaning
      case .filter: "the filter of its videos (`feedfall help filters`)"
      case .sort: "the order of its tab, as after `sort:` in a filter"
      }
    }

    static let essential = allCases.filter(\.isEssential).map(\.rawValue)
  }

  static let keys = Key.allCases.map(\.rawValue)
  static let keyMeanings = Key.allCases.map { ($0.rawValue, $0.meaning) }

  /// Skips faulty lines, and adds their faults to `faults`. If the line is essential, the source has the fault too.
  static func sources(
    _ entry: TomlValue.Entry, _ faults: inout [ConfigurationFault], _ isOption: (String) -> Bool
  ) -> [(source: Self, addressPlace: TextPlace?)] {
    let tables = entry.tables(limit: Configuration.maximumSourceCount, &faults)
    var (sources, names) = ([(Self, TextPlace?)](), Configuration.UniqueNames([String]()))
    let syntaxFaults = Dictionary(grouping: faults.indices) { faults[$0].tableLine }
    for (place, entries) in tables {
      let ownFaults = syntaxFaults[place.line] ?? []
      for index in ownFaults { faults[index].isInSource = true }
      let essential = ownFaults.first { faults[$0].concerns(Key.essential) }
      var table = Table(
        at: place, fault: essential.map { faults[$0] },
        missing: Key.essential.filter { name in !entries.contains { $0.key == name } })
      for entry in entries { table.add(entry, names, isOption) }
      sources.append((table.finished(&names), table.places[.address]))
      faults += table.faults
    }
    return sources
  }

  private struct Table {
    let place: TextPlace
    /// The essential keys that the table lacks; an unknown key may be a misspelling of one.
    private let missing: [String]
    var source = Configuration.Source(name: "", address: "")
    var places: [Key: TextPlace] = [:]
    var faults: [ConfigurationFault] = []
    private var order: (TomlValue.Entry, VideoOrder)?

    /// - Parameter fault: the syntax fault of an essential line, which `entries` lacks.
    init(at place: TextPlace, fault: ConfigurationFault?, missing: [String]) {
      (self.place, self.missing) = (place, missing)
      source.fault = fault
    }

    /// - Parameter names: those of other sources.
    mutating func add(_ entry: TomlValue.Entry, _ names: Configuration.UniqueNames, _ isOption: (String) -> Bool) {
      guard let key = Key(rawValue: entry.writtenKey) else {
        var fault = ConfigurationFault.unknown(entry, known: keys, below: ConfigurationFault.firstList, isOption)
        if !isOption(entry.key) { fault.keys = [entry.key] }
        return add(fault, isEssential: !isOption(entry.key) && fault.concerns(missing))
      }
      guard key != .filter || places[key] == nil else { return add(.secondFilter(entry), isEssential: false) }
      places[key] = key == .address ? entry.item.place : entry.keyPlace
      do { try set(key, entry, names) } catch { add(error, isEssential: key.isEssential) }
    }

    private mutating func add(_ fault: ConfigurationFault, isEssential: Bool = true) {
      var fault = fault
      (fault.tableLine, fault.isInSource) = (place.line, true)
      faults.append(fault)
      if isEssential { source.fault = source.fault ?? fault }
    }

    private mutating func set(
      _ key: Key, _ entry: TomlValue.Entry, _ names: Configuration.UniqueNames
    ) throws(ConfigurationFault) {
      switch key {
      case .name: source.name = try entry.name(notAmong: names.names, of: "source")
      case .address: source.address = try address(entry)
      case .list: source.isList = try entry.boolean()
      case .user: source.user = try user(entry)
      case .passwordCommand: source.passwordCommand = try passwordCommand(entry)
      case .tags: source.tags = try tags(entry)
      case .shorts: source.includesShorts = try entry.boolean()
      case .proxy: source.proxy = try proxy(entry)
      case .cookiesFromBrowser: source.cookiesFromBrowser = try entry.browser()
      case .allowHTTP: source.allowsHTTP = try entry.boolean()
      case .refresh: source.refresh = try refresh(entry)
      case .filter: source.query = try entry.filterQuery()
      case .sort: order = (entry, try entry.choice(of: VideoOrder.self))
      }
    }

    /// The source always has a name, because its tab shows its fault. The name joins the others.
    mutating func finished(_ names: inout Configuration.UniqueNames) -> Configuration.Source {
      if let (entry, order) = order {
        do { source.query = try entry.query(source.query, sortedBy: order) } catch { add(error, isEssential: false) }
      }
      // A faulty essential line may be the missing one.
      if source.fault == nil { addMissing() }
      if source.name.isEmpty {
        let name = source.address.isEmpty ? "source" : cleanedLine(source.address.hidingPassword, limit: 60)
        source.name = names.add(name)
      } else {
        names.insert(source.name)
      }
      return source
    }

    private mutating func addMissing() {
      func fault(_ place: TextPlace?, _ reason: String, _ advice: String) -> ConfigurationFault {
        ConfigurationFault(at: place ?? self.place, reason, advice: advice)
      }
      if places[.name] == nil { add(fault(nil, "the source has no name", "Write name = \"…\".")) }
      if places[.address] == nil { add(fault(nil, "the source has no address", "Write address = \"https://…\".")) }
      if let command = places[.passwordCommand], !source.isOnServer {
        add(fault(command, "the source is not on a server", "Remove password-command."))
      }
      if source.isList, places[.address] != nil, WebAddress(typed: source.address) == nil {
        add(fault(places[.list], LiveListWords.localFault, LiveListWords.localAdvice))
      }
      if let user = places[.user], source.passwordCommand == nil {
        add(fault(user, "the source has a user but no password", "Write password-command = \"…\"."))
      }
    }
  }

  private static func passwordCommand(_ entry: TomlValue.Entry) throws(ConfigurationFault) -> String {
    let command = try entry.string()
    guard !command.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), CommandWords.split(command) != nil else {
      let advice = "Write a program with its arguments, such as pass show cloud."
      throw entry.item.fault("the password command is not valid", advice: advice)
    }
    return command
  }

  private static func proxy(_ entry: TomlValue.Entry) throws(ConfigurationFault) -> Configuration.Proxy {
    let text = try entry.string()
    if text == "none" { return .none }
    guard let address = ProxyAddress(text, setting: "the proxy of this source") else {
      let advice = "Write an address such as http://host:3128 or socks5://host:1080, or none."
      throw entry.item.fault("the proxy is not valid", advice: advice)
    }
    return .address(address)
  }

  private static func tags(_ entry: TomlValue.Entry) throws(ConfigurationFault) -> [String] {
    guard case .array(let items) = entry.item.value else {
      throw .wrong(entry.key, entry.item, needed: "a list such as [\"science\"]")
    }
    var tags: [String] = []
    for item in items {
      guard case .string(let text) = item.value, isTag(text) else {
        throw item.fault("the tag is not valid", advice: "Write a text of 1 to 80 characters on one line.")
      }
      if !tags.contains(text) { tags.append(text) }
    }
    guard tags.count <= maximumTagCount else {
      throw entry.item.fault("there are more than 20 tags", advice: "Remove some.")
    }
    return tags
  }

  private static func refresh(_ entry: TomlValue.Entry) throws(ConfigurationFault) -> RefreshRule {
    guard let rule = RefreshRule(try entry.string()) else {
      throw entry.item.fault(RefreshRule.fault, advice: RefreshRule.advice)
    }
    return rule
  }

  /// A colon would end the name (RFC 7617, 2).
  private static func user(_ entry: TomlValue.Entry) throws(ConfigurationFault) -> String {
    let user = try entry.string()
    guard (1...longestUser).contains(user.utf8.count), user == cleanedLine(user), !user.contains(":") else {
      let advice = "Write 1 to \(longestUser) characters on one line, without a colon."
      throw entry.item.fault("the user is not valid", advice: advice)
    }
    return user
  }

  private static func address(_ entry: TomlValue.Entry) throws(ConfigurationFault) -> String {
    let text = try entry.string()
    guard isAddress(text) else {
      let advice = "Write https://… or a path that begins with / or ~/."
      throw entry.item.fault("\"\(text)\" is not an address", advice: advice)
    }
    return text
  }

  static let maximumTagCount = 20

  static func isTag(_ text: String) -> Bool { !text.isEmpty && text == cleanedLine(text, limit: 80) }

  /// Whether it does not depend on the working directory.
  static func isAddress(_ text: String) -> Bool {
    let isPath =
      text.hasPrefix("/") || text.hasPrefix("~/") || FileAddress.paths(inAddress: text.utf8)?.isEmpty == false
    if isPath { return !text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
    if let (prefix, rest) = SourcePrefix.split(text) {
      return prefix.address(rest) != nil || prefix == .ytDlp && YtDlpSearch(rest) != nil
    }
    return YtDlpSearch(text) != nil || WebAddress(typed: text) != nil && !FileExtension.isDocumentName(text)
      || StreamAddress(text) != nil || TypedAddress.shortForm(text) != nil
  }

  fileprivate var isOnServer: Bool {
    if let (prefix, _) = SourcePrefix.split(address) { return prefix.webScheme != nil }
    return !address.hasPrefix("/") && !address.hasPrefix("~/") && !address.hasPrefix("file:")
  }

  /// Without a scheme, a file in the working directory with the name of the host would be opened instead.
  static func expanded(_ address: String, home: String?) -> String {
    if let home, address.hasPrefix("~/") { return home + address.dropFirst(1) }
    if let web = TypedAddress.shortForm(address) { return web }
    guard SourcePrefix.split(address) == nil, !address.contains("://"), let web = WebAddress(typed: address),
      let end = web.text.firstRange(of: "://")
    else { return address }
    return web.text[..<end.upperBound] + String(address.drop { $0.isWhitespace })
  }
}
