extension Slice<UnsafeMutableBufferPointer<Cell>> {
  /// Fills the memory with a cell, four at a time, because the bytes of four cells are five vectors.
  func fill(with cell: Cell) {
    precondition(MemoryLayout<Cell>.stride == 20)
    guard var next = UnsafeMutableBufferPointer(rebasing: self).baseAddress else { return }
    let end = next + count
    let vectors = withUnsafeBytes(of: (cell, cell, cell, cell)) { four in
      func vector(_ index: Int) -> SIMD4<UInt32> { four.loadUnaligned(fromByteOffset: index * 16, as: SIMD4.self) }
      return (vector(0), vector(1), vector(2), vector(3), vector(4))
    }
    while next + 4 <= end {
      let target = UnsafeMutableRawPointer(next)
      target.storeBytes(of: vectors.0, as: SIMD4.self)
      target.storeBytes(of: vectors.1, toByteOffset: 16, as: SIMD4.self)
      target.storeBytes(of: vectors.2, toByteOffset: 32, as: SIMD4.self)
      target.storeBytes(of: vectors.3, toByteOffset: 48, as: SIMD4.self)
      target.storeBytes(of: vectors.4, toByteOffset: 64, as: SIMD4.self)
      next += 4
    }
    while next < end {
      next.pointee = cell
      next += 1
    }
  }
}

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
