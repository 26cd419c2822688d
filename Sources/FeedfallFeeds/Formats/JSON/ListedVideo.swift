import FeedfallText

extension Service {
  /// The items of a list whose `info_list` or form no other row recognizes.
  static let articles = Service(.articles, list: "info_list", matches: { _ in true }, facts: listed)

  static let catalogue = Service(
    .catalogue, list: "videos", matches: { $0["flv"] == nil && $0["url"] != nil }, facts: listed)

  /// Articles and catalogues share most members.
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
  private static let listed: [Fact] = [
    Fact { draft in
      let item = draft.item
      let title = item.line("title", limit: 500)
      let media = draft.medium("flv") ?? draft.medium("url").flatMap { title != nil || $0.isMediaFile ? $0 : nil }
      let page = item.address("page", base: draft.web)
      guard media != nil || page != nil else { return }
      let cover = item["cover"]?.string.flatMap { MediaAddress(reference: $0, in: draft.address) }
      let id = item["id"]?.text ?? media?.text ?? page?.text ?? "\(cover?.text ?? "") \(title ?? "")"
      draft.video.title = title ?? Video.untitled
      draft.video.id = cleanedLine(id, limit: 9_000).nonEmpty ?? media?.text ?? draft.video.title
      draft.video.pageURL = page
      if let page { draft.video.playback = .page(page) }
      if let media { draft.video.play(files(media, item, draft.address)) }
      if let cover {
        draft.video.covers = [Cover(url: cover, width: item.length("coverWidth"), height: item.length("coverHeight"))]
      }
    },
    .duration("duration", in: .written), .pictureSize, .author("author"), .channel("channel"), .published("published"),
    .year("year"), .views("views"), .summary("description"), .licence("licence|license"), .licencePage("licenceURL"),
    .group("group"),
    Fact { draft in
      draft.video.byteCount = draft.item["bytes"]?.integer.flatMap { $0 > 0 ? $0 : nil }
      if draft.item["live"]?.bool == true { draft.video.live = .live }
      draft.video.span = draft.item["span"]?.integer
      draft.video.rows = draft.item["rows"]?.integer
    },
  ]

  private static func files(_ media: MediaAddress, _ item: JSONObject, _ base: MediaAddress?) -> [MediaFile] {
    let alternates = (item["alternates"]?.elements() ?? []).compactMap {
      $0.string.flatMap { MediaAddress(medium: $0, in: base) }
    }
    let height = item.length("height")
    let files = [media.playableInsteadOfFLV, media].compactMap(\.self).map { MediaFile(url: $0, height: height) }
    return files + alternates.map { MediaFile(url: $0) }
  }
}

extension VideoDraft {
  fileprivate func medium(_ name: StaticString) -> MediaAddress? {
    item[name]?.string.flatMap { MediaAddress(medium: $0, in: address) }
  }
}

extension JSONObject {
  fileprivate func length(_ name: StaticString) -> Int? {
    self[name]?.integer.flatMap { (1...PixelSize.maximum).contains($0) ? $0 : nil }
  }
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
    return .web(WebAddress(unchecked: String(Substring(path.utf8.dropLast(4))) + ".mp4" + text[end...]))
  }
}
