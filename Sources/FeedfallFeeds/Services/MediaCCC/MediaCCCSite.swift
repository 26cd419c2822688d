import FeedfallText

extension Site {
  /// The API of media.ccc.de can list neither by tag nor by person.
  static let mediaCCC = Site(
    "media.ccc.de", "www.media.ccc.de", "api.media.ccc.de", search: "https://media.ccc.de/search?q=",
    api: "https://api.media.ccc.de/public",
    pages: [
      Route("/public/…") { .list($0.address) },
      Route("/") { events("recent", $0) },
      Route("/{list:recent|promoted|popular|unpopular}/…") { page in
        let year = page["list"]?.hasSuffix("popular") == true ? page["…"].flatMap { Int($0) } : nil
        return events((page["list"] ?? "") + (year.map { "?year=\($0)" } ?? ""), page)
      },
      Route("/search/…", mediaCCCSearch),
      Route("/c/{acronym}/podcast/…") { _ in nil },
      Route("/c/{acronym}", "/conferences/{acronym}"),
      Route("/c/{acronym}/{tag}/…") { refused(tag: $0["tag"] ?? "") },
      Route("/tags/{tag}/…") { refused(tag: $0["tag"] ?? "") },
      Route("/v/{talk}", "/events/{talk}"),
      Route("/a/…", "/conferences"),
      // A folder is a part of the list of conferences, so it is stored in the fragment (RFC 3986, 3.5).
      Route("/b/…") { page in page.list("/conferences" + (page["…"].map { "#" + $0 } ?? "")) },
    ])

  static let mediaCCCStreams = Site(
    "streaming.media.ccc.de", pages: [Route("/…", "https://streaming.media.ccc.de/streams/v2.json")])

  private static let maximumCount = 256

  private static func events(_ list: String, _ page: Page) -> PageMeaning? {
    guard let list = page.list("/events/" + list, passing: ["page"])?.list else { return nil }
    return .list(page.count.map { list.setting(query: "per_page", to: String(min(max($0, 1), maximumCount))) } ?? list)
  }

  private static func refused(tag: String) -> PageMeaning {
    .refused(
      "the API of media.ccc.de cannot list talks by tag",
      advice: "search for the tag: https://media.ccc.de/search?q=\(PercentCoding.encode(cleanedLine(tag, limit: 80)))")
  }

  @Sendable private static func mediaCCCSearch(_ page: Page) -> PageMeaning? {
    guard let words = page["?q"] else {
      return page["?p"].map { name in
        .refused(
          "the API of media.ccc.de cannot list talks by person",
          advice: "search for the name: https://media.ccc.de/search?q=\(PercentCoding.encode(name))")
      }
    }
    if let order = page["?sort"], order != "relevance" {
      return .refused("the API of media.ccc.de cannot sort a search", advice: "search without sort=")
    }
    return events("search?q=\(PercentCoding.encode(words))", page)
  }
}
