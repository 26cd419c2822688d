/// The namespaces that occur in feeds.
package enum XMLNamespace: Equatable {
  /// RSS of any version, and no namespace.
  case rss
  case atom
  case media
  case itunes
  case podcast
  case podlove
  case youTube
  case dublinCore
  case content
  case history
  case xhtml
  /// `xml:base` and its like.
  case xml
  case other

  /// Whether the elements of a feed itself may be in it.
  @inlinable package var isFeed: Bool { self == .rss || self == .atom }

  private static let known: [(start: [UInt8], space: XMLNamespace)] =
    ([
      ("www.w3.org/2005/atom", .atom), ("purl.org/atom/ns", .atom), ("www.w3.org/1999/xhtml", .xhtml),
      ("search.yahoo.com/mrss", .media), ("tools.search.yahoo.com/mrss", .media),
      ("www.rssboard.org/media-rss", .media), ("video.search.yahoo.com/mrss", .media),
      ("www.itunes.com/dtds/podcast", .itunes), ("itunes.com/dtds/podcast", .itunes),
      ("example.com/dtds/podcast", .itunes), ("www.google.com/schemas/play-podcasts", .itunes),
      ("podcastindex.org/namespace", .podcast), ("github.com/podcastindex-org/podcast-namespace", .podcast),
      ("podlove.org/simple-chapters", .podlove),
      ("www.youtube.com/xml/schemas", .youTube), ("gdata.youtube.com/schemas", .youTube),
      ("purl.org/dc/elements", .dublinCore), ("purl.org/dc/terms", .dublinCore), ("purl.org/dc/", .dublinCore),
      ("purl.org/rss/1.0/modules/content", .content), ("purl.org/rss/1.0/modules", .other),
      ("purl.org/syndication/history", .history), ("purl.org/rss/1.0", .rss), ("purl.org/net/rss", .rss),
      // The enclosures of RSS 1.0.
      ("purl.oclc.org/net/rss_2.0/enc", .rss),
      ("my.netscape.com", .rss), ("my.userland.com", .rss), ("backend.userland.com/rss", .rss),
      ("backend.userland.com/blogchannel", .other), ("blogs.law.harvard.edu/tech/rss", .rss),
      ("www.rssboard.org/rss", .rss), ("channel.netscape.com/rdf", .rss),
      ("www.w3.org/1999/02/22-rdf-syntax-ns", .rss), ("www.w3.org/xml/1998/namespace", .xml),
    ] as [(String, XMLNamespace)]).map { (Array($0.0.utf8), $0.1) }

  private static let longestAddress = 256
  private static let longestUsualPrefix = 10

  /// Returns the namespace of an address; nil if it is unknown. Spelling varies in case, scheme and trailing slashes and
  /// numbers.
  init?(address: String) {
    guard address.utf8.count <= Self.longestAddress else { return nil }
    let name = Array(address.utf8.map(\.lowercased).drop { $0 <= 0x20 })
    let scheme = ["https://", "http://"].first { name.starts(with: $0.utf8) }
    let bare = name.dropFirst(scheme?.utf8.count ?? 0)
    guard let match = Self.known.first(where: { bare.starts(with: $0.start) }) else { return nil }
    self = match.space
  }

  /// Returns the namespace that a prefix denotes in nearly all feeds.
  init?(usualPrefix prefix: some Collection<UInt8>) {
    guard prefix.count <= Self.longestUsualPrefix else { return nil }
    switch String(decoding: prefix, as: UTF8.self).lowercased() {
    case "rss", "rdf", "enc": self = .rss
    case "atom", "atom03", "atom10", "a10": self = .atom
    case "media": self = .media
    case "itunes", "googleplay": self = .itunes
    case "podcast": self = .podcast
    case "psc": self = .podlove
    case "yt": self = .youTube
    case "dc", "dcterms", "dct": self = .dublinCore
    case "content": self = .content
    case "fh": self = .history
    case "xhtml": self = .xhtml
    case "xml": self = .xml
    default: return nil
    }
  }
}
