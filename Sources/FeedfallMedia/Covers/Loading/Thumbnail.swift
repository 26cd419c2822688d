import FeedfallScreen
import WaterfallEngine

/// A small version of a cover for the disk cache.
struct Thumbnail: Equatable, Sendable {
  var jpeg: [UInt8]
  /// In pixels.
  var size: Size
  /// Whether the cover itself is not larger.
  var isWhole: Bool
  var average: RGB
  /// The color around a logo, which is fitted instead of cropped; nil for other pictures.
  var backdrop: Backdrop?
  /// The length of the video that it was made of, in seconds; nil if it is unknown, and for other pictures.
  var videoSeconds: Int?

  /// The largest size in pixels.
  static let bounds = Size(width: 320, height: 320)
  /// In seconds.
  static let longestVideo = 1_000_000_000
  private static let quality = 80
  /// Beyond this enlargement a thumbnail looks poor, and the cover is requested again.
  private static let largestEnlargement = 2.0

  /// Returns a length for `videoSeconds`; nil if it is not plausible.
  static func videoSeconds(_ seconds: Double) -> Int? {
    (0...Double(longestVideo)).contains(seconds) ? Int(seconds) : nil
  }

  func suffices(for format: CoverFormat) -> Bool {
    isWhole || format.enlargement(of: size, isFitted: backdrop != nil) <= Self.largestEnlargement
  }
}

extension Thumbnail {
  /// Scales and encodes a picture; nil if that fails.
  ///
  /// - Parameter original: the cover's own size in pixels.
  init?(of picture: PixelBuffer, original: Size, _ backdrop: Backdrop? = nil) {
    let small = picture.scaled(to: .within(Self.bounds))
    guard let jpeg = small.jpeg(quality: Self.quality) else { return nil }
    let isWhole = max(original.width, original.height) <= Self.bounds.width
    self.init(jpeg: jpeg, size: small.size, isWhole: isWhole, average: small.averageColor, backdrop: backdrop)
  }
}
