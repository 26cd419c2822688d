import FeedfallText

extension FeedKind {
  /// The output of yt-dlp.
  public static let ytDlp = FeedKind("ytDlp")
}

/// The output of yt-dlp for an address with `-J --flat-playlist` (github.com/yt-dlp/yt-dlp, `extractor/common.py`): a
/// list of videos, or of lists such as the tabs of a channel; a single video is a list of one.
public struct YtDlpList: Equatable, Sendable {
  public var title: String?
  public var videos: [Video] = []
  /// The lists in this one; deeper lists are ignored.
  public var lists: [YtDlpList] = []
  /// The address of this list.
  public var address: WebAddress?
  /// The count of entries of any kind in the output.
  public var entryCount = 0
  /// The count of all entries according to the site.
  public var total: Int?
  /// The count of entries that could not be decoded.
  public var skippedCount = 0
  /// Whether the list is a single video and thus complete.
  public var isWhole = false
}

extension FeedDecoder {
  /// Decodes the output of yt-dlp; nil if it is not a description of a video or a list.
  /// - Complexity: O(n).
  public static func decodeYtDlp(_ output: [UInt8]) -> YtDlpList? {
    JSONObject(document: output).flatMap(YtDlpList.decode)
  }
}

extension YtDlpList {
  fileprivate static func decode(_ object: JSONObject) -> YtDlpList? {
    var shared = SharedTexts()
    if isList(object) { return YtDlpList(list: object, &shared) }
    guard let video = YtDlpVideo(object).video(&shared) else { return nil }
    var list = YtDlpList()
    list.videos = [video]
    list.entryCount = 1
    list.isWhole = true
    return list
  }

  private init(list: JSONObject, isInner: Bool = false, _ shared: inout SharedTexts) {
    title = list.line("title")
    address = (list["webpage_url"] ?? list["original_url"])?.string.flatMap { WebAddress($0) }
    total = list.count("playlist_count")
    let entries = list["entries"]?.elements(limit: .max) ?? []
    for entry in entries {
      entryCount += 1
      // Entries that yt-dlp could not load are null.
      if let object = entry.object, append(object, isInner: isInner, isOnly: entries.count == 1, &shared) { continue }
      skippedCount += 1
    }
  }

  private mutating func append(
    _ entry: JSONObject, isInner: Bool, isOnly: Bool, _ shared: inout SharedTexts
  ) -> Bool {
    if Self.isList(entry) {
      guard !isInner else { return false }
      lists.append(YtDlpList(list: entry, isInner: true, &shared))
    } else if let video = YtDlpVideo(entry).video(&shared, on: address, number: isOnly ? nil : entryCount) {
      videos.append(video)
    } else {
      return false
    }
    return true
  }

  private static func isList(_ object: JSONObject) -> Bool {
    let type = object["_type"]?.string
    return type == "playlist" || type == "multi_video"
  }
}

/// A video that yt-dlp printed: in a list, on a line, or by itself.
struct YtDlpVideo: JSONListFormat, ServiceAnswerFormat {
  static let kind = FeedKind.ytDlp

  static let listName: String? = "entries"

  /// Recognizes the lines that `yt-dlp -j` prints.
  static func matches(_ item: JSONObject) -> Bool {
    (item["extractor"] ?? item["extractor_key"] ?? item["ie_key"])?.string != nil
      && (item["webpage_url"] ?? item["original_url"] ?? item["url"])?.string != nil
  }

