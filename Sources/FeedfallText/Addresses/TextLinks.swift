/// The web addresses in a cleaned text such as a description, numbered from 1. One with a user name is no link: it may be
/// made to look like another site.
package struct TextLinks: Equatable, Sendable {
  /// In the order of the text, each once.
  package private(set) var addresses: [WebAddress] = []
  /// The lines with links and their numbers, such as `Site: https://site.example/ [1]`, without passwords.
  package private(set) var lines: [String] = []

  private static let maximumCount = 99
  private static let maximumByteCount = 2_048
  private static let schemes = ["https://", "http://"].map { Array($0.utf8) }
  /// At the end of an address, they belong to the sentence around it.
  private static let endMarks = ".,;:!?'*_"
  private static let brackets: [Character: Character] = [")": "(", "]": "[", "}": "{"]

  /// - Complexity: O(n).
  package init(in text: String) {
    for line in text.split(whereSeparator: \.isNewline) { append(line) }
  }

  private mutating func append(_ line: Substring) {
    var (shown, rest, hasLink) = ("", line, false)
    while let start = Self.start(in: rest) {
      let text = Self.address(at: rest[start...])
      shown += rest[..<start]
      rest = rest[text.endIndex...]
      if let number = number(of: text) {
        shown += "\(addresses[number - 1]) [\(number)]"
        hasLink = true
      } else {
        shown += String(text).hidingPassword
      }
    }
    if hasLink { lines.append(shown + rest) }
  }

  private mutating func number(of text: Substring) -> Int? {
    guard let address = WebAddress(String(text)), address.text.utf8.count <= Self.maximumByteCount, !address.namesUser
    else { return nil }
    if let index = addresses.firstIndex(of: address) { return index + 1 }
    guard addresses.count < Self.maximumCount else { return nil }
    addresses.append(address)
    return addresses.count
  }

  private static func start(in text: Substring) -> Substring.Index? {
    var isInWord = false
    return text.utf8.indices.first { index in
      let byte = text.utf8[index]
      defer { isInWord = byte.isASCIILetter || byte.isASCIIDigit }
      guard !isInWord, byte.lowercased == UInt8(ascii: "h") else { return false }
      let start = text.utf8[index...].prefix(8).map(\.lowercased)
      return schemes.contains { start.starts(with: $0) }
    }
  }

  private static func address(at text: Substring) -> Substring {
    var address = Substring(text.unicodeScalars.prefix { !isEnd($0) })
    guard address.utf8.count <= maximumByteCount else { return address }
    var counts: [Character: Int] = [:]
    for mark in address { counts[mark, default: 0] += 1 }
    while let last = address.last, endMarks.contains(last) || isUnpaired(last, counts) {
      counts[last, default: 0] -= 1
      address.removeLast()
    }
    return address
  }

  private static func isUnpaired(_ mark: Character, _ counts: [Character: Int]) -> Bool {
    brackets[mark].map { counts[mark, default: 0] > counts[$0, default: 0] } ?? false
  }

  /// Blanks, quotation marks, and the punctuation of languages that write no blanks.
  private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\0"..." ", "\"", "<", ">", "`", "\u{A0}", "\u{2000}"..."\u{206F}", "\u{3000}"..."\u{303F}",
      "\u{FF00}"..."\u{FFEF}":
      true
    default: false
    }
  }
}
