import FeedfallSystem
import FeedfallText
import Glibc

/// Looks for films in a folder and in those below it, by their names, without opening one.
///
/// What is hidden is left out. A folder is looked into once, by however many links it can be reached.
struct FolderWalk {
  static let maximumDepth = 16
  static let maximumEntryCount = 500_000
  static let maximumFilmCount = 100_000

  private let root: [UInt8]
  private let isStopped: () -> Bool
  private var listing = FolderListing()
  private var depths = [0]
  private var entryCount = 0
  private var seen: Set<FileNumber> = []

  private struct FileNumber: Hashable {
    var device: dev_t
    var number: ino_t
  }

  /// Lists the folder at a path; fails where that itself can't be read, and soon after `isStopped` gives true.
  static func list(
    _ root: [UInt8], name: String, isStopped: @escaping () -> Bool
  ) throws(FeedFailure) -> FolderListing {
    var walk = FolderWalk(root: root, isStopped: isStopped)
    try walk.run(name)
    walk.listing.sort()
    return walk.listing
  }

  private init(root: [UInt8], isStopped: @escaping () -> Bool) {
    self.root = root
    self.isStopped = isStopped
  }

  /// The nearest folders come first, so that what a limit leaves out is deep below.
  private mutating func run(_ name: String) throws(FeedFailure) {
    var index = 0
    while index < listing.folders.count, !isFull {
      if let error = look(intoFolder: index) {
        if index == 0 { throw LocalFile.failure(error, name) }
        listing.unreadableCount += 1
      }
      if isStopped() { throw .cancelled }
      index += 1
    }
  }

  private var isFull: Bool {
    entryCount >= Self.maximumEntryCount || listing.films.count >= Self.maximumFilmCount
  }

  /// Takes in the entries of a folder; gives the error where it can't be read.
  private mutating func look(intoFolder index: Int) -> Int32? {
    let path = root + [UInt8(ascii: "/")] + listing.folders[index].path
    let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno }
    guard let stream = fdopendir(descriptor) else {
      defer { close(descriptor) }
      return errno
    }
    defer { closedir(stream) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return errno }
    guard seen.insert(FileNumber(device: facts.st_dev, number: facts.st_ino)).inserted else { return nil }
    while !isFull, !isStopped(), let entry = readdir(stream) {
      entryCount += 1
      take(FileName(entry), in: index, descriptor)
    }
    return nil
  }

  private mutating func take(_ name: FileName, in folder: Int, _ descriptor: Int32) {
    var facts = stat()
    guard !name.isHidden, fstatat(descriptor, name.bytes.cString, &facts, 0) == 0 else { return }
    switch facts.st_mode & S_IFMT {
    case S_IFREG where name.isFilm:
      listing.films.append(
        FolderListing.Film(
          folder: folder, name: name, byteCount: Int(facts.st_size),
          modified: UnixTime(seconds: facts.st_mtim.tv_sec)))
    case S_IFREG where name.isPicture:
      listing.folders[folder].pictures[FileName.key(name.stem)] = name
    case S_IFDIR where depths[folder] < Self.maximumDepth:
      let above = listing.folders[folder].path
      listing.folders.append(
        FolderListing.Folder(path: above.isEmpty ? name.bytes : above + [UInt8(ascii: "/")] + name.bytes))
      depths.append(depths[folder] + 1)
    default: break
    }
  }
}

extension FileName {
  fileprivate init(_ entry: UnsafeMutablePointer<dirent>) {
    self.init(bytes: withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
  }
}
