import FeedfallFilters
import FeedfallSystem
import FeedfallText

/// Parses the `[[source]]` tables. A table with a fault is omitted.
enum SourceReader {
  private static let longestUser = 200

  private enum Key: String, CaseIterable {
    case name, address, user
    case passwordCommand = "password-command"
    case tags, shorts, proxy
    case filter = "where"
    case sort
  }

  static func sources(
    _ entry: TomlEntry, _ faults: inout [ConfigurationFault]
  ) throws(ConfigurationFault) -> [ConfiguredSource] {
    guard case .array(let items) = entry.item.value else {
      throw ConfigurationFault(
        at: entry.keyPlace, "\"source\" is not a list of tables", advice: "Write [[source]] with double brackets.")
    }
    guard items.count <= Configuration.maximumSourceCount else {
      let most = Configuration.maximumSourceCount
      throw ConfigurationFault(at: items[most].place, "there are more than \(most) sources", advice: "Remove some.")
    }
    var sources: [ConfiguredSource] = []
    for item in items {
      do { sources.append(try source(item, after: sources)) } catch { faults.append(error) }
    }
    return sources
  }

  private static func source(
    _ item: TomlItem, after others: [ConfiguredSource]
  ) throws(ConfigurationFault) -> ConfiguredSource {
    guard case .table(let entries) = item.value else { throw .wrong("source", item, needed: "a [[source]] table") }
    var source = ConfiguredSource(name: "", address: "")
    var places: [Key: TextPlace] = [:]
    var order: (TomlEntry, VideoOrder)?
    for entry in entries {
      guard let key = Key(rawValue: entry.key) else {
        throw .unknown(entry.key, at: entry.keyPlace, known: Key.allCases.map(\.rawValue))
      }
      places[key] = entry.keyPlace
      switch key {
      case .name: source.name = try entry.name(notAmong: others.map(\.name), of: "source")
      case .address: source.address = try address(entry)
      case .user: source.user = try user(entry)
      case .passwordCommand: source.passwordCommand = try passwordCommand(entry)
      case .tags: source.tags = try tags(entry)
      case .shorts: source.includesShorts = try entry.boolean()
      case .proxy: source.proxy = try proxy(entry)
      case .filter: source.query = try entry.filterQuery()
      case .sort: order = (entry, try entry.videoOrder())
      }
    }
    if let (entry, order) = order { source.query = try entry.query(source.query, sortedBy: order) }
    guard places[.name] != nil else {
      throw ConfigurationFault(at: item.place, "the source has no name", advice: "Write name = \"…\".")
    }
    guard places[.address] != nil else {
      throw ConfigurationFault(at: item.place, "the source has no address", advice: "Write address = \"https://…\".")
    }
    if let place = places[.passwordCommand], !source.isOnServer {
      throw ConfigurationFault(at: place, "the source is not on a server", advice: "Remove password-command.")
    }
    if let place = places[.user], source.passwordCommand == nil {
      throw ConfigurationFault(
        at: place, "the source has a user but no password", advice: "Write password-command = \"…\".")
    }
    return source
  }

  private static func passwordCommand(_ entry: TomlEntry) throws(ConfigurationFault) -> String {
    let command = try entry.string()
    guard !command.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), CommandWords.split(command) != nil else {
      throw ConfigurationFault(
        at: entry.item.place, "the password command is not valid",
        advice: "Write a program with its arguments, such as pass show cloud.")
    }
    return command
  }

  private static func proxy(_ entry: TomlEntry) throws(ConfigurationFault) -> ConfiguredProxy {
    let text = try entry.string()
    if text == "none" { return .none }
    guard let address = ProxyAddress(text, setting: "the proxy of this source") else {
      throw ConfigurationFault(
        at: entry.item.place, "the proxy is not valid",
        advice: "Write an address such as http://host:3128 or socks5://host:1080, or none.")
    }
    return .address(address)
  }

  private static func tags(_ entry: TomlEntry) throws(ConfigurationFault) -> [String] {
    guard case .array(let items) = entry.item.value else {
      throw .wrong(entry.key, entry.item, needed: "a list such as [\"science\"]")
    }
    var tags: [String] = []
    for item in items {
      guard case .string(let text) = item.value, ConfiguredSource.isTag(text) else {
        throw ConfigurationFault(
          at: item.place, "the tag is not valid", advice: "Write a text of 1 to 80 characters on one line.")
      }
      if !tags.contains(text) { tags.append(text) }
    }
    guard tags.count <= ConfiguredSource.maximumTagCount else {
      throw ConfigurationFault(at: entry.item.place, "there are more than 20 tags", advice: "Remove some.")
    }
    return tags
  }

  /// A colon would end the name (RFC 7617, 2).
  private static func user(_ entry: TomlEntry) throws(ConfigurationFault) -> String {
    let user = try entry.string()
    guard (1...longestUser).contains(user.utf8.count), user == cleanedLine(user), !user.contains(":") else {
      throw ConfigurationFault(
        at: entry.item.place, "the user is not valid",
        advice: "Write 1 to \(longestUser) characters on one line, without a colon.")
    }
    return user
  }

  private static func address(_ entry: TomlEntry) throws(ConfigurationFault) -> String {
    let text = try entry.string()
    guard ConfiguredSource.isAddress(text) else {
      throw ConfigurationFault(
        at: entry.item.place, "\"\(text)\" is not an address",
        advice: "Write https://… or a path that begins with / or ~/.")
    }
    return text
  }
}

extension ConfiguredSource {
  static let maximumTagCount = 20

  static func isTag(_ text: String) -> Bool { !text.isEmpty && text == cleanedLine(text, limit: 80) }

  /// Returns whether the text is an address or path that does not depend on the working directory.
  static func isAddress(_ text: String) -> Bool {
    let isPath = text.hasPrefix("/") || text.hasPrefix("~/") || text.hasPrefix("file:///")
    if isPath { return !text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
    if let (prefix, rest) = SourcePrefix.split(text) { return prefix.accepts(rest) }
    return WebAddress(typed: text) != nil && !FileExtension.isDocumentName(text)
  }

  /// Whether a server may require a password for it.
  fileprivate var isOnServer: Bool {
    if let (prefix, _) = SourcePrefix.split(address) { return prefix.webScheme != nil }
    return !address.hasPrefix("/") && !address.hasPrefix("~/") && !address.hasPrefix("file:")
  }

  func expanded(home: String?) -> ConfiguredSource {
    var source = self
    source.expand(home: home)
    return source
  }

  /// Expands `~/` in a path and adds a missing scheme to a web address. Without a scheme, a file in the working
  /// directory with the name of the host would be opened instead.
  mutating func expand(home: String?) {
    if let home, address.hasPrefix("~/") {
      address = home + address.dropFirst(1)
    } else if SourcePrefix.split(address) == nil, !address.contains("://"), let web = WebAddress(typed: address),
      let end = web.text.firstRange(of: "://")
    {
      address = web.text[..<end.upperBound] + String(address.drop { $0.isWhitespace })
    }
  }
}
