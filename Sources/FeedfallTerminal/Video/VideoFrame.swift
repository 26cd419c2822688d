/// A frame of which the terminal has not taken all yet: its rows, and what stands before and after them.
struct VideoFrame {
  private let rows: [VideoStrokes.Row]
  private let head: Int
  private let byteCount: Int

  /// - Parameters:
  ///   - head: how many bytes stand before the rows.
  ///   - tail: how many stand after them.
  init(_ strokes: VideoStrokes, head: Int, tail: Int) {
    rows = strokes.rows
    self.head = head
    byteCount = head + strokes.bytes.count + tail
  }

  /// What it means to leave the rest out.
  struct Cut: Equatable {
    var droppedByteCount: Int
    /// Whether the terminal gets the frame's beginning.
    var hasBegun: Bool
    var lostRows: [VideoStrokes.Row]
  }

  /// Where to cut it while so many of its bytes are not written: at the end of a row, so that no sequence is cut in two.
  /// Nil where nothing is left to leave out.
  func cut(heldByteCount: Int) -> Cut? {
    let written = byteCount - heldByteCount
    if written == 0 { return Cut(droppedByteCount: byteCount, hasBegun: false, lostRows: rows) }
    let keptRows = written <= head ? 0 : rows.firstIndex { head + $0.end >= written }.map { $0 + 1 } ?? rows.count
    guard keptRows < rows.count else { return nil }
    let kept = head + (keptRows == 0 ? 0 : rows[keptRows - 1].end)
    return Cut(droppedByteCount: byteCount - kept, hasBegun: true, lostRows: Array(rows[keptRows...]))
  }
}
