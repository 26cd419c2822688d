import FeedfallScreen

/// The layout of a frame that is not yet written completely: a head, parts, and a tail.
struct VideoFrame {
  private var ends: [Int]
  private var rows: [VideoRow]
  private let ending: [UInt8]
  private let isInterruptible: Bool
  private var head: Int
  private var byteCount: Int
  /// Whether its first parts were written before other bytes, so that it needs its ending even if the rest is dropped.
  private var isContinued = false

  /// - Parameters:
  ///   - head: the number of bytes before the parts.
  ///   - tail: the number of bytes after the parts.
  init(_ parts: OutputParts, head: Int, tail: Int) {
    (ends, rows, ending) = (parts.ends, parts.rows, parts.ending)
    isInterruptible = parts.isInterruptible
    self.head = head
    byteCount = head + parts.bytes.count + tail
  }

  /// The consequences of dropping unwritten bytes.
  struct Cut: Equatable {
    var droppedByteCount: Int
    /// Whether the head is or will be written, so that the frame needs an end.
    var hasBegun: Bool
    /// Completes a sequence after its first parts.
    var ending: [UInt8] = []
    var lostRows: [VideoRow]
  }

  /// Returns where to cut the frame while `heldByteCount` bytes are unwritten: at the end of a part, so that no sequence
  /// is split. Nil if no part can be dropped.
  func cut(heldByteCount: Int) -> Cut? {
    guard !ends.isEmpty else { return nil }
    let written = byteCount - heldByteCount
    if written <= 0, !isContinued { return Cut(droppedByteCount: byteCount, hasBegun: false, lostRows: rows) }
    let kept = keptCount(written)
    guard kept < ends.count else { return nil }
    return Cut(
      droppedByteCount: byteCount - head - start(of: kept), hasBegun: true,
      ending: kept == 0 && !isContinued ? [] : ending, lostRows: Array(rows.dropFirst(kept)))
  }

  /// The number of parts that have begun once `written` bytes are written.
  private func keptCount(_ written: Int) -> Int {
    written <= head ? 0 : ends.firstIndex { head + $0 >= written }.map { $0 + 1 } ?? ends.count
  }

  /// The offset of a part in the bytes of the parts.
  private func start(of part: Int) -> Int { part == 0 ? 0 : ends[part - 1] }

  /// Drops the parts that have begun while `heldByteCount` bytes are unwritten; other bytes follow them. The
  /// rest begins with a head of `newHead` bytes, unless nothing is written. Returns the number of bytes that follow that
  /// head, and whether the head is needed; nil if there is no part to write after the other bytes.
  mutating func interrupt(heldByteCount: Int, newHead: Int) -> (byteCount: Int, needsHead: Bool)? {
    guard isInterruptible, !ends.isEmpty else { return nil }
    let written = byteCount - heldByteCount
    guard written > 0 else { return (byteCount, false) }
    let kept = keptCount(written)
    guard kept < ends.count else { return nil }
    let start = start(of: kept)
    let rest = byteCount - head - start
    ends = ends[kept...].map { $0 - start }
    (head, byteCount) = (newHead, newHead + rest)
    isContinued = isContinued || kept > 0
    return (rest, true)
  }
}

/// The bytes of a frame or a picture, in parts between which it may be cut.
struct OutputParts {
  var bytes: [UInt8] = []
  /// The offset of each part's end in the bytes. Without parts, the frame must not be cut.
  var ends: [Int] = []
  /// The cells of each part; empty for an image.
  var rows: [VideoRow] = []
  /// Completes an image that is cut after its first parts.
  var ending: [UInt8] = []
  /// Whether other bytes may be written between the parts, if they have no graphics.
  var isInterruptible = false

  /// Inserts bytes that belong to the first part.
  mutating func prepend(_ more: [UInt8]) {
    bytes = more + bytes
    for index in ends.indices { ends[index] += more.count }
  }

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
