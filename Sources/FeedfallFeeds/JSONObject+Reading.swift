extension JSONObject {
  /// A text or number for one line, cleaned; nil where it is empty.
  func line(_ name: StaticString, limit: Int = 200) -> String? {
    self[name]?.text.map { cleanedLine($0, isHTML: true, limit: limit) }.nonEmpty
  }

  /// A longer text with its paragraphs, cleaned; nil where it is empty.
  func paragraphs(_ name: StaticString) -> String? { self[name]?.string.map { cleanedText($0) }.nonEmpty }

  func address(_ name: StaticString, base: WebAddress?) -> WebAddress? {
    self[name]?.string.flatMap { WebAddress(reference: $0, base: base) }
  }

  /// A text or number, or those of a list of them.
  func texts(_ name: StaticString, limit: Int = 64) -> [String] {
    guard let value = self[name] else { return [] }
    return value.text.map { [$0] } ?? (value.elements(limit: limit) ?? []).compactMap(\.text)
  }

  /// A number that is not negative.
  func count(_ name: StaticString) -> Int? { self[name]?.integer.flatMap { $0 >= 0 ? $0 : nil } }

  func pictureSize(_ width: StaticString = "width", _ height: StaticString = "height") -> PixelSize? {
    guard let width = self[width]?.integer, let height = self[height]?.integer else { return nil }
    return PixelSize(width: width, height: height)
  }

  func objects(_ name: StaticString, limit: Int = 1_000) -> [JSONObject] {
    (self[name]?.elements(limit: limit) ?? []).compactMap(\.object)
  }
}
