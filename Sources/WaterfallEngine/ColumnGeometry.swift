/// How a section's width is shared out to its columns: no unit is left over, and the first `widerCount` columns
/// are one unit wider than the others.
struct ColumnGeometry: Hashable, Sendable {
  let left: Int
  let count: Int
  let width: Int
  let widerCount: Int
  let spacing: Int

  /// `metrics` are bounded, `layoutWidth` is a length.
  init(_ metrics: SectionMetrics, rule: ColumnRule, layoutWidth: Int) {
    left = min(metrics.insets.left, layoutWidth)
    let available = max(0, layoutWidth - left - metrics.insets.right)
    spacing = metrics.columnSpacing
    count = ColumnGeometry.count(rule, available: available, spacing: metrics.columnSpacing)
    let shared = available - (count - 1) * spacing
    width = shared / count
    widerCount = shared % count
  }

  private static func count(_ rule: ColumnRule, available: Int, spacing: Int) -> Int {
    func fitting(_ width: Int) -> Int { (available + spacing) / (width + spacing) }
    let wanted =
      switch rule {
      case .count(let count): min(count, fitting(1))
      case .minimumWidth(let width): fitting(width.asItemHeight)
      }
    return min(max(wanted, 1), LayoutLimits.columnCount)
  }

  func x(of column: Int) -> Int { left + column * (width + spacing) + min(column, widerCount) }

  func width(of column: Int) -> Int { column < widerCount ? width + 1 : width }

  /// The column, of the first `usedCount`, whose centre is nearest to the centre of `minX..<maxX`; ties: leftmost.
  func column(nearestTo minX: Int, _ maxX: Int, usedCount: Int) -> Int {
    let center = minX + maxX
    let guess = column(around: center / 2 - left)
    var best = min(max(guess - 1, 0), usedCount - 1)
    let last = min(max(guess + 1, 0), usedCount - 1)
    for column in best...last where distance(of: column, center) < distance(of: best, center) {
      best = column
    }
    return best
  }

  /// The column that the unit lies in or beside, counted from the first column's left.
  private func column(around x: Int) -> Int {
    let pitch = width + spacing
    let widerEnd = widerCount * (pitch + 1)
    return x < widerEnd ? x / (pitch + 1) : widerCount + (x - widerEnd) / max(1, pitch)
  }

  /// Twice the distance of the column's centre from half of `center`: whole numbers have no halves.
  private func distance(of column: Int, _ center: Int) -> Int {
    abs(2 * x(of: column) + width(of: column) - center)
  }
}
