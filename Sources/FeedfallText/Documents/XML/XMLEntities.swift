/// The internal text entities that a document declares (XML 1.0, 4.2.1).
///
/// Nothing external is read. In the text of an entity, references stay as they are unless HTML defines them, and tags are
/// text.
package struct XMLEntities: Sendable {
  private var entities: [(name: [UInt8], text: [UInt8])] = []

  private static let maximumCount = 64
  private static let maximumByteCount = 1_024
  private static let longestName = 64
  /// The entities that every document has. Declarations of them are ignored.
  private static let predefined = ["amp", "lt", "gt", "quot", "apos"].map { Array($0.utf8) }

  package init() {}

  package var isEmpty: Bool { entities.isEmpty }

  /// Adds an entity unless one with this name is declared already, there are 64, or its text is longer than 1 kB.
  mutating func declare(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    guard entities.count < Self.maximumCount, value.count <= Self.maximumByteCount,
      (1...Self.longestName).contains(name.count), !Self.predefined.contains(where: { $0.elementsEqual(name) }),
      text(named: name) == nil
    else { return }
    let text = Self.withoutCharacterReferences(Array(value))
    entities.append((Array(name), XMLText.decodedBytes(text, text.indices, XMLEntities())))
  }

  /// Returns the text for the reference whose `&` is at an index, and the index after it.
  func reference(in bytes: [UInt8], at start: Int) -> (text: [UInt8], end: Int)? {
    var end = start + 1
    while end < bytes.count, end - start <= Self.longestName, bytes[end] != UInt8(ascii: ";") { end += 1 }
    guard bytes[safe: end] == UInt8(ascii: ";") else { return nil }
    return text(named: bytes[(start + 1)..<end]).map { ($0, end + 1) }
  }

  /// The size of the texts that replace the references in a range, in bytes.
  func byteCount(in bytes: [UInt8], _ range: Range<Int>) -> Int {
    var count = 0
    var index = range.lowerBound
    while index < range.upperBound, let mark = bytes.firstIndex(of: UInt8(ascii: "&"), in: index..<range.upperBound) {
      let reference = reference(in: bytes, at: mark)
      count += reference?.text.count ?? 0
      index = reference?.end ?? mark + 1
    }
    return count
  }

  private func text(named name: ArraySlice<UInt8>) -> [UInt8]? {
    entities.first { $0.name.count == name.count && $0.name.elementsEqual(name) }?.text
  }

  /// Decodes the numeric references of a declaration, such as `&#38;`, before those of its text (XML 1.0, 4.4.5).
  private static func withoutCharacterReferences(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&"), bytes[safe: index + 1] == UInt8(ascii: "#"),
        let entity = HTMLEntity(in: bytes, at: index)
      {
        result.append(contentsOf: UTF8.encode(entity.scalar) ?? UTF8.encodedReplacementCharacter)
        index = entity.end
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}
