import Geometry

/// The next item of a lane that a query finds.
private struct QueryCursor {
  var place = 0
  var ordinal = 0
  var base = 0
  var x = 0
  var width = 0
  /// Sorts by item and knows the lane; `Int.max` when the lane has no more items.
  var key = Int.max
}

extension WaterfallBody {
  /// O(columns × log items + found × log columns).
  func collect(in rect: Rect, section: Int, top: Int, into found: inout [LayoutAttributes]) {
    let rows = rect.minY - top..<rect.maxY - top
    guard itemCount > 0, rows.lowerBound < height, rows.upperBound > 0 else { return }
    if found.isEmpty { found.reserveCapacity(expectedCount(in: rows)) }
    var cursors = ContiguousArray(repeating: QueryCursor(), count: usedColumnCount)
    for lane in cursors.indices { cursors[lane] = cursor(ofLane: lane, rect, rows) }
    func key(_ lane: Int) -> Int { lane < cursors.count ? cursors[lane].key : .max }
    switch cursors.count {
    case ...4:
      merge(&cursors, SortedKeys<4>(key), section: section, top: top, end: rows.upperBound, into: &found)
    case ...8:
      merge(&cursors, SortedKeys<8>(key), section: section, top: top, end: rows.upperBound, into: &found)
    default:
      let keys = Tournament(count: cursors.count, key)
      merge(&cursors, keys, section: section, top: top, end: rows.upperBound, into: &found)
    }
  }

  /// Adds what the cursors find, by item.
  private func merge(
    _ allCursors: inout ContiguousArray<QueryCursor>, _ allKeys: some SmallestKey, section: Int, top: Int,
    end: Int, into found: inout [LayoutAttributes]
  ) {
    var keys = allKeys
    var cursors = allCursors.mutableSpan
    let slots = slots.span
    while keys.smallest != .max {
      let lane = keys.smallest & Tournament.numberMask
      let cursor = cursors[lane]
      let start = cursor.base + Int(slots[cursor.place].start)
      let next = cursor.base + Int(slots[cursor.place + 1].start)
      let path = ElementPath(section: section, item: keys.smallest >> Tournament.numberBits)
      let frame = Rect(x: cursor.x, y: top + start, width: cursor.width, height: next - start - lineSpacing)
      found.append(LayoutAttributes(kind: .item, path: path, frame: frame))
      if next < end { advance(&cursors[lane], lane) } else { cursors[lane].key = .max }
      keys.replaceSmallest(with: cursors[lane].key)
    }
  }

  private func cursor(ofLane lane: Int, _ rect: Rect, _ rows: Range<Int>) -> QueryCursor {
    let x = columns.x(of: lane)
    let width = columns.width(of: lane)
    guard max(x, rect.minX) < min(x + width, rect.maxX),
      let first = firstItem(inLane: lane, endingBelow: rows.lowerBound)
    else { return QueryCursor() }
    let base = index.lanes[lane][first.ordinal].base
    guard base + Int(slots[first.place].start) < rows.upperBound else { return QueryCursor() }
    return QueryCursor(
      place: first.place, ordinal: first.ordinal, base: base, x: x, width: width, key: key(first.place, lane))
  }

  private func advance(_ cursor: inout QueryCursor, _ lane: Int) {
    cursor.place += 1
    guard cursor.place != Int(nextPlaces[lane]) else {
      cursor.key = .max
      return
    }
    if Chunk.isEnd(cursor.place) {
      cursor.ordinal += 1
      let chunk = index.lanes[lane][cursor.ordinal]
      cursor.place = chunk.firstPlace
      cursor.base = chunk.base
    }
    cursor.key = key(cursor.place, lane)
  }

  private func key(_ place: Int, _ lane: Int) -> Int {
    Int(slots[place].item) << Tournament.numberBits | lane
  }

  /// How many items lie between two rows if all are equally high.
  private func expectedCount(in rows: Range<Int>) -> Int {
    let visible = min(rows.upperBound, height) - max(rows.lowerBound, 0)
    let expected = Double(itemCount) * Double(visible) / Double(height)
    return min(itemCount, Int(expected * 1.25) + 2 * columns.count)
  }
}
