/// A kind of feed; each decoder declares its own.
public struct FeedKind: Equatable, Sendable, CustomStringConvertible {
  /// The name, such as `syndication`.
  public let description: String
  /// Whether its lists may refer to a second request for the details of a video.
  let hasDetails: Bool
  /// The count of videos that make a page worth showing; lists with other items too may have pages with few videos.
  public let fewestVideos: Int
  /// Whether IDs that are no addresses are unique only within a feed. Services have IDs of their own.
  let hasOwnIDs: Bool

  init(_ name: String, hasDetails: Bool = false, fewestVideos: Int = 1, hasOwnIDs: Bool = false) {
    description = name
    self.hasDetails = hasDetails
    self.fewestVideos = fewestVideos
    self.hasOwnIDs = hasOwnIDs
  }
}
