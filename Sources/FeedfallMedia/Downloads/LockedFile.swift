import FeedfallSystem
import Glibc

/// An open file or folder that no other program downloads to.
final class LockedFile: Sendable {
  let descriptor: Int32

  /// Creates a missing file, but no folder.
  init(_ path: String, isFolder: Bool = false) throws(DownloadFailure) {
    do throws(SystemError) { descriptor = try Self.open(path, isFolder, O_CREAT) } catch {
      throw .file(error, path: path)
    }
    try lock(path)
  }

  init?(existing path: String, isFolder: Bool) throws(DownloadFailure) {
    do throws(SystemError) { descriptor = try Self.open(path, isFolder) } catch {
      if error.number == ENOENT { return nil }
      throw .file(error, path: path)
    }
    try lock(path)
  }

  static func waitForRelease(of path: String) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
    Files.unlock(descriptor)
  }

  private static func open(_ path: String, _ isFolder: Bool, _ flags: Int32 = 0) throws(SystemError) -> Int32 {
    guard isFolder else { return try Files.openOwn(path, O_RDWR | flags, mode: 0o644, isAlone: true) }
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw SystemError() }
    guard Files.isOwn(status, path) else {
      close(descriptor)
      throw .ofAnotherUser
    }
    return descriptor
  }

  /// On a file system without locks, the program relies on being the only one.
  private func lock(_ path: String) throws(DownloadFailure) {
    // Another program may have completed the file meanwhile.
    guard Files.tryLock(descriptor, of: path) != .busy, isAt(path) else { throw .busy }
  }

  /// Whether the path still leads to this file: another program may have replaced it.
  func isAt(_ path: String) -> Bool {
    var (opened, current) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &current) == 0 && opened.st_ino == current.st_ino
      && opened.st_dev == current.st_dev
  }

  var mark: StoredFile.Mark? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? StoredFile.Mark(status) : nil
  }

  /// Allows other programs to lock the file. It stays open, because a late piece of an answer may still be written.
  func unlock() { Files.release(descriptor) }

  deinit {
    if descriptor >= 0 { Files.unlock(descriptor) }
  }
}

struct StoredFile: Equatable, Sendable {
  var name: String
  var mark: Mark
  var mayBeIncomplete = false

  /// Identifies a stored file, so that no other one is deleted in its place.
  struct Mark: Equatable, Sendable {
    /// Not compared: on FAT and sshfs it changes with each mount.
    private var inode: UInt
    private(set) var byteCount: Int
    private var seconds: Int
    /// Zero on a file system that stores whole seconds.
    private var nanoseconds: Int

    /// Returns nil unless it is a regular file.
    init?(_ status: stat) {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      (inode, byteCount) = (UInt(status.st_ino), Int(status.st_size))
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    init?(text: String) {
      let words = text.split(separator: " ")
      guard words.count == 4, let inode = UInt(words[0]), let byteCount = Int(words[1]),
        let seconds = Int(words[2]), let nanoseconds = Int(words[3]), byteCount >= 0
      else { return nil }
      (self.inode, self.byteCount, self.seconds, self.nanoseconds) = (inode, byteCount, seconds, nanoseconds)
    }

    var text: String { "\(inode) \(byteCount) \(seconds) \(nanoseconds)" }

    static func == (one: Mark, other: Mark) -> Bool {
      one.byteCount == other.byteCount && one.seconds == other.seconds
        && (one.nanoseconds == other.nanoseconds || one.nanoseconds == 0 || other.nanoseconds == 0)
    }
  }
}
