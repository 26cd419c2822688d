import CFeedfall

/// A place in a text. Lines and columns count from 1; columns are in characters.
struct TextPlace: Equatable, Comparable, Sendable {
  var line: Int
  var column: Int

  static let start = TextPlace(line: 1, column: 1)

  static func < (left: TextPlace, right: TextPlace) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

enum TomlValue: Equatable, Sendable {
  case table([Entry])
  case array([Item])
  case string(String)
  case integer(Int)
  case number(Double)
  case boolean(Bool)
  case moment

  var kindName: String {
    switch self {
    case .table: "a table"
    case .array: "a list"
    case .string: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .moment: "a date"
    }
  }

  struct Item: Equatable, Sendable {
    var value: TomlValue
    var place: TextPlace

    func fault(_ reason: String, advice: String, hidesSource: Bool = false) -> ConfigurationFault {
      ConfigurationFault(at: place, reason, advice: advice, hidesSource: hidesSource)
    }
  }

  struct Entry: Equatable, Sendable {
    var key: String
    var keyPlace: TextPlace
    var item: Item

    var isListOfTables: Bool {
      if case .array(let items) = item.value, case .table? = items.first?.value { true } else { false }
    }

    func string() throws(ConfigurationFault) -> String {
      guard case .string(let text) = item.value else { throw .wrong(key, item, needed: "a text in quotation marks") }
      return text
    }

    func boolean() throws(ConfigurationFault) -> Bool {
      guard case .boolean(let value) = item.value else { throw .wrong(key, item, needed: "true or false") }
      return value
    }
  }

  enum Fault: Error, Equatable {
    case limit(ConfigurationFault)
    /// toml++ found a fault here. Its reason is `TomlMistake`: toml++ has only English sentences.
    case syntax(TextPlace)
  }

  static func document(_ bytes: [UInt8]) throws(Fault) -> [Entry] {
    do { try Shape.check(bytes) } catch { throw .limit(error) }
    let document = bytes.withUnsafeBytes { toml_read($0.bindMemory(to: CChar.self).baseAddress, $0.count) }
    defer { toml_free(document) }
    var count = 0
    guard let nodes = toml_nodes(document, &count) else { throw .syntax(TextPlace(toml_fault(document))) }
    var reader = NodeReader(nodes: UnsafeBufferPointer(start: nodes, count: count))
    guard case .table(let entries) = reader.next().value else { return [] }
    return entries
  }

  /// Converts the flat list from toml++ to a tree of values.
  private struct NodeReader {
    let nodes: UnsafeBufferPointer<TomlNode>
    var index = 0

    mutating func next() -> Item {
      let node = nodes[index]
      index += 1
      let value: TomlValue =
        switch node.kind {
        case .string: .string(String(node.string))
        case .integer: .integer(Int(node.integer))
        case .float: .number(node.number)
        case .boolean: .boolean(node.boolean)
        case .moment: .moment
        case .array: .array((0..<node.child_count).map { _ in next() })
        case .table: .table((0..<node.child_count).map { _ in nextEntry() }.sorted { $0.keyPlace < $1.keyPlace })
        }
      return Item(value: value, place: TextPlace(node.place))
    }

    private mutating func nextEntry() -> Entry {
      let node = nodes[index]
      return Entry(key: String(node.key), keyPlace: TextPlace(node.key_place), item: next())
    }
  }

  /// toml++ reads and frees nested tables by recursion, so a deep one would overflow the stack.
  struct Shape {
    static let maximumDepth = 50
    /// In bytes.
    static let maximumLineLength = 64 << 10

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// The parts of the header of the current table.
    private var headerDepth = 0
    /// The parts of the key before each open bracket and of the current key. The last is the current key.
    private var keys = [1]
    private var isHeader = false
    /// Whether the current key has ended, so that dots belong to a number or a date.
    private var isValue = false

    /// - Complexity: O(number of bytes).
    static func check(_ bytes: [UInt8]) throws(ConfigurationFault) {
      var shape = TomlValue.Shape(bytes: bytes)
      while shape.index < bytes.count { try shape.advance() }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func advance() throws(ConfigurationFault) {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): return try skipText(byte)
      case UInt8(ascii: "#"):
        // A comment may be long.
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
        return
      case 0x0A: endLine()
      case UInt8(ascii: "["), UInt8(ascii: "{"): open(byte)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): close()
      case UInt8(ascii: "="): isValue = true
      case UInt8(ascii: ","): if keys.count > 1 { (keys[keys.count - 1], isValue) = (1, false) }
      case UInt8(ascii: "."): if !isValue { keys[keys.count - 1] += 1 }
      default: break
      }
      try checkLimits()
      index += 1
    }

    private func checkLimits() throws(ConfigurationFault) {
      if index - lineStart > Self.maximumLineLength {
        throw fault("this line is longer than 64 KB", advice: "Split it.")
      }
      guard depth > Self.maximumDepth else { return }
      throw fault("tables or lists are nested more than \(Self.maximumDepth) deep", advice: "Remove levels.")
    }

    private var depth: Int { headerDepth + keys.reduce(0, +) }

    private func fault(_ reason: String, advice: String) -> ConfigurationFault {
      // A column is a character.
      let column = String(decoding: bytes[lineStart..<index], as: UTF8.self).unicodeScalars.count + 1
      return ConfigurationFault(at: TextPlace(line: line, column: column), reason, advice: advice)
    }

    private mutating func endLine() {
      (line, lineStart) = (line + 1, index + 1)
      guard keys.count == 1 || isHeader else { return }
      if isHeader { (headerDepth, isHeader) = (keys.reduce(0, +), false) }
      (keys, isValue) = ([1], false)
    }

    private mutating func open(_ byte: UInt8) {
      if keys.count == 1, !isValue, !isHeader {
        // `[` or `[[` at the start of a line: its key names the table of the next lines.
        (headerDepth, isHeader) = (0, true)
      } else if !isHeader {
        keys.append(1)
        isValue = false
      }
    }

    private mutating func close() {
      guard keys.count > 1 else { return }
      keys.removeLast()
      isValue = true
    }

    /// A single-line text ends at the end of its line, which toml++ reports.
    private mutating func skipText(_ quote: UInt8) throws(ConfigurationFault) {
      let isLong = startsQuotes(quote, at: index)
      index += isLong ? 3 : 1
      while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), index + 1 < bytes.count, bytes[index + 1] != 0x0A {
          index += 2
        } else if byte == 0x0A {
          guard isLong else { return }
          (line, lineStart) = (line + 1, index + 1)
          index += 1
        } else if isLong, startsQuotes(quote, at: index) {
          index += 3
          // Up to two quotation marks before the end belong to the text.
          for _ in 0..<2 where index < bytes.count && bytes[index] == quote { index += 1 }
          return try checkLimits()
        } else {
          index += 1
          if !isLong, byte == quote { return try checkLimits() }
        }
        try checkLimits()
      }
    }

    private func startsQuotes(_ quote: UInt8, at place: Int) -> Bool {
      place + 2 < bytes.count && bytes[place...(place + 2)].allSatisfy { $0 == quote }
    }
  }
}

extension TextPlace {
  fileprivate init(_ place: TomlPlace) { self.init(line: Int(place.line), column: Int(place.column)) }
}

extension String {
  fileprivate init(_ text: TomlText) {
    let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
