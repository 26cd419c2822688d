import FeedfallText

/// The pages of Invidious (`routing.cr` of iv-org/invidious) and of Piped (`ServerLauncher.java` of
/// TeamPiped/Piped-Backend), web frontends of YouTube. The API of Piped is on another host than its pages.
extension Site {
  /// The public instances in docs.invidious.io/instances. Others are recognized by their pages.
  private static let invidiousHosts: Set<String> = [
    "inv.nadeko.net", "invidious.nerdvpn.de", "yewtu.be", "invidious.f5.si", "inv.perditum.com", "iv.melmac.space",
  ]
  /// The hosts of the API by those of the pages (docs.piped.video/docs/public-instances).
  private static let pipedHosts = [
    "piped.video": "pipedapi.kavin.rocks", "piped.kavin.rocks": "pipedapi.kavin.rocks",
    "piped.adminforge.de": "pipedapi.adminforge.de", "piped.yt": "api.piped.yt",
    "piped.private.coffee": "api.piped.private.coffee",
  ]

  /// The start of the addresses of the server of Invidious that lists a video; nil for another one.
  static func invidiousServer(of video: Video, _ source: WebAddress?) -> String? {
    if let details = video.detailsURL, KnownSite.isInvidious(details) { return details.origin }
    // Once the details are known, the channel names the server.
    if let channel = video.channelURL, channel.pathSegments.first == "channel", !YouTubeSite.isHere(channel) {
      return channel.origin
    }
    guard let source, invidiousHosts.contains(source.host) || source.path.hasPrefix("/api/v1/") else { return nil }
    return source.origin
  }

  /// The start of the addresses of the API of Piped that has a list; nil for another server.
  static func pipedServer(of list: WebAddress) -> String? {
    if let host = pipedHosts[list.host] { return "https://" + host }
    let isAPI = ["streams", "nextpage", "playlists"].contains(list.pathSegments.first)
    return isAPI || pipedHosts.values.contains(list.host) ? list.origin : nil
  }

  /// Returns the page of a channel of which an address is a page or a request; nil for other addresses, and on Piped.
  static func invidiousChannel(_ address: WebAddress) -> WebAddress? {
    let path = address.pathSegments
    let place = [["channel"], ["api", "v1", "channels"]].first { path.starts(with: $0) }
    guard let place, let channel = YouTubeSite.ChannelID(path.dropFirst(place.count).first),
      pipedServer(of: address) == nil
    else { return nil }
    return WebAddress("\(address.origin)/channel/\(channel.text)")
  }

  private static let checks: [String: @Sendable (String) -> Bool] = [
    "id": isYouTubeID, "video": { YouTubeSite.VideoID($0) != nil },
  ]

  @Sendable static func isYouTubeID(_ text: String) -> Bool {
    (2...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.isOfYouTubeID)
  }

  private static let ofChannel = ["sort_by", "continuation"]

  static let invidious = Site(
    { invidiousHosts.contains($0.host) }, search: "/search?q=", api: { $0.origin + "/api/v1" }, where: checks,
    pages: [
      Route(
        "/channel/{id}/{tab:shorts|streams|playlists|podcasts|releases|courses|channels}/…", "/channels/{id}/{tab}",
        passing: ofChannel),
      Route("/channel/{id}/search/…", "/channels/{id}/search", passing: ["q", "page"]),
      Route("/channel/{id}/community|posts/…") { _ in
        .refused(listOf: "posts", advice: "use the address of the channel")
      },
      // It redirects to the current broadcast.
      Route("/channel/{id}/live/…") { _ in nil },
      // Invidious shows the videos for any other name.
      Route("/channel/{id}/…", "/channels/{id}/videos", passing: ofChannel),
      Route("/{list:playlist|mix}/…") { page in
        guard let id = page["?list"], isYouTubeID(id) else { return nil }
        let isMix = page["list"] == "mix" || id.hasPrefix("RD")
        return page.list((isMix ? "/mixes/" : "/playlists/") + id, passing: isMix ? [] : ["page"])
      },
      Route("/search|results/…", invidiousSearch),
      Route("/hashtag/{tag}", "/hashtag/{tag}", passing: ["page", "region"]),
      // The answer has the ID of the channel; see `KnownSite.meaning(ofDirectory:at:)`.
      Route("/@{name}", "/resolveurl?url=https://www.youtube.com/@{name}"),
      Route("/@{name}/videos", "/resolveurl?url=https://www.youtube.com/@{name}"),
      Route("/@{name}/{tab:shorts|streams|playlists}", "/resolveurl?url=https://www.youtube.com/@{name}#{tab}"),
      Route("/{kind:c|user}/{name}", "/resolveurl?url=https://www.youtube.com/{kind}/{name}"),
      Route("/", "/popular"), Route("/popular/…", "/popular"),
      Route("/feed/popular", "/popular"),
      Route("/feed/trending", "/trending", passing: ["type", "region"]),
    ] + video(at: "/videos/"))

