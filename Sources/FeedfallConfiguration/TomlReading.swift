import FeedfallText

/// A document without its statements with syntax faults.
struct TomlReading {
  private(set) var entries: [TomlEntry] = []
  /// The syntax faults in the order of the document; the rest of the document is read unless there are too many.
  private(set) var faults: [ConfigurationFault] = []

  static let maximumFaultCount = 20
  /// In bytes. Limits how often a large document is parsed.
  private static let maximumWork = 4 << 20

  /// - Complexity: O(n · f · log n) for n bytes with f faults; f is at most 20, and less for a large document.
  init(_ bytes: [UInt8]) {
    guard !Self.isUTF16(bytes) else {
      faults = [.notUTF8.hidingRest()]
      return
    }
    do { entries = try TomlValue.document(bytes) } catch { readWithoutFaults(error, bytes) }
  }

  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    let start = Array(bytes.prefix(2))
    return start == [0xFF, 0xFE] || start == [0xFE, 0xFF] || (start.count == 2 && start.contains(0))
  }

  /// Removes the statement with the first fault, until the document has none.
  private mutating func readWithoutFaults(_ first: ConfigurationFault, _ bytes: [UInt8]) {
    var lines = TomlLines(bytes)
    var fault = first
    let limit = min(Self.maximumFaultCount, max(1, Self.maximumWork / max(1, bytes.count)))
    while true {
      guard let place = fault.place, let faulty = lines.faultyStatement(before: place) else {
        faults.append(fault.hidingRest())
        return
      }
      faults.append(lines.located(fault, in: faulty))
      guard faults.count < limit else {
        entries = (try? TomlValue.document(lines.text(before: faulty))) ?? []
        faults.append(.tooManyFaults(after: place).hidingRest(belowTable: lines.tableLine(of: faulty)))
        return
      }
      lines.remove(faulty)
      do {
        entries = try TomlValue.document(lines.text)
        return
      } catch { fault = error }
    }
  }
}

/// The lines of a document, of which statements can be removed. The numbers of the other lines stay.
private struct TomlLines {
  /// A key with its value, the header of a table or a comment.
  struct Statement {
    var lines: Range<Int>
    var isHeader: Bool
  }

  /// In bytes; limits the search for keys in a statement that an open text makes long.
  private static let maximumSearchLength = 64 << 10
  private static let maximumKeyLength = 100

  private var lines: [ArraySlice<UInt8>]
  /// The remaining statements.
  private var statements: [Statement]

