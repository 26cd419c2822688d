import FeedfallScreen

/// The layout of a frame that is not yet written completely: a head, parts, and a tail.
struct VideoFrame {
  private let parts: VideoParts
  private let head: Int
  private let byteCount: Int

  /// - Parameters:
  ///   - head: the number of bytes before the parts.
  ///   - tail: the number of bytes after the parts.
  init(_ parts: VideoParts, head: Int, tail: Int) {
    self.parts = parts
    self.head = head
    byteCount = head + parts.bytes.count + tail
  }

  /// The consequences of dropping unwritten bytes.
  struct Cut: Equatable {
    var droppedByteCount: Int
    /// Whether the head is written, so that the frame needs an end.
    var hasBegun: Bool
    /// Completes a sequence after its first parts.
    var ending: [UInt8] = []
    var lostRows: [VideoRow]
  }

  /// Returns where to cut the frame while `heldByteCount` bytes are unwritten: at the end of a part, so that no sequence
  /// is split. Nil if no part can be dropped.
  func cut(heldByteCount: Int) -> Cut? {
    let ends = parts.ends
    guard !ends.isEmpty else { return nil }
    let written = byteCount - heldByteCount
    if written <= 0 { return Cut(droppedByteCount: byteCount, hasBegun: false, lostRows: parts.rows) }
    let kept = written <= head ? 0 : ends.firstIndex { head + $0 >= written }.map { $0 + 1 } ?? ends.count
    guard kept < ends.count else { return nil }
    let end = head + (kept == 0 ? 0 : ends[kept - 1])
    return Cut(
      droppedByteCount: byteCount - end, hasBegun: true, ending: kept == 0 ? [] : parts.ending,
      lostRows: Array(parts.rows.dropFirst(kept)))
  }
}

/// The bytes of a frame, in parts between which it may be cut.
struct VideoParts {
  var bytes: [UInt8] = []
  /// The offset of each part's end in the bytes. Without parts, the frame must not be cut.
  var ends: [Int] = []
  /// The cells of each part; empty for an image.
  var rows: [VideoRow] = []
  /// Completes an image that is cut after its first parts.
  var ending: [UInt8] = []

  /// Appends bytes that belong to the last part.
  mutating func extend(by more: [UInt8]) {
    bytes += more
    if !ends.isEmpty { ends[ends.count - 1] = bytes.count }
  }
}

/// Cells of a row that a part of a frame paints.
struct VideoRow: Equatable {
  var y: Int
  var columns: Range<Int>
}
