/// A column while a query reads block after block.
private struct LaneCursor {
  /// The next block that may hold what is searched; `Int.max` when there is none.
  var block = Int.max
  /// Where the column's next item starts; below all that is searched when the block is another one's.
  var end = LaneCursor.idle
  var x = 0
  var width = 0

  static let idle = 1 << 61
}

extension LaneBody {
  /// Reads the blocks that hold items of the rows, of every column those that lie near its rows: a block that one
  /// column needs says nothing about the others, however high an item is. O(columns × log items + found × block).
  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    let rows = area.rows
    guard height > 0, rows.lowerBound < height, rows.upperBound > 0 else { return }
    if found.isEmpty { found.reserveCapacity(expectedCount(in: rows)) }
    var cursors = cursors(in: area, rows)
    var block = cursors.reduce(Int.max) { min($0, $1.block) }
    while block < blockCount {
      found.append(addingCapacity: blockSize) { read(block, &cursors, area, rows, into: &$0) }
      block = advance(&cursors, from: block, end: rows.upperBound)
    }
  }

  private func cursors(in area: SearchArea, _ rows: Range<Int>) -> ContiguousArray<LaneCursor> {
    var cursors = ContiguousArray(repeating: LaneCursor(), count: columns.count)
    // What starts so far above has ended, with its gap.
    let row = rows.lowerBound + lineSpacing
    var guess: Int?
    for column in cursors.indices {
      let x = columns.x(of: column)
      let width = columns.width(of: column)
      cursors[column].x = x
      cursors[column].width = width
      guard max(x, area.rect.minX) < min(x + width, area.rect.maxX) else { continue }
      let near = guess ?? guessedBlock(of: column, at: rows.lowerBound)
      let block = lastBlock(of: column, startingAtOrAbove: row, near: near)
      cursors[column].block = block
      guess = block
    }
    return cursors
  }

  private func read(
    _ block: Int, _ allCursors: inout ContiguousArray<LaneCursor>, _ area: SearchArea, _ rows: Range<Int>,
    into found: inout OutputSpan<LayoutAttributes>
  ) {
    var cursors = allCursors.mutableSpan
    for column in cursors.indices {
      cursors[column].end =
        cursors[column].block == block ? starts[block * columns.count + column] : LaneCursor.idle
    }
    let first = block << blockBits
    let words = words.span.extracting(first..<min(first + blockSize, itemCount))
    for number in words.indices {
      // Every word's column is one of the columns.
      let word = words[unchecked: number]
      let column = word.column
      let start = cursors[unchecked: column].end
      let end = start &+ word.height
      cursors[unchecked: column].end = end &+ lineSpacing
      guard max(start, rows.lowerBound) < min(end, rows.upperBound) else { continue }
      let frame = Rect(
        x: cursors[unchecked: column].x, y: start &+ area.top, width: cursors[unchecked: column].width,
        height: word.height)
      let path = ElementPath(section: area.section, item: first &+ number)
      found.append(LayoutAttributes(kind: .item, path: path, frame: frame))
    }
  }

  /// Answers the next block that a column needs.
  private func advance(_ allCursors: inout ContiguousArray<LaneCursor>, from block: Int, end: Int) -> Int {
    var cursors = allCursors.mutableSpan
    var nearest = Int.max
    for column in cursors.indices {
      if cursors[column].block == block {
        if cursors[column].end >= end || block + 1 >= blockCount {
          cursors[column].block = .max
        } else if cursors[column].end == starts[block * columns.count + column] {
          cursors[column].block = self.block(from: block + 1, inWhichGrows: column)
        } else {
          cursors[column].block = block + 1
        }
      }
      nearest = min(nearest, cursors[column].block)
    }
    return nearest
  }

  /// How many items lie between two rows if all are equally high.
  private func expectedCount(in rows: Range<Int>) -> Int {
    let visible = min(rows.upperBound, height) - max(rows.lowerBound, 0)
    let expected = Double(itemCount) * Double(visible) / Double(height)
    return min(itemCount, Int(expected * 1.25)) + blockSize
  }
}
