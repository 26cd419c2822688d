/// A kind of feed; each decoder declares its own.
public struct FeedKind: Equatable, Sendable, CustomStringConvertible {
  /// The name, such as `syndication`.
  public let description: String
  /// Whether its lists may refer to a second request for the details of a video.
  let hasDetails: Bool
  /// The count of videos that make a page worth showing; lists with other items too may have pages with few videos.
  public let fewestVideos: Int

  init(_ name: String, hasDetails: Bool = false, fewestVideos: Int = 1) {
    description = name
    self.hasDetails = hasDetails
    self.fewestVideos = fewestVideos
  }
}
