/// Returns a text for comparison, in UTF-8: without case, diacritics and vowel points, with ligatures, full-width and
/// half-width forms replaced by their letters, and digits by those of ASCII. `Café` and `CAFE` become `cafe`, `Æther`
/// becomes `aether`, and Katakana becomes Hiragana. Typographic quotation marks and dashes become those of ASCII, and line
/// breaks become blanks. Composed and decomposed letters are equal. O(n).
public func folded(_ text: some StringProtocol) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.appendFolded(String(text))
  return bytes
}

extension [UInt8] {
  mutating func appendFolded(_ text: String) {
    var text = text
    let isASCII = text.utf8Span.isKnownASCII
    let textStart = count
    text.withUTF8 { source in
      var index = 0
      while index < source.count {
        let runEnd = isASCII ? source.count : source[index...].firstIndex { $0 >= 0x80 } ?? source.count
        appendFoldedASCII(UnsafeBufferPointer(rebasing: source[index..<runEnd]))
        index = runEnd
        if index < source.count { index = appendFoldedScalars(source, from: index, textStart) }
      }
    }
  }

  private mutating func appendFoldedASCII(_ source: UnsafeBufferPointer<UInt8>) {
    let start = count
    append(contentsOf: source)
    // In place, because the compiler vectorizes this loop.
    withUnsafeMutableBufferPointer { bytes in
      for index in start..<bytes.count { bytes[index] = Self.foldedASCII(bytes[index]) }
    }
  }

  static func foldedASCII(_ byte: UInt8) -> UInt8 {
    let lower = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    return byte == 0x0A || byte == 0x0D || byte == 0x09 ? UInt8(ascii: " ") : lower
  }

  /// Stops at the next scalar of ASCII, whose index it returns. The text's folded form begins at `textStart`.
  private mutating func appendFoldedScalars(
    _ source: UnsafeBufferPointer<UInt8>, from start: Int, _ textStart: Int
  ) -> Int {
    let table = FoldingTable.shared
    var (index, unchangedStart) = (start, start)
    while index < source.count, source[index] >= 0x80 {
      let value = source.scalar(at: index)
      let end = index + (source[index] < 0xE0 ? 2 : source[index] < 0xF0 ? 3 : 4)
      let text = table[value]
      let joins = FoldingTable.joins(value)
      if text != nil || joins {
        append(contentsOf: UnsafeBufferPointer(rebasing: source[unchangedStart..<index]))
        unchangedStart = index
        if joins, joinLast(with: value, textStart) {
          unchangedStart = end
        } else if let text {
          append(contentsOf: text)
          unchangedStart = end
        }
      }
      index = end
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: source[unchangedStart..<index]))
    return index
  }

  private mutating func joinLast(with joiner: UInt32, _ textStart: Int) -> Bool {
    // Each scalar that has a composed form has three bytes.
    guard count >= textStart + 3 else { return false }
    let last = withUnsafeBufferPointer { $0.scalar(at: count - 3) }
    guard self[count - 3] & 0xF0 == 0xE0, let composed = FoldingTable.composed(last, joiner) else { return false }
    self[count - 3] = 0xE0 | UInt8(composed >> 12)
    self[count - 2] = 0x80 | UInt8(composed >> 6 & 0x3F)
    self[count - 1] = 0x80 | UInt8(composed & 0x3F)
    return true
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The scalar beyond ASCII that begins at an index of valid UTF-8.
  fileprivate func scalar(at index: Int) -> UInt32 {
    func bits(_ offset: Int) -> UInt32 { UInt32(self[index + offset] & 0x3F) }
    let first = UInt32(self[index])
    if first < 0xE0 { return (first & 0x1F) << 6 | bits(1) }
    if first < 0xF0 { return (first & 0x0F) << 12 | bits(1) << 6 | bits(2) }
    return (first & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3)
  }
}

extension [UInt8] {
  func contains(_ needle: [UInt8], in range: Range<Int>) -> Bool {
    withUnsafeBufferPointer { $0.contains(needle, in: range) }
  }
}

extension String {
  /// Many times as fast as finding characters.
  func contains(_ needle: [UInt8]) -> Bool {
    var text = self
    return text.withUTF8 { $0.contains(needle, in: 0..<$0.count) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// - Complexity: O(n · m) in the worst case; usually the first or the last byte rejects a position.
  fileprivate func contains(_ needle: [UInt8], in range: Range<Int>) -> Bool {
    guard let first = needle.first, let last = needle.last else { return true }
    let lastOffset = needle.count - 1
    var position = range.lowerBound
    while position <= range.upperBound - needle.count {
      if self[position] == first, self[position + lastOffset] == last, has(needle, at: position) { return true }
      position += 1
    }
    return false
  }

  private func has(_ needle: [UInt8], at position: Int) -> Bool {
    var index = 0
    while index < needle.count, self[position + index] == needle[index] { index += 1 }
    return index == needle.count
  }
}
