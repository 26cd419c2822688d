import FeedfallText

extension FeedKind {
  /// Pages of `{"data": {"info_list": […], "end": 0}}`.
  public static let articles = FeedKind("articles", hasOwnIDs: true)
  /// The program's own format: `{"title": …, "videos": […]}`.
  public static let catalogue = FeedKind("catalogue", hasOwnIDs: true)
}

/// An item of articles or of a catalogue, which share most members.
///
/// | member of | articles | catalogue |
/// |---|---|---|
/// | media | `flv` (the extension `.flv` is tried as `.mp4` first) | `url`, `alternates` |
/// | page | `page` | `page` |
/// | day | `published` (RFC 3339 or Unix seconds) | the same, or `year` |
///
/// `title`, `cover`, `duration`, `width`, `height`, `id`, `author`, `channel`, `description`, `views`, `licence`,
/// `licenceURL`, `coverWidth`, `coverHeight`, `bytes`, `group`, `span` and `rows` are the same in both. Only an address
/// to play or open is required.
struct ListedVideo {
  enum Article: JSONListFormat {
    static let kind = FeedKind.articles
    static let listName: String? = "info_list"

    static func matches(_ item: JSONObject) -> Bool { true }

    static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
      DecodedItem(ListedVideo(item, base: address).video(&shared))
    }
  }

  enum CatalogueItem: JSONListFormat {
    static let kind = FeedKind.catalogue
    static let listName: String? = "videos"

    static func matches(_ item: JSONObject) -> Bool { item["flv"] == nil && item["url"] != nil }

    static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
      DecodedItem(ListedVideo(item, base: address).video(&shared))
    }
  }

  private let item: JSONObject
  private let base: MediaAddress?

  private init(_ item: JSONObject, base: MediaAddress?) { (self.item, self.base) = (item, base) }

  private func video(_ shared: inout SharedTexts) -> Video? {
    let title = item.line("title", limit: 500)
    let media = medium("flv") ?? medium("url").flatMap { title != nil || $0.isMediaFile ? $0 : nil }
    let page = item.address("page", base: base?.web)
    let cover = item["cover"]?.string.flatMap { MediaAddress(reference: $0, in: base) }
    guard media != nil || page != nil else { return nil }
    let id = item["id"]?.text ?? media?.text ?? page?.text ?? "\(cover?.text ?? "") \(title ?? "")"
    var video = Video(
      id: cleanedLine(id, limit: 9_000), title: title ?? Video.untitled, playback: page.map(Playback.page) ?? .unknown)
    if let media { video.play(files(media)) }
    if video.id.isEmpty { video.id = media?.text ?? video.title }
    video.duration = item["duration"].flatMap(VideoDuration.init)
    if let cover {
      video.covers = [Cover(url: cover, width: size("coverWidth"), height: size("coverHeight"))]
    }
    video.pictureSize = item.pictureSize()
    video.pageURL = page
    video.author = shared.shared(item.line("author"))
    video.channel = shared.shared(item.line("channel"))
    video.published = item["published"].flatMap(UnixTime.init)
    video.year = item["year"]?.integer
    video.views = item.count("views")
    video.byteCount = item["bytes"]?.integer.flatMap { $0 > 0 ? $0 : nil }
    video.summary = item.paragraphs("description")
    video.licence = shared.shared(item.line("licence") ?? item.line("license"))
    video.licenceURL = shared.shared(item.address("licenceURL", base: base?.web))
    if item["live"]?.bool == true { video.live = .live }
    video.group = shared.shared(item.line("group"))
    video.span = item["span"]?.integer
    video.rows = item["rows"]?.integer
    return video
  }

  private func files(_ media: MediaAddress) -> [MediaFile] {
    let alternates = item["alternates"]?.elements()?.compactMap { $0.string.flatMap(resolvedMedium) } ?? []
    let files = [media.playableInsteadOfFLV, media].compactMap { $0 }.map { MediaFile(url: $0, height: size("height")) }
    return files + alternates.map { MediaFile(url: $0) }
  }

  private func size(_ name: StaticString) -> Int? {
    item[name]?.integer.flatMap { (1...PixelSize.maximum).contains($0) ? $0 : nil }
  }

  private func medium(_ name: StaticString) -> MediaAddress? { item[name]?.string.flatMap(resolvedMedium) }

  private func resolvedMedium(_ text: String) -> MediaAddress? { MediaAddress(medium: text, in: base) }
}

extension MediaAddress {
  /// Whether the path has the extension of a video or a sound; an address without a title may be of anything.
  var isMediaFile: Bool {
    guard let web else { return true }
    return switch MediaKind(pathOf: web) {
    case .stream, .video, .audio: true
    case .picture, .player, .unknown, .unusable, nil: false
    }
  }

  /// The same web address with the extension `.mp4` in place of `.flv`; nil for any other address. Most of the old
  /// files are gone, but the videos exist as MP4.
  fileprivate var playableInsteadOfFLV: MediaAddress? {
    guard let text = web?.text else { return nil }
    let end = text.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.endIndex
    let path = text[..<end]
    guard path.utf8.suffix(4).map(\.lowercased) == Array(".flv".utf8), path.utf8.dropFirst(8).contains(.slash),
      path.utf8.dropLast(4).last != .slash
    else { return nil }
    return .web(WebAddress(unchecked: path.dropLast(4) + ".mp4" + text[end...]))
  }
}
