/// A kind of feed; each decoder declares its own.
public struct FeedKind: Equatable, Sendable {
  private let name: String
  /// Whether its lists may refer to a second request for the details of a video.
  let hasDetails: Bool
  /// The count of videos that make a page worth showing; lists with other items too may have pages with few videos.
  public let fewestVideos: Int

  init(_ name: String, hasDetails: Bool = false, fewestVideos: Int = 1) {
    self.name = name
    self.hasDetails = hasDetails
    self.fewestVideos = fewestVideos
  }
}
