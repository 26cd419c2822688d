/// An XSPF playlist (xspf.org, version 1): `track` elements whose durations are in milliseconds.
struct SharedPlaylist: WholeDocument {
  let kind = FeedKind.playlist
  private var reader: XMLReader
  private var shared = SharedTexts()
  private(set) var title: String?

  /// Begins a list in UTF-8.
  init(_ bytes: [UInt8], address: WebAddress?) {
    reader = XMLReader(bytes, base: address)
  }

  /// Tracks without an address that can be played are left out.
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
    func address(_ name: String) -> WebAddress? {
      track.first(name).flatMap { WebAddress(reference: $0.text, base: $0.base) }
    }
    let files = track.children(.rss, "location").compactMap { location in
      WebAddress(reference: location.text, base: location.base).map { MediaFile(url: $0) }
    }
    guard let first = files.first else { return nil }
    let name = track.first("title").flatMap { SyndicationText.line($0) }
    let file = first.url.pathSegments.last.map { cleanedLine($0) }.nonEmpty
    let id = track.first("identifier")?.text.nonEmpty ?? first.url.text
    var video = Video(
      id: cleanedLine(id, limit: 9_000), title: name ?? file ?? first.url.text, playback: .direct(files))
    let milliseconds = track.first("duration").flatMap { Int($0.text.filter { !$0.isWhitespace }) }
    video.duration = milliseconds.flatMap { VideoDuration(seconds: $0 / 1_000) }
    video.covers = address("image").map { [Cover(url: $0)] } ?? []
    video.pageURL = address("info")
    video.author = shared.shared(track.first("creator").flatMap { SyndicationText.line($0, limit: 200) })
    video.channel = shared.shared(track.first("album").flatMap { SyndicationText.line($0, limit: 200) })
    video.summary = track.first("annotation").flatMap(SyndicationText.paragraphs)
    return video
  }
}
