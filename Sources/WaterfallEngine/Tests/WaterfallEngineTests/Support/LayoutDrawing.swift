import EngineOracle
import Testing
import WaterfallEngine

extension SectionMetrics {
  /// Columns of cells without insets.
  static func cells(
    _ columns: ColumnRule, spacing: Int = 1, line: Int = 1, insets: Insets = .zero, header: Int = 0,
    footer: Int = 0
  ) -> SectionMetrics {
    var metrics = SectionMetrics()
    metrics.columns = columns
    metrics.columnSpacing = spacing
    metrics.lineSpacing = line
    metrics.insets = insets
    metrics.headerHeight = header
    metrics.footerHeight = footer
    return metrics
  }

  func with<Value>(_ property: WritableKeyPath<SectionMetrics, Value>, _ value: Value) -> SectionMetrics {
    var metrics = self
    metrics[keyPath: property] = value
    return metrics
  }
}

extension CollectionLayout {
  /// The layout with one more section of these items.
  func adding(_ heights: [Int], _ metrics: SectionMetrics) -> Self {
    changed { layout throws(LayoutError) in
      try layout.appendSection(metrics)
      try layout.append(itemHeights: heights, toSection: layout.sectionCount - 1)
    }
  }

  /// The layout with one more section of these items.
  func adding(items: [ItemSize], _ metrics: SectionMetrics) -> Self {
    changed { layout throws(LayoutError) in
      try layout.appendSection(metrics)
      try layout.append(items, toSection: layout.sectionCount - 1)
    }
  }

  func changed(_ change: (inout Self) throws(LayoutError) -> Void) -> Self {
    var layout = self
    do { try change(&layout) } catch { Issue.record(error) }
    return layout
  }

  var allPaths: [ElementPath] {
    (0..<sectionCount).flatMap { section in
      (0..<itemCount(inSection: section)).map { ElementPath(section: section, item: $0) }
    }
  }

  func frames(inSection section: Int = 0) -> [Rect] {
    (0..<itemCount(inSection: section)).map { frame($0, section: section) }
  }

  func sizes(inSection section: Int = 0) -> [ItemSize] {
    (0..<itemCount(inSection: section)).map { itemSize(at: ElementPath(section: section, item: $0)) }
  }

  /// The row at which a section's items begin, before the layout is turned.
  func itemsTop(ofSection section: Int) -> Int {
    let metrics = metrics(ofSection: section)
    return unturned(frame(ofSection: section)).minY + metrics.headerHeight + metrics.barHeight(isAbove: true)
      + metrics.insets.top
  }

  func frame(_ item: Int, section: Int = 0) -> Rect {
    frame(ofItem: ElementPath(section: section, item: item))
  }

  /// The frame in layout space.
  func layoutFrame(_ path: ElementPath) -> Rect { unturned(frame(ofItem: path)) }

  /// The layout as text: items are letters, the global header is `#`, headers `=`, footers `-`, separators `~`,
  /// backgrounds `+`, empty cells dots.
  var drawing: String { WaterfallEngineTests.drawing(of: allElements, size: contentSize) }

  /// The elements of a viewport as text.
  func drawing(at offset: Int, length: Int) -> String {
    let viewport = viewport(at: offset, length: length)
    let elements = layoutAttributes(inViewport: viewport).sorted { $0.zIndex < $1.zIndex }.map { element in
      var element = element
      element.frame = element.frame.offsetBy(x: -viewport.minX, y: -viewport.minY)
      return element
    }
    return WaterfallEngineTests.drawing(of: elements, size: viewport.size)
  }
}

func drawing(of elements: [LayoutAttributes], size: Size) -> String {
  var rows = [[Character]](repeating: [Character](repeating: ".", count: size.width), count: size.height)
  for element in elements {
    let letter: Character =
      switch element.kind {
      case .item: Character(Unicode.Scalar(UInt8(65 + element.path.item % 26)))
      case .globalHeader: "#"
      case .header: "="
      case .footer: "-"
      case .background: "+"
      case .separator: "~"
      case .supplementary: "*"
      case .decoration: ":"
      }
    let frame = element.frame.intersection(Rect(origin: .zero, size: size))
    for y in frame.minY..<frame.maxY {
      for x in frame.minX..<frame.maxX { rows[y][x] = letter }
    }
  }
  return rows.map { String($0) }.joined(separator: "\n")
}

/// The number of items that can be reached from the first one by moves, with and without their goals.
func reachedItemCount(in layout: any CollectionLayout) -> Int {
  guard let first = layout.firstItem else { return 0 }
  struct State: Hashable {
    var path: ElementPath
    var goal: NavigationGoal?
  }
  var seen: Set = [State(path: first, goal: nil)]
  var open = Array(seen)
  while let state = open.popLast() {
    for direction in Direction.allCases {
      for goal in [state.goal, nil] {
        var next = goal
        guard let path = layout.neighbor(of: state.path, toward: direction, goal: &next) else { continue }
        if seen.insert(State(path: path, goal: next)).inserted { open.append(State(path: path, goal: next)) }
      }
    }
  }
  return Set(seen.map(\.path)).count
}
