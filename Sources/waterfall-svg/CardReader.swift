import Glibc
import WaterfallEngine

/// A card to lay out: its shape, the columns that it spans, and the line that describes it.
struct Card: Hashable {
  static let sides = 1...LayoutLimits.length

  var width: Int
  var height: Int
  var span: ItemSize.Span = .columns(1)
  var line: Int

  /// The length of the card when its other side is `breadth`: at least 1, rounded to the nearest.
  func length(breadth: Int, scrollsSideways: Bool) -> Int {
    let (across, along) = scrollsSideways ? (height, width) : (width, height)
    return max(1, (2 * breadth * along + across) / (2 * across))
  }
}

extension Card {
  /// The card that a line without its newline describes; nil for an empty line.
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

  /// The word in quotes, without control characters and shortened.
  private static func quoted(_ word: some Collection<UInt8>) -> String {
    let shown = word.prefix(20).map { (0x21...0x7e).contains($0) ? Character(Unicode.Scalar($0)) : "?" }
    return "'\(String(shown))\(word.count > 20 ? "…" : "")'"
  }
}

/// Parses cards line by line from a stream of bytes, within limits.
struct CardReader {
  static let maximumCardCount = 100_000
  static let maximumSectionCount = 1000
  static let maximumLineLength = 100

  private(set) var sections: [[Card]] = []
  private var line: [UInt8] = []
  private var lineNumber = 1
  private var cardCount = 0
  private var isSectionOpen = false

  static func readStandardInput() throws(InputError) -> [[Card]] {
    var reader = CardReader()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count > 0 {
        for byte in buffer[..<count] { try reader.append(byte) }
      } else if count == 0 {
        return try reader.finish()
      } else if errno != EINTR {
        throw .system("cannot read standard input", errno)
      }
    }
  }

  mutating func append(_ byte: UInt8) throws(InputError) {
    if byte == UInt8(ascii: "\n") { return try endLine() }
    guard line.count < Self.maximumLineLength else {
      throw .line(lineNumber, "it is longer than \(Self.maximumLineLength) bytes; write WIDTH HEIGHT [SPAN]")
    }
    line.append(byte)
  }

  /// The cards, by section.
  mutating func finish() throws(InputError) -> [[Card]] {
    try endLine()
    return sections
  }

  private mutating func endLine() throws(InputError) {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if let card = try Card(parsing: line, line: lineNumber) { try append(card) } else { isSectionOpen = false }
    line.removeAll(keepingCapacity: true)
    lineNumber += 1
  }

  private mutating func append(_ card: Card) throws(InputError) {
    cardCount += 1
    guard cardCount <= Self.maximumCardCount else {
      throw .line(lineNumber, "there are more than \(Self.maximumCardCount) cards; give fewer lines")
    }
    if !isSectionOpen { sections.append([]) }
    isSectionOpen = true
    guard sections.count <= Self.maximumSectionCount else {
      throw .line(lineNumber, "there are more than \(Self.maximumSectionCount) sections; remove empty lines")
    }
    sections[sections.count - 1].append(card)
  }
}

/// An error that ends the program: the place, the fault and the remedy.
enum InputError: Error, Hashable {
  /// An invalid line; lines count from 1.
  case line(Int, String)
  case system(String, Int32)

  /// Whether the input is at fault and not the system.
  var isData: Bool {
    if case .line = self { true } else { false }
  }
}

extension InputError: CustomStringConvertible {
  var description: String {
    switch self {
    case .line(let number, let sentence): "line \(number): \(sentence)"
    case .system(let operation, let number): "\(operation): \(String(cString: strerror(number)))"
    }
  }
}
