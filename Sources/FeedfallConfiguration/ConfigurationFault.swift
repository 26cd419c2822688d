import FeedfallText

/// A fault in the configuration, with a message for the user.
public struct ConfigurationFault: Error, Equatable, Sendable {
  var place: TextPlace?
  var words: String

  init(at place: TextPlace?, _ words: String) {
    self.place = place
    self.words = cleanedLine(words)
  }

  /// Returns the message in one line:
  /// `~/.config/feedfall/config.toml:7:3: "layuot" is not known; did you mean "layout"?`.
  public func sentence(in file: ConfigurationFile) -> String {
    let place = place.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file.shownPath)\(place): \(words)"
  }
}

extension ConfigurationFault {
  /// Returns the fault for an unknown key. It suggests a similar known key.
  static func unknown(_ key: String, at place: TextPlace, known: [String]) -> ConfigurationFault {
    let nearest = known.map { (name: $0, distance: editDistance($0, key)) }.min { $0.distance < $1.distance }
    if let nearest, nearest.distance <= max(2, key.count / 3) {
      return ConfigurationFault(at: place, "\"\(key)\" is not known; did you mean \"\(nearest.name)\"?")
    }
    return ConfigurationFault(at: place, "\"\(key)\" is not known; there are \(known.joined(separator: ", "))")
  }

  /// Returns the fault for a value of the wrong type.
  static func wrong(_ key: String, _ item: TomlItem, needed: String) -> ConfigurationFault {
    ConfigurationFault(at: item.place, "\"\(key)\" is \(item.value.kindName); it must be \(needed)")
  }
}

/// Returns the Levenshtein distance between the first 40 characters of two words.
///
/// Complexity: O(n · m) for words of n and m characters.
private func editDistance(_ left: String, _ right: String) -> Int {
  let right = Array(right.prefix(40))
  var row = Array(0...right.count)
  for (number, character) in left.prefix(40).enumerated() {
    var diagonal = row[0]
    row[0] = number + 1
    for column in right.indices {
      let change = diagonal + (right[column] == character ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(change, row[column] + 1, row[column + 1] + 1)
    }
  }
  return row[right.count]
}
