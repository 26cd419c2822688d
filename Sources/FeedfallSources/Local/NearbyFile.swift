import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// Small files beside local videos, or in their place.
enum NearbyFile {
  /// A video whose notes exceed the limit remains partial.
  ///
  /// - Parameters:
  ///   - limit: the bytes that may still be read; the last file may exceed it.
  ///   - note: returns the file of a kind; nil if there is none.
  static func completing(_ video: Video, upTo limit: inout Int, _ note: (FileNotes) -> FileAddress?) -> Video {
    var video = video
    for kind in FileNotes.allCases {
      guard let file = note(kind) else { continue }
      if limit <= 0 {
        video.isPartial = true
      } else if let bytes = bytes(of: file) {
        limit -= bytes.count
        video = kind.completing(video, by: bytes)
      }
    }
    return video
  }

  /// With the notes beside a file whose folder was not listed.
  static func completing(_ video: Video, beside file: FileAddress) -> Video {
    let name = FileName(of: file)
    let stem = file.path.dropLast(name.bytes.count) + name.stem
    var limit = Int.max
    return completing(video, upTo: &limit) { FileAddress(path: stem + ".\($0.rawValue)".utf8) }
  }

  /// Returns the video that a `.strm` file names; nil if it names none.
  static func streamVideo(of file: FileAddress) -> Video? {
    guard let target = bytes(of: file).flatMap({ StreamFile.target($0, of: file) }) else { return nil }
    if let file = target.file, !isRegular(file) { return nil }
    return StreamFile.video(target, named: String(decoding: FileName(of: file).stem, as: UTF8.self))
  }

  /// With the film in place of a `.strm` file that names one, and with a link in place of a list or a folder.
  static func resolved(_ video: Video) -> Video {
    guard case .direct(let files) = video.playback, files.count == 1, let file = files[0].url.file else { return video }
    var video = video
    if FileName(of: file).isStreamFile, let named = streamVideo(of: file) {
      (video.playback, video.pageURL) = (named.playback, video.pageURL ?? named.pageURL)
    } else if let kind = listKind(of: file) {
      (video.playback, video.duration) = (.list(ListLink(kind, .file(file))), nil)
    }
    return video
  }

  /// Nil for other files, and for those with the name of a video.
  private static func listKind(of file: FileAddress) -> ListLink.Kind? {
    var status = stat()
    guard !FileExtension.isMediaName(file.name), stat(file.path.cString, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return FileName(of: file).isList ?? isPlaylist(file) ? .playlist : nil
    default: return nil
    }
  }

  private static func isPlaylist(_ file: FileAddress) -> Bool {
    let descriptor = open(file.path.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let start = try? Files.read(descriptor: descriptor, at: 0, count: MediaStart.byteCount)
    return start.map { !FeedDecoder.isStream(playlist: $0) } ?? false
  }

  private static func bytes(of file: FileAddress) -> [UInt8]? {
    try? Files.read(file.path, limit: FileNotes.maximumByteCount)
  }

  private static func isRegular(_ file: FileAddress) -> Bool {
    var status = stat()
    return stat(file.path.cString, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension FileName {
  init(of file: FileAddress) { self.init(bytes: file.path.split(separator: .slash).last.map(Array.init) ?? []) }

  var isStreamFile: Bool { pathExtension == StreamFile.fileExtension }
}
