import FeedfallText

/// A fault in the configuration, with a message for the user.
public struct ConfigurationFault: Error, Equatable, Sendable {
  var place: TextPlace?
  /// The reason, as a part of a sentence.
  var reason: String
  /// What the user can do, as a sentence.
  var advice: String
  /// Whether repeating the change would fail again.
  var isPermanent = false

  init(at place: TextPlace?, _ reason: String, advice: String) {
    self.place = place
    self.reason = cleanedLine(reason)
    self.advice = cleanedLine(advice)
  }

  /// The fault in one line, without the file: `7:3: "naem" is not known. Did you mean "name"?`.
  fileprivate var text: String {
    (place.map { ":\($0.line):\($0.column)" } ?? "") + ": \(reason)" + (advice.isEmpty ? "" : ". \(advice)")
  }
}

/// The faults of a configuration file.
public struct ConfigurationError: Error, Equatable, Sendable {
  /// At least one fault, in the order of the document.
  let faults: [ConfigurationFault]

  /// The maximum number of reported faults.
  private static let maximumMessageCount = 10

  init(_ faults: [ConfigurationFault]) {
    self.faults = faults.sorted { ($0.place ?? .start) < ($1.place ?? .start) }
  }

  init(_ fault: ConfigurationFault) { faults = [fault] }

  /// Whether repeating the change would fail again.
  public var isPermanent: Bool { faults.contains { $0.isPermanent } }

  /// Returns one line per fault, at most 11:
  /// `Could not read ~/.config/feedfall/config.toml:7:3: "naem" is not known. Did you mean "name"?`.
  public func messages(_ failure: String, _ path: String) -> [String] {
    let lines = faults.prefix(Self.maximumMessageCount).map { "\(failure) \(path)\($0.text)" }
    let rest = faults.count - lines.count
    return rest == 0 ? lines : lines + ["\(path) has \(rest) more faults. Correct the ones above first."]
  }
}

extension ConfigurationFault {
  /// Returns the fault for an unknown key. It suggests a similar known key.
  static func unknown(_ key: String, at place: TextPlace, known: [String]) -> ConfigurationFault {
    if let nearest = similarName(to: key, among: known) {
      return ConfigurationFault(at: place, "\"\(key)\" is not known", advice: "Did you mean \"\(nearest)\"?")
    }
    return ConfigurationFault(
      at: place, "\"\(key)\" is not known", advice: "Write one of \(known.joined(separator: ", ")).")
  }

  private static let tables = ["source": "[[source]]", "theme": "[theme]", "view": "[[view]]"]

  /// Returns the fault for a table, or a list with the name of a table, that is not known; nil for another value.
  static func misspelledTable(_ entry: TomlEntry) -> ConfigurationFault? {
    let name = similarName(to: entry.key.lowercased(), among: tables.keys.sorted())
    let advice: String
    switch (entry.item.value, name.flatMap { tables[$0] }) {
    case (.table, let table?), (.array, let table?): advice = "Did you mean \(table)?"
    case (.table, nil): advice = "Write [[source]], [[view]], [theme] or an option such as layout = \"grid\"."
    case (.array, nil), (.string, _), (.integer, _), (.number, _), (.boolean, _), (.moment, _): return nil
    }
    return ConfigurationFault(at: entry.keyPlace, "\"\(entry.key)\" is not known", advice: advice)
  }

  /// Returns the fault that toml++ reports, such as
  /// `Error while parsing table header: cannot redefine existing string 'theme' as table`.
  static func syntax(_ reason: String, at place: TextPlace) -> ConfigurationFault {
    let reason = reason.hasPrefix("Error while parsing ") ? String(reason.trimmedStart(through: ": ")) : reason
    if reason.contains("redefine existing"), let key = reason.split(separator: "'").dropFirst().first {
      if key == "theme", reason.contains("existing string") {
        return ConfigurationFault(
          at: place, "\"theme\" is both an option and a table",
          advice: "Remove theme = \"…\" and write inherit = \"…\" below [theme].")
      }
      return ConfigurationFault(at: place, "\"\(key)\" is already defined", advice: "Remove one of them.")
    }
    if reason.contains("could not determine value type") {
      return ConfigurationFault(
        at: place, "the value is not valid", advice: "Write a text in quotation marks, a number, true or false.")
    }
    if reason.contains("unescaped control characters") {
      return ConfigurationFault(
        at: place, "a text contains a line break or a control character",
        advice: "Close its quotation marks on the same line.")
    }
    return ConfigurationFault(at: place, reason, advice: "Correct the TOML syntax.")
  }

  /// Returns the fault for a value of the wrong type.
  static func wrong(_ key: String, _ item: TomlItem, needed: String) -> ConfigurationFault {
    wrong(key, item, value: item.value.kindName, needed: needed)
  }

  /// Returns the fault for a value that is out of range or not among the choices.
  static func wrong(_ key: String, _ item: TomlItem, value: String, needed: String) -> ConfigurationFault {
    ConfigurationFault(at: item.place, "\"\(key)\" cannot be \(value)", advice: "Write \(needed).")
  }
}

extension String {
  fileprivate func trimmedStart(through mark: String) -> Substring {
    firstRange(of: mark).map { self[$0.upperBound...] } ?? self[...]
  }
}
