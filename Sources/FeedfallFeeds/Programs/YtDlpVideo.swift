import FeedfallDocuments
import FeedfallText

/// A video as yt-dlp describes it, be it an entry of a list or one by itself.
struct YtDlpVideo {
  private let item: JSONObject

  /// The most covers that are kept: some sites offer forty sizes.
  private static let maximumCoverCount = 8

  init(_ item: JSONObject) {
    self.item = item
  }

  /// Nil where there is no address that a player could be given.
  func video(_ shared: inout SharedTexts) -> Video? {
    // The plain address of one that is described in full is a file, which may be gone in an hour.
    guard let page = address("webpage_url") ?? address("original_url") ?? address("url") ?? youTubePage else {
      return nil
    }
    var video = Video(
      id: id(page), title: line("title", limit: 500) ?? Video.untitled, playback: .page(page))
    video.duration = item["duration"]?.double.flatMap { $0.magnitude < 1e9 ? VideoDuration(seconds: Int($0)) : nil }
    video.covers = covers
    if let width = item["width"]?.integer, let height = item["height"]?.integer {
      video.pictureSize = PixelSize(width: width, height: height)
    }
    video.pageURL = page
    video.channel = shared.shared(line("channel", limit: 200) ?? line("uploader", limit: 200))
    video.author = shared.shared(line("uploader", limit: 200))
    video.published = published
    video.views = item["view_count"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    video.summary = summary
    video.licence = shared.shared(line("license", limit: 200))
    video.live = live
    return video
  }

  /// Other sites' lists name YouTube's videos by their ids alone.
  private var youTubePage: WebAddress? {
    guard item["ie_key"]?.string == "Youtube", let id = item["url"]?.string, id.utf8.count == 11,
      id.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) })
    else { return nil }
    return WebAddress("https://www.youtube.com/watch?v=\(id)")
  }

  /// Ids are a site's own.
  private func id(_ page: WebAddress) -> String {
    guard let id = line("id", limit: 500) else { return page.text }
    return [line("ie_key", limit: 60) ?? line("extractor_key", limit: 60), id].compactMap { $0 }.joined(separator: " ")
  }

  /// The largest are the last.
  private var covers: [Cover] {
    let offered = (item["thumbnails"]?.elements() ?? []).compactMap { value -> Cover? in
      guard let picture = value.object, let url = picture["url"]?.string.flatMap({ WebAddress($0) }) else { return nil }
      return Cover(url: url, width: picture["width"]?.integer, height: picture["height"]?.integer)
    }
    if offered.isEmpty { return address("thumbnail").map { [Cover(url: $0)] } ?? [] }
    return Array(offered.suffix(Self.maximumCoverCount))
  }

  private var published: UnixTime? {
    if let time = (item["timestamp"] ?? item["release_timestamp"]).flatMap(UnixTime.init) { return time }
    // `20260131`.
    guard let day = item["upload_date"]?.text, day.utf8.count == 8, let number = Int(day) else { return nil }
    return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100).map {
      UnixTime(seconds: $0.daysSince1970 * 86_400)
    }
  }

  private var live: LiveState? {
    switch item["live_status"]?.string {
    case "is_live": .live
    case "is_upcoming": .upcoming(item["release_timestamp"].flatMap(UnixTime.init))
    case "was_live", "post_live": .ended
    default: item["is_live"]?.bool == true ? .live : nil
    }
  }

  private var summary: String? {
    let description = item["description"]?.string.map { cleanedText($0, isMarkup: false) }.nonEmpty
    return [restriction, description].compactMap { $0 }.joined(separator: "\n\n").nonEmpty
  }

  /// Who alone may see it, where that is not everybody.
  private var restriction: String? {
    switch item["availability"]?.string {
    case "private": "Private: only those whom its owner has invited may see it."
    case "premium_only": "Only those who pay the site may see it."
    case "subscriber_only": "Only members of the channel may see it."
    case "needs_auth": "Only those who are logged in may see it."
    default: nil
    }
  }

  private func line(_ name: StaticString, limit: Int) -> String? {
    item[name]?.text.map { cleanedLine($0, limit: limit) }.nonEmpty
  }

  private func address(_ name: StaticString) -> WebAddress? { item[name]?.string.flatMap { WebAddress($0) } }
}
