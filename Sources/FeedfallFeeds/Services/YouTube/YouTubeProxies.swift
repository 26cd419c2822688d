import FeedfallText

extension FeedKind {
  /// The answers of Invidious and Piped.
  public static let youTubeProxy = FeedKind("youTubeProxy", hasDetails: true)
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
}

extension Service {
  /// Invidious (docs.invidious.io/api): a video in a list, or by itself with its files. `results` are those of a hashtag.
  static let invidious = Service(
    .youTubeProxy, list: "results",
    matches: { item in
      item["videoId"] != nil && item["title"] != nil
        && (item["lengthSeconds"] != nil || item["videoThumbnails"] != nil) || isOtherResult(item)
    },
    inNamedLists: true, isVideo: { $0["formatStreams"] != nil || $0["adaptiveFormats"] != nil },
    other: { item in
      switch item["type"]?.string {
      case nil, "video", "shortVideo": nil
      // The server could not read a result.
      case "parse-error": .unusable
      // Channels, playlists and hashtags in search results are ignored.
      default: .videos([])
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
    ])

  /// Whether it is another result of a search (`serialized_yt_data.cr` of iv-org/invidious).
  private static func isOtherResult(_ item: JSONObject) -> Bool {
    switch item["type"]?.string {
    case "channel": item["authorId"] != nil
    case "playlist": item["playlistId"] != nil
    case "hashtag": item["channelCount"] != nil
    default: false
    }
  }

  private static let youTube = WebAddress("https://www.youtube.com/")

  /// A list of Piped (docs.piped.video/docs/api-documentation, `StreamItem` of TeamPiped/Piped-Backend).
  static let piped = Service(
    .youTubeProxy, list: "relatedStreams",
    matches: { item in
      item["url"]?.string?.hasPrefix("/") == true
        && (item["uploaderName"] != nil || item["uploaderUrl"] != nil
          || ["stream", "channel", "playlist"].contains(item["type"]?.string))
    },
    inNamedLists: true,
    // Channels and playlists in search results are ignored.
    other: { $0["type"]?.string.flatMap { $0 == "stream" ? nil : .videos([]) } },
    facts: [
      .youTube { item, _ in item.address("url", base: youTube).flatMap(YouTubeSite.video) },
      .channel("uploaderName"), .summary("shortDescription"), .covers("thumbnail"), .published("uploaded"),
    ] + pipedFacts + [
      Fact { draft in
        let isShorts = draft.item.address("url", base: youTube)?.pathSegments.first == "shorts"
        if draft.item["isShort"]?.bool == true || isShorts {
          draft.video.flags.insert(.short)
        } else if draft.item["duration"]?.integer == -1 {
          // The length of a premiere is unknown until it begins. Broadcasts have no time.
          draft.video.live = draft.video.published.map { .upcoming($0) } ?? .live
          draft.video.liveEnd = draft.video.published
        }
      }
    ])

  /// A video of Piped with its files (`Streams`). Its ID is that of the request, or in the address of its picture,
  /// `/vi/ID/NAME.jpg`.
  static let pipedVideo = Service(
    .youTubeProxy, isVideo: { $0["videoStreams"] != nil && $0["audioStreams"] != nil },
    facts: [
      .youTube { item, address in
        YouTubeSite.VideoID(address?.pathSegments.last)
          ?? item.address("thumbnailUrl", base: youTube)?.pathSegments.firstNonNil { YouTubeSite.VideoID($0) }
      },
      .channel("uploader"), .summary("description"), .covers("thumbnailUrl"), .published("uploaded|uploadDate"),
    ] + pipedFacts + [
      Fact { $0.video.statedLive = LiveState.Statement($0.item["livestream"]?.bool == true ? .live : nil) },
      .chapters(start: "start"),
      .files(streams: "hls", "videoStreams", type: "mimeType") { _, object in object["videoOnly"]?.bool != true },
    ])

  private static let pipedFacts: [Fact] = [
    .duration("duration"), .views("views"),
    Fact { draft in
      draft.video.statedLive = .absent
      let channel = draft.item.address("uploaderUrl", base: youTube)?.pathSegments.last
      draft.video.channelURL = draft.shared.shared(YouTubeSite.ChannelID(channel)?.page)
    },
  ]
}
