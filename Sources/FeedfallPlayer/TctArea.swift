import WaterfallEngine

/// Which cells of its frame a picture has covered so far.
struct TctArea: Equatable {
  private var left = Int.max
  private var top = Int.max
  private var right = 0
  private var bottom = 0
  private var cellCount = 0

  var columns: Range<Int> { min(left, right)..<right }
  var rows: Range<Int> { min(top, bottom)..<bottom }

  @inline(__always)
  mutating func take(_ x: Int, _ y: Int) {
    left = min(left, x)
    top = min(top, y)
    right = max(right, x &+ 1)
    bottom = max(bottom, y &+ 1)
    cellCount &+= 1
  }

  /// Whether each of its cells was painted once, as in a picture of which nothing was lost.
  var isWhole: Bool { cellCount > 0 && cellCount == columns.count * rows.count }

  /// Whether mpv would put it there in a frame of this size. While that changes, pictures of the old one still come.
  func isCentred(in size: Size) -> Bool {
    (0...1).contains(size.width - columns.lowerBound * 2 - columns.count)
      && (0...1).contains(size.height - rows.lowerBound * 2 - rows.count)
  }
}
