import Geometry
import WaterfallEngine

/// What is wrong with a layout, one line each; empty when all is well.
func violations(of layout: any Layout) -> [String] {
  outside(layout) + overlapping(layout) + badSections(layout) + badWidths(layout)
}

/// Where items do not lie under the leftmost shortest column, if others of the section are where they are.
func misplacedItems(of layout: WaterfallLayout) -> [String] {
  (0..<layout.sectionCount).flatMap { section in
    let metrics = layout.metrics(ofSection: section)
    let columns = columnSpans(layout, section)
    let top = layout.frame(ofSection: section).minY + metrics.headerHeight + metrics.insets.top
    var ends = [Int](repeating: top, count: columns.count)
    return (0..<layout.itemCount(inSection: section)).compactMap { item in
      let frame = layout.frame(item, section: section)
      guard let shortest = ends.min(), let column = ends.firstIndex(of: shortest) else { return "no columns" }
      ends[column] = frame.maxY + metrics.lineSpacing
      let isRight = frame.minY == shortest && frame.minX == columns[column].lowerBound
      return isRight ? nil : "item \(section).\(item) at \(frame) is not under column \(column)"
    }
  }
}

private func outside(_ layout: any Layout) -> [String] {
  let size = layout.contentSize
  return layout.allElements.compactMap { element in
    let frame = element.frame
    let isInside = frame.minX >= 0 && frame.minY >= 0 && frame.maxX <= size.width && frame.maxY <= size.height
    return isInside ? nil : "\(element.path) at \(frame) is outside of \(size)"
  }
}

private func overlapping(_ layout: any Layout) -> [String] {
  let elements = layout.allElements.sorted { $0.frame.minY < $1.frame.minY }
  var open: [LayoutAttributes] = []
  var found: [String] = []
  for element in elements {
    open.removeAll { $0.frame.maxY <= element.frame.minY }
    found += open.filter { $0.frame.intersects(element.frame) }.map { "\($0.path) overlaps \(element.path)" }
    open.append(element)
  }
  return found
}

/// Sections follow each other, and their heights and the content's are exact.
private func badSections(_ layout: any Layout) -> [String] {
  var found: [String] = []
  var bottom = 0
  for section in 0..<layout.sectionCount {
    let metrics = layout.metrics(ofSection: section)
    let frame = layout.frame(ofSection: section)
    let itemsTop = bottom + metrics.headerHeight + metrics.insets.top
    let lowest = (0..<layout.itemCount(inSection: section)).map { layout.frame($0, section: section).maxY }
      .max()
    let height = (lowest ?? itemsTop) + metrics.insets.bottom + metrics.footerHeight - bottom
    let expected = Rect(x: 0, y: bottom, width: layout.width, height: height)
    if frame != expected { found.append("section \(section) is \(frame), not \(expected)") }
    bottom = frame.maxY
  }
  let size = Size(width: layout.width, height: bottom)
  if layout.contentSize != size { found.append("content is \(layout.contentSize), not \(size)") }
  return found
}

/// Columns differ by at most one unit and leave nothing unused, and items are as wide as their columns.
private func badWidths(_ layout: any Layout) -> [String] {
  (0..<layout.sectionCount).flatMap { section in
    let spans = Set(columnSpans(layout, section))
    return (0..<layout.itemCount(inSection: section)).compactMap { item in
      let frame = layout.frame(item, section: section)
      return spans.contains(frame.minX..<frame.maxX) ? nil : "\(section).\(item) is in no column: \(frame)"
    }
  }
}

/// The columns, worked out another way than by the engine: unit by unit from the left.
func columnSpans(_ layout: any Layout, _ section: Int) -> [Range<Int>] {
  let metrics = layout.metrics(ofSection: section)
  let count = layout.columnCount(inSection: section)
  let left = min(metrics.insets.left, layout.width)
  let available = max(0, layout.width - left - metrics.insets.right)
  var spare = available - (count - 1) * metrics.columnSpacing - count * layout.columnWidth(inSection: section)
  var x = left
  return (0..<count).map { _ in
    let start = x
    x += layout.columnWidth(inSection: section) + (spare > 0 ? 1 : 0)
    spare -= 1
    defer { x += metrics.columnSpacing }
    return start..<x
  }
}
