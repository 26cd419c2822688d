import FeedfallSystem
import FeedfallText

/// Parses the `[[source]]` tables.
enum SourceReader {
  private static let longestName = 80
  private static let longestUser = 200
  private static let keys = ["name", "address", "user", "password-command"]

  static func sources(_ entry: TomlEntry) throws(ConfigurationFault) -> [ConfiguredSource] {
    guard case .array(let items) = entry.item.value else {
      throw ConfigurationFault(
        at: entry.keyPlace, "a source does not begin with [[source]]", advice: "Write double brackets.")
    }
    guard items.count <= Configuration.maximumSourceCount else {
      let most = Configuration.maximumSourceCount
      throw ConfigurationFault(at: items[most].place, "there are more than \(most) sources", advice: "Remove some.")
    }
    var sources: [ConfiguredSource] = []
    for item in items { sources.append(try source(item, after: sources)) }
    return sources
  }

  private static func source(
    _ item: TomlItem, after others: [ConfiguredSource]
  ) throws(ConfigurationFault) -> ConfiguredSource {
    guard case .table(let entries) = item.value else { throw .wrong("source", item, needed: "a [[source]] table") }
    for entry in entries where !keys.contains(entry.key) {
      throw .unknown(entry.key, at: entry.keyPlace, known: keys)
    }
    guard let name = entries.first(where: { $0.key == "name" }) else {
      throw ConfigurationFault(at: item.place, "the source has no name", advice: "Write name = \"…\".")
    }
    guard let address = entries.first(where: { $0.key == "address" }) else {
      throw ConfigurationFault(
        at: item.place, "the source has no address", advice: "Write address = \"https://…\".")
    }
    var source = ConfiguredSource(name: try self.name(name, after: others), address: try self.address(address))
    let command = entries.first { $0.key == "password-command" }
    source.passwordCommand = try command.map { entry throws(ConfigurationFault) in
      try passwordCommand(entry, of: source)
    }
    guard let user = entries.first(where: { $0.key == "user" }) else { return source }
    guard command != nil else {
      throw ConfigurationFault(
        at: user.keyPlace, "the source has a user but no password", advice: "Write password-command = \"…\".")
    }
    source.user = try self.user(user)
    return source
  }

  private static func passwordCommand(
    _ entry: TomlEntry, of source: ConfiguredSource
  ) throws(ConfigurationFault) -> String {
    let command = try entry.string()
    guard !command.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), CommandWords.split(command) != nil else {
      throw ConfigurationFault(
        at: entry.item.place, "the password command is not valid",
        advice: "Write a program with its arguments, such as pass show cloud.")
    }
    guard source.isOnServer else {
      throw ConfigurationFault(
        at: entry.keyPlace, "the source is not on a server", advice: "Remove password-command.")
    }
    return command
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

  private static func name(_ entry: TomlEntry, after others: [ConfiguredSource]) throws(ConfigurationFault) -> String {
    let text = try entry.string()
    let name = cleanedLine(text, limit: longestName)
    guard !name.isEmpty, name == text else {
      throw ConfigurationFault(
        at: entry.item.place, "the name is not valid",
        advice: "Write 1 to \(longestName) characters on one line, without leading, trailing or double spaces.")
    }
    guard !others.contains(where: { $0.name == name }) else {
      throw ConfigurationFault(
        at: entry.item.place, "another source has the name \"\(name)\"", advice: "Choose another name.")
    }
    return name
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
