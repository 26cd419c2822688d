import FeedfallFeeds
import FeedfallText

extension Configuration {
  struct Addition: Equatable, Sendable {
    var added: [Source] = []
    var configuredAddresses: [String] = []
    var bytes: [UInt8]
  }

  /// Returns a document with the sources appended. The existing bytes do not change. Sources whose address is already
  /// configured are skipped. A name that is already in use gets a number.
  static func adding(
    _ new: [Source], to bytes: [UInt8], home: String? = nil
  ) throws(ConfigurationError) -> Addition {
    let old = try Configuration(toml: bytes)
    var addition = Addition(bytes: bytes)
    var names = Set(old.sources.map(\.name))
    var addresses = Set(old.sources.map { normal($0.expanded(home: home).address) })
    for var source in new {
      guard addresses.insert(normal(source.expanded(home: home).address)).inserted else {
        addition.configuredAddresses.append(source.address)
        continue
      }
      source.name = uniqueName(source.name, among: names)
      names.insert(source.name)
      addition.added.append(source)
    }
    guard !addition.added.isEmpty else { return addition }
    let count = old.sources.count + addition.added.count
    guard count <= maximumSourceCount else {
      let reason = "it would have \(count) sources, more than \(maximumSourceCount)"
      throw ConfigurationError(ConfigurationFault(at: nil, reason, advice: "Remove some."))
    }
    if let last = bytes.last, last != UInt8(ascii: "\n") { addition.bytes.append(UInt8(ascii: "\n")) }
    for source in addition.added { addition.bytes += Array(source.toml(isFirst: addition.bytes.isEmpty).utf8) }
    try check(addition)
    return addition
  }

  /// Throws if the result could not be read back, so that the file is not overwritten with it.
  private static func check(_ addition: Addition) throws(ConfigurationError) {
    guard addition.bytes.count <= ConfigurationFile.maximumByteCount else { throw ConfigurationError(.tooLarge) }
    do { _ = try Configuration(toml: addition.bytes) } catch {
      let fault = error.faults[0]
      // The place is left out: it may lie in the appended text, which the user's file does not contain.
      let reason = "nothing can be appended to its text, \(fault.reason)"
      throw ConfigurationError(ConfigurationFault(at: nil, reason, advice: fault.advice))
    }
  }

  static func normal(_ address: String) -> String { WebAddress(typed: address)?.text ?? address }

  static func uniqueName(_ name: String, among names: Set<String>) -> String {
    // Names have at most 80 characters; the rest is room for the number.
    let name = cleanedLine(name, limit: 72)
    guard names.contains(name) else { return name }
    var number = 2
    while names.contains("\(name) \(number)") { number += 1 }
    return "\(name) \(number)"
  }
}

extension Configuration.Source {
  init(_ feed: SubscriptionList.Feed) {
    self.init(name: feed.name.isEmpty ? feed.address.shownHost : feed.name, address: feed.address.text)
    tags = feed.tags.filter(Self.isTag).prefix(Self.maximumTagCount).map(\.self)
  }

  func toml(isFirst: Bool) -> String {
    let tags = tags.isEmpty ? "" : "tags = [\(tags.map(Self.quoted).joined(separator: ", "))]\n"
    return "\(isFirst ? "" : "\n")[[source]]\nname = \(Self.quoted(name))\naddress = \(Self.quoted(address))\n\(tags)"
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}

extension Configuration {
  /// Returns a document without the first source that `isMatch` accepts; nil if there is none. The other bytes do not
  /// change, except for a blank line before the removed table. Comments below its last value stay.
  static func removing(
    from bytes: [UInt8], where isMatch: (Source) -> Bool
  ) throws(ConfigurationError) -> (removed: RemovedSource, bytes: [UInt8])? {
    let old = try Configuration(toml: bytes)
    guard let index = old.sources.firstIndex(where: isMatch) else { return nil }
    let (mark, lines) = markAndLines(of: bytes)
    let range = try tableLines(ofSource: index, in: bytes, lines)
    var expected = old
    let source = expected.sources.remove(at: index)
    // The text is checked, because only its lines were examined.
    guard let range, case let result = mark + lines.removing(range.withGap),
      let new = try? Configuration(toml: result), new.isSame(as: expected)
    else {
      let reason = "the table of \"\(source.name)\" cannot be removed alone"
      throw ConfigurationError(ConfigurationFault(at: nil, reason, advice: "Remove it in an editor."))
    }
    return (RemovedSource(source, range.table, range.withGap, of: lines), result)
  }

