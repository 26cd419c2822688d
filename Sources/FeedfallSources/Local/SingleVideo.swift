import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// A video by itself as a source of one card.
package enum SingleVideo {
  /// Nil unless the path has the extension of a medium; nil for `.m3u8` too, which may be a list of stations.
  static func source(_ address: WebAddress) -> PageSource? {
    guard isMedium(address), !address.path.lowercased().hasSuffix(".m3u8") else { return nil }
    return source(named: address.shownHost + address.path, Video(single: .web(address.withoutStart)))
  }

  static func source(_ stream: StreamAddress) -> PageSource {
    let name = ([stream.server] + stream.pathSegments).joined(separator: "/")
    return source(named: name, Video(single: .stream(stream)))
  }

  private static func source(named name: String, _ video: Video, _ probe: FileProbe? = nil) -> PageSource {
    PageSource(
      name: cleanedLine(name, limit: 48), isLocal: true,
      page: { _, _ in FeedPage(videos: [video], total: 1) },
      details: { video throws(FeedFailure) in try await probe?.complete(video) ?? video })
  }

  /// Without a request: an existing file, or an address, which is that of a page unless it has a medium's extension.
  package static func video(named argument: String) -> Video? {
    let argument = SourceArgument.expanded(argument)
    return switch SourceArgument(argument) {
    case .file(let path): video(atPath: path)
    case .prefixed(.ytDlp, let rest): WebAddress(typed: rest).map(page)
    case .stream(let address): Video(single: .stream(address))
    case .prefixed, .search, .unsupported: nil
    case .web:
      WebAddress(typed: argument).map { address in
        let file = KnownSite.file(ofPage: address) ?? address
        return isMedium(file) ? Video(single: .web(file.withoutStart)) : page(address)
      }
    }
  }

  private static func video(atPath path: String) -> Video? {
    guard Files.kind(of: path.utf8) == S_IFREG,
      let file = Files.absolutePathBytes(path).flatMap({ FileAddress(path: $0) })
    else { return nil }
    return FileName(of: file).isStreamFile ? NearbyFile.streamVideo(of: file) : Video(single: .file(file))
  }

  private static func page(_ address: WebAddress) -> Video {
    let name = address.pathSegments.last.map { cleanedLine($0) }.nonEmpty ?? address.shownHost
    return Video(id: address.text, title: name, playback: .page(address))
  }

  static func source(path: String, _ probe: FileProbe?, hasFrames: Bool = false) -> PageSource? {
    guard let address = Files.absolutePathBytes(path).flatMap({ FileAddress(path: $0) }) else { return nil }
    var video: Video
    if FileName(of: address).isStreamFile {
      guard let named = NearbyFile.streamVideo(of: address) else { return nil }
      video = named
    } else {
      guard let frame = frame(path, address) else { return nil }
      video = Video(single: .file(address))
      if hasFrames { video.covers = [Cover(url: .frame(frame))] }
    }
    video.isPartial = probe != nil && video.playbackURL?.file != nil
    return source(named: address.name, NearbyFile.completing(video, beside: address), probe)
  }

  private static func isMedium(_ address: WebAddress) -> Bool {
    // `File:film.webm` is a page about the file in a MediaWiki.
    guard address.pathSegments.last?.contains(":") != true else { return false }
    return [.video, .audio, .stream].contains(MediaKind(pathOf: address))
  }

  /// Nil unless it is a regular file that is a medium by its first bytes or its name.
  private static func frame(_ path: String, _ address: FileAddress) -> VideoFrame? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let start = try? Files.read(descriptor: descriptor, at: 0, count: MediaStart.byteCount),
      MediaStart.isMedium(start, fileExtension: FileName(bytes: address.path).pathExtension)
    else { return nil }
    return VideoFrame(
      of: address, byteCount: Int(status.st_size), modified: UnixTime(seconds: status.st_mtim.tv_sec))
  }
}
