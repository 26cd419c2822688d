/// The layout of a frame that is not yet written completely: a head, rows, and a tail.
struct VideoFrame {
  private let rows: [VideoStrokes.Row]
  private let head: Int
  private let byteCount: Int

  /// - Parameters:
  ///   - head: the number of bytes before the rows.
  ///   - tail: the number of bytes after the rows.
  init(_ strokes: VideoStrokes, head: Int, tail: Int) {
    rows = strokes.rows
    self.head = head
    byteCount = head + strokes.bytes.count + tail
  }

  /// The consequences of dropping unwritten bytes.
  struct Cut: Equatable {
    var droppedByteCount: Int
    /// Whether the head is written, so that the frame needs an end.
    var hasBegun: Bool
    var lostRows: [VideoStrokes.Row]
  }

  /// Returns where to cut the frame while `heldByteCount` bytes are unwritten: at the end of a row, so that no sequence
  /// is split. Nil if no row can be dropped.
  func cut(heldByteCount: Int) -> Cut? {
    guard !rows.isEmpty else { return nil }
    let written = byteCount - heldByteCount
    if written == 0 { return Cut(droppedByteCount: byteCount, hasBegun: false, lostRows: rows) }
    let keptRows = written <= head ? 0 : rows.firstIndex { head + $0.end >= written }.map { $0 + 1 } ?? rows.count
    guard keptRows < rows.count else { return nil }
    let kept = head + (keptRows == 0 ? 0 : rows[keptRows - 1].end)
    return Cut(droppedByteCount: byteCount - kept, hasBegun: true, lostRows: Array(rows[keptRows...]))
  }
}
