/// Turns bytes into characters one by one; what is not UTF-8 is dropped.
struct UTF8Decoder: Equatable, Sendable {
  private var bytes: [UInt8] = []
  private var length = 0

  /// Whether the beginning of a character waits for its end.
  var isPending: Bool { !bytes.isEmpty }

  mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// The character that this byte completes; nil when more is needed or the byte is wrong.
  mutating func decode(_ byte: UInt8) -> Unicode.Scalar? {
    if byte < 0x80 {
      reset()
      return Unicode.Scalar(byte)
    }
    if byte >= 0xC0 {
      reset()
      length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      if byte < 0xF8 { bytes.append(byte) }
      return nil
    }
    guard isPending else { return nil }
    bytes.append(byte)
    guard bytes.count == length else { return nil }
    defer { reset() }
    // The library knows overlong forms, surrogates and values that are too large.
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.unicodeScalars.first
  }
}
