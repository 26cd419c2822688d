import FeedfallDocuments
import FeedfallText

/// An ASX playlist (Advanced Stream Redirector): `entry` elements whose `ref` elements are alternatives.
struct ASXPlaylist: FeedFormat {
  static let rootNames: Set<String> = ["asx"]

  let kind = FeedKind.playlist
  private var reader: XMLReader
  private let address: MediaAddress?
  private(set) var skipped = SkippedEntries()
  private(set) var title: String?

  init(_ bytes: [UInt8], address: MediaAddress?) {
    self.address = address
    reader = XMLReader(bytes, base: address?.web)
  }

  mutating func next() -> Video? {
    while let event = reader.next() {
      guard case .start(let element) = event else { continue }
      switch element.name {
      case "entry": if let video = video(reader.content(of: element)) { return video }
      case "title": title = title ?? SyndicationText.line(reader.content(of: element), limit: 200)
      default: continue
      }
    }
    return nil
  }

  private mutating func video(_ entry: XMLElement) -> Video? {
    let references = entry.children(.rss, "ref").compactMap { $0.attribute("href") }
    let files = references.compactMap { MediaAddress(reference: $0, in: address).map { MediaFile(url: $0) } }
    guard let first = files.first else {
      skipped.insert(references.first ?? "")
      return nil
    }
    let name = entry.first("title").flatMap { SyndicationText.line($0) }
    var video = Video(id: first.url.text, title: name ?? first.url.name ?? first.url.text, playback: .direct(files))
    video.duration = entry.first("duration")?.attribute("value").flatMap { VideoDuration(feedText: $0) }
    video.author = entry.first("author").flatMap { SyndicationText.line($0, limit: 200) }
    video.summary = entry.first("abstract").flatMap(SyndicationText.paragraphs)
    video.pageURL = entry.first("moreinfo")?.attribute("href").flatMap { WebAddress(reference: $0, base: entry.base) }
    return video
  }
}
