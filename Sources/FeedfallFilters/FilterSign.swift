import FeedfallText

/// The signs of a filter, which keyboards produce in several forms.
enum FilterSign {
  private static let fullWidth: ClosedRange<UInt32> = 0xFF01...0xFF5E
  private static let dashes: Set<Character> = ["‐", "‑", "–", "—", "−"]
  private static let quotes: Set<Character> = ["\"", "“", "”", "„", "‟", "«", "»"]

  static func isQuote(_ character: Character) -> Bool { quotes.contains(character) }

  /// The character at an index, or its ASCII form. A dash before a blank is a punctuation mark.
  static func sign(at index: Int, of characters: [Character]) -> Character {
    let character = characters[index]
    guard !character.isASCII, character.unicodeScalars.count == 1, let scalar = character.unicodeScalars.first else {
      return character
    }
    if fullWidth.contains(scalar.value) { return Character(Unicode.Scalar(UInt8(scalar.value - 0xFEE0))) }
    guard dashes.contains(character), index + 1 < characters.count, !characters[index + 1].isWhitespace else {
      return character
    }
    return "-"
  }
}

/// A word of a filter that is an operator in other query languages, but not here.
public struct ForeignOperator: Equatable, Sendable {
  private enum Meaning { case or, and, not, field }

  private let word: String
  private let meaning: Meaning

  init?(_ word: String, isField: (String) -> Bool) {
    // Each key of a filter comes here, and characters cost much more than bytes.
    guard
      word.utf8.count <= 3 && word.utf8.first.map(Self.beginsWord) == true || word.utf8.contains(where: Self.isOfSign)
    else { return nil }
    switch word.lowercased() {
    case "or": meaning = .or
    case "and", "&&", "&": meaning = .and
    case "not", "!": meaning = .not
    case let other where other.hasPrefix("!"): meaning = .not
    case let other:
      let name = other.prefix { !"=!<>≤≥".contains($0) }
      guard name.count < other.count, name.isEmpty || isField(String(name)) else { return nil }
      meaning = .field
    }
    self.word = word
  }

  private static func beginsWord(_ byte: UInt8) -> Bool { "oanOAN".utf8.contains(byte) }

  /// Whether a byte may belong to a sign: `≤` and `≥` begin with 0xE2.
  private static func isOfSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0xE2: true
    default: false
    }
  }

  /// The advice, as a sentence.
  public var text: String {
    let word = cleanedLine(word, limit: 40)
    return switch meaning {
    case .or: "“\(word)” is a word here. Write “|” for or."
    case .and: "“\(word)” is a word here. Leave it out: conditions side by side must all hold."
    case .not: "“\(word)” is a word here. Write “-” for not."
    case .field: "“\(word)” is a word here. Write “title:text” to search a field."
    }
  }
}
