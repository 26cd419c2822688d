import FeedfallText

/// An ASX playlist (Advanced Stream Redirector): `entry` elements whose `ref` elements are alternatives.
struct ASXPlaylist: FeedFormat {
  static let rootNames: Set<String> = ["asx"]

  let kind = FeedKind.playlist
  private var entries: XMLPlaylistReader

  init(_ bytes: [UInt8], address: MediaAddress?) {
    entries = XMLPlaylistReader(bytes, address: address)
  }

  var title: String? { entries.title }
  var skipped: SkippedEntries { entries.skipped }
  func failure(after count: Int) -> FeedFailure? { entries.failure }

  /// Entries without a playable address are skipped and counted.
  mutating func next() -> Video? {
    while let entry = entries.nextEntry(named: "entry", in: ["asx", "repeat"]) {
      if let video = video(entry) { return video }
    }
    return nil
  }

  private mutating func video(_ entry: XMLElement) -> Video? {
    let references = entry.children(.rss, "ref").compactMap { $0.attribute("href") }
    let files = references.compactMap { MediaAddress(medium: $0, in: entries.address) }
    guard var video = entries.video(of: entry, files, reference: references.first) else { return nil }
    video.duration = entry.first("duration")?.attribute("value").flatMap { VideoDuration(feedText: $0) }
    video.author = entry.first("author").flatMap { $0.line(limit: 200) }
    video.summary = entry.first("abstract").flatMap(\.paragraphs)
    video.pageURL = entry.first("moreinfo")?.attribute("href").flatMap { WebAddress(link: $0, base: entry.base) }
    return video
  }
}
