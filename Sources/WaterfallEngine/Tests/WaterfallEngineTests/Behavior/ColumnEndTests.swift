import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct ColumnEndTests {
  @Test func `the ends of a carousel count along the scrolling`() {
    let layout = CarouselLayout(viewport: Size(width: 20, height: 5)).adding([8, 6], .cells(.count(1)))
    #expect(layout.columnEnds(inSection: 0) == [layout.frame(1).maxX])
  }

  @Test func `in every layout, also after changes, the ends are those of the lowest items of the columns`() throws {
    var generator = SeededGenerator(seed: 14)
    for number in 0..<1500 {
      var layout = anyLayout(number: number, most: 40, using: &generator)
      for _ in 0..<2 {
        for section in 0..<layout.sectionCount where layout.columnWidth(inSection: section) > 0 {
          #expect(layout.columnEnds(inSection: section) == exhaustiveEnds(of: layout, section), "\(type(of: layout))")
        }
        guard let path = layout.allPaths.randomElement(using: &generator) else { continue }
        try layout.setItemSize(.random(using: &generator), at: path)
      }
    }
  }

  private func exhaustiveEnds(of layout: any CollectionLayout, _ section: Int) -> [Int] {
    let columns = layout.columnExtents(ofSection: section)
    let frames = (0..<layout.itemCount(inSection: section)).map {
      layout.layoutFrame(ElementPath(section: section, item: $0))
    }
    let top = layout.itemsTop(ofSection: section)
    return columns.map { column in
      frames.filter { $0.minX < column.upperBound && $0.maxX > column.lowerBound }.map(\.maxY).max() ?? top
    }
  }
}
