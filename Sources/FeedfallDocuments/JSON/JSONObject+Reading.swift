import FeedfallText

extension JSONObject {
  /// A text or number for one line, cleaned; nil where it is empty.
  package func line(_ name: StaticString, limit: Int = 200) -> String? {
    self[name]?.text.map { cleanedLine($0, isHTML: true, limit: limit) }.nonEmpty
  }

  /// A longer text with its paragraphs, cleaned; nil where it is empty.
  package func paragraphs(_ name: StaticString) -> String? { self[name]?.string.map { cleanedText($0) }.nonEmpty }

  package func address(_ name: StaticString, base: WebAddress?) -> WebAddress? {
    self[name]?.string.flatMap { WebAddress(reference: $0, base: base) }
  }

  /// A text or number, or those of a list of them.
  package func texts(_ name: StaticString, limit: Int = 64) -> [String] {
    guard let value = self[name] else { return [] }
    return value.text.map { [$0] } ?? (value.elements(limit: limit) ?? []).compactMap(\.text)
  }

  /// A number that is not negative.
  package func count(_ name: StaticString) -> Int? { self[name]?.integer.flatMap { $0 >= 0 ? $0 : nil } }

  package func objects(_ name: StaticString, limit: Int = 1_000) -> [JSONObject] {
    (self[name]?.elements(limit: limit) ?? []).compactMap(\.object)
  }

  /// An object that fills a document but for white space and a byte order mark; nil where it is none.
  package init?(document bytes: [UInt8]) {
    let start = JSONSyntax.skipWhiteSpace(bytes, bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    guard let end = JSONSyntax.endOfValue(bytes, from: start, limit: bytes.count) else { return nil }
    self.init(bytes, start..<end)
  }
}

extension UnixTime {
  /// The least number that can't be seconds (it'd be the year 5138): milliseconds.
  private static let leastMilliseconds = 100_000_000_000

  /// Reads RFC 3339, Unix seconds or Unix milliseconds.
  package init?(_ value: JSONValue) {
    if let number = value.integer {
      guard number > 0, number < Self.leastMilliseconds * 1_000 else { return nil }
      self.init(seconds: number >= Self.leastMilliseconds ? number / 1_000 : number)
    } else if let text = value.string, let time = UnixTime(rfc3339: text) {
      self = time
    } else {
      return nil
    }
  }
}
