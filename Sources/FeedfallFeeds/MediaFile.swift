import FeedfallText

/// One media file or stream of a video.
public struct MediaFile: Equatable, Sendable {
  public var url: MediaAddress
  public var mimeType: String?
  public var height: Int?
  /// The languages of its sound, as the feed writes them, such as `deu-eng`.
  public var language: String?

  public init(url: MediaAddress, mimeType: String? = nil, height: Int? = nil, language: String? = nil) {
    self.url = url
    self.mimeType = mimeType
    self.height = height
    self.language = language
  }

  public init(url: WebAddress, mimeType: String? = nil, height: Int? = nil, language: String? = nil) {
    self.init(url: .web(url), mimeType: mimeType, height: height, language: language)
  }
}
