/// A picture that stands for a video.
public struct Cover: Equatable, Sendable {
  public var url: WebAddress
  public var width: Int?
  public var height: Int?

  public init(url: WebAddress, width: Int? = nil, height: Int? = nil) {
    self.url = url
    self.width = width
    self.height = height
  }
}
