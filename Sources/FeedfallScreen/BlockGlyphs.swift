import WaterfallEngine

/// With which characters a picture is drawn; each cell has two colours, whatever its character.
public enum BlockGlyphs: CaseIterable, Sendable {
  /// The upper half of a cell and the lower one: every font has it, and no detail is guessed.
  case halves
  /// Any of the four quarters.
  case quadrants
  /// Quarters, and bars of any number of eighths.
  case eighths
  /// Also any of six parts, three rows of two (Unicode 13's sextants, which not every font has).
  case sextants

  /// How many pixels a picture needs for each of its cells.
  public var pixelsPerCell: Size {
    switch self {
    case .halves: Size(width: 1, height: 2)
    case .quadrants: Size(width: 2, height: 2)
    case .eighths, .sextants: Size(width: 8, height: 8)
    }
  }
}

extension CellPicture {
  /// Draws pixels with block characters: in each cell with the one whose two colours come nearest to the pixels, by the
  /// sum of the squares of what they differ by.
  ///
  /// Pixels that fill no whole cell, at the right and at the bottom, are left out. Complexity: O(number of pixels).
  public init(_ pixels: PixelBuffer, glyphs: BlockGlyphs) {
    let tile = glyphs.pixelsPerCell
    let size = Size(width: pixels.size.width / tile.width, height: pixels.size.height / tile.height)
    let cells = pixels.bytes.withUnsafeBufferPointer { bytes in
      let width = pixels.size.width
      return [Cell](unsafeUninitializedCapacity: size.width * size.height) { cells, count in
        for y in 0..<size.height {
          for x in 0..<size.width {
            let corner = TileCorner(bytes: bytes, width: width, place: (y * tile.height * width + x * tile.width) * 3)
            cells.initializeElement(at: count, to: glyphs.cell(at: corner))
            count += 1
          }
        }
      }
    }
    self.init(size: size, cells: cells)
  }
}

extension BlockGlyphs {
  @inline(__always)
  fileprivate func cell(at corner: TileCorner) -> Cell {
    switch self {
    case .halves: corner.halvesCell
    case .quadrants: corner.quadrantsCell
    case .eighths: corner.blocksCell(withSextants: false)
    case .sextants: corner.blocksCell(withSextants: true)
    }
  }
}
