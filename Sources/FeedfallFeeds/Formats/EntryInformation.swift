import FeedfallText

/// The facts that `#EXTINF` states about an entry of an M3U playlist, in the syntax of IPTV lists:
///
///     information = [length] [","] *(name "=" value) [","] title
///
/// A value is bare or in double or single quotes, which it may also contain. It ends before the next attribute, a comma or
/// the end of the line. Attributes after a comma are quoted and followed by another comma; otherwise they are the title.
struct EntryInformation: Equatable {
  private(set) var duration: VideoDuration?
  private(set) var title: String?
  private var attributes: [Attribute] = []

  private struct Attribute: Equatable {
    let name: String
    let value: String
  }

  private static let maximumAttributeCount = 64

  /// - Parameter text: the rest of the line.
  /// - Complexity: O(n).
  init(_ text: ArraySlice<UInt8>) {
    var scanner = InformationScanner(text)
    duration = scanner.length()
    let hasComma = scanner.consumeComma()
    let start = scanner
    while attributes.count < Self.maximumAttributeCount, let (name, value) = scanner.attribute(isQuoted: hasComma) {
      attributes.append(
        Attribute(name: String(decoding: name, as: UTF8.self).lowercased(), value: XMLText.decoded(value)))
    }
    if hasComma, !attributes.isEmpty, !scanner.consumeComma() {
      (scanner, attributes) = (start, [])
    } else if !hasComma {
      scanner.skipToTitle()
    }
    // In `-1,,Title` the artist is missing.
    if hasComma, attributes.isEmpty { _ = scanner.consumeComma() }
    title = cleanedLine(String(decoding: scanner.rest, as: UTF8.self)).nonEmpty
  }

  /// The value of an attribute, by its name in lower case; nil if it is empty.
  subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value.nonEmpty }

  /// Whether this describes a segment of a stream: it has a decimal number and no attributes.
  static func isOfSegment(_ text: ArraySlice<UInt8>) -> Bool {
    let number = Array(text.prefix { $0 != .comma }).trimmingBlanks()
    return !number.isEmpty && number.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
  }
}

private struct InformationScanner {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  private static let maximumNameByteCount = 64

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  var rest: ArraySlice<UInt8> { bytes[index...] }

  /// Reads `-1`, `61.5` or `1:02:03`; nil if it is missing or not positive.
  mutating func length() -> VideoDuration? {
    skipBlanks()
    let number = rest.prefix {
      $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == .colon || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
    }
    index += number.count
    return VideoDuration(feedText: String(decoding: number, as: UTF8.self))
  }

  mutating func consumeComma() -> Bool {
    var place = index
    skipBlanks(&place)
    guard place < bytes.endIndex, bytes[place] == .comma else { return false }
    index = place + 1
    return true
  }

  /// Reads `name="value"`, `name='value'` or, unless `isQuoted`, `name=value`.
  mutating func attribute(isQuoted: Bool) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    var place = index
    skipBlanks(&place)
    guard let start = startOfValue(from: place) else { return nil }
    let name = bytes[place...].prefix(while: Self.isOfName)
    guard start < bytes.endIndex, bytes[start] == .quote || bytes[start] == UInt8(ascii: "'") else {
      guard !isQuoted else { return nil }
      let end = endOfBareValue(from: start)
      index = end
      return (name, bytes[start..<end])
    }
    if let end = endOfQuotedValue(from: start + 1, quote: bytes[start]) {
      index = end + 1
      return (name, bytes[(start + 1)..<end])
    }
    let end = bytes[start...].firstIndex(of: .comma) ?? bytes.endIndex
    index = end
    return (name, bytes[(start + 1)..<max(start + 1, end)])
  }

  /// Without a comma, the rest is the title.
  mutating func skipToTitle() {
    if let comma = rest.firstIndex(of: .comma) { index = comma + 1 }
  }

  // MARK: - Places

  /// The place after `name=` and blanks; nil if there is no attribute at `place`.
  /// - Complexity: O(1), except for blanks.
  private func startOfValue(from place: Int) -> Int? {
    let name = bytes[place...].prefix(Self.maximumNameByteCount).prefix(while: Self.isOfName)
    guard let first = name.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return nil }
    var end = name.endIndex
    skipBlanks(&end)
    guard end < bytes.endIndex, bytes[end] == UInt8(ascii: "=") else { return nil }
    end += 1
    skipBlanks(&end)
    return end
  }

  /// The first quote before an attribute, a comma or the end of the line.
  private func endOfQuotedValue(from start: Int, quote: UInt8) -> Int? {
    var place = start
    while let end = bytes[place...].firstIndex(of: quote) {
      if isEnd(end + 1) { return end }
      place = end + 1
    }
    return nil
  }

  /// The first blank before an attribute, a comma or the end of the line, or else that comma or end.
  private func endOfBareValue(from start: Int) -> Int {
    var place = start
    while place < bytes.endIndex, bytes[place] != .comma {
      if bytes[place] <= 0x20 {
        if isEnd(place) { return place }
        skipBlanks(&place)
      } else {
        place += 1
      }
    }
    return place
  }

  /// Whether an attribute, a comma or the end of the line follows, after any blanks.
  private func isEnd(_ place: Int) -> Bool {
    var place = place
    skipBlanks(&place)
    return place >= bytes.endIndex || bytes[place] == .comma || startOfValue(from: place) != nil
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".")
  }

  private mutating func skipBlanks() { skipBlanks(&index) }

  private func skipBlanks(_ place: inout Int) {
    while place < bytes.endIndex, bytes[place] <= 0x20 { place += 1 }
  }
}
