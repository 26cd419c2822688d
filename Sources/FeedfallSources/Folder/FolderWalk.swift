import FeedfallSystem
import FeedfallText
import Glibc

/// Finds video files in a folder and its subfolders by name, without opening them. Only large files whose extension is also
/// that of TypeScript are opened.
///
/// Hidden files are skipped. A folder is listed once, even if several links lead to it.
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
  private var listing = FolderListing()
  private var depths = [0]
  private var entryCount = 0
  private var openedFileCount = 0
  private var seen: Set<FileNumber> = []

  private struct FileNumber: Hashable {
    var device: dev_t
    var number: ino_t
  }

  /// Lists the folder at a path. Throws if that folder cannot be read, or soon after `isCancelled` returns true.
  static func list(
    _ root: [UInt8], name: String, limits: Limits = Limits(), isCancelled: @escaping () -> Bool
  ) throws(FeedFailure) -> FolderListing {
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
        if index == 0 { throw FeedFailure(.file(.notOpened(error), name: name)) }
        listing.unreadableCount += 1
      }
      if isCancelled() { throw .cancelled }
      index += 1
    }
  }

  private var isFull: Bool {
    entryCount >= limits.entryCount || listing.files.count >= limits.fileCount
  }

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
      let name = FileName(entry)
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
      listing.files.append(
        FolderListing.File(
          folder: folder, name: name, byteCount: Int(status.st_size),
          modified: UnixTime(seconds: status.st_mtim.tv_sec)))
    case S_IFREG where name.isPicture:
      listing.folders[folder].pictures[FileName.key(name.stem)] = name
    case S_IFDIR where depths[folder] >= limits.depth: listing.isCut = true
    case S_IFDIR:
      let above = listing.folders[folder].path
      listing.folders.append(
        FolderListing.Folder(path: above.isEmpty ? name.bytes : above + [UInt8(ascii: "/")] + name.bytes))
      depths.append(depths[folder] + 1)
    default: break
    }
  }

  private mutating func isMedium(_ name: FileName, byteCount: Int, _ folder: Int32) -> Bool {
    guard byteCount >= limits.openedByteCount, openedFileCount < limits.openedFileCount else { return false }
    openedFileCount += 1
    let descriptor = openat(folder, name.bytes.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let start = try? Files.read(descriptor: descriptor, at: 0, count: MediaStart.byteCount)
    return start.map { MediaStart.isMedium($0, fileExtension: name.pathExtension) } ?? false
  }
}

extension FileName {
  fileprivate init(_ entry: UnsafeMutablePointer<dirent>) {
    self.init(bytes: withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
  }
}
