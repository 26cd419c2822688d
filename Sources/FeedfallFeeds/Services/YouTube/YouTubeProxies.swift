import FeedfallText

/// A channel or a playlist of YouTube among the results of a search.
private struct YouTubeList {
  let kind: ListLink.Kind
  let id: String

  /// Nil for texts that are no IDs.
  init?(channel: String? = nil, playlist: String? = nil) {
    if let channel = YouTubeSite.ChannelID(channel) {
      (kind, id) = (.channel, channel.text)
    } else if let playlist, Site.isYouTubeID(playlist) {
      (kind, id) = (.playlist, playlist)
    } else {
      return nil
    }
  }

  /// On YouTube, and on Invidious.
  var path: String { kind == .channel ? "/channel/\(id)" : "/playlist?list=\(id)" }
}

extension Fact {
  /// The ID of a video of YouTube, whose page plays it, and its title.
  fileprivate static func youTube(_ id: @escaping @Sendable (JSONObject, WebAddress?) -> YouTubeSite.VideoID?) -> Fact {
    Fact { draft in
      guard let id = id(draft.item, draft.web) else { return }
      draft.video.id = id.text
      (draft.video.pageURL, draft.video.playback) = (id.page, .page(id.page))
      draft.video.title = draft.item.line("title", limit: 500) ?? Video.untitled
    }
  }

  /// A list, which the server of the document has at `path`.
  fileprivate static func youTubeList(
    _ list: @escaping @Sendable (JSONObject) -> YouTubeList?, at path: @escaping @Sendable (YouTubeList) -> String,
    videoCount: StaticString, followerCount: StaticString
  ) -> Fact {
    Fact { draft in
      guard let list = list(draft.item), let page = WebAddress("https://www.youtube.com" + list.path) else { return }
      let address = draft.place(path(list)) ?? page
      (draft.video.id, draft.video.pageURL) = (list.id, page)
      draft.video.playback = .list(
        ListLink(
          list.kind, .web(address), videoCount: draft.item.count(videoCount),
          followerCount: draft.item.count(followerCount)))
      if list.kind == .channel { draft.video.channelURL = address }
    }
  }
}

