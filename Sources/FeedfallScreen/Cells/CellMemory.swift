/// Compares cells as memory, which is correct because cells have no unused bytes.
func haveSameBytes(_ one: Span<Cell>, _ other: Span<Cell>) -> Bool {
  guard one.count == other.count else { return false }
  if one.isIdentical(to: other) { return true }
  let (one, other) = (one.bytes, other.bytes)
  var offset = 0
  // Without an early exit inside the block, many bytes are compared at a time.
  while offset + 128 <= one.byteCount {
    var difference: UInt64 = 0
    for step in 0..<16 { difference |= one.word(at: offset + step * 8) ^ other.word(at: offset + step * 8) }
    if difference != 0 { return false }
    offset += 128
  }
  while offset < one.byteCount {
    if one.byte(at: offset) != other.byte(at: offset) { return false }
    offset += 1
  }
  return true
}

extension RawSpan {
  // Any eight bytes are an integer and the offset is checked, so these loads are safe.
  func word(at offset: Int) -> UInt64 {
    unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
  func byte(at offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
