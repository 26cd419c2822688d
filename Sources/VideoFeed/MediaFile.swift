/// One media file or stream of a video.
public struct MediaFile: Equatable, Sendable {
  public var url: WebAddress
  public var mimeType: String?
  public var height: Int?

  public init(url: WebAddress, mimeType: String? = nil, height: Int? = nil) {
    self.url = url
    self.mimeType = mimeType
    self.height = height
  }
}