extension Service {
  /// Invidious (docs.invidious.io/api): a video in a list, or by itself with its files. `results` are those of a hashtag.
  static let invidious = Service(
    .youTubeProxy, site: .invidious, list: "results",
    matches: { item in
      item["videoId"] != nil && item["title"] != nil
        && (item["lengthSeconds"] != nil || item["videoThumbnails"] != nil) || isOtherResult(item)
    },
    inNamedLists: true, isVideo: { $0["formatStreams"] != nil || $0["adaptiveFormats"] != nil },
    other: { item, _ in
      switch item["type"]?.string {
      case nil, "video", "shortVideo": nil
      // The server could not read a result.
      case "parse-error": .unusable
      // Hashtags in search results are ignored.
      default: invidiousList(item) == nil ? .ignored : nil
      }
    },
    facts: [
      .youTube { item, _ in YouTubeSite.VideoID(item["videoId"]?.string) },
      .details(at: "/api/v1/videos/", unless: "formatStreams|adaptiveFormats"),
      Fact { draft in
        let item = draft.item
        guard item["liveNow"] != nil || item["isUpcoming"] != nil else { return }
        let live: LiveState? = item["liveNow"]?.bool == true ? .live : nil
        let isUpcoming = item["isUpcoming"]?.bool == true
        draft.video.statedLive = LiveState.Statement(
          isUpcoming ? .upcoming(item["premiereTimestamp"].flatMap(UnixTime.init)) : live)
      },
      .duration("lengthSeconds"),
      Fact { draft in
        if draft.video.live != nil { draft.video.duration = nil }
        draft.video.covers = draft.item.covers("videoThumbnails", limit: 16, base: draft.web)
          .sorted { ($0.width ?? 0) < ($1.width ?? 0) }
      },
      .channel("author"),
      // The page of the channel on the same server.
      Fact { draft in
        guard let channel = YouTubeSite.ChannelID(draft.item["authorId"]?.string) else { return }
        draft.video.channelURL = draft.shared.shared(draft.place("/channel/\(channel.text)"))
      },
      .published("published"), .views("viewCount"), .summary("description"), .flag(.short, "isShort"),
      .statedFlag(.sensitive, "isFamilyFriendly", is: false), .flag(.paid, "paid"),
      // Those with picture and sound.
      .files(streams: "hlsUrl", "formatStreams", type: "type") { file, object in
        let size = (object["size"]?.string ?? "").split(separator: "x").compactMap { Int($0) }
        file.size = size.count == 2 ? PixelSize(width: size[0], height: size[1]) : nil
        return true
      },
    ],
    isLink: { invidiousList($0) != nil },
    linkFacts: [
      .youTubeList({ invidiousList($0) }, at: { $0.path }, videoCount: "videoCount", followerCount: "subCount"),
      .title("title|author"), .channel("author"), .summary("description"), .covers("playlistThumbnail"),
      Fact { draft in
        guard draft.video.covers.isEmpty else { return }
        draft.video.covers = draft.item.covers("authorThumbnails", limit: 16, base: draft.web)
          .sorted { ($0.width ?? 0) < ($1.width ?? 0) }
      },
    ],
    answer: { invidiousLists(in: $0, from: $1) },
    // It counts the pages of searches and playlists, and sends a token for those of channels.
    next: { address, end in
      guard end.videoCount > 0 else { return nil }
      if let token = end.facts["continuation"]?.string.nonEmpty {
        return NextPage(tokens: [("continuation", token)], after: address)
      }
      let path = address.pathSegments
      let page = address.queryValue("page").map { Int($0) ?? maximumPage } ?? 1
      let isCounted = ["search", "playlists", "hashtag"].contains(path.dropFirst(2).first) || path.last == "search"
      guard isCounted, (1..<maximumPage).contains(page) else { return nil }
      return NextPage(tokens: [("page", String(page + 1))], after: address)
    },
    related: { video, source in
      guard let id = video.youTubeID, let server = Site.invidiousServer(of: video, source) else { return nil }
      return RelatedVideos.list("\(server)/api/v1/videos/\(id)", relatedTo: id)
    })

  /// Decodes the related videos of a video, the playlists of a channel, or the channels that it recommends.
  private static func invidiousLists(in object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    if let related = invidious.relatedVideos(in: object, "recommendedVideos", from: address) { return related }
    guard let address, address.path.hasPrefix("/api/v1/channels/") else { return nil }
    let list: StaticString
    switch address.pathSegments.dropFirst(4).first {
    case "playlists", "podcasts", "releases", "courses": list = "playlists"
    // The answer about the channel itself has this list, too.
    case "channels": list = "relatedChannels"
    default: return nil
    }
    var answer = invidious.decodeList(list, in: object, from: address)
    if answer?.videos.isEmpty == false, let token = object["continuation"]?.string.nonEmpty {
      answer?.nextPage = NextPage(tokens: [("continuation", token)], after: address)
    }
    return answer
  }

  private static let maximumPage = 1_000

  /// Whether it is another result of a search (`serialized_yt_data.cr` of iv-org/invidious).
  private static func isOtherResult(_ item: JSONObject) -> Bool {
    switch item["type"]?.string {
    case "channel": item["authorId"] != nil
    case "playlist": item["playlistId"] != nil
    case "hashtag": item["channelCount"] != nil
    default: false
    }
  }

  private static func invidiousList(_ item: JSONObject) -> YouTubeList? {
    switch item["type"]?.string {
    case "channel": YouTubeList(channel: item["authorId"]?.string)
    case "playlist": YouTubeList(playlist: item["playlistId"]?.string)
    default: nil
    }
  }

  private static let youTubePage = WebAddress("https://www.youtube.com/")