  private static func video(at path: String) -> [Route] {
    [
      Route("/watch|w|v|e|embed|shorts|live/{video}", path + "{video}"),
      Route("/watch|w|v|e|embed|shorts|live") { page in
        YouTubeSite.VideoID(page["?v"]).flatMap { page.list(path + $0.text) }
      },
    ]
  }

  @Sendable private static func invidiousSearch(_ page: Page) -> PageMeaning? {
    guard let words = page["?q"] ?? page["?search_query"] else { return nil }
    let type = page["?type"]?.lowercased() ?? ""
    let kind = ["all", "channel", "playlist", "movie", "show"].contains(type) ? type : "video"
    // The filters of YouTube are one parameter, which overrides those of Invidious.
    let filters = page["?sp"] == nil ? ["date", "duration", "features", "sort", "channel"] : ["sp"]
    return page.list(
      "/search?type=\(kind)&q=\(PercentCoding.encode(words))", passing: filters + ["page", "region"])
  }

  static let piped = Site(
    { pipedHosts[$0.host] != nil }, api: { "https://" + (pipedHosts[$0.host] ?? "") }, where: checks,
    pages: [
      Route("/channel/{id}", "/channel/{id}"), Route("/channel/{id}/videos/…", "/channel/{id}"),
      Route("/@{name}", "/@/{name}"), Route("/@{name}/videos", "/@/{name}"),
      Route("/{kind:c|user}/{name}", "/{kind}/{name}"),
      Route("/channel/{id}/…") { _ in
        .refused("the API of Piped lists only the videos of a channel", advice: "use the address of the channel")
      },
      Route("/playlist/…") { page in page["?list"].flatMap { isYouTubeID($0) ? page.list("/playlists/" + $0) : nil } },
      Route("/results|search/…") { page in
        let filter = page["?filter"] ?? "videos"
        guard ["all", "videos", "channels", "playlists", "music_songs", "music_videos"].contains(filter) else {
          let items = String(filter.split(separator: "_").last ?? "others")
          return .refused(listOf: items, advice: "search with filter=videos")
        }
        let words = (page["?search_query"] ?? page["?q"]).map(PercentCoding.encode)
        return words.flatMap { page.list("/search?q=\($0)&filter=\(filter)") }
      },
    ] + video(at: "/streams/"))
}

extension KnownSite {
  /// Returns another address with the videos of a request, for a server that refuses it: the RSS of a channel or a
  /// playlist for a request to Invidious, which may have disabled its API. Nil if there is none. Other lists of a
  /// channel, other orders and later pages have no RSS.
  public static func alternative(to request: WebAddress) -> WebAddress? {
    let segments = request.pathSegments
    guard segments.count >= 4, segments.starts(with: ["api", "v1"]), Site.isYouTubeID(segments[3]),
      [nil, "videos", "latest"].contains(segments.dropFirst(4).first), request.queryValue("page") == nil,
      request.queryValue("continuation") == nil, [nil, "newest"].contains(request.queryValue("sort_by"))
    else { return nil }
    let list = ["channels": "channel", "playlists": "playlist"][segments[2]]
    return list.flatMap { WebAddress("\(request.origin)/feed/\($0)/\(segments[3])") }
  }
}
