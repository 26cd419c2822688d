import FeedfallText

/// A playlist in XML: XSPF (xspf.org, version 1) has `track` elements, ASX (Advanced Stream Redirector) `entry`
/// elements.
///
/// Entries without a playable address are skipped and counted.
struct XMLPlaylist: FeedFormat {
  static let rootNames: Set<String> = ["playlist", "tracklist", "asx"]
  private static let containers = rootNames.union(["repeat"])

  let kind = FeedKind.playlist
  private let address: MediaAddress?
  private var reader: XMLReader
  private var shared = SharedTexts()
  private var isASX = false
  private(set) var title: String?
  private(set) var skipped = SkippedEntries()

  init(_ bytes: [UInt8], address: MediaAddress?) {
    self.address = address
    reader = XMLReader(bytes, base: address?.web)
  }

  func failure(after count: Int) -> FeedFailure? { reader.work.isExceeded ? .tooComplex : nil }

  mutating func next() -> Video? {
    while let element = reader.nextElement() {
      if Self.containers.contains(element.name) {
        isASX = isASX || element.name == "asx"
        continue
      }
      let entry = reader.content(of: element)
      switch entry.name {
      case "track" where !isASX: if let video = track(entry) { return video }
      case "entry" where isASX: if let video = asxEntry(entry) { return video }
      case "title": title = title ?? entry.line(limit: 200)
      default: continue
      }
    }
    return nil
  }

  /// Creates the video of an entry with these alternatives; nil without one, which counts the entry as skipped.
  private mutating func video(
    of entry: XMLElement, _ files: [MediaAddress], reference: String?, id: String? = nil
  ) -> Video? {
    guard let first = files.first else {
      skipped.insert(cleanedLine(reference ?? "", limit: 64))
      return nil
    }
    let name = entry.first("title").flatMap { $0.line() }
    var video = Video(
      id: id ?? first.text, title: name ?? first.name ?? first.text,
      playback: .direct(files.map { MediaFile(url: $0) }))
    if files.count > 1 { video.adopt(files.map { OfferedFile($0, type: nil) }) }
    return video
  }

  private mutating func asxEntry(_ entry: XMLElement) -> Video? {
    let references = entry.children(.rss, "ref").compactMap { $0.attribute("href") }
    let files = references.compactMap { MediaAddress(medium: $0, in: address) }
    guard var video = video(of: entry, files, reference: references.first) else { return nil }
    video.duration = entry.first("duration")?.attribute("value").flatMap { VideoDuration(feedText: $0) }
    video.author = entry.first("author").flatMap { $0.line(limit: 200) }
    video.summary = entry.first("abstract").flatMap(\.paragraphs)
    video.pageURL = entry.first("moreinfo")?.attribute("href").flatMap { WebAddress(link: $0, base: entry.base) }
    return video
  }

  private mutating func track(_ track: XMLElement) -> Video? {
    let files = track.children(.rss, "location").compactMap { MediaAddress(medium: $0.text, in: document(of: $0)) }
    let id = track.first("identifier").map { cleanedLine($0.text, limit: 9_000) }.nonEmpty
    guard var video = video(of: track, files, reference: track.first("location")?.text, id: id) else { return nil }
    video.duration = track.first("duration").flatMap { Self.duration(inMilliseconds: $0.text) }
    video.covers = track.first("image").flatMap(picture).map { [Cover(url: $0)] } ?? []
    video.pageURL = track.first("info").flatMap { WebAddress(link: $0.text, base: $0.base) }
    video.author = shared.shared(track.first("creator").flatMap { $0.line(limit: 200) })
    video.channel = shared.shared(track.first("album").flatMap { $0.line(limit: 200) })
    video.summary = track.first("annotation").flatMap(\.paragraphs)
    return video
  }

  /// Parses a number of milliseconds, or a text in any form of a duration.
  private static func duration(inMilliseconds text: String) -> VideoDuration? {
    guard let milliseconds = WrittenCount.count(text) else { return VideoDuration(feedText: text) }
    return VideoDuration(seconds: milliseconds / 1_000)
  }

  /// Some programs write `(embedded)` for a picture inside the file.
  private func picture(_ element: XMLElement) -> MediaAddress? {
    element.text.contains(ascii: .slash) || element.text.contains(ascii: UInt8(ascii: "."))
      ? MediaAddress(reference: element.text, in: document(of: element)) : nil
  }

  /// The document to which the address in an element is relative; in one from the web `xml:base` applies.
  private func document(of element: XMLElement) -> MediaAddress? { element.base.map(MediaAddress.web) ?? address }
}
