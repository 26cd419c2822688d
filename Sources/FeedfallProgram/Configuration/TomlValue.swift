import CFeedfall

/// A place in a text. Lines and columns count from 1; columns are in characters.
struct TextPlace: Equatable, Comparable, Sendable {
  var line: Int
  var column: Int

  static let start = TextPlace(line: 1, column: 1)

  static func < (left: TextPlace, right: TextPlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

enum TomlFault: Error, Equatable {
  case limit(ConfigurationFault)
  /// toml++ found a fault here. Its reason is `TomlMistake`: toml++ has only English sentences.
  case syntax(TextPlace)
}

struct TomlItem: Equatable, Sendable {
  var value: TomlValue
  var place: TextPlace
}

enum TomlValue: Equatable, Sendable {
  case table([TomlEntry])
  case array([TomlItem])
  case string(String)
  case integer(Int)
  case number(Double)
  case boolean(Bool)
  case moment

  /// The name of the type, for messages.
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
}

struct TomlEntry: Equatable, Sendable {
  var key: String
  var keyPlace: TextPlace
  var item: TomlItem
}

extension TomlEntry {
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

extension TomlValue {
  /// Parses a document and returns its entries in document order.
  static func document(_ bytes: [UInt8]) throws(TomlFault) -> [TomlEntry] {
    do { try TomlShape.check(bytes) } catch { throw .limit(error) }
    let document = bytes.withUnsafeBytes { toml_read($0.bindMemory(to: CChar.self).baseAddress, $0.count) }
    defer { toml_free(document) }
    var count = 0
    guard let nodes = toml_nodes(document, &count) else { throw .syntax(TextPlace(toml_fault(document))) }
    var reader = NodeReader(nodes: UnsafeBufferPointer(start: nodes, count: count))
    guard case .table(let entries) = reader.next().value else { return [] }
    return entries
  }
}

/// Converts the flat list from toml++ to a tree of values.
private struct NodeReader {
  let nodes: UnsafeBufferPointer<TomlNode>
  var index = 0

  mutating func next() -> TomlItem {
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
    return TomlItem(value: value, place: TextPlace(node.place))
  }

  private mutating func nextEntry() -> TomlEntry {
    let node = nodes[index]
    return TomlEntry(key: String(node.key), keyPlace: TextPlace(node.key_place), item: next())
  }
}

extension TextPlace {
  fileprivate init(_ place: TomlPlace) {
    self.init(line: Int(place.line), column: Int(place.column))
  }
}

extension String {
  fileprivate init(_ text: TomlText) {
    let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
