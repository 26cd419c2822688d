import FeedfallText

/// Parses the `[[source]]` tables. A table with a fault is omitted.
enum SourceReader {
  private static let longestName = 80
  private static let keys = ["name", "address"]

  static func sources(
    _ entry: TomlEntry, _ faults: inout [ConfigurationFault]
  ) throws(ConfigurationFault) -> [ConfiguredSource] {
    guard case .array(let items) = entry.item.value else {
      throw ConfigurationFault(
        at: entry.keyPlace, "a source does not begin with [[source]]", advice: "Write double brackets.")
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
    return ConfiguredSource(name: try self.name(name, after: others), address: try self.address(address))
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