  init(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    lines = Array(bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]).lines
    statements = Self.statements(in: lines)
  }

  var text: [UInt8] { [UInt8](lines.joined()) }

  func text(before statement: Int) -> [UInt8] { [UInt8](lines[..<statements[statement].lines.lowerBound].joined()) }

  /// The number of the statement that causes the first fault: the last one up to its place that the parser reaches
  /// without a fault. A value that is not closed is reported far below its own line. Nil if there is no statement.
  func faultyStatement(before place: TextPlace) -> Int? {
    let end = statements.firstIndex { $0.lines.lowerBound >= place.line } ?? statements.endIndex
    if let single = statements[..<end].firstIndex(where: isSingleTable) { return single }
    guard end > 0 else { return nil }
    if isReadable(before: end - 1) { return end - 1 }
    // Prefixes of the document parse up to the faulty statement, and none after it.
    var (readable, faulty) = (0, end - 1)
    while faulty - readable > 1 {
      let middle = (readable + faulty) / 2
      if isReadable(before: middle) { readable = middle } else { faulty = middle }
    }
    return readable
  }

  private func isReadable(before statement: Int) -> Bool {
    (try? TomlValue.document(text(before: statement))) != nil
  }

  /// Whether the statement is `[source]` or `[view]`, which makes every `[[source]]` or `[[view]]` a fault.
  private func isSingleTable(_ statement: Statement) -> Bool {
    guard statement.isHeader, case let words = lines[statement.lines.lowerBound].trimmed.prefix(while: { $0 != 0x5D })
    else { return false }
    return words == Array("[source".utf8)[...] || words == Array("[view".utf8)[...]
  }

  /// Returns the fault with the key of a statement and its table.
  func located(_ fault: ConfigurationFault, in number: Int) -> ConfigurationFault {
    let statement = statements[number]
    if isSingleTable(statement) {
      return .singleTable(
        named: String(
          decoding: lines[statement.lines.lowerBound].trimmed.dropFirst().prefix { $0.isBareKey }, as: UTF8.self),
        at: TextPlace(line: statement.lines.lowerBound + 1, column: 2))
    }
    guard !statement.isHeader else { return fault }
    let start = statement.lines.lowerBound
    let isBelow = (fault.place?.line ?? 0) > statement.lines.upperBound
    var fault = isBelow ? .notClosed(at: TextPlace(line: start + 1, column: lines[start].indentation + 1)) : fault
    fault.keys = keys(in: statement)
    fault.tableLine = tableLine(of: number)
    return fault
  }

  /// The first word of a statement and the ones in front of equals signs.
  private func keys(in statement: Statement) -> [String] {
    let text = [UInt8](lines[statement.lines].joined().prefix(Self.maximumSearchLength))
    let first = text[...].trimmed.drop { Self.isQuote($0) }.prefix { $0.isBareKey }
    let others = text.indices.lazy.filter { text[$0] == 0x3D }.map { equals -> [UInt8] in
      let end = text[..<equals].lastIndex { !($0 == 0x20 || $0 == 0x09 || Self.isQuote($0)) } ?? equals
      return text[...end].suffix(Self.maximumKeyLength).reversed().prefix { $0.isBareKey }.reversed()
    }
    return Array(Set([Array(first)] + others)).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// The line of the header of the table with a statement; nil above the first one.
  func tableLine(of number: Int) -> Int? {
    statements[..<number].last { $0.isHeader }.map { $0.lines.lowerBound + 1 }
  }

  /// Removes a statement. With a header its whole table is removed, because its keys would belong to the one before.
  mutating func remove(_ number: Int) {
    let next = number + 1
    let end = statements[number].isHeader ? statements[next...].firstIndex { $0.isHeader } ?? statements.endIndex : next
    for statement in statements[number..<end] { for line in statement.lines { lines[line] = [0x0A] } }
    statements.removeSubrange(number..<end)
  }

  // MARK: - Statements

  private static func statements(in lines: [ArraySlice<UInt8>]) -> [Statement] {
    var (statements, start) = ([Statement](), 0)
    while start < lines.count {
      let line = lines[start]
      let isHeader = line.trimmed.first == 0x5B
      let end = line.isBlank || line.isComment || isHeader ? start + 1 : end(ofValueAt: start, in: lines)
      if !line.isBlank { statements.append(Statement(lines: start..<end, isHeader: isHeader)) }
      start = end
    }
    return statements
  }

  /// The line after a key with its value. A string that is never closed ends with its first line, and a list before the
  /// next line that looks like a statement.
  private static func end(ofValueAt start: Int, in lines: [ArraySlice<UInt8>]) -> Int {
    var value = OpenValue()
    for number in start..<lines.count {
      if number > start, !value.isInString, lines[number].looksLikeStatement { return number }
      value.read(lines[number])
      if !value.isOpen { return number + 1 }
    }
    return value.isInString ? start + 1 : lines.count
  }

  static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }
}

/// The open lists and the open multi-line string at the end of a line.
private struct OpenValue {
  private var depth = 0
  /// The quotation mark of the multi-line string.
  private var quote: UInt8?

  var isInString: Bool { quote != nil }
  var isOpen: Bool { depth > 0 || isInString }

  mutating func read(_ line: ArraySlice<UInt8>) {
    var rest = line
    while let byte = rest.first {
      if let quote {
        guard let end = rest.end(ofString: [quote, quote, quote]) else { return }
        (rest, self.quote) = (rest[end...].drop { $0 == quote }, nil)
      } else if TomlLines.isQuote(byte) {
        if rest.starts(with: [byte, byte, byte]) {
          (rest, quote) = (rest.dropFirst(3), byte)
        } else {
          rest = rest.dropFirst()
          guard let end = rest.end(ofString: [byte]) else { return }
          rest = rest[end...]
        }
      } else if byte == 0x23 {
        return
      } else {
        depth = max(0, depth + (byte == 0x5B ? 1 : byte == 0x5D ? -1 : 0))
        rest = rest.dropFirst()
      }
    }
  }
}

extension ArraySlice<UInt8> {
  /// The number of blanks at the start.
  fileprivate var indentation: Int { trimmed.startIndex - startIndex }

  /// The index after the delimiter that ends a string; nil if it does not end in this line.
  fileprivate func end(ofString delimiter: [UInt8]) -> Int? {
    var index = startIndex
    while index < endIndex {
      if self[index...].starts(with: delimiter) { return index + delimiter.count }
      index += self[index] == 0x5C && delimiter[0] == 0x22 ? 2 : 1
    }
    return nil
  }

  /// Whether the line starts like `key =` or `[[table]]`, which are no items of a list.
  fileprivate var looksLikeStatement: Bool {
    let isHeader = trimmed.first == 0x5B
    let name = trimmed.drop { $0 == 0x5B }.drop { TomlLines.isQuote($0) }.prefix { $0.isBareKey }
    guard let first = name.first, !first.isASCIIDigit else { return false }
    let rest = self[name.endIndex...].drop { TomlLines.isQuote($0) || $0 == 0x20 || $0 == 0x09 }
    return rest.first == (isHeader ? 0x5D : 0x3D)
  }
}

extension UInt8 {
  /// Whether a key without quotation marks can contain the byte.
  fileprivate var isBareKey: Bool {
    isASCIIDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x2D || self == 0x5F
  }
}
