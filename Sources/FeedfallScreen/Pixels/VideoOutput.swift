import WaterfallEngine

/// The user's choice of how videos are drawn.
public enum VideoChoice: String, CaseIterable, Sendable {
  /// The best way that the terminal has confirmed.
  case auto
  case kitty, sixel, cells
  /// Sound only.
  case off
}

/// How the terminal can show a video.
public enum VideoOutput: Equatable, Sendable {
  /// The reason why a terminal shows no video.
  public enum Obstacle: Equatable, Sendable {
    /// There are fewer than 256 colors.
    case fewColors
    /// The user has chosen `VideoChoice.off`.
    case off
    /// The terminal has not confirmed the graphics that the user has chosen.
    case unconfirmed(VideoChoice)
  }

  case none(Obstacle)
  /// As block characters, with two colors in each cell.
  case cells
  /// As an image of at most as many pixels as 1920 by 1080, passed in shared memory.
  case pixels
  /// As an image of at most as many pixels as 480 by 270, because each frame is encoded as text.
  case encodedPixels

  public var obstacle: Obstacle? { if case .none(let obstacle) = self { obstacle } else { nil } }

  /// Whether a video is shown as an image.
  public var hasPixels: Bool { maximumPixelCount != nil }

  private static let maximumLength = 4096

  private var maximumPixelCount: Int? {
    switch self {
    case .none, .cells: nil
    case .pixels: 1920 * 1080
    case .encodedPixels: 480 * 270
    }
  }

  /// Returns the size in pixels of frames that cover an area of cells; nil if cells show them. Areas of more pixels
  /// than the terminal's limit are reduced in proportion. `cellSize` is in pixels.
  public func frameSize(forCells cells: Size, cellSize: Size) -> Size? {
    guard let maximumPixelCount, cells.width > 0, cells.height > 0, cellSize.width > 0, cellSize.height > 0 else {
      return nil
    }
    let (width, height) = (Double(cells.width * cellSize.width), Double(cells.height * cellSize.height))
    let length = Double(Self.maximumLength)
    let scale = min(1, (Double(maximumPixelCount) / (width * height)).squareRoot(), length / max(width, height))
    let frame = Size(width: Int(width * scale), height: Int(height * scale))
    // Otherwise the terminal would take it for a frame of cells.
    return frame.width > 0 && frame.height > cells.height * 2 ? frame : nil
  }
}
