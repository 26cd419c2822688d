extension Configuration {
  /// The table of a source as it is written in the configuration.
  struct SourceTable: Equatable, Sendable {
    let source: Source
    let text: [UInt8]

    init(_ source: Source, text: [UInt8]) { (self.source, self.text) = (source, text) }

    /// The table with which `ConfigurationFile.add` writes a source.
    init(added source: Source) {
      self.init(source, text: Array(source.toml(isFirst: true).utf8))
    }

    /// The table under another name. If the name is not found in the text, the text does not change.
    func renamed(_ name: String) -> SourceTable {
      var source = source
      source.name = name
      let isSame = name == self.source.name
      return SourceTable(source, text: isSame ? text : textReplacingName(with: name) ?? text)
    }

    /// Whether both are the same but for the line break at the end.
    func isSame(as other: SourceTable) -> Bool { text.endingWithLineBreak == other.text.endingWithLineBreak }

    private func textReplacingName(with name: String) -> [UInt8]? {
      guard case .array(let tables)? = (try? TomlValue.document(text))?.first?.item.value,
        case .table(let entries)? = tables.first?.value,
        let place = entries.first(where: { $0.key == "name" })?.item.place
      else { return nil }
      let lines = text.lines
      guard lines.indices.contains(place.line - 1) else { return nil }
      let before = [UInt8](lines[..<(place.line - 1)].joined())
      var rest = Array(String(decoding: lines[(place.line - 1)...].joined(), as: UTF8.self).unicodeScalars)
      guard let end = Self.endOfString(in: rest, from: place.column - 1) else { return nil }
      rest.replaceSubrange((place.column - 1)..<end, with: Source.quoted(name).unicodeScalars)
      return before + Array(String(String.UnicodeScalarView(rest)).utf8)
    }

    /// The index after a TOML string of one or several lines; nil if there is none.
    private static func endOfString(in text: [Unicode.Scalar], from start: Int) -> Int? {
      guard text.indices.contains(start), ["\"", "'"].contains(text[start]) else { return nil }
      let quote = text[start]
      let isMultiline = text[start...].starts(with: [quote, quote, quote])
      let delimiter = Array(repeating: quote, count: isMultiline ? 3 : 1)
      var index = start + delimiter.count
      while index < text.count, !text[index...].starts(with: delimiter) {
        index += quote == "\"" && text[index] == "\\" ? 2 : 1
      }
      guard index < text.count else { return nil }
      // Up to two quotation marks before the delimiter belong to the string.
      let extra = isMultiline ? text[(index + 3)...].prefix(2).prefix { $0 == quote }.count : 0
      return index + delimiter.count + extra
    }
  }

  /// A source that was removed from the configuration, with its place there.
  struct RemovedSource: Equatable, Sendable {
    let table: SourceTable
    /// The blank line before the table, which was removed with it.
    private let gap: [UInt8]
    /// Some lines around both, the nearest first.
    private let linesBefore, linesAfter: [[UInt8]]
    /// The number of other sources with the same address.
    var twinCount = 0

    /// The number of lines on each side by which the place is found again.
    private static let contextCount = 12

    /// - Parameters:
    ///   - tableRange: the lines of the table, from 0.
    ///   - range: the same with the blank line before it.
    init(
      _ source: Source, _ tableRange: Range<Int>, _ range: Range<Int>, of lines: [ArraySlice<UInt8>]
    ) {
      table = SourceTable(source, text: [UInt8](lines[tableRange].joined()))
      gap = [UInt8](lines[range.lowerBound..<tableRange.lowerBound].joined())
      linesBefore = lines[..<range.lowerBound].suffix(Self.contextCount).reversed().map { Array($0) }
      linesAfter = lines[range.upperBound...].prefix(Self.contextCount).map { Array($0) }
    }

    /// Returns the lines with a table at the removed one's place; nil if no line around it is left. O(n).
    func inserting(_ table: SourceTable, into lines: [ArraySlice<UInt8>]) -> [UInt8]? {
      guard let place = place(in: lines) else { return nil }
      let (before, after) = ([UInt8](lines[..<place].joined()), [UInt8](lines[place...].joined()))
      let text = gap + table.text
      return before.endingWithLineBreak + (after.isEmpty ? text : text.endingWithLineBreak) + after
    }

    /// The line before which most lines around the table are the same; nil if none is.
    private func place(in lines: [ArraySlice<UInt8>]) -> Int? {
      var best: (place: Int, count: Int)?
      for place in 0...lines.count {
        let count =
          Self.sameCount(linesBefore, lines[..<place].reversed()) + Self.sameCount(linesAfter, lines[place...])
        if count > best?.count ?? 0 { best = (place, count) }
      }
      return best?.place
    }

    /// The number of equal lines at the start of both, without blank ones.
    private static func sameCount(_ known: [[UInt8]], _ lines: some Sequence<ArraySlice<UInt8>>) -> Int {
      zip(known, lines).lazy.prefix { $0.0[...] == $0.1 }.count { !$0.1.isBlank }
    }
  }
}

extension [UInt8] {
  /// The lines with their line breaks.
  var lines: [ArraySlice<UInt8>] {
    var (lines, start): ([ArraySlice<UInt8>], Int) = ([], 0)
    while start < count {
      let end = self[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? count
      lines.append(self[start..<end])
      start = end
    }
    return lines
  }

  /// The text with a line break at its end, unless it is empty.
  var endingWithLineBreak: [UInt8] {
    last.map { $0 == UInt8(ascii: "\n") } ?? true ? self : self + [UInt8(ascii: "\n")]
  }
}

extension ArraySlice<UInt8> {
  var isBlank: Bool { allSatisfy { [UInt8(ascii: " "), 9, 10, 13].contains($0) } }
}
