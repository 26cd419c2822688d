/// Puts items that span columns under each other.
struct SpanPacker: Sendable {
  /// An item's first column and its top.
  struct Place: Sendable {
    var column: Int
    var top: Int
  }

  /// What lies empty between an item that spans columns and the one above it in one of them.
  private struct Hole: Sendable {
    var column: Int
    var top: Int
    var bottom: Int
  }

  let lineSpacing: Int
  let order: ItemOrder
  let packing: SpanPacking
  /// Where each column's next item starts.
  private(set) var ends: ContiguousArray<Int>
  private var holes: [Hole] = []
  /// The columns of the last item.
  private var last: Range<Int>?

  /// Only so many holes are remembered, so that none has to be searched for long.
  private static let mostHoles = 128

  init(columnCount: Int, rules: PackingRules) {
    lineSpacing = rules.lineSpacing
    order = rules.order
    packing = rules.spanPacking
    ends = ContiguousArray(repeating: 0, count: columnCount)
  }

  /// Where the lowest item ends.
  var height: Int { max(0, (ends.max() ?? 0) - lineSpacing) }

  /// Takes an item that lies there already.
  mutating func add(_ columns: Range<Int>, bottom: Int) {
    for column in columns { ends[column] = max(ends[column], bottom + lineSpacing) }
    last = columns
  }

  /// Puts an item under all that lies in its columns.
  mutating func drop(_ columns: Range<Int>, height: Int) -> Int {
    let top = ends[columns].max() ?? 0
    for column in columns { ends[column] = top + height + lineSpacing }
    last = columns
    return top
  }

  /// The place of the next item. O(columns × span + holes).
  @inline(__always)
  mutating func place(height: Int, span: Int) -> Place {
    if span == 1 {
      if packing == .dense, let place = fillHole(height) { return place }
      if order == .shortest { return placeUnderShortest(height) }
    }
    let column = firstColumn(span: span)
    return Place(column: column, top: place(height: height, at: column..<column + span))
  }

  @inline(__always)
  private mutating func placeUnderShortest(_ height: Int) -> Place {
    let place = SpanPacker.lengthenShortest(&ends, by: height &+ lineSpacing)
    last = place.column..<place.column + 1
    return place
  }

  /// Without branches: which column is the shortest would be guessed wrong too often.
  @inline(__always)
  private static func lengthenShortest(_ allEnds: inout ContiguousArray<Int>, by length: Int) -> Place {
    var ends = allEnds.mutableSpan
    var shortest = 0
    var top = ends[0]
    for column in 1..<ends.count {
      let end = ends[unchecked: column]
      shortest = end < top ? column : shortest
      top = min(end, top)
    }
    ends[unchecked: shortest] = top &+ length
    return Place(column: shortest, top: top)
  }

  private mutating func place(height: Int, at columns: Range<Int>) -> Int {
    let oldEnds = packing == .dense && columns.count > 1 ? Array(ends[columns]) : []
    let top = drop(columns, height: height)
    for (column, end) in zip(columns, oldEnds) where top - end > lineSpacing {
      holes.append(Hole(column: column, top: end, bottom: top))
    }
    if holes.count > SpanPacker.mostHoles { holes.removeFirst(holes.count - SpanPacker.mostHoles) }
    return top
  }

  /// The hole that it fits best.
  private mutating func fillHole(_ height: Int) -> Place? {
    var best: Int?
    var leastRest = Int.max
    for (number, hole) in holes.enumerated() {
      let rest = hole.bottom - hole.top - height - lineSpacing
      guard rest >= 0, rest < leastRest else { continue }
      best = number
      leastRest = rest
    }
    guard let best else { return nil }
    let place = Place(column: holes[best].column, top: holes[best].top)
    if leastRest > lineSpacing {
      holes[best].top += height + lineSpacing
    } else {
      holes.remove(at: best)
    }
    return place
  }
}

extension SpanPacker {
  /// The first column of the next item that spans so many.
  private func firstColumn(span: Int) -> Int {
    let lastStart = ends.count - span
    switch order {
    case .shortest: return lowest(span, from: 0, tolerance: 0)
    case .tolerance(let tolerance):
      let cursor = last?.upperBound ?? 0
      return lowest(span, from: cursor > lastStart ? 0 : cursor, tolerance: tolerance)
    case .leftToRight:
      let next = last?.upperBound ?? 0
      return next <= lastStart ? next : 0
    case .rightToLeft:
      let next = (last?.lowerBound ?? ends.count) - span
      return next >= 0 ? next : lastStart
    }
  }

  /// The first column, from the cursor on and around, at which the item lies at most the tolerance below where it
  /// could lie.
  private func lowest(_ span: Int, from cursor: Int, tolerance: Int) -> Int {
    let count = ends.count - span + 1
    var least = Int.max
    for column in 0..<count { least = min(least, top(of: column, span)) }
    var column = cursor
    while top(of: column, span) > least + tolerance { column = column + 1 < count ? column + 1 : 0 }
    return column
  }

  func top(of column: Int, _ span: Int) -> Int {
    var top = ends[column]
    for other in column + 1..<column + span where ends[other] > top { top = ends[other] }
    return top
  }
}
