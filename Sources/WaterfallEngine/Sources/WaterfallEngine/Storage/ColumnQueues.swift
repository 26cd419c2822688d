extension LaneBody {
  /// The ends of all columns, and the order in which items go under them.
  protocol ColumnQueue {
    var nextColumn: Int { get }
    /// Adds an item of a length, with its gap, to the next column.
    mutating func lengthen(_ column: Int, by length: Int)
    /// Adds an item of a length, with its gap, over several columns and returns the first of them. Overwrites `ends`.
    mutating func placeWide(_ length: Int, _ span: Int, _ ends: inout ContiguousArray<Int>) -> Int
    func visitEnds(_ body: (_ column: Int, _ end: Int) -> Void)
  }

  /// The ends of all columns for the order by shortest column.
  protocol SortedQueue: ColumnQueue {
    init(_ ends: Span<Int>)
  }

  /// A column's end and, in the low bits, its number: the smallest key is that of the leftmost of the shortest columns.
  private enum ColumnKey {
    static let numberBits = 12
    static let numberMask = 1 << numberBits - 1
    /// A bit of every key, above all ends: a thread may treat floating-point numbers without it as zeros.
    private static let normalBit = 1 << 61
    /// The key of a column that does not exist: greater than all others.
    static let none = 1 << 62

    @inline(__always)
    static func key(_ column: Int, _ ends: Span<Int>) -> Int {
      column < ends.count ? normalBit | ends[column] << numberBits | column : none
    }

    @inline(__always)
    static func visit(_ key: Int, _ body: (Int, Int) -> Void) {
      if key != none { body(key & numberMask, (key & ~normalBit) >> numberBits) }
    }
  }

  /// Many keys in a tree in which every node is the smaller of its two children.
  struct Tournament: SortedQueue, Sendable {
    /// Node 1 is the root, node n has the children 2n and 2n + 1, and the leaves come last.
    private var nodes: ContiguousArray<Int>
    private let leafCount: Int

    init(_ ends: Span<Int>) {
      let count = ends.count
      var leafCount = 1
      while leafCount < count { leafCount *= 2 }
      self.leafCount = leafCount
      nodes = ContiguousArray(repeating: ColumnKey.none, count: 2 * leafCount)
      for number in 0..<count { nodes[leafCount + number] = ColumnKey.key(number, ends) }
      for node in (1..<leafCount).reversed() { nodes[node] = min(nodes[2 * node], nodes[2 * node + 1]) }
    }

    func visitEnds(_ body: (Int, Int) -> Void) {
      for key in nodes[leafCount...] { ColumnKey.visit(key, body) }
    }

    @inline(__always)
    var nextColumn: Int { nodes[1] & ColumnKey.numberMask }

    /// O(log columns).
    @inline(__always)
    mutating func lengthen(_ column: Int, by length: Int) {
      var key = nodes[1] &+ length << ColumnKey.numberBits
      var node = leafCount + column
      var nodes = nodes.mutableSpan
      nodes[node] = key
      while node > 1 {
        key = min(key, nodes[node ^ 1])
        node /= 2
        nodes[node] = key
      }
    }
  }

  /// A few sorted keys in registers: a replaced key sinks through a chain of comparisons without branches, and the next
  /// one can follow before it has arrived.
  struct SortedKeys<let count: Int>: SortedQueue {
    private var keys = InlineArray<count, Int>(repeating: ColumnKey.none)

    @inline(__always)
    init(_ ends: Span<Int>) {
      for column in ends.indices {
        var key = ColumnKey.key(column, ends)
        var slot = 0
        while slot < count {
          let next = keys[slot]
          keys[slot] = min(key, next)
          key = max(key, next)
          slot &+= 1
        }
      }
    }

    @inline(__always)
    func visitEnds(_ body: (Int, Int) -> Void) {
      for slot in keys.indices { ColumnKey.visit(keys[slot], body) }
    }

    @inline(__always)
    var nextColumn: Int { keys[0] & ColumnKey.numberMask }

    @inline(__always)
    mutating func lengthen(_ column: Int, by length: Int) {
      var key = keys[0] &+ length << ColumnKey.numberBits
      var slot = 1
      while slot < count {
        let next = keys[slot]
        keys[slot &- 1] = min(key, next)
        key = max(key, next)
        slot &+= 1
      }
      keys[count - 1] = key
    }
  }

  /// The sorted keys of up to twice `pairCount` columns, the first one apart and the others in vector registers. Each
  /// key follows from itself, the next one and the replaced one, so that all change at once. They are compared as
  /// floating-point numbers, which sorts positive bit patterns as it does whole numbers: every processor has
  /// instructions for the smaller and the larger of two vectors of these.
  struct SortedPairs<let pairCount: Int>: SortedQueue {
    private var first = 0.0
    private var others = InlineArray<pairCount, SIMD2<Double>>(repeating: .zero)

    @inline(__always)
    init(_ ends: Span<Int>) {
      others[pairCount - 1].y = Double(bitPattern: UInt64(ColumnKey.none))
      for column in 0..<2 * pairCount { replaceFirst(by: Double(bitPattern: UInt64(ColumnKey.key(column, ends)))) }
    }

    @inline(__always)
    func visitEnds(_ body: (Int, Int) -> Void) {
      ColumnKey.visit(Int(first.bitPattern), body)
      for pair in others.indices {
        ColumnKey.visit(Int(others[pair].x.bitPattern), body)
        ColumnKey.visit(Int(others[pair].y.bitPattern), body)
      }
    }

    @inline(__always)
    var nextColumn: Int { Int(truncatingIfNeeded: first.bitPattern) & ColumnKey.numberMask }

    @inline(__always)
    mutating func lengthen(_ column: Int, by length: Int) {
      let added = UInt64(truncatingIfNeeded: length &<< ColumnKey.numberBits)
      replaceFirst(by: Double(bitPattern: first.bitPattern &+ added))
    }

    @inline(__always)
    private mutating func replaceFirst(by key: Double) {
      let keys = SIMD2(key, key)
      first = key < others[0].x ? key : others[0].x
      var pair = 0
      while pair < pairCount {
        // The last slot is always empty.
        let next = pair &+ 1 < pairCount ? others[pair &+ 1].x : others[pair].y
        let sinking = lower(keys, SIMD2(others[pair].y, next))
        others[pair] = upper(others[pair], sinking)
        pair &+= 1
      }
    }

    @inline(__always)
    private func lower(_ left: SIMD2<Double>, _ right: SIMD2<Double>) -> SIMD2<Double> {
      SIMD2(left.x < right.x ? left.x : right.x, left.y < right.y ? left.y : right.y)
    }

    @inline(__always)
    private func upper(_ left: SIMD2<Double>, _ right: SIMD2<Double>) -> SIMD2<Double> {
      SIMD2(left.x > right.x ? left.x : right.x, left.y > right.y ? left.y : right.y)
    }
  }

  /// One column after the other in either direction, regardless of their ends.
  struct ColumnsInTurn: ColumnQueue {
    private var ends: ContiguousArray<Int>
    private let step: Int
    private(set) var nextColumn: Int

    /// `step` is 1 or -1.
    init(_ ends: ContiguousArray<Int>, after last: Range<Int>?, step: Int) {
      (self.ends, self.step) = (ends, step)
      let next = step > 0 ? last?.upperBound ?? 0 : (last?.lowerBound ?? ends.count) - 1
      nextColumn = (next + ends.count) % ends.count
    }

    func visitEnds(_ body: (Int, Int) -> Void) { for column in ends.indices { body(column, ends[column]) } }

    @inline(__always)
    mutating func lengthen(_ column: Int, by length: Int) {
      ends[column] &+= length
      nextColumn += step
      if nextColumn == ends.count { nextColumn = 0 } else if nextColumn < 0 { nextColumn = ends.count - 1 }
    }
  }
}

extension LaneBody.ColumnQueue {
  mutating func placeWide(_ length: Int, _ span: Int, _ ends: inout ContiguousArray<Int>) -> Int {
    preconditionFailure("the queue is one for items of one column")
  }
}

extension LaneBody.SortedQueue {
  @inline(__always)
  mutating func placeWide(_ length: Int, _ span: Int, _ ends: inout ContiguousArray<Int>) -> Int {
    var ends = ends.mutableSpan
    visitEnds { ends[$0] = $1 }
    let column = LaneBody.SpanPacker.firstColumn(span, under: ends.span)
    _ = LaneStack.drop(length, column..<column + span, &ends)
    self = Self(ends.span)
    return column
  }
}