  /// A list, such as a tab of a channel, has several videos.
  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
    guard let list = YtDlpList.decode(item) else { return .unusable }
    guard !list.isWhole else { return DecodedItem(list.videos.first) }
    return .videos(list.videos.inGroup(shared.shared(list.title)))
  }

  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    guard object["extractor"]?.string != nil, object["webpage_url"]?.string != nil,
      let list = YtDlpList.decode(object), list.isWhole
    else { return nil }
    return ServiceAnswer(kind: .ytDlp, videos: list.videos)
  }

  private let item: JSONObject

  /// Some sites offer forty sizes.
  private static let maximumCoverCount = 8

  fileprivate init(_ item: JSONObject) { self.item = item }

  /// - Parameters:
  ///   - listPage: the page with the list. An entry without another page is played by its own address or by its number.
  ///   - number: its place in the list, from 1 on, unless it states another; nil for the only entry.
  fileprivate func video(_ shared: inout SharedTexts, on listPage: WebAddress? = nil, number: Int? = nil) -> Video? {
    // The `url` of a single video is a file, which may expire within an hour.
    guard var page = address("webpage_url") ?? address("original_url") ?? address("url") ?? youTubePage else {
      return nil
    }
    var played = page
    if page == listPage ?? address("playlist_webpage_url") {
      let type = item["_type"]?.string
      if type == "url" || type == "url_transparent", let own = address("url"), own != page {
        (page, played) = (own, own)
      } else if number != nil || (item.count("n_entries") ?? 1) > 1, let place = item.count("playlist_index") ?? number
      {
        played = page.naming(pageItem: place)
      }
    }
    var video = Video(
      id: id(page), title: item.line("title", limit: 500) ?? name(of: page), playback: .page(played))
    video.duration = item["duration"]?.double.flatMap { VideoDuration(seconds: $0) }
    video.covers = covers
    let size = item.pictureSize()
    video.pictureSize = item["stretched_ratio"]?.double.flatMap { size?.shown(withAspect: $0) } ?? size
    video.pageURL = page
    video.channel = shared.shared(item.line("channel") ?? item.line("uploader"))
    video.channelURL = shared.shared(address("channel_url") ?? address("uploader_url"))
    video.author = shared.shared(item.line("uploader"))
    video.published = published
    if video.published == nil { video.year = item["release_year"]?.integer }
    video.views = item.count("view_count")
    video.summary = summary
    video.licence = shared.shared(item.line("license"))
    video.language = shared.shared(item.line("language", limit: Video.maximumLanguageLength))
    video.live = live(duration: video.duration)
    video.chapters = chapters
    if let limit = item["age_limit"]?.integer, limit >= Self.adultAge { video.flags.insert(.sensitive) }
    if item["_has_drm"]?.bool == true { video.flags.insert(.protected) }
    let extras = extras
    if extras != VideoExtras() { video.extras = extras }
    return video
  }

  private static let adultAge = 18

  private var chapters: [Chapter] {
    Chapter.list(
      item.objects("chapters", limit: Chapter.maximumCount).lazy.map {
        ($0["start_time"]?.double, $0["title"]?.text)
      })
  }

  private var extras: VideoExtras {
    var extras = VideoExtras()
    extras.season = item.count("season_number")
    // Without a name, yt-dlp writes the number.
    extras.seasonName = item.line("season", limit: 128).flatMap { $0 == "Season \(extras.season ?? 0)" ? nil : $0 }
    extras.episode = item.count("episode_number").map(Double.init)
    for category in item.texts("categories", limit: VideoExtras.maximumCount) {
      extras.categories.append(category: cleanedLine(category, limit: 128))
    }
    return extras
  }

  /// The name of a video without a title: the last part of its path, unless a query distinguishes it.
  private func name(of page: WebAddress) -> String {
    let isDistinct = page.query == nil || MediaKind(pathOf: page) != nil
    return (isDistinct ? nil : item.line("id")) ?? MediaAddress.web(page).name ?? page.withoutUser.description
  }

  /// The page of a YouTube video, which the lists of other sites give only by its id.
  private var youTubePage: WebAddress? {
    item["ie_key"]?.string == "Youtube" ? YouTubeSite.VideoID(item["url"]?.string)?.page : nil
  }

  /// The id with its site, because ids are unique only within a site.
  private func id(_ page: WebAddress) -> String {
    guard let id = item.line("id", limit: 500) else { return page.text }
    return [item.line("ie_key", limit: 60) ?? item.line("extractor_key", limit: 60), id].compactMap { $0 }.joined(
      separator: " ")
  }

  /// The last ones are the largest.
  private var covers: [Cover] {
    let offered = item.objects("thumbnails", limit: 64).compactMap { picture -> Cover? in
      guard let url = picture["url"]?.string.flatMap({ WebAddress($0) }) else { return nil }
      return Cover(url: url, width: picture["width"]?.integer, height: picture["height"]?.integer)
    }
    if offered.isEmpty { return address("thumbnail").map { [Cover(url: $0)] } ?? [] }
    return Array(offered.suffix(Self.maximumCoverCount))
  }

  private var published: UnixTime? {
    item["timestamp"].flatMap(UnixTime.init) ?? item["release_timestamp"].flatMap(UnixTime.init)
      ?? day("upload_date") ?? day("release_date")
  }

  /// Parses `20260131`.
  private func day(_ name: StaticString) -> UnixTime? {
    guard let day = item[name]?.text, day.utf8.count == 8, let number = Int(day) else { return nil }
    return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100).map {
      UnixTime(seconds: $0.daysSince1970 * 86_400)
    }
  }

  /// A recorded broadcast with a length is a film.
  private func live(duration: VideoDuration?) -> LiveState? {
    switch item["live_status"]?.string {
    case "is_live": .live
    case "is_upcoming": .upcoming(item["release_timestamp"].flatMap(UnixTime.init))
    case "was_live": duration == nil ? .ended : nil
    case "post_live": .ended
    default: item["is_live"]?.bool == true ? .live : nil
    }
  }

  private var summary: String? {
    [restriction, item.paragraphs("description")].compactMap { $0 }.joined(separator: "\n\n").nonEmpty
  }

  private var restriction: String? {
    switch item["availability"]?.string {
    case "private": "Private: only invited users can watch it."
    case "premium_only": "Only paying users can watch it."
    case "subscriber_only": "Only members of the channel can watch it."
    case "needs_auth": "Only users who are logged in can watch it."
    default: nil
    }
  }

  private func address(_ name: StaticString) -> WebAddress? { item[name]?.string.flatMap { WebAddress($0) } }
}
