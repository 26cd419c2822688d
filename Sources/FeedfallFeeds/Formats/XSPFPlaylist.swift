import FeedfallText

/// An XSPF playlist (xspf.org, version 1): `track` elements whose durations are in milliseconds.
struct XSPFPlaylist: FeedFormat {
  static let rootNames: Set<String> = ["playlist", "tracklist"]

  let kind = FeedKind.playlist
  private var tracks: XMLPlaylistReader
  private var shared = SharedTexts()

  init(_ bytes: [UInt8], address: MediaAddress?) {
    tracks = XMLPlaylistReader(bytes, address: address)
  }

  var title: String? { tracks.title }
  var skipped: SkippedEntries { tracks.skipped }
  func failure(after count: Int) -> FeedFailure? { tracks.failure }

  /// Tracks without a playable address are skipped and counted.
  mutating func next() -> Video? {
    while let track = tracks.nextEntry(named: "track", in: Self.rootNames) {
      if let video = video(track) { return video }
    }
    return nil
  }

  private mutating func video(_ track: XMLElement) -> Video? {
    let files = track.children(.rss, "location").compactMap(medium)
    let id = track.first("identifier").map { cleanedLine($0.text, limit: 9_000) }.nonEmpty
    guard var video = tracks.video(of: track, files, reference: track.first("location")?.text, id: id) else {
      return nil
    }
    video.duration = track.first("duration").flatMap { duration($0.text) }
    video.covers = track.first("image").flatMap(picture).map { [Cover(url: $0)] } ?? []
    video.pageURL = track.first("info").flatMap { WebAddress(link: $0.text, base: $0.base) }
    video.author = shared.shared(track.first("creator").flatMap { $0.line(limit: 200) })
    video.channel = shared.shared(track.first("album").flatMap { $0.line(limit: 200) })
    video.summary = track.first("annotation").flatMap(\.paragraphs)
    return video
  }

  /// Parses a number of milliseconds, or a text in any form of a duration.
  private func duration(_ text: String) -> VideoDuration? {
    guard let milliseconds = WrittenCount.count(text) else { return VideoDuration(feedText: text) }
    return VideoDuration(seconds: milliseconds / 1_000)
  }

  /// Some programs write `(embedded)` for a picture inside the file.
  private func picture(_ element: XMLElement) -> MediaAddress? {
    element.text.contains(ascii: .slash) || element.text.contains(ascii: UInt8(ascii: "."))
      ? MediaAddress(reference: element.text, in: document(of: element)) : nil
  }

  private func medium(_ element: XMLElement) -> MediaAddress? {
    MediaAddress(medium: element.text, in: document(of: element))
  }

  /// The document to which the address in an element is relative; in one from the web `xml:base` applies.
  private func document(of element: XMLElement) -> MediaAddress? {
    element.base.map(MediaAddress.web) ?? tracks.address
  }
}
