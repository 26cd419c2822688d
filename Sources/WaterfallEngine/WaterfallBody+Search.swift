import Geometry

extension WaterfallBody {
  private func start(at place: Int) -> Int {
    chunks[place / Chunk.slotCount].base + Int(slots[place].start)
  }

  /// The row below the item at `place`, without the spacing.
  private func bottom(at place: Int) -> Int {
    chunks[place / Chunk.slotCount].base + Int(slots[place + 1].start) - lineSpacing
  }

  private func frame(at place: Int) -> Rect {
    let column = Int(chunks[place / Chunk.slotCount].lane)
    let top = start(at: place)
    return Rect(
      x: columns.x(of: column), y: top, width: columns.width(of: column), height: bottom(at: place) - top)
  }

  private func place(after place: Int) -> Int? {
    let lane = lanes[Int(chunks[place / Chunk.slotCount].lane)]
    guard place + 1 != lane.next else { return nil }
    guard Chunk.isEnd(place + 1) else { return place + 1 }
    return Int(lane.chunks[Int(chunks[place / Chunk.slotCount].ordinal) + 1]) * Chunk.slotCount
  }

  private func place(before place: Int) -> Int? {
    guard place % Chunk.slotCount == 0 else { return place - 1 }
    let chunk = chunks[place / Chunk.slotCount]
    guard chunk.ordinal > 0 else { return nil }
    return Int(lanes[Int(chunk.lane)].chunks[Int(chunk.ordinal) - 1]) * Chunk.slotCount + Chunk.itemCount - 1
  }

  /// The place of the last item of a used lane that starts at or above `row`; the first item if none does.
  /// O(log items).
  private func lastPlace(inLane lane: Int, startingAtOrAbove row: Int) -> Int {
    let numbers = lanes[lane].chunks
    var low = 0
    var high = numbers.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if chunks[Int(numbers[middle])].base <= row { low = middle } else { high = middle }
    }
    let first = Int(numbers[low]) * Chunk.slotCount
    let relative = row - chunks[Int(numbers[low])].base
    var place = first
    var end = low == numbers.count - 1 ? lanes[lane].next : first + Chunk.itemCount
    while end - place > 1 {
      let middle = (place + end) / 2
      if Int(slots[middle].start) <= relative { place = middle } else { end = middle }
    }
    return place
  }
}

extension WaterfallBody {
  /// O(1).
  func frame(of item: Int) -> Rect { frame(at: Int(places[item])) }

  /// O(columns × log items + found × log columns).
  func collect(in rect: Rect, section: Int, top: Int, into found: inout [LayoutAttributes]) {
    let low = rect.minY - top
    let high = rect.maxY - top
    guard low < height, high > 0 else { return }
    var heads = Tournament(count: lanes.count)
    for lane in 0..<usedColumnCount where touches(lane, rect) {
      guard let place = firstPlace(inLane: lane, endingBelow: low), start(at: place) < high else { continue }
      heads.replace(lane, with: key(place))
    }
    while heads.smallest != .max {
      let place = heads.smallest & Int(UInt32.max)
      let item = heads.smallest >> 32
      found.append(
        LayoutAttributes(
          kind: .item, path: ElementPath(section: section, item: item),
          frame: frame(at: place).offsetBy(x: 0, y: top)))
      let next = self.place(after: place)
      let head = next.flatMap { start(at: $0) < high ? key($0) : nil }
      heads.replace(Int(chunks[place / Chunk.slotCount].lane), with: head ?? .max)
    }
  }

  private func touches(_ lane: Int, _ rect: Rect) -> Bool {
    let x = columns.x(of: lane)
    return max(x, rect.minX) < min(x + columns.width(of: lane), rect.maxX)
  }

  /// Sorts by item and knows the place.
  private func key(_ place: Int) -> Int { Int(slots[place].item) << 32 | place }

  private func firstPlace(inLane lane: Int, endingBelow row: Int) -> Int? {
    let place = lastPlace(inLane: lane, startingAtOrAbove: row)
    return bottom(at: place) > row ? place : self.place(after: place)
  }
}

extension WaterfallBody {
  func column(of item: Int) -> Int { Int(chunks[Int(places[item]) / Chunk.slotCount].lane) }

  func item(above item: Int) -> Int? {
    place(before: Int(places[item])).map { Int(slots[$0].item) }
  }

  func item(below item: Int) -> Int? {
    place(after: Int(places[item])).map { Int(slots[$0].item) }
  }

  /// O(log items).
  func item(inColumn column: Int, nearestTo row: Int) -> Int {
    let place = lastPlace(inLane: column, startingAtOrAbove: row)
    guard let next = self.place(after: place) else { return Int(slots[place].item) }
    let distance = row - (bottom(at: place) - 1)
    return Int(slots[distance > start(at: next) - row ? next : place].item)
  }
}
