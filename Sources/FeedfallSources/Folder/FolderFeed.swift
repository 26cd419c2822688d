import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// The video files and lists in a local folder, the newest first.
final class FolderFeed: Sendable {
  let name: String
  private let path: [UInt8]
  private let firstCount: Int
  private let laterCount: Int
  private let probe: FileProbe?
  /// Whether a video without a picture beside it has a frame as its cover.
  private let hasFrames: Bool
  /// The listing for the first page; later pages continue it.
  private let listing = Mutex<FolderWalk.Listing?>(nil)

  /// The bytes of the notes that are read for a page; the details read the others. Those of yt-dlp have hundreds of KB.
  private static let noteByteCount = 8 << 20

  init?(_ path: String, pageSize: Int?, _ probe: FileProbe?, hasFrames: Bool = false) {
    guard Files.kind(of: path.utf8) == S_IFDIR, let absolute = Files.absolutePathBytes(path) else { return nil }
    self.path = absolute
    (self.probe, self.hasFrames) = (probe, hasFrames)
    name = cleanedLine(FileAddress(path: absolute)?.name.nonEmpty ?? path, limit: 48)
    firstCount = max(1, pageSize ?? LocalDocument.firstCount)
    laterCount = max(1, pageSize ?? LocalDocument.laterCount)
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    switch cursor {
    case .start: return try await slice(of: try await list(), from: 0, firstCount)
    case .item(let item):
      if let stored = listing.withLock({ $0 }) { return try await slice(of: stored, from: item, laterCount) }
      return try await slice(of: try await list(), from: item, laterCount)
    case .page, .offset, .address, .archive: throw .noSuchPage
    }
  }

  func details(_ video: Video) async throws(FeedFailure) -> Video {
    guard video.isPartial, let file = video.playbackURL?.file else { return video }
    let noted = await DetachedThread.run { _ in NearbyFile.completing(video, beside: file) } ?? video
    return try await probe?.complete(noted) ?? noted
  }

  private func list() async throws(FeedFailure) -> FolderWalk.Listing {
    let found = await DetachedThread.run { [path, name] isCancelled in
      Result { () throws(FeedFailure) in try FolderWalk.list(path, name: name, isCancelled: isCancelled) }
    }
    guard let found else { throw .noThread(toRead: name) }
    let new = try found.get()
    guard !new.files.isEmpty else { throw .folderWithoutVideos(name) }
    listing.withLock { $0 = new }
    return new
  }

  /// Reads the files that describe the videos.
  private func slice(
    of listing: FolderWalk.Listing, from start: Int, _ count: Int
  ) async throws(FeedFailure) -> FeedPage {
    let start = min(max(start, 0), listing.files.count)
    let end = min(start + count, listing.files.count)
    let isGrouped = listing.files.contains { $0.folder != 0 }
    let videos = await DetachedThread.run { isCancelled in
      var limit = Self.noteByteCount
      return listing.files[start..<end].compactMap { file in
        isCancelled() ? nil : self.video(file, in: listing.folders[file.folder], isGrouped: isGrouped, &limit)
      }
    }
    guard let videos else { throw .noThread(toRead: name) }
    if Task.isCancelled { throw .cancelled }
    var page = FeedPage(
      videos: videos,
      next: end < listing.files.count ? .item(end) : nil, total: listing.files.count,
      skippedCount: (start == 0 ? listing.unreadableCount : 0) + end - start - videos.count, title: name)
    if start == 0, listing.isCut { page.notice = Self.cutNotice }
    return page
  }

  private static var cutNotice: String {
    let limits = FolderWalk.Limits()
    return "The folder may have more videos: at most \(limits.fileCount) videos, \(limits.entryCount) entries and "
      + "\(limits.depth) levels are listed. Open a subfolder."
  }

  /// Nil if the path is longer than the system allows, and for a `.strm` file that names no film.
  private func video(
    _ file: FolderWalk.Listing.File, in folder: FolderWalk.Listing.Folder, isGrouped: Bool, _ noteLimit: inout Int
  ) -> Video? {
    guard let address = address(of: file.name, in: folder) else { return nil }
    guard var video = file.name.isStreamFile ? NearbyFile.streamVideo(of: address) : film(file, at: address) else {
      return nil
    }
    video.published = file.modified
    video.covers = covers(of: file.name, in: folder)
    if video.covers.isEmpty, hasFrames, video.list == nil, !file.name.isStreamFile {
      let frame = VideoFrame(of: address, byteCount: file.byteCount, modified: file.modified)
      video.covers = [Cover(url: .frame(frame))]
    }
    video.isPartial = probe != nil && video.playbackURL?.file != nil
    if isGrouped { video.group = group(folder) }
    if video.list != nil { return video }
    return NearbyFile.completing(video, upTo: &noteLimit) { kind in
      let name = folder.notes[FileName.key(file.name.stem + ".\(kind.rawValue)".utf8)]
      return name.flatMap { self.address(of: $0, in: folder) }
    }
  }

  private func film(_ file: FolderWalk.Listing.File, at address: FileAddress) -> Video {
    let name = file.list == .folder ? file.name.bytes[...] : file.name.stem
    let list = file.list.map { Playback.list(ListLink($0, .file(address))) }
    var video = Video(
      id: address.text, title: cleanedLine(String(decoding: name, as: UTF8.self)).nonEmpty ?? Video.untitled,
      playback: list ?? .direct([MediaFile(url: .file(address))]))
    video.byteCount = list == nil && file.byteCount > 0 ? file.byteCount : nil
    return video
  }

  private func group(_ folder: FolderWalk.Listing.Folder) -> String {
    cleanedLine(String(decoding: folder.path, as: UTF8.self), limit: 200).nonEmpty ?? name
  }

  private func address(of name: FileName, in folder: FolderWalk.Listing.Folder) -> FileAddress? {
    let slash = UInt8(ascii: "/")
    let start = path == [slash] ? path : path + [slash]
    return FileAddress(path: start + (folder.path.isEmpty ? [] : folder.path + [slash]) + name.bytes)
  }

  private func covers(of name: FileName, in folder: FolderWalk.Listing.Folder) -> [Cover] {
    let stems = [FileName.key(name.stem)] + ["poster", "folder", "cover"].map { Array($0.utf8) }
    let pictures = stems.compactMap { folder.pictures[$0] }
    return pictures.prefix(2).compactMap { address(of: $0, in: folder).map { Cover(url: .file($0)) } }
  }
}
