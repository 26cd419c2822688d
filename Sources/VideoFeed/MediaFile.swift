/// One media file or stream of a video.
public struct MediaFile: Equatable, Sendable {
  public var url: MediaAddress
  public var mimeType: String?
  public var height: Int?

  public init(url: MediaAddress, mimeType: String? = nil, height: Int? = nil) {
    self.url = url
    self.mimeType = mimeType
    self.height = height
  }

  public init(url: WebAddress, mimeType: String? = nil, height: Int? = nil) {
    self.init(url: .web(url), mimeType: mimeType, height: height)
  }
}
