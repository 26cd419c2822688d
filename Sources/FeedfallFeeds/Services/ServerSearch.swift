import FeedfallText

/// The searches of servers that have one.
public enum ServerSearch {
  /// The minimum length of an ID that only PeerTube has. Very old instances have numbers, like other sites.
  private static let minimumIDLength = 20

  /// Returns the address of the videos that a server finds; nil for a server without a known search.
  ///
  /// - Parameters:
  ///   - source: the address of a source on the server.
  ///   - videos: some videos of the source, by which servers of PeerTube and Invidious are recognized.
  public static func address(for words: String, onServerOf source: WebAddress, videos: [Video]) -> WebAddress? {
    let words = PercentCoding.encode(words)
    switch source.host {
    case "sepiasearch.org": return WebAddress("https://sepiasearch.org/search?search=\(words)")
    case "commons.wikimedia.org", "commons.m.wikimedia.org":
      return WebAddress("https://commons.wikimedia.org/w/index.php?search=\(words)")
    case "archive.org", "www.archive.org": return WebAddress("\(ArchiveSite.origin)/search?query=\(words)")
    case "media.ccc.de", "www.media.ccc.de", "api.media.ccc.de":
      return WebAddress("https://media.ccc.de/search?q=\(words)")
    default: break
    }
    let pages = videos.flatMap { [$0.detailsURL, $0.pageURL].compactMap(\.self) }.filter { $0.origin == source.origin }
    if PeerTubeEndpoint(address: source)?.isCertain == true || pages.contains(where: isPeerTube) {
      return WebAddress("\(source.origin)/api/v1/search/videos?search=\(words)")
    }
    let isInvidious = YouTubeProxySite.isPublicInvidious(source.host) || pages.contains(where: isInvidious)
    return isInvidious ? WebAddress("\(source.origin)/search?q=\(words)") : nil
  }

  private static func isPeerTube(_ video: WebAddress) -> Bool {
    guard PeerTubeEndpoint(address: video)?.isSingleVideo == true, let id = video.pathSegments.last else {
      return false
    }
    return id.utf8.count >= minimumIDLength
  }

  private static func isInvidious(_ video: WebAddress) -> Bool {
    video.path.hasPrefix("/api/v1/videos/") && YouTubeVideoID(video.pathSegments.last) != nil
  }
}
