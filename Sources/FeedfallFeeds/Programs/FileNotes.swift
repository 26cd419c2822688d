import FeedfallText

/// The kinds of files that describe the video file of the same name beside them.
package enum FileNotes: String, CaseIterable, Sendable {
  /// The XML of Kodi (kodi.wiki/view/NFO_files).
  case nfo
  /// The JSON that yt-dlp writes with `--write-info-json`.
  case info = "info.json"

  /// In bytes; larger files are ignored.
  package static let maximumByteCount = 1 << 20

  /// Returns the video with the facts that a file states; unchanged if it states none.
  package func completing(_ video: Video, by bytes: [UInt8]) -> Video {
    guard bytes.count <= Self.maximumByteCount else { return video }
    return switch self {
    case .nfo: Self.completing(video, byNFO: bytes)
    case .info: Self.completing(video, byInfo: bytes)
    }
  }

  private static let roots: Set<String> = ["movie", "episodedetails", "musicvideo"]

  private static func completing(_ video: Video, byNFO bytes: [UInt8]) -> Video {
    var reader = XMLReader(bytes, base: nil)
    guard let root = reader.nextElement(), roots.contains(root.name) else { return video }
    let details = reader.content(of: root)
    var video = video
    func line(_ name: String) -> String? { details.first(name)?.line(limit: 500) }
    video.title = line("title") ?? video.title
    video.summary = (details.first("plot")?.paragraphs ?? details.first("outline")?.paragraphs) ?? video.summary
    video.published =
      ["premiered", "aired"].firstNonNil { line($0).flatMap { UnixTime(feedDate: $0) } } ?? video.published
    video.duration = line("runtime").flatMap(minutes) ?? video.duration
    video.channel = line("showtitle") ?? video.channel
    return video
  }

  /// Parses `95` and `95 min`.
  private static func minutes(_ text: String) -> VideoDuration? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard digits.count <= 5, unit.isEmpty || unit.hasPrefix("min"), let minutes = Int(digits) else { return nil }
    return VideoDuration(seconds: minutes * 60)
  }

  /// The pictures in it are on the web, and a local folder sends no request.
  private static func completing(_ video: Video, byInfo bytes: [UInt8]) -> Video {
    guard let list = FeedDecoder.decodeYtDlp(bytes), list.isWhole, let details = list.videos.first else { return video }
    var video = video
    video.title = details.title
    video.published = details.published ?? video.published
    video.summary = details.summary ?? video.summary
    video.duration = details.duration ?? video.duration
    (video.author, video.channel) = (details.author ?? video.author, details.channel ?? video.channel)
    (video.channelURL, video.pageURL) = (details.channelURL ?? video.channelURL, details.pageURL ?? video.pageURL)
    if !details.chapters.isEmpty { video.chapters = details.chapters }
    return video
  }
}

/// A text file that names the film to play in its place (kodi.wiki/view/Internet_video_and_audio_streams).
package enum StreamFile {
  package static let fileExtension = "strm"
  private static let maximumLineCount = 100

  /// Returns the film that a file names in its first line that is not a comment: a web address, or a path relative to
  /// the folder of the file that does not leave it.
  package static func target(_ bytes: [UInt8], of file: FileAddress) -> MediaAddress? {
    guard bytes.count <= FileNotes.maximumByteCount else { return nil }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let lines = text.split(maxSplits: maximumLineCount) { $0 == 0x0A || $0 == 0x0D }.prefix(maximumLineCount)
    guard
      let line = lines.lazy.map({ Array($0).trimmingBlanks() }).first(where: { $0.first.map { $0 != hash } == true })
    else { return nil }
    let name = String(decoding: line, as: UTF8.self)
    if let web = WebAddress(name) { return .web(web) }
    let parts = line.split(separator: .slash, omittingEmptySubsequences: false)
    let isBeside = !parts.contains { $0.isEmpty || $0.elementsEqual("..".utf8) } && !line.contains(.colon)
    guard isBeside, FileExtension.isMediaName(name), let folder = file.path.lastIndex(of: .slash) else { return nil }
    return FileAddress(path: file.path[...folder] + line).map(MediaAddress.file)
  }

  private static let hash = UInt8(ascii: "#")

  /// Returns the video that a file names, under the name of the file.
  package static func video(_ target: MediaAddress, named stem: String) -> Video {
    var video = Video(single: target)
    video.title = cleanedLine(stem).nonEmpty ?? video.title
    // Sites have pages; any other address may be a stream without an extension.
    guard let web = target.web else { return video }
    if let file = KnownSite.file(ofPage: web) {
      video.playback = .direct([MediaFile(url: .web(file))])
    } else if KnownSite.needsYtDlp(web) || KnownSite.request(for: web) != nil {
      (video.pageURL, video.playback) = (web, .page(web))
    }
    return video
  }
}
