import FeedfallText

extension Configuration {
  /// The result of removing a source from the configuration.
  struct Removal: Equatable, Sendable {
    var removed: ConfiguredSource
    /// The new content of the file.
    var bytes: [UInt8]
  }

  /// Returns a document without the first source that `isMatch` accepts; nil if there is none. The other bytes do not
  /// change, except for a blank line before the removed table. Comments below its last value stay.
  static func removing(
    from bytes: [UInt8], where isMatch: (ConfiguredSource) -> Bool
  ) throws(ConfigurationError) -> Removal? {
    let old = try Configuration(toml: bytes)
    guard let index = old.sources.firstIndex(where: isMatch) else { return nil }
    let mark = bytes.starts(with: byteOrderMark) ? byteOrderMark : []
    let lines = Array(bytes[mark.count...]).lines
    let result = try tableLines(ofSource: index, in: bytes, lines).map { mark + lines.removing($0) }
    var expected = old
    let removed = expected.sources.remove(at: index)
    // The text is checked, because only its lines were examined.
    guard let result, let new = try? Configuration(toml: result), new.isSame(as: expected) else {
      throw ConfigurationError(
        ConfigurationFault(
          at: nil, "the table of \"\(removed.name)\" cannot be removed alone", advice: "Remove it in an editor."))
    }
    return Removal(removed: removed, bytes: result)
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The lines of a source's table, from 0; nil if it does not start with a line of its own.
  private static func tableLines(
    ofSource index: Int, in bytes: [UInt8], _ lines: [ArraySlice<UInt8>]
  ) throws(ConfigurationError) -> Range<Int>? {
    let entries: [TomlEntry]
    do { entries = try TomlValue.document(bytes) } catch { throw ConfigurationError(error) }
    guard case .array(let sources)? = entries.first(where: { $0.key == "source" })?.item.value,
      sources.indices.contains(index)
    else { return nil }
    let start = sources[index].place.line - 1
    let starts = entries.flatMap(\.item.tableStarts).map { $0.line - 1 }
    let next = starts.filter { $0 > start }.min() ?? lines.count
    guard lines.indices.contains(start), next <= lines.count, lines[start].trimmed.starts(with: Array("[[".utf8))
    else {
      return nil
    }
    let end = lines[start..<next].lastIndex { !$0.isBlank && !$0.isComment } ?? start
    let isAfterBlank = start > 0 && lines[start - 1].isBlank
    return (isAfterBlank ? start - 1 : start)..<end + 1
  }

  /// Compares without the places of options.
  private func isSame(as other: Configuration) -> Bool {
    sources == other.sources && views == other.views && theme == other.theme
      && options.map(\.argument) == other.options.map(\.argument)
  }
}

extension TomlItem {
  /// The places of the tables at the top level of a document.
  fileprivate var tableStarts: [TextPlace] {
    switch value {
    case .table: [place]
    case .array(let items): items.flatMap(\.tableStarts)
    case .string, .integer, .number, .boolean, .moment: []
    }
  }
}

extension [UInt8] {
  /// The lines with their line breaks.
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

extension [ArraySlice<UInt8>] {
  fileprivate func removing(_ range: Range<Int>) -> [UInt8] {
    [UInt8]((self[..<range.lowerBound] + self[range.upperBound...]).joined())
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isBlank: Bool { allSatisfy { [UInt8(ascii: " "), 9, 10, 13].contains($0) } }

  fileprivate var isComment: Bool { trimmed.first == UInt8(ascii: "#") }

  /// Without blanks at the start.
  fileprivate var trimmed: ArraySlice<UInt8> { drop { $0 == UInt8(ascii: " ") || $0 == 9 } }
}
