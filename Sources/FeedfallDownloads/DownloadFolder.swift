import CFeedfallGuard
import FeedfallSystem
import Glibc

/// The folder in which a download is stored.
struct DownloadFolder: Sendable {
  let path: String
  /// Returns the free bytes of a folder's disk for the user; nil if they are unknown.
  var freeByteCount: @Sendable (String) -> Int? = DownloadFolder.freeByteCount

  /// The bytes that remain free on the disk.
  static let reservedByteCount = 64 << 20
  private static let maximumNumber = 1_000

  func path(of name: String) -> String { "\(path)/\(name)" }

  func create() throws(DownloadFailure) {
    do { try Files.makeFolder(path, mode: 0o755) } catch { throw .folder(error, path: path) }
  }

  /// Throws if the disk has no room for further bytes.
  ///
  /// - Parameter count: nil if it is unknown.
  func checkSpace(for count: Int?) throws(DownloadFailure) {
    guard let free = freeByteCount(path), free - Self.reservedByteCount < count ?? 0 else { return }
    throw .noSpace(neededByteCount: count, freeByteCount: free, folder: path)
  }

  private static func freeByteCount(_ path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (count, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
    return isTooLarge ? .max : count
  }

  /// Moves a complete file to its final name, or a numbered one if there is such a file already. Never replaces a file.
  ///
  /// - Parameter choose: is called with each name before it is tried.
  func publish(
    _ file: String, as stem: String, _ pathExtension: String, choose: (String) throws(DownloadFailure) -> Void
  ) throws(DownloadFailure) -> String {
    for number in 1...Self.maximumNumber {
      let name = "\(DownloadName.numbered(stem, number)).\(pathExtension)"
      var status = stat()
      if lstat(path(of: name), &status) == 0 { continue }
      try choose(name)
      if guard_rename_new(file, path(of: name)) == 0 {
        Files.synchronizeFolder(of: path(of: name))
        return name
      }
      let error = SystemError()
      guard error.number == EEXIST else { throw .file(error, path: path(of: name)) }
    }
    throw .file(SystemError(EEXIST), path: path(of: stem))
  }

  /// Moves a file beside a video file, unless there is one with the name.
  func move(_ file: String, to name: String) -> Bool { guard_rename_new(file, path(of: name)) == 0 }

  /// Writes a small file, unless there is one with the name; a part of it is never visible.
  func create(_ name: String, with bytes: [UInt8]) -> Bool {
    let temporary = path(of: ".\(name).new")
    guard (try? Files.replace(temporary, with: bytes, mode: 0o644)) != nil else { return false }
    defer { unlink(temporary) }
    return move(temporary, to: name)
  }

  /// Returns the size and the modification time of a regular file; nil if there is none.
  func facts(of name: String) -> (byteCount: Int, seconds: Int)? {
    var status = stat()
    guard lstat(path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return (Int(status.st_size), status.st_mtim.tv_sec)
  }

  /// Deletes a file, or a folder with its files.
  func remove(_ name: String) {
    let path = path(of: name)
    guard unlink(path) != 0, errno == EISDIR else { return }
    for inner in Self.names(in: path) { unlink("\(path)/\(inner)") }
    rmdir(path)
  }

  /// Returns the names in a folder without `.` and `..`, at most 10,000.
  static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < 10_000, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// An open file or folder that no other program downloads to.
final class LockedFile: Sendable {
  let descriptor: Int32

  /// Opens a file and creates it if it is missing, or opens an existing folder.
  init(_ path: String, isFolder: Bool = false) throws(DownloadFailure) {
    let kind = isFolder ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT
    descriptor = open(path, kind | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else { throw .file(SystemError(), path: path) }
    if let failure = Self.lock(descriptor, path, isFolder ? S_IFDIR : S_IFREG) { throw failure }
  }

  private static func lock(_ descriptor: Int32, _ path: String, _ kind: mode_t) -> DownloadFailure? {
    var (opened, current) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0 else { return .file(SystemError(), path: path) }
    guard opened.st_mode & S_IFMT == kind else { return .file(SystemError(EEXIST), path: path) }
    // On a file system without locks, the program relies on being the only one.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return .busy }
    // Another program may have completed it meanwhile.
    guard stat(path, &current) == 0, opened.st_ino == current.st_ino, opened.st_dev == current.st_dev else {
      return .busy
    }
    return nil
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
