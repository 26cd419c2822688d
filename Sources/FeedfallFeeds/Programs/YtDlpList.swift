import FeedfallText

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
    var entryLimit = FeedDecoder.maximumCount
    if isList(object) { return YtDlpList(list: object, &entryLimit, &shared) }
    guard let video = Service.ytDlpVideo(object, &shared) else { return nil }
    return YtDlpList(videos: [video], entryCount: 1, isWhole: true)
  }

  /// - Parameter entryLimit: the number of entries that are still read, of all lists together.
  private init(list: JSONObject, isInner: Bool = false, _ entryLimit: inout Int, _ shared: inout SharedTexts) {
    title = list.line("title")
    address = (list["webpage_url"] ?? list["original_url"])?.string.flatMap { WebAddress($0) }
    total = list.count("playlist_count")
    let entries = list["entries"]?.elements(limit: entryLimit) ?? []
    entryLimit -= entries.count
    entryCount = entries.count
    for (index, entry) in entries.enumerated() {
      // Entries that yt-dlp could not load are null.
      let item = entry.object
      let isList = item.map(Self.isList) == true
      let number = entries.count == 1 ? nil : index + 1
      if let item, isList, !isInner {
        lists.append(YtDlpList(list: item, isInner: true, &entryLimit, &shared))
      } else if let item, !isList, let video = Service.ytDlpVideo(item, on: address, number: number, &shared) {
        videos.append(video)
      } else {
        skippedCount += 1
      }
    }
  }

  fileprivate static func isList(_ object: JSONObject) -> Bool {
    let type = object["_type"]?.string
    return type == "playlist" || type == "multi_video"
  }
}

extension Service {
  /// A video that yt-dlp printed: in a list, on a line, or by itself. Lines of `yt-dlp -j` have no list.
  static let ytDlp = Service(
    .ytDlp, list: "entries",
    matches: { item in
      (item["extractor"] ?? item["extractor_key"] ?? item["ie_key"])?.string != nil
        && (item["webpage_url"] ?? item["original_url"] ?? item["url"])?.string != nil
    },
    isVideo: { $0["extractor"]?.string != nil && $0["webpage_url"]?.string != nil && !YtDlpList.isList($0) },
    // A list, such as a tab of a channel, has several videos.
    items: { item, _, shared in
      guard let list = YtDlpList.decode(item) else { return nil }
      return list.isWhole ? list.videos : list.videos.inGroup(shared.shared(list.title))
    })

  /// - Parameters:
  ///   - listPage: the page with the list. An entry without another page is played by its own address or by its number.
  ///   - number: its place in the list, from 1 on, unless it states another; nil for the only entry.
  fileprivate static func ytDlpVideo(
    _ item: JSONObject, on listPage: WebAddress? = nil, number: Int? = nil, _ shared: inout SharedTexts
  ) -> Video? {
    func address(_ name: StaticString) -> WebAddress? { item[name]?.string.flatMap { WebAddress($0) } }
    // The lists of other sites give a video of YouTube only by its ID.
    let youTube = item["ie_key"]?.string == "Youtube" ? YouTubeSite.VideoID(item["url"]?.string)?.page : nil
    // The `url` of a single video is a file, which may expire within an hour.
    guard var page = address("webpage_url") ?? address("original_url") ?? address("url") ?? youTube else { return nil }
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
    var draft = VideoDraft(item, from: nil)
    // The ID with its site, because IDs are unique only within a site.
    let site = item.line("ie_key", limit: 60) ?? item.line("extractor_key", limit: 60)
    draft.video.id =
      item.line("id", limit: 500).map { [site, $0].compactMap(\.self).joined(separator: " ") } ?? page.text
    draft.video.title = item.line("title", limit: 500) ?? name(of: page, item)
    (draft.video.pageURL, draft.video.playback) = (page, .page(played))
    guard draft.adopt(ytDlpFacts, &shared) else { return nil }
    if let kind = listKind(item, on: page) {
      // A list in itself has no card.
      guard page != listPage else { return nil }
      let address = page.withoutUser
      draft.video.pageURL = address
      draft.video.playback = .list(
        ListLink(
          kind, .web(address), videoCount: item.count("playlist_count"),
          followerCount: item.count("channel_follower_count")))
    }
    return draft.video
  }

