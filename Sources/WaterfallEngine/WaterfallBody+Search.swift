import Geometry

extension WaterfallBody {
  /// O(1).
  func frame(of item: Int) -> Rect {
    let place = Int(places[item])
    let owner = index.owner(of: place)
    let chunk = index.lanes[Int(owner.lane)][Int(owner.ordinal)]
    let start = Int(slots[place].start)
    let height = Int(slots[place + 1].start) - start - lineSpacing
    let column = Int(owner.lane)
    return Rect(
      x: columns.x(of: column), y: chunk.base + start, width: columns.width(of: column), height: height)
  }

  /// The first of the lane's items that ends below `row`, as a place and its chunk's number; nil if none does.
  /// O(log items).
  func firstItem(inLane lane: Int, endingBelow row: Int) -> (place: Int, ordinal: Int)? {
    // Whatever lies before the last item that starts at or above the row ends above it.
    let last = lastItem(inLane: lane, startingAtOrAbove: row)
    let base = index.lanes[lane][last.ordinal].base
    guard base + Int(slots[last.place + 1].start) - lineSpacing <= row else { return last }
    return item(after: last, inLane: lane)
  }

  /// The last of a used lane's items that starts at or above `row`; the first one if none does. O(log items).
  private func lastItem(inLane lane: Int, startingAtOrAbove row: Int) -> (place: Int, ordinal: Int) {
    let ordinal = index.lastChunk(of: lane, startingAtOrAbove: row, end: end(of: lane))
    let chunk = index.lanes[lane][ordinal]
    let end =
      ordinal == index.lanes[lane].count - 1 ? Int(nextPlaces[lane]) : chunk.firstPlace + Chunk.itemCount
    let relative = row - chunk.base
    var place = chunk.firstPlace
    // Always the same five steps, without branches: halving until the items meet would be guessed wrong half the time.
    var step = Chunk.slotCount / 2
    while step > 0 {
      let probe = place + step
      place = Int(slots[probe].start) <= relative ? probe : place
      step /= 2
    }
    return (min(place, end - 1), ordinal)
  }

  func item(
    after item: (place: Int, ordinal: Int), inLane lane: Int
  ) -> (place: Int, ordinal: Int)? {
    let next = item.place + 1
    guard next != Int(nextPlaces[lane]) else { return nil }
    guard Chunk.isEnd(next) else { return (next, item.ordinal) }
    return (index.lanes[lane][item.ordinal + 1].firstPlace, item.ordinal + 1)
  }
}

extension WaterfallBody {
  func column(of item: Int) -> Int { Int(index.owner(of: Int(places[item])).lane) }

  func item(above item: Int) -> Int? {
    let place = Int(places[item])
    guard place % Chunk.slotCount == 0 else { return Int(slots[place - 1].item) }
    let owner = index.owner(of: place)
    guard owner.ordinal > 0 else { return nil }
    let chunk = index.lanes[Int(owner.lane)][Int(owner.ordinal) - 1]
    return Int(slots[chunk.firstPlace + Chunk.itemCount - 1].item)
  }

  func item(below item: Int) -> Int? {
    let place = Int(places[item])
    let owner = index.owner(of: place)
    return self.item(after: (place, Int(owner.ordinal)), inLane: Int(owner.lane)).map {
      Int(slots[$0.place].item)
    }
  }

  /// O(log items).
  func item(inColumn column: Int, nearestTo row: Int) -> Int {
    let found = lastItem(inLane: column, startingAtOrAbove: row)
    let nextStart = index.lanes[column][found.ordinal].base + Int(slots[found.place + 1].start)
    let isNextNearer = row - (nextStart - lineSpacing - 1) > nextStart - row
    guard isNextNearer, let next = item(after: found, inLane: column) else {
      return Int(slots[found.place].item)
    }
    return Int(slots[next.place].item)
  }
}
