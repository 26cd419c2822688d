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
    if let file = target.file, Files.kind(of: file.path) != S_IFREG { return nil }
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
    guard !FileExtension.isMediaName(file.name) else { return nil }
    switch Files.kind(of: file.path) {
    case S_IFDIR: return .folder
    case S_IFREG:
      let isList = FileName(of: file).isList ?? FeedDecoder.isList(playlist: Files.start(of: file.path))
      return isList ? .playlist : nil
    default: return nil
    }
  }

  private static func bytes(of file: FileAddress) -> [UInt8]? {
    try? Files.read(file.path, limit: FileNotes.maximumByteCount)
  }
}

extension Files {
  /// The kind of a file, such as `S_IFREG`; nil if there is none.
  static func kind(of path: some Collection<UInt8>) -> mode_t? {
    var status = stat()
    return stat(path.cString, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The first bytes of a file, whose path may be relative to an open folder; nil if it cannot be read.
  static func start(of path: some Collection<UInt8>, in folder: Int32 = AT_FDCWD) -> [UInt8]? {
    let descriptor = openat(folder, path.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try? read(descriptor: descriptor, at: 0, count: MediaStart.byteCount)
  }
}

extension FileName {
  init(of file: FileAddress) { self.init(bytes: file.path.split(separator: .slash).last.map(Array.init) ?? []) }

  var isStreamFile: Bool { pathExtension == StreamFile.fileExtension }
}
