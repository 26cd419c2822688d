extension Canvas: Equatable {
  /// Whether size, clip, pictures, the video and all cells are the same. Complexity: O(number of cells), as fast as memory is read.
  public static func == (one: Canvas, other: Canvas) -> Bool {
    one.size == other.size && one.clip == other.clip && one.isAtRest == other.isAtRest
      && one.pictures == other.pictures && one.reserved == other.reserved
      && haveSameBytes(one.cells.span, other.cells.span)
  }

  /// Whether a row looks the same in both canvases; not when either has no such row or they differ in width.
  public func rowIsEqual(_ y: Int, to other: Canvas) -> Bool { rowIsEqual(y, to: other, at: y) }

  /// Whether a row looks like a row of another canvas; not when either has no such row or they differ in width.
  func rowIsEqual(_ y: Int, to other: Canvas, at otherY: Int) -> Bool {
    guard hasRow(y), other.hasRow(otherY), size.width == other.size.width else { return false }
    return haveSameBytes(
      cells.span.extracting(y * size.width..<(y + 1) * size.width),
      other.cells.span.extracting(otherY * size.width..<(otherY + 1) * size.width))
  }

  /// The columns of a row that look different from `old`'s, from left to right; neither of the two canvases has a
  /// wide character cut by their edges. The whole row when `old` has no such row or another width.
  public func changedRuns(inRow y: Int, from old: Canvas) -> [Range<Int>] {
    guard hasRow(y), size.width > 0 else { return [] }
    guard old.hasRow(y), size.width == old.size.width else { return [0..<size.width] }
    if rowIsEqual(y, to: old) { return [] }
    var runs: [Range<Int>] = []
    var column = 0
    while column < size.width {
      let start = column
      while column < size.width && characterDiffers(x: column, y: y, from: old) { column += 1 }
      if start < column { runs.append(start..<column) }
      column += 1
    }
    return runs
  }

  private func hasRow(_ y: Int) -> Bool { y >= 0 && y < size.height }

  /// Whether a cell, or the other half of a wide character that it has in either canvas, is different.
  private func characterDiffers(x: Int, y: Int, from old: Canvas) -> Bool {
    func differs(_ x: Int) -> Bool { self[x, y] != old[x, y] }
    func isHalf(_ x: Int) -> Bool { self[x, y].glyph.isContinuation || old[x, y].glyph.isContinuation }
    return differs(x) || isHalf(x) && differs(x - 1) || x + 1 < size.width && isHalf(x + 1) && differs(x + 1)
  }
}

/// Compares cells as memory, which is right because none of their bytes is unused.
private func haveSameBytes(_ one: Span<Cell>, _ other: Span<Cell>) -> Bool {
  guard one.count == other.count else { return false }
  if one.isIdentical(to: other) { return true }
  let (one, other) = (one.bytes, other.bytes)
  var offset = 0
  // A block without an exit inside is compared many bytes at a time.
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
  // Any eight bytes are an integer, so these loads are unsafe in name only; the offset is checked.
  fileprivate func word(at offset: Int) -> UInt64 {
    unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
  fileprivate func byte(at offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
