/// A count or a size in a text: digits, perhaps with thousands separators, a fraction or a unit.
package struct WrittenCount {
  /// The digits before the fraction, and the separators among them.
  private let number: ArraySlice<UInt8>
  private let fraction: Double
  private let unit: [UInt8]

  private static let maximumByteCount = 64

  /// The count in a text such as `62447386`, `62,447,386`, `62.447.386` or `62 447 386`; a fraction is dropped.
  package static func count(_ text: String) -> Int? { plain(text) ?? WrittenCount(text)?.whole }

  /// The size in bytes of a text such as `62,447,386`, `62447386 bytes`, `59.6 MB` or `1.2GiB`. A unit of one letter,
  /// such as `M`, is a power of 1,024, as in listings of files.
  package static func byteCount(_ text: String) -> Int? { plain(text) ?? WrittenCount(text)?.byteCount }

  /// The usual case, without allocation.
  private static func plain(_ text: String) -> Int? { text.utf8.first?.isASCIIDigit == true ? Int(text) : nil }

  private init?(_ text: String) {
    guard text.utf8.count <= Self.maximumByteCount else { return nil }
    let blanks = ["\u{a0}", "\u{202f}", "\u{2009}"]
    var bytes = Array(text.utf8)
    if bytes.contains(where: { $0 >= 0x80 }) {
      bytes = Array(text.map { blanks.contains(String($0)) ? " " : $0 == "\u{2019}" ? "'" : String($0) }.joined().utf8)
    }
    self.init(bytes.trimmingBlanks()[...])
  }

  /// Parses bytes without blanks around them; nil if they do not begin with a digit.
  package init?(_ text: ArraySlice<UInt8>) {
    guard let first = text.first, first.isASCIIDigit, text.count <= Self.maximumByteCount else { return nil }
    let end = text.firstIndex { !$0.isASCIIDigit && !Self.isSeparator($0) } ?? text.endIndex
    unit = text[end...].map(\.lowercased)
    var digits = text[..<end]
    while digits.last == .space { digits.removeLast() }
    guard digits.last?.isASCIIDigit == true else { return nil }
    // The last separator begins a fraction unless three digits follow it. Before a unit, a single one always does.
    let hasUnit = !unit.isEmpty && !Self.names[0].contains(String(decoding: unit, as: UTF8.self))
    guard let mark = digits.lastIndex(where: { !$0.isASCIIDigit }),
      digits[mark] == UInt8(ascii: ".") || digits[mark] == .comma,
      digits.endIndex - mark != 4 || hasUnit && !digits[..<mark].contains(digits[mark])
    else {
      (number, fraction) = (digits, 0)
      return
    }
    number = digits[..<mark]
    var place = 1.0
    fraction = digits[(mark + 1)...].reduce(0.0) { sum, digit in
      place /= 10
      return sum + Double(digit - 0x30) * place
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool { ", .'_".utf8.contains(byte) }

  /// The number without its fraction; nil if the separators are of two kinds or do not divide thousands.
  package var whole: Int? { unit.isEmpty ? digits : nil }

  private var digits: Int? {
    let separator = number.first { !$0.isASCIIDigit }
    var (value, group, groups) = (0, 0, 0)
    for byte in number {
      if byte.isASCIIDigit {
        let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
        guard !isTooLarge, tens <= .max - 9 else { return nil }
        (value, group) = (tens + Int(byte - 0x30), group + 1)
      } else {
        // In India the groups before the last one have two digits.
        guard byte == separator, (groups == 0 ? 1...3 : 2...3).contains(group) else { return nil }
        (group, groups) = (0, groups + 1)
      }
    }
    return groups == 0 || group == 3 ? value : nil
  }

  private static let names = [
    ["b", "byte", "bytes", "octet", "octets", "o"], ["k", "kb", "kib", "ko"], ["m", "mb", "mib", "mo"],
    ["g", "gb", "gib", "go"], ["t", "tb", "tib", "to"],
  ]

  private var byteCount: Int? {
    guard let digits else { return nil }
    guard !unit.isEmpty else { return digits }
    let name = String(decoding: unit, as: UTF8.self)
    guard let power = Self.names.firstIndex(where: { $0.contains(name) }) else { return nil }
    if power == 0 { return digits }
    let isBinary = unit.count == 1 || unit.count == 3
    let factor = (0..<power).reduce(1.0) { size, _ in size * (isBinary ? 1_024 : 1_000) }
    let bytes = (Double(digits) + fraction) * factor
    return bytes < 1e18 ? Int(bytes) : nil
  }
}

extension Int {
  /// A number of bytes for the user, such as `700 kB` or `1.4 GB`.
  package var asByteCount: String {
    let units = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
    guard let (size, unit) = units.first(where: { self >= $0.0 }) else { return "\(self) B" }
    let tenths = self / (size / 10)
    return tenths >= 1000 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}

/// The nearest known name, or else the nearest with a word in common such as `height`; nil if none is similar.
package func similarName(to name: String, among known: [String]) -> String? {
  let distances = known.map { (name: $0, distance: editDistance($0, name)) }.sorted { $0.distance < $1.distance }
  if let nearest = distances.first(where: { isTypingMistake(name, for: $0.name, distance: $0.distance) }) {
    return nearest.name
  }
  let words = words(of: name)
  return distances.first { !words.isDisjoint(with: FeedfallText.words(of: $0.name)) }?.name
}

/// Typing mistakes rarely affect the first letter.
private func isTypingMistake(_ name: String, for known: String, distance: Int) -> Bool {
  let limit = max(min(2, name.count / 2), name.count / 3)
  return distance <= (name.first == known.first ? limit : min(1, limit))
}

/// The words of a name that are long enough to identify it.
private func words(of name: String) -> Set<Substring> {
  Set(name.split { "-_ ".contains($0) }.filter { $0.count >= 4 })
}

/// Returns the Levenshtein distance between the first 40 characters of two texts.
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
