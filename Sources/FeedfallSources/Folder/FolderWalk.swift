import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// Finds video files and lists below a folder by name. Only `.m3u8` files, which may be streams, and large ones whose
/// extension is also that of TypeScript are opened. A folder below the deepest level is a list. Hidden files are
/// skipped. A folder is listed once, even if several links lead to it.
struct FolderWalk {
  struct Limits {
    var depth = 16
    var entryCount = 500_000
    var fileCount = 100_000
    var openedFileCount = 10_000
    /// No recording is smaller, and few texts are as large.
    var openedByteCount = 64 << 10
  }

  private let root: [UInt8]
  private let limits: Limits
  private let isCancelled: () -> Bool
  private var listing = Listing()
  private var depths = [0]
  private var entryCount = 0
  private var openedFileCount = 0
  private var seen: Set<FileNumber> = []

  private struct FileNumber: Hashable {
    var device: dev_t
    var number: ino_t
  }

  /// Throws if the folder cannot be read, or soon after `isCancelled` returns true.
  static func list(
    _ root: [UInt8], name: String, limits: Limits = Limits(), isCancelled: @escaping () -> Bool
  ) throws(FeedFailure) -> Listing {
    var walk = FolderWalk(root: root, limits: limits, isCancelled: isCancelled)
    try walk.run(name)
    walk.listing.sort()
    return walk.listing
  }

  /// Breadth first, so that the limit excludes the deepest folders.
  private mutating func run(_ name: String) throws(FeedFailure) {
    var index = 0
    while index < listing.folders.count {
      guard !isFull else {
        listing.isCut = true
        return
      }
      do {
        try list(folder: index)
      } catch {
        if index == 0 { throw .notOpened(name, error) }
        listing.unreadableCount += 1
      }
      if isCancelled() { throw .cancelled }
      index += 1
    }
  }

  private var isFull: Bool { entryCount >= limits.entryCount || listing.files.count >= limits.fileCount }

  private mutating func list(folder index: Int) throws(SystemError) {
    let path = root + [UInt8(ascii: "/")] + listing.folders[index].path
    let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError() }
    guard let stream = fdopendir(descriptor) else {
      defer { close(descriptor) }
      throw SystemError()
    }
    defer { closedir(stream) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError() }
    guard seen.insert(FileNumber(device: status.st_dev, number: status.st_ino)).inserted else { return }
    while !isCancelled(), let entry = readdir(stream) {
      let name = FileName(bytes: withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
      if name.bytes == Array(".".utf8) || name.bytes == Array("..".utf8) { continue }
      guard !isFull else {
        listing.isCut = true
        return
      }
      entryCount += 1
      append(name, in: index, descriptor)
    }
  }

  private mutating func append(_ name: FileName, in folder: Int, _ descriptor: Int32) {
    var status = stat()
    guard !name.isHidden, fstatat(descriptor, name.bytes.cString, &status, 0) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG where name.isVideo ?? isMedium(name, byteCount: Int(status.st_size), descriptor):
      insert(name, in: folder, status)
    case S_IFREG where name.isList ?? FeedDecoder.isList(playlist: start(of: name, descriptor)):
      insert(name, in: folder, status, .playlist)
    case S_IFREG where name.isPicture:
      listing.folders[folder].pictures[FileName.key(name.stem)] = name
    case S_IFREG where name.isNote: listing.folders[folder].notes[FileName.key(name.bytes)] = name
    case S_IFDIR where depths[folder] >= limits.depth:
      listing.isCut = true
      insert(name, in: folder, status, .folder)
    case S_IFDIR:
      let above = listing.folders[folder].path
      listing.folders.append(
        Listing.Folder(path: above.isEmpty ? name.bytes : above + [UInt8(ascii: "/")] + name.bytes))
      depths.append(depths[folder] + 1)
    default: break
    }
  }

  private mutating func insert(_ name: FileName, in folder: Int, _ status: stat, _ list: ListLink.Kind? = nil) {
    listing.files.append(
      Listing.File(
        folder: folder, name: name, byteCount: Int(status.st_size),
        modified: UnixTime(seconds: status.st_mtim.tv_sec), list: list))
  }

  private mutating func isMedium(_ name: FileName, byteCount: Int, _ folder: Int32) -> Bool {
    guard byteCount >= limits.openedByteCount, let start = start(of: name, folder) else { return false }
    return MediaStart.isMedium(start, fileExtension: name.pathExtension)
  }

  /// Nil if the file cannot be read, or too many have been opened.
  private mutating func start(of name: FileName, _ folder: Int32) -> [UInt8]? {
    guard openedFileCount < limits.openedFileCount else { return nil }
    openedFileCount += 1
    return Files.start(of: name.bytes, in: folder)
  }

  struct Listing: Sendable {
    struct File: Sendable {
      /// The index in `folders`.
      var folder: Int
      var name: FileName
      var byteCount: Int
      var modified: UnixTime
      /// The kind of a list; nil for a video.
      var list: ListLink.Kind?
    }

    struct Folder: Sendable {
      /// Relative to the listed folder, whose path is empty.
      var path: [UInt8]
      var pictures: [[UInt8]: FileName] = [:]
      /// The files that may describe videos, by their names in lower case.
      var notes: [[UInt8]: FileName] = [:]
      var newest = UnixTime(seconds: .min)
    }

    var folders = [Folder(path: [])]
    var files: [File] = []
    var unreadableCount = 0
    /// Whether there may be more videos than the limits of `FolderWalk` allow.
    var isCut = false

    /// The newest folder and file first. Files of one time are in the order of their names, by the numbers in them.
    mutating func sort() {
      for file in files { folders[file.folder].newest = max(folders[file.folder].newest, file.modified) }
      files.sort { left, right in
        if left.folder != right.folder {
          let (one, other) = (folders[left.folder].newest, folders[right.folder].newest)
          return one == other ? left.folder < right.folder : one > other
        }
        if left.modified != right.modified { return left.modified > right.modified }
        return left.name.bytes[...].precedesNaturally(right.name.bytes[...])
      }
    }
  }
}

/// The name of a file, as bytes: it need not be valid UTF-8.
struct FileName: Sendable {
  let bytes: [UInt8]

  var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  var stem: ArraySlice<UInt8> { bytes[..<(dot ?? bytes.endIndex)] }

  /// Nil if only the content shows that.
  var isVideo: Bool? { isStreamFile ? true : FileExtension.isVideo(inFolder: pathExtension) }
  /// Nil if only the content shows that.
  var isList: Bool? { FileExtension.isList(pathExtension) }
  var isNote: Bool {
    let name = Self.key(bytes)
    return FileNotes.allCases.contains { name.suffix($0.rawValue.utf8.count + 1).elementsEqual(".\($0.rawValue)".utf8) }
  }
  var isPicture: Bool { Self.pictureExtensions.contains(pathExtension) }

  /// In lower case.
  var pathExtension: String { dot.map { String(decoding: bytes[($0 + 1)...].map(\.lowercased), as: UTF8.self) } ?? "" }

  /// The index of the last dot; a leading dot starts no extension.
  private var dot: Int? { bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } }

  /// The stem in lower case for comparison: `Video.JPG` belongs to `video.mp4`.
  static func key(_ stem: some Collection<UInt8>) -> [UInt8] { stem.map(\.lowercased) }

  private static let pictureExtensions: Set<String> = ["jpeg", "jpg", "png", "webp"]
}