  /// Returns a document with a removed source where it was, or at the end if nothing around that place is left. The
  /// other bytes do not change. A name that is already in use gets a number. Returns nil if the table cannot be
  /// restored.
  static func restoring(
    _ removed: RemovedSource, as name: String, to bytes: [UInt8]
  ) throws(ConfigurationError) -> (restored: SourceTable, bytes: [UInt8])? {
    let old = try Configuration(toml: bytes)
    let names = Set(old.sources.map(\.name))
    let isFree = name == removed.table.source.name && !names.contains(name)
    let table = removed.table.renamed(isFree ? name : uniqueName(name, among: names))
    let (mark, lines) = markAndLines(of: bytes)
    let end = [UInt8](lines.joined()).endingWithLineBreak
    let appended = end + (end.isEmpty ? [] : [UInt8(ascii: "\n")]) + table.text
    for result in [removed.inserting(table, into: lines), appended].compactMap({ $0.map { mark + $0 } }) {
      guard result.count <= ConfigurationFile.maximumByteCount else { throw ConfigurationError(.tooLarge) }
      // Checked like a removal.
      guard var new = try? Configuration(toml: result),
        let index = new.sources.firstIndex(of: table.source)
      else { continue }
      new.sources.remove(at: index)
      if new.isSame(as: old) { return (table, result) }
    }
    return nil
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func markAndLines(of bytes: [UInt8]) -> ([UInt8], [ArraySlice<UInt8>]) {
    let mark = bytes.starts(with: byteOrderMark) ? byteOrderMark : []
    return (mark, Array(bytes[mark.count...]).lines)
  }

  /// The lines of a source's table, from 0, also with a blank line before it; nil if it does not start with a line of
  /// its own.
  private static func tableLines(
    ofSource index: Int, in bytes: [UInt8], _ lines: [ArraySlice<UInt8>]
  ) throws(ConfigurationError) -> (table: Range<Int>, withGap: Range<Int>)? {
    let entries: [TomlValue.Entry]
    do { entries = try TomlValue.document(bytes) } catch {
      throw ConfigurationError(ConfigurationFault(error))
    }
    guard case .array(let sources)? = entries.first(where: { $0.key == "source" })?.item.value,
      sources.indices.contains(index)
    else { return nil }
    let start = sources[index].place.line - 1
    let starts = entries.flatMap(\.item.tableStarts).map { $0.line - 1 }
    let next = starts.filter { $0 > start }.min() ?? lines.count
    guard lines.indices.contains(start), next <= lines.count, lines[start].trimmed.starts(with: Array("[[".utf8))
    else { return nil }
    let end = lines[start..<next].lastIndex { !$0.isBlank && !$0.isComment } ?? start
    let isAfterBlank = start > 0 && lines[start - 1].isBlank
    return (start..<end + 1, (isAfterBlank ? start - 1 : start)..<end + 1)
  }

  /// Compares without the places of options.
  private func isSame(as other: Configuration) -> Bool {
    sources == other.sources && views == other.views && theme == other.theme
      && options.map(\.argument) == other.options.map(\.argument)
  }
}

extension TomlValue.Item {
  /// The places of the tables at the top level of a document.
  fileprivate var tableStarts: [TextPlace] {
    switch value {
    case .table: [place]
    case .array(let items): items.flatMap(\.tableStarts)
    case .string, .integer, .number, .boolean, .moment: []
    }
  }
}

extension [ArraySlice<UInt8>] {
  fileprivate func removing(_ range: Range<Int>) -> [UInt8] {
    [UInt8]((self[..<range.lowerBound] + self[range.upperBound...]).joined())
  }
}

extension ArraySlice<UInt8> {
  var isComment: Bool { trimmed.first == UInt8(ascii: "#") }

  /// Without blanks at the start.
  var trimmed: ArraySlice<UInt8> { drop { $0 == UInt8(ascii: " ") || $0 == 9 } }
}
