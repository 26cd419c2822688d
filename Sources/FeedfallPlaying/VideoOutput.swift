import WaterfallEngine

/// How the terminal can show a video.
public enum VideoOutput: Equatable, Sendable {
  /// Not at all, because it has too few colors.
  case none
  /// As two pixels for each cell.
  case cells
  /// As an image of any number of pixels.
  case pixels

  private static let maximumPixelCount = 1920 * 1080
  private static let maximumLength = 4096

  /// Returns the size in pixels of frames that cover an area; nil if they have two pixels for each cell. Areas of more
  /// than 1920 by 1080 pixels are reduced in proportion.
  ///
  /// - Parameters:
  ///   - cells: the size of the area in cells.
  ///   - cellSize: the size of a cell in pixels.
  public func frameSize(forCells cells: Size, cellSize: Size) -> Size? {
    guard self == .pixels, cells.width > 0, cells.height > 0, cellSize.width > 0, cellSize.height > 0 else {
      return nil
    }
    let (width, height) = (Double(cells.width * cellSize.width), Double(cells.height * cellSize.height))
    let length = Double(Self.maximumLength)
    let scale = min(1, (Double(Self.maximumPixelCount) / (width * height)).squareRoot(), length / max(width, height))
    let frame = Size(width: Int(width * scale), height: Int(height * scale))
    // Otherwise the terminal would take it for a frame of cells.
    return frame.width > 0 && frame.height > cells.height * 2 ? frame : nil
  }
}
