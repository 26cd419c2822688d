import FeedfallText

/// Finds the feeds that a web page links to in its head: `<link rel="alternate" type="application/rss+xml" href="…">`.
public enum FeedLinks {
  /// The searched part of a page, in bytes; heads with scripts are long.
  static let searchedByteCount = 1_048_576
  private static let maximumCount = 16

  /// Returns the feeds of the page at `address`, in the order of the page, with feeds of comments last. Links in
  /// comments and scripts are ignored. O(n).
  public static func alternates(inHTML body: [UInt8], from address: WebAddress) -> [WebAddress] {
    let page = Array(body.prefix(searchedByteCount))
    var feeds: [WebAddress] = []
    var comments: [WebAddress] = []
    // The first `<base>` decides (HTML, 4.2.3).
    var base: WebAddress?
    var index = 0
    while feeds.count + comments.count < maximumCount, let open = page[index...].firstIndex(of: UInt8(ascii: "<")) {
      guard let tag = HTMLTag(in: page, at: open) else {
        index = open + 1
        continue
      }
      index = tag.end
      if tag.name == "base", base == nil {
        base = tag["href"].map { WebAddress(resolving: $0, against: address) ?? address }
      }
      guard tag.name == "link", let feed = feed(in: tag, base ?? address), !(feeds + comments).contains(feed) else {
        continue
      }
      if isOfComments(tag, feed) { comments.append(feed) } else { feeds.append(feed) }
    }
    return feeds + comments
  }

  private static let types = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json", "application/json",
  ]

  private static func feed(in tag: HTMLTag, _ base: WebAddress) -> WebAddress? {
    let relations = (tag["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    guard relations.contains("alternate"), let type = tag["type"]?.lowercased(), let href = tag["href"] else {
      return nil
    }
    let kind = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }
    guard types.contains(kind) else { return nil }
    // WordPress links to its API in the same way.
    if kind == "application/json", href.contains("/wp-json/") || href.contains("oembed") { return nil }
    return WebAddress(resolving: href, against: base)
  }

  private static func isOfComments(_ tag: HTMLTag, _ feed: WebAddress) -> Bool {
    [tag["title"] ?? "", feed.text].contains { $0.lowercased().contains("comment") }
  }
}
