import FeedfallText

extension FeedKind {
  /// The lists of the REST API of PeerTube and SepiaSearch.
  public static let peerTube = FeedKind("peerTube", hasDetails: true)
}

/// A video of PeerTube: in a list, in an element of a playlist, or by itself with all details.
///
/// Source: PeerTube's OpenAPI description (versions 7 and 8) and its answers.
struct PeerTubeVideo: JSONListFormat {
  static let kind = FeedKind.peerTube

  static func matches(_ item: JSONObject) -> Bool {
    // A comment names its video, too.
    item["inReplyToCommentId"] == nil && (item["uuid"] != nil || item["video"] != nil || item["position"] != nil)
  }

  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
    DecodedItem(PeerTubeVideo(item, address: address?.web)?.video(&shared))
  }

  private let item: JSONObject
  private let uuid: String
  private let address: WebAddress?
  private let streams: [JSONObject]
  /// The files of the video, or of its stream if it has no others.
  private let everyFile: [JSONObject]
  private let isDetailed: Bool
  // Each of these is read several times.
  private let channelObject: JSONObject?
  private let accountObject: JSONObject?

  /// Returns nil without a `uuid`, and for an element of a playlist whose video is gone.
  private init?(_ item: JSONObject, address: WebAddress?) {
    let video: JSONObject
    if let inner = item["video"] {
      guard let object = inner.object else { return nil }
      video = object
    } else {
      video = item
    }
    guard let uuid = (video["uuid"] ?? video["shortUUID"])?.string, (1...64).contains(uuid.utf8.count),
      uuid.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }),
      // A playlist has a UUID, too.
      video["videosLength"] == nil
    else { return nil }
    self.item = video
    (self.uuid, self.address) = (uuid, address)
    streams = video.objects("streamingPlaylists")
    let files = video.objects("files")
    everyFile = files.isEmpty ? streams.first?.objects("files") ?? [] : files
    isDetailed =
      !streams.isEmpty || !files.isEmpty || video["streamingPlaylists"] != nil || video["files"] != nil
    channelObject = video["channel"]?.object
    accountObject = video["account"]?.object
  }

  private func video(_ shared: inout SharedTexts) -> Video {
    let page = item["url"]?.string.flatMap { WebAddress($0) }
    let title = item["name"]?.text.map { cleanedLine($0) }.nonEmpty
    var video = Video(id: uuid, title: title ?? Video.untitled, playback: playback(page))
    if let isLive = item["isLive"] { video.statedLive = LiveState.Statement(isLive.bool == true ? live : nil) }
    if video.live == nil {
      video.duration = item["duration"]?.integer.flatMap { VideoDuration(seconds: $0) }
    }
    video.covers = covers
    video.language = shared.shared(item["language"]?.object?.line("id", limit: Video.maximumLanguageLength))
    if isDetailed { video.adopt(files) }
    video.pictureSize = pictureSize
    video.aspectRatio = item["aspectRatio"]?.double.flatMap { (0.05...20).contains($0) ? $0 : nil }
    video.pageURL = page
    video.author = shared.shared(Self.name(of: accountObject))
    video.channel = shared.shared(channel)
    video.channelURL = shared.shared(channelURL)
    video.published = published
    video.views = item.count("views")
    let description = item["description"]?.string ?? item["truncatedDescription"]?.string
    video.summary = description.map { cleanedText($0, as: .markdown) }.nonEmpty
    video.licence = shared.shared(licence)
    setFlags(of: &video)
    if isDetailed, video.live == nil, let host = address ?? page {
      // The details lack the chapters.
      video.chaptersURL = WebAddress(resolving: "/api/v1/videos/\(uuid)/chapters", against: host)
    }
    return video
  }

  private static func name(of owner: JSONObject?) -> String? {
    owner.flatMap { ($0["displayName"] ?? $0["name"])?.text }.map { cleanedLine($0, limit: 200) }.nonEmpty
  }

  /// The name of the channel, with its host if that is not the server of the list.
  private var channel: String? {
    guard let name = Self.name(of: channelObject) else { return nil }
    guard let host = channelObject?.line("host"), let server = address?.host, host.lowercased() != server
    else { return name }
    return "\(name) (\(host))"
  }

  private var channelURL: WebAddress? {
    channelObject?.address("url", base: nil) ?? accountObject?.address("url", base: nil)
  }

  private var licence: String? {
    guard let licence = item["licence"]?.object, licence["id"] != nil else { return nil }
    return licence["label"]?.string.map { cleanedLine($0, limit: 200) }.nonEmpty
  }

  /// The time of the first publication anywhere.
  private var published: UnixTime? { item.time("originallyPublishedAt") ?? item.time("publishedAt") }

  private var plannedStart: UnixTime? {
    item.objects("liveSchedules", limit: 1).first?.time("startAt")
  }

  /// States of PeerTube: 1 published, 4 waiting for the broadcast, 5 broadcast ended.
  private var live: LiveState {
    switch item["state"]?.object?["id"]?.integer {
    case 4: return .upcoming(plannedStart)
    case 5: return .ended
    case nil where item["liveSchedules"]?.elements(limit: 1)?.isEmpty == false:
      return .upcoming(plannedStart)
    default: return .live
    }
  }

  private var pictureSize: PixelSize? {
    let pictures = everyFile.filter { $0["hasVideo"]?.bool != false && Self.resolution(of: $0) != 0 }
    return pictures.first?.pictureSize()
  }
}

