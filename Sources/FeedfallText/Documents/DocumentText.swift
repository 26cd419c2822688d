/// Detects the encoding of documents and converts them to UTF-8.
package enum DocumentText {
  /// Of a document that is not JSON, without its byte order mark. That mark decides, then the byte patterns of UTF-16,
  /// UTF-32 and UTF-8, because declarations are often wrong. Next come `charset`, which the server sent, and the
  /// declaration in the document. Otherwise the text is UTF-8 with errors or windows-1252, whichever fits better.
  package static func utf8Bytes(_ bytes: [UInt8], charset: String? = nil) -> [UInt8] {
    if let (encoding, markLength) = TextEncoding.detected(in: bytes) {
      return encoding.utf8Bytes(of: bytes[markLength...]) ?? bytes
    }
    let census = TextEncoding.UTF8Repair.census(bytes[...])
    let isASCII = census.characters == 0 && census.strays == 0
    if census.strays == 0, !isASCII { return bytes }
    let declared = [charset, declaration(bytes)].compactMap { $0.flatMap(TextEncoding.init(name:)) }
    if isASCII {
      guard let encoding = declared.first(where: \.isSevenBit), mayBeSevenBit(bytes) else { return bytes }
      return encoding.utf8Bytes(of: bytes[...]) ?? bytes
    }
    // In other encodings, characters rarely look like UTF-8, and never most of them.
    if census.characters >= census.strays * 4 { return TextEncoding.UTF8Repair.repaired(bytes[...]) }
    for encoding in declared where encoding != .utf8 {
      if let text = encoding.utf8Bytes(of: bytes[...]) { return text }
    }
    return census.characters >= census.strays
      ? TextEncoding.UTF8Repair.repaired(bytes[...]) : TextEncoding.Windows1252.utf8Bytes(of: bytes[...])
  }

  /// Whether a byte begins other characters: the escape and the shift of ISO-2022, or the tilde of HZ.
  private static func mayBeSevenBit(_ bytes: [UInt8]) -> Bool {
    [0x1B, 0x0E, UInt8(ascii: "~")].contains { bytes.firstIndex(of: $0, in: bytes.indices) != nil }
  }

  private static func declaration(_ bytes: [UInt8]) -> String? {
    let start = Array(bytes.prefix(1_024))
    var index = 0
    while let open = start.firstIndex(of: UInt8(ascii: "<"), in: index..<start.count) {
      let rest = start[open...]
      index = open + 1
      if rest.starts(with: "<!--".utf8) {
        index = start.firstIndex(of: "-->", from: open) ?? start.count
      } else if rest.starts(with: "<?xml".utf8), let name = value(of: "encoding", in: start, from: open) {
        return name
      } else if rest.prefix(5).map(\.lowercased).elementsEqual("<meta".utf8),
        let name = value(of: "charset", in: start, from: open)
      {
        return name
      }
    }
    return nil
  }

  private static func value(of word: String, in start: [UInt8], from open: Int) -> String? {
    let tag = start[open...].prefix { $0 != UInt8(ascii: ">") }
    guard let found = Array(tag).firstIndex(of: word, from: 0) else { return nil }
    let value = tag.dropFirst(found + word.utf8.count).drop { " \t\r\n=\"'".utf8.contains($0) }
    let name = value.prefix { $0.isASCIILetter || $0.isASCIIDigit || "-_.:".utf8.contains($0) }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  /// Whether the `charset` of an answer is an encoding that cannot be detected from the bytes.
  package static func isForeign(_ charset: String?) -> Bool {
    charset.flatMap(TextEncoding.init(name:)).map { $0 != .utf8 } ?? false
  }

  /// The `charset` parameter of a content type (RFC 9110, 8.3.2).
  package static func charset(in contentType: String) -> String? {
    for part in contentType.split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
      if pair.count == 2, pair[0].lowercased() == "charset" { return pair[1] }
    }
    return nil
  }

  /// The first byte that is neither white space nor a byte order mark nor the mark of a text in a sequence (RFC 7464).
  package static func firstMark(_ body: [UInt8]) -> UInt8? {
    body.dropFirst(body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).first { !$0.isJSONWhiteSpace && $0 != 0x1E }
  }
}

/// The work that decoding a document may cost, so that a hostile one cannot occupy its thread. It is counted, never
/// timed. Both limits grow with the document, so that the whole work is linear in its size.
package struct WorkBudget: Equatable, Sendable {
  /// The count of elements, unmatched end tags, items and values.
  package private(set) var nodeCount = 0
  /// The count of bytes that were compared or copied in addition to reading the document once.
  package private(set) var byteCount = 0
  package var documentByteCount: Int

  /// Small documents may consist of nodes alone.
  private static let freeNodeCount = 1_000_000
  /// In real documents a node has at least this many bytes on average.
  private static let bytesPerNode = 32
  private static let freeByteCount = 16 << 20
  private static let bytesPerByte = 16

  package init(documentByteCount: Int = 0) { self.documentByteCount = documentByteCount }

  @inline(__always)
  package mutating func spend(nodes: Int = 0, bytes: Int = 0) {
    nodeCount += nodes
    byteCount += bytes
  }

  package var isExceeded: Bool {
    nodeCount > Self.freeNodeCount + documentByteCount / Self.bytesPerNode
      || byteCount > Self.freeByteCount + documentByteCount * Self.bytesPerByte
  }
}
