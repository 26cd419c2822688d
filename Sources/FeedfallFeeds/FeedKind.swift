/// The kinds of feed that are understood.
public enum FeedKind: Equatable, Sendable {
  /// Pages of `{"data": {"info_list": […], "end": 0}}`.
  case articles
  /// The lists of PeerTube's and SepiaSearch's REST API.
  case peerTube
  /// feedfall's own form: `{"title": …, "videos": […]}`.
  case catalogue
  /// RSS and Atom of any version.
  case syndication
  /// JSON Feed 1.0 and 1.1.
  case jsonFeed
  /// M3U and XSPF.
  case playlist
  /// The talks, conferences and broadcasts of media.ccc.de and others that run voctoweb.
  case mediaCCC
  /// The files of a MediaWiki, as Wikimedia Commons has them.
  case commons
  /// The items of the Internet Archive.
  case archive
}

extension FeedKind {
  /// Whether its lists may name a second request for what is missing of a video.
  var hasDetails: Bool {
    switch self {
    case .peerTube, .mediaCCC, .archive: true
    case .articles, .commons, .catalogue, .syndication, .jsonFeed, .playlist: false
    }
  }

  /// With how many videos a page is worth showing; lists that hold other things too may give pages with few.
  public var fewestVideos: Int {
    switch self {
    case .articles, .peerTube, .catalogue, .syndication, .jsonFeed, .playlist, .mediaCCC: 1
    case .commons, .archive: 10
    }
  }
}