extension PeerTubeVideo {
  private static let maximumCoverCount = 8

  /// The landscape thumbnails, or all if there are none, small ones first.
  private var covers: [Cover] {
    let listed = item.objects("thumbnails", limit: 64).compactMap(Self.cover)
    let landscape = listed.filter { ($0.width ?? 0) > ($0.height ?? 0) }
    let usable = (landscape.isEmpty ? listed : landscape).sorted { ($0.width ?? 0) < ($1.width ?? 0) }
    if !usable.isEmpty { return Array(usable.prefix(Self.maximumCoverCount)) }
    // SepiaSearch sends addresses, an instance sends paths.
    let small = picture("thumbnailUrl", "thumbnailPath")
    let large = picture("previewUrl", "previewPath")
    return [small, large].compactMap { $0.map { Cover(url: $0) } }
  }

  private static func cover(_ thumbnail: JSONObject) -> Cover? {
    guard let url = thumbnail["fileUrl"]?.string.flatMap({ WebAddress($0) }) else { return nil }
    let size = PixelSize(width: thumbnail["width"]?.integer ?? 0, height: thumbnail["height"]?.integer ?? 0)
    return Cover(url: url, width: size?.width, height: size?.height)
  }

  private func picture(_ absolute: StaticString, _ path: StaticString) -> WebAddress? {
    if let address = item[absolute]?.string.flatMap({ WebAddress($0) }) { return address }
    guard let host = address ?? page, let path = item[path]?.string else { return nil }
    return WebAddress(resolving: path, against: host)
  }

  private var page: WebAddress? { item["url"]?.string.flatMap { WebAddress($0) } }

  /// The playback without playable files.
  private func playback(_ page: WebAddress?) -> Playback {
    if isDetailed { return page.map(Playback.page) ?? .unknown }
    // A search index has no details; the instance of the video has them.
    let isIndex = item["thumbnailUrl"] != nil || address?.host == "sepiasearch.org"
    guard let host = (isIndex ? page : address) ?? page ?? address,
      let details = WebAddress(resolving: "/api/v1/videos/\(uuid)", against: host)
    else { return page.map(Playback.page) ?? .unknown }
    return .details(details, page: page)
  }

  /// The HLS playlist with all heights, then the files; audio only if there is nothing else.
  private var files: [OfferedFile] {
    let stream = streams.firstNonNil { $0.address("playlistUrl", base: nil) }
      .map { OfferedFile($0, type: "application/vnd.apple.mpegurl") }
    let files = (mediaItems.isEmpty && stream == nil ? everyFile : mediaItems).compactMap { file -> OfferedFile? in
      guard let url = file.address("fileUrl", base: nil) else { return nil }
      var offered = OfferedFile(url, type: nil)
      offered.height = Self.resolution(of: file) ?? file["height"]?.integer
      if offered.height == 0 { offered.kind = .audio }
      return offered
    }
    return [stream].compactMap(\.self) + files
  }

  /// The files with video and, unless declared otherwise, audio.
  private var mediaItems: [JSONObject] {
    everyFile.filter {
      $0["hasVideo"]?.bool != false && $0["hasAudio"]?.bool != false && Self.resolution(of: $0) != 0
    }
  }

  /// The height in pixels; 0 means audio only.
  private static func resolution(of file: JSONObject) -> Int? { file["resolution"]?.object?["id"]?.integer }

  private func setFlags(of video: inout Video) {
    if let isSensitive = item["nsfw"] {
      video.statedFlags.insert(.sensitive)
      if isSensitive.bool == true { video.flags.insert(.sensitive) }
    }
    if let privacy = item["privacy"] {
      video.statedFlags.insert(.needsPassword)
      // Privacy 5 of PeerTube requires a password.
      if privacy.object?["id"]?.integer == 5 { video.flags.insert(.needsPassword) }
    }
    guard !everyFile.isEmpty else { return }
    video.statedFlags.insert(.audioOnly)
    if everyFile.allSatisfy({ Self.resolution(of: $0) == 0 }) {
      video.flags.insert(.audioOnly)
    } else {
      video.flags.remove(.audioOnly)
    }
  }
}

extension PeerTubeVideo: ServiceAnswerFormat {
  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    guard object["uuid"]?.string != nil, let video = PeerTubeVideo(object, address: address) else { return nil }
    var shared = SharedTexts()
    return ServiceAnswer(kind: .peerTube, videos: [video.video(&shared)])
  }
}
