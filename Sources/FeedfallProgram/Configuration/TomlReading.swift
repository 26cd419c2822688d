import FeedfallText

/// A document without its statements with syntax faults.
struct TomlReading {
  private(set) var entries: [TomlValue.Entry] = []
  /// The rest of the document is read unless there are too many.
  private(set) var faults: [ConfigurationFault] = []

  static let maximumFaultCount = 20
  /// In bytes. Limits how often a large document is parsed.
  private static let maximumWork = 4 << 20

  /// - Complexity: O(n) for n bytes, and O(n) more for each of the first 20 keys that are defined twice.
  init(_ bytes: [UInt8]) {
    guard !Self.isUTF16(bytes) else {
      faults = [.notUTF8.hidingRest()]
      return
    }
    do { entries = try TomlValue.document(bytes) } catch { readWithoutFaults(bytes) }
  }

  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    let start = Array(bytes.prefix(2))
    return start == [0xFF, 0xFE] || start == [0xFE, 0xFF] || (start.count == 2 && start.contains(0))
  }

  /// Removes each statement that is faulty by itself, and then each one that contradicts an earlier one.
  private mutating func readWithoutFaults(_ bytes: [UInt8]) {
    var lines = Lines(bytes)
    var number = 0
    while number < lines.statements.count {
      guard let fault = lines.fault(of: number) else {
        number += 1
        continue
      }
      if add(fault, of: number, in: &lines, isLast: faults.count + 1 == Self.maximumFaultCount) { break }
    }
    readWithoutRepetitions(&lines, parseCount: max(1, Self.maximumWork / max(1, bytes.count)))
  }

  private mutating func readWithoutRepetitions(_ lines: inout Lines, parseCount: Int) {
    for number in 1... {
      do {
        entries = try TomlValue.document(lines.text)
        return
      } catch {
        guard let (statement, fault) = lines.contextFault(error) else {
          faults.append(ConfigurationFault(error).hidingRest())
          return
        }
        if add(fault, of: statement, in: &lines, isLast: number >= min(parseCount, Self.maximumFaultCount)) {
          entries = (try? TomlValue.document(lines.text)) ?? []
          return
        }
      }
    }
  }

  /// With the last fault that is reported, removes the rest of the document and returns true.
  private mutating func add(
    _ fault: ConfigurationFault, of number: Int, in lines: inout Lines, isLast: Bool
  ) -> Bool {
    faults.append(fault)
    guard isLast else {
      lines.remove(number)
      return false
    }
    let place = fault.place ?? .start
    faults.append(.tooManyFaults(after: place).hidingRest(belowTable: lines.statements[number].tableLine))
    lines.removeRest(from: number)
    return true
  }

  /// The lines of a document, of which statements can be removed. The numbers of the other lines stay.
  fileprivate struct Lines {
    /// A key with its value, the header of a table or a comment.
    struct Statement {
      var lines: Range<Int>
      var isHeader: Bool
      /// The line of the header of its table, which is another statement; nil above the first one.
      var tableLine: Int?
    }

    /// In bytes; limits the search for keys in a statement that an open text makes long.
    private static let maximumSearchLength = 64 << 10
    private static let maximumKeyLength = 100

    private var lines: [ArraySlice<UInt8>]
    private(set) var statements: [Statement]

    init(_ bytes: [UInt8]) {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      lines = Array(bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]).lines
      statements = Self.statements(in: lines)
    }

    var text: [UInt8] { [UInt8](lines.joined()) }

    private func text(of statement: Statement) -> [UInt8] { [UInt8](lines[statement.lines].joined()) }

    // MARK: - Faults

    /// The fault that a statement has by itself; nil if there is none.
    func fault(of number: Int) -> ConfigurationFault? {
      let statement = statements[number]
      if let fault = singleTableFault(of: number) { return fault }
      let text = text(of: statement)
      do {
        _ = try TomlValue.document(text)
        return nil
      } catch {
        let start = statement.lines.lowerBound
        var fault: ConfigurationFault
        switch error {
        case .limit(let limit):
          fault = limit
          fault.place?.line += start
        case .syntax(let place):
          let mistake = TomlMistake(in: text, at: place)
          // Its end may be far below.
          let place = mistake == .notClosed ? TextPlace(line: 1, column: lines[start].indentation + 1) : place
          fault = ConfigurationFault(
            at: TextPlace(line: start + place.line, column: place.column), mistake.reason, advice: mistake.advice)
        }
        return located(fault, in: number)
      }
    }

    /// A fault of the document: the key of a statement is defined by an earlier one, or its table is too deep.
    func contextFault(_ error: TomlValue.Fault) -> (number: Int, ConfigurationFault)? {
      guard let line = ConfigurationFault(error).place?.line,
        let number = statements.lastIndex(where: { $0.lines.lowerBound < line })
      else { return nil }
      guard case .syntax(let place) = error else { return (number, located(ConfigurationFault(error), in: number)) }
      let key = String(decoding: writtenKey(of: number), as: UTF8.self)
      let isThemeOption = statements[number].isHeader && key == "theme" && definesOption("theme")
      return (number, located(.alreadyDefined(key, isThemeOption: isThemeOption, at: place), in: number))
    }

    private func definesOption(_ key: String) -> Bool {
      let end = statements.firstIndex { $0.isHeader } ?? statements.endIndex
      return statements[..<end].indices.contains { writtenKey(of: $0) == Array(key.utf8) }
    }

    private func writtenKey(of number: Int) -> [UInt8] {
      let line = lines[statements[number].lines.lowerBound].trimmed
      let key =
        statements[number].isHeader
        ? line.drop { $0 == 0x5B }.prefix { $0 != 0x5D } : line.prefix(Self.maximumKeyLength).prefix { $0 != 0x3D }
      return Array(Array(key.prefix(Self.maximumKeyLength)).trimmingBlanks())
    }

    /// `[source]`, `[view]` or an option of such a name makes every `[[source]]` or `[[view]]` a fault.
    private func singleTableFault(of number: Int) -> ConfigurationFault? {
      let (statement, key) = (statements[number], String(decoding: writtenKey(of: number), as: UTF8.self))
      let line = lines[statement.lines.lowerBound]
      guard let name = ["source", "view"].first(where: { key == $0 || key.hasPrefix("\($0).") }) else { return nil }
      let isFirst = statement.tableLine == nil
      if statement.isHeader {
        guard !line.trimmed.starts(with: [0x5B, 0x5B]), key == name || isFirst else { return nil }
      } else if !isFirst || !line.contains(0x3D) || isListOfTables(statement) {
        return nil
      }
      let column = line.indentation + (statement.isHeader ? 2 : 1)
      return .singleTable(named: name, at: TextPlace(line: statement.lines.lowerBound + 1, column: column))
    }

    /// Such as `[{name = "a"}, {name = "b"}]`, and valid by itself.
    private func isListOfTables(_ statement: Statement) -> Bool {
      let entries = (try? TomlValue.document(text(of: statement))) ?? []
      guard case .array(let items)? = entries.first?.item.value else { return false }
      return items.allSatisfy { if case .table = $0.value { true } else { false } }
    }

    private func located(_ fault: ConfigurationFault, in number: Int) -> ConfigurationFault {
      var fault = fault
      fault.hidesSource = mayBeSource(number)
      guard !statements[number].isHeader else { return fault }
      fault.keys = keys(in: statements[number])
      fault.tableLine = statements[number].tableLine
      return fault
    }

    private func mayBeSource(_ number: Int) -> Bool {
      let line = lines[statements[number].lines.lowerBound].trimmed
      let word = line.prefix(Self.maximumKeyLength).drop { !$0.isBareKey }.prefix { $0.isBareKey }
      let name = String(decoding: word, as: UTF8.self)
      guard statements[number].isHeader else { return ConfigurationFault.mayBeSource(name) }
      return name.isEmpty || ConfigurationFault.mayBeSource(name)
        || line.starts(with: [0x5B, 0x5B]) && ConfigurationFault.mayBeSources(name)
    }

    private func keys(in statement: Statement) -> [String] {
      let text = [UInt8](lines[statement.lines].joined().prefix(Self.maximumSearchLength))
      let first = text[...].trimmed.drop { Self.isQuote($0) }.prefix { $0.isBareKey }
      let others = text.indices.lazy.filter { text[$0] == 0x3D }.map { equals -> [UInt8] in
        let end = text[..<equals].lastIndex { !($0 == 0x20 || $0 == 0x09 || Self.isQuote($0)) } ?? equals
        return text[...end].suffix(Self.maximumKeyLength).reversed().prefix { $0.isBareKey }.reversed()
      }
      return Array(Set([Array(first)] + others)).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// With a header its whole table is removed, because its keys would belong to the one before.
    mutating func remove(_ number: Int) {
      let next = number + 1
      let end =
        statements[number].isHeader ? statements[next...].firstIndex { $0.isHeader } ?? statements.endIndex : next
      remove(number..<end)
    }

    mutating func removeRest(from number: Int) { remove(number..<statements.endIndex) }

    private mutating func remove(_ range: Range<Int>) {
      for statement in statements[range] { for line in statement.lines { lines[line] = [0x0A] } }
      statements.removeSubrange(range)
    }

    // MARK: - Statements

    private static func statements(in lines: [ArraySlice<UInt8>]) -> [Statement] {
      var (statements, start, tableLine) = ([Statement](), 0, nil as Int?)
      while start < lines.count {
        let line = lines[start]
        let isHeader = line.isHeader
        let end = line.isBlank || line.isComment || isHeader ? start + 1 : end(ofValueAt: start, in: lines)
        if !line.isBlank {
          statements.append(Statement(lines: start..<end, isHeader: isHeader, tableLine: tableLine))
        }
        if isHeader { tableLine = start + 1 }
        start = end
      }
      return statements
    }

    /// The line after a key with its value. A string that is never closed ends with its first line, and a list before
    /// the next line that looks like a statement.
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

    /// The open lists and the open multi-line string at the end of a line.
    private struct OpenValue {
      private var depth = 0
      private var quote: UInt8?

      var isInString: Bool { quote != nil }
      var isOpen: Bool { depth > 0 || isInString }

      mutating func read(_ line: ArraySlice<UInt8>) {
        var rest = line
        while let byte = rest.first {
          if let quote {
            guard let end = rest.end(ofString: [quote, quote, quote]) else { return }
            (rest, self.quote) = (rest[end...].drop { $0 == quote }, nil)
          } else if Lines.isQuote(byte) {
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
  }
}

extension ArraySlice<UInt8> {
  fileprivate var indentation: Int { trimmed.startIndex - startIndex }

  fileprivate func end(ofString delimiter: [UInt8]) -> Int? {
    var index = startIndex
    while index < endIndex {
      if self[index...].starts(with: delimiter) { return index + delimiter.count }
      index += self[index] == 0x5C && delimiter[0] == 0x22 ? 2 : 1
    }
    return nil
  }

  /// Also without brackets, such as `{{source}}` or `source:`: the keys below must not belong to the table before.
  fileprivate var isHeader: Bool {
    if trimmed.first == 0x5B { return true }
    guard !isComment, !contains(0x3D), count <= 40 else { return false }
    let name = trimmed.drop { !$0.isBareKey }.prefix { $0.isBareKey }
    return Configuration.Table.allCases.contains { name.elementsEqual($0.rawValue.utf8) }
  }

  /// Whether the line starts like `key =` or `[[table]]`, which are no items of a list.
  fileprivate var looksLikeStatement: Bool {
    let isHeader = trimmed.first == 0x5B
    let name = trimmed.drop { $0 == 0x5B }.drop { TomlReading.Lines.isQuote($0) }.prefix { $0.isBareKey }
    guard let first = name.first, !first.isASCIIDigit else { return false }
    let rest = self[name.endIndex...].drop { TomlReading.Lines.isQuote($0) || $0 == 0x20 || $0 == 0x09 }
    return rest.first == (isHeader ? 0x5D : 0x3D)
  }
}

extension UInt8 {
  /// Whether a key with this character needs no quotation marks.
  var isBareKey: Bool { isASCIILetter || isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}

extension [UInt8] {
  /// With their line breaks.
  fileprivate var lines: [ArraySlice<UInt8>] {
    var (lines, start): ([ArraySlice<UInt8>], Int) = ([], 0)
    while start < count {
      let end = self[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? count
      lines.append(self[start..<end])
      start = end
    }
    return lines
  }
}

extension ArraySlice<UInt8> {
  var isBlank: Bool { allSatisfy { [UInt8(ascii: " "), 9, 10, 13].contains($0) } }

  fileprivate var isComment: Bool { trimmed.first == UInt8(ascii: "#") }

  /// Without blanks at the start.
  fileprivate var trimmed: ArraySlice<UInt8> { drop { $0 == UInt8(ascii: " ") || $0 == 9 } }
}
