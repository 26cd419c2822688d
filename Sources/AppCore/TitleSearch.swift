/// Finding what a person types in titles, upper or lower case alike.
enum TitleSearch {
  /// Where the needle first stands in the text; nil where it does not or is empty.
  static func match(of needle: String, in text: String) -> Range<String.Index>? {
    guard !needle.isEmpty else { return nil }
    let wanted = needle.map { $0.lowercased() }
    var start = text.startIndex
    while start < text.endIndex {
      if let end = end(of: wanted, in: text, from: start) { return start..<end }
      start = text.index(after: start)
    }
    return nil
  }

  private static func end(of wanted: [String], in text: String, from start: String.Index) -> String.Index? {
    var position = start
    for character in wanted {
      guard position < text.endIndex, text[position].lowercased() == character else { return nil }
      position = text.index(after: position)
    }
    return position
  }
}
