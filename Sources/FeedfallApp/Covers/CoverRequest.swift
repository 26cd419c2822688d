import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// How the terminal can show covers.
public enum CoverStyle: Equatable, Sendable {
  /// Frames with the titles' first letters, for terminals without colors.
  case initials
  /// Blocks of one color, without pictures.
  case blocks
  case pictures(BlockGlyphs, wantsPixels: Bool)
}

/// A request for a video's cover at the size of its frame.
public struct CoverRequest: Equatable, Sendable {
  /// The height of a frame that a picture's proportions determine, in cells.
  public struct FreeHeight: Equatable, Sendable {
    /// Cards in columns whose widths differ by one cell have equal heights, computed for this width.
    public var width: Int
    public var limits: ClosedRange<Int>
  }

  /// The addresses to try, in order; at least one.
  public var addresses: [MediaAddress]
  /// The frame's size in cells, which the picture fills.
  public var size: Size
  /// How the picture's proportions determine the height in place of that of `size`; nil if `size` holds.
  public var freeHeight: FreeHeight?
  /// A cell's size in pixels.
  public var cellSize: Size
  public var glyphs: BlockGlyphs
  /// Whether the terminal can show pixels over the cells.
  public var wantsPixels: Bool
  /// Whether the picture's size is to be reported and stored, because the feed names none.
  public var learnsSize = false
  public var use = CoverUse.always
  public var pace = CoverPace.settled
  /// The page of the video.
  public var page: WebAddress?
}

extension CoverPace {
  private static let newSeconds = 86_400

  init(_ video: borrowing Video, at now: UnixTime?) {
    switch video.live {
    case .live: self = .live
    case .upcoming: self = .new
    case .ended, nil:
      self = .settled
      if let now, let published = video.published, published.seconds > now.seconds - Self.newSeconds { self = .new }
    }
  }
}

extension PixelSize {
  /// Returns nil unless both are in 1...100,000.
  public init?(_ size: Size) { self.init(width: size.width, height: size.height) }
}

extension CoverPicture {
  /// The size of the whole picture, upright, or one of the same proportions; nil if it is unknown.
  public var size: PixelSize? {
    get { originalSize.flatMap { PixelSize($0) } }
    set { originalSize = newValue.map { Size(width: $0.width, height: $0.height) } }
  }
}

extension CoverRequest {
  /// The size in cells at which a picture of this size in pixels is shown.
  public func size(for picture: Size) -> Size {
    guard let freeHeight, let aspect = PixelSize(picture)?.aspect else { return size }
    let height = pictureHeight(forWidth: freeHeight.width, aspect: aspect, cellSize: cellSize)
    let limits = freeHeight.limits
    return Size(width: size.width, height: min(max(height, limits.lowerBound), limits.upperBound))
  }

  /// The maximum number of the video's own covers; those in its text and that of its channel follow.
  private static let maximumAddresses = 4
  /// Scaling down by less than half looks coarse.
  private static let oversampling = 2
  private static let maximumPixels = 100_000

  init?(for video: borrowing Video, size: Size, cellSize: Size, glyphs: BlockGlyphs, wantsPixels: Bool) {
    self.init(addresses: [], size: size, cellSize: cellSize, glyphs: glyphs, wantsPixels: wantsPixels)
    let pixels = wantsPixels ? cellSize : glyphs.pixelsPerCell
    let frame = PixelSize(
      width: min(max(1, Self.oversampling * size.width * pixels.width), Self.maximumPixels),
      height: min(max(1, Self.oversampling * size.height * pixels.height), Self.maximumPixels))
    let covers = video.covers
    guard covers.count > 1, let frame else {
      guard let only = covers.first else { return nil }
      addresses = [only.url]
      return
    }
    // If the best one is missing, the next best follows: a list may begin with the smallest.
    var left = covers.filter { $0.origin == .video }
    while addresses.count < Self.maximumAddresses, let best = video.cover(fitting: frame, among: left) {
      addresses.append(best.url)
      if left.count == 1 { break }
      left.removeAll { $0.url == best.url }
    }
    for cover in covers where cover.origin != .video { addresses.append(cover.url) }
  }
}
