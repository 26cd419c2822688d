import FeedfallText

extension FeedKind {
  /// The answers of Invidious (docs.invidious.io/api) and Piped (docs.piped.video/docs/api-documentation).
  public static let youTubeProxy = FeedKind("youTubeProxy", hasDetails: true)
}

/// A video of Invidious: in a list, or by itself with its files.
struct InvidiousVideo: JSONListFormat, ServiceAnswerFormat {
  static let kind = FeedKind.youTubeProxy
  /// The videos with a hashtag.
  static let listName: String? = "results"
  static let matchesInNamedLists = true

  static func matches(_ item: JSONObject) -> Bool {
    item["videoId"] != nil && item["title"] != nil && (item["lengthSeconds"] != nil || item["videoThumbnails"] != nil)
      || item["type"]?.string.map { isOther(item, type: $0) } == true
  }

  /// Whether it is another result of a search (`serialized_yt_data.cr` of iv-org/invidious).
  private static func isOther(_ item: JSONObject, type: String) -> Bool {
    switch type {
    case "channel": item["authorId"] != nil
    case "playlist": item["playlistId"] != nil
    case "hashtag": item["channelCount"] != nil
    default: false
    }
  }

  /// Channels, playlists and hashtags in search results are ignored.
  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
    switch item["type"]?.string {
    case nil, "video", "shortVideo": break
    // The server could not read a result.
    case "parse-error": return .unusable
    default: return .videos([])
    }
    return DecodedItem(InvidiousVideo(item, address: address?.web)?.video(&shared))
  }

  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    guard object["formatStreams"] != nil || object["adaptiveFormats"] != nil,
      let video = InvidiousVideo(object, address: address)
    else { return nil }
    var shared = SharedTexts()
    return ServiceAnswer(kind: .youTubeProxy, videos: [video.video(&shared)])
  }

  private let item: JSONObject
  private let id: YouTubeSite.VideoID
  private let address: WebAddress?

  private init?(_ item: JSONObject, address: WebAddress?) {
    guard let id = YouTubeSite.VideoID(item["videoId"]?.string) else { return nil }
    (self.item, self.id, self.address) = (item, id, address)
  }

  private func video(_ shared: inout SharedTexts) -> Video {
    let details = address.flatMap { WebAddress("\($0.origin)/api/v1/videos/\(id.text)") }
    var video = Video(
      id: id.text, title: item.line("title", limit: 500) ?? Video.untitled,
      playback: details.map { .details($0, page: id.page) } ?? .page(id.page))
    let isDetailed = item["formatStreams"] != nil || item["adaptiveFormats"] != nil
    if isDetailed { video.playback = .page(id.page) }
    video.pageURL = id.page
    if item["liveNow"] != nil || item["isUpcoming"] != nil { video.statedLive = LiveState.Statement(live) }
    if video.live == nil { video.duration = item["lengthSeconds"]?.integer.flatMap { VideoDuration(seconds: $0) } }
    video.covers = item.objects("videoThumbnails", limit: 16).compactMap { picture in
      picture.address("url", base: address).map {
        Cover(url: $0, width: picture["width"]?.integer, height: picture["height"]?.integer)
      }
    }.sorted { ($0.width ?? 0) < ($1.width ?? 0) }
    video.channel = shared.shared(item.line("author"))
    video.channelURL = shared.shared(channelURL)
    video.published = item["published"].flatMap(UnixTime.init)
    video.views = item.count("viewCount")
    video.summary = item.paragraphs("description")
    if item["isShort"]?.bool == true { video.flags.insert(.short) }
    if let isForFamilies = item["isFamilyFriendly"]?.bool {
      video.statedFlags.insert(.sensitive)
      if !isForFamilies { video.flags.insert(.sensitive) }
    }
    if item["paid"]?.bool == true { video.flags.insert(.paid) }
    video.adopt(files)
    return video
  }

  private var live: LiveState? {
    if item["isUpcoming"]?.bool == true { return .upcoming(item["premiereTimestamp"].flatMap(UnixTime.init)) }
    return item["liveNow"]?.bool == true ? .live : nil
  }

  /// The page of the channel on the same server.
  private var channelURL: WebAddress? {
    guard let address, let channel = YouTubeSite.ChannelID(item["authorId"]?.string) else { return nil }
    return WebAddress("\(address.origin)/channel/\(channel.text)")
  }

  /// The stream, and the files with picture and sound.
  private var files: [OfferedFile] {
    let stream = item.address("hlsUrl", base: address).map { OfferedFile($0, type: "application/vnd.apple.mpegurl") }
    let files = item.objects("formatStreams").compactMap { file -> OfferedFile? in
      guard let url = file.address("url", base: address) else { return nil }
      var offered = OfferedFile(url, type: file["type"]?.string)
      let size = (file["size"]?.string ?? "").split(separator: "x").compactMap { Int($0) }
      if size.count == 2 { offered.size = PixelSize(width: size[0], height: size[1]) }
      return offered
    }
    return [stream].compactMap { $0 } + files
  }
}
