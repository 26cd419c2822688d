/// The columns of a section; they fill its width exactly. Columns without weights differ by at most one unit: the first
/// `widerCount` are one unit wider than the others.
struct ColumnGeometry: Equatable, Sendable {
  private let left: Int
  let count: Int
  let width: Int
  let spacing: Int
  private let widerCount: Int
  /// The start of each column, and the end of the last one with the spacing after it; only with weights.
  private let edges: ContiguousArray<Int>?

  /// `metrics` are checked, `breadth` is a length.
  init(_ metrics: SectionMetrics, rule: ColumnRule, breadth: Int) {
    left = min(metrics.insets.left, breadth)
    let available = max(0, breadth - left - metrics.insets.right)
    spacing = metrics.columnSpacing
    count = ColumnGeometry.count(rule, available: available, spacing: metrics.columnSpacing)
    let shared = available - (count - 1) * spacing
    widerCount = shared % count
    guard case .weights(let weights) = rule, weights.count > 1, count > 1 else {
      width = shared / count
      edges = nil
      return
    }
    let widths = ColumnGeometry.share(shared, by: weights.prefix(count))
    width = widths.min() ?? shared
    var x = left
    edges =
      [x]
      + ContiguousArray(
        widths.map { width in
          x += width + metrics.columnSpacing
          return x
        })
  }

  /// Whether all columns have the same places, by whatever rule. O(1), with weights O(columns).
  static func == (left: ColumnGeometry, right: ColumnGeometry) -> Bool {
    guard left.count == right.count, left.spacing == right.spacing else { return false }
    guard left.edges != nil || right.edges != nil else {
      return left.left == right.left && left.width == right.width && left.widerCount == right.widerCount
    }
    return (0..<left.count).allSatisfy {
      left.x(of: $0) == right.x(of: $0) && left.width(of: $0) == right.width(of: $0)
    }
  }

  private static func count(_ rule: ColumnRule, available: Int, spacing: Int) -> Int {
    func fitting(_ width: Int) -> Int { (available + spacing) / (width + spacing) }
    let wanted =
      switch rule {
      case .count(let count): min(count, fitting(1))
      case .minimumWidth(let width): fitting(max(1, width.asLength))
      case .weights(let weights): min(weights.count, fitting(1))
      }
    return min(max(wanted, 1), LayoutLimits.columnCount)
  }

  /// Every column gets one unit, so that it is visible, and its share of the rest.
  private static func share(_ length: Int, by weights: ArraySlice<Int>) -> [Int] {
    let total = weights.reduce(0, +)
    func shares(of length: Int) -> [Int] {
      var sum = 0
      var end = 0
      return weights.map { weight in
        let start = end
        sum += weight
        end = length * sum / total
        return end - start
      }
    }
    let exact = shares(of: length)
    return exact.contains(0) ? shares(of: length - weights.count).map { $0 + 1 } : exact
  }

  @inline(__always)
  func x(of column: Int) -> Int {
    guard let edges else { return left + column * (width + spacing) + min(column, widerCount) }
    return edges[column]
  }

  @inline(__always)
  func width(of column: Int) -> Int {
    guard let edges else { return column < widerCount ? width + 1 : width }
    return edges[column + 1] - spacing - edges[column]
  }

  func width(of column: Int, spanning span: Int) -> Int {
    let last = column + span - 1
    return x(of: last) + width(of: last) - x(of: column)
  }

  /// The column nearest to the center of `minX..<maxX`, of those that satisfy `isWanted`; ties: leftmost.
  /// O(log columns + columns passed over).
  func column(nearestTo minX: Int, _ maxX: Int, where isWanted: (Int) -> Bool) -> Int? {
    let center = minX + maxX
    let low = (0..<count - 1).partitioningIndex { 2 * (x(of: $0) + width(of: $0)) >= center }
    var left = low - 1
    var right = low
    while left >= 0, !isWanted(left) { left -= 1 }
    while right < count, !isWanted(right) { right += 1 }
    guard left >= 0 else { return right < count ? right : nil }
    guard right < count else { return left }
    return distance(of: right, center) < distance(of: left, center) ? right : left
  }

  /// Twice the distance of the column from half of `center`: whole numbers have no halves.
  private func distance(of column: Int, _ center: Int) -> Int {
    max(2 * x(of: column) - center, center - 2 * (x(of: column) + width(of: column)), 0)
  }
}
