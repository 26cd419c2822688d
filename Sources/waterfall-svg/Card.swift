import WaterfallEngine

/// A card to lay out: its shape, how many columns it takes, and the line that it came from.
struct Card: Hashable {
  static let sides = 1...LayoutLimits.length

  var width: Int
  var height: Int
  var span: ItemSize.Span = .columns(1)
  var line: Int

  /// How long the card is when its other side is `breadth`: at least 1, rounded to the nearest.
  func length(breadth: Int, scrollsSideways: Bool) -> Int {
    let (across, along) = scrollsSideways ? (height, width) : (width, height)
    return max(1, (2 * breadth * along + across) / (2 * across))
  }
}

extension Card {
  /// The card of a line without its end; nil for an empty line.
  init?(parsing bytes: some Collection<UInt8>, line: Int) throws(InputError) {
    let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard !words.isEmpty else { return nil }
    guard (2...3).contains(words.count) else {
      throw .line(line, "it has \(words.count) \(words.count == 1 ? "word" : "words"); write WIDTH HEIGHT [SPAN]")
    }
    self.line = line
    width = try Self.number(words[0], "width", Self.sides, line)
    height = try Self.number(words[1], "height", Self.sides, line)
    guard words.count == 3 else { return }
    span =
      words[2].elementsEqual("full".utf8)
      ? .full : .columns(try Self.number(words[2], "span", 1...LayoutLimits.columnCount, line, or: " or full"))
  }

  private static func number(
    _ word: some Collection<UInt8>, _ name: String, _ range: ClosedRange<Int>, _ line: Int, or other: String = ""
  ) throws(InputError) -> Int {
    if word.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let number = Int(String(decoding: word, as: UTF8.self)), range.contains(number)
    {
      return number
    }
    throw .line(
      line,
      "the \(name) is \(quoted(word)); write a whole number from \(range.lowerBound) to \(range.upperBound)\(other)")
  }

  /// The word as it may be shown in a terminal.
  private static func quoted(_ word: some Collection<UInt8>) -> String {
    let shown = word.prefix(20).map { (0x21...0x7e).contains($0) ? Character(Unicode.Scalar($0)) : "?" }
    return "'\(String(shown))\(word.count > 20 ? "…" : "")'"
  }
}
