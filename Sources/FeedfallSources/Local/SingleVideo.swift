import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// A video by itself as a source of one card.
enum SingleVideo {
  /// The video at an address whose path has the extension of a medium; nil for another address, and for `.m3u8`, which may
  /// be a list of stations.
  static func source(_ address: WebAddress) -> PageSource? {
    // `File:film.webm` is a page about the file in a MediaWiki.
    guard address.pathSegments.last?.contains(":") != true else { return nil }
    switch MediaKind(pathOf: address) {
    case .video, .audio: break
    case .stream where !address.path.lowercased().hasSuffix(".m3u8"): break
    default: return nil
    }
    let video = Video(single: .web(address))
    return PageSource(
      name: cleanedLine(address.host + address.path, limit: 48), isLocal: true, page: { _, _ in page(video) })
  }

  /// The video in a file of this machine; nil for another file.
  static func source(path: String, _ probe: FileProbe?) -> PageSource? {
    guard let address = Files.absolutePathBytes(path).flatMap({ FileAddress(path: $0) }), isVideo(path) else {
      return nil
    }
    var video = Video(single: .file(address))
    video.isPartial = probe != nil
    return PageSource(
      name: cleanedLine(address.name, limit: 48), isLocal: true, page: { [video] _, _ in page(video) },
      details: { video throws(FeedFailure) in try await probe?.complete(video) ?? video })
  }

  private static func page(_ video: Video) -> FeedPage { FeedPage(videos: [video], total: 1) }

  /// Whether a regular file begins as a medium does.
  private static func isVideo(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let start = try? Files.read(descriptor: descriptor, at: 0, count: MediaStart.byteCount)
    else { return false }
    return MediaStart.isMedium(start)
  }
}
