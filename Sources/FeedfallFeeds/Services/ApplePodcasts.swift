import FeedfallText

extension Service {
  /// Apple Podcasts (performance-partners.apple.com/search-api): a search, which has no pages, the feed of a podcast, or
  /// an episode, `?i=NUMBER`, from the list of the newest ones.
  static let applePodcasts = Service(
    .applePodcasts,
    site: Site(
      "podcasts.apple.com", "embed.podcasts.apple.com", "itunes.apple.com",
      search: "https://itunes.apple.com/search?media=podcast&term=", api: lookup,
      where: ["podcast": isNumber, "country": { $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isASCIILetter) }],
      pages: [
        Route("/search") { page in
          guard page["?media"] == "podcast", page["?term"] != nil else { return nil }
          let count = page.count ?? page["?limit"].flatMap { Int($0) } ?? usualPodcastCount
          return .list(page.address.setting(query: "limit", to: String(min(max(count, 1), maximumPodcastCount))))
        },
        Route("/lookup") { .list($0.address) },
        Route("/{country}/podcast/{name}/id{podcast}", podcast), Route("/{country}/podcast/id{podcast}", podcast),
        Route("/podcast/{name}/id{podcast}", podcast), Route("/podcast/id{podcast}", podcast),
      ]),
    matches: { $0["wrapperType"]?.string != nil && ($0["collectionId"] ?? $0["trackId"])?.integer != nil },
    inNamedLists: true,
    other: { item, address in
      let isLookup = address?.web.map(AppleDirectory.isHere) == true
      guard !isLookup || item.isEpisode && item.isWanted(at: address?.web) else { return .ignored }
      // Some podcasts are for subscribers of Apple only.
      return item.isEpisode || item.address(at: "feedUrl", base: nil) != nil ? nil : .unusable
    },
    facts: episodeFacts, isLink: { !$0.isEpisode }, linkFacts: podcastFacts)

  private static let lookup = "https://itunes.apple.com/lookup"
  private static let usualPodcastCount = 50
  private static let maximumPodcastCount = 200
  private static let maximumGenreCount = 8

  private static let podcastFacts: [Fact] = [
    .id("collectionId|trackId"), .title("collectionName|trackName"), .author("artistName"),
    .channel("collectionName|trackName"), .covers("artworkUrl100", "artworkUrl600"), .published("releaseDate"),
    Fact { adoptPodcast(&$0) },
  ]

  private static func adoptPodcast(_ draft: inout VideoDraft) {
    let feed = draft.shared.shared(draft.item.address(at: "feedUrl", base: nil)?.withoutUser)
    (draft.video.pageURL, draft.video.channelURL) = (feed, feed)
    let genres = draft.item.texts("genres").prefix(maximumGenreCount).map { cleanedLine($0, limit: 100) }
    draft.video.extras.categories = genres.filter { !$0.isEmpty && $0 != "Podcasts" }
    guard let feed else { return }
    draft.video.playback = .list(ListLink(.podcast, .web(feed), videoCount: draft.item["trackCount"]?.integer))
  }

  @Sendable private static func isNumber(_ text: String) -> Bool {
    (1...15).contains(text.utf8.count) && text.utf8.allSatisfy(\.isASCIIDigit)
  }

  @Sendable private static func podcast(_ page: Page) -> PageMeaning? {
    let country = page["country"].map { "&country=" + $0 } ?? ""
    let request = "\(lookup)?id=\(page["podcast"] ?? "")\(country)"
    // An answer with this entity alone has episodes, and at most 200.
    guard let episode = page["?i"], isNumber(episode) else { return page.list(request + "&entity=podcast") }
    return page.list(request + "&entity=podcastEpisode&limit=200&i=" + episode)
  }

  private static let episodeFacts: [Fact] = [
    .id("episodeGuid|trackId"), .title("trackName"),
    Fact { draft in
      draft.video.pageURL = draft.item.address("trackViewUrl", base: nil)
      guard let url = draft.item.address("episodeUrl", base: nil) else {
        draft.video.id = ""
        return
      }
      draft.video.adopt([OfferedFile(url, type: nil, medium: draft.item["episodeContentType"]?.string)])
      draft.video.duration = draft.item["trackTimeMillis"]?.double.flatMap {
        VideoDuration(seconds: ($0 / 1_000).rounded())
      }
    },
    .covers("artworkUrl600|artworkUrl160"), .channel("collectionName"), .channelPage("feedUrl"),
    .published("releaseDate"), .summary("description|shortDescription", as: .html),
  ]
}

extension JSONObject {
  fileprivate var isEpisode: Bool { self["wrapperType"]?.string == "podcastEpisode" }

  fileprivate func isWanted(at address: WebAddress?) -> Bool {
    address?.queryValue("i").map { $0 == self["trackId"]?.text } ?? true
  }
}

enum AppleDirectory {
  static func isHere(_ address: WebAddress) -> Bool { address.host == "itunes.apple.com" && address.path == "/lookup" }

  /// Nil for an answer with the wanted episode.
  static func meaning(of answer: JSONObject, at address: WebAddress) -> PageMeaning? {
    let results = answer.objects("results", limit: 201)
    if results.contains(where: { $0.isEpisode && $0.isWanted(at: address) }) { return nil }
    let feed = results.firstNonNil { $0.address("feedUrl", base: nil) }
    return feed.map(PageMeaning.list) ?? .podcastWithoutFeed
  }
}
