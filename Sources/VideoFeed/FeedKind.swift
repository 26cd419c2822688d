/// The kinds of feed that are understood.
public enum FeedKind: Equatable, Sendable {
  /// Pages of `{"data": {"info_list": […], "end": 0}}`.
  case articles
  /// The lists of PeerTube's and SepiaSearch's REST API.
  case peerTube
  /// feedfall's own form: `{"title": …, "videos": […]}`.
  case catalogue
}
