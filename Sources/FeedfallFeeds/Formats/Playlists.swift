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
  private(set) var header = FeedHeader()
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
      case "title": header.title = header.title ?? entry.line(limit: 200)
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

/// A PLS playlist: `[playlist]`, then `File1=`, `Title1=` and `Length1=` in seconds, -1 where it is unknown.
struct PLSPlaylist: FeedFormat {
  let kind = FeedKind.playlist
  private let address: MediaAddress?
  private let entries: [Entry]
  private var index = 0
  private(set) var skipped = SkippedEntries()

  private struct Entry {
    var file: String?
    var title: String?
    var length: String?
  }

  private static let maximumNumber = 100_000

  static func matches(start: ArraySlice<UInt8>) -> Bool {
    let start = start.prefix(16).map(\.lowercased)
    return ["[playlist]", "numberofentries=", "file1="].contains { start.starts(with: $0.utf8) }
  }

  init(_ bytes: [UInt8], address: MediaAddress?) {
    self.address = address
    var entries: [Int: Entry] = [:]
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: Array(line[..<equals]).trimmingBlanks().map(\.lowercased), as: UTF8.self)
      let key = name.prefix { !$0.isNumber }
      guard let number = Int(name.dropFirst(key.count)), (0...Self.maximumNumber).contains(number) else { continue }
      let value = String(decoding: Array(line[(equals + 1)...]).trimmingBlanks(), as: UTF8.self)
      switch key {
      case "file": entries[number, default: Entry()].file = value
      case "title": entries[number, default: Entry()].title = value
      case "length": entries[number, default: Entry()].length = value
      default: continue
      }
    }
    self.entries = entries.sorted { $0.key < $1.key }.map(\.value)
  }

  mutating func next() -> Video? {
    while index < entries.count {
      defer { index += 1 }
      let entry = entries[index]
      guard let file = entry.file else { continue }
      guard let url = MediaAddress(medium: file, in: address, .path) else {
        skipped.insert(file)
        continue
      }
      let title = entry.title.map { cleanedLine($0) }.nonEmpty
      var video = Video(id: url.text, title: title ?? url.name ?? url.text, playback: .direct([MediaFile(url: url)]))
      video.duration = entry.length.flatMap { VideoDuration(feedText: $0) }
      return video
    }
    return nil
  }
}
