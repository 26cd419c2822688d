import FeedfallFeeds
import FeedfallText

struct ConfigurationFault: Error, Equatable, Sendable {
  var place: TextPlace?
  /// A part of a sentence.
  var reason: String
  /// A sentence.
  var advice: String
  /// The keys of the faulty line, if they are known. There are several where a line break is missing.
  var keys: [String]
  var hidesRest = false
  /// The line of the header of the table with the faulty line; nil above the first one, or if it is not known.
  var tableLine: Int?
  var isInSource = false
  /// Whether the faulty lines may have been a source, which is missing.
  var hidesSource: Bool

  init(at place: TextPlace?, _ reason: String, advice: String, keys: [String] = [], hidesSource: Bool = false) {
    (self.place, self.reason, self.advice) = (place, cleanedLine(reason), cleanedLine(advice))
    (self.keys, self.hidesSource) = (keys, hidesSource)
  }

  fileprivate var text: String { "\(placeText): \(reason)" + (advice.isEmpty ? "" : ". \(advice)") }

  private var placeText: String { place.map { ":\($0.line):\($0.column)" } ?? "" }

  /// The failure of a source that this fault prevents from being loaded.
  func failure(in file: String) -> FeedFailure {
    let question = "Did you mean "
    let remedy = advice.hasPrefix(question) ? "write " + advice.dropFirst(question.count) : advice
    return FeedFailure(
      .permanent, "\(file)\(placeText): \(reason)",
      advice: remedy.isEmpty ? nil : remedy.prefix(1).lowercased() + remedy.dropFirst().withoutLastMark)
  }

  var mayHideSource: Bool { hidesSource || hidesRest }

  /// Whether a setting may be faulty or missing: its key is in the line, maybe misspelled, or in the rest of the file.
  func concerns(_ settings: [String]) -> Bool {
    hidesRest || keys.contains { !$0.isEmpty && (settings.contains($0) || similarName(to: $0, among: settings) != nil) }
  }

  static func unknown(_ key: String, at place: TextPlace, known: [String]) -> ConfigurationFault {
    let advice =
      similarName(to: key, among: known).map { "Did you mean \"\($0)\"?" }
      ?? "Write one of \(known.joined(separator: ", "))."
    return ConfigurationFault(at: place, "\"\(key)\" is not known", advice: advice)
  }

  static func unknown(
    _ entry: TomlValue.Entry, known: [String], below table: String, _ isOption: (String) -> Bool
  ) -> ConfigurationFault {
    guard isOption(entry.key) else { return unknown(entry.key, at: entry.keyPlace, known: known) }
    let reason = "\"\(entry.key)\" is an option, which must be above \(table)"
    return ConfigurationFault(at: entry.keyPlace, reason, advice: "Move the line up.", keys: [entry.key])
  }

  /// Nil for a value that is neither a table nor a list with the name of one.
  static func misspelledTable(_ entry: TomlValue.Entry) -> ConfigurationFault? {
    let name = similarName(to: entry.key.lowercased(), among: Configuration.Table.allCases.map(\.rawValue))
    let advice: String
    switch (entry.item.value, name.flatMap { Configuration.Table(rawValue: $0)?.header }) {
    case (.table, let table?), (.array, let table?): advice = "Did you mean \(table)?"
    case (.table, nil): advice = "Write \(Configuration.Table.headers) or an option such as layout = \"grid\"."
    case (.array, nil), (.string, _), (.integer, _), (.number, _), (.boolean, _), (.moment, _): return nil
    }
    let reason = "\"\(entry.key)\" is not known"
    return ConfigurationFault(at: entry.keyPlace, reason, advice: advice, hidesSource: mayBeSource(entry.key))
  }

  static func mayBeSource(_ name: String) -> Bool { similarName(to: name.lowercased(), among: ["source"]) != nil }

  /// Any except one that resembles "view": one called "channel" or "feed" probably has sources.
  static func mayBeSources(_ name: String) -> Bool { similarName(to: name.lowercased(), among: ["view"]) == nil }

  static let firstList = "the first [[…]]"

  static func secondFilter(_ entry: TomlValue.Entry) -> ConfigurationFault {
    ConfigurationFault(at: entry.keyPlace, "the filter is already defined", advice: "Remove one of them.")
  }

  static let notUTF8 = ConfigurationFault(at: nil, "it is not text in UTF-8", advice: "Save it as UTF-8 in an editor.")

  static func tooManyFaults(after place: TextPlace) -> ConfigurationFault {
    ConfigurationFault(
      at: TextPlace(line: place.line + 1, column: 1), "there are too many faults to read the rest",
      advice: "Correct the ones above first.")
  }

  func hidingRest(belowTable line: Int? = nil) -> ConfigurationFault {
    var fault = self
    (fault.hidesRest, fault.tableLine) = (true, line)
    return fault
  }

  static func singleTable(named name: String, at place: TextPlace) -> ConfigurationFault {
    ConfigurationFault(
      at: place, "\"\(name)\" is not a list of tables", advice: "Write [[\(name)]] with double brackets.",
      hidesSource: name == "source")
  }

  static func wrong(_ key: String, _ item: TomlValue.Item, needed: String) -> ConfigurationFault {
    wrong(key, item, value: item.value.kindName, needed: needed)
  }

  static func wrong(_ key: String, _ item: TomlValue.Item, value: String, needed: String) -> ConfigurationFault {
    ConfigurationFault(at: item.place, "\"\(key)\" cannot be \(value)", advice: "Write \(needed).")
  }
}

struct ConfigurationError: Error, Equatable, Sendable {
  /// At least one fault, in the order of the document.
  let faults: [ConfigurationFault]

  private static let maximumMessageCount = 10

  init(_ faults: [ConfigurationFault]) {
    self.faults = faults.sorted { ($0.place ?? .start) < ($1.place ?? .start) }
  }

  init(_ fault: ConfigurationFault) { faults = [fault] }

  init?(ifAny faults: [ConfigurationFault]) {
    if faults.isEmpty { return nil }
    self.init(faults)
  }

  /// At most 11: `Could not read ~/.config/feedfall/config.toml:7:3: "naem" is not known. Did you mean "name"?`.
  func messages(_ failure: String, _ path: String) -> [String] {
    let lines = faults.prefix(Self.maximumMessageCount).map { "\(failure) \(path)\($0.text)" }
    let rest = faults.count - lines.count
    return rest == 0 ? lines : lines + ["\(path) has \(rest) more faults. Correct the ones above first."]
  }

  var hidesSources: Bool { faults.contains(where: \.mayHideSource) }

  func notice(_ path: String) -> String {
    let fault = faults.first(where: \.mayHideSource) ?? faults[0]
    let first = ConfigurationError(fault).messages("Could not read", path)[0]
    return faults.count == 1 ? first : "\(first) \(faults.count - 1) more: feedfall doctor lists all."
  }

  /// Whether a faulty line, or one that was not read, may set an option, maybe misspelled.
  func concerns(option: String, isOption: (String) -> Bool) -> Bool {
    faults.contains { fault in
      // Options stand above all tables.
      if fault.hidesRest { return fault.tableLine == nil }
      if fault.isInSource, Configuration.Source.keys.contains(option) { return false }
      return fault.keys.contains { $0 == option || !isOption($0) && similarName(to: $0, among: [option]) != nil }
    }
  }

  /// One line per fault, without the file.
  var lines: [String] { faults.map { String($0.text.drop { ": ".contains($0) }) } }
}

extension Substring {
  fileprivate var withoutLastMark: Substring { hasSuffix(".") || hasSuffix("?") ? dropLast() : self }
}
