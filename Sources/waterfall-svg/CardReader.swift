import Glibc

/// Takes cards from bytes as they come, line by line, and holds no more of them than may be.
struct CardReader {
  static let mostCards = 100_000
  static let mostSections = 1000
  static let longestLine = 100

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
        for byte in buffer[..<count] { try reader.take(byte) }
      } else if count == 0 {
        return try reader.finish()
      } else if errno != EINTR {
        throw .system("cannot read standard input", errno)
      }
    }
  }

  mutating func take(_ byte: UInt8) throws(InputError) {
    if byte == UInt8(ascii: "\n") { return try endLine() }
    guard line.count < Self.longestLine else {
      throw .line(lineNumber, "it is longer than \(Self.longestLine) bytes; write WIDTH HEIGHT [SPAN]")
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
    if let card = try Card(parsing: line, line: lineNumber) { try add(card) } else { isSectionOpen = false }
    line.removeAll(keepingCapacity: true)
    lineNumber += 1
  }

  private mutating func add(_ card: Card) throws(InputError) {
    cardCount += 1
    guard cardCount <= Self.mostCards else {
      throw .line(lineNumber, "there are more than \(Self.mostCards) cards; give fewer lines")
    }
    if !isSectionOpen { sections.append([]) }
    isSectionOpen = true
    guard sections.count <= Self.mostSections else {
      throw .line(lineNumber, "there are more than \(Self.mostSections) sections; take empty lines out")
    }
    sections[sections.count - 1].append(card)
  }
}
