import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

/// A small picture of a cover, as it is kept.
struct Thumbnail: Equatable, Sendable {
  var jpeg: [UInt8]
  /// In pixels.
  var size: Size
  /// Whether the cover itself is no larger.
  var isWhole: Bool
  /// The cover's colour.
  var average: RGB

  /// What a thumbnail lies within, in pixels.
  static let bounds = Size(width: 320, height: 320)
  private static let quality = 80
  /// From how many times its size on it looks poor enough to ask for the cover itself.
  private static let largestEnlargement = 2.0

  init(jpeg: [UInt8], size: Size, isWhole: Bool, average: RGB) {
    self.jpeg = jpeg
    self.size = size
    self.isWhole = isWhole
    self.average = average
  }

  /// Makes one of a picture that is no smaller than one, and of which a cover is `original` pixels large; nil where that
  /// can't be done.
  init?(of picture: PixelBuffer, original: Size) {
    let small = picture.scaled(to: .within(Self.bounds))
    guard let jpeg = small.jpeg(quality: Self.quality) else { return nil }
    let isWhole = max(original.width, original.height) <= Self.bounds.width
    self.init(jpeg: jpeg, size: small.size, isWhole: isWhole, average: small.averageColor)
  }

  func suffices(for wish: CoverWish) -> Bool {
    isWhole || wish.enlargement(of: size) <= Self.largestEnlargement
  }
}
