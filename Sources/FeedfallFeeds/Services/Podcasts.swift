import FeedfallText

extension FeedKind {
  /// The podcasts that Apple's directory finds.
  public static let podcasts = FeedKind("podcasts")
}

extension Service {
  /// Apple's directory of podcasts (performance-partners.apple.com/search-api). It has no pages.
  static let podcasts = Service(
    .podcasts,
    site: Site(
      "itunes.apple.com", search: "https://itunes.apple.com/search?media=podcast&term=",
      pages: [
        Route("/search") { page in
          guard page["?media"] == "podcast", page["?term"] != nil else { return nil }
          let count = page.count ?? page["?limit"].flatMap { Int($0) } ?? usualPodcastCount
          return .list(page.address.setting(query: "limit", to: String(min(max(count, 1), maximumPodcastCount))))
        }
      ]),
    matches: { $0["kind"]?.string == "podcast" && $0["collectionName"] != nil }, inNamedLists: true,
    // Some podcasts are for subscribers of Apple only.
    other: { $0.address(at: "feedUrl", base: nil) == nil ? .unusable : nil },
    facts: [
      .id("collectionId|trackId"), .title("collectionName|trackName"), .author("artistName"),
      .channel("collectionName|trackName"), .covers("artworkUrl100", "artworkUrl600"), .published("releaseDate"),
      Fact { adoptPodcast(&$0) },
    ])

  private static let usualPodcastCount = 50
  private static let maximumPodcastCount = 200
  private static let maximumGenreCount = 8

  /// The feed with the episodes.
  private static func adoptPodcast(_ draft: inout VideoDraft) {
    let feed = draft.shared.shared(draft.item.address(at: "feedUrl", base: nil))
    (draft.video.pageURL, draft.video.channelURL) = (feed, feed)
    let genres = draft.item.texts("genres").prefix(maximumGenreCount).map { cleanedLine($0, limit: 100) }
    draft.video.extras.categories = genres.filter { !$0.isEmpty && $0 != "Podcasts" }
    guard let feed else { return }
    draft.video.playback = .list(ListLink(.podcast, .web(feed), videoCount: draft.item["trackCount"]?.integer))
  }
}
