/// Under which columns new items go.
extension LaneBody {
  /// O(number of heights × log columns + columns).
  mutating func append(_ heights: [Int]) {
    words.growReserve(for: heights.count)
    starts.growReserve(for: ((itemCount + heights.count) >> blockBits + 1 - blockCount) * columns.count)
    let first = itemCount
    switch (order, columns.count) {
    case (.shortest, 1): dealToOne(heights.span)
    case (.shortest, ...4): deal(heights.span, SortedKeys<4>(key))
    case (.shortest, ...8): deal(heights.span, SortedKeys<8>(key))
    case (.shortest, _): deal(heights.span, Tournament(count: columns.count, key))
    case (.leftToRight, _): dealStrictly(heights.span, step: 1)
    case (.rightToLeft, _): dealStrictly(heights.span, step: -1)
    case (.tolerance(let tolerance), ...4): deal(heights.span, TolerantColumns<4>(ends, tolerance, after: lastColumn))
    case (.tolerance(let tolerance), ...8): deal(heights.span, TolerantColumns<8>(ends, tolerance, after: lastColumn))
    case (.tolerance(let tolerance), _): deal(heights.span, tolerance: tolerance)
    }
    noteItems(from: first)
  }

  private func key(_ column: Int) -> Int {
    column < columns.count ? ends[column] << Tournament.numberBits | column : .max
  }

  /// Calls `body` with portions that end where blocks end, after the block's starts were stored.
  @inline(__always)
  private mutating func forEachBlock(
    of heights: Span<Int>, _ body: (inout LaneBody, Span<Int>) -> Void
  ) {
    var first = 0
    while first < heights.count {
      let used = itemCount & (blockSize - 1)
      if used == 0 { starts.append(contentsOf: ends) }
      let last = min(first + blockSize - used, heights.count)
      body(&self, heights.extracting(first..<last))
      first = last
    }
  }

  @inline(__always)
  private mutating func deal(_ heights: Span<Int>, _ keys: some SmallestKey) {
    var keys = keys
    let spacing = lineSpacing << Tournament.numberBits
    forEachBlock(of: heights) { body, heights in
      body.words.append(addingCapacity: heights.count) { words in
        var next = keys
        for number in heights.indices {
          let end = next.smallest
          let height = heights[number] << Tournament.numberBits
          words.append(ItemWord(bits: UInt32(truncatingIfNeeded: height | end & Tournament.numberMask)))
          next.replaceSmallest(with: end &+ height &+ spacing)
        }
        keys = next
      }
      keys.visitKeys { body.ends[$0 & Tournament.numberMask] = $0 >> Tournament.numberBits }
    }
  }

  private mutating func dealToOne(_ heights: Span<Int>) {
    let spacing = lineSpacing
    forEachBlock(of: heights) { body, heights in
      var end = body.ends[0]
      body.words.append(addingCapacity: heights.count) { words in
        for number in heights.indices {
          words.append(ItemWord(height: heights[number], column: 0))
          end &+= heights[number] &+ spacing
        }
      }
      body.ends[0] = end
    }
  }

  private mutating func dealStrictly(_ heights: Span<Int>, step: Int) {
    let count = columns.count
    var column = lastColumn.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
    forEachBlock(of: heights) { body, heights in
      for number in heights.indices {
        body.words.append(ItemWord(height: heights[number], column: column))
        body.ends[column] += heights[number] + body.lineSpacing
        column += step
        if column == count { column = 0 } else if column < 0 { column = count - 1 }
      }
    }
  }

  private mutating func deal<let count: Int>(_ heights: Span<Int>, _ columns: TolerantColumns<count>) {
    var columns = columns
    let spacing = lineSpacing
    forEachBlock(of: heights) { body, heights in
      body.words.append(addingCapacity: heights.count) { words in
        var next = columns
        for number in heights.indices {
          let column = next.take(heights[number] &+ spacing)
          words.append(ItemWord(height: heights[number], column: column))
        }
        columns = next
      }
      for column in body.ends.indices { body.ends[column] = columns.ends[column] }
    }
  }

  private mutating func deal(_ heights: Span<Int>, tolerance: Int) {
    var cursor = lastColumn.map { $0 + 1 } ?? 0
    forEachBlock(of: heights) { body, heights in
      for number in heights.indices {
        let column = toleratedColumn(body.ends.span, from: cursor, tolerance: tolerance)
        body.words.append(ItemWord(height: heights[number], column: column))
        body.ends[column] += heights[number] + body.lineSpacing
        cursor = column + 1
      }
    }
  }
}
