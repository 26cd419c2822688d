/// How many cells `text` takes on one line, as it is drawn; ends of lines count as blanks.
/// Complexity: O(length of the text); printable ASCII is only counted.
public func cellWidth(of text: String) -> Int {
  let bytes = text.utf8Span.span
  if isPrintableASCII(bytes) { return bytes.count }
  var reader = GlyphReader()
  var width = 0
  while let read = reader.next(in: bytes) { width += read.width }
  return width
}

/// The text on one line of at most `width` cells, in the form in which it is drawn; ends with `…` when it was cut.
/// Complexity: O(`width` + what is dropped from the text).
public func truncated(_ text: String, width: Int) -> String {
  let bytes = text.utf8Span.span
  if bytes.count <= width && isPrintableASCII(bytes) { return text }
  var reader = GlyphReader()
  var line: [Glyph] = []
  while let read = reader.next(in: bytes) {
    guard line.count + read.width <= width else { return String(line.cut(toWidth: width)) }
    line.append(read)
  }
  return String(line)
}

extension [Glyph] {
  /// The line with `…` where the rest is missing, in at most `width` cells; no blank stands before it.
  func cut(toWidth width: Int) -> [Glyph] {
    guard width > 0 else { return [] }
    var line = self
    while line.count >= width { line.removeLastGlyph() }
    line.removeTrailingBlanks()
    line.append(.ellipsis)
    return line
  }

  mutating func removeTrailingBlanks() {
    while last == .blank { removeLast() }
  }
}

private func isPrintableASCII(_ bytes: Span<UInt8>) -> Bool {
  // No early exit: so the loop is done for many bytes at a time.
  var foreign: UInt8 = 0
  for index in bytes.indices { foreign |= bytes[index] &- 0x20 > 0x5E ? 1 : 0 }
  return foreign == 0
}
