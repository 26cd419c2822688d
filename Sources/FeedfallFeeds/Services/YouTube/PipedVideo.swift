import FeedfallText

/// A video of Piped: in a list (`StreamItem` of TeamPiped/Piped-Backend), or by itself with its files (`Streams`).
struct PipedVideo: JSONListFormat, ServiceAnswerFormat {
  static let kind = FeedKind.youTubeProxy
  static let listName: String? = "relatedStreams"
  static let matchesInNamedLists = true

  private static let site = WebAddress("https://www.youtube.com/")

  static func matches(_ item: JSONObject) -> Bool {
    item["url"]?.string?.hasPrefix("/") == true && (item["uploaderName"] != nil || item["uploaderUrl"] != nil)
      || ["stream", "channel", "playlist"].contains(item["type"]?.string) && item["url"]?.string?.hasPrefix("/") == true
  }

  /// Channels and playlists in search results are ignored.
  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
    if let type = item["type"]?.string, type != "stream" { return .videos([]) }
    let page = item.address("url", base: site)
    guard let page, let id = YouTubeSite.video(on: page) else { return .unusable }
    var video = PipedVideo(item, id, address?.web).video("thumbnail", "uploaderName", "shortDescription", &shared)
    let isShort = item["isShort"]?.bool == true || page.pathSegments.first == "shorts"
    if isShort { video.flags.insert(.short) }
    let uploaded = item["uploaded"].flatMap { UnixTime($0) }
    if !isShort, item["duration"]?.integer == -1 {
      // The length of a premiere is unknown until it begins. Broadcasts have no time.
      video.live = uploaded.map { .upcoming($0) } ?? .live
      video.liveEnd = uploaded
    }
    video.published = uploaded
    return .video(video)
  }

  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    guard object["videoStreams"] != nil, object["audioStreams"] != nil,
      let id = YouTubeSite.VideoID(address?.pathSegments.last) ?? thumbnailID(object)
    else { return nil }
    var shared = SharedTexts()
    var video = PipedVideo(object, id, address).video("thumbnailUrl", "uploader", "description", &shared)
    video.statedLive = LiveState.Statement(object["livestream"]?.bool == true ? .live : nil)
    video.published = object["uploaded"].flatMap { UnixTime($0) } ?? object["uploadDate"].flatMap { UnixTime($0) }
    video.chapters = Chapter.list(
      object.objects("chapters", limit: Chapter.maximumCount).lazy.map { ($0["start"]?.double, $0["title"]?.text) })
    video.adopt(PipedVideo(object, id, address).files)
    return ServiceAnswer(kind: .youTubeProxy, videos: [video])
  }

  /// The ID in the address of the picture, `/vi/ID/NAME.jpg`.
  private static func thumbnailID(_ object: JSONObject) -> YouTubeSite.VideoID? {
    object.address("thumbnailUrl", base: site)?.pathSegments.lazy.compactMap { YouTubeSite.VideoID($0) }.first
  }

  private let item: JSONObject
  private let id: YouTubeSite.VideoID
  private let address: WebAddress?

  private init(_ item: JSONObject, _ id: YouTubeSite.VideoID, _ address: WebAddress?) {
    (self.item, self.id, self.address) = (item, id, address)
  }

  private func video(
    _ thumbnail: StaticString, _ uploader: StaticString, _ summary: StaticString, _ shared: inout SharedTexts
  ) -> Video {
    var video = Video(id: id.text, title: item.line("title", limit: 500) ?? Video.untitled, playback: .page(id.page))
    video.pageURL = id.page
    video.statedLive = .absent
    video.duration = item["duration"]?.integer.flatMap { VideoDuration(seconds: $0) }
    video.covers = [item.address(thumbnail, base: address)].compactMap { $0.map { Cover(url: $0) } }
    video.channel = shared.shared(item.line(uploader))
    let channel = item.address("uploaderUrl", base: Self.site)
    video.channelURL = shared.shared(YouTubeSite.ChannelID(channel?.pathSegments.last)?.page)
    video.views = item.count("views")
    video.summary = item.paragraphs(summary)
    return video
  }

  /// The stream, and the files with picture and sound.
  private var files: [OfferedFile] {
    let stream = item.address("hls", base: address).map { OfferedFile($0, type: "application/vnd.apple.mpegurl") }
    let files = item.objects("videoStreams").compactMap { file -> OfferedFile? in
      guard file["videoOnly"]?.bool != true, let url = file.address("url", base: address) else { return nil }
      var offered = OfferedFile(url, type: file["mimeType"]?.string)
      offered.size = file.pictureSize()
      return offered
    }
    return [stream].compactMap { $0 } + files
  }
}
