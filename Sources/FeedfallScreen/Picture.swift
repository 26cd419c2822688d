import WaterfallEngine

/// How many rows of cells a picture takes that is `columns` cells wide.
///
/// `aspect` is the picture's width divided by its height; `cellSize` is a cell's size in any unit (pixels, if the
/// terminal tells them). Rounded to the nearest row, at least 1 and at most 4,096. An aspect that is no positive number
/// counts as 16:9, a cell without a size as half as wide as high.
public func pictureHeight(forWidth columns: Int, aspect: Double, cellSize: Size) -> Int {
  let ratio = aspect.isFinite && aspect > 0 ? aspect : 16.0 / 9.0
  let hasSize = cellSize.width > 0 && cellSize.height > 0
  let cellRatio = hasSize ? Double(cellSize.width) / Double(cellSize.height) : 0.5
  let rows = Double(max(0, columns)) * cellRatio / ratio
  return Int(max(1, min(rows, 4096)) + 0.5)
}
