import FeedfallDocuments
import FeedfallText

/// An XSPF playlist (xspf.org, version 1): `track` elements whose durations are in milliseconds.
struct XSPFPlaylist: FeedFormat {
  static let rootNames: Set<String> = ["playlist", "tracklist"]

  let kind = FeedKind.playlist
  private var reader: XMLReader
  private let address: MediaAddress?
  private var shared = SharedTexts()
  private(set) var title: String?
  private(set) var skipped = SkippedEntries()

  init(_ bytes: [UInt8], address: MediaAddress?) {
    self.address = address
    reader = XMLReader(bytes, base: address?.web)
  }

  /// Tracks without a playable address are skipped and counted.
  mutating func next() -> Video? {
    while let event = reader.next() {
      guard case .start(let element) = event else { continue }
      switch element.name {
      case "playlist", "tracklist": continue
      case "track": if let video = video(reader.content(of: element)) { return video }
      case "title": title = title ?? SyndicationText.line(reader.content(of: element), limit: 200)
      default: _ = reader.content(of: element)
      }
    }
    return nil
  }

  private mutating func video(_ track: XMLElement) -> Video? {
    let files = track.children(.rss, "location").compactMap(medium).map { MediaFile(url: $0) }
    guard let first = files.first else {
      skipped.insert(cleanedLine(track.first("location")?.text ?? "", limit: 64))
      return nil
    }
    let name = track.first("title").flatMap { SyndicationText.line($0) }
    let id = track.first("identifier").map { cleanedLine($0.text, limit: 9_000) }.nonEmpty ?? first.url.text
    var video = Video(id: id, title: name ?? first.url.name ?? first.url.text, playback: .direct(files))
    let milliseconds = track.first("duration").flatMap { Int($0.text.filter { !$0.isWhitespace }) }
    video.duration = milliseconds.flatMap { VideoDuration(seconds: $0 / 1_000) }
    video.covers = track.first("image").flatMap(medium).map { [Cover(url: $0)] } ?? []
    video.pageURL = track.first("info").flatMap { WebAddress(reference: $0.text, base: $0.base) }
    video.author = shared.shared(track.first("creator").flatMap { SyndicationText.line($0, limit: 200) })
    video.channel = shared.shared(track.first("album").flatMap { SyndicationText.line($0, limit: 200) })
    video.summary = track.first("annotation").flatMap(SyndicationText.paragraphs)
    return video
  }

  /// Resolves the address in an element; in a document from the web `xml:base` applies.
  private func medium(_ element: XMLElement) -> MediaAddress? {
    let document = element.base.map(MediaAddress.web) ?? address
    return MediaAddress(reference: element.text, in: document)
  }
}
