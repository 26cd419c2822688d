import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// A wish for a video's cover, made for the frame in which it is shown.
public struct CoverRequest: Equatable, Sendable {
  /// Where it lies, in the order to try; at least one.
  public var addresses: [MediaAddress]
  /// The frame's size in cells, which the picture is to fill.
  public var size: Size
  /// A cell's size in pixels.
  public var cellSize: Size
  public var glyphs: BlockGlyphs
  /// Whether the terminal can show pixels over the cells.
  public var wantsPixels: Bool
}

extension CoverRequest {
  /// Nil where the video has no cover.
  init?(for video: Video, size: Size, cellSize: Size, glyphs: BlockGlyphs, wantsPixels: Bool) {
    self.init(addresses: [], size: size, cellSize: cellSize, glyphs: glyphs, wantsPixels: wantsPixels)
    let pixels = wantsPixels ? cellSize : glyphs.pixelsPerCell
    // What is scaled down by less than half looks coarse.
    let frame = PixelSize(
      width: min(max(1, 2 * size.width * pixels.width), 100_000),
      height: min(max(1, 2 * size.height * pixels.height), 100_000))
    var left = video
    // Where the best one is missing, the next best is wanted: a list may begin with the smallest of many.
    while addresses.count < Self.maximumAddresses, let best = frame.flatMap(left.cover(fitting:)) {
      addresses.append(best.url)
      left.covers.removeAll { $0.url == best.url }
    }
    if addresses.isEmpty { return nil }
  }

  /// So many addresses of one video are tried.
  private static let maximumAddresses = 4
}