  /// The extractors of lists end with these words, as in `YoutubeTab` and `SoundcloudSet`. Many of those that end with
  /// `Channel` or `Podcast` are of single videos.
  private static let listWords: [(end: String, kind: ListLink.Kind)] = [
    ("Tab", .playlist), ("Playlist", .playlist), ("Album", .playlist), ("Set", .playlist), ("Collection", .playlist),
    ("Series", .playlist), ("Season", .playlist), ("User", .channel),
  ]

  /// The kind of an entry that is a list, which yt-dlp has not opened; nil for a video.
  private static func listKind(_ item: JSONObject, on page: WebAddress) -> ListLink.Kind? {
    guard item["_type"]?.string == "url", item["duration"]?.double == nil, let extractor = item["ie_key"]?.string,
      let row = listWords.first(where: { extractor.hasSuffix($0.end) })
    else { return nil }
    return YouTubeSite.ChannelID(item["id"]?.string) == nil && !YouTubeSite.isChannel(page) ? row.kind : .channel
  }

  /// The name of a video without a title: the last part of its path, unless a query distinguishes it.
  private static func name(of page: WebAddress, _ item: JSONObject) -> String {
    let isDistinct = page.query == nil || MediaKind(pathOf: page) != nil
    return (isDistinct ? nil : item.line("id")) ?? MediaAddress.web(page).name ?? page.withoutUser.description
  }

  private static let ytDlpFacts: [Fact] = [
    .duration("duration"), .channel("channel|uploader"), .channelPage("channel_url|uploader_url"), .author("uploader"),
    .published("timestamp|release_timestamp"), .views("view_count"), .licence("license"), .language("language"),
    .chapters(start: "start_time"), .flag(.protected, "_has_drm"),
    Fact { draft in
      let item = draft.item
      let covers = item.covers("thumbnails", base: nil)
      // The last ones are the largest.
      draft.video.covers = covers.suffix(maximumCoverCount)
      if covers.isEmpty {
        draft.video.covers = [item.address("thumbnail", base: nil)].compactMap { $0.map { Cover(url: $0) } }
      }
      let size = item.pictureSize()
      draft.video.pictureSize = item["stretched_ratio"]?.double.flatMap { size?.shown(withAspect: $0) } ?? size
      draft.video.published = draft.video.published ?? day(item["upload_date"]) ?? day(item["release_date"])
      if draft.video.published == nil { draft.video.year = item["release_year"]?.integer }
      draft.video.summary =
        [restriction(item), item.paragraphs("description")].compactMap(\.self)
        .joined(separator: "\n\n").nonEmpty
      draft.video.live = live(item, duration: draft.video.duration)
      if let limit = item["age_limit"]?.integer, limit >= adultAge { draft.video.flags.insert(.sensitive) }
      draft.video.extras = extras(item)
    },
  ]

  private static let adultAge = 18
  /// Some sites offer forty sizes.
  private static let maximumCoverCount = 8

  private static func extras(_ item: JSONObject) -> VideoExtras {
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

  /// Parses `20260131`.
  private static func day(_ value: JSONValue?) -> UnixTime? {
    guard let day = value?.text, day.utf8.count == 8, let number = Int(day) else { return nil }
    return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100).map {
      UnixTime(seconds: $0.daysSince1970 * 86_400)
    }
  }

  /// A recorded broadcast with a length is a film.
  private static func live(_ item: JSONObject, duration: VideoDuration?) -> LiveState? {
    switch item["live_status"]?.string {
    case "is_live": .live
    case "is_upcoming": .upcoming(item["release_timestamp"].flatMap(UnixTime.init))
    case "was_live": duration == nil ? .ended : nil
    case "post_live": .ended
    default: item["is_live"]?.bool == true ? .live : nil
    }
  }

  private static func restriction(_ item: JSONObject) -> String? {
    switch item["availability"]?.string {
    case "private": "Private: only invited users can watch it."
    case "premium_only": "Only paying users can watch it."
    case "subscriber_only": "Only members of the channel can watch it."
    case "needs_auth": "Only users who are logged in can watch it."
    default: nil
    }
  }
}
