import FeedfallDocuments
import FeedfallText

/// An item of articles or of a catalogue: the same fields by the names that each of them uses.
///
/// | card | articles | catalogue |
/// |---|---|---|
/// | media | `flv` (one that ends in `.flv` is played as `.mp4`, else as it is) | `url`, `alternates` |
/// | page | `page` | `page` |
/// | day | `published` (RFC 3339 or Unix seconds) | the same, or `year` |
///
/// `title`, `cover`, `duration`, `width`, `height`, `id`, `author`, `channel`, `description`, `views`,
/// `licence`, `licenceURL`, `coverWidth`, `coverHeight`, `bytes`, `group` and `span` are the same in both. Only a title or an
/// address is needed.
struct ListedVideo {
  private let item: JSONObject
  private let base: MediaAddress?

  init(_ item: JSONObject, base: MediaAddress?) {
    self.item = item
    self.base = base
  }

  /// Nil where there is neither a title nor an address to play or open.
  func video(_ shared: inout SharedTexts) -> Video? {
    let title = line("title", limit: 500)
    let media = medium("flv") ?? medium("url")
    let page = address("page")
    let cover = medium("cover")
    guard title != nil || media != nil || page != nil else { return nil }
    let id = item["id"]?.text ?? media?.text ?? page?.text ?? "\(cover?.text ?? "") \(title ?? "")"
    var video = Video(
      id: cleanedLine(id, limit: 9_000), title: title ?? Video.untitled, playback: playback(media, page))
    if video.id.isEmpty { video.id = media?.text ?? video.title }
    video.duration = item["duration"].flatMap(VideoDuration.init)
    if let cover {
      video.covers = [Cover(url: cover, width: size("coverWidth"), height: size("coverHeight"))]
    }
    video.pictureSize = pictureSize
    video.pageURL = page
    video.author = shared.shared(line("author", limit: 200))
    video.channel = shared.shared(line("channel", limit: 200))
    video.published = item["published"].flatMap(UnixTime.init)
    video.year = item["year"]?.integer.flatMap { (1800...2200).contains($0) ? $0 : nil }
    video.views = item["views"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    video.byteCount = item["bytes"]?.integer.flatMap { $0 > 0 ? $0 : nil }
    video.summary = item["description"]?.string.map { cleanedText($0) }.nonEmpty
    video.licence = shared.shared(line("licence", limit: 200) ?? line("license", limit: 200))
    video.licenceURL = shared.shared(address("licenceURL"))
    if item["live"]?.bool == true { video.live = .live }
    video.group = shared.shared(line("group", limit: 200))
    video.span = item["span"]?.integer
    return video
  }

  private func playback(_ media: MediaAddress?, _ page: WebAddress?) -> Playback {
    guard let media else { return page.map(Playback.page) ?? .unknown }
    let alternates = item["alternates"]?.elements()?.compactMap { $0.string.flatMap(resolvedMedium) } ?? []
    let files = [media.playableInsteadOfFLV, media].compactMap { $0 }.map { MediaFile(url: $0, height: size("height")) }
    return .direct(files + alternates.map { MediaFile(url: $0) })
  }

  private var pictureSize: PixelSize? {
    guard let width = item["width"]?.integer, let height = item["height"]?.integer else { return nil }
    return PixelSize(width: width, height: height)
  }

  private func size(_ name: StaticString) -> Int? {
    item[name]?.integer.flatMap { (1...100_000).contains($0) ? $0 : nil }
  }

  private func line(_ name: StaticString, limit: Int) -> String? {
    item[name]?.text.map { cleanedLine($0, isHTML: true, limit: limit) }.nonEmpty
  }

  private func address(_ name: StaticString) -> WebAddress? { item[name]?.string.flatMap(resolved) }

  private func resolved(_ text: String) -> WebAddress? { WebAddress(reference: text, base: base?.web) }

  private func medium(_ name: StaticString) -> MediaAddress? { item[name]?.string.flatMap(resolvedMedium) }

  private func resolvedMedium(_ text: String) -> MediaAddress? { MediaAddress(reference: text, in: base) }
}

extension MediaAddress {
  /// An address in the web whose path ends in `.flv` with `.mp4` in its place: the old files are mostly gone, the same
  /// films are there as MP4. Query and fragment stay. Nil for every other address.
  fileprivate var playableInsteadOfFLV: MediaAddress? {
    guard let text = web?.text else { return nil }
    let end = text.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.endIndex
    let path = text[..<end]
    guard path.utf8.suffix(4).map(\.lowercased) == Array(".flv".utf8), path.utf8.dropFirst(8).contains(.slash),
      path.utf8.dropLast(4).last != .slash
    else {
      return nil
    }
    return .web(WebAddress(unchecked: path.dropLast(4) + ".mp4" + text[end...]))
  }
}
