import FeedfallText

/// A fault in the configuration, with a message for the user.
public struct ConfigurationFault: Error, Equatable, Sendable {
  var place: TextPlace?
  /// The reason, as a part of a sentence.
  var reason: String
  /// What the user can do, as a sentence.
  var advice: String

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

  /// Returns the fault for a value of the wrong type.
  static func wrong(_ key: String, _ item: TomlItem, needed: String) -> ConfigurationFault {
    wrong(key, item, value: item.value.kindName, needed: needed)
  }

  /// Returns the fault for a value that is out of range or not among the choices.
  static func wrong(_ key: String, _ item: TomlItem, value: String, needed: String) -> ConfigurationFault {
    ConfigurationFault(at: item.place, "\"\(key)\" is \(value)", advice: "Write \(needed).")
  }
}
