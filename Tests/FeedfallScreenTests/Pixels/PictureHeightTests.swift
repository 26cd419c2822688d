import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct PictureHeightTests {
  @Test(arguments: [
    (32, 16.0 / 9, Size(width: 10, height: 20), 9), (32, 1.0, Size(width: 10, height: 20), 16),
    (32, 9.0 / 16, Size(width: 10, height: 20), 28), (32, 16.0 / 9, Size(width: 8, height: 17), 8),
    (3, 1.0, Size(width: 10, height: 20), 2), (1, 100.0, Size(width: 10, height: 20), 1),
    (0, 1.0, Size(width: 1, height: 2), 1),
  ])
  func `a height follows from the aspect and the cell size`(columns: Int, aspect: Double, cell: Size, rows: Int) {
    #expect(pictureHeight(forWidth: columns, aspect: aspect, cellSize: cell) == rows)
  }

  @Test(arguments: [0, -1, Double.nan, .infinity, -.infinity])
  func `an invalid aspect counts as 16 to 9`(aspect: Double) {
    #expect(pictureHeight(forWidth: 32, aspect: aspect, cellSize: .zero) == 9)
  }

  @Test func `a height is between 1 and 4096`() {
    let cell = Size(width: .max, height: 1)
    #expect(pictureHeight(forWidth: .max, aspect: .leastNonzeroMagnitude, cellSize: cell) == 4096)
    #expect(pictureHeight(forWidth: .min, aspect: .greatestFiniteMagnitude, cellSize: cell) == 1)
  }
}
