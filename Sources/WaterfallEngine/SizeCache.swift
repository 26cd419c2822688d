/// Items' heights for the column widths that were asked for lately, so that none is measured twice.
public struct SizeCache: Sendable {
  /// A width and the heights for it; -1 where none is known.
  private struct Column: Sendable {
    let width: Int
    var heights: ContiguousArray<Int32> = []
  }

  private var columns: [Column] = []
  private let mostWidths: Int

  /// Remembers the heights for the last few widths. O(1).
  public init(widths: Int = 2) { mostWidths = max(1, widths) }

  /// The heights of items that are so wide. What is not known is asked for in bulk, with as few calls as there are gaps
  /// in what is known; `measure` answers as many heights as the range has items. O(items).
  public mutating func heights(
    of items: Range<Int>, width: Int, measure: (_ items: Range<Int>, _ width: Int) -> [Int]
  ) -> [Int] {
    var column = take(width)
    let missing = items.upperBound - column.heights.count
    if missing > 0 { column.heights.append(contentsOf: repeatElement(-1, count: missing)) }
    var item = items.lowerBound
    while item < items.upperBound {
      guard column.heights[item] < 0 else {
        item += 1
        continue
      }
      let end = column.heights[item..<items.upperBound].firstIndex { $0 >= 0 } ?? items.upperBound
      let measured = measure(item..<end, width)
      precondition(measured.count == end - item, "\(measured.count) heights were measured for \(item..<end)")
      for (number, height) in measured.enumerated() { column.heights[item + number] = Int32(clamping: height) }
      item = end
    }
    columns.append(column)
    return column.heights[items].map(Int.init)
  }

  /// Takes the column with a width out, to be put back as the last one used.
  private mutating func take(_ width: Int) -> Column {
    if let known = columns.firstIndex(where: { $0.width == width }) { return columns.remove(at: known) }
    if columns.count == mostWidths { columns.removeFirst() }
    return Column(width: width)
  }

  /// Forgets the heights of items whose content changed, at every width. O(items × widths).
  public mutating func forget(_ items: Range<Int>) {
    for column in columns.indices {
      for item in items.clamped(to: columns[column].heights.indices) { columns[column].heights[item] = -1 }
    }
  }

  /// Makes room for items that came in between. O(items behind × widths).
  public mutating func insert(count: Int, at item: Int) {
    for column in columns.indices where item < columns[column].heights.count {
      columns[column].heights.insert(contentsOf: repeatElement(-1, count: count), at: item)
    }
  }

  /// Forgets items that are gone. O(items behind × widths).
  public mutating func remove(_ items: Range<Int>) {
    for column in columns.indices {
      columns[column].heights.removeSubrange(items.clamped(to: columns[column].heights.indices))
    }
  }
}
