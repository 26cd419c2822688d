import FeedfallText

struct XMLPlaylistReader: Sendable {
  let address: MediaAddress?
  private var reader: XMLReader
  private(set) var title: String?
  private(set) var skipped = SkippedEntries()

  init(_ bytes: [UInt8], address: MediaAddress?) {
    self.address = address
    reader = XMLReader(bytes, base: address?.web)
  }

  /// Returns the next element with this name outside other elements than `containers`; nil at the end.
  mutating func nextEntry(named name: String, in containers: Set<String>) -> XMLElement? {
    while let event = reader.next() {
      guard case .start(let element) = event, !containers.contains(element.name) else { continue }
      let whole = reader.content(of: element)
      if element.name == name { return whole }
      if element.name == "title" { title = title ?? whole.line(limit: 200) }
    }
    return nil
  }

  /// Creates the video of an entry with these alternatives; nil without one, which counts the entry as skipped.
  ///
  /// - Parameter reference: the first address as written.
  mutating func video(of entry: XMLElement, _ files: [MediaAddress], reference: String?, id: String? = nil) -> Video? {
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

  var failure: FeedFailure? { reader.work.isExceeded ? .tooComplex : nil }
}
