import FeedfallDocuments
import FeedfallText

/// A cover picture of a video.
public struct Cover: Equatable, Sendable {
  public var url: MediaAddress
  // Compact, because there are thousands of them; 0 means unknown.
  private var storedWidth: Int32
  private var storedHeight: Int32
  /// Whether this is the picture of the channel, in place of one of the video.
  public var isOfChannel = false

  /// The width in pixels; nil if it is unknown.
  public var width: Int? { storedWidth > 0 ? Int(storedWidth) : nil }
  /// The height in pixels; nil if it is unknown.
  public var height: Int? { storedHeight > 0 ? Int(storedHeight) : nil }

  /// A width or height outside 1...100,000 counts as unknown.
  public init(url: MediaAddress, width: Int? = nil, height: Int? = nil) {
    func stored(_ length: Int?) -> Int32 {
      length.flatMap { (1...PixelSize.maximum).contains($0) ? Int32($0) : nil } ?? 0
    }
    self.url = url
    storedWidth = stored(width)
    storedHeight = stored(height)
  }

  /// Wraps the picture of a channel.
  init(ofChannel url: WebAddress) {
    self.init(url: url)
    isOfChannel = true
  }

  /// A width or height outside 1...100,000 counts as unknown.
  public init(url: WebAddress, width: Int? = nil, height: Int? = nil) {
    self.init(url: .web(url), width: width, height: height)
  }
}

/// A width and a height in pixels, both positive.
public struct PixelSize: Equatable, Sendable {
  // Compact, because there are thousands of them.
  private let storedWidth: Int32
  private let storedHeight: Int32

  public var width: Int { Int(storedWidth) }
  public var height: Int { Int(storedHeight) }

  static let maximum = 100_000

  /// Returns nil unless both are in 1...100,000.
  public init?(width: Int, height: Int) {
    guard (1...PixelSize.maximum).contains(width), (1...PixelSize.maximum).contains(height) else { return nil }
    storedWidth = Int32(width)
    storedHeight = Int32(height)
  }
}

extension JSONObject {
  func pictureSize(_ width: StaticString = "width", _ height: StaticString = "height") -> PixelSize? {
    guard let width = self[width]?.integer, let height = self[height]?.integer else { return nil }
    return PixelSize(width: width, height: height)
  }
}
