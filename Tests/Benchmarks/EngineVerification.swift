import EngineOracle
import WaterfallEngine

/// Checks random layouts of every kind and orientation after random changes: a query must find exactly the elements
/// that touch a rect, in order, the invariants must hold, and once packed anew all items must lie where a second
/// implementation puts them.
enum EngineVerification {
  static func run(layouts: Int) -> Int32 {
    var random = Heights(seed: 11)
    var queries = 0
    var elements = 0
    for number in 0..<layouts {
      let layout = RandomLayout.make(number, &random)
      // Twelve rects in every layout, and the invariants of every tenth.
      for _ in 0..<12 {
        let rect = RandomLayout.rect(in: layout.contentSize, &random)
        let found = layout.layoutAttributes(in: rect)
        let expected = layout.elementsByExhaustion(in: rect)
        queries += 1
        elements += expected.count
        guard found == expected else {
          let missed = expected.count { !found.contains($0) }
          let extra = found.count { !expected.contains($0) }
          print("layout \(number): \(missed) missed, \(extra) extra in \(rect)")
          return 1
        }
      }
      if let mismatch = EngineOracle.mismatch(in: layout) {
        print("layout \(number): \(mismatch)")
        return 1
      }
      let violations = number % 10 == 0 ? layout.invariantViolations() : []
      guard violations.isEmpty else {
        print("layout \(number): \(violations.joined(separator: "\n"))")
        return 1
      }
    }
    print(
      "{\"name\":\"engine.verify\",\"layouts\":\(layouts),\"queries\":\(queries),\"elements\":\(elements),"
        + "\"missed\":0,\"extra\":0}")
    return 0
  }
}

private enum RandomLayout {
  /// Mostly small, for speed; a few fill several blocks.
  static func make(_ number: Int, _ random: inout Heights) -> any CollectionLayout {
    let orientation = Orientation.all.randomElement(using: &random) ?? .vertical
    let breadth = random.next(below: 80)
    var layout: any CollectionLayout =
      switch number % 7 {
      case 0: RowGridLayout(breadth: breadth, orientation: orientation)
      case 1: ListLayout(breadth: breadth, orientation: orientation)
      case 2: CarouselLayout(viewport: Size(width: 40, height: 20), orientation: orientation)
      default: WaterfallLayout(breadth: breadth, orientation: orientation)
      }
    carryOut { () throws(LayoutError) in
      try layout.fill(most: number % 200 == 0 ? 600 : 14, using: &random)
      for _ in 0..<random.next(below: 4) { try layout.edit(using: &random) }
    }
    return layout
  }

  static func rect(in size: Size, _ random: inout Heights) -> Rect {
    Rect(
      x: random.next(below: size.width + 10) - 5, y: random.next(below: size.height + 10) - 5,
      width: random.next(below: 70), height: random.next(below: 60))
  }
}
