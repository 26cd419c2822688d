import FeedfallText

/// A picture that stands for a video.
public struct Cover: Equatable, Sendable {
  public var url: MediaAddress
  // Thousands of these are kept, so they are as small as what they hold; 0 is unknown.
  private var storedWidth: Int32
  private var storedHeight: Int32

  /// The width in pixels, where the feed tells it.
  public var width: Int? { storedWidth > 0 ? Int(storedWidth) : nil }
  /// The height in pixels, where the feed tells it.
  public var height: Int? { storedHeight > 0 ? Int(storedHeight) : nil }

  /// Widths and heights that are not in 1...100,000 count as unknown.
  public init(url: MediaAddress, width: Int? = nil, height: Int? = nil) {
    func stored(_ length: Int?) -> Int32 {
      length.flatMap { (1...100_000).contains($0) ? Int32($0) : nil } ?? 0
    }
    self.url = url
    storedWidth = stored(width)
    storedHeight = stored(height)
  }

  /// Widths and heights that are not in 1...100,000 count as unknown.
  public init(url: WebAddress, width: Int? = nil, height: Int? = nil) {
    self.init(url: .web(url), width: width, height: height)
  }
}
