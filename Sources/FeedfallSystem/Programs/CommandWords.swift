package enum CommandWords {
  /// Splits a command at its blanks. Quotation marks and the backslash have their meaning in a shell; nothing else has
  /// one, such as `$`, `~`, `*` or `|`. Nil if a quotation mark is open at the end or there is no word.
  package static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = text.makeIterator()
    while let character = characters.next() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""):
        guard let next = characters.next() else { return nil }
        if quote != nil, next != "\"", next != "\\" { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(next)
      case (_, character): quote = nil
      case ("\"", nil), ("'", nil):
        quote = character
        word = word ?? ""
      case (" ", nil), ("\t", nil):
        words += [word].compactMap { $0 }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    words += [word].compactMap { $0 }
    return quote == nil && words.first?.isEmpty == false ? words : nil
  }
}
