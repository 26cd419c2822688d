import FeedfallText

/// A JSON list of something else than videos, recognized by an item that could not be decoded.
enum ForeignList: Equatable {
  case comments
  case channels
  case playlists
  /// The items have titles, but neither a file nor a page.
  case titles
  case other

  /// Returns nil for an item that may stand among videos, such as an empty one or an entry whose video is gone.
  init?(_ item: JSONObject) {
    guard !item.isEmpty, item["position"] == nil else { return nil }
    if item["threadId"] != nil || item["inReplyToCommentId"] != nil || item["commentText"] != nil {
      self = .comments
    } else if item["ownerAccount"] != nil || item["followersCount"] != nil || item["subCount"] != nil
      || item["type"]?.string == "channel"
    {
      self = .channels
    } else if item["videosLength"] != nil || item["videoChannel"] != nil || item["type"]?.string == "playlist" {
      self = .playlists
    } else {
      self = item["title"] != nil || item["name"] != nil ? .titles : .other
    }
  }

  /// Whether it names the items, which lists of videos may have beside them.
  var namesItems: Bool { self == .channels || self == .playlists }

  var failure: FeedFailure {
    let advice = "use the address of a list of videos"
    return switch self {
    case .comments: FeedFailure(.permanent, "the answer is a list of comments, not of videos", advice: advice)
    case .channels: FeedFailure(.permanent, "the answer is a list of channels, not of videos", advice: advice)
    case .playlists: FeedFailure(.permanent, "the answer is a list of playlists, not of videos", advice: advice)
    case .titles:
      FeedFailure(.permanent, "the answer is a list of titles without an address to play or open", advice: advice)
    case .other: FeedFailure(.permanent, "the answer is a list, but not of videos", advice: advice)
    }
  }
}