  /// A list of Piped (docs.piped.video/docs/api-documentation, `StreamItem` of TeamPiped/Piped-Backend).
  static let piped = Service(
    .youTubeProxy, site: .piped, list: "relatedStreams",
    matches: { item in
      item["url"]?.string?.hasPrefix("/") == true
        && (item["uploaderName"] != nil || item["uploaderUrl"] != nil
          || ["stream", "channel", "playlist"].contains(item["type"]?.string))
    },
    inNamedLists: true,
    // Other results are ignored.
    other: { item, _ in
      guard let type = item["type"]?.string, type != "stream" else { return nil }
      return pipedList(item) == nil ? .ignored : nil
    },
    facts: [
      .youTube { item, _ in item.address("url", base: youTubePage).flatMap(YouTubeSite.video) },
      .channel("uploaderName"), .summary("shortDescription"), .covers("thumbnail"), .published("uploaded"),
    ] + pipedFacts + [
      Fact { draft in
        let isShorts = draft.item.address("url", base: youTubePage)?.pathSegments.first == "shorts"
        if draft.item["isShort"]?.bool == true || isShorts {
          draft.video.flags.insert(.short)
        } else if draft.item["duration"]?.integer == -1 {
          // The length of a premiere is unknown until it begins. Broadcasts have no time.
          draft.video.live = draft.video.published.map { .upcoming($0) } ?? .live
          draft.video.liveEnd = draft.video.published
        }
      }
    ],
    isLink: { pipedList($0) != nil },
    linkFacts: [
      .youTubeList(
        { pipedList($0) }, at: { ($0.kind == .channel ? "/channel/" : "/playlists/") + $0.id }, videoCount: "videos",
        followerCount: "subscribers"),
      .title("name"), .channel("uploaderName"), .summary("description"), .covers("thumbnail"),
    ],
    // It sends a token for a path of its own. Searches write the text `null` after their last page.
    next: { address, end in
      guard end.videoCount > 0, let token = end.facts["nextpage"]?.string.nonEmpty, token != "null" else { return nil }
      let path = address.pathSegments.first == "nextpage" ? address.path : "/nextpage" + address.path
      let query = address.query.map { "?" + $0 } ?? ""
      let next = WebAddress(address.origin + path + query)?.setting(query: "nextpage", to: token)
      return next.flatMap { WebAddress($0.text) }.map { NextPage($0) }
    },
    related: { video, source in
      guard let id = video.youTubeID, let server = source.flatMap(Site.pipedServer) else { return nil }
      return RelatedVideos.list("\(server)/streams/\(id)", relatedTo: id)
    })

  private static func pipedList(_ item: JSONObject) -> YouTubeList? {
    let page = item.address("url", base: youTubePage)
    return switch item["type"]?.string {
    case "channel": YouTubeList(channel: page?.pathSegments.last)
    case "playlist": YouTubeList(playlist: page?.queryValue("list"))
    default: nil
    }
  }

  /// A video of Piped with its files (`Streams`). Its ID is that of the request, or in the address of its picture,
  /// `/vi/ID/NAME.jpg`.
  static let pipedVideo = Service(
    .youTubeProxy, isVideo: { $0["videoStreams"] != nil && $0["audioStreams"] != nil },
    facts: [
      .youTube { item, address in
        YouTubeSite.VideoID(address?.pathSegments.last)
          ?? item.address("thumbnailUrl", base: youTubePage)?.pathSegments.firstNonNil { YouTubeSite.VideoID($0) }
      },
      .channel("uploader"), .summary("description"), .covers("thumbnailUrl"), .published("uploaded|uploadDate"),
    ] + pipedFacts + [
      Fact { $0.video.statedLive = LiveState.Statement($0.item["livestream"]?.bool == true ? .live : nil) },
      .chapters(start: "start"),
      .files(streams: "hls", "videoStreams", type: "mimeType") { _, object in object["videoOnly"]?.bool != true },
    ],
    answer: { piped.relatedVideos(in: $0, "relatedStreams", from: $1) })

  private static let pipedFacts: [Fact] = [
    .duration("duration"), .views("views"),
    Fact { draft in
      draft.video.statedLive = .absent
      let channel = draft.item.address("uploaderUrl", base: youTubePage)?.pathSegments.last
      draft.video.channelURL = draft.shared.shared(YouTubeSite.ChannelID(channel)?.page)
    },
  ]
}
